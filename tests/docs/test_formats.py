"""Each format of docs/formats.md names its tests, and the source of its description."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT[TEXT.index("| file | imported as") : TEXT.index("Tests without a folder")].strip().splitlines()[2:]
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:30])
def test_that_each_format_lists_existing_tests_and_a_source(row: list[str]) -> None:
    _, _, shown, source = row
    names = re.findall(r"`([^`]+)`", shown)
    assert names
    for name in names:
        folder = ROOT if name.startswith("tests/") else ROOT / "tests" / "readers"
        assert list(folder.glob(name)) or list((ROOT / "tests" / "study").glob(name)), name
    assert source
