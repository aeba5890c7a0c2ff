"""Pages of the docs that are written from the program say what the program says."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT
from workbench.session.preferences import as_markdown

DOCS = ROOT / "docs"
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "null": type(None)}


def faults(value: Any, schema: dict[str, Any], place: str = "") -> list[str]:
    """Where `value` does not follow `schema`: types, required keys, and keys that the schema does not name."""
    if "const" in schema:
        return [] if value == schema["const"] else [f"{place}: {value}"]
    kinds = schema.get("type", list(KINDS))
    if not any(isinstance(value, KINDS[kind]) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return [f"{place}: {type(value).__name__}"]
    if isinstance(value, list):
        return [fault for item in value for fault in faults(item, schema.get("items", {}), f"{place}[]")]
    if not isinstance(value, dict):
        return []
    known, rest = schema.get("properties", {}), schema.get("additionalProperties")
    missing = [f"{place}.{key}: missing" for key in schema.get("required", []) if key not in value]
    unknown = [f"{place}.{key}: not in the schema" for key in value if schema and key not in known and rest is None]
    inside = [
        fault for key, member in value.items() for fault in faults(member, known.get(key, rest or {}), f"{place}.{key}")
    ]
    return missing + unknown + inside


@pytest.fixture(scope="module")
def generator() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "schemas.py"))


def test_that_the_page_of_commands_has_the_options_of_today() -> None:
    page = runpy.run_path(str(DOCS / "commands.py"))["page"]()
    assert (DOCS / "commands.md").read_text("utf-8") == page, "run: uv run python docs/commands.py"


def test_that_the_page_of_preferences_is_their_declaration() -> None:
    assert (DOCS / "preferences.md").read_text("utf-8") == as_markdown(), "run: uv run python docs/preferences.py"


def test_that_the_page_of_json_lists_the_keys_of_the_schemas(generator: dict[str, Any]) -> None:
    texts = {name: schema_file(name).read_text("utf-8") for name in generator["REPLIES"]}
    assert (DOCS / "json.md").read_text("utf-8") == generator["page"](texts), "run: uv run python docs/schemas.py"


def schema_file(name: str) -> Path:
    return ROOT / "resources" / "schemas" / f"{name}.schema.json"


@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize(
    "name", ["summary", "findings", "compare", "cache", "benchmarks", "sizing", "storyboard", "logons"]
)
def test_that_a_reply_follows_its_schema(name: str, generator: dict[str, Any]) -> None:
    schema = json.loads(schema_file(name).read_text("utf-8"))
    assert faults(generator["reply"](generator["REPLIES"][name][0]), schema) == [], "run: uv run python docs/schemas.py"


@pytest.mark.slow
@pytest.mark.usefixtures("own_store")
def test_that_every_schema_is_what_the_commands_print(generator: dict[str, Any]) -> None:
    for name, text in generator["schemas"]().items():
        assert schema_file(name).read_text("utf-8") == text, "run: uv run python docs/schemas.py"
