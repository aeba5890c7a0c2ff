"""The number of pages of a workbook printed by LibreOffice."""

from __future__ import annotations

import pytest

from tests.exporters.documents import SWEEP, sample_document
from tests.exporters.office import needed_office, printed_pages

STUDIES = (SWEEP, "windows-11-builds", "damaged")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """The number of pages of the review of each study."""
    needed_office()
    paths = [sample_document(name, "xlsx", "review") for name in STUDIES]
    return dict(zip(STUDIES, printed_pages(paths, tmp_path_factory.mktemp("printed")), strict=True))


@pytest.mark.parametrize("name", STUDIES)
def test_that_a_review_prints_on_at_most_25_pages(name: str, pages: dict[str, int]) -> None:
    assert 3 < pages[name] <= 25
