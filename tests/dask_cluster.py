"""A real Dask scheduler with one worker, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from workbench.study.importing.engines import SCHEME

ROOT = Path(__file__).parents[1]
_CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@contextmanager
def dask_scheduler(folder: Path) -> Iterator[str]:
    """The address of the scheduler as `--engine` takes it; skips the test where Dask is not installed."""
    pytest.importorskip("distributed")
    script = folder / "cluster.py"
    script.write_text(_CLUSTER, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip().replace("tcp://", SCHEME)
