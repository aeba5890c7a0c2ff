"""Ctrl+C and Cancel.

The program ends with the exit status that shells expect, and Ctrl+C ends it without a traceback, even during start.
Work stops once its result is not needed any more. Work that a network share blocks is abandoned.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread, current_thread, local, main_thread
from types import FrameType
from typing import Protocol, TypeVar

STOPPED = "Stopped."
# Interval at which a program that waits for a thread checks for Ctrl+C.
_LISTEN_S = 0.05
# Time that cancelled work has for cleaning up.
_TIDY_S = 0.5
T = TypeVar("T")


class Cancelled(BaseException):
    """Raised by `stop_if_cancelled` in work whose result is not needed any more."""


class Process(Protocol):
    """The part of a multiprocessing process that is used here."""

    @property
    def pid(self) -> int | None:
        """The process id."""

    def join(self) -> None:
        """Wait until the process has ended."""


_WORK = local()
# Processes that did not end when killed, because a network share blocks them. Waiting for them would block too.
_LEFT_BEHIND: list[Process] = []


@contextmanager
def cancelled_by(asked: Event) -> Iterator[None]:
    """In this block, work of this thread ends at its next `stop_if_cancelled` once `asked` is set."""
    before = getattr(_WORK, "asked", None)
    _WORK.asked = asked
    try:
        yield
    finally:
        _WORK.asked = before


def stop_if_cancelled() -> None:
    """Raises Cancelled if the work of this thread is cancelled."""
    asked: Event | None = getattr(_WORK, "asked", None)
    if asked is not None and asked.is_set():
        raise Cancelled


def beside(work: Callable[[], T], listen: Callable[[], None] = lambda: None) -> T:
    """Run `work` on a thread; return or raise its result. `listen` is called while it runs.

    If a network share blocks the work, Ctrl+C still works and the thread is abandoned.
    """
    answers: list[T] = []
    errors: list[BaseException] = []
    asked = Event()

    def run() -> None:
        try:
            with cancelled_by(asked):
                answers.append(work())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=run, name="beside", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_LISTEN_S)
            listen()
    except BaseException:
        asked.set()
        thread.join(_TIDY_S)
        raise
    if errors:
        raise errors[0]
    return answers[0]


def leave_behind(process: Process) -> None:
    """Record a process that does not end now (see `end_without_waiting`). The record is removed if it ends later."""
    _LEFT_BEHIND.append(process)
    # If the system cannot start another thread, the record stays, because callers must continue and end other
    # processes.
    with suppress(RuntimeError):
        Thread(target=_forget_once_ended, args=(process,), name="left behind", daemon=True).start()


def _forget_once_ended(process: Process) -> None:
    # Another waiter may get the exit status first; then join() fails here, but the process has ended.
    try:
        process.join()
    finally:
        _LEFT_BEHIND.remove(process)


def end_without_waiting(status: int) -> None:
    """End the program with this status if processes were abandoned, because Python would wait for them."""
    if _LEFT_BEHIND:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)


def status_of(number: int) -> int:
    """The exit status that shells report for a program ended by this signal."""
    return 128 + number


@contextmanager
def ended_at_once() -> Iterator[None]:
    """In this block, Ctrl+C ends the process with one line and without cleaning up.

    Use it while libraries load. There is nothing to clean up yet, and an exception raised inside them becomes a
    traceback or another error. Code with data to save installs another handler.
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
    """In this block, the first Ctrl+C raises KeyboardInterrupt, so workers can be ended. The second one ends the
    process at once, with one line."""
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
    """In this block, Ctrl+C raises KeyboardInterrupt only when the yielded function is called, and at the end.

    Raised anywhere else, it may leave a lock held that another thread waits for. A second Ctrl+C ends the process at
    once.
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
