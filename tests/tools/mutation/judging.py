"""Judging mutants: one process judges many of them, and ends if a mutant blocks it or changes its state."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.tools.mutation.mutants import Mutant
from tests.tools.mutation.process import Start, serve
from tests.tools.mutation.record import Record

# Limit of starting a process, importing the program and collecting tests; other load may slow a test.
_BEGIN_S, _LOAD = 120.0, 5.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a mutant. `how`: the test that failed or "time", otherwise the tests that passed."""

    mutant: Mutant
    killed: bool
    how: str
    seconds: float


class Process:
    """A process that runs tests; `with` ends it."""

    def __init__(self, start: Start) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other, start))
        self._process.start()
        other.close()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def ask(self, order: object, limit_s: float) -> Any:
        """The answer of the process. Raises TimeoutError after that many seconds, and EOFError if the process ends
        before."""
        with suppress(BrokenPipeError):
            self._connection.send(order)
        if not self._connection.poll(limit_s):
            raise TimeoutError
        try:
            return self._connection.recv()
        except ConnectionResetError as error:
            raise EOFError from error

    def end(self) -> None:
        """Ends the process with the programs that its tests started."""
        for end in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                end(self._process.pid or 0, signal.SIGKILL)
        self._process.join()
        self._connection.close()


class Judge:
    """Judges mutants one after another; `with` ends its process."""

    def __init__(self, project: Path, seed: int, record: Record) -> None:
        self._start, self._record = Start(project, seed), record
        self._living: Process | None = None

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def judge(self, mutant: Mutant) -> Verdict:
        """The verdict of the tests that run the mutant."""
        started = time.monotonic()
        source = (self._start.project / mutant.file).read_text(encoding="utf-8")
        tests, alone = self._record.asked(mutant, source)
        failing = self._failing(mutant, tests, alone) if tests else ""
        passed = f"{len(tests)} tests, the last {tests[-1][0]}" if tests else ""
        return Verdict(mutant, bool(failing), failing or passed, time.monotonic() - started)

    def _failing(self, mutant: Mutant, tests: Sequence[tuple[str, float]], alone: bool) -> str:
        """The test that fails, or "time"; empty if all pass. If the running process is disturbed, hangs or ends, a new
        process decides; it loads the mutant like any module."""
        if not alone:
            self._living = self._living or Process(self._start)
            with suppress(TimeoutError, EOFError):
                failing = self._living.ask((mutant, tests), _limit(tests))
                if failing is not None:
                    return str(failing)
            self._end()
        with Process(replace(self._start, mutant=mutant)) as process:
            try:
                return str(process.ask((None, tests), _limit(tests)))
            except (TimeoutError, EOFError) as error:
                return "time" if isinstance(error, TimeoutError) else "the process ended"

    def _end(self) -> None:
        if self._living:
            self._living.end()
        self._living = None


def _limit(tests: Sequence[tuple[str, float]]) -> float:
    return _BEGIN_S + _LOAD * sum(seconds for _, seconds in tests)
