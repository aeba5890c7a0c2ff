from __future__ import annotations

from html.parser import HTMLParser

import pytest
from pytestqt.qtbot import QtBot

from tests.exporters.page.evil import NAMES, PREFIXES, evil_content
from tests.gui.plot.figures import bars_figure
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.pictures.clipboard import SVG, add_table, picture_data, table_html, table_text

TABLE = TableData(
    (Column("Run", numeric=False), Column("IOPS", "per VM")),
    ((Cell("a", "a"), Cell("−1.50", -1.5)), (Cell("b", "b"), Cell("—"))),
    name="Phase table",
)


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


def test_that_a_chart_is_copied_as_pixels_and_as_vectors(qtbot: QtBot) -> None:
    data = picture_data(bars_figure(), (640, 400), "light")
    assert data.hasImage()
    assert data.imageData().width() == 1280
    assert bytes(data.data(SVG).data()).startswith(b"<svg")


def test_that_a_table_is_copied_as_cells_and_as_text(qtbot: QtBot) -> None:
    data = picture_data(bars_figure(), (640, 400), "light")
    add_table(data, TABLE)
    assert data.hasHtml()
    assert data.text() == "Run\tIOPS (per VM)\na\t-1.5\nb\t"
    assert "<td>-1.5</td>" in data.html()
    assert "<td></td>" in data.html()


@pytest.mark.parametrize("name", NAMES)
def test_that_a_name_is_copied_as_text(name: str) -> None:
    table = evil_content(name).tables[0]
    plain = evil_content("harmless").tables[0]
    assert _Tags(table_html(table)).tags == _Tags(table_html(plain)).tags
    assert len(table_text(table).split("\n")) == 3
    assert all(len(line.split("\t")) == 2 for line in table_text(table).split("\n"))


@pytest.mark.parametrize("prefix", PREFIXES[:9])
def test_that_a_spreadsheet_computes_no_name(prefix: str) -> None:
    table = TableData((Column("n", numeric=False),), ((Cell(prefix + "1", prefix + "1"),),))
    assert table_text(table).split("\n")[1].startswith("'")
    assert "mso-number-format" in table_html(table)
