"""Programs that tests start in a separate process group, like a terminal, and their remaining processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
_PATIENCE_S = 60
# Qt's offscreen platform prints this for every dialog.
_OF_QT = "This plugin does not support propagateSizeHints()\n"


def _heeding_signals() -> None:
    """Restores the default handling of signals. A suite in the background or under nohup ignores some, and child
    processes inherit that."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Starts Python with these arguments; remaining processes are killed after the test."""
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=_heeding_signals,
    ) as program:
        try:
            yield program
        finally:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)


def until_ready(program: subprocess.Popen[str]) -> None:
    """Waits for the line with which the program reports this moment."""
    assert program.stdout is not None
    said = program.stdout.readline()
    assert said == "ready\n", (said, *program.communicate(timeout=_PATIENCE_S), program.returncode)


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit status, and the text on standard error; all processes of the group have ended."""
    _, said = program.communicate(timeout=_PATIENCE_S)
    wait_until_gone(program.pid)
    return program.returncode, said.replace(_OF_QT, "")


def wait_until_gone(group: int) -> None:
    """Returns when all processes of the group have ended; fails after 20 seconds."""
    end = time.monotonic() + 20
    while _alive(group):
        assert time.monotonic() < end, "a worker outlived the program"
        time.sleep(0.05)


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
