"""Findings in the real window: edited, dropped, moved, added, undone, opened at their evidence, and presented."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SAMPLE, open_and_wait, settle
from workbench.answers.findings.compute import Strength
from workbench.answers.findings.page import kept_findings
from workbench.answers.findings.tables import MORE, NAME
from workbench.exporters.document.slides import finding_content
from workbench.gui.dialogs.source_window import SourceWindow
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable
from workbench.model.metric import Quantity
from workbench.words.numbers import THIN

FIRST = f"'MCSIO 4 GB' cuts IOPS per VM in steady state by 93.0{THIN}% [92.8, 93.2] (7.35 vs. 105 with MCS, n = 3)"


def table(window: MainWindow) -> DataTable:
    return window.pages["overview"].tables[0].table


def texts(window: MainWindow) -> list[str]:
    shown = table(window)
    return [str(shown.model().index(row, 0).data()) for row in range(shown.model().rowCount())]


def choose(window: MainWindow, place: int) -> str:
    """Selects the finding at a place; returns its text."""
    shown = table(window)
    shown.setFocus()
    shown.setCurrentIndex(shown.model().index(place, 0))
    return texts(window)[place]


def answer(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Types a text into the open dialog, and accepts it."""
    dialog = window.findings.dialog
    assert dialog is not None
    field = dialog.findChild(QPlainTextEdit)
    assert field is not None
    field.setPlainText(text)
    dialog.accept()
    settle(window, qtbot)


def test_that_the_findings_come_first_under_the_chart(opened: MainWindow, snapshot: SnapshotAssertion) -> None:
    card = opened.page.tables[0]
    assert [card.tabs.tabText(place) for place in range(3)] == [NAME, MORE, "Phase table"]
    assert texts(opened)[0] == FIRST
    assert len(texts(opened)) == 12
    assert table(opened).model().index(0, 1).data() == "strong"
    assert table(opened).model().index(0, 2).data() == snapshot


def test_that_a_double_click_and_return_go_to_the_evidence(opened: MainWindow, qtbot: QtBot) -> None:
    opened.workspace.apply(phase="boot", metric=Quantity.WRITE_IOPS)
    settle(opened, qtbot)
    choose(opened, 0)
    qtbot.keyClick(table(opened), Qt.Key.Key_Return)
    settle(opened, qtbot)
    state = opened.workspace.state
    assert (state.page, state.phase, state.metric) == ("compare", "steady", Quantity.IOPS)
    assert opened.page.content is not None
    cards = {card.title: card.value for card in opened.page.content.cards}
    assert cards["MCSIO 4 GB"].endswith(f"93.0{THIN}%")
    opened.show_page("overview")
    settle(opened, qtbot)
    place = next(place for place, text in enumerate(texts(opened)) if "limits" in text)
    choose(opened, place)
    opened.act("findings.show_evidence")
    settle(opened, qtbot)
    assert opened.workspace.state.page == "limits"


def test_that_editing_marks_the_sentence_and_is_undone(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    choose(opened, 0)
    qtbot.keyClick(table(opened), Qt.Key.Key_F2)
    assert opened.findings.dialog is not None
    assert opened.findings.dialog.value() == FIRST
    answer(opened, qtbot, "4 GB ends the discussion.")
    assert texts(opened)[0] == snapshot
    assert table(opened).model().index(0, 1).data() == "strong · edited"
    assert opened.findings.chosen is not None
    assert opened.findings.chosen.generated == FIRST
    opened.act("findings.as_generated")
    settle(opened, qtbot)
    assert texts(opened)[0] == FIRST
    opened.history.undo()
    settle(opened, qtbot)
    assert texts(opened)[0] == snapshot
    opened.history.undo()
    settle(opened, qtbot)
    assert texts(opened)[0] == FIRST
    assert opened.workspace.state.findings == ()


def test_that_a_dropped_finding_is_removed_and_can_be_restored(opened: MainWindow, qtbot: QtBot) -> None:
    before = texts(opened)
    choose(opened, 1)
    qtbot.keyClick(table(opened), Qt.Key.Key_Delete)
    settle(opened, qtbot)
    assert texts(opened)[:11] == [before[0], *before[2:]]
    assert opened.findings.chosen is not None
    assert opened.findings.chosen.text == before[2]
    opened.act("findings.restore")
    settle(opened, qtbot)
    assert texts(opened) == before
    opened.history.undo()
    opened.history.undo()
    settle(opened, qtbot)
    assert texts(opened) == before


def test_that_moved_rows_stay_selected_and_can_pass_the_first_twelve(opened: MainWindow, qtbot: QtBot) -> None:
    before = texts(opened)
    choose(opened, 1)
    opened.act("findings.move_up")
    settle(opened, qtbot)
    assert texts(opened)[:3] == [before[1], before[0], before[2]]
    assert opened.findings.chosen is not None
    assert opened.findings.chosen.text == before[1]
    opened.act("findings.move_up")
    settle(opened, qtbot)
    assert texts(opened)[0] == before[1]
    choose(opened, 11)
    opened.act("findings.move_down")
    settle(opened, qtbot)
    assert table(opened).name == MORE
    assert texts(opened)[0] == before[11]
    opened.act("findings.move_up")
    settle(opened, qtbot)
    assert table(opened).name == NAME
    assert texts(opened)[11] == before[11]


def test_that_a_custom_sentence_comes_first_and_is_deleted_when_dropped(opened: MainWindow, qtbot: QtBot) -> None:
    opened.act("findings.write_own")
    answer(opened, qtbot, "We recommend 4 GB.")
    assert texts(opened)[:2] == ["We recommend 4 GB.", FIRST]
    choose(opened, 0)
    opened.act("findings.show_evidence")
    settle(opened, qtbot)
    assert opened.workspace.state.page == "overview"
    assert "your own" in opened.strip.message.full
    opened.act("findings.drop")
    settle(opened, qtbot)
    assert texts(opened)[0] == FIRST
    assert opened.workspace.state.findings == ()


def test_that_edits_survive_figures_that_change(opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion) -> None:
    choose(opened, 0)
    opened.act("findings.edit_text")
    answer(opened, qtbot, "Nearly nothing is left.")
    study = opened.workspace.library.with_runs[0]
    folder = next(run.folder for run in study.runs if run.name == "mcsio-4096-r1")
    edits = opened.workspace.state.edits_of(folder)

    opened.workspace.apply(edits=opened.workspace.state.with_edits(replace(edits, excluded="odd")).edits)
    settle(opened, qtbot)
    found = next(one for one in kept_findings(opened.workspace.library, opened.workspace.state) if one.edited)
    assert found.text == "Nearly nothing is left."
    assert found.strength is Strength.RANGE
    assert found.caveats[0] == snapshot


def test_that_the_menu_and_the_source_window_belong_to_the_row(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    choose(opened, 0)
    assert opened.findings.chosen is not None
    menu = opened.findings.menu_of(opened.findings.chosen)
    words = [action.text().partition("\t")[0] for action in menu.actions() if action.text()]
    assert words[:2] == snapshot
    assert {"Edit text…", "Move up", "Move down", "Remove", "Write a finding…"} <= set(words)
    menu.actions()[1].trigger()
    menu.deleteLater()
    settle(opened, qtbot)
    (source,) = opened.findChildren(SourceWindow)
    assert "IOPS per VM" in source.windowTitle()
    source.close()


def test_that_commands_without_a_finding_say_what_to_do(opened: MainWindow, qtbot: QtBot) -> None:
    for command in ("edit_text", "drop", "move_up", "show_evidence", "explain", "as_generated"):
        opened.strip.tell("")
        opened.act(f"findings.{command}")
        assert "Choose a finding" in opened.strip.message.full
    opened.act("findings.restore")
    assert "There are no removed findings to restore" in opened.strip.message.full
    assert opened.findings.dialog is None


def test_that_every_finding_has_a_page_that_shows_something(opened: MainWindow, qtbot: QtBot) -> None:
    library, state = opened.workspace.library, opened.workspace.state
    for one in kept_findings(library, state)[:12]:
        content = finding_content(one, library, state)
        assert content is not None
        # The verdicts on limits are a table.
        assert content.figure is not None or (one.page == "limits" and content.tabled)
        assert not content.empty


def test_that_a_study_of_benchmarks_has_findings_on_the_overview(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "storage-benchmarks")
    window.workspace.apply(page="overview")
    settle(window, qtbot)
    assert any("levels off at queue depth 16" in text for text in texts(window))
    place = next(place for place, text in enumerate(texts(window)) if "hardly rises above 1 thread" in text)
    choose(window, place)
    window.act("findings.show_evidence")
    settle(window, qtbot)
    assert window.page.content is not None
    assert window.page.content.cards[0].value == "1"


def test_that_copied_findings_are_sentences_without_keys(opened: MainWindow) -> None:
    choose(opened, 0)
    assert table(opened).as_text().splitlines()[1].startswith(FIRST)
