"""The number of pages of a workbook printed by LibreOffice."""

from __future__ import annotations

from pathlib import Path

from tests.exporters.documents import SWEEP, document
from tests.exporters.office import needed_office, printed_pages
from tests.samples import sample


def test_that_a_review_prints_on_at_most_25_pages(tmp_path: Path) -> None:
    needed_office()
    assert printed_pages(document(sample(SWEEP), "review.xlsx", "review"), tmp_path) <= 25
