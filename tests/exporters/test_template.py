"""The user's workbook: its placeholders are filled, everything else stays byte for byte."""

import struct
import zipfile
import zlib
from io import BytesIO

import numpy as np
import pytest
from lxml import etree
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.drawing.image import Image
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from tests.exporters.jobs import exported, library_of
from tests.exporters.reading import Reopened, title
from tests.exporters.studies import replicate_study
from workbench.charts.content import Content
from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Panel
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.job import DocumentPart
from workbench.exporters.safe_file import ExportError
from workbench.exporters.workbook.book import check_workbook
from workbench.exporters.workbook.template.fill import fill_template, keys

LOOK = Look("MCS", marker="circle")


def _parts():
    bars = Panel(
        "Boot",
        Axis("", categories=("MCS", "=PVS")),
        Axis("IOPS per VM", "IOPS"),
        (Bars("iops", np.array([105.0, np.nan]), LOOK),),
    )
    line = Panel("", Axis("t", "s"), Axis("y"), (Line("a", np.array([0.0, 60.0]), np.array([1.0, -4.0]), LOOK),))
    table = TableData(
        (Column("Name", numeric=False), Column("IOPS")),
        ((Cell("=1+1", "=1+1"), Cell("−1", -1)), (Cell("MCS", "MCS"), Cell("—", None))),
        "",
        "By run",
    )
    return (
        DocumentPart(
            "compare",
            "metric",
            "Compare, the metric",
            Content("What changed?", "a caption", tables=(table,), figure=Figure("c", "What changed?", "", (bars,))),
        ),
        DocumentPart("cache", "", "Cache", Content("How full?", figure=Figure("k", "How full?", "", (line,)))),
    )


def _picture():
    """One red pixel as .png, built byte by byte."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\x00\xff\x00\x00")
    return BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b""))


@pytest.fixture
def template(tmp_path):
    """A typical workbook of a consultant: a chart, a picture, conditional formats, a drop-down list, formulas."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Report"
    sheet["A1"] = "Results of {{text:study}}: {{text:question.compare}}"
    sheet["A1"].font = Font(bold=True, size=18, color="FF0072B2")
    sheet["A3"] = "{{figure:compare}}"
    sheet["A20"] = "{{table:compare:By run}}"
    sheet["L3"], sheet["L4"] = 5, 7
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=12, min_row=3, max_row=4))
    sheet.add_chart(chart, "L8")
    sheet.add_image(Image(_picture()), "P1")
    sheet.conditional_formatting.add(
        "B21:B40", CellIsRule(operator="greaterThan", formula=["100"], fill=PatternFill("solid", bgColor="FFCCCC"))
    )
    rule = DataValidation(type="list", formula1='"a,b"')
    rule.add("L5")
    sheet.add_data_validation(rule)
    second = book.create_sheet("Second")
    second["B2"] = "=SUM(Report!L3:L4)"
    second["A20"] = "old"
    book.defined_names["figure_cache"] = DefinedName("figure_cache", attr_text="Second!$A$4:$H$16")
    book.defined_names["table_compare"] = DefinedName("table_compare", attr_text="Second!$A$18:$B$20")
    path = tmp_path / "T.xlsx"
    book.save(path)
    return path


def _filled(template, tmp_path, parts=None):
    out = tmp_path / f"filled{template.suffix}"
    found = fill_template(template, out, _parts() if parts is None else parts, "the lab")
    return found, out


def test_that_placeholders_and_defined_names_are_filled_with_figures_and_tables_and_texts(template, tmp_path, snapshot):
    found, out = _filled(template, tmp_path)
    check_workbook(out)
    assert (found.figures, found.tables, found.texts, found.left_out) == (2, 2, 2, ())
    book = Reopened(out)
    report, second = book.formulas["Report"], book.formulas["Second"]
    assert report["A1"].value == snapshot
    assert [[cell.value for cell in row] for row in report["A20:B22"]] == [
        ["Name", "IOPS"],
        ["=1+1", -1],
        ["MCS", None],
    ]
    assert report["A21"].data_type == "s"
    # The named range is filled from its first cell, and its other cells are cleared.
    assert [[cell.value for cell in row] for row in second["A18:B20"]] == [
        ["Name", "IOPS"],
        ["=1+1", -1],
        ["MCS", None],
    ]


def test_that_the_charts_refer_to_the_numbers_of_the_figure_and_have_visible_axes(template, tmp_path):
    _, out = _filled(template, tmp_path)
    book = Reopened(out)
    ours = [chart for chart in book.charts("Report") if chart.title is not None]
    assert [title(chart) for chart in ours] == ["Boot"]
    (series,) = ours[0].series
    assert book.cells(series.cat.strRef.f) == ["MCS", "=PVS"]
    np.testing.assert_array_equal(book.numbers(series.val.numRef.f), [105, np.nan])
    (line,) = book.charts("Second")
    assert book.numbers(line.series[0].yVal.numRef.f) == [1, -4]
    for chart in (*ours, line):
        assert chart.x_axis.delete is False
        assert chart.y_axis.delete is False


def test_that_everything_else_stays_byte_for_byte(template, tmp_path):
    _, out = _filled(template, tmp_path)
    with zipfile.ZipFile(template) as before, zipfile.ZipFile(out) as after:
        for name in ("xl/charts/chart1.xml", "xl/media/image1.png", "xl/theme/theme1.xml", "docProps/core.xml"):
            assert after.read(name) == before.read(name), name
    sheet = load_workbook(out)["Report"]
    assert sheet["A1"].font.size == 18
    assert [str(one.sqref) for one in sheet.conditional_formatting] == ["B21:B40"]
    assert [str(one.sqref) for one in sheet.data_validations.dataValidation] == ["L5"]
    assert len(sheet._charts) == 2
    assert load_workbook(out)["Second"]["B2"].value == "=SUM(Report!L3:L4)"


def test_that_macros_are_kept(template, tmp_path):
    macro = tmp_path / "T.xlsm"
    with zipfile.ZipFile(template) as source, zipfile.ZipFile(macro, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "[Content_Types].xml":
                content = content.replace(b"spreadsheetml.sheet.main+xml", b"sheet.macroEnabled.main+xml")
            target.writestr(name, content)
        target.writestr("xl/vbaProject.bin", b"\xd0\xcf macro")
    found, out = _filled(macro, tmp_path)
    with zipfile.ZipFile(out) as after:
        assert after.read("xl/vbaProject.bin") == b"\xd0\xcf macro"
        assert b"macroEnabled" in after.read("[Content_Types].xml")
    assert found.figures == 2


def test_that_an_unknown_key_stays_and_is_named_with_the_known_keys(tmp_path, snapshot):
    book = Workbook()
    book.active["B2"] = "{{figure:nope}}"
    book.save(tmp_path / "T.xlsx")
    found, out = _filled(tmp_path / "T.xlsx", tmp_path)
    (sentence,) = found.left_out
    assert sentence == snapshot
    assert "compare:metric" in sentence
    assert load_workbook(out).active["B2"].value == "{{figure:nope}}"


def test_that_a_table_never_overwrites_cells_below_its_placeholder(tmp_path, snapshot):
    book = Workbook()
    book.active["A1"] = "{{table:compare}}"
    book.active["B3"] = "mine"
    book.save(tmp_path / "T.xlsx")
    found, out = _filled(tmp_path / "T.xlsx", tmp_path)
    assert load_workbook(out).active["B3"].value == "mine"
    assert found.left_out[0] == snapshot


def test_that_the_formats_of_user_cells_are_kept(tmp_path):
    book = Workbook()
    book.active["A1"] = "{{table:compare}}"
    book.active["B2"].number_format = "0.000"
    book.active["B2"].fill = PatternFill("solid", fgColor="FFFFEE00")
    book.save(tmp_path / "T.xlsx")
    _, out = _filled(tmp_path / "T.xlsx", tmp_path)
    cell = load_workbook(out).active["B2"]
    assert (cell.value, cell.number_format, cell.fill.fgColor.rgb) == (-1, "0.000", "FFFFEE00")


def test_that_a_filled_cell_without_a_format_gets_the_default_and_inherits_that_of_its_row_or_column(tmp_path):
    book = Workbook()
    sheet = book.active
    sheet["A1"], sheet["D1"] = "{{table:compare}}", "{{table:compare}}"
    sheet.column_dimensions["E"].number_format = "0.000"
    book.save(tmp_path / "T.xlsx")
    rows = ((Cell("29.4*", 29.36), Cell("−7.0 %", -7.04)),)
    table = TableData((Column("IOPS"), Column("Change")), rows, "", "By run")
    parts = (DocumentPart("compare", "", "Compare", Content("?", tables=(table,))),)
    _, out = _filled(tmp_path / "T.xlsx", tmp_path, parts)
    sheet = load_workbook(out).active
    assert sheet["A1"].font.bold
    assert (sheet["A2"].value, sheet["A2"].number_format) == (29.36, '#,##0.0"*"')
    # The heading names the unit.
    assert (sheet["B1"].value, sheet["B2"].value, sheet["B2"].number_format) == ("Change (%)", -7.04, "#,##0.0")
    assert sheet["E2"].number_format == "0.000"
    with zipfile.ZipFile(tmp_path / "T.xlsx") as before, zipfile.ZipFile(out) as after:
        for part in ("cellXfs", "fonts"):
            old, new = (etree.fromstring(one.read("xl/styles.xml")).find(f"{{*}}{part}") for one in (before, after))
            assert [_canonical(child) for child in new][: len(old)] == [_canonical(child) for child in old]
            assert int(new.get("count")) == len(new) > len(old)


def test_that_headings_and_texts_wider_than_their_column_wrap(tmp_path):
    book = Workbook()
    sheet = book.active
    sheet["A1"] = "{{table:compare}}"
    sheet.column_dimensions["B"].width = 40
    book.save(tmp_path / "T.xlsx")
    columns = tuple(Column(name, numeric=False) for name in ("Configuration", "Why"))
    rows = ((Cell("MCSIO 512 MB with a long name"), Cell("too much variation between runs")), (Cell("MCS"), Cell("")))
    parts = (DocumentPart("compare", "", "Compare", Content("?", tables=(TableData(columns, rows, "", "By run"),))),)
    _, out = _filled(tmp_path / "T.xlsx", tmp_path, parts)
    sheet = load_workbook(out).active
    wrapped = {at: bool(sheet[at].alignment.wrap_text) for at in ("A1", "B1", "A2", "B2", "A3")}
    assert wrapped == {"A1": True, "B1": True, "A2": True, "B2": False, "A3": False}


def _canonical(element):
    """The element with its parts in a fixed order, because openpyxl's order within a font differs from the schema."""
    return element.attrib.items(), sorted(etree.tostring(child, method="c14n") for child in element)


@pytest.mark.parametrize("mark", ["{{figur:cache}}", "{{figure cache}}", "{figure:cache}", "{{table:compare"])
def test_that_a_misspelt_placeholder_stays_and_is_named_with_its_cell(tmp_path, mark):
    book = Workbook()
    book.active["A1"], book.active["C7"] = "{{text:study}}", f"See {mark} here"
    book.save(tmp_path / "T.xlsx")
    found, out = _filled(tmp_path / "T.xlsx", tmp_path)
    (sentence,) = found.left_out
    assert sentence.startswith("Sheet!C7 contains '{")
    assert mark in sentence
    assert load_workbook(out).active["C7"].value == f"See {mark} here"


def test_that_a_file_with_macros_is_exported_only_from_a_template_with_macros(template, tmp_path):
    library = library_of(replicate_study(tmp_path / "data"))
    macro = tmp_path / "T.xlsm"
    with zipfile.ZipFile(template) as source, zipfile.ZipFile(macro, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name))
        target.writestr("xl/vbaProject.bin", b"\xd0\xcf macro")
    exported(library, tmp_path / "out.xlsm", template=macro)
    with zipfile.ZipFile(tmp_path / "out.xlsm") as after:
        assert after.read("xl/vbaProject.bin") == b"\xd0\xcf macro"
    with pytest.raises(ExportError, match="a workbook with macros is filled from a template that has them"):
        exported(library, tmp_path / "none.xlsm")


def test_that_added_sheets_never_reuse_the_name_of_a_user_sheet(tmp_path):
    book = Workbook()
    book.active.title = "compare data"
    book.active["A1"] = "{{figure:compare}}"
    book.save(tmp_path / "T.xlsx")
    _, out = _filled(tmp_path / "T.xlsx", tmp_path)
    assert load_workbook(out).sheetnames == ["compare data", "compare data 2"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0 encrypted"])
def test_that_a_file_that_is_not_a_workbook_is_rejected(tmp_path, content):
    (tmp_path / "T.xlsx").write_bytes(content)
    with pytest.raises(ExportError, match=r"^T\.xlsx "):
        _filled(tmp_path / "T.xlsx", tmp_path)


def test_that_the_keys_can_be_listed():
    found = keys(_parts())
    assert found["figure"] == ("compare:metric", "compare", "cache")
    assert "compare:By run" in found["table"]
    assert {"question.cache", "caption.compare", "study", "date"} <= set(found["text"])


def test_that_only_parts_with_filled_cells_change(template, tmp_path):
    book = load_workbook(template)
    third = book.create_sheet("Third")
    third["A1"], third["A2"] = "Kept {{as it is}}", "=1+1"
    third.column_dimensions["A"].width = 33
    third.freeze_panes, third.print_area = "A2", "A1:B9"
    book.save(template)
    _, out = _filled(template, tmp_path)
    with zipfile.ZipFile(template) as before, zipfile.ZipFile(out) as after:
        changed = {name for name in before.namelist() if after.read(name) != before.read(name)}
    # Sheets 1 and 2 contain the placeholders; the other parts are lists that name the new parts.
    assert changed <= {
        "[Content_Types].xml",
        "xl/workbook.xml",
        "xl/styles.xml",
        "xl/_rels/workbook.xml.rels",
        "xl/worksheets/sheet1.xml",
        "xl/worksheets/sheet2.xml",
        "xl/worksheets/_rels/sheet1.xml.rels",
        "xl/drawings/drawing1.xml",
        "xl/drawings/_rels/drawing1.xml.rels",
    }
    kept = load_workbook(out)["Third"]
    assert (kept["A1"].value, kept["A2"].value) == ("Kept {{as it is}}", "=1+1")
    assert (kept.freeze_panes, kept.print_area) == ("A2", "'Third'!$A$1:$B$9")
