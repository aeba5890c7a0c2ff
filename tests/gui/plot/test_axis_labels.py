"""Labels along the axes: every one is complete, and none overlaps another, for any names and space."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from tests.gui.plot.figures import TIME, per_vm_figure
from tests.gui.plot.test_columns_beside_gutter import many
from workbench.charts.claim import BarClaim, ClaimBar, TimeClaim, TimeRow
from workbench.charts.figure import Axis, Bars, Figure, Heatmap, Line, Look, Panel
from workbench.gui.plot.axes.gutter import gutter_labels
from workbench.gui.plot.axes.labels import labels
from workbench.gui.plot.claim.chart import paint_claim
from workbench.gui.plot.ink import Ink, text_width
from workbench.gui.plot.moving import tick_labels
from workbench.gui.plot.picture import paint_figure
from workbench.gui.plot.rows import FigureRows, rows_height
from workbench.gui.plot.view import FigureView

WIDTHS, COUNTS = (800, 1366), (5, 12, 20)
_BASE = "Nicht persistente Arbeitsplätze mit Zwischenspeicher im RAM"
KINDS = ("words", "one word", "units")


def names_of(count: int, kind: str = "words") -> tuple[str, ...]:
    """Names of 60 characters: German words, a single word, a family of sizes."""
    made = {
        "words": [f"{number + 1:02d} {_BASE}" for number in range(count)],
        "one word": [f"RDS_{number + 1:02d}_{'Golden-Image.' * 5}" for number in range(count)],
        "units": [f"MCSIO {64 + 64 * number} MB {_BASE}" for number in range(count)],
    }
    return tuple(name[:60] for name in made[kind])


def wide_figure(names: tuple[str, ...], columns: int) -> Figure:
    """A bar for each name in each of some panels."""
    values = np.linspace(1.0, 123_456.0, len(names))
    panels = (
        Panel("Boot", Axis("", categories=names), Axis("IOPS je VM", "IOPS"), (Bars("x", values, Look("MCS")),), column)
        for column in range(columns)
    )
    return Figure("wide", "Was kostet jede Konfiguration?", "", tuple(panels))


def shown(view: FigureView, figure: Figure, width: int, height: int = 560) -> list[QRectF]:
    """The areas of all labels of a figure, by their text; the texts are complete."""
    view.resize(width, height)
    view.show_figure(figure)
    return words_in_view(view)


def words_in_view(view: FigureView) -> list[QRectF]:
    """The areas of all labels in view, those of the gutter included; the texts are complete."""
    ink, areas = Ink("light"), []
    beside = [label for _, _, label in gutter_labels(view._layout, ink)] if view._layout else []
    for panel in view.seen:
        words = [*labels(panel.place, ink), *beside]
        beside = []
        if panel.place.shows_x and not panel.scales.panel.x.categories:
            words += [label for _, label in tick_labels(ink, panel)]
        for label in words:
            assert "…" not in label.text
            side = label.area.width() if label.turned else label.area.height()
            less = side * 0.12
            areas.append(
                label.area.adjusted(0, less, 0, -less) if not label.turned else label.area.adjusted(less, 0, -less, 0)
            )
    return areas


def assert_free(view: FigureView, areas: list[QRectF]) -> None:
    """No area overlaps another or a plot, or is outside the canvas."""
    canvas = QRectF(view._canvas.viewport().rect())
    for one, other in combinations(areas, 2):
        assert not one.intersects(other), (one, other)
    for area in areas:
        assert canvas.contains(area), area
        assert not any(area.intersects(panel.place.plot.adjusted(1, 1, -1, -1)) for panel in view.seen)
        over = (row for panel in view.seen for row in (panel.place.head, panel.place.read))
        assert not any(area.intersects(row) for row in over)


def drawn_words(paint: Callable[[QPainter, QRectF], None], width: int, height: int = 560) -> list[str]:
    """Every text of a picture, as the picture has it."""
    buffer, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(width, height))
    painter = QPainter(generator)
    paint(painter, QRectF(0, 0, width, height))
    painter.end()
    return re.findall(r"<text[^>]*>([^<]*)</text>", bytes(buffer.data().data()).decode())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_that_names_below_bars_are_complete_and_do_not_overlap(
    view: FigureView, width: int, count: int, columns: int, kind: str
) -> None:
    names = names_of(count, kind)
    areas = shown(view, wide_figure(names, columns), width)
    assert_free(view, areas)
    for panel in view._panels:
        assert panel.place.plot.height() > 120
        written = ["".join(lines).replace(" ", "") for lines in panel.place.names.lines]
        groups = {at: g.word for g in panel.place.names.groups for at in range(g.first, g.last + 1)}
        written = [groups.get(at, "") + text if text else "" for at, text in enumerate(written)]
        assert set(written) <= {name.replace(" ", "") for name in names} | {""}
        assert any(written)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_that_chart_images_shorten_no_text_of_bars(view: FigureView, width: int, count: int) -> None:
    figure = wide_figure(names_of(count), 3)
    words = drawn_words(lambda painter, area: paint_figure(painter, figure, area, "light"), width)
    assert len(words) > 10
    assert not [word for word in words if "…" in word]


def test_that_every_bar_is_named_if_the_rotated_names_fit(view: FigureView) -> None:
    shown(view, wide_figure(names_of(20), 1), 1366)
    (panel,) = view._panels
    assert panel.place.names.turned
    assert all(panel.place.names.lines)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [5, 40])
def test_that_long_names_next_to_a_heat_map_are_complete(view: FigureView, width: int, count: int) -> None:
    figure = per_vm_figure(vms=(count,) * 3)
    names = names_of(count, "one word")
    panels = tuple(
        replace(panel, marks=tuple(replace(m, rows=names) if isinstance(m, Heatmap) else m for m in panel.marks))
        for panel in figure.panels
    )
    for joined in (False, True):
        assert_free(view, shown(view, replace(figure, panels=panels, joined=joined), width))
        assert any(panel.place.names_y and panel.heat is not None for panel in view._panels)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("high", [1.2, 1e-4, 123_456_789.0, 9e14])
def test_that_the_numbers_of_both_axes_are_complete_in_five_columns(view: FigureView, width: int, high: float) -> None:
    title = "Anzahl der gleichzeitig angemeldeten Sitzungen aller Terminalserver"
    panels = tuple(
        Panel(
            f"C{column}",
            Axis(title, "1"),
            Axis(f"{title} je Sekunde", "IOPS"),
            (Line("a", np.linspace(0.0, high, 50), np.linspace(0.0, high, 50), Look("MCS")),),
            column,
        )
        for column in range(5)
    )
    figure = Figure("wide", "Was?", "", panels, share_y=False)
    assert_free(view, shown(view, figure, width))
    view.zoom_y(view._panels[0], high * 0.5000, high * 0.5001)
    assert_free(view, shown(view, figure, width))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_that_the_names_of_rows_are_complete_and_stay_in_their_rows(
    view: FigureView, width: int, count: int, kind: str
) -> None:
    names = names_of(count, kind)
    values = [np.where(np.arange(count) == at, 5e4, np.nan) for at in range(count)]
    bars = tuple(Bars(name, value, Look("MCS")) for name, value in zip(names, values, strict=True))
    panels = tuple(Panel("Boot", Axis("", categories=names), Axis("IOPS", "IOPS"), bars, column) for column in range(2))
    figure = Figure("rows", "Was?", "", panels, in_rows=names[0])
    rows = FigureRows(figure, Ink("light"), QRectF(0, 0, width, rows_height(figure)))
    for place, name in enumerate(names):
        lines = rows.name_lines(place)
        assert "".join(text for _, text in lines).replace(" ", "") == name.replace(" ", "")
        assert all(area.right() <= rows.left + rows.gutter for area, _ in lines)
        row = QRectF(0, rows.top + place * rows.tall - 0.5, width, rows.tall + 1)
        assert all(row.contains(area) for area, _ in lines)
    words = drawn_words(lambda painter, _: rows.paint(painter), width, rows_height(figure))
    assert not [word for word in words if "…" in word]


def test_that_the_heading_of_short_names_is_next_to_that_of_the_first_phase(qtbot: QtBot) -> None:
    figure = replace(wide_figure(("A", "B"), 3), in_rows="A")
    panels = (replace(p, marks=(Bars("A", np.array([5.0, np.nan]), Look("MCS")),)) for p in figure.panels)
    rows = FigureRows(replace(figure, panels=tuple(panels)), Ink("light"), QRectF(0, 0, 1366, 300))
    assert text_width(rows.ink.title, "Each phase") + rows.ink.px(12) <= rows.gutter


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [360, 520])
def test_that_the_names_of_a_claim_are_complete(qtbot: QtBot, width: int, kind: str) -> None:
    names = names_of(4, kind)
    bars = tuple(ClaimBar(name, Look("MCS"), 10.0 * (at + 1), "10") for at, name in enumerate(names))
    times = tuple(TimeRow(name, Look("MCS"), 60.0, 100.0, True, "60 s") for name in names)
    for claim in (BarClaim(bars, 3, 0, "−90 %"), TimeClaim(times, 1, (("boot", 0.0),), 100.0, ("0", "min", "2"))):
        words = drawn_words(lambda painter, area, c=claim: paint_claim(painter, Ink("light"), area, c), width, 200)  # type: ignore[misc]
        text = "".join(words).replace(" ", "")
        assert "…" not in text
        assert all(name.replace(" ", "") in text for name in names)


@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize("columns", [2, 5, 12])
@pytest.mark.parametrize("width", [*WIDTHS, 1920])
def test_that_names_of_configuration_columns_do_not_overlap(
    view: FigureView, width: int, columns: int, joined: bool
) -> None:
    time = Axis("Anzahl der Minuten seit dem Beginn der ersten Anmeldung", "1")
    for high, x in ((100.0, TIME), (123_456_789.0, time)):
        figure = many(columns, joined)
        panels = tuple(
            replace(panel, x=x, y=panel.y if panel.y.categories else replace(panel.y, limits=(0.0, high)))
            for panel in figure.panels
        )
        areas = shown(view, replace(figure, panels=panels), width, 700)
        assert view.sideways.isHidden() == (len(view.seen) == 2 * columns)
        assert_free(view, areas)
        view.sideways.setValue(view.sideways.maximum())
        assert_free(view, words_in_view(view))
