"""For every console test: printed JSON follows its schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.replies import faults, name_of, schema
from workbench.console import tables


@pytest.fixture(autouse=True, scope="package")
def _replies_follow_their_schemas() -> Any:
    """Fails the test that prints a key, or a value of a type, that the reply's schema does not have."""
    real = tables.to_json

    def held_against_its_schema(value: Any) -> str:
        text = real(value)
        reply = json.loads(text)
        if name := name_of(reply):
            assert faults(reply, schema(name)) == [], (
                "complete docs/tools/schemas.py, then: uv run python docs/tools/schemas.py"
            )
        return text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "to_json", held_against_its_schema)
        yield
