"""Several studies open, closed again, and read again after their folders have changed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.gui.conftest import LONG_MS, after, open_and_wait, settle
from tests.gui.slow_reading import slow
from workbench.gui.services import importer as importer_module
from workbench.gui.services.importer import Progress
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.status_strip import how_far

OFFER = " Edit › Show changes… lists the changed values."


def lab(folder: Path, vm: str = "A", rows: int = 48) -> Path:
    """A study of two runs of one VM."""
    for run in ("MCS 1VM", "PVS 1VM"):
        disk_csv(folder / run / "a.csv", vm, [10.0] * rows, [5.0] * rows)
    return folder


def names(window: MainWindow) -> list[str]:
    return [study.name for study in window.workspace.library.studies]


def imported(window: MainWindow, qtbot: QtBot, act: object) -> None:
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        act()  # type: ignore[operator]
    settle(window, qtbot)


def drop(window: MainWindow, path: Path, keys: Qt.KeyboardModifier) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    window.dropEvent(QDropEvent(QPointF(400, 400), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, keys))


def test_that_a_folder_dropped_with_ctrl_is_added_and_without_replaces(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, lab(tmp_path / "one"))
    window.workspace.apply(hidden=frozenset({"PVS"}))
    settle(window, qtbot)
    imported(window, qtbot, lambda: drop(window, lab(tmp_path / "two"), Qt.KeyboardModifier.ControlModifier))
    assert names(window) == ["one", "two"]
    assert window.workspace.state.hidden == {"PVS"}, "what was done stays done"
    assert window.open_now == (tmp_path / "one", tmp_path / "two")
    window.history.undo()
    assert window.workspace.state.hidden == frozenset(), "and can still be undone"
    imported(window, qtbot, lambda: drop(window, tmp_path / "two", Qt.KeyboardModifier.NoModifier))
    assert names(window) == ["two"]


def test_that_a_folder_that_is_open_is_not_opened_twice(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_and_wait(window, qtbot, lab(tmp_path / "one"))
    window.folders.add([tmp_path / "one" / "MCS 1VM"])
    assert not window.importer.running
    assert "is open already" in window.strip.message.full


def test_that_a_study_is_closed_and_stays_closed_when_the_others_are_read_again(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    for name in ("one", "two", "three"):
        lab(tmp_path / "all" / name)
    open_and_wait(window, qtbot, tmp_path / "all")
    two = str(tmp_path / "all" / "two")
    after(window, qtbot, lambda: window.folders.close_study(two))
    assert sorted(names(window)) == ["one", "three"]
    assert set(window.open_now) == {tmp_path / "all" / "one", tmp_path / "all" / "three"}
    assert not any("two" in folder for folder in window.workspace.library.figures)
    imported(window, qtbot, window.folders.refresh)
    assert sorted(names(window)) == ["one", "three"]
    assert window.strip.message.full == snapshot
    for _ in range(2):
        after(window, qtbot, window.folders.close_study)
    assert names(window) == []
    assert window.page.empty.isVisible()


def test_that_refresh_reads_only_changed_files_and_reports_them_and_keeps_edits(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    study = lab(tmp_path / "lab")
    open_and_wait(window, qtbot, study)
    window.show_page("per-vm-iops")
    folder = str(study / "MCS 1VM")
    window.runs.exclude_with([folder], "fan broke")
    settle(window, qtbot)
    window.page.figure.set_span(60.0, 300.0)
    sent: list[str] = []
    real = importer_module.ImportJob.start

    def counted(job: importer_module.ImportJob) -> None:
        real(job)
        sent.extend(source.name for source in job._waiting)

    monkeypatch.setattr(importer_module.ImportJob, "start", counted)
    disk_csv(study / "PVS 1VM" / "a.csv", "A", [20.0] * 48, [5.0] * 48)
    disk_csv(study / "PVS 1VM" / "b.csv", "B", [20.0] * 48, [5.0] * 48)
    disk_csv(study / "MCS 1VM" / "c.csv", "C", [20.0] * 48, [5.0] * 48)
    (study / "MCS 1VM" / "c.csv").unlink()
    imported(window, qtbot, window.folders.refresh)
    assert sorted(sent) == ["PVS 1VM/a.csv", "PVS 1VM/b.csv"]
    assert window.strip.message.full == snapshot
    assert window.workspace.state.excluded == {folder: "fan broke"}
    assert window.workspace.state.page == "per-vm-iops"
    assert window.page.figure.zoomed_span == pytest.approx((60.0, 300.0), abs=1.0)
    (study / "PVS 1VM" / "b.csv").unlink()
    imported(window, qtbot, window.folders.refresh)
    assert window.strip.message.full == snapshot


def test_that_recent_folders_are_in_the_file_menu(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_and_wait(window, qtbot, lab(tmp_path / "one"))
    menu = next(a.menu() for a in window.menus["&File"].actions() if a.menu() is not None)
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    assert menu.actions()[0].text() == str(tmp_path / "one")
    open_and_wait(window, qtbot, lab(tmp_path / "two"))
    menu.aboutToShow.emit()
    imported(window, qtbot, menu.actions()[1].trigger)
    assert names(window) == ["one"]


def test_that_folders_opened_during_an_import_wait_in_order(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    brought: list[list[str]] = []
    window.importer.opened.connect(lambda opened: brought.append([path.name for path in opened.paths]))
    window.open_paths([lab(tmp_path / "one")])
    assert window.importer.running
    drop(window, lab(tmp_path / "two"), Qt.KeyboardModifier.NoModifier)
    drop(window, lab(tmp_path / "three"), Qt.KeyboardModifier.ControlModifier)
    assert window.strip.next.isVisible()
    shown = window.strip.next.full
    assert 0 < shown.index("two") < shown.index("three")
    qtbot.waitUntil(lambda: len(brought) == 3, timeout=LONG_MS)
    settle(window, qtbot)
    assert brought == [["one"], ["two"], ["two", "three"]], "three was to be added"
    assert sorted(names(window)) == ["three", "two"]
    assert not window.strip.next.isVisible()
    assert str(tmp_path / "one") in window.settings.recent


def test_that_a_missing_folder_is_reported_and_does_not_delay_the_next(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, lab(tmp_path / "one"))
    window.folders.refresh()
    for path in (tmp_path / "missing", lab(tmp_path / "two")):
        window.open_paths([path])
    qtbot.waitUntil(lambda: names(window) == ["two"], timeout=LONG_MS)
    settle(window, qtbot)
    assert "missing" in window.strip.message.full


def test_that_a_workspace_file_opened_during_an_import_keeps_its_edits(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, lab(tmp_path / "one"))
    after(window, qtbot, lambda: window.workspace.apply(hidden=frozenset({"PVS"})))
    window.sessions.save_to(tmp_path / "kept.vdiwb")
    settle(window, qtbot)
    window.open_paths([lab(tmp_path / "two")])
    window.open_paths([tmp_path / "kept.vdiwb"])
    assert "kept.vdiwb" in window.strip.next.full
    qtbot.waitUntil(lambda: window.sessions.path == tmp_path / "kept.vdiwb" and not window.busy, timeout=LONG_MS)
    assert names(window) == ["one"]
    assert window.workspace.state.hidden == {"PVS"}


def settle_page(window: MainWindow, qtbot: QtBot) -> None:
    """Waits until the page that is shown has drawn its answer."""
    qtbot.waitUntil(lambda: window.page.content is not None, timeout=LONG_MS)


def test_that_an_import_that_fails_offers_the_ways_to_open_again(
    window: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    window.importer.running = True
    window.importer.started.emit()
    assert window.header.question.text() == "Reading results…"
    window.importer.running = False
    window.importer.failed.emit("Cancelled: nothing was opened.")
    settle(window, qtbot)
    assert window.header.question.text() == snapshot
    assert window.page.empty.open.isVisible()


def test_that_cancel_keeps_loaded_results_and_does_not_wait_for_others(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    real = importer_module.ImportJob

    def job(*told: object, **more: object) -> importer_module.ImportJob:
        return real(*told, workers=2, read=slow, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(importer_module, "ImportJob", job)
    study = lab(tmp_path / "lab", vm=tmp_path.name)
    seen: list[Progress] = []
    window.importer.progressed.connect(seen.append)
    window.open_paths([study])
    qtbot.waitUntil(lambda: bool(seen) and seen[-1].files_done == 1, timeout=LONG_MS)
    # Meanwhile the page announces the import, and offers no folder to open.
    window.show_page("cache")
    settle_page(window, qtbot)
    assert window.header.question.text() == "Reading results…"
    assert window.page.empty.text.text() == snapshot
    assert not window.page.empty.open.isVisible()
    asked = time.monotonic()
    with qtbot.waitSignal(window.importer.opened, timeout=5_000):
        window.strip.cancel.click()
    assert time.monotonic() - asked < 5, "a file that takes 20 s is not waited for"
    settle(window, qtbot)
    assert [run.name for s in window.workspace.library.studies for run in s.runs] == ["MCS 1VM"]
    assert window.strip.message.full == snapshot


def test_that_the_next_folder_opens_when_the_import_before_it_is_cancelled(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importer_module.ImportJob

    def job(*told: object, **more: object) -> importer_module.ImportJob:
        return real(*told, workers=2, read=slow, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(importer_module, "ImportJob", job)
    seen: list[Progress] = []
    window.importer.progressed.connect(seen.append)
    window.open_paths([lab(tmp_path / "one", vm=tmp_path.name)])
    qtbot.waitUntil(lambda: bool(seen) and seen[-1].files_done == 1, timeout=LONG_MS)
    monkeypatch.setattr(importer_module, "ImportJob", real)
    drop(window, lab(tmp_path / "two"), Qt.KeyboardModifier.ControlModifier)
    assert "two" in window.strip.next.full
    window.strip.cancel.click()
    qtbot.waitUntil(lambda: "two" in names(window), timeout=LONG_MS)
    settle(window, qtbot)
    assert names(window) == ["one", "two"]


def test_that_speed_and_remaining_time_are_shown_once_known(snapshot: SnapshotAssertion) -> None:
    # 40 of 100 MB in 4 s: 10 MB/s, 6 s left.
    assert how_far(Progress(3, 9, 0.4, "", 100_000_000, 4.0)) == snapshot
    assert how_far(Progress(0, 9, 0.0, "", 100_000_000, 4.0)) == "0 of 9 files"
    assert how_far(Progress(1, 9, 0.4, "", 100_000_000, 0.2)) == "1 of 9 files"
