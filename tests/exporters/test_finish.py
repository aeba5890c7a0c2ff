"""The parts that are added to a workbook after openpyxl has written it: rows, results, chart caches, element order."""

from __future__ import annotations

import ast
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from lxml import etree
from openpyxl import Workbook, load_workbook

import workbench.exporters
from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Panel
from workbench.exporters.workbook.cells import Notes
from workbench.exporters.workbook.finish import save
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.chart import Sheet, SheetSection

BLUE = Look("MCS", marker="circle")


def saved(made: Making, path: Path) -> Path:
    """The file of a workbook in the making."""
    save(made.book, path, made.results, made.numbers)
    return path


def empty() -> Making:
    """A workbook with one plain sheet."""
    return Making(Workbook())


def charted(path: Path, panel: Panel) -> dict[str, etree._Element]:
    """The XML parts of a workbook with the chart of a panel."""
    made = empty()
    sheet = Sheet(made, made.sheet("Charts"))
    sheet.add(SheetSection((Figure("f", "What?", "", (panel,)),)))
    with zipfile.ZipFile(saved(made, path)) as archive:
        return {name: etree.fromstring(archive.read(name)) for name in archive.namelist() if name.endswith(".xml")}


def test_that_columns_are_restored_as_written_with_empty_cells_for_missing_values(tmp_path: Path) -> None:
    made = empty()
    numbers = made.number_sheet("Long", first_row=3)
    values = np.random.default_rng(7).exponential(50.0, 5_000)
    values[[0, 4_999]] = np.nan
    numbers.floats(1, values.tolist(), "0.00")
    numbers.numbers(3, ["=1+1", "a <b> & c", None, 2.5, "  both ends  "], "", Notes())
    sheet = load_workbook(saved(made, tmp_path / "a.xlsx"))["Long"]
    found = [sheet.cell(row, 1).value for row in range(3, 5_003)]
    np.testing.assert_allclose([np.nan if one is None else one for one in found], values, rtol=1e-15)
    assert [sheet.cell(row, 3).value for row in range(3, 9)] == ["=1+1", "a <b> & c", None, 2.5, "  both ends  ", None]
    assert sheet.cell(3, 3).data_type == "s"
    assert (sheet.cell(4, 1).number_format, sheet.cell(4, 3).number_format) == ("0.00", "General")
    streamed = load_workbook(BytesIO((tmp_path / "a.xlsx").read_bytes()), read_only=True)["Long"]
    assert (streamed.max_row, streamed.max_column) == (5_002, 3)


def test_that_a_formula_in_a_column_of_numbers_has_its_result_and_its_format(tmp_path: Path) -> None:
    made = empty()
    numbers = made.number_sheet("Long", first_row=3)
    numbers.floats(1, [1.0, 2.0, 4.0], "0.00")
    numbers.formula(4, 1, "A3*2", 2.0, "0.0")
    path = saved(made, tmp_path / "a.xlsx")
    assert [load_workbook(path)["Long"].cell(row, 1).value for row in (3, 4, 5)] == [1, "=A3*2", 4]
    results = load_workbook(path, data_only=True)["Long"]
    assert [results.cell(row, 1).value for row in (3, 4, 5)] == [1, 2, 4]
    assert [results.cell(row, 1).number_format for row in (3, 4, 5)] == ["0.00", "0.0", "0.00"]


def test_that_a_chart_contains_the_numbers_and_names_of_its_source(tmp_path: Path) -> None:
    bars = Bars("b", np.array([2.5, np.nan]), BLUE, np.array([1.0, np.nan]), np.array([5.0, np.nan]))
    panel = Panel("", Axis("", categories=("one & 1", "two")), Axis("IOPS", "IOPS"), (bars,))
    chart = charted(tmp_path / "a.xlsx", panel)["xl/charts/chart1.xml"]

    def cached(where: str) -> list[tuple[int, str]]:
        return [
            (int(point.get("idx")), point.findtext("{*}v")) for point in chart.iterfind(f".//{{*}}{where}//{{*}}pt")
        ]

    assert cached("cat") == [(0, "one & 1"), (1, "two")]
    assert cached("val") == [(0, "2.5")]
    assert cached("tx") == [(0, "b")]
    assert (cached("plus"), cached("minus")) == ([(0, "2.5")], [(0, "1.5")])
    assert [one.get("val") for one in chart.iterfind(".//{*}val//{*}ptCount")] == ["2"]
    assert all(one.get("sourceLinked") is not None for one in chart.iter("{*}numFmt"))


def test_that_a_line_contains_every_point_except_missing_ones(tmp_path: Path) -> None:
    x, y = np.arange(5.0) * 60, np.array([0.1, np.nan, 3.0, 4.0, 5.0])
    panel = Panel("", Axis("Time since start", "s"), Axis("IOPS", "IOPS"), (Line("a", x, y, BLUE),))
    chart = charted(tmp_path / "a.xlsx", panel)["xl/charts/chart1.xml"]
    points = {int(one.get("idx")): float(one.findtext("{*}v")) for one in chart.iterfind(".//{*}yVal//{*}pt")}
    assert points == {0: 0.1, 2: 3.0, 3: 4.0, 4: 5.0}
    across = [float(one.findtext("{*}v")) for one in chart.iterfind(".//{*}xVal//{*}pt")]
    assert across == pytest.approx([0, 1, 2, 3, 4])


def test_that_children_of_fonts_are_in_the_order_of_the_schema(tmp_path: Path) -> None:
    x = np.array([0.0, 60.0])
    panel = Panel("", Axis("time", "s"), Axis("IOPS", "IOPS"), (Line("a", x, x, BLUE),))
    styles = charted(tmp_path / "a.xlsx", panel)["xl/styles.xml"]
    fonts = [[etree.QName(child).localname for child in font] for font in styles.iter("{*}font")]
    order = ["b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name"]
    assert any("b" in names and "sz" in names and "color" in names for names in fonts)
    for names in fonts:
        places = [order.index(name) for name in names if name in order]
        assert places == sorted(places)


SECRETS = {"_cells", "_sheets", "_write", "_charts", "_value", "_style", "__elements__"}


def test_that_the_exporters_use_no_class_or_private_member_of_openpyxl() -> None:
    for path in Path(str(workbench.exporters.__path__[0])).rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        imports = [
            node for node in nodes if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("openpyxl")
        ]
        assert not [node.module for node in imports if "._" in str(node.module)], path
        own = {name.asname or name.name for node in imports for name in node.names}
        classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
        assert not own & {base.id for one in classes for base in one.bases if isinstance(base, ast.Name)}, path
        used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        assert not own or not used & SECRETS, path
