"""A slow suite, and its progress for the present state of the code."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.tools.simulations.cells import mark_of

Command = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """Finished steps, all steps (None: not known yet), and wrong steps."""

    done: int
    of: int | None
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class Suite:
    """`minutes` is its part of a run of 45, `least` its minimum; `alone` runs without other suites and has both cores.
    `steps` are its commands by name, with `{folder}` for its work folder and `{minutes}` for its time. With `count`,
    which reads that folder, a command resumes until all is done. Without `count` each step is done once it has
    passed, and `what` are the steps. `code` are the files that its results depend on."""

    name: str
    what: str
    minutes: float
    steps: Callable[[Path], Mapping[str, Command]]
    code: tuple[str, ...]
    count: Callable[[Path], Count] | None = None
    alone: bool = False
    least: float = 0.0


class Record(msgspec.Struct):
    """The record of a suite for the code of this mark; `seconds`, the last times of steps, stay when code changes."""

    mark: str = ""
    of: int | None = None
    passed: list[str] = []
    failed: list[str] = []
    seconds: dict[str, float] = {}


class Work:
    """A suite in its folder below `build/slow`: `record.json`, `log.txt`, and the files of its commands."""

    def __init__(self, suite: Suite, place: Path) -> None:
        self.suite, self.folder = suite, place / suite.name
        self.kept, self.log = self.folder / "kept", self.folder / "log.txt"
        self._file, mark = self.folder / "record.json", mark_of(suite.code)
        known = msgspec.json.decode(self._file.read_bytes(), type=Record) if self._file.exists() else Record()
        self._stale = known.mark != mark
        self.record = Record(mark, seconds=known.seconds) if self._stale else known

    def begin(self) -> None:
        """Forgets results of other code."""
        if self._stale:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._stale = False
        self.kept.mkdir(parents=True, exist_ok=True)
        self.write()

    def write(self) -> None:
        """Keeps the record."""
        part = self._file.with_suffix(".part")
        part.write_bytes(msgspec.json.encode(self.record))
        part.replace(self._file)

    def ended(self, step: str, passed: bool, seconds: float) -> None:
        """Stores the result of a step."""
        record = self.record
        record.passed = [name for name in record.passed if name != step] + [step] * passed
        record.failed = [name for name in record.failed if name != step] + [step] * (not passed)
        record.seconds[step] = seconds
        self.write()

    @property
    def count(self) -> Count:
        """Its progress; results of other code do not count."""
        record = self.record
        if self._stale:
            return Count(0, None)
        if self.suite.count and self.kept.exists():
            return self.suite.count(self.kept)
        return Count(len(record.passed) + len(record.failed), record.of, len(record.failed))

    @property
    def failed(self) -> bool:
        """True if a command failed, or a step is wrong."""
        return bool(self.record.failed or self.count.wrong)

    @property
    def finished(self) -> bool:
        """True if every step was done and none failed."""
        record, count = self.record, self.count
        whole = count.of is not None and count.done >= count.of
        return whole and not self.failed and len(record.passed) == record.of
