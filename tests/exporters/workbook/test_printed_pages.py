"""The number of pages of a workbook printed by LibreOffice."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.utils.cell import get_column_letter, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet
from pypdf import PdfReader

from tests.exporters.documents import SWEEP, sample_document
from tests.exporters.office import converted, needed_office
from workbench.measures.significance.missing_data_check import IN_PART

STUDIES = (SWEEP, "windows-11-builds", "vdi-login-storm", "damaged")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """The lines on each page of the review of each study."""
    needed_office()
    made = converted(
        [sample_document(name, "xlsx", "review") for name in STUDIES], tmp_path_factory.mktemp("printed"), "pdf"
    )
    return {name: _lines(made / f"{sample_document(name, 'xlsx', 'review').stem}.pdf") for name in STUDIES}


def _lines(path: Path) -> list[list[str]]:
    return [page.extract_text().splitlines() for page in PdfReader(path).pages]


@pytest.mark.parametrize("name", STUDIES)
def test_that_a_review_prints_on_at_most_25_pages(name: str, pages: dict[str, list[list[str]]]) -> None:
    assert 3 < len(pages[name]) <= 25


def _plan(name: str) -> Worksheet:
    return load_workbook(sample_document(name, "xlsx", "review"))["Sizing plan"]


@pytest.mark.parametrize("name", STUDIES)
def test_that_no_heading_of_the_plan_is_alone_at_the_foot_of_a_page(
    name: str, pages: dict[str, list[list[str]]]
) -> None:
    headings = {cell.value for cell in _plan(name)["A"] if cell.value and cell.font.b and cell.row > 4}
    printed = [lines for lines in pages[name] if lines[1].startswith("Sizing plan")]
    assert len(headings) > 5
    assert len(printed) > 2
    for lines in printed:
        assert not headings & set(lines[-2:])


def test_that_a_gap_separates_the_first_group_of_the_plan_from_the_heads() -> None:
    sheet = _plan(SWEEP)
    heads = int(sheet.print_title_rows.replace("$", "").partition(":")[0])
    assert sheet.cell(heads, 1).value == "Input or step"
    assert sheet.cell(heads + 1, 1).value is None
    assert sheet.cell(heads + 2, 1).font.b


def _part_widths(sheet: Worksheet) -> list[float]:
    """The characters across each printed part, with the columns that every page repeats."""
    _, _, repeated, _ = range_boundaries(sheet.print_title_cols.replace("$", ""))
    made = []
    for part in str(sheet.print_area).split(","):
        first, _, last, _ = range_boundaries(part.rpartition("!")[2].replace("$", ""))
        columns = {*range(1, repeated + 1), *range(first, last + 1)}
        made.append(sum(sheet.column_dimensions[get_column_letter(column)].width for column in columns))
    return made


@pytest.mark.parametrize("name", [name for name in STUDIES if name != "damaged"])
def test_that_the_parts_of_a_wide_table_are_printed_in_one_scale(name: str) -> None:
    # LibreOffice scales each part to the page.
    wide = _part_widths(load_workbook(sample_document(name, "xlsx", "review"))["Phase table"])
    assert len(wide) > 3
    assert max(wide) < 1.2 * min(wide)


@pytest.mark.parametrize("name", [name for name in STUDIES if name != "damaged"])
def test_that_values_and_notes_of_the_plan_are_printed_in_similar_scales(name: str) -> None:
    values, how, source = _part_widths(_plan(name))
    assert max(values, how, source) < 1.75 * min(values, how, source)
    assert _plan(name).page_setup.orientation == "portrait"


def test_that_the_comparison_is_printed_without_single_runs() -> None:
    sheet = load_workbook(sample_document(SWEEP, "xlsx", "review"))["Compare values"]
    _, _, last, _ = range_boundaries(str(sheet.print_area).rpartition("!")[2].replace("$", ""))
    assert sheet.cell(4, last).value == "Why"
    assert sheet.cell(4, last + 1).value == "Run 1"


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
    assert _heads(damaged["Findings"]) == ["Finding", "Strength", "Evidence", "Caveats"]


def test_that_a_print_in_part_says_how_many_configurations_and_findings_it_has(damaged: Workbook) -> None:
    sheet = damaged["Sizing plan"]
    _, _, last, _ = range_boundaries(str(sheet.print_area).rpartition("!")[2].replace("$", ""))
    names = [cell.value for cell in sheet[4][2:] if cell.value and ": " not in str(cell.value)]
    count = names.index("How")
    assert last - 2 < count
    assert sheet.oddFooter.center.text == f"{last - 2} of {count} configurations shown"
    findings = damaged["Findings"]
    assert (findings.oddFooter.center.text or "").startswith("150 of ")
    assert range_boundaries(str(findings.print_area).rpartition("!")[2].replace("$", ""))[3] < findings.max_row


def test_that_the_title_of_the_plan_is_complete_above_the_printed_columns() -> None:
    # One configuration: its few printed columns have space for the title in the larger font.
    sheet = load_workbook(sample_document("windows-11-builds", "xlsx", "review"))["Sizing plan"]
    (title,) = [area for area in sheet.merged_cells.ranges if area.min_row == 1]
    assert (title.min_col, title.max_col) == (1, 3)
    assert sheet["A1"].alignment.wrap_text
    room = sum(sheet.column_dimensions[letter].width for letter in "ABC")
    lines = -(-1.5 * len("Sizing plan for 500 desktops, from values measured in steady state") // room)
    assert sheet.row_dimensions[1].height >= lines * 1.2 * sheet["A1"].font.sz


def test_that_no_long_text_makes_the_print_of_a_sheet_with_many_columns_small(damaged: Workbook) -> None:
    widths = [column.width for letter, column in damaged["Cache"].column_dimensions.items() if letter != "A"]
    assert len(widths) > 8
    assert max(widths) <= 24


def test_that_an_interval_with_a_remark_is_not_split(damaged: Workbook) -> None:
    sheet = damaged["Summary"]
    cells = [cell for row in sheet.iter_rows() for cell in row if IN_PART in str(cell.value or "")]
    beside = [cell for cell in cells if str(cell.value).startswith("[")]
    assert beside
    for cell in beside:
        assert cell.alignment.wrap_text
        assert sheet.row_dimensions[cell.row].height >= 28
