"""The sizing page in the real window: the plan, the user's inputs with undo, and the what-if."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import settle
from workbench.gui.pages.inputs_panel import SIGNS
from workbench.gui.shell.main_window import MainWindow
from workbench.model.phase import LOGON, STEADY
from workbench.words.metrics import phase_words
from workbench.words.numbers import THIN, in_full


def show(window: MainWindow, qtbot: QtBot, view: str = "") -> None:
    window.workspace.apply(page="sizing")
    if view:
        window.workspace.apply(page_views=window.workspace.state.with_page_view("sizing", view).page_views)
    settle(window, qtbot)


def value(window: MainWindow, title: str) -> str:
    content = window.page.content
    assert content is not None
    return next(card.value for card in content.cards if card.title == title)


def change(window: MainWindow, qtbot: QtBot, key: str, number: float) -> None:
    """Types a number into a field and moves the focus away."""
    field = window.page.make_whole().inputs.fields[key]
    field.setValue(number)  # type: ignore[union-attr]
    settle(window, qtbot)


def test_that_the_inputs_of_the_plan_change_it_and_can_be_undone(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    disks = int(value(opened, "Disks"))
    assert disks > 0
    change(opened, qtbot, "sizing.disk_iops", 70.0)
    assert int(value(opened, "Disks")) in (2 * disks - 1, 2 * disks)
    content = opened.page.content
    assert content is not None
    assert {one.key: one.origin for one in content.inputs}["sizing.disk_iops"] == "yours"
    opened.workspace.undo()
    settle(opened, qtbot)
    assert int(value(opened, "Disks")) == disks


def test_that_a_symbol_marks_the_origin_of_an_input_and_the_legend_is_shown_once(
    opened: MainWindow, qtbot: QtBot
) -> None:
    opened.resize(1366, 768)
    show(opened, qtbot)
    panel, content = opened.page.make_whole().inputs, opened.page.content
    assert content is not None
    words = [label.text() for label in panel.findChildren(QLabel) if label.isVisibleTo(panel)]
    for origin in ("measured", "documented", "assumed"):
        assert origin in {one.origin for one in content.inputs}
        assert words.count(SIGNS[origin]) == sum(one.origin == origin for one in content.inputs)
        assert sum(f"{SIGNS[origin]}\u00a0{origin}" in text for text in words) == 1
    assert "yours" not in panel.legend.text()
    change(opened, qtbot, "sizing.disk_iops", 70.0)
    assert f"{SIGNS['yours']}\u00a0yours" in panel.legend.text()
    assert panel.fields["sizing.disk_iops"].accessibleDescription() == "yours"


def test_that_steps_configurations_and_inputs_are_tables(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    show(opened, qtbot)
    content = opened.page.content
    assert content is not None
    assert [table.name for table in content.tables] == ["Calculation steps for MCS", "Configurations", "Inputs"]
    assert len(content.tables[1].rows) == 5
    assert content.question == snapshot


def test_that_contradicting_inputs_are_reported_and_stay_editable(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    show(opened, qtbot)
    change(opened, qtbot, "sizing.host_ram_gib", 10.0)
    content = opened.page.content
    assert content is not None
    assert content.caption == snapshot
    assert opened.page.make_whole().inputs.fields["sizing.host_ram_gib"].value() == 10.0  # type: ignore[union-attr]
    change(opened, qtbot, "sizing.host_ram_gib", 256.0)
    assert value(opened, "Hosts")


def test_that_a_vm_larger_than_a_host_has_a_reason_in_place_of_a_plan(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    change(opened, qtbot, "sizing.vm_ram_gib", 500.0)
    content = opened.page.content
    assert content is not None
    assert "500" in content.caption
    assert content.cards == ()
    assert {cell.value for row in content.tables[1].rows for cell in row[7:]} == {None}
    assert content.figure is not None
    assert all(np.isnan(bars.values).all() for panel in content.figure.panels for bars in panel.marks)  # type: ignore[union-attr]


def test_that_the_what_if_answers_for_every_configuration(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    show(opened, qtbot, "what-if")
    content = opened.page.content
    assert content is not None
    assert content.question == snapshot
    assert len(content.cards) == 5
    rows = len(content.tables[0].rows)
    change(opened, qtbot, "sizing.acceptable_min", 3.0)
    assert opened.page.content is not None
    assert len(opened.page.content.tables[0].rows) == rows + 5


def test_that_a_field_shows_its_number(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    field = opened.page.make_whole().inputs.fields["sizing.desktops"]
    edit = field.lineEdit()
    assert edit is not None
    assert edit.text().startswith("500")
    assert edit.width() > 100


def digits(text: str) -> int:
    """The significant digits of the number at the start of a text; zeros at the end of a whole number do not count."""
    number = text.partition(" ")[0].replace(THIN, "").lstrip("0.")
    return len(number.replace(".", "")) if "." in number else len(number.rstrip("0"))


def test_that_an_input_shows_four_digits_and_keeps_its_value(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    content, fields = opened.page.content, opened.page.make_whole().inputs.fields
    assert content is not None
    measured = [one for one in content.inputs if one.origin == "measured" and isinstance(one.value, float)]
    rounded = [one for one in measured if float(f"{one.value:.4g}") != one.value]
    assert rounded
    for one in measured:
        assert digits(fields[one.key].text()) <= 4, fields[one.key].text()
    for one in rounded:
        assert in_full(float(one.value)) in fields[one.key].toolTip()
    # Leaving the field must not replace the value by the text.
    field = fields[rounded[0].key]
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(opened, qtbot)
    now = opened.page.content
    assert now is not None
    assert {one.key: one.value for one in now.inputs} == {one.key: one.value for one in content.inputs}


def test_that_an_input_keeps_the_decimals_that_are_typed(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    field = opened.page.make_whole().inputs.fields["sizing.disk_iops"]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "184.51")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(opened, qtbot)
    assert dict(opened.workspace.state.inputs)["sizing.disk_iops"] == 184.51
    assert field.text().startswith("184.51")


def test_that_the_choice_of_a_phase_has_its_name_and_keeps_its_key(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    box = opened.page.make_whole().inputs.fields["sizing.phase"]
    assert isinstance(box, QComboBox)
    assert box.currentText() == phase_words(STEADY)
    box.setCurrentIndex(box.findData(LOGON))
    box.activated.emit(box.currentIndex())
    settle(opened, qtbot)
    assert dict(opened.workspace.state.inputs)["sizing.phase"] == LOGON
