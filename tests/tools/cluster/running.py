"""A real Dask scheduler with workers, in separate processes, and the import as a program on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from workbench.study.importing.engines import SCHEME

ROOT = Path(__file__).parents[3]
_PATIENCE_S = 300
# It answers each input line with the processor time of its workers and Dask's own profile of them.
_CLUSTER = """
import json, os, sys, time
from distributed import Client, LocalCluster
if __name__ == "__main__":
    workers, threads = map(int, sys.argv[1:])
    with LocalCluster(n_workers=workers, threads_per_worker=threads, dashboard_address=None) as cluster:
        pids = [nanny.pid for nanny in cluster.workers.values()]
        print(json.dumps({"address": cluster.scheduler_address, "workers": pids}), flush=True)
        for _ in sys.stdin:
            with Client(cluster) as client:
                times = sum(client.run(time.process_time).values())
                print(json.dumps({"processor_s": times, "profile": client.profile()}), flush=True)
"""


@dataclass(frozen=True)
class Cluster:
    """`engine` is the value of `--engine`; `workers` are the ids of the reading processes."""

    engine: str
    workers: tuple[int, ...]
    process: subprocess.Popen[str]

    def ask(self) -> dict[str, Any]:
        """The processor seconds of all workers (`processor_s`), and the `profile` as Dask gives it."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return _answer(self.process)


@contextmanager
def cluster(
    folder: Path, workers: int = 1, threads: int = 1, env: Mapping[str, str] | None = None
) -> Iterator[Cluster]:
    """A scheduler with that many workers. Skips the test without Dask."""
    pytest.importorskip("distributed")
    script = folder / "cluster.py"
    script.write_text(_CLUSTER, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script), str(workers), str(threads)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | dict(env or {}),
    ) as process:
        started = _answer(process)
        yield Cluster(started["address"].replace("tcp://", SCHEME), tuple(started["workers"]), process)


@contextmanager
def dask_scheduler(folder: Path) -> Iterator[str]:
    """The address of a scheduler with one worker of two threads, as a value for `--engine`."""
    with cluster(folder, threads=2) as started:
        yield started.engine


def importing(lab: Path, store: Path, engine: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """The command in a separate process, because Dask leaves threads running."""
    return subprocess.Popen(
        [sys.executable, "-m", "workbench.cli", "import", str(lab), "--store", str(store), "--engine", engine],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | dict(env or {}),
    )


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit status and standard error of the command."""
    _, errors = program.communicate(timeout=_PATIENCE_S)
    return program.returncode, errors


def _answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer
