"""What a process holds: memory, threads, open files, processes it has started, temporary files and widgets."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from PySide6.QtWidgets import QApplication

_PROCESS = Path("/proc/self")


class Reading(msgspec.Struct, frozen=True):
    """What is held after so many rounds; memory is anonymous (RssAnon), in MB."""

    round: int
    memory_mb: float
    threads: int
    handles: int
    children: int
    files: int
    widgets: int


def reading(number: int, temporary: Path) -> Reading:
    """What this process holds now. Raises OSError where the system has no /proc."""
    status = dict(line.split(":\t", 1) for line in (_PROCESS / "status").read_text("utf-8").splitlines())
    return Reading(
        number,
        int(status["RssAnon"].split()[0]) / 1024,
        int(status["Threads"]),
        sum(1 for _ in (_PROCESS / "fd").iterdir()),
        len(children(os.getpid())),
        sum(1 for file in temporary.rglob("*") if file.is_file()),
        len(QApplication.allWidgets()),
    )


def children(process: int) -> list[int]:
    """The processes that a process has started and that live."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        # A thread may end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += [int(child) for child in (task / "children").read_text("ascii").split()]
    return found


def is_worker(process: int) -> bool:
    """Whether a process reads or writes for the window; Python's own that watches over shared memory is none."""
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
