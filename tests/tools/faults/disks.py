"""Full and read-only disks, and a lock that another program holds.

A small disk in memory is mounted over the folder of an operation, only for its process and child processes. This needs
no special rights if the system allows user namespaces.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable
from pathlib import Path

import msgspec

from tests.tools.faults.points import Clean, Outcome, Point, Trial, forked
from tests.tools.faults.work import Room
from workbench.study.importing import spool
from workbench.study.store.column_store import Store

# KB that are free when the operation begins.
FREE_KB = (0, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
FULL, STORE_READ_ONLY, FOLDER_READ_ONLY, LOCKED = "full disk", "read-only store", "read-only folder", "lock held"
_NEW_MOUNTS, _NEW_USER = 0x20000, 0x10000000
_READ_ONLY, _REMOUNT, _BIND = 1, 32, 4096
_ROOMY = "size=512m"


def why_not(folder: Path) -> str:
    """The reason why no disk can be mounted here; empty if one can."""
    status, words = forked(lambda: _mounted(folder), folder.with_suffix(".words"))
    return "" if status == 0 else f"no disk can be mounted here: {words.strip().splitlines()[-1]}"


def points_of(operation: str) -> list[Point]:
    """The faults: a disk that gets full at ten moments, both folders read-only, and a lock of another program."""
    full = [Point(operation, free, FULL) for free in FREE_KB]
    return [*full, *(Point(operation, 0, kind) for kind in (STORE_READ_ONLY, FOLDER_READ_ONLY, LOCKED))]


def tried(trial: Trial, point: Point, clean: Clean, disk: Path, words: Path) -> Outcome:
    """The outcome of an operation with this disk."""

    def show() -> int:
        _mounted(disk)
        begin, end = _spoilers(point, disk)
        print(msgspec.json.encode(trial.spoiled(point, clean, begin, end)).decode())
        return 0

    status, printed = forked(show, words, 300.0)
    assert status == 0, printed
    return msgspec.json.decode(printed, type=Outcome)


def _spoilers(point: Point, disk: Path) -> tuple[Callable[[Room], None], Callable[[], str]]:
    if point.mode == FULL:

        def fill(_room: Room) -> None:
            state = os.statvfs(disk)
            used = (state.f_blocks - state.f_bfree) * state.f_frsize
            _mount(disk, _REMOUNT, f"size={used // 1024 + point.at}k")

        def free() -> str:
            _mount(disk, _REMOUNT, _ROOMY)
            return f"{point.at} KB free"

        return fill, free
    if point.mode == LOCKED:
        return _locked()
    folders: list[Path] = []

    def close(room: Room) -> None:
        folders.append(room.store if point.mode == STORE_READ_ONLY else room.out)
        _mount(folders[0], _BIND, "", folders[0])
        _mount(folders[0], _BIND | _REMOUNT | _READ_ONLY, "")

    def open_again() -> str:
        _mount(folders[0], _BIND | _REMOUNT, "")
        return f"/{folders[0].name}"

    return close, open_again


def _locked() -> tuple[Callable[[Room], None], Callable[[], str]]:
    """Another program holds the lock of a file in the spool of the store. File and lock must still exist after the
    operation."""
    others: list[tuple[int, Path]] = []

    def hold(room: Room) -> None:
        ready, told = os.pipe()
        process = os.fork()
        if not process:
            os.write(told, os.fsencode(spool.new_file(Store(room.store))))
            while True:
                signal.pause()
        others.append((process, Path(os.fsdecode(os.read(ready, 4096)))))

    def let_go() -> str:
        ((process, file),) = others
        there = file.exists()
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        assert there, "the file of a program that lives was deleted"
        return "/store/v1/spool"

    return hold, let_go


def _mounted(folder: Path) -> int:
    """Mounts a large disk over the folder for this process only. Raises OSError without permission."""
    user, group = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_MOUNTS | _NEW_USER):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    for name, line in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        Path(f"/proc/self/{name}").write_text(line, encoding="ascii")
    folder.mkdir(exist_ok=True)
    _mount(folder, 0, _ROOMY)
    return 0


def _mount(folder: Path, flags: int, options: str, source: Path = Path("tmpfs")) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    arguments = (os.fsencode(source), os.fsencode(folder), b"tmpfs", flags, options.encode())
    if libc.mount(*arguments):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))
