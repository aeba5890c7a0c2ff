"""Clusters that fail: no worker, a scheduler that ends, workers of other versions. Each gives one sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from tests.builders import disk_csv
from tests.tools.cluster import running
from tests.tools.cluster.running import dask_scheduler
from workbench.answers.common.spec import SOME_REFUSED
from workbench.cli import main
from workbench.study.importing import cluster

pytest.importorskip("distributed")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    for name in ("mcs", "pvs"):
        disk_csv(tmp_path / "lab" / name / "W10-001.csv", "W10-001", [8.0] * 24, [16.0] * 24)
    return tmp_path / "lab"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WORKERS_S", 1.0)


def _imported(lab: Path, store: Path, address: str) -> int:
    return main(["import", str(lab), "--store", str(store), "--engine", address])


def _left(store: Path) -> list[Path]:
    return [path for path in store.rglob("*") if path.is_file() and path.suffix == ".part"]


_SCHEDULER = """
import asyncio
from distributed import Scheduler
async def run():
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address=None) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(run())
"""


def test_that_a_scheduler_without_a_worker_is_reported(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with subprocess.Popen([sys.executable, "-c", _SCHEDULER], stdout=subprocess.PIPE, text=True) as scheduler:
        assert scheduler.stdout is not None
        try:
            address = scheduler.stdout.readline().strip().replace("tcp://", "dask://")
            assert _imported(lab, tmp_path / "store", address) == SOME_REFUSED
        finally:
            scheduler.kill()
    printed = capsys.readouterr()
    assert "no worker" in printed.err
    assert len(printed.err.strip().splitlines()) == 1
    assert _left(tmp_path / "store") == []


def test_that_a_worker_with_another_version_is_reported(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = cluster._versions()
    monkeypatch.setattr(cluster, "_versions", lambda: here | {"polars": "0.0.1", "Python": "2.7"})
    with dask_scheduler(tmp_path) as address:
        assert _imported(lab, tmp_path / "store", address) == SOME_REFUSED
    printed = capsys.readouterr()
    assert "polars" in printed.err
    assert "Python" in printed.err
    assert len(printed.err.strip().splitlines()) == 1
    assert list((tmp_path / "store" / "v1" / "columns").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a process is stopped with a signal")
def test_that_a_scheduler_that_ends_during_the_work_is_one_sentence(lab: Path, tmp_path: Path) -> None:
    """The only worker blocks, so the import is not finished when the scheduler ends."""
    with running.cluster(tmp_path) as started:
        (worker,) = started.workers
        os.kill(worker, signal.SIGSTOP)
        importing = running.importing(lab, tmp_path / "store", started.engine)
        ending = Timer(4.0, lambda: os.kill(started.process.pid, signal.SIGKILL))
        ending.start()
        try:
            _, told = importing.communicate(timeout=100)
        finally:
            ending.cancel()
            importing.kill()
            os.kill(worker, signal.SIGKILL)
    assert importing.returncode == SOME_REFUSED, told
    assert "Traceback" not in told, repr(told)
    assert len(told.strip().splitlines()) == 1
    assert _left(tmp_path / "store") == []
