"""Readers that raise, hang or kill their process, as a worker may meet them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import polars as pl

from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study.importing.source import Mappings, read_source
from workbench.study.store import descriptions
from workbench.study.store.column_store import Store


class Panic(BaseException):
    """Like polars' PanicException: not a subclass of Exception."""


class StrangeError(Exception):
    """An exception that cannot be sent to another process, because its constructor needs more than the message."""

    def __init__(self, what: str, where: int) -> None:
        super().__init__(f"{what} at {where}")


def misbehave(path: Path, name: str, store: Store) -> Reading:
    """Performs the action in the name of the file."""
    if "raise" in name:
        raise RuntimeError("a defect of the reader")
    if "panic" in name:
        raise Panic("index out of bounds")
    if "strange" in name:
        raise StrangeError("a defect", 7)
    if "exit" in name:
        raise SystemExit(3)
    if "interrupt" in name:
        raise KeyboardInterrupt
    if "die" in name:
        # Windows knows no SIGKILL; any other signal ends the process there.
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    if "hang" in name:
        time.sleep(600)
    return Reading(FileReport(path=name, recognised=True, rows=1))


def leave_a_note(path: Path, name: str, store: Store, mappings: Mappings | None = None) -> Reading:
    """Reads normally, and writes a file next to the store for each file that was read."""
    with (store.root / "notes.txt").open("a") as notes:
        notes.write(f"{name}\n")
    return read_source(path, name, store, mappings)


def count_threads(path: Path, name: str, store: Store) -> Reading:
    """Returns the number of polars threads here instead of rows."""
    return Reading(FileReport(path=name, recognised=True, rows=pl.thread_pool_size()))


def read_as_very_many(path: Path, name: str, store: Store) -> Reading:
    """Reads normally, and treats a few counters like a large number, so the reading is loaded from the store."""
    descriptions.WIDE = 1
    return leave_a_note(path, name, store)


def name_the_process(path: Path, name: str, store: Store) -> Reading:
    """Returns the id of the process that read the file instead of rows."""
    return Reading(FileReport(path=name, recognised=True, rows=os.getpid()))
