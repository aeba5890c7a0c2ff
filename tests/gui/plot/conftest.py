"""The view for the tests of drawing and pointing."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from workbench.gui.plot.view import FigureView


@pytest.fixture
def view(qtbot: QtBot) -> FigureView:
    """An empty view of 1200 x 700 on the offscreen platform."""
    view = FigureView()
    qtbot.addWidget(view)
    view.resize(1200, 700)
    with qtbot.waitExposed(view):
        view.show()
    return view
