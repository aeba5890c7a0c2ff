"""Cluster cases: one worker and two, a killed one, a slow share, two clients at once. After each the store must have
the same bytes as one that this machine filled."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.builders import disk_csv
from tests.tools.benchmarks.bench_reading import write_perfmon
from tests.tools.cluster.running import ROOT, Cluster, cluster, ended, importing
from tests.tools.cluster.slow_share import slowed
from tests.tools.cluster.stores import Parts, difference, parts_of
from workbench.study.importing.engines import LOCAL
from workbench.study.store.column_store import Store

_LOOK_S, _PATIENCE_S = 0.02, 120.0


@dataclass(frozen=True)
class Lab:
    """The imported results: `large` files of this many megabytes and `small` ones of 1 kB."""

    folder: Path
    large: int
    megabytes: float
    small: int


@dataclass(frozen=True)
class Case:
    """`name` as the table shows it; `slow` is a slow share, `clients` import at once, `kill` ends a worker."""

    name: str
    workers: int
    threads: int = 1
    slow: bool = False
    clients: int = 1
    kill: bool = False


CASES = (
    Case("1 worker", 1),
    Case("2 workers", 2),
    Case("1 worker with 2 threads", 1, threads=2),
    Case("2 workers, one killed", 2, kill=True),
    Case("2 workers, slow share", 2, slow=True),
    Case("2 workers, two clients at once", 2, clients=2),
)


@dataclass(frozen=True)
class Result:
    """The result of a case: seconds from start to end of the command, processor seconds of the workers, parts of the
    store that differ, and other faults. Also the functions that the workers ran, by share."""

    case: Case
    taken_s: float
    processor_s: float
    differing: tuple[str, ...]
    errors: tuple[str, ...]
    shares: Mapping[str, float] = field(default_factory=dict)


def write_lab(folder: Path, large: int = 24, megabytes: float = 4.0, small: int = 80) -> Lab:
    """Writes results of one run."""
    guest = folder / "mcs" / "guest"
    guest.mkdir(parents=True)
    model = guest / "W10-0.csv"
    write_perfmon(model, 40, megabytes)
    content = model.read_bytes()
    model.unlink()
    for number in range(large):
        named = content.replace(b"\\\\W10-0", f"\\\\VM{number:03}-".encode())
        (guest / f"large-{number}.csv").write_bytes(named)
    for number in range(small):
        disk_csv(guest / f"small-{number}.csv", f"W10-{number}", [8.0 + number] * 24, [16.0] * 24)
    return Lab(folder, large, megabytes, small)


def local(lab: Lab, store: Path) -> tuple[float, Parts]:
    """Seconds of an import on this machine, and the content of its store."""
    begin = time.perf_counter()
    assert ended(importing(lab.folder, store, LOCAL)) == (0, "")
    return time.perf_counter() - begin, parts_of(store)


def tried(case: Case, lab: Lab, expected: Parts, folder: Path) -> Result:
    """Runs a case in an empty folder; `expected` is the content of this machine's store."""
    folder.mkdir()
    store = folder / "store"
    env = slowed(lab.folder.parent, folder) if case.slow else {}
    with cluster(folder, case.workers, case.threads, env) as started:
        before = started.ask()["processor_s"]
        begin = time.perf_counter()
        programs = [importing(lab.folder, store, started.engine, env) for _ in range(case.clients)]
        if case.kill:
            kill_when(lambda: _columns(store) >= 3, started, programs[0])
        outcomes = [ended(program) for program in programs]
        taken = time.perf_counter() - begin
        asked = started.ask()
    parts = parts_of(store)
    differing = difference(parts, expected)
    errors = [f"status {status}: {text}" for status, text in outcomes if (status, text) != (0, "")]
    return Result(
        case,
        taken,
        asked["processor_s"] - (0.0 if case.kill else before),
        tuple(differing),
        tuple(errors),
        shares_of(asked["profile"]),
    )


def _columns(store: Path) -> int:
    return sum(1 for _ in (Store(store).root / "v1" / "columns").glob("*.arrow"))


def kill_when(due: Callable[[], bool], started: Cluster, program: subprocess.Popen[str]) -> None:
    """Kills a worker as soon as `due`. Raises AssertionError if `program`, the import, has already ended: killing an
    idle worker would test nothing."""
    end = time.monotonic() + _PATIENCE_S
    while not due():
        assert time.monotonic() < end, "nothing was stored"
        time.sleep(_LOOK_S)
    os.kill(started.workers[0], signal.SIGKILL)
    assert program.poll() is None, "the import had ended before a worker was killed"


def shares_of(profile: dict[str, Any]) -> dict[str, float]:
    """The innermost project functions in the threads of the workers when Dask took a sample, by share of samples.
    Samples without a project function are omitted."""
    counts: Counter[str] = Counter()
    _count(profile, "", counts)
    total = counts.total()
    return {name: count / total for name, count in counts.most_common()} if total else {}


def _count(node: dict[str, Any], ours: str, counts: Counter[str]) -> None:
    file, function = node["description"]["filename"], node["description"]["name"]
    if file.startswith(str(ROOT / "workbench")):
        ours = f"{Path(file).stem}.{function}"
    children = node["children"].values()
    if ours:
        counts[ours] += node["count"] - sum(child["count"] for child in children)
    for child in children:
        _count(child, ours, counts)
