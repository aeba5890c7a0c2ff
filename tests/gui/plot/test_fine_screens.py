"""Screens at 200 %: lines are as wide and patterns as coarse as on other screens."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QApplication

from workbench.charts.figure import Look
from workbench.gui.plot.bars import fill_bar
from workbench.gui.plot.ink import Ink, draw_sample, scaled_brush

AREA = QRectF(0, 0, 32, 32)


def drawn(ratio: float, draw: Callable[[QPainter], None]) -> npt.NDArray[np.uint32]:
    """The pixels of the area on a screen with this ratio."""
    side = round(32 * ratio)
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Ink("light").token("card"))
    painter = QPainter(image)
    draw(painter)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint32).reshape(side, side).copy()


def bar(dash: str) -> Callable[[QPainter], None]:
    path = QPainterPath()
    path.addRect(AREA)
    return lambda painter: fill_bar(painter, Ink("light"), path, Look("MCS", dash=dash))  # type: ignore[arg-type]


@pytest.mark.parametrize("dash", ["dash", "dot", "dash-dot"])
def test_that_the_pattern_of_a_bar_is_as_coarse_as_on_other_screens(dash: str, qapp: QApplication) -> None:
    coarse, fine = drawn(1.0, bar(dash)), drawn(2.0, bar(dash))
    assert len(np.unique(coarse)) == 2
    assert (fine == np.kron(coarse, np.ones((2, 2), np.uint32))).all()


def test_that_hatching_is_as_coarse_as_on_other_screens_and_has_whole_pixels(qapp: QApplication) -> None:
    def hatch(painter: QPainter) -> None:
        painter.fillRect(AREA, scaled_brush(Ink("light").hatch(), painter))

    shares = [float((drawn(ratio, hatch) != Ink("light").token("card").rgb()).mean()) for ratio in (1.0, 1.25, 2.0)]
    assert 0 < shares[0] == shares[1] == shares[2]


def test_that_a_line_is_as_wide_as_on_other_screens(qapp: QApplication) -> None:
    def inked(ratio: float) -> int:
        image = drawn(ratio, lambda painter: draw_sample(painter, Ink("light"), Look("MCS", marker="none"), AREA))
        return int((image[:, image.shape[1] // 2] != Ink("light").token("card").rgb()).sum())

    assert inked(2.0) == 2 * inked(1.0)
