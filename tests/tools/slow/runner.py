"""Suites within their time: first those that need both cores, one after another, then the others side by side."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from tests.tools.slow.suite import Command, Work

ROOT = Path(__file__).parents[3]
# A suite hangs if it exceeds its time by this.
PATIENCE_S = 1_200.0
_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class Row:
    """The work of a suite in this run: further steps, minutes; and the reason if it was not started."""

    work: Work
    more: int = 0
    minutes: float = 0.0
    why_not: str = ""


class Runner:
    """Runs suites; `stop` ends the running ones and starts no others."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self.stop, self._patience_s = Event(), patience_s

    def run(self, works: Sequence[Work], minutes: float) -> list[Row]:
        """A row for each, in this order, after that many minutes or earlier."""
        begin, left = time.monotonic(), [work for work in works if not work.finished]
        alone, lanes = [work for work in left if work.suite.alone], lanes_of([w for w in left if not w.suite.alone])
        parts = [sum(work.suite.minutes for work in lane) for lane in (alone, *lanes)]
        share = parts[0] / (parts[0] + max(parts[1:]) or 1.0)
        rows = list(self._in_turn(alone, begin + 60 * minutes * share))
        with ThreadPoolExecutor(len(lanes)) as pool:
            running = [
                pool.submit(lambda lane: list(self._in_turn(lane, begin + 60 * minutes)), lane) for lane in lanes
            ]
            try:
                rows += [row for future in running for row in future.result()]
            except KeyboardInterrupt:
                self.stop.set()
                raise
        done = {row.work.suite.name: row for row in rows}
        return [done.get(work.suite.name, Row(work)) for work in works]

    def _in_turn(self, works: Sequence[Work], end: float) -> Iterator[Row]:
        """Runs suites one after another. Later suites get the time that earlier ones leave; the first starts even
        without time, so each run makes progress."""
        for place, work in enumerate(works):
            left, suite = (end - time.monotonic()) / 60, work.suite
            share = left * suite.minutes / sum(other.suite.minutes for other in works[place:])
            if suite.least and left < suite.least:
                yield Row(work, why_not=f"needs {suite.least:g} minutes")
            elif place and left <= 0:
                yield Row(work, why_not="no time was left")
            elif not self.stop.is_set():
                yield self._row(work, max(share, suite.least))

    def _row(self, work: Work, minutes: float) -> Row:
        print(f"{work.suite.name}: {minutes:.1f} minutes from now at most; {work.log}", flush=True)
        work.begin()
        begin, before = time.monotonic(), work.count.done
        try:
            self._steps(work, begin + 60 * minutes)
        except RuntimeError as error:
            _note(work.log, str(error))
            work.ended("its steps", passed=False, seconds=0.0)
        return Row(work, max(0, work.count.done - before), (time.monotonic() - begin) / 60)

    def _steps(self, work: Work, end: float) -> None:
        """Runs steps that have not passed: first the untried ones. Only the first step may take longer than the
        remaining time."""
        record, steps, begun = work.record, work.suite.steps(work.kept), False
        record.of = len(steps)
        record.failed = [name for name in record.failed if name in steps]
        work.write()
        missing = [name for name in steps if work.suite.count or name not in record.passed]
        for name in sorted(missing, key=record.failed.__contains__):
            begin = time.monotonic()
            if self.stop.is_set() or (begun and begin + self._expected_s(work, name) >= end):
                continue
            begun = True
            status = self._ran(_filled(steps[name], work.kept, (end - begin) / 60), work.log, end + self._patience_s)
            if not self.stop.is_set():
                work.ended(name, status == 0, time.monotonic() - begin)

    @staticmethod
    def _expected_s(work: Work, name: str) -> float:
        """The last time of a step; for a command with a count, its time limit."""
        return 0.0 if work.suite.count else work.record.seconds.get(name, 0.0)

    def _ran(self, command: Command, log: Path, give_up: float) -> int:
        """The exit status of a command; if it hangs or is stopped, all its processes are ended with it."""
        _note(log, " ".join(command))
        quiet = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env = quiet | {"QT_QPA_PLATFORM": "offscreen"}
        with log.open("ab") as stream:
            program = subprocess.Popen(
                command, stdout=stream, stderr=subprocess.STDOUT, cwd=ROOT, env=env, start_new_session=True
            )
            try:
                while not self.stop.is_set() and time.monotonic() < give_up:
                    with suppress(subprocess.TimeoutExpired):
                        return program.wait(_LOOK_S)
                _note(log, "stopped" if self.stop.is_set() else "it hung, and was ended")
            finally:
                # Here, so it also runs after Ctrl+C.
                if program.poll() is None:
                    _end(program)
            return program.returncode


def lanes_of(works: Sequence[Work]) -> tuple[list[Work], list[Work]]:
    """Two rows that take about the same time, each in the given order."""
    first: set[str] = set()
    ahead = 0.0
    for work in sorted(works, key=lambda work: -work.suite.minutes):
        if ahead <= 0:
            first.add(work.suite.name)
        ahead += work.suite.minutes if ahead <= 0 else -work.suite.minutes
    return [w for w in works if w.suite.name in first], [w for w in works if w.suite.name not in first]


def _filled(command: Command, folder: Path, minutes: float) -> Command:
    return tuple(word.format(folder=folder, minutes=f"{max(minutes, 0.0):.2f}") for word in command)


def _note(log: Path, words: str) -> None:
    with log.open("a", encoding="utf-8") as stream:
        stream.write(f"--- {words}\n")


def _end(program: subprocess.Popen[bytes]) -> None:
    """Ends a program and its child processes; only the program if the system has no process groups."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()
    program.wait()
