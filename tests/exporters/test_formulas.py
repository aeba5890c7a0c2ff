import pytest
from openpyxl import Workbook, load_workbook

from workbench.exporters.workbook.cells import guarded
from workbench.exporters.workbook.finish import save
from workbench.exporters.workbook.sheets.numbers import Results


def test_that_a_viewer_that_does_not_calculate_sees_the_result(tmp_path):
    book, results = Workbook(), Results()
    book.active["A1"], book.active["B1"] = 30, 4
    results.put(book.active, 1, 3, guarded("{a}/{b}", 1, {"a": 1, "b": 2}), 7.5, "0.0")
    save(book, tmp_path / "a.xlsx", results)
    assert load_workbook(tmp_path / "a.xlsx", data_only=True).active["C1"].value == 7.5
    formula = load_workbook(tmp_path / "a.xlsx").active["C1"].value
    assert formula == '=IF(COUNT(A1,B1)=2,A1/B1,"")'
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]


def test_that_a_formula_that_was_not_saved_is_an_error(tmp_path):
    book, results = Workbook(), Results({"Sheet": {"Z9": 1.0}})
    with pytest.raises(ValueError, match="1 formulas were not found"):
        save(book, tmp_path / "a.xlsx", results)


def test_that_a_result_that_is_not_a_number_leaves_the_cell_empty():
    book, results = Workbook(), Results()
    results.put(book.active, 1, 1, "1/0", float("inf"), "0")
    assert book.active["A1"].value is None
    assert not results.values
