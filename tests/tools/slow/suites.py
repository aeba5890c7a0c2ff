"""The slow suites. A run of 45 minutes does a part of the longest ones; their separate commands do everything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.tools.slow.suite import Command, Count, Suite

ROOT = Path(__file__).parents[3]
# Every result depends on these files, in addition to the folder of the suite.
PROGRAM = ("workbench", "resources", "pyproject.toml", "uv.lock")
# The tables of the simulations depend on these files.
SIMULATED = (
    "workbench/measures",
    "workbench/phases",
    "workbench/answers/cache",
    "workbench/answers/compare",
    "workbench/answers/findings",
    "workbench/answers/sizing",
    "tests/tools/simulations",
    "pyproject.toml",
    "uv.lock",
)
MUTANTS, CASES, STUDIES, ROUNDS, ONE_IN = 200, 1_000, 300, 9, 6
# Each test of these is a separate step, because the whole file takes eight processor minutes.
BY_TEST = ("tests/console/test_same_bytes.py",)
_COLLECTED = re.compile(r"^((tests/[^:\s]+\.py)::\w+)", re.MULTILINE)


def _python(*words: str) -> Command:
    return (sys.executable, "-m", *words)


def _one(*words: str) -> Callable[[Path], Mapping[str, Command]]:
    """The only step of a suite: a module with its options."""
    return lambda _: {words[0]: _python(*words)}


def files_of_slow_tests(kept: Path) -> Mapping[str, Command]:
    """A step for each file with slow tests, and for each test of a long file; they are collected once for a state of
    the code. Raises RuntimeError if pytest cannot collect them."""
    listed = kept / "collected.txt"
    if not listed.exists():
        # Without the options of the project, one -q names each test.
        # No test runs, so syrupy would report their snapshots as unused, and fail.
        command = _python("pytest", "-o", "addopts=", "-m", "slow", "--collect-only", "-q", "--snapshot-warn-unused")
        env = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
        ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise RuntimeError(f"The slow tests cannot be collected:\n{ended.stdout}{ended.stderr}")
        listed.write_text(ended.stdout, encoding="utf-8")
    collected = _COLLECTED.findall(listed.read_text("utf-8"))
    steps = [test if file in BY_TEST else file for test, file in collected]
    return {step: _python("pytest", "-n", "0", "-m", "slow", step) for step in dict.fromkeys(steps)}


def faults_of(kept: Path) -> Count:
    """The number of tried faults. The total is known after each way of writing was started."""
    from tests.tools.faults.sweep import KEPT, latest, planned
    from tests.tools.faults.work import OPERATIONS

    outcomes = [outcome for file in kept.glob(f"*/{KEPT}") for outcome in latest(file)]
    of_each = [faults for half in kept.glob("*") for faults in planned(half).values()]
    of = sum(of_each) if len(of_each) == len(OPERATIONS) else None
    return Count(len(outcomes), of, sum(bool(outcome.wrong) for outcome in outcomes))


def measurements_of(kept: Path) -> Count:
    """The number of measured operations, each at two points of each axis."""
    from tests.tools.benchmarks.flat.axes import AXES
    from tests.tools.benchmarks.flat.measured import OPERATIONS
    from tests.tools.benchmarks.flat.measured import kept as measured

    return Count(len(measured(kept / "short")), len(OPERATIONS) * sum(len(axis.short) for axis in AXES))


def cases_of(kept: Path) -> Count:
    """The number of damaged files that were read."""
    from tests.tools.fuzz.formats import formats
    from tests.tools.fuzz.sweep import progress_of

    progress = [progress_of(kept, name) for name in formats()]
    return Count(sum(each.tried for each in progress), CASES * len(progress), sum(len(each.found) for each in progress))


def mutants_of(kept: Path) -> Count:
    """The number of judged mutants; a survivor is a gap in the tests, not a fault."""
    from tests.tools.mutation.report import known

    return Count(len(known(kept / "mutants.jsonl")), MUTANTS)


def cells_of(kept: Path) -> Count:
    """The number of computed cells of the tables."""
    from tests.tools.simulations.__main__ import all_jobs

    return Count(
        sum(1 for _ in (kept / str(STUDIES)).glob("*.json")), sum(1 for jobs in all_jobs(STUDIES) for _ in jobs)
    )


_KEPT = ("--folder", "{folder}", "--minutes", "{minutes}")
_SOAK = ("--short", "--least-rounds", str(ROUNDS), *_KEPT)
_MUTATION = ("--seed", "1", "--count", str(MUTANTS), "--results", "{folder}/mutants.jsonl", "--minutes", "{minutes}")
_SIMULATIONS = ("--check", "--studies", str(STUDIES), "--keep", "{folder}", "--minutes", "{minutes}")
# First the suites that need both cores, then the others. In each group the long ones come last, and use the rest.
SUITES = (
    Suite(
        "cluster",
        "cluster",
        3,
        _one("tests.tools.cluster"),
        (*PROGRAM, "tests/tools/cluster", "tests/tools/benchmarks"),
        alone=True,
        least=3,
    ),
    Suite(
        "flat",
        "measurements",
        5,
        _one("tests.tools.benchmarks", "flat", "--short", *_KEPT),
        (*PROGRAM, "tests/tools/benchmarks", "sample_data"),
        measurements_of,
        alone=True,
    ),
    Suite(
        "faults",
        "faults",
        11,
        _one("tests.tools.faults", "--one-in", str(ONE_IN), *_KEPT),
        (*PROGRAM, "tests/tools/faults"),
        faults_of,
        alone=True,
    ),
    Suite("soak", "soak", 4, _one("tests.tools.soak", *_SOAK), (*PROGRAM, "tests/tools/soak"), least=1),
    Suite("tests", "files", 17, files_of_slow_tests, (*PROGRAM, "tests", "sample_data")),
    Suite(
        "fuzz",
        "cases",
        7,
        _one("tests.tools.fuzz", "--cases", str(CASES), *_KEPT),
        (*PROGRAM, "tests/tools/fuzz"),
        cases_of,
    ),
    Suite("simulations", "cells", 14, _one("tests.tools.simulations", *_SIMULATIONS), SIMULATED, cells_of),
    Suite("mutation", "mutants", 8, _one("tests.tools.mutation", *_MUTATION), (*PROGRAM, "tests"), mutants_of),
)
