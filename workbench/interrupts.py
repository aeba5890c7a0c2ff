"""Ctrl+C: the status that shells expect, and a start that it can end at any moment without a traceback."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

STOPPED = "Stopped."


def status_of(number: int) -> int:
    """What shells report of a program that this signal has ended."""
    return 128 + number


@contextmanager
def ended_at_once() -> Iterator[None]:
    """Ctrl+C within ends the process with one line and without tidying up.

    For the time while libraries load: there is nothing to tidy up yet, and an exception raised within them ends as a
    traceback, or as an error of theirs. Whoever has something to lose puts another handler in the place of this one.
    """
    ours = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        if ours and signal.getsignal(signal.SIGINT) is _end:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(number: int, _frame: FrameType | None) -> None:
    os.write(2, f"{STOPPED}\n".encode())
    os._exit(status_of(number))
