"""What a process holds: memory, threads, open files, processes it has started, temporary files and widgets."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

import msgspec
from PySide6.QtWidgets import QApplication

_PROCESS = Path("/proc/self")


class Reading(msgspec.Struct, frozen=True):
    """What is held after so many rounds; memory is anonymous (RssAnon), in MB, without what the C library keeps free
    for later; in use is what was taken of that library and not given back."""

    round: int
    memory_mb: float
    threads: int
    handles: int
    children: int
    files: int
    widgets: int
    in_use_mb: float


class _Heap(ctypes.Structure):
    """The heaps of glibc, in bytes (`struct mallinfo2`)."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"
        )
    ]  # fmt: skip


def in_use_mb() -> float:
    """What was taken of the C library and not given back, in MB: Qt's things are nearly all of it. Raises
    AttributeError where the library is not glibc 2.33 or newer."""
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = _Heap
    heap = ask()
    return float(heap.uordblks + heap.hblkhd) / 2**20


def reading(number: int, temporary: Path) -> Reading:
    """What this process holds now. Raises OSError where the system has no /proc.

    Memory that was freed is given back first (glibc's malloc_trim). The library keeps up to 50 MB of it, which is no
    leak, and with it the figure jumped by 5 to 12 MB between two rounds.
    """
    ctypes.CDLL(None).malloc_trim(0)
    status = dict(line.split(":\t", 1) for line in (_PROCESS / "status").read_text("utf-8").splitlines())
    return Reading(
        number,
        int(status["RssAnon"].split()[0]) / 1024,
        int(status["Threads"]),
        sum(1 for _ in (_PROCESS / "fd").iterdir()),
        len(children(os.getpid())),
        sum(1 for file in temporary.rglob("*") if file.is_file()),
        len(QApplication.allWidgets()),
        in_use_mb(),
    )


def children(process: int) -> list[int]:
    """The processes that a process has started and that live."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        # A thread may end while the list of them is gone through.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += [int(child) for child in (task / "children").read_text("ascii").split()]
    return found


def is_worker(process: int) -> bool:
    """Whether a process reads or writes for the window; Python's own that watches over shared memory is none."""
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
