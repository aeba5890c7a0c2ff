"""A network share that does not answer: the window continues, Cancel and Close work, and no code accesses a user's file
on the window's thread."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.gui.conftest import LONG_MS, after, leave, open_and_wait, settle
from tests.stalled import Share
from workbench.gui.services.tasks import PROMPT_S, Tasks
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import with_recent
from workbench.session.state import State
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store

# The promised limit is a second; a busy machine may take three.
OBEYS_S = 3.0


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Share]:
    """A folder with a study, which can stop answering."""
    for number in range(4):
        path = tmp_path / "share" / "lab" / "MCS 4VM" / f"{number}.csv"
        disk_csv(path, f"V{number}", [10.0 + number] * 20, [5.0] * 20)
    monkeypatch.setattr("workbench.gui.services.tasks.PROMPT_S", PROMPT_S)
    share = Share(tmp_path / "share", monkeypatch)
    yield share
    share.release()


def obeyed(qtbot: QtBot, act: Callable[[], object], done: Callable[[], bool]) -> float:
    begun = time.monotonic()
    act()
    qtbot.waitUntil(done, timeout=LONG_MS)
    return time.monotonic() - begun


def test_that_cancel_works_while_folders_are_searched(window: MainWindow, qtbot: QtBot, share: Share) -> None:
    share.stall()
    window.open_paths([share.folder / "lab"])
    qtbot.waitUntil(lambda: share.asked.is_set() and window.importer.running, timeout=LONG_MS)
    assert obeyed(qtbot, window.strip.cancel.click, lambda: not window.busy) < OBEYS_S
    assert "lab did not respond" in window.strip.message.full
    assert not window.importer.running
    share.release()
    open_and_wait(window, qtbot, share.folder / "lab")
    assert [run.name for study in window.workspace.library.studies for run in study.runs] == ["MCS 4VM"]
    assert share.on_main == []


def test_that_results_of_a_share_that_arrive_after_cancel_are_not_shown(
    window: MainWindow, qtbot: QtBot, share: Share
) -> None:
    share.stall()
    window.open_paths([share.folder / "lab"])
    qtbot.waitUntil(lambda: window.importer.running, timeout=LONG_MS)
    window.strip.cancel.click()
    qtbot.waitUntil(lambda: not window.busy, timeout=LONG_MS)
    share.release()
    qtbot.wait(300)
    assert window.workspace.library.studies == ()


@pytest.mark.usefixtures("own_workers")
def test_that_building_studies_after_a_cancel_takes_no_longer_than_a_cancel(
    window: MainWindow, qtbot: QtBot, share: Share, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    reading, studies, go_on = Event(), Event(), Event()

    def cancelled_in_the_middle(job: ImportJob, this: Any) -> Any:
        reading.set()
        assert this.asked.wait(LONG_MS / 1000)
        job.cancel()
        return job.poll()

    def never(*_: object) -> None:
        studies.set()
        go_on.wait()

    monkeypatch.setattr(window.importer, "_drain", cancelled_in_the_middle)
    monkeypatch.setattr("workbench.study.importing.build.build_studies", never)
    window.open_paths([share.folder / "lab"])
    qtbot.waitUntil(reading.is_set, timeout=LONG_MS)
    took = obeyed(qtbot, window.strip.cancel.click, lambda: not window.importer.running)
    assert studies.is_set()
    assert took < OBEYS_S
    assert window.strip.message.full == snapshot
    go_on.set()


def test_that_the_window_closes_while_a_share_does_not_answer(
    qtbot: QtBot, store: Store, share: Share, window: MainWindow
) -> None:
    own = MainWindow(store, State())
    share.stall()
    own.open_paths([share.folder / "lab"])
    qtbot.waitUntil(lambda: own.importer.running, timeout=LONG_MS)
    begun = time.monotonic()
    own.close()
    assert time.monotonic() - begun < OBEYS_S
    assert not own.isVisible()
    share.release()
    own.deleteLater()


def test_that_edits_continue_while_the_share_does_not_answer(window: MainWindow, qtbot: QtBot, share: Share) -> None:
    open_and_wait(window, qtbot, share.folder / "lab")
    share.stall()
    after(window, qtbot, lambda: window.runs.exclude_with([next(iter(window.workspace.library.figures or {}))], "fan"))
    assert window.sessions.journal.write(), "the journal asks for no file of the share"
    window.sessions.save_to(share.folder / "review.vdiwb")
    assert window.strip.message.full == "Waiting for review.vdiwb"
    assert obeyed(qtbot, window.strip.cancel.click, lambda: not window.busy) < OBEYS_S
    assert "did not respond" in window.strip.message.full
    assert window.sessions.dirty, "what was not saved is not taken for saved"
    share.release()
    assert window.sessions.save_to(share.folder / "again.vdiwb")
    assert share.on_main == []


def test_that_a_workspace_file_saved_late_contains_no_later_changes(
    window: MainWindow, qtbot: QtBot, share: Share
) -> None:
    open_and_wait(window, qtbot, share.folder / "lab")
    folder = next(iter(window.workspace.library.figures or {}))
    after(window, qtbot, lambda: window.runs.exclude_with([folder], "fan broke"))
    share.stall()
    assert not window.sessions.save_to(share.folder / "review.vdiwb")
    window.runs.exclude_with([folder], "disk broke")
    share.release()
    settle(window, qtbot)
    assert "fan broke" in (share.folder / "review.vdiwb").read_text()
    assert window.sessions.path == share.folder / "review.vdiwb"
    assert window.sessions.dirty


def test_that_recent_folders_on_a_share_do_not_delay_the_start(
    qtbot: QtBot, store: Store, share: Share, tmp_path: Path, window: MainWindow
) -> None:
    (tmp_path / "here").mkdir()
    settings = with_recent(with_recent(window.settings, str(share.folder / "lab")), str(tmp_path / "here"))
    share.stall()
    begun = time.monotonic()
    own = MainWindow(store, State(), settings)
    assert time.monotonic() - begun < OBEYS_S
    settle(own, qtbot)
    assert [button.accessibleName() for button in _recent(own)] == [f"Open again: {tmp_path / 'here'}"]
    assert share.on_main == []
    leave(own)
    own.deleteLater()


def test_that_an_export_into_a_share_that_does_not_answer_is_cancelled(
    window: MainWindow, qtbot: QtBot, share: Share
) -> None:
    open_and_wait(window, qtbot, share.folder / "lab")
    share.stall()
    window.export_to(share.folder / "out.csv")
    qtbot.waitUntil(lambda: window.exports.running, timeout=LONG_MS)
    # The writing process ends; its cleanup then asks for the folder.
    window.strip.cancel.click()
    assert obeyed(qtbot, lambda: None, lambda: not window.busy) < OBEYS_S
    assert window.strip.message.full.startswith("Cancelled: ")
    assert not window.exports.running
    share.release()
    settle(window, qtbot)
    assert not (share.folder / "out.csv").exists()


@pytest.mark.usefixtures("own_workers")
@pytest.mark.parametrize("seed", [0, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 3))])
def test_that_a_cancel_at_a_random_moment_leaves_no_files(
    qtbot: QtBot, tmp_path: Path, seed: int, window: MainWindow
) -> None:
    store = Store(tmp_path / "store")
    window.importer.store = store
    for number in range(12):
        disk_csv(tmp_path / "lab" / "MCS" / f"{number}.csv", f"V{number}", [1.0] * 4_000, [2.0] * 4_000)
    window.open_paths([tmp_path / "lab"])
    qtbot.wait(random.Random(seed).randrange(0, 2_500))
    took = obeyed(qtbot, window.strip.cancel.click, lambda: not window.busy)
    assert took < OBEYS_S
    assert multiprocessing.active_children() == []
    assert [path for path in store.root.rglob("*") if ".part" in path.name or path.suffix == ".owner"] == []
    for report in window.workspace.library.files:
        assert report.rows in (0, 4_000), "a file is read whole or not at all"
    open_and_wait(window, qtbot, tmp_path / "lab")
    problems = [problem for study in window.workspace.library.studies for problem in study.problems]
    assert [report.rows for report in window.workspace.library.files] == [4_000] * 12, problems


def _recent(window: MainWindow) -> list[object]:
    layout = window.page.empty.recent
    widgets = [layout.itemAt(at).widget() for at in range(layout.count())]
    return [widget for widget in widgets if widget.accessibleName().startswith("Open again")]


def test_that_no_workflow_accesses_user_files_on_the_window_thread(
    window: MainWindow, qtbot: QtBot, share: Share
) -> None:
    lab, session = share.folder / "lab", share.folder / "review.vdiwb"
    open_and_wait(window, qtbot, lab)
    after(window, qtbot, lambda: window.show_page("per-vm-iops"))
    after(window, qtbot, lambda: window.runs.exclude_with([next(iter(window.workspace.library.figures or {}))], "fan"))
    assert window.sessions.journal.write()
    after(window, qtbot, lambda: window.sessions.save_to(session))
    after(window, qtbot, window.folders.refresh)
    after(window, qtbot, lambda: window.folders.add([lab / "MCS 4VM"]))
    after(window, qtbot, lambda: window.sessions.save_bundle_to(share.folder / "all.vdibundle"))
    window.settings = window.settings.__class__(export_folder=str(share.folder))
    after(window, qtbot, window.export_dialog)
    dialog = window.exports.dialog
    assert dialog is not None
    dialog.close()
    after(window, qtbot, lambda: window.export_to(share.folder / "out.csv"))
    after(window, qtbot, lambda: window.open_paths([session]))
    after(window, qtbot, window.folders.close_study)
    assert share.on_main == []
    assert lab.exists()
    assert len(share.on_main) == 1, "what is asked here is noted"


def test_that_background_work_that_never_ends_does_not_delay_other_work(qtbot: QtBot, share: Share) -> None:
    tasks = Tasks()
    share.stall()
    for number in range(8):
        tasks.run(f"look {number}", (share.folder / "lab").exists, lambda _: None, apart=True)
    answers: list[int] = []
    tasks.run("page", lambda: 7, answers.append)
    qtbot.waitUntil(lambda: answers == [7], timeout=LONG_MS)
    assert tasks.busy
    tasks.abandon(*(f"look {number}" for number in range(8)))
    assert not tasks.busy
    begun = time.monotonic()
    tasks.shut_down()
    assert time.monotonic() - begun < OBEYS_S
    share.release()
