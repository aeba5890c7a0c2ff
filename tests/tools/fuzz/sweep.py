"""Cases one after another in a separate process; faults are recorded, with the progress of each format."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType

import msgspec

from tests.tools.fuzz.case import Case, keep, kept
from tests.tools.fuzz.formats import seeds_of
from tests.tools.fuzz.mutations import case_of
from tests.tools.fuzz.worker import Answer, Ask

ROOT = Path(__file__).parents[3]
# Processor seconds without an answer after which a process counts as hanging, even on a busy machine.
PATIENCE_S = 120.0
_AT_ONCE = 25
_MOST_FOUND = 40


class Worker:
    """The process that reads; it is started again after a hang or a crash."""

    def __init__(self, command: Sequence[str] = (), patience_s: float = PATIENCE_S) -> None:
        self._command = list(command) or [sys.executable, "-m", "tests.tools.fuzz.worker"]
        self._patience_s = patience_s
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.kill()
            self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()
            self._process = None

    def ask(self, ask: Ask) -> Answer:
        """The faults of a case; a process that hangs or dies is a fault too."""
        process = self._process or self.start()
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(ask) + b"\n")
        process.stdin.flush()
        line = self._line(process, self._patience_s)
        if line.endswith(b"\n"):
            return msgspec.json.decode(line, type=Answer)
        status = process.poll()
        self.close()
        case = kept(Path(ask.file)) if ask.file else case_of(ask.format, seeds_of(ask.format), ask.number)
        return Answer(
            [f"hung for {self._patience_s:g} s" if status is None else f"the process died with {status}"], case
        )

    def start(self, patience_s: float = PATIENCE_S) -> subprocess.Popen[bytes]:
        """Starts the process, and waits until it answers."""
        quiet = os.environ | {"QT_QPA_PLATFORM": "offscreen", "POLARS_MAX_THREADS": "2"}
        process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=quiet)
        self._process = process
        assert self._line(process, patience_s) == b"\n", "the process that reads did not start"
        return process

    def _line(self, process: subprocess.Popen[bytes], patience_s: float) -> bytes:
        """A line of an answer; only its first part if the process ended or did not answer in time."""
        assert process.stdout is not None
        content, file = b"", process.stdout.fileno()
        with closing(selectors.DefaultSelector()) as selector:
            selector.register(file, selectors.EVENT_READ)
            while not content.endswith(b"\n") and selector.select(patience_s):
                part = os.read(file, 1 << 20)
                if not part:
                    process.wait()
                    break
                content += part
        return content


class Progress(msgspec.Struct):
    """The number of tried cases of a format, the faults by signature, and the highest costs."""

    tried: int = 0
    found: dict[str, int] = {}
    peak_bytes: int = 0
    most_s: float = 0.0


def progress_of(folder: Path, name: str) -> Progress:
    """The results of earlier runs."""
    file = folder / f"{name}.json"
    return msgspec.json.decode(file.read_bytes(), type=Progress) if file.exists() else Progress()


def swept(folder: Path, names: Sequence[str], many: int, minutes: float) -> Iterator[tuple[str, Case, list[str]]]:
    """Tries cases of the formats in turns, until each has reached its number or the time is over; yields each fault
    once for each signature, with its case kept in the corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * minutes
    progress = {name: progress_of(folder, name) for name in names}
    with Worker() as worker:
        while time.monotonic() < end and (left := [name for name in names if progress[name].tried < many]):
            for name in left:
                yield from _turn(worker, name, progress[name], many, end)
                (folder / f"{name}.json").write_bytes(msgspec.json.encode(progress[name]))


def _turn(
    worker: Worker, name: str, progress: Progress, many: int, end: float
) -> Iterator[tuple[str, Case, list[str]]]:
    for number in range(progress.tried, min(progress.tried + _AT_ONCE, many)):
        if time.monotonic() > end:
            return
        answer = worker.ask(Ask(name, number))
        progress.tried = number + 1
        progress.peak_bytes = max(progress.peak_bytes, answer.peak_bytes)
        progress.most_s = max(progress.most_s, answer.seconds)
        if answer.wrong and answer.case is not None:
            signature = _signature(answer)
            progress.found[signature] = progress.found.get(signature, 0) + 1
            if progress.found[signature] == 1 and len(progress.found) <= _MOST_FOUND:
                yield keep(answer.case).name, answer.case, answer.wrong


def _signature(answer: Answer) -> str:
    """The fault without its numbers, because one defect is found many times."""
    assert answer.case is not None
    return f"{answer.case.kind.rstrip('0123456789')}: {re.sub(r'[0-9.e+-]+', '#', answer.wrong[0])[:60]}"
