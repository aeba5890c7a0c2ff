"""The number of pages of a workbook printed by LibreOffice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.exporters.documents import SWEEP, sample_document
from tests.exporters.office import needed_office, printed_pages


@pytest.mark.parametrize("name", [SWEEP, "windows-11-builds", "damaged"])
def test_that_a_review_prints_on_at_most_25_pages(name: str, tmp_path: Path) -> None:
    needed_office()
    assert 3 < printed_pages(sample_document(name, "xlsx", "review"), tmp_path) <= 25
