"""A damaged row loses only its own figures and is reported: each reader keeps figures under their right names."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.pollution.row_damages import DAMAGES, TABLES, cut_files, damaged_files, fault

# Each reading writes a file, so only this many places of each damage are tried, spread over the file.
_PLACES = 12


@pytest.mark.parametrize("damage", [*DAMAGES, "cut"])
@pytest.mark.parametrize("label", TABLES)
def test_that_a_damaged_row_is_never_assigned_to_a_different_name(tmp_path: Path, label: str, damage: str) -> None:
    files = list(cut_files(label) if damage == "cut" else damaged_files(label, damage))
    assert files
    tried = islice(files, 0, None, max(1, len(files) // _PLACES))
    wrong = [found for name, clean, damaged in tried if (found := fault(label, name, clean, damaged, tmp_path))]
    assert not wrong
