"""Number fields: formatted like other numbers, and read in common notations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.gui.pages.inputs_panel import ElidedBox
from workbench.gui.widgets.number_field import NumberField, typed_number
from workbench.words.numbers import MINUS, THIN, write_decimals_with


@pytest.fixture(autouse=True)
def points_again() -> Iterator[None]:
    yield
    write_decimals_with(".")


@pytest.fixture
def field(qtbot: QtBot) -> NumberField:
    made = NumberField()
    qtbot.addWidget(made)
    made.setRange(-100_000, 100_000)
    made.setDecimals(1)
    made.setSuffix(" ms")
    made.show()
    return made


@pytest.mark.parametrize(
    ("text", "with_point", "with_comma"),
    [
        ("1000", 1000, 1000),
        ("1 000", 1000, 1000),
        (f"1{THIN}000", 1000, 1000),
        ("1'000.5", 1000.5, 1000.5),
        ("1,000", 1000, 1),
        ("1.000", 1, 1000),
        ("1,5", 1.5, 1.5),
        ("1.5", 1.5, 1.5),
        ("0,125", 0.125, 0.125),
        ("12,345.6", 12345.6, 12345.6),
        ("12.345,6", 12345.6, 12345.6),
        ("1,234,567", 1234567, 1234567),
        ("1.234.567", 1234567, 1234567),
        (f"{MINUS}5", -5, -5),
        ("-5,5", -5.5, -5.5),
        (".5", 0.5, 0.5),
        ("", None, None),
        ("-", None, None),
        ("1.2,3.4", None, None),
        ("five", None, None),
        ("1e5", None, None),
    ],
)
def test_that_numbers_are_accepted_in_common_notations(
    text: str, with_point: float | None, with_comma: float | None
) -> None:
    assert typed_number(text) == with_point
    write_decimals_with(",")
    assert typed_number(text) == with_comma


def test_that_a_field_formats_numbers_like_cards_and_tables(field: NumberField) -> None:
    field.setValue(12345.6)
    assert field.text() == f"12{THIN}345.6 ms"
    field.setValue(-5)
    assert field.text() == f"{MINUS}5.0 ms"
    write_decimals_with(",")
    field.setValue(12345.6)
    assert field.text() == f"12{THIN}345,6 ms"


def test_that_a_typed_number_is_applied_when_the_field_loses_focus(field: NumberField) -> None:
    told: list[float] = []
    field.valueChanged.connect(told.append)
    field.selectAll()
    QTest.keyClicks(field, "1,234.5")
    assert told == []
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert told == [1234.5]
    assert field.text() == f"1{THIN}234.5 ms"


def test_that_invalid_input_keeps_the_value(field: NumberField) -> None:
    field.setValue(7)
    field.selectAll()
    QTest.keyClicks(field, "-")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == 7


def test_that_a_long_choice_is_cut_with_dots(qtbot: QtBot) -> None:
    box = ElidedBox()
    qtbot.addWidget(box)
    box.addItem("QD 1–64: sqlio_raw-san_randread-8k_queue-depth")
    box.resize(180, 30)
    box.show()
    first, last = box.shown_text().split("…")
    assert box.currentText().startswith(first)
    assert box.currentText().endswith(last)
    box.resize(600, 30)
    assert box.shown_text() == box.currentText()


def test_that_a_choice_without_space_shows_the_parts_that_differ(qtbot: QtBot) -> None:
    box = ElidedBox()
    qtbot.addWidget(box)
    box.addItems([f"Windows Server 2022 datacenter image of the pilot, RAM cache {size} MB" for size in (256, 512)])
    box.resize(180, 30)
    box.show()
    box.setCurrentIndex(1)
    assert box.shown_text() in box.currentText()
    assert "512" in box.shown_text()


def test_that_a_missing_number_is_a_dash_until_one_is_typed(field: NumberField, qtbot: QtBot) -> None:
    field.setRange(0, 1000)
    field.show_missing(True)
    field.setValue(0)
    assert field.text() == "— ms"
    field.setFocus()
    field.lineEdit().setCursorPosition(1)
    QTest.keyClicks(field, "12.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (field.value(), field.text()) == (12.5, "12.5 ms")
    field.lineEdit().selectAll()
    QTest.keyClicks(field, "7")
    with qtbot.waitSignal(field.valueChanged):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "7.0 ms"
