"""The resources of a process: memory, threads, open files, child processes, temporary files and widgets."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

import msgspec
from PySide6.QtWidgets import QApplication

_PROCESS = Path("/proc/self")


class Reading(msgspec.Struct, frozen=True):
    """Quantities after a number of rounds; memory is anonymous (RssAnon), in MB, without the free memory that the C
    library keeps; in use is the memory taken from that library and not given back."""

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
    """Memory taken from the C library and not given back, in MB: nearly all objects of Qt. Raises AttributeError if the
    library is not glibc 2.33 or newer."""
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = _Heap
    heap = ask()
    return float(heap.uordblks + heap.hblkhd) / 2**20


def reading(number: int, temporary: Path) -> Reading:
    """The quantities of this process now. Raises OSError if the system lacks /proc.

    Freed memory is given back first (glibc's malloc_trim). The library keeps up to 50 MB of it, which is not a leak but
    moved the figure by 5 to 12 MB between two rounds.
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
    """The living child processes of a process."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        # A thread may end while the list is read.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += [int(child) for child in (task / "children").read_text("ascii").split()]
    return found


def is_worker(process: int) -> bool:
    """True if a process reads or writes for the window; False for Python's own process for shared memory."""
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
