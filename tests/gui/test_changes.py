"""Changes of figures in the real window: since the last save, by an edit, after a refresh; they are shown, chosen and
saved as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv, steady_runs
from tests.gui.conftest import LONG_MS, open_and_wait, settle
from workbench.gui.dialogs.changes_window import ChangesWindow
from workbench.gui.shell.main_window import MainWindow
from workbench.session.document import load_session

FILE = "guest/W10-001.csv"


@pytest.fixture
def lab(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Path:
    """Two runs of one VM, open in the window: 4,320 I/O in steady state, and a quarter of that."""
    steady_runs(tmp_path / "lab")
    open_and_wait(window, qtbot, tmp_path / "lab")
    return tmp_path / "lab"


@pytest.fixture
def closing(window: MainWindow) -> Iterator[None]:
    yield
    if window.changes.dialog is not None:
        window.changes.dialog.close()


def shown(window: MainWindow, qtbot: QtBot, at: int = 0) -> ChangesWindow:
    window.act("changes.show")
    dialog = window.changes.dialog
    assert dialog is not None
    if at:
        dialog.since.setCurrentIndex(at)
    settle(window, qtbot)
    return dialog


def leave_out(window: MainWindow, qtbot: QtBot, name: str) -> None:
    folder = next(folder for folder in window.workspace.library.figures or {} if folder.endswith(name))
    state = window.workspace.state
    window.workspace.apply(edits=state.with_edits(replace(state.edits_of(folder), excluded="fan broke")).edits)
    settle(window, qtbot)


def rows(dialog: ChangesWindow) -> list[list[str]]:
    table = dialog.card.table
    return [[cell.text for cell in table.row(at)] for at in range(table.model().rowCount())]


@pytest.mark.usefixtures("closing")
def test_that_an_edit_since_the_save_is_listed_with_its_cause(
    window: MainWindow, qtbot: QtBot, lab: Path, tmp_path: Path
) -> None:
    assert window.sessions.save_to(tmp_path / "review.vdiwb")
    assert load_session(tmp_path / "review.vdiwb").figures is not None
    dialog = shown(window, qtbot)
    assert dialog.since.currentText().startswith("As saved at ")
    assert dialog.headline.text().startswith("None of ")
    assert not dialog.card.isVisible()
    leave_out(window, qtbot, "mcsio-512")
    qtbot.waitUntil(lambda: not dialog.headline.text().startswith("None of "), timeout=LONG_MS)
    settle(window, qtbot)
    (row,) = [row for row in rows(dialog) if row[0] == "run"]
    assert row[1:6] == ["mcsio-512", "", "Status", "included", "excluded: fan broke"]
    assert row[6:] == ["mcsio-512: excluded (fan broke)", "—", "—"]


@pytest.mark.usefixtures("closing", "lab")
def test_that_the_state_before_an_edit_can_be_chosen(
    window: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    leave_out(window, qtbot, "mcsio-512")
    dialog = shown(window, qtbot, 1)
    titles = [dialog.since.itemText(at) for at in range(dialog.since.count())]
    assert titles == snapshot
    assert dialog.headline.text() == snapshot
    assert any(row[6] == "mcsio-512: excluded (fan broke)" for row in rows(dialog))


@pytest.mark.usefixtures("closing")
def test_that_a_refresh_lists_the_figures_that_changed_and_the_rows_can_be_saved(
    window: MainWindow, qtbot: QtBot, lab: Path, tmp_path: Path
) -> None:
    disk_csv(lab / "mcs" / FILE, "W10-001", [4.0] * 24, [16.0] * 24)
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        window.folders.refresh()
    settle(window, qtbot)
    assert "Show changes…" in window.strip.message.full
    dialog = shown(window, qtbot)
    assert dialog.since.currentText() == "Before the last refresh"
    assert any(row[6].endswith(f"mcs/{FILE} changed") for row in rows(dialog))
    window.changes.save_to(tmp_path / "moved.csv")
    settle(window, qtbot)
    with (tmp_path / "moved.csv").open() as stream:
        total = next(row for row in csv.DictReader(stream) if (row["run"], row["measure"]) == ("mcs", "total_io"))
    assert (float(total["before"]), float(total["after"])) == (4320, 3600)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.changes.dialog is None


def test_that_a_changes_page_without_a_study_says_what_to_do(window: MainWindow, snapshot: SnapshotAssertion) -> None:
    window.act("changes.show")
    assert window.strip.message.full == snapshot
