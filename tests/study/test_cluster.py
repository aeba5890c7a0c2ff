"""Import on a Dask cluster: with a real cluster if Dask is installed; the messages are tested everywhere."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.tools.cluster.running import dask_scheduler
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.model.problem import Severity
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.cluster import ClusterError, read_on_cluster
from workbench.study.store import column_store, descriptions
from workbench.study.store.column_store import Store

ROOT = Path(__file__).parents[2]


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    for name in ("mcs", "mcsio-512"):
        disk_csv(folder / name / "guest" / "W10-001.csv", "W10-001", [8.0] * 24, [16.0] * 24)
    (folder / "mcs" / "notes.txt").write_text("nothing measured here")
    return folder


class Cluster:
    """Replaces `distributed`: its one worker runs each task at once."""

    def __init__(self, failing: Exception | None = None) -> None:
        self.failing = failing
        self.given: list[Any] = []
        self.closed = False

    def module(self) -> ModuleType:
        made = ModuleType("distributed")
        vars(made).update(Client=self._client, as_completed=list)
        return made

    def _client(self, address: str, timeout: float) -> Any:
        assert address == "tcp://head:8786"
        assert timeout > 0
        return SimpleNamespace(nthreads=lambda: {"tcp://one": 2}, submit=self._submit, close=self._close)

    def _close(self) -> None:
        self.closed = True

    def _submit(self, work: Any, batch: Any, *rest: Any, pure: bool) -> Any:
        assert not pure
        self.given += batch
        result = work(batch, *rest) if self.failing is None else None
        return _Done(self.failing, result)


class _Done:
    """A finished task; unlike a SimpleNamespace it can be the key of a dictionary."""

    def __init__(self, error: Exception | None, result: Any) -> None:
        self.exception, self.result = (lambda: error), (lambda: result)


def on(cluster: Cluster, lab: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setitem(sys.modules, "distributed", cluster.module())
    return read_on_cluster("dask://head:8786", find_sources([lab], store).sources, store, {})


def test_that_a_cluster_fills_the_store_once(lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")
    first, second = Cluster(), Cluster()
    found = {source.name: reading for source, reading in on(first, lab, store, monkeypatch)}
    assert len(found) == len(first.given) == 3
    assert first.closed
    recordings = [reading.recording for reading in found.values() if reading.recording is not None]
    assert [one.rows for one in recordings] == [24, 24]
    assert len(on(second, lab, store, monkeypatch)) == 3
    assert second.given == []


def test_that_a_failed_task_affects_only_its_files(lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = on(Cluster(RuntimeError("disk gone")), lab, Store(tmp_path / "store"), monkeypatch)
    problems = [problem for _, reading in found for problem in reading.problems]
    assert {one.code for one in problems} == {"reader-failed"}
    assert {one.severity for one in problems} == {Severity.REFUSED}
    assert len(found) == 3


def test_that_a_file_that_kills_its_worker_affects_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dying(Cluster):
        """A cluster with a worker that ends at every task with the file `bad`, like a crash in native code."""

        def _submit(self, work: Any, batch: Any, *rest: Any, pure: bool) -> Any:
            if any(source.path.name == "bad.csv" for source in batch):
                return _Done(RuntimeError("KilledWorker"), None)
            return super()._submit(work, batch, *rest, pure=pure)

    lab = tmp_path / "lab"
    for number in range(43):
        disk_csv(lab / f"{number}.csv", f"W10-{number}", [8.0] * 4, [16.0] * 4)
    (lab / "bad.csv").write_text("poison")
    found = on(Dying(), lab, Store(tmp_path / "store"), monkeypatch)
    assert len(found) == 44
    refused = {source.name for source, reading in found for one in reading.problems if one.severity is Severity.REFUSED}
    assert refused == {"bad.csv"}


def test_that_workers_without_the_program_are_reported(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(ModuleNotFoundError("No module named 'workbench'"))
    with pytest.raises(ClusterError, match="Install the same version there"):
        on(cluster, lab, Store(tmp_path / "store"), monkeypatch)
    assert cluster.closed


@pytest.mark.parametrize("wide", [False, True], ids=["few counters", "very many"])
def test_that_a_store_that_is_not_shared_is_reported(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: bool
) -> None:
    if wide:
        monkeypatch.setattr(descriptions, "WIDE", 1)

    class Elsewhere(Cluster):
        def _submit(self, work: Any, batch: Any, *rest: Any, pure: bool) -> Any:
            done = super()._submit(work, batch, *rest, pure=pure)
            for columns in (tmp_path / "store" / "v1" / "columns").glob("*.arrow"):
                columns.unlink()
            return done

    with pytest.raises(ClusterError, match="see under the same path"):
        on(Elsewhere(), lab, Store(tmp_path / "store"), monkeypatch)


@pytest.mark.parametrize("error", [MemoryError(), OSError("share gone"), None])
def test_that_a_reading_that_cannot_be_loaded_from_the_store_affects_only_its_file(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    class Losing(Cluster):
        """The entry of its worker in the store cannot be loaded again; `None`: it is missing."""

        def _submit(self, work: Any, batch: Any, *rest: Any, pure: bool) -> Any:
            with monkeypatch.context() as patch:
                patch.setattr(column_store, "load", load)
                return super()._submit(work, batch, *rest, pure=pure)

    def refuse(_store: Store, _key: str, name: str, *_: object) -> Any:
        if error is not None and "512" in name:
            raise error
        return None if "512" in name else load(_store, _key, name)

    load = column_store.load
    monkeypatch.setattr(descriptions, "WIDE", 1)
    monkeypatch.setattr(column_store, "load", refuse)
    cluster = Losing()
    readings = {source.name: reading for source, reading in on(cluster, lab, Store(tmp_path / "store"), monkeypatch)}
    refused = {name: one.code for name, reading in readings.items() for one in reading.problems if "notes" not in name}
    (wide,) = [name for name in readings if "512" in name]
    assert len(readings) == 3
    assert refused == {wide: "store-lost" if error is None else "reader-failed"}
    assert [source.name for source in cluster.given].count(wide) == (2 if error is None else 1)


def test_that_without_dask_the_command_names_the_package_to_install(
    lab: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    asked = ["import", str(lab), "--store", str(tmp_path / "s"), "--engine", "dask://head:8786"]
    assert main(asked) == 2
    said = capsys.readouterr().err
    assert said == snapshot


@pytest.mark.parametrize("engine", ["dask", "dask://head", "dask://:8786", "spark://head:1", "dask://head:port"])
def test_that_an_unknown_engine_ends_with_2(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["import", str(tmp_path), "--store", str(tmp_path / "s"), "--engine", engine])
    assert ended.value.code == 2
    assert capsys.readouterr().err == snapshot


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a real scheduler with one worker."""
    with dask_scheduler(tmp_path) as address:
        yield address


_PROGRAM = """
import sys
from workbench.study.importing import cluster
from workbench.vdiwb import main
if __name__ == "__main__":
    cluster._CONNECT_S = int(sys.argv.pop(1))
    sys.exit(main())
"""


def imported(lab: Path, store: Path, engine: str, connect_s: int = 10) -> subprocess.CompletedProcess[str]:
    """The command as a separate program, because Dask leaves threads running; it waits this long for a scheduler."""
    arguments = ["import", str(lab), "--store", str(store), "--engine", engine]
    return subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(connect_s), *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )


def test_that_a_real_cluster_gives_the_results_of_this_machine(scheduler: str, lab: Path, tmp_path: Path) -> None:
    store = tmp_path / "shared store"
    done = imported(lab, store, scheduler)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"2 files are in the column store '{store}'")
    (there,) = load_studies([lab], Store(store))
    (here,) = load_studies([lab], Store(tmp_path / "own"))
    assert [one.first_us for run in there.runs for one in run.recordings] == [
        one.first_us for run in here.runs for one in run.recordings
    ]
    assert [report.rows for report in there.files] == [report.rows for report in here.files]


def test_that_a_missing_scheduler_is_reported_in_a_sentence(lab: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = imported(lab, tmp_path / "s", f"dask://127.0.0.1:{port}", connect_s=1)
    assert done.returncode == 2
    assert done.stderr.startswith(f"There is no Dask scheduler at dask://127.0.0.1:{port}.")
    assert "Traceback" not in done.stderr
