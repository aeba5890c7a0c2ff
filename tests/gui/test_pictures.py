"""Every page in both themes looks like its picture in the docs: nothing is missing, nothing is drawn twice.

`uv run python docs/tools/pictures.py` draws them. The tests compare the luminance of small copies: they ignore a
pixel of antialiasing, and notice a missing curve, card or table.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, SAMPLE, open_and_wait, settle
from workbench.answers.registry import PAGES
from workbench.charts.palette import ThemeName
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.storyboard.board import BoardView

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
THEMES: tuple[ThemeName, ...] = ("light", "dark")
STUDIES = {"logons": "vdi-login-storm", "trend": "windows-11-builds"}
SWEEP = "rds-mcsio-cache-sweep"
SMALL = (320, 180)
# Maximum mean difference of 255 levels, and minimum correlation of the shapes.
MOST_DIFFERENCE, LEAST_LIKENESS = 3.0, 0.97


def small(image: QImage) -> npt.NDArray[np.float64]:
    """The luminance of a small copy."""
    copy = image.scaled(*SMALL, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    grey = copy.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(SMALL[1], grey.bytesPerLine())
    return rows[:, : SMALL[0]].astype(np.float64)


def unlike(one: QImage, other: QImage) -> tuple[float, float]:
    """The mean difference in levels, and the correlation, of two pictures."""
    a, b = small(one), small(other)
    return float(np.abs(a - b).mean()), float(np.corrcoef(a.ravel(), b.ravel())[0, 1])


def at_rest(window: MainWindow, qtbot: QtBot) -> QImage:
    """The window in its final state: images of slides are drawn one after the other."""
    boards = window.findChildren(BoardView)
    qtbot.waitUntil(lambda: not (window.busy or any(board.drawing for board in boards)), timeout=LONG_MS)
    image = window.grab().toImage()
    for _ in range(50):
        qtbot.wait(60)
        before, image = image, window.grab().toImage()
        if image == before:
            break
    return image


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_that_every_page_looks_like_its_picture_in_the_docs(window: MainWindow, qtbot: QtBot, theme: ThemeName) -> None:
    window.workspace.apply(theme=theme)
    open_and_wait(window, qtbot, SAMPLE)
    studies = {one.name: one.folder for one in window.workspace.library.studies}
    unlike_it = {}
    for page in [spec.key for spec in PAGES]:
        window.workspace.apply(study=studies[STUDIES.get(page, SWEEP)], page=page)
        settle(window, qtbot)
        QApplication.processEvents()
        if (focus := QApplication.focusWidget()) is not None:
            # The focus frame is not part of an image.
            focus.clearFocus()
        picture = QImage(str(PICTURES / f"{page}-{theme}.png"))
        assert not picture.isNull(), page
        difference, likeness = unlike(at_rest(window, qtbot), picture)
        if difference > MOST_DIFFERENCE or likeness < LEAST_LIKENESS:
            unlike_it[page] = round(difference, 2), round(likeness, 3)
    assert unlike_it == {}, "draw them again with docs/tools/pictures.py, and look at them"


def test_that_no_two_pages_look_the_same() -> None:
    overview, cache = (QImage(str(PICTURES / f"{page}-light.png")) for page in ("overview", "cache"))
    difference, likeness = unlike(overview, cache)
    assert difference > MOST_DIFFERENCE
    assert likeness < LEAST_LIKENESS
