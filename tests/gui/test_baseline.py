"""The baseline in the window: its mark in the tree, ways to change it, and changes that keep it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.gui.conftest import open_and_wait, settle
from workbench.gui.runs.rename_delegate import TAG
from workbench.gui.runs.runs_tree import RowKind
from workbench.gui.shell.main_window import MainWindow
from workbench.measures.configurations import baseline_of


def base(window: MainWindow) -> tuple[str, str]:
    found = baseline_of(window.workspace.library.groups(window.workspace.state))
    assert found is not None
    assert found.baseline_by is not None
    return found.label, found.baseline_by.value


def marks(window: MainWindow) -> dict[str, str]:
    """The configurations of the tree with a mark."""
    tree = window.rail.tree
    items = ((label, tree.configuration_item(label)) for label, _ in tree.configurations())
    return {label: item.data(TAG) for label, item in items if item is not None and item.data(TAG)}


def folders(window: MainWindow) -> dict[str, str]:
    """For each configuration, the folder of its first run."""
    groups = window.workspace.library.groups(window.workspace.state)
    return {group.label: group.runs[0].run.folder for group in groups}


def entry(menu: QMenu, text: str) -> QAction:
    return next(action for action in menu.actions() if action.text() == text)


def choose_row(window: MainWindow, label: str) -> None:
    item = window.rail.tree.configuration_item(label)
    assert item is not None
    window.rail.tree.setCurrentIndex(item.index())


@pytest.fixture
def guessed(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The window with two MCS configurations; no file states the baseline."""
    for place, name in enumerate(("MCS linked", "MCS full", "MCSIO 256 MB")):
        folder = tmp_path / "lab" / f"run-{place}"
        disk_csv(folder / "vm1.csv", "vm1", [10.0 + place] * 24, [5.0] * 24)
        (folder / "run.toml").write_text(
            f'configuration = "{name}"\nprovisioning = "{name.split()[0]}"\n'
            '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:00:15+01:00\nend = 2016-05-10T09:03:00+01:00\n'
        )
    open_and_wait(window, qtbot, tmp_path / "lab")
    return window


def test_that_the_tree_marks_the_baseline_and_says_why(opened: MainWindow, qtbot: QtBot) -> None:
    assert list(marks(opened)) == ["MCS"]
    item = opened.rail.tree.configuration_item("MCS")
    assert item is not None
    assert item.data(Qt.ItemDataRole.AccessibleTextRole) == "MCS, Baseline"
    why = item.toolTip()
    opened.runs.compare_with("MCSIO 4 GB")
    settle(opened, qtbot)
    assert list(marks(opened)) == ["MCSIO 4 GB"]
    item = opened.rail.tree.configuration_item("MCS")
    assert item is not None
    assert item.toolTip() != why


def test_that_the_menu_of_the_tree_sets_the_baseline_and_undo_reverses_it(opened: MainWindow, qtbot: QtBot) -> None:
    before = base(opened)
    choose_row(opened, "MCSIO 512 MB")
    entry(opened.runs.menu(RowKind.CONFIGURATION, "MCSIO 512 MB"), "Set as baseline").trigger()
    settle(opened, qtbot)
    assert base(opened) == ("MCSIO 512 MB", "choice")
    opened.workspace.undo()
    settle(opened, qtbot)
    assert base(opened) == before
    assert list(marks(opened)) == [before[0]]


def test_that_a_guess_is_marked_and_a_click_on_the_mark_offers_the_configurations(
    guessed: MainWindow, qtbot: QtBot
) -> None:
    assert base(guessed) == ("MCS full", "guessed")
    assert "guessed" in marks(guessed)["MCS full"]
    asked: list[tuple[str, QPoint]] = []
    tree = guessed.rail.tree
    tree.baseline_asked.disconnect()
    tree.baseline_asked.connect(lambda study, point: asked.append((study, point)))
    item = tree.configuration_item("MCS full")
    assert item is not None
    row = tree.visualRect(item.index())
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(row.right() - 12, row.center().y()))
    ((study, _),) = asked
    menu = guessed.runs.baselines_menu(study)
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["MCS full"]
    entry(menu, "MCS linked").trigger()
    settle(guessed, qtbot)
    assert base(guessed) == ("MCS linked", "choice")
    assert "guessed" not in marks(guessed)["MCS linked"]
    entry(guessed.runs.baselines_menu(study), "Reset baseline").trigger()
    settle(guessed, qtbot)
    assert base(guessed) == ("MCS full", "guessed")


@pytest.mark.parametrize("name", ["aaa", "zzz"])
def test_that_a_rename_does_not_change_a_guessed_or_chosen_baseline(
    guessed: MainWindow, qtbot: QtBot, name: str
) -> None:
    runs = {
        group.label: group.runs[0].run.folder for group in guessed.workspace.library.groups(guessed.workspace.state)
    }
    guessed.runs.rename_to([runs["MCS linked"]], name)
    settle(guessed, qtbot)
    assert base(guessed) == ("MCS full", "guessed")
    guessed.runs.compare_with(name)
    guessed.runs.rename_to([runs["MCS linked"]], f"{name} again")
    settle(guessed, qtbot)
    assert base(guessed) == (f"{name} again", "choice")
    assert list(marks(guessed)) == [f"{name} again"]
    guessed.workspace.undo()
    settle(guessed, qtbot)
    assert base(guessed) == (name, "choice")


def test_that_a_rename_that_merges_keeps_the_choice(guessed: MainWindow, qtbot: QtBot) -> None:
    runs = {
        group.label: group.runs[0].run.folder for group in guessed.workspace.library.groups(guessed.workspace.state)
    }
    guessed.runs.compare_with("MCS linked")
    guessed.runs.rename_to([runs["MCS linked"]], "MCS full")
    settle(guessed, qtbot)
    assert base(guessed) == ("MCS full", "choice")


def test_that_the_choice_is_kept_in_the_workspace_file(guessed: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    runs = {
        group.label: group.runs[0].run.folder for group in guessed.workspace.library.groups(guessed.workspace.state)
    }
    guessed.runs.compare_with("MCSIO 256 MB")
    guessed.runs.rename_to([runs["MCSIO 256 MB"]], "aaa")
    settle(guessed, qtbot)
    guessed.sessions.save_to(tmp_path / "review.vdiwb")
    settle(guessed, qtbot)
    guessed.runs.compare_with("MCS full")
    guessed.sessions.save_to(tmp_path / "other.vdiwb")
    settle(guessed, qtbot)
    open_and_wait(guessed, qtbot, tmp_path / "review.vdiwb")
    assert base(guessed) == ("aaa", "choice")


def test_that_resetting_the_compare_inputs_resets_the_baseline(opened: MainWindow, qtbot: QtBot) -> None:
    before = base(opened)
    opened.workspace.apply(page="compare")
    opened.runs.compare_with("MCSIO 4 GB")
    settle(opened, qtbot)
    opened.page.make_whole()
    opened.inputs.reset()
    settle(opened, qtbot)
    assert base(opened) == before


def test_that_the_baseline_is_found_by_its_name_in_the_palette(opened: MainWindow, qtbot: QtBot) -> None:
    chosen = next(entry for entry in opened.offers.entries() if entry.words == "Baseline: MCSIO 1 GB")
    chosen.act()
    settle(opened, qtbot)
    assert base(opened) == ("MCSIO 1 GB", "choice")
