"""`uv run python -m tests.mutation --seed 1 --count 1000 [--minutes N] [--workers N] [--results FILE]`.

Each mutant is judged in a copy of the project in the system's temporary folder: the working tree stays as it is. Which
tests run, and for how long, see `nearest` and `judging`. With `--results` each verdict is kept in FILE as it falls, and
what stands there already is not judged again: name a new file after a change of code or tests.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory

from tests.mutation.judging import Tree, Verdict
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.nearest import WHOLE, Imports
from tests.mutation.report import kept, known, summary

PROJECT = Path(__file__).parents[2]
# What computes: the code that is mutated. A pattern may name a folder that is not there.
SCOPE = (
    "workbench/phases/**/*.py",
    "workbench/measures/**/*.py",
    "workbench/answers/*/compute.py",
    "workbench/readers/**/*.py",
)
# So many of the nearest test files of a mutant are asked; those of the whole sample study come on top.
MOST_FILES = 10


def all_mutants(project: Path, scope: Sequence[str] = SCOPE) -> list[Mutant]:
    """Every mutant of the files of the scope, in the order of files and places."""
    files = sorted({file for pattern in scope for file in project.glob(pattern)})
    return [
        mutant
        for file in files
        for mutant in mutants_of(file.relative_to(project).as_posix(), file.read_text(encoding="utf-8"))
    ]


def drawn(mutants: Sequence[Mutant], seed: int, count: int) -> list[Mutant]:
    """A sample without repetition in random order, so that its beginning is a sample as well."""
    return random.Random(seed).sample(list(mutants), min(count, len(mutants)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges a sample and prints the report."""
    options = _options().parse_args(arguments)
    sample = drawn(all_mutants(PROJECT), options.seed, options.count)
    earlier = known(options.results) if options.results else {}
    verdicts = [earlier[mutant] for mutant in sample if mutant in earlier]
    left = [mutant for mutant in sample if mutant not in earlier]
    end = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    for verdict in _judged(left, options.seed, options.workers, end):
        verdicts.append(verdict)
        if options.results:
            kept(options.results, [verdict])
        _tell(verdict, len(verdicts), len(sample))
    print(summary(verdicts, len(sample), options.seed))
    return 0


def _judged(mutants: Sequence[Mutant], seed: int, workers: int, end: float) -> Iterator[Verdict]:
    """The verdicts as they fall; no mutant is begun after the moment `end`."""
    waiting: SimpleQueue[Mutant] = SimpleQueue()
    for mutant in mutants:
        waiting.put(mutant)
    fallen: SimpleQueue[Verdict | None] = SimpleQueue()
    imports = Imports(PROJECT)

    def work() -> None:
        try:
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                tree = Tree.copied(PROJECT, Path(folder), seed)
                while time.monotonic() < end:
                    mutant = waiting.get_nowait()
                    tests = imports.tests_of(mutant.file)
                    fallen.put(tree.judge_by_all(mutant, tests, MOST_FILES, WHOLE))
        except Empty:
            pass
        finally:
            fallen.put(None)

    with ThreadPoolExecutor(workers) as pool:
        running = [pool.submit(work) for _ in range(workers)]
        try:
            for _ in running:
                yield from iter(fallen.get, None)
        finally:
            # After Ctrl+C no worker begins another.
            with suppress(Empty):
                while True:
                    waiting.get_nowait()
        for future in running:
            future.result()


def _tell(verdict: Verdict, done: int, of: int) -> None:
    """A line for each verdict, so that a long run is seen to go on."""
    mutant, word = verdict.mutant, "killed" if verdict.killed else "SURVIVED"
    place = f"{mutant.file}:{mutant.line}"
    print(f"{done}/{of} {word} {place} in {verdict.seconds:.0f} s", file=sys.stderr, flush=True)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same mutants")
    parser.add_argument("--count", type=int, default=1000, help="how many mutants are drawn (default: 1000)")
    parser.add_argument("--minutes", type=float, help="no mutant is begun after so many minutes")
    parser.add_argument("--workers", type=int, default=1, help="mutants judged at once (default: 1)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keeps verdicts, and goes on from them")
    return parser


if __name__ == "__main__":
    sys.exit(main())
