"""Slides for tests, written and opened again: each chart with its workbook."""

from __future__ import annotations

import io
import math
import zipfile
from functools import lru_cache
from pathlib import Path

import numpy as np
from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries
from pptx import Presentation

from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Mark, Panel
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.slides.write import WrittenDeck, write_deck

BLUE, ORANGE = Look("MCS", marker="circle"), Look("MCSIO", 0.5, "dash", "square")
NAN = math.nan


def figure(*panels: Panel, share_y: bool = True) -> Figure:
    """A figure of these panels."""
    return Figure("test", "What is it?", "a caption", panels, share_y=share_y, summary="in words")


def lines(*marks: Mark, unit: str = "s", **more) -> Panel:
    """A panel over time."""
    return Panel("Panel", Axis("Time since phase start", unit), Axis("IOPS per VM", "IOPS"), marks, **more)


def bars(*marks: Mark, names: tuple[str, ...] = ("MCS", "MCSIO"), y: Axis | None = None, **more) -> Panel:
    """A panel over names."""
    return Panel("Boot", Axis("", categories=names), y or Axis("IOPS per VM", "IOPS"), marks, **more)


def simple() -> Figure:
    """One line of three points."""
    return figure(lines(Line("MCS", np.array([0.0, 60.0, 120.0]), np.array([1.0, 2.0, 3.0]), BLUE)))


def one_bar() -> Figure:
    """One bar."""
    return figure(bars(Bars("MCS", np.array([1.0]), BLUE), names=("MCS",)))


def deck_with(*figures: Figure | None, title: str = "A sentence.", **more) -> Document:
    """A deck with a finding for each figure."""
    slides = tuple(Slide(title, one, "3 runs, n = 3", "from a.csv") for one in figures)
    return Document("Study", "two configurations", slides, **more)


class Reopened:
    """A written deck."""

    def __init__(self, path: Path, written: WrittenDeck | None = None) -> None:
        self.path, self.written = path, written
        self.deck = Presentation(str(path))
        self.slides = list(self.deck.slides)

    def charts(self) -> list:
        """Every chart in the order of the slides."""
        return [shape.chart for slide in self.slides for shape in slide.shapes if shape.has_chart]

    def texts(self) -> list[str]:
        """Every text of every slide, its notes and tables included."""
        frames = [shape.text_frame for slide in self.slides for shape in slide.shapes if shape.has_text_frame]
        frames += [slide.notes_slide.notes_text_frame for slide in self.slides if slide.has_notes_slide]
        tables = [shape.table for slide in self.slides for shape in slide.shapes if shape.has_table]
        return [frame.text for frame in frames] + [cell.text for table in tables for cell in table.iter_cells()]

    def parts(self, ending: str = ".xml") -> dict[str, etree._Element]:
        """Every XML part by its name."""
        with zipfile.ZipFile(self.path) as archive:
            names = [name for name in archive.namelist() if name.endswith(ending)]
            return {name: etree.fromstring(archive.read(name)) for name in names}


def written(path: Path, deck: Document, **more) -> Reopened:
    """The deck, written and opened again."""
    return Reopened(path, write_deck(path, deck, **more))


def book_of(chart):
    """The workbook of a chart; tests do not change it."""
    return _opened(chart.part.chart_workbook.xlsx_part.blob)


@lru_cache(maxsize=8)
def _opened(blob: bytes):
    return load_workbook(io.BytesIO(blob))


def cells(chart, reference: str) -> list:
    """The values that a reference of a chart points to in its workbook."""
    name, area = reference.rsplit("!", 1)
    left, top, right, bottom = range_boundaries(area.replace("$", ""))
    assert left == right
    sheet = book_of(chart)[name]
    return [sheet.cell(row, left).value for row in range(top, bottom + 1)]


def series_of(chart) -> dict[str, etree._Element]:
    """The series' elements by their names as the workbook has them."""
    found = chart._chartSpace.findall(".//{*}ser")
    return {cells(chart, one.findtext("{*}tx//{*}f"))[0]: one for one in found}


def cached(element, tag: str) -> list[float]:
    """The numbers that a series shows for `val`, `xVal`, `yVal`, `plus`, …; missing values are NaN."""
    inner = element.find(f".//{{*}}{tag}//{{*}}numCache")
    values = [NAN] * int(inner.find("{*}ptCount").get("val"))
    for point in inner.findall("{*}pt"):
        values[int(point.get("idx"))] = float(point.findtext("{*}v"))
    return values


def in_book(chart, element, tag: str) -> list[float]:
    """The same from the cells that the series refers to."""
    found = cells(chart, element.find(f".//{{*}}{tag}").findtext(".//{*}f"))
    return [NAN if value is None else float(value) for value in found]
