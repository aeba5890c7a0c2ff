"""For tests of imports."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator

import pytest


@pytest.fixture
def no_process_left() -> Iterator[None]:
    """Fails a test that leaves a worker running."""
    yield
    assert multiprocessing.active_children() == []
