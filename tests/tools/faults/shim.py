"""A shim between the program and the system (`shim.c`). It counts the calls that open, write, sync, rename, link,
delete or make something below one folder; the n-th call fails or ends the program.

It is loaded before the system's library instead of replacing Python's functions: polars writes the columns, Qt the
pictures and the report, and workers read the files. A shim in Python would see none of these calls. It needs Linux and
a C compiler; without one its tests are skipped with this reason.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
CONTROL = "FAULTS_CONTROL"
_TEXT = 1024


class Mode(IntEnum):
    """The failure at the counted call; `KILL_ALL` ends the program with its workers, `KILL_ONE` the process."""

    COUNT = 0
    FAIL = 1
    KILL_ALL = 2
    KILL_ONE = 3


class _Control(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_longlong),
        ("at", ctypes.c_longlong),
        ("mode", ctypes.c_int),
        ("error", ctypes.c_int),
        ("happened", ctypes.c_int),
        ("folder_length", ctypes.c_int),
        ("folder", ctypes.c_char * _TEXT),
        ("call", ctypes.c_char * _TEXT),
    ]


def why_not() -> str:
    """The reason why the shim cannot be used here; empty if it can."""
    if sys.platform != "linux":
        return "the shim between the program and the system needs Linux"
    return "" if shutil.which("cc") else "there is no C compiler (cc) to build the shim with"


def preloaded(folder: Path) -> dict[str, str]:
    """Builds the shim in a folder; returns the environment of a program that runs with it."""
    library, control = folder / "shim.so", folder / "control"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    control.write_bytes(bytes(ctypes.sizeof(_Control)))
    return {"LD_PRELOAD": str(library), CONTROL: str(control)}


class Shim:
    """The shim under which this process was started; its workers use the same one."""

    def __init__(self) -> None:
        with Path(os.environ[CONTROL]).open("rb+") as stream:
            self._memory = mmap.mmap(stream.fileno(), 0)
        self._control = _Control.from_buffer(self._memory)

    def arm(self, folder: Path, mode: Mode, at: int = 0, error: int = 0) -> None:
        """Counts calls below the folder from 1 from now on; the call of this number fails with this errno."""
        self.disarm()
        name = os.fsencode(f"{folder}/")
        control = self._control
        control.count, control.at, control.mode, control.error, control.happened = 0, at, mode, error, 0
        control.folder, control.call = name, b""
        control.folder_length = len(name)

    def disarm(self) -> None:
        """Stops the counting."""
        self._control.folder_length = 0

    @property
    def count(self) -> int:
        """The calls since `arm`."""
        return int(self._control.count)

    @property
    def call(self) -> str:
        """The call that failed and its path; empty without one."""
        return os.fsdecode(self._control.call) if self._control.happened else ""
