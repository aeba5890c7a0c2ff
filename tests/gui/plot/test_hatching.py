"""Hatching means only "not measured"; bars of the cache disk have an outline."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPainterPath
from pytestqt.qtbot import QtBot

from tests.gui.plot.test_axis_labels import drawn_words
from workbench.charts.figure import Axis, Bars, Dash, Figure, Heatmap, Look, Panel
from workbench.charts.hidden import with_hidden
from workbench.charts.palette import THEMES, ThemeName, contrast
from workbench.charts.scales import heat_limits, scales_of
from workbench.gui.plot.bars import fill_bar
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.picture import paint_figure
from workbench.gui.plot.static import footer_of
from workbench.gui.plot.view import FigureView
from workbench.words.numbers import MISSING

ROOT = Path(__file__).parents[3]
FULL = np.ones((2, 4))
HOLE = np.array([[1.0, np.nan, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])


def heat(values: np.ndarray, end: float = 40.0, column: int = 0) -> Panel:
    """A panel of two machines over four bins that end at `end` seconds."""
    edges = np.linspace(0.0, end, 5)
    return Panel("", Axis("time", "s"), Axis("VM"), (Heatmap("h", edges, ("a", "b"), values, (0, 2), "IOPS"),), column)


@pytest.mark.parametrize(
    ("panels", "gaps"),
    [
        ((heat(FULL),), False),
        ((heat(HOLE),), True),
        ((heat(FULL), heat(FULL, column=1)), False),
        # The shorter recording leaves a part of its plot without samples.
        ((heat(FULL), heat(FULL, 20.0, column=1)), True),
    ],
)
def test_that_the_legend_shows_not_measured_only_if_a_cell_has_no_sample(
    view: FigureView, panels: tuple[Panel, ...], gaps: bool
) -> None:
    figure = Figure("heat", "?", "", panels)
    assert footer_of(figure, scales_of(figure), heat_limits(figure)).gaps is gaps
    view.show_figure(figure)
    assert view._footer.gaps is gaps


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_a_sample_outside_the_phase_is_dimmed_and_can_still_be_seen(view: FigureView, theme: ThemeName) -> None:
    view.set_theme(theme)
    panel = replace(heat(40.0 * FULL), focus=(0.0, 20.0))
    hot = replace(panel, marks=(replace(panel.marks[0], limits=(0.0, 40.0)),))  # type: ignore[type-var]
    view.show_figure(Figure("heat", "?", "", (hot,)))
    area = view._panels[0].place.plot
    image = view.grab().toImage()

    def at(share: float) -> str:
        return image.pixelColor(
            round(area.left() + share * area.width()), round(area.top() + 0.25 * area.height())
        ).name()

    inside, outside = at(0.25), at(0.75)
    card = THEMES[theme].card
    assert 3.0 <= contrast(outside, card) < contrast(inside, card)


def test_that_only_the_cache_disk_is_outlined_in_the_bar_and_in_its_legend(view: FigureView) -> None:
    def picture(outlined: bool) -> tuple[QImage, QRectF, QRectF]:
        looks = (("Shared storage, writes", Look("other", 0.7, "dash")), ("Cache disk, writes", Look("other")))
        bars = tuple(
            Bars(name, np.array([5.0]), look, stack="tier", outlined=outlined and name.startswith("Cache"))
            for name, look in looks
        )
        panel = Panel("Steady", Axis("", categories=("MCSIO",)), Axis("IOPS", "IOPS"), bars)
        view.show_figure(Figure("stack", "?", "", (panel,)))
        assert view._layout is not None
        entries = view._layout.places[0].legend
        areas = {entry.name: area for area, entry in entries}
        return view.grab().toImage(), areas["Shared storage, writes"], areas["Cache disk, writes"]

    plain, shared, disk = picture(False)
    outlined, _, _ = picture(True)
    assert plain.copy(shared.toRect()) == outlined.copy(shared.toRect())
    assert plain.copy(disk.toRect()) != outlined.copy(disk.toRect())
    lower, upper = (spot.area.toRect() for spot in view.spots)
    assert plain.copy(lower.adjusted(2, 2, -2, -2)) == outlined.copy(lower.adjusted(2, 2, -2, -2))
    assert plain.copy(upper) != outlined.copy(upper)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_an_outlined_bar_is_even_inside_and_its_outline_can_be_seen(qtbot: QtBot, theme: ThemeName) -> None:
    image, path = QImage(64, 64, QImage.Format.Format_RGB32), QPainterPath()
    card = THEMES[theme].card
    image.fill(card)
    painter = QPainter(image)
    path.addRect(QRectF(4, 4, 56, 56))
    fill_bar(painter, Ink(theme), path, Look("other", dash="dash"), outlined=True)
    painter.end()
    inside = {image.pixelColor(x, y).name() for x in range(8, 56) for y in range(8, 56)}
    assert len(inside) == 1, "no lines, no dots"
    assert contrast(image.pixelColor(4, 30).name(), card) >= 3


def test_that_the_window_and_slides_and_page_have_no_other_hatching() -> None:
    """The line patterns of Qt and PowerPoint occur in one place each; the page has one call."""
    patterns = re.compile(r"(BDiag|FDiag|DiagCross|Hor|Ver|Cross)Pattern|MSO_PATTERN|DIAGONAL")
    named = [path.name for path in (ROOT / "workbench").rglob("*.py") if patterns.search(path.read_text("utf-8"))]
    assert named == ["ink.py"]
    script = (ROOT / "resources" / "page" / "page.js").read_text("utf-8")
    calls = [line for line in script.splitlines() if re.search(r"(?<!function )\bhatch\(", line)]
    assert len(calls) == 1


@pytest.mark.parametrize("dash", ["dash", "dot"])
def test_that_the_texture_of_a_bar_has_no_lines(qtbot: QtBot, dash: Dash) -> None:
    image, path = QImage(64, 64, QImage.Format.Format_RGB32), QPainterPath()
    painter = QPainter(image)
    path.addRect(QRectF(0, 0, 64, 64))
    fill_bar(painter, Ink("light"), path, Look("other", dash=dash))
    painter.end()
    pixels = {(x, y): image.pixel(x, y) for x in range(64) for y in range(64)}
    ((ground, _), *others) = Counter(pixels.values()).most_common()
    assert others
    dots = {at for at, pixel in pixels.items() if pixel != ground}
    assert not any(all((x + step, y - step) in dots for step in range(6)) for x, y in dots)


def test_that_a_hidden_bar_is_not_marked_as_not_measured(qtbot: QtBot) -> None:
    bars = Bars("reads", np.array([5.0]), Look("MCS"))
    panel = Panel("Boot", Axis("", categories=("MCS",)), Axis("IOPS", "IOPS"), (bars,))
    hidden = with_hidden(Figure("one", "?", "", (panel,)), {"reads"}, {}, set())
    missing = replace(hidden, panels=(replace(hidden.panels[0], hidden=frozenset()),))

    def words(figure: Figure) -> list[str]:
        return drawn_words(lambda painter, area: paint_figure(painter, figure, area, "light"), 800)

    assert MISSING in words(missing)
    assert MISSING not in words(hidden)
