"""Ctrl+C: the status that shells expect, and a start that it can end at any moment without a traceback."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
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


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Ctrl+C within raises KeyboardInterrupt once, for those who have workers to end; pressed again it ends the process
    at once, with one line."""
    before = signal.getsignal(signal.SIGINT)
    ours = current_thread() is main_thread() and before in (signal.default_int_handler, _end)
    if ours:
        signal.signal(signal.SIGINT, _raise_once)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)


@contextmanager
def postponed() -> Iterator[Callable[[], None]]:
    """Ctrl+C within raises KeyboardInterrupt only where the function that is yielded is called, and at the end.

    Raised anywhere it may leave a lock taken that another thread waits for. Pressed again it ends the process at once.
    """
    heard: list[int] = []

    def raise_now() -> None:
        if heard:
            heard.clear()
            raise KeyboardInterrupt

    def note(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        signal.signal(signal.SIGINT, _end)

    before = signal.getsignal(signal.SIGINT)
    ours = current_thread() is main_thread() and before in (signal.default_int_handler, _end, _raise_once)
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield raise_now
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)
    raise_now()


def _raise_once(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _end)
    raise KeyboardInterrupt


def _end(number: int, _frame: FrameType | None) -> None:
    os.write(2, f"{STOPPED}\n".encode())
    os._exit(status_of(number))
