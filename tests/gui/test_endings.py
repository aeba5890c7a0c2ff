"""Ctrl+C and SIGTERM end the window in order: the work is in the journal, nothing is left running, no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from tests.gui.test_unsaved_work import lab
from tests.processes import wait_until_gone
from workbench.session.journal import journals, read_journal

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60
# The offscreen platform says this of every dialog.
OF_QT = "This plugin does not support propagateSizeHints()\n"
KEPT = "Stopped. Unsaved work is offered at the next start.\n"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to a group of processes")


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program of ours in a group of its own, as a terminal starts it."""
    with subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as program:  # fmt: skip
        try:
            yield program
        finally:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)


def until_ready(program: subprocess.Popen[str]) -> None:
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit status, and what was said on the terminal."""
    _, said = program.communicate(timeout=PATIENCE_S)
    wait_until_gone(program.pid)
    return program.returncode, said.replace(OF_QT, "")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("what", ["idle", "question", "dialog", "import", "export"])
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


def test_that_a_window_without_unsaved_work_leaves_no_journal(tmp_path: Path) -> None:
    with running("-m", "tests.gui.driven_window", "untouched", str(lab(tmp_path / "one"))) as program:
        until_ready(program)
        os.killpg(program.pid, signal.SIGINT)
        assert ended(program) == (130, "Stopped.\n")
    assert journals() == []


_START = "import sys; from workbench.gui import start; print('ready', flush=True); sys.exit(start.main(sys.argv[1:]))"


@pytest.mark.parametrize("after_s", [0.05, 0.2, 0.5, 0.8, 1.2, 1.6, 2.0])
def test_that_ctrl_c_while_the_window_starts_is_one_line(tmp_path: Path, after_s: float) -> None:
    with running("-c", _START, str(lab(tmp_path / "one"))) as program:
        until_ready(program)
        time.sleep(after_s)
        os.killpg(program.pid, signal.SIGINT)
        assert ended(program) == (130, "Stopped.\n")
