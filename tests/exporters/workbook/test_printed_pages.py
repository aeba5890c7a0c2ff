"""The number of pages of a workbook printed by LibreOffice."""

from __future__ import annotations

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.exporters.documents import SWEEP, sample_document
from tests.exporters.office import needed_office, printed_pages
from workbench.measures.significance.missing_data_check import IN_PART

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


@pytest.fixture(scope="module")
def damaged() -> Workbook:
    """The review of a study with 28 configurations: its tables continue on further pages."""
    return load_workbook(sample_document("damaged", "xlsx", "review"))


def _heads(sheet: Worksheet) -> list[object]:
    """The printed texts of the row that every page repeats."""
    row = int(sheet.print_title_rows.replace("$", "").partition(":")[0])
    return [cell.value for cell in sheet[row] if cell.value]


def test_that_a_table_on_several_pages_repeats_its_heads(damaged: Workbook) -> None:
    assert _heads(damaged["Summary"])[:3] == ["Phase", "Configuration", "Metric"]
    assert _heads(damaged["Findings"]) == ["Finding", "Strength", "Evidence"]


def test_that_the_title_of_the_plan_is_whole_above_the_printed_columns() -> None:
    # One configuration: the title is longer than the printed columns are wide.
    sheet = load_workbook(sample_document("windows-11-builds", "xlsx", "review"))["Sizing plan"]
    (title,) = [area for area in sheet.merged_cells.ranges if area.min_row == 1]
    assert (title.min_col, title.max_col) == (1, 3)
    assert sheet["A1"].alignment.wrap_text
    assert sheet.row_dimensions[1].height >= 2 * 1.2 * sheet["A1"].font.sz


def test_that_no_long_text_makes_the_print_of_a_sheet_with_many_columns_small(damaged: Workbook) -> None:
    widths = [column.width for letter, column in damaged["Cache"].column_dimensions.items() if letter != "A"]
    assert len(widths) > 8
    assert max(widths) <= 24


def test_that_an_interval_with_a_remark_is_whole(damaged: Workbook) -> None:
    sheet = damaged["Summary"]
    cells = [cell for row in sheet.iter_rows() for cell in row if IN_PART in str(cell.value or "")]
    beside = [cell for cell in cells if str(cell.value).startswith("[")]
    assert beside
    for cell in beside:
        assert cell.alignment.wrap_text
        assert sheet.row_dimensions[cell.row].height >= 28
