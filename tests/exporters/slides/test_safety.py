"""Names and notes from files never become formulas, links, markup or control characters."""

import io
import re
import zipfile

import numpy as np
import pytest

from tests.exporters.slides.decks import ORANGE, Reopened, bars, book_of, cells, figure, written
from workbench.charts.figure import Axis, Bars, Figure, Line, Panel, Points
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.slides.chart_data import MAX_NAME
from workbench.model.problem import Problem, Severity

# Characters that start a formula, a link or markup in some program.
PREFIXES = ("=", "+", "-", "@", "\t=", "\r=", "\n=", "|", "%", "http://", "javascript:", "<a href='x'>")
BODY = 'HYPERLINK("http://evil.example","A1")&cmd|\' /C calc\'!A0'


def _evil_deck(name: str) -> Document:
    axis = Axis(name, name)
    marks = (Bars(name, np.array([-1.0, 2.0]), ORANGE), Bars(f"{name} b", np.array([1.0, np.nan]), ORANGE))
    x = np.array([0.0, 60.0])
    line = Panel(
        name, Axis(name, "s"), axis, (Line(name, x, x, ORANGE), Points(f"{name} p", x, x, ORANGE)), subtitle=name
    )
    shown = figure(bars(*marks, names=(name, f"{name} 2"), y=axis), line)
    evil = Figure(name, name, name, shown.panels, summary=name)
    problem = Problem(Severity.WARNING, name, name, name, name, 1, 1)
    return Document(name, name, (Slide(name, evil, name, name, (name,)),), (name,), (problem,))


def _relations(found: Reopened) -> list[str]:
    return [
        one.get("Type", "") + " " + one.get("TargetMode", "") for root in found.parts(".rels").values() for one in root
    ]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_that_a_name_is_text_in_every_part_of_the_file(tmp_path, prefix):
    name = prefix + BODY
    found = written(tmp_path / "a.pptx", _evil_deck(name))
    assert not any("hyperlink" in one or "External" in one for one in _relations(found))
    for root in found.parts().values():
        # The agenda has links only to slides of the same file.
        assert {link.get("action") for link in root.iter("{*}hlinkClick")} <= {"ppaction://hlinksldjump"}
        for tag in ("hlinkMouseOver", "hlinkHover", "fld-evil", "externalLink"):
            assert root.find(f".//{{*}}{tag}") is None
    assert found.slides[2].shapes.title.text_frame.text == name.strip()
    for chart in found.charts():
        book = book_of(chart)
        for row in book.active.iter_rows():
            for cell in row:
                assert cell.data_type in ("s", "n")
                assert cell.hyperlink is None
        first = chart._chartSpace.find(".//{*}ser")
        assert cells(chart, first.findtext("{*}tx//{*}f")) == [name.strip()]


@pytest.mark.parametrize("prefix", ["=", "+", "-", "@", "|", "%"])
def test_that_a_text_stays_text_when_the_user_edits_its_cell(tmp_path, prefix):
    chart = written(tmp_path / "a.pptx", _evil_deck(f"{prefix}1+1")).charts()[0]
    assert book_of(chart).active["B1"].quotePrefix


def test_that_the_workbook_of_a_chart_has_no_formula_or_link(tmp_path):
    chart = written(tmp_path / "a.pptx", _evil_deck("=1+1 http://evil.example")).charts()[0]
    with zipfile.ZipFile(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob)) as archive:
        sheets = [archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/worksheets/")]
    assert sheets
    assert not any(re.search(r"<f[ >]|<hyperlink", sheet) for sheet in sheets)


def test_that_characters_that_are_invalid_in_xml_are_removed(tmp_path):
    name = "a\x00b\x0bc\x1f\ud800d\ufffe\u202ee"
    found = written(tmp_path / "a.pptx", _evil_deck(name))
    assert found.slides[2].shapes.title.text_frame.text == "abcde"
    forbidden = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\u202a-\u202e]")
    assert not any(forbidden.search(text.replace("\x0b", "")) for text in found.texts())


def test_that_minus_one_stays_a_number_and_its_name_a_text(tmp_path):
    found = written(tmp_path / "a.pptx", _evil_deck("-1"))
    sheet = book_of(found.charts()[0]).active
    assert (sheet["B1"].data_type, sheet["B1"].value) == ("s", "-1")
    assert (sheet["B2"].data_type, sheet["B2"].value) == ("n", -1)
    assert (sheet["A2"].data_type, sheet["A2"].value) == ("s", "-1")


def test_that_an_overlong_name_is_cut_and_reported(tmp_path):
    found = written(tmp_path / "a.pptx", _evil_deck("long " * 2_000))
    chart = found.charts()[0]
    assert all(len(str(cell.value or "")) <= MAX_NAME for row in book_of(chart).active.iter_rows() for cell in row)
    assert any("does not fit" in sentence for sentence in found.written.left_out)
    assert any("too long for a chart" in sentence for sentence in found.written.left_out)


def test_that_markup_in_a_name_is_shown_as_it_is(tmp_path):
    found = written(tmp_path / "a.pptx", _evil_deck("<b>&amp;</b>"))
    assert found.slides[2].shapes.title.text_frame.text == "<b>&amp;</b>"
