"""Ctrl+C and SIGTERM close the window normally: the work is in the journal, no process runs on, no traceback."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from tests.gui.unsaved import lab
from tests.processes import ended, running, until_ready
from workbench.session.journal import journals, read_journal

KEPT = "Stopped. The next start offers to restore unsaved work.\n"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to a group of processes")


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))


@pytest.mark.parametrize(
    ("what", "number", "status"),
    [
        # Both signals use the same code.
        ("import", signal.SIGINT, 130),
        ("idle", signal.SIGTERM, 143),
        *(
            pytest.param(what, number, status, marks=pytest.mark.slow)
            for number, status, moments in (
                (signal.SIGINT, 130, ("idle", "question", "dialog", "export")),
                (signal.SIGTERM, 143, ("question", "dialog", "import", "export")),
            )
            for what in moments
        ),
    ],
)
def test_that_a_signal_ends_the_window_with_its_work_in_the_journal(
    tmp_path: Path, what: str, number: signal.Signals, status: int
) -> None:
    study, other = lab(tmp_path / "one"), lab(tmp_path / "two")
    third = other if what == "import" else tmp_path / "out.xlsx"
    with running("-m", "tests.gui.driven_window", what, str(study), str(third)) as program:
        until_ready(program)
        # A terminal sends Ctrl+C to every process of the group, a service manager SIGTERM to the program.
        if number is signal.SIGINT:
            os.killpg(program.pid, number)
        else:
            program.send_signal(number)
        assert ended(program) == (status, KEPT)
    (file,) = journals()
    kept = read_journal(file)
    assert kept is not None
    assert list(kept.document.state.excluded.values()) == ["fan broke"]
    assert QLockFile(f"{file}.lock").tryLock(0), "the next start can offer it"
    assert not (tmp_path / "out.xlsx").exists()


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), pytest.param("SIGHUP", 129, marks=pytest.mark.slow)])
def test_that_a_window_without_unsaved_work_leaves_no_journal(tmp_path: Path, name: str, status: int) -> None:
    with running("-m", "tests.gui.driven_window", "untouched", str(lab(tmp_path / "one"))) as program:
        until_ready(program)
        os.killpg(program.pid, signal.Signals[name])
        assert ended(program) == (status, "Stopped.\n")
    assert journals() == []


_START = (
    "import sys; from workbench.gui.shell import start; print('ready', flush=True); sys.exit(start.main(sys.argv[1:]))"
)


@pytest.mark.parametrize(
    "after_s", [0.05, 0.5, *(pytest.param(after_s, marks=pytest.mark.slow) for after_s in (0.2, 0.8, 1.2, 1.6, 2.0))]
)
def test_that_ctrl_c_during_the_start_prints_one_line(tmp_path: Path, after_s: float) -> None:
    with running("-c", _START, str(lab(tmp_path / "one"))) as program:
        until_ready(program)
        time.sleep(after_s)
        os.killpg(program.pid, signal.SIGINT)
        assert ended(program) == (130, "Stopped.\n")
