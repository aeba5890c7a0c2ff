"""One fault: an operation in a separate process, with one failing call or a kill, and the check of its files."""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
from openpyxl.worksheet._writer import _openpyxl_shutdown

from tests.tools.faults.judge import Content, content, files_of, left_behind, state, torn
from tests.tools.faults.shim import Mode, Shim
from tests.tools.faults.work import Operation, Room, numbers
from workbench.answers.common.spec import NOTHING, OK, SOME_REFUSED
from workbench.study.importing import spool
from workbench.study.store.column_store import Store, clean_up
from workbench.study.store.temporary import sweep

# Every step of the small study takes less than a tenth of this.
HANGS_S = 90.0
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)
_KILLED = -signal.SIGKILL


class Point(msgspec.Struct, frozen=True):
    """One fault: the number of the call in the operation, and its failure; for a disk (`disks.py`) its kind and
    number."""

    operation: str
    at: int
    mode: str

    @property
    def key(self) -> str:
        """The name of the fault when a sweep resumes."""
        return f"{self.operation} {self.mode} {self.at}"


class Outcome(msgspec.Struct, frozen=True):
    """The outcome: the call, the exit status, the earlier or new file, the messages of the program, and the faults
    (empty if all is well)."""

    point: Point
    call: str
    status: int
    left: str
    words: str
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clean:
    """The operation without a failure: the files before and after, the numbers, and the number of calls."""

    earlier: dict[str, bytes]
    new: dict[str, Content]
    figures: str
    calls: int


def points_of(operation: str, calls: int, seed: int, ends: int, between: int, kills: int) -> list[Point]:
    """The first and last `ends` calls and some of the others, chosen by the seed; and the kills."""
    dice = random.Random(f"{seed} {operation}")
    every = range(1, calls + 1)
    chosen = {*every[:ends], *every[-ends:]} if ends else set[int]()
    left = [at for at in every if at not in chosen]
    chosen |= set(dice.sample(left, min(between, len(left))))
    failing = [Point(operation, at, "fail") for at in sorted(chosen)]
    killed = sorted(dice.sample(every, min(kills, calls)))
    return [*failing, *(Point(operation, at, "kill") for at in killed)]


def forked(work: Callable[[], int], words: Path, patience_s: float = HANGS_S) -> tuple[int, str]:
    """The exit status of `work` in a separate process (negative: the signal that ended it), and its printed text."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if not process:
        _become(work, words)
    end = time.monotonic() + patience_s
    while True:
        ended, state = os.waitpid(process, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > end:
            os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return -signal.SIGALRM, words.read_text("utf-8", errors="replace")
        time.sleep(0.002)
    _end_group(process)
    return os.waitstatus_to_exitcode(state), words.read_text("utf-8", errors="replace")


def _become(work: Callable[[], int], words: Path) -> None:
    status = 70
    try:
        os.setpgid(0, 0)
        handle = os.open(words, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for standard in (1, 2):
            os.dup2(handle, standard)
        status = work()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        # A forked program skips the normal end of a process: openpyxl deletes the files of its sheets there.
        with suppress(OSError):
            _openpyxl_shutdown()
        os._exit(status)


def _end_group(process: int) -> None:
    """Kills the processes that a killed program left, and waits until they end."""
    for _ in range(500):
        try:
            os.killpg(process, signal.SIGKILL)
        except ProcessLookupError:
            return
        time.sleep(0.01)


class Trial:
    """An operation and the folders that it uses."""

    def __init__(self, operation: Operation, folder: Path, study: Path, store: Path, shim: Shim | None) -> None:
        self.operation, self._folder, self._study, self._store, self._shim = operation, folder, study, store, shim
        self._words = folder.parent.with_suffix(".words")
        self._stored = files_of(store) if operation.file else None
        # Next to the folder of the operation, because another disk may be mounted over that folder.
        self._earlier = folder.parent.with_suffix(".earlier")

    def clean(self, figures: str = "") -> Clean:
        """Runs the operation once without a failure; `figures` are those of the study if known. Raises AssertionError
        if it fails."""
        self._keep_earlier()
        room = self._room()
        calls, earlier = 0, files_of(room.out)
        if self._shim is not None:
            self._shim.arm(room.folder, Mode.COUNT)
        status, words = forked(lambda: self._run(room), self._words)
        if self._shim is not None:
            calls = self._shim.count
            self._shim.disarm()
        assert status == 0, words
        new = {name: content(data) for name, data in files_of(room.out).items()} if self.operation.file else {}
        return Clean(earlier, new, figures or self.figures(room)[1], calls)

    def tried(self, point: Point, clean: Clean) -> Outcome:
        """Runs one fault; returns its outcome."""
        shim = self._shim
        assert shim is not None

        def end() -> str:
            call = shim.call
            shim.disarm()
            return call.replace(str(self._folder), "")

        error = ERRORS[point.at % len(ERRORS)]
        return self.spoiled(point, clean, lambda room: shim.arm(room.folder, _mode(point), point.at, error), end)

    def spoiled(self, point: Point, clean: Clean, begin: Callable[[Room], None], end: Callable[[], str]) -> Outcome:
        """The outcome of the operation between `begin`, which damages something, and `end`, which reports and repairs
        it."""
        room = self._room()
        begin(room)
        status, words = forked(lambda: self._run(room), self._words)
        left = state(room.out, clean.earlier, clean.new) if self.operation.file else ""
        outcome = Outcome(point, end(), status, left, words, ())
        return msgspec.structs.replace(outcome, wrong=tuple(self._wrong(room, outcome, clean)))

    def _wrong(self, room: Room, outcome: Outcome, clean: Clean) -> list[str]:
        """The faults in the files and messages that an operation left."""
        wrong = [*self._wrong_words(room, outcome, clean), *self._wrong_file(room, outcome, clean)]
        left = sorted(str(file.relative_to(room.folder)) for file in room.temporary.rglob("*"))
        if left and outcome.status >= 0 and "/tmp/" not in outcome.call:
            wrong.append(f"left in the temporary folder: {', '.join(left)}")
        tidy_up(room)
        rest = left_behind(room.out, clean.earlier, clean.new)
        store = (file for file in room.store.rglob("*") if file.name.startswith(".") or "/spool/" in str(file))
        rest += map(str, store)
        if rest:
            wrong.append(f"left behind after the next start: {', '.join(rest)}")
        # A store with equal bytes gives equal values.
        if files_of(room.store) != self._stored:
            status, figures = self.figures(room)
            if status or figures != clean.figures:
                wrong.append(f"opened again it gives other numbers (status {status}): {figures[:500]}")
        return [*wrong, *self._wrong_again(room, outcome, clean)]

    def _wrong_again(self, room: Room, outcome: Outcome, clean: Clean) -> list[str]:
        """The faults if both files are unchanged and the operation runs again."""
        if outcome.left != "both":
            return []
        status, words = forked(lambda: self._run(room), self._words)
        left = state(room.out, clean.earlier, clean.new)
        return [] if (status, left) == (0, "new") else [f"done again it ends with {status} and {left}: {words[-500:]}"]

    def figures(self, room: Room) -> tuple[int, str]:
        """The status and the figures of the study at the next start; for an import every sample, too."""
        every_sample = not self.operation.file

        def show() -> int:
            room.enter()
            return numbers(room, every_sample)

        status, words = forked(show, self._words)
        samples = room.folder / "samples.csv"
        return status, words + (samples.read_text("utf-8-sig") if samples.exists() else "")

    def _room(self) -> Room:
        shutil.rmtree(self._folder, ignore_errors=True)
        room = Room(self._folder, self._study)
        room.prepare(self._store)
        if self._earlier.exists():
            shutil.copytree(self._earlier, room.out, dirs_exist_ok=True)
        return room

    def _keep_earlier(self) -> None:
        """Writes the state before each fault, once."""
        shutil.rmtree(self._earlier, ignore_errors=True)
        room = self._room()

        def prepare() -> int:
            room.enter()
            self.operation.prepare(room)
            return 0

        status, words = forked(prepare, self._words)
        assert status == 0, words
        shutil.copytree(room.out, self._earlier)

    def _run(self, room: Room) -> int:
        room.enter()
        return self.operation.run(room)

    def _wrong_words(self, room: Room, outcome: Outcome, clean: Clean) -> list[str]:
        words, wrong = outcome.words, list[str]()
        if outcome.status == _KILLED and outcome.point.mode == "kill":
            return wrong
        if outcome.status == -signal.SIGALRM:
            return ["it hangs"]
        if not 0 <= outcome.status <= NOTHING:
            wrong.append(f"exit status {outcome.status}")
        if "Traceback (most recent call last)" in words or re.search(r"^Exception ignored", words, re.MULTILINE):
            wrong.append("a traceback")
        # A failure names the file that is not written, the file that could not be read, or the store.
        written = {part for name in (*clean.earlier, *clean.new) for part in Path(name).parts}
        known = [self.operation.file or "store", Path(outcome.call).name, str(room.store), *written]
        names = [file.name for file in room.study.rglob("*") if file.is_file()]
        if outcome.status and not any(name and name in words for name in (*known, *names)):
            wrong.append("the message names no file")
        return wrong

    def _wrong_file(self, room: Room, outcome: Outcome, clean: Clean) -> list[str]:
        if not self.operation.file:
            return []
        if wrong := torn(room.out, clean.earlier, clean.new):
            return wrong
        if outcome.status == OK and outcome.left != "new":
            return ["it says that it wrote the files, and did not"]
        # `SOME_REFUSED` is done as well: a file was left out, such as one of others in the history folder.
        if outcome.status > SOME_REFUSED and outcome.left != "old" and not self.operation.parts:
            return ["it says that it did not write the files, and did"]
        return []


def tidy_up(room: Room) -> None:
    """Runs the automatic work of the next start, the next import and the next file in the folder."""
    store = Store(room.store)
    clean_up(store)
    spool.sweep(store)
    for folder in (room.out, *(folder for folder in room.out.iterdir() if folder.is_dir())):
        sweep(folder)


def _mode(point: Point) -> Mode:
    if point.mode == "fail":
        return Mode.FAIL
    # The system ends single processes, too: of an import a worker.
    return Mode.KILL_ALL if point.at % 2 else Mode.KILL_ONE
