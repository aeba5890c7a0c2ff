"""The values of bars: no horizontal line, such as a limit, crosses them."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Panel
from workbench.charts.ticks import reading
from workbench.gui.plot.ink import Ink, line_height, text_width
from workbench.gui.plot.picture import paint_figure
from workbench.words.numbers import MINUS


def baselines(figure: Figure) -> dict[str, float]:
    """The texts of an image with their pixel rows."""
    buffer, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(600, 400))
    painter = QPainter(generator)
    paint_figure(painter, figure, QRectF(0, 0, 600, 400), "light")
    painter.end()
    svg = bytes(buffer.data().data()).decode()
    return {words: float(y) for y, words in re.findall(r'<text[^>]* y="([^"]*)"[^>]*>([^<]*)</text>', svg)}


def limited(value: float, limit: float) -> Figure:
    """A bar of this value with a line at the limit, on an axis to 20 or from −20."""
    bar = Bars("MCS", np.array([value]), Look("accent"))
    line = Line("limit", np.array([-0.5, 0.5]), np.full(2, limit), Look("text", dash="dash"))
    span = (0.0, 20.0) if value > 0 else (-20.0, 0.0)
    panel = Panel("p95", Axis("", categories=("MCS",)), Axis("ms", "ms", limits=span), (line, bar), legend=False)
    return Figure("limits", "?", "", (panel,))


@pytest.mark.parametrize("sign", [1, -1])
def test_that_the_line_of_a_limit_crosses_no_value_label(qtbot: QtBot, sign: int) -> None:
    tall, words = line_height(Ink("light").small), reading(sign * 8.4)
    for limit in np.arange(8.5, 12.0, 0.25):
        rows = baselines(limited(sign * 8.4, sign * limit))
        # The ticks are in the middle of their rows.
        ticks = {value: rows[f"{MINUS * (sign < 0)}{value:g}"] for value in (5.0, 10.0)}
        level = ticks[5.0] + (ticks[10.0] - ticks[5.0]) * (limit - 5.0) / 5.0 - tall / 3
        assert not rows[words] - 0.7 * tall < level < rows[words], limit
    far, farther = (baselines(limited(sign * 8.4, sign * limit))[words] for limit in (15.0, 18.0))
    assert far == farther, "a limit that is far from the value does not move it"


def test_that_values_of_adjacent_bars_do_not_overlap_or_are_omitted(qtbot: QtBot) -> None:
    names, values, ink = tuple("abcdefg"), np.full(7, 2700.0), Ink("light")
    left_out = shown = 0
    for wide in range(300, 1200, 20):
        bars = tuple(Bars(name, values, Look("accent")) for name in ("reads", "writes"))
        axis = Axis("MB/s", "MB/s", limits=(0.0, 6000.0))
        panel = Panel("T", Axis("", categories=names), axis, bars, legend=False)
        buffer, generator = QBuffer(), QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setSize(QSize(wide, 400))
        painter = QPainter(generator)
        paint_figure(painter, Figure("benchmarks", "?", "", (panel,)), QRectF(0, 0, wide, 400), "light")
        painter.end()
        texts = re.findall(r'<text[^>]* x="([^"]*)"[^>]*>([^<]*)</text>', bytes(buffer.data().data()).decode())
        lefts = sorted(float(x) for x, words in texts if words == reading(2700.0))
        left_out, shown = left_out + (not lefts), shown + bool(lefts)
        assert all(right - left > text_width(ink.strong, reading(2700.0)) for left, right in pairwise(lefts)), wide
    assert left_out
    assert shown
