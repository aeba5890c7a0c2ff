"""Lines and bands painted by pixel columns, compared with the exact coverage of the straight lines."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.charts.figure import FloatArray
from workbench.gui.plot.items import band_columns, line_columns, paint_columns


def covered(x: FloatArray, y: FloatArray, left: float, right: float) -> tuple[float, float]:
    """The lowest and highest point of the line within a column, computed at ten thousand positions."""
    at = np.interp(np.linspace(left, right, 10_001), x, y)
    inside = y[(x >= left) & (x <= right)]
    values = np.concatenate((at, inside))
    return float(np.nanmin(values)), float(np.nanmax(values))


def test_that_a_line_covers_exactly_its_range_in_each_pixel_column() -> None:
    dice = np.random.default_rng(3)
    x, y = np.sort(dice.uniform(0, 40, 300)), dice.normal(50, 20, 300)
    columns = line_columns(x, y, 5.0, 35.0, 1.0)
    assert columns[:, 0].tolist() == list(range(5, 35))
    for left, top, bottom in columns.tolist():
        assert (top, bottom) == pytest.approx(covered(x, y, left, left + 1), abs=1e-6)


def test_that_a_gap_of_a_line_stays_a_gap() -> None:
    x = np.arange(0.1, 20.0, 0.25)
    y = np.where((x > 6) & (x < 9), np.nan, x)
    columns = line_columns(x, y, 0.0, 20.0, 1.0)
    assert columns[:, 0].tolist() == [*range(6), *range(9, 20)]


def test_that_a_line_with_one_sample_covers_no_area() -> None:
    assert line_columns(np.array([3.0]), np.array([1.0]), 0.0, 9.0, 1.0).size == 0


def test_that_a_band_covers_its_extremes() -> None:
    x, low = np.array([0.0, 1.2, 1.4, 4.0]), np.array([8.0, 9.0, 8.0, 8.0])
    columns = band_columns(x, np.array([5.0, 1.0, 5.0, 5.0]), low, 0.0, 4.0, 1.0)
    assert columns[1, 1:].tolist() == [1.0, 9.0]


def painted(columns: list[tuple[float, float, float]], colour: QColor, ratio: float = 1.0) -> FloatArray:
    """The opacity (0 to 255) of each pixel of a picture of 4 x 10 points."""
    picture = QImage(int(4 * ratio), int(10 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(0)
    painter = QPainter(picture)
    paint_columns(painter, np.array(columns), colour, (1.0, 9.0))
    painter.end()
    pixels = [[picture.pixelColor(x, y).alpha() for x in range(picture.width())] for y in range(picture.height())]
    return np.array(pixels, float)


def test_that_a_partly_covered_pixel_is_painted_with_partial_opacity(qapp: object) -> None:
    pixels = painted([(1.0, 2.25, 5.5), (3.0, 4.25, 4.75)], QColor("#204060"))
    assert pixels[:, 1] == pytest.approx([0, 0, 191, 255, 255, 128, 0, 0, 0, 0], abs=1)
    assert pixels[:, 3] == pytest.approx([0, 0, 0, 0, 128, 0, 0, 0, 0, 0], abs=1)
    assert not pixels[:, (0, 2)].any()


def test_that_nothing_is_painted_beyond_the_panel(qapp: object) -> None:
    pixels = painted([(0.0, -1e9, 3.0), (1.0, 7.0, 1e9), (2.0, -5.0, -2.0)], QColor("red"))
    assert pixels[:, 0].tolist() == [0, 255, 255, 0, 0, 0, 0, 0, 0, 0]
    assert pixels[:, 1].tolist() == [0, 0, 0, 0, 0, 0, 0, 255, 255, 0]
    assert not pixels[:, 2:].any()


def test_that_colours_keep_their_opacity_on_a_screen_of_any_density(qapp: object) -> None:
    colour = QColor("#ff8000")
    colour.setAlphaF(0.5)
    pixels = painted([(1.0, 2.0, 4.0), (1.5, 2.0, 4.0)], colour, 2.0)
    assert pixels[4:8, 2:4].tolist() == [[128, 128]] * 4
    assert pixels.sum() == 8 * 128
