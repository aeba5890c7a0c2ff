import math

import pytest
from openpyxl import Workbook, load_workbook

from workbench.exporters.workbook.cells import (
    BODY,
    HEADER_FILL,
    LONGEST,
    MAX_TEXT,
    STRONG,
    TOP,
    Notes,
    dress,
    put,
    quoted,
    sheet_name,
)


def _reopened(tmp_path, *values):
    book, notes = Workbook(), Notes()
    for row, value in enumerate(values, start=1):
        put(book.active, row, 1, value, notes)
    book.save(tmp_path / "a.xlsx")
    sheet = load_workbook(tmp_path / "a.xlsx").active
    return [sheet.cell(row, 1) for row in range(1, len(values) + 1)], notes


@pytest.mark.parametrize("text", ["=1+1", '=cmd|"/c calc"!A0', "+1", "-1+2", "@SUM(A1)", "#N/A", "\t=1", "-1"])
def test_that_text_from_a_file_never_becomes_a_formula_or_an_error(tmp_path, text):
    (cell,), _ = _reopened(tmp_path, text)
    assert (cell.data_type, cell.value) == ("s", text)


def test_that_a_text_like_a_formula_stays_text_when_the_user_edits_the_cell(tmp_path):
    (formula, plain), _ = _reopened(tmp_path, "=1+1", "MCS")
    assert formula.quotePrefix
    assert not plain.quotePrefix


def test_that_negative_numbers_stay_numbers(tmp_path):
    cells, _ = _reopened(tmp_path, -1, -0.5)
    assert [(cell.data_type, cell.value) for cell in cells] == [("n", -1), ("n", -0.5)]


def test_that_a_value_that_is_not_a_number_leaves_the_cell_empty(tmp_path):
    cells, _ = _reopened(tmp_path, math.nan, math.inf, -math.inf, None, 0.0)
    assert [cell.value for cell in cells] == [None, None, None, None, 0]


def test_that_characters_that_are_invalid_in_a_workbook_are_removed(tmp_path):
    (cell,), _ = _reopened(tmp_path, "a\x00b\x1fc\ud800d\ufffee")
    assert cell.value == "abcde"


def test_that_a_cut_text_is_reported(tmp_path):
    (cell,), notes = _reopened(tmp_path, "x" * (MAX_TEXT + 5))
    assert len(cell.value) == MAX_TEXT
    assert [(problem.code, problem.file) for problem in notes.problems] == [("text-cut", "Sheet!A1")]


def test_that_the_escape_sequence_of_excel_in_a_name_is_not_decoded(tmp_path):
    put((book := Workbook()).active, 1, 1, "vm_x0041_1", Notes())
    assert book.active["A1"].value == "vm_x005F_x0041_1"


def test_that_sheet_names_are_short_and_unique_without_regard_to_case():
    names: list[str] = []
    for study in ("a" * 40, "A" * 40, "b[1]:*?/\\", "'quoted'", "x\x07y"):
        names.append(sheet_name("IOPS", study, names))
    assert all(len(name) <= LONGEST for name in names)
    assert len({name.casefold() for name in names}) == len(names)
    assert not any(char in name for name in names for char in "[]:*?/\\\x07")
    assert quoted("it's") == "'it''s'"


def test_that_cells_with_equal_styles_do_not_change_together():
    book = Workbook()
    first, second, filled = (put(book.active, row, 1, 1.5, Notes(), "0.0") for row in (1, 2, 3))
    dress(filled, fill=HEADER_FILL)
    second.number_format = "0.00"
    dress(first, font=STRONG, alignment=TOP)
    assert [cell.font.b for cell in (first, second, filled)] == [True, False, False]
    assert [cell.number_format for cell in (first, second, filled)] == ["0.0", "0.00", "0.0"]
    assert [cell.alignment.vertical for cell in (first, second, filled)] == ["top", None, None]
    assert [cell.fill.fill_type for cell in (first, second, filled)] == [None, None, "solid"]


def test_that_each_workbook_has_separate_styles(tmp_path):
    for name in ("a.xlsx", "b.xlsx"):
        book = Workbook()
        if name == "b.xlsx":
            dress(book.active.cell(5, 5), font=STRONG)
        put(book.active, 1, 1, "MCS", Notes(), font=BODY)
        put(book.active, 2, 1, "PVS", Notes(), font=STRONG)
        book.save(tmp_path / name)
        sheet = load_workbook(tmp_path / name).active
        assert [sheet.cell(row, 1).font.b for row in (1, 2)] == [False, True]
