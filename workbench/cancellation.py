"""Ctrl+C and Cancel: the status that shells expect, a start that Ctrl+C can end at any moment without a traceback, and
work that hears that nobody waits for it any more, or is left behind where a network share holds it up for ever.
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
# How often a program that waits for a thread listens for Ctrl+C.
_LISTEN_S = 0.05
# So long work that is to end may take to tidy up.
_TIDY_S = 0.5
T = TypeVar("T")


class Cancelled(BaseException):
    """Raised by `stop_if_cancelled` in work that nobody waits for any more."""


class Process(Protocol):
    """The part of multiprocessing's process that is used."""

    @property
    def pid(self) -> int | None:
        """Its id."""

    def join(self) -> None:
        """Waits until it has ended."""


_WORK = local()
# Processes that did not end when they were killed: a share holds them up, and waiting for them would take as long.
_LEFT_BEHIND: list[Process] = []


@contextmanager
def cancelled_by(asked: Event) -> Iterator[None]:
    """Work of this thread within ends at its next `stop_if_cancelled` once `asked` is set."""
    before = getattr(_WORK, "asked", None)
    _WORK.asked = asked
    try:
        yield
    finally:
        _WORK.asked = before


def stop_if_cancelled() -> None:
    """Raises Cancelled where the work of this thread is cancelled."""
    asked: Event | None = getattr(_WORK, "asked", None)
    if asked is not None and asked.is_set():
        raise Cancelled


def beside(work: Callable[[], T], listen: Callable[[], None] = lambda: None) -> T:
    """What `work` returns or raises, done on a thread: where a share holds it up, Ctrl+C is heard all the same and the
    thread is left behind. `listen` is called while it takes."""
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
    """Notes a process that does not end now; see `end_without_waiting`. Nothing is kept of one that ends after all."""
    _LEFT_BEHIND.append(process)
    # Where the system has no further thread the note stays: callers have others to end.
    with suppress(RuntimeError):
        Thread(target=_forget_once_ended, args=(process,), name="left behind", daemon=True).start()


def _forget_once_ended(process: Process) -> None:
    # Who else waits for it may be told first; then this hears that it has ended, and not how.
    try:
        process.join()
    finally:
        _LEFT_BEHIND.remove(process)


def end_without_waiting(status: int) -> None:
    """Ends the program with this status if processes were left behind: Python would wait for them."""
    if _LEFT_BEHIND:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)


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
