"""The number of pages of a workbook printed by LibreOffice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.exporters.documents import SWEEP, document
from tests.exporters.office import needed_office, printed_pages
from tests.samples import sample


@pytest.mark.parametrize("name", [SWEEP, "windows-11-builds", "damaged"])
def test_that_a_review_prints_on_at_most_25_pages(name: str, tmp_path: Path) -> None:
    needed_office()
    file = "review.xlsx" if name == SWEEP else f"{name}.xlsx"
    assert 3 < printed_pages(document(sample(name), file, "review"), tmp_path) <= 25
