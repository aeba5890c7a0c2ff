"""`uv run python -m tests.tools mutation --seed 1 --count 1000 [--minutes N] [--workers N] [--results FILE]`.

First all tests run once, and the statements that each test runs are recorded. Then the tests that run a mutant judge
it, in memory: the files stay unchanged. `record` and `process` choose the tests and their time. With `--results` each
verdict is kept in FILE at once, the record next to it, and existing results are not repeated: name a new file after a
change of code or tests.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from tests.tools.mutation.judging import Judge, Process, Verdict
from tests.tools.mutation.mutants import Mutant, mutants_of
from tests.tools.mutation.process import Start
from tests.tools.mutation.record import Record, test_files
from tests.tools.mutation.report import kept, known, summary

PROJECT = Path(__file__).parents[3]
# The computing code, which is mutated. A pattern may name a missing folder.
SCOPE = (
    "workbench/phases/**/*.py",
    "workbench/measures/**/*.py",
    "workbench/answers/*/compute.py",
    "workbench/readers/**/*.py",
)
# Every test file takes less than this without a mutant.
_LONGEST_S = 600.0
T = TypeVar("T")
R = TypeVar("R")


def files_of(project: Path, scope: Sequence[str] = SCOPE) -> list[str]:
    """The files of the scope, below the project, in order."""
    return sorted({file.relative_to(project).as_posix() for pattern in scope for file in project.glob(pattern)})


def all_mutants(project: Path, scope: Sequence[str] = SCOPE) -> list[Mutant]:
    """Every mutant of the files of the scope, in the order of files and places."""
    files = files_of(project, scope)
    return [mutant for file in files for mutant in mutants_of(file, (project / file).read_text(encoding="utf-8"))]


def drawn(mutants: Sequence[Mutant], seed: int, count: int) -> list[Mutant]:
    """A sample without repetition in random order, so its beginning is a sample as well."""
    return random.Random(seed).sample(list(mutants), min(count, len(mutants)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges a sample and prints the report."""
    options = _options().parse_args(arguments)
    sample = drawn(all_mutants(PROJECT), options.seed, options.count)
    earlier = known(options.results) if options.results else {}
    verdicts = [earlier[mutant] for mutant in sample if mutant in earlier]
    left = [mutant for mutant in sample if mutant not in earlier]
    end = time.monotonic() + 60 * options.minutes if options.minutes is not None else float("inf")
    record = recorded(PROJECT, options.seed, options.workers, options.results, end)

    def judge(waiting: Iterator[Mutant]) -> Iterator[Verdict]:
        with Judge(PROJECT, options.seed, record) as judge:
            yield from map(judge.judge, takewhile(lambda _: time.monotonic() < end, waiting))

    for verdict in shared(left, options.workers, judge):
        verdicts.append(verdict)
        if options.results:
            kept(options.results, [verdict])
        _tell(verdict, len(verdicts), len(sample))
    print(summary(verdicts, len(sample), options.seed))
    judged = len(verdicts) - len(sample) + len(left)
    print(f"Processor time of this run: {_cpu_s() / 60:.1f} min for {judged} mutants and the record.")
    return 0


def recorded(project: Path, seed: int, workers: int, results: Path | None, end: float = float("inf")) -> Record:
    """Records the statements that the tests run; existing records are not repeated, and recording stops at `end`."""
    file = results.with_suffix(".record") if results else None
    record = Record.read(file) if file and file.exists() else Record()
    known = {test.partition("::")[0] for test in record.seconds}
    start = Start(project, seed, frozenset(files_of(project)))

    def run(waiting: Iterator[str]) -> Iterator[Any]:
        with Process(start) as process:
            for tests in takewhile(lambda _: time.monotonic() < end, waiting):
                print(f"Recording {tests}", file=sys.stderr, flush=True)
                yield process.ask(tests, _LONGEST_S)

    for early, ran in shared([tests for tests in test_files(project) if tests not in known], workers, run):
        record.add(early, ran)
    if file:
        record.write(file)
    return record


def shared(waiting: Sequence[T], workers: int, work: Callable[[Iterator[T]], Iterator[R]]) -> Iterator[R]:
    """Yields the results of `work` for each item as they arrive; this many threads share one queue."""
    left, done = SimpleQueue[T](), SimpleQueue[R | None]()
    for each in waiting:
        left.put(each)

    def taken() -> Iterator[T]:
        with suppress(Empty):
            while True:
                yield left.get_nowait()

    def run() -> None:
        try:
            for result in work(taken()):
                done.put(result)
        finally:
            done.put(None)

    with ThreadPoolExecutor(workers) as pool:
        running = [pool.submit(run) for _ in range(min(workers, len(waiting)))]
        try:
            for _ in running:
                yield from iter(done.get, None)
        finally:
            # After Ctrl+C workers start nothing new.
            deque(taken(), maxlen=0)
        for future in running:
            future.result()


def _cpu_s() -> float:
    """Processor seconds of the ended processes."""
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def _tell(verdict: Verdict, done: int, of: int) -> None:
    """Prints a line for each verdict, so a long run shows its progress."""
    mutant, word = verdict.mutant, "killed" if verdict.killed else "SURVIVED"
    place = f"{mutant.file}:{mutant.line}"
    print(f"{done}/{of} {word} {place} in {verdict.seconds:.0f} s", file=sys.stderr, flush=True)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.tools mutation")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same mutants")
    parser.add_argument("--count", type=int, default=1000, help="how many mutants are drawn (default: 1000)")
    parser.add_argument("--minutes", type=float, help="nothing is begun after so many minutes")
    parser.add_argument("--workers", type=int, default=1, help="mutants judged at once (default: 1)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keeps verdicts, and goes on from them")
    return parser


if __name__ == "__main__":
    sys.exit(main())
