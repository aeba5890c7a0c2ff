"""Labels with little space: a cut number would read as another number."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.services.assets import ui_font
from workbench.gui.widgets.labels import FittedLabel

VALUE, UNIT = "2586", "2586 MB RAM"


def label_of(qtbot: QtBot) -> FittedLabel:
    label = FittedLabel("big")
    qtbot.addWidget(label)
    label.show_fitted(UNIT, VALUE)
    return label


@pytest.mark.parametrize(("share", "text"), [(1.2, UNIT), (0.8, UNIT), (0.5, VALUE)])
def test_that_a_number_first_shrinks_then_omits_its_unit_and_is_never_cut(
    qtbot: QtBot, share: float, text: str
) -> None:
    label = label_of(qtbot)
    whole = label.fontMetrics().horizontalAdvance(UNIT) + 2
    label.resize(int(whole * share), 40)
    drawn, size = label.fitted()
    assert drawn == text
    assert size <= 1.0
    assert label.fontMetrics().horizontalAdvance(drawn) * size <= label.width()


def test_that_a_cut_text_is_complete_in_its_tooltip(qtbot: QtBot) -> None:
    label = label_of(qtbot)
    label.resize(20, 40)
    label.show()
    assert isinstance(label, QLabel)
    assert UNIT in label.toolTip()
    assert not label.grab().isNull()


@pytest.mark.parametrize("number", ["3 461 IOPS", "111 111 IOPS", "17 910 IOPS"])
def test_that_no_digit_is_cut_at_any_width(qtbot: QtBot, number: str) -> None:
    label = FittedLabel("big")
    qtbot.addWidget(label)
    # As in the style sheet: a size with fractions of pixels.
    label.setFont(ui_font(19.3, QFont.Weight.Bold))
    label.show_fitted(number, number.split(" I")[0])
    for width in range(60, 220):
        label.resize(width, 40)
        drawn, share = label.fitted()
        font = QFont(label.font())
        font.setPointSizeF(font.pointSizeF() * share)
        if not label.cut:
            assert QFontMetrics(font).elidedText(drawn, Qt.TextElideMode.ElideMiddle, width) == drawn


def test_that_a_label_of_a_window_that_was_never_shown_is_drawn_small_enough(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = FittedLabel("big")
    label.setParent(window)
    label.show_fitted(UNIT)
    label.resize(int(label.fontMetrics().horizontalAdvance(UNIT) * 0.8), 40)
    assert not window.grab().isNull()
    assert label.share < 0.85
