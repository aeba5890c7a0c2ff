"""What workers are given and how they are started: small files together, cores shared, deaf to Ctrl+C."""

from __future__ import annotations

import os
import signal
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TypeVar

File = TypeVar("File", bound=Hashable)

# Handing a file to a worker costs more than reading a small one: those go together, up to so many at once.
BATCH_FILES = 24
BATCH_BYTES = 4_000_000
_POLARS_THREADS = "POLARS_MAX_THREADS"


def batches(sizes: dict[File, int], workers: int) -> list[tuple[File, ...]]:
    """The files largest first, small ones together; enough tasks for every worker to have several."""
    most = min(BATCH_FILES, max(1, len(sizes) // (4 * workers)))
    found: list[tuple[File, ...]] = []
    batch: list[File] = []
    room = BATCH_BYTES
    for source in sorted(sizes, key=lambda source: -sizes[source]):
        if batch and (len(batch) == most or sizes[source] > room):
            found.append(tuple(batch))
            batch, room = [], BATCH_BYTES
        batch.append(source)
        room -= sizes[source]
    return [*found, tuple(batch)] if batch else found


def evenly_busy(sizes: dict[File, int], workers: int) -> bool:
    """Whether there is so much beside the largest file that every worker has something to do meanwhile."""
    return max(sizes.values()) * workers <= sum(sizes.values())


@contextmanager
def threads_of_workers(number: int | None) -> Iterator[None]:
    """Processes started within give polars so many threads: where every core has a worker, one does."""
    before = os.environ.get(_POLARS_THREADS)
    if number is None or before is not None:
        yield
        return
    os.environ[_POLARS_THREADS] = str(number)
    try:
        yield
    finally:
        del os.environ[_POLARS_THREADS]


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Processes started within never hear of Ctrl+C: it is for the program, which then ends them."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
