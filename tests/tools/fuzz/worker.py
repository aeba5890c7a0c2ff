"""The process that reads damaged files: it reports the faults of each, and may hang or die.

Started with `python -m tests.tools.fuzz.worker` it reads a line of JSON for each case (`Ask`) and writes one
(`Answer`).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from tests.tools.fuzz.case import Case, kept
from tests.tools.fuzz.formats import formats, seeds_of
from tests.tools.fuzz.judge import judged
from tests.tools.fuzz.mutations import case_of
from tests.tools.fuzz.outcome import Outcome

# Limits of one reading: processor seconds, and bytes of memory of a process.
MOST_S = 10.0
MOST_BYTES = 2**30
# The last protection of the machine: libraries reserve far more addresses than they use.
_MOST_ADDRESSES = 24 * 2**30


class Ask(msgspec.Struct, omit_defaults=True):
    """A case by its format and number, or by its file in the corpus."""

    format: str = ""
    number: int = 0
    file: str = ""


class Answer(msgspec.Struct, omit_defaults=True):
    """The faults (empty: none), the case of a fault, and the largest size of the process."""

    wrong: list[str]
    case: Case | None = None
    peak_bytes: int = 0
    seconds: float = 0.0


def main() -> None:
    """Answers requests until the input ends."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    # Text printed by a reader is not an answer.
    os.dup2(2, 1)
    _bound()
    # Slow modules are loaded before the first question.
    formats()
    answers.write(b"\n")
    for line in sys.stdin.buffer:
        ask = msgspec.json.decode(line, type=Ask)
        case = kept(Path(ask.file)) if ask.file else case_of(ask.format, seeds_of(ask.format), ask.number)
        answers.write(msgspec.json.encode(answered(case)) + b"\n")


def answered(case: Case) -> Answer:
    """Reads the damaged file, and if needed the undamaged one and those with other numbers, each once."""
    _forget_peak()
    began, longest = time.process_time(), 0.0

    def read(data: bytes, name: str) -> Outcome:
        nonlocal longest
        if data != case.damaged:
            return _undamaged(case.format, data, name)
        start = time.process_time()
        outcome = _read(case.format, data, name)
        longest = max(longest, time.process_time() - start)
        return outcome

    wrong = _tried(case, read)
    peak = _peak()
    if longest > MOST_S:
        wrong.append(f"one reading took {longest:.0f} s of the processor")
    if peak > MOST_BYTES:
        wrong.append(f"the process grew to {peak / 2**20:,.0f} MB")
    return Answer(wrong, case if wrong else None, peak, time.process_time() - began)


def _read(format_: str, data: bytes, name: str) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return formats()[format_].read(data, name, Path(folder))


# There are some 4,000: the files of all formats, and two for each number in them.
_undamaged = cache(_read)


def _tried(case: Case, read: Callable[[bytes, str], Outcome]) -> list[str]:
    try:
        return judged(case, read, formats()[case.format].quiet)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        return [f"raised {type(error).__name__} in {Path(last.filename).name}, {last.name}: {str(error)[:200]}"]


def _bound() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_ADDRESSES, _MOST_ADDRESSES))


def _forget_peak() -> None:
    """The kernel forgets how large the process once was: Documentation/filesystems/proc.rst, clear_refs."""
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    """The largest resident size since then in bytes; 0 if the system does not report it."""
    if sys.platform != "linux":
        return 0
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


if __name__ == "__main__":
    main()
