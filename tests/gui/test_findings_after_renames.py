"""Edits of findings stay when configurations, facts and phases of runs are renamed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, open_and_wait, settle
from tests.gui.test_findings import answer, choose, texts
from workbench.answers.findings.tables import UNMATCHED
from workbench.exporters.contents import shown_now
from workbench.gui.shell.main_window import MainWindow
from workbench.model.edits import PhaseEdit
from workbench.model.run import Provisioning
from workbench.session.document import SessionDocument, load_session, save_session

OWN_WORDS = "MCSIO 4 GB ends the discussion."


def folders(window: MainWindow, label: str) -> list[str]:
    """The runs of a configuration."""
    groups = window.workspace.library.groups(window.workspace.state)
    group = next(one for one in groups if one.label == label)
    return [one.run.folder for one in (*group.runs, *group.excluded)]


def rename(window: MainWindow, qtbot: QtBot, label: str, name: str) -> None:
    window.runs.rename_to(folders(window, label), name)
    settle(window, qtbot)


def kept(window: MainWindow, qtbot: QtBot) -> tuple[str, ...]:
    settle(window, qtbot)
    return tuple(one.text for one in window.findings.kept)


def about(window: MainWindow) -> list[tuple[object, ...]]:
    """The content of each finding without its name."""
    return [(one.kind, one.figure, one.phase, frozenset(one.runs)) for one in window.findings.kept]


@pytest.fixture
def edited(opened: MainWindow, qtbot: QtBot) -> MainWindow:
    """The first finding has an edited text, the third is dropped, the fifth is second."""
    choose(opened, 0)
    opened.act("findings.edit_text")
    answer(opened, qtbot, OWN_WORDS)
    choose(opened, 2)
    opened.act("findings.drop")
    settle(opened, qtbot)
    choose(opened, 3)
    for _ in range(2):
        opened.act("findings.move_up")
        settle(opened, qtbot)
    return opened


@pytest.mark.parametrize("label", ["MCSIO 4 GB", "MCS"])
def test_that_edits_stay_with_their_findings_when_a_configuration_is_renamed(
    edited: MainWindow, qtbot: QtBot, label: str
) -> None:
    before, subjects = kept(edited, qtbot), about(edited)
    rename(edited, qtbot, label, "Renamed")
    assert kept(edited, qtbot)[0] == OWN_WORDS, "the user's words, whatever they call the configuration"
    assert about(edited)[:12] == subjects[:12], "the order, and what was dropped, stay as they were"
    assert len(about(edited)) == len(subjects)
    assert texts(edited)[0] == OWN_WORDS
    edited.history.undo()
    settle(edited, qtbot)
    assert kept(edited, qtbot) == before


def test_that_a_name_that_changed_is_not_a_change_of_figures(edited: MainWindow, qtbot: QtBot) -> None:
    rename(edited, qtbot, "MCSIO 4 GB", "Renamed")
    first = edited.findings.kept[0]
    assert "Renamed" in first.generated
    assert first.caveats == ()


def test_that_two_configurations_that_swap_names_keep_their_own_edits(opened: MainWindow, qtbot: QtBot) -> None:
    choose(opened, 0)
    opened.act("findings.edit_text")
    answer(opened, qtbot, OWN_WORDS)
    runs = folders(opened, "MCSIO 4 GB"), folders(opened, "MCSIO 1 GB")
    changed = [
        replace(opened.workspace.state.edits_of(run), configuration=name, ram_cache_mb=size)
        for some, name, size in zip(runs, ("MCSIO 1 GB", "MCSIO 4 GB"), (4096, 1024), strict=True)
        for run in some
    ]
    opened.runs.state_edits(changed)
    settle(opened, qtbot)
    one = next(one for one in opened.findings.kept if one.edited)
    assert one.text == OWN_WORDS
    assert one.configuration == "MCSIO 1 GB"
    assert set(one.runs) >= set(runs[0])


def test_that_edits_stay_when_a_fact_of_the_runs_changes(opened: MainWindow, qtbot: QtBot) -> None:
    found = next(one for one in opened.findings.kept if "is the smallest" in one.text)
    assert "PVS" not in found.text
    opened.findings._select(found.key)
    opened.act("findings.edit_text")
    answer(opened, qtbot, "Buy 4 GB.")
    state = opened.workspace.state
    runs = [run.folder for study in opened.workspace.library.with_runs for run in study.runs if "mcsio" in run.name]
    opened.runs.state_edits([replace(state.edits_of(run), provisioning=Provisioning.PVS) for run in runs])
    settle(opened, qtbot)
    one = next(one for one in opened.findings.kept if one.edited)
    assert one.text == "Buy 4 GB."
    assert "PVS" in one.generated


def scan(folder: str, figures: object, name: str, shift: float = 0.0) -> PhaseEdit:
    steady = figures.phase("steady").phase  # type: ignore[attr-defined]
    return PhaseEdit(name, steady.start + 60 + shift, steady.start + 300 + shift)


@pytest.mark.slow
def test_that_edits_stay_when_a_phase_is_renamed_run_by_run(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    figures = dict(opened.workspace.library.figures or {})

    def state_scan(name: str, runs: list[str]) -> None:
        state = opened.workspace.state
        opened.runs.state_edits([replace(state.edits_of(run), phases=(scan(run, figures[run], name),)) for run in runs])
        settle(opened, qtbot)

    state_scan("av-scan", list(figures))
    found = next(one for one in opened.findings.kept if one.phase == "av-scan")
    opened.findings._select(found.key)
    opened.act("findings.edit_text")
    answer(opened, qtbot, "The scan costs it all.")
    first, second, *others = figures
    for runs in ([first], [second], others):
        state_scan("virus scan", runs)
    one = next(one for one in opened.findings.kept if one.edited)
    assert (one.text, one.phase) == snapshot
    assert one.configuration == found.configuration


def test_that_a_workspace_file_saves_the_runs_of_each_edit(edited: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    before = kept(edited, qtbot)
    edited.sessions.save_to(tmp_path / "review.vdiwb")
    open_and_wait(edited, qtbot, tmp_path / "review.vdiwb")
    rename(edited, qtbot, "MCSIO 4 GB", "Renamed")
    after = kept(edited, qtbot)
    assert after[0] == OWN_WORDS
    assert len(after) == len(before)


def test_that_an_old_workspace_file_opens_with_its_edits_and_survives_a_rename(
    edited: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    before = kept(edited, qtbot)
    file = tmp_path / "old.vdiwb"
    old = tuple(replace(one, about=None) for one in edited.workspace.state.findings)
    save_session(
        file,
        SessionDocument(paths=tuple(map(str, edited.open_now)), state=replace(edited.workspace.state, findings=old)),
    )
    assert all(one.about is None for one in load_session(file).state.findings)
    edited.guard.give_up()
    open_and_wait(edited, qtbot, file)
    assert kept(edited, qtbot) == before
    assert not edited.sessions.dirty, "to open it is no work"
    rename(edited, qtbot, "MCSIO 4 GB", "Renamed")
    assert kept(edited, qtbot)[0] == OWN_WORDS
    assert len(kept(edited, qtbot)) == len(before)
    edited.history.undo()
    settle(edited, qtbot)
    assert kept(edited, qtbot) == before


def unmatched(window: MainWindow) -> list[list[str]]:
    """The visible table of edits without a finding."""
    card = window.pages["overview"].tables[0]
    for place in range(card.tabs.count()):
        if card.tabs.tabText(place) == UNMATCHED:
            model = card.table_at(place).model()
            return [[str(model.index(row, at).data()) for at in range(3)] for row in range(model.rowCount())]
    return []


def choose_unmatched(window: MainWindow, row: int = 0) -> None:
    card = window.pages["overview"].tables[0]
    place = next(at for at in range(card.tabs.count()) if card.tabs.tabText(at) == UNMATCHED)
    card.tabs.setCurrentIndex(place)
    card.table.setFocus()
    card.table.setCurrentIndex(card.table.model().index(row, 0))


@pytest.fixture
def lost(opened: MainWindow, qtbot: QtBot) -> MainWindow:
    """A finding with other words and a dropped one, of a configuration with only excluded runs."""
    choose(opened, 0)
    opened.act("findings.edit_text")
    answer(opened, qtbot, OWN_WORDS)
    findings = opened.findings.kept
    choose(opened, next(at for at in range(1, 12) if findings[at].configuration == "MCSIO 4 GB"))
    opened.act("findings.drop")
    settle(opened, qtbot)
    opened.runs.exclude_with(folders(opened, "MCSIO 4 GB"), "wrong build")
    settle(opened, qtbot)
    return opened


def test_that_an_edit_without_a_finding_is_listed_with_its_words(
    lost: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    assert OWN_WORDS not in kept(lost, qtbot)
    (edited_row, dropped_row) = unmatched(lost)
    assert edited_row[:2] == [OWN_WORDS, "reworded"]
    assert edited_row[2] == snapshot
    assert dropped_row[:2] == ["—", "removed"]
    assert "MCSIO 4 GB" in dropped_row[2]
    lost.runs.include_all()
    settle(lost, qtbot)
    assert unmatched(lost) == []
    assert kept(lost, qtbot)[0] == OWN_WORDS


def test_that_the_text_of_an_edit_without_a_finding_becomes_a_custom_sentence_and_undo_reverses_it(
    lost: MainWindow, qtbot: QtBot
) -> None:
    choose_unmatched(lost)
    lost.act("findings.keep_unmatched")
    settle(lost, qtbot)
    first = lost.findings.kept[0]
    assert (first.text, first.own) == (OWN_WORDS, True)
    assert len(unmatched(lost)) == 1
    lost.history.undo()
    settle(lost, qtbot)
    assert len(unmatched(lost)) == 2
    assert OWN_WORDS not in kept(lost, qtbot)


def test_that_delete_removes_an_edit_without_a_finding(lost: MainWindow, qtbot: QtBot) -> None:
    lost.activateWindow()
    qtbot.waitUntil(lost.isActiveWindow, timeout=LONG_MS)
    choose_unmatched(lost, 1)
    qtbot.keyClick(lost.pages["overview"].tables[0].table, Qt.Key.Key_Delete)
    settle(lost, qtbot)
    assert [row[1] for row in unmatched(lost)] == ["reworded"]
    lost.runs.include_all()
    settle(lost, qtbot)
    assert kept(lost, qtbot)[0] == OWN_WORDS, "the edit that stayed finds its finding again"
    assert not any(edit.dropped for edit in lost.workspace.state.findings)


def test_that_the_menu_of_a_dropped_finding_offers_only_to_remove_it(
    lost: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    table = next(one for one in lost.page.content.tables if one.name == UNMATCHED)
    offered = []
    for cells in table.rows:
        menu = QMenu(lost)
        lost.findings.show_menu(UNMATCHED, cells, menu)
        offered.append([action.text().partition("\t")[0] for action in menu.actions()])
        menu.deleteLater()
    assert offered == snapshot


def test_that_a_double_click_on_an_edit_without_a_finding_lists_the_choices(
    lost: MainWindow, snapshot: SnapshotAssertion
) -> None:
    table = next(one for one in lost.page.content.tables if one.name == UNMATCHED)
    lost.findings.open_row(UNMATCHED, table.rows[0])
    assert lost.strip.message.full == snapshot


def test_that_edits_without_a_finding_are_not_exported(lost: MainWindow) -> None:
    (part,) = shown_now(lost.workspace.library, lost.workspace.state).parts
    assert UNMATCHED not in [table.name for table in part.content.tables]
    assert "Findings" in [table.name for table in part.content.tables]
