"""The window with odd names, without its store, and with two requests at once."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.damage import damaged
from tests.gui.conftest import LONG_MS, open_and_wait, settle
from workbench.gui.pages.page_view import Welcome
from workbench.gui.services.places import existing
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.series.vm_series import forget_samples
from workbench.study.store.column_store import Store

# Bytes of the head of a file of stored columns (a NumPy array).
HEAD = 128


def test_that_a_tooltip_that_looks_like_html_is_escaped_and_others_are_unchanged() -> None:
    shown = QTextDocumentFragment.fromHtml(plain_tip("run <b>1</b>\nof A & B")).toPlainText()
    assert shown.replace("\xa0", " ") == "run <b>1</b>\nof A & B"
    assert plain_tip("run 1 < 2 & 3\nnext") == "run 1 < 2 & 3\nnext"
    assert plain_button("A & B") == "A && B"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_that_names_that_look_like_html_are_shown_as_written(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    disk_csv(tmp_path / "study" / "MCS <b>5<b> & more" / "a.csv", "W<i>1<i>", [1.0] * 24, [1.0] * 24)
    open_and_wait(window, qtbot, tmp_path / "study")
    model, waiting, tips = window.rail.tree.model(), [QModelIndex()], []
    while waiting:
        parent = waiting.pop()
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            waiting.append(index)
            tips.append(index.data(Qt.ItemDataRole.ToolTipRole) or "")
    assert any("&lt;b&gt;" in tip for tip in tips)
    assert not any("<b>" in tip or "<i>" in tip for tip in tips)


def test_that_a_figure_that_cannot_be_drawn_affects_only_itself(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    from workbench.gui.plot import shown

    def fails(_figure: object) -> object:
        raise ValueError("Cannot set range [0.0, inf]")

    with monkeypatch.context() as broken:
        broken.setattr(shown, "heat_limits", fails)
        opened.workspace.apply(phase="boot")
        settle(opened, qtbot)
    assert opened.page.content is not None
    assert opened.page.content.empty == snapshot
    assert "Cannot set range" in opened.strip.message.full
    opened.toggle_theme()
    opened.workspace.apply(phase="steady")
    settle(opened, qtbot)
    assert opened.page.content.empty == ""
    opened.toggle_theme()
    settle(opened, qtbot)


def test_that_a_recent_folder_that_cannot_be_accessed_is_not_listed(qtbot: QtBot, tmp_path: Path) -> None:
    welcome = Welcome()
    qtbot.addWidget(welcome)
    (tmp_path / "A&B").mkdir()
    welcome.show_ways("Open one.", True, existing(("x" * 5000, str(tmp_path / "A&B"))))
    names = [button.text().split("   ")[0] for button in welcome.findChildren(QPushButton)]
    assert names[-1] == "A&&B"
    assert not any("xxx" in name for name in names)


def test_that_a_page_says_so_when_the_store_is_deleted_while_the_window_is_open(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    store = Store(tmp_path / "own-store")
    own = MainWindow(store, State(), Settings())
    qtbot.addWidget(own)
    disk_csv(tmp_path / "study" / "MCS" / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    open_and_wait(own, qtbot, tmp_path / "study")
    shutil.rmtree(store.root)
    # The rates that the phase table has read stay cached.
    forget_samples()
    own.show_page("per-vm-iops")
    settle(own, qtbot)
    assert own.page.content is not None
    assert own.page.content.empty == snapshot
    open_and_wait(own, qtbot, tmp_path / "study")
    assert own.page.content.empty == ""
    own.close()


@pytest.mark.parametrize("seed", range(4))
def test_that_damaged_columns_are_read_from_their_files_again_and_reported(
    qtbot: QtBot, tmp_path: Path, seed: int
) -> None:
    store, study = Store(tmp_path / "own-store"), tmp_path / "study"
    for name in ("MCS", "PVS"):
        disk_csv(study / name / "a.csv", name, [1.0, None] * 24, [2.0] * 48)
    own = MainWindow(store, State(), Settings(), remembers=False)
    qtbot.addWidget(own)
    open_and_wait(own, qtbot, study)
    assert own.page.content is not None
    before, told = own.page.content.cards, False
    for columns in store.root.rglob("*.arrow"):
        head, numbers = columns.read_bytes()[:HEAD], columns.read_bytes()[HEAD:]
        columns.write_bytes(head + damaged(numbers, seed))
    for _ in range(2):
        open_and_wait(own, qtbot, study)
        assert own.page.content.cards == before
        told = told or "a.csv was damaged; the file was imported again." in own.strip.message.full
    # The store knows by its size that a file was cut or is too long: it reads the results again without a message.
    assert told or seed % 4 in (1, 3)
    assert own.strip.told == ""
    own.close()


def test_that_columns_damaged_while_the_window_is_open_affect_only_the_page(
    qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    store, study = Store(tmp_path / "own-store"), tmp_path / "study"
    disk_csv(study / "MCS" / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    own = MainWindow(store, State(), Settings(), remembers=False)
    qtbot.addWidget(own)
    open_and_wait(own, qtbot, study)
    for columns in store.root.rglob("*.arrow"):
        columns.write_bytes(damaged(columns.read_bytes(), 1))
    forget_samples()
    own.show_page("per-vm-iops")
    settle(own, qtbot)
    assert own.page.content is not None
    assert own.page.content.empty == snapshot
    assert own.strip.message.full == snapshot
    open_and_wait(own, qtbot, study)
    assert own.page.content.empty == ""
    own.close()


def test_that_a_second_folder_is_opened_after_the_one_that_is_read(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        disk_csv(tmp_path / name / "MCS" / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        window.open_paths([tmp_path / "one"])
        window.open_paths([tmp_path / "two"])
        assert window.strip.next.isVisible()
        assert "two" in window.strip.next.full
    settle(window, qtbot)
    assert [study.name for study in window.workspace.library.studies] == ["two"]
    assert not window.strip.next.isVisible()
