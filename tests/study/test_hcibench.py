"""A zipped results folder of HCIBench, in the layout of HCIBench's scripts.

Source: xinzweb/HCIBench at 70f80fc1, `automation/lib/io-test.rb`, `parseFioResult.rb` and `parseVdbResult.rb`: for each
parameter file a folder `<name>-<seconds since 1970>` with one result for each VM, and `<same>-res.txt` next to it. The
folder also has `fio.cfg` or `vdbench.cfg`, `hcibench.cfg` and a `.tar.gz` of HCIBench's logs.
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from tests.readers.fio_results import direction, job, result, text_of
from tests.study.archive_files import WORKERS, packed, read, recognised, refused, spooled, store
from workbench.study.store.column_store import Store

pytestmark = WORKERS

__all__ = ["store"]
CASE = "4k-100rd/fio-8vmdk-4k-100rdpct-1700000000"
SUMMARY = """Datastore     = vsanDatastore
=============================
JOB_NAME\t= job0
VMs\t\t= 2
IOPS\t\t= 3000.00 IO/S
THROUGHPUT\t= 11.72 MB/s
R_LATENCY\t= 2.00 ms
W_LATENCY\t= 0.00 ms
=============================
Resource Usage:
CPU USAGE\t= 41.5%
"""


def _logs() -> bytes:
    """HCIBench's logs, packed with a folder `.` like `tar -C logs .` does."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as made:
        folder = tarfile.TarInfo("./")
        folder.type = tarfile.DIRTYPE
        made.addfile(folder)
        info = tarfile.TarInfo("./test-status.log")
        info.size = 17
        made.addfile(info, io.BytesIO(b"Started Testing a"))
    return stream.getvalue()


@pytest.fixture
def members() -> dict[str, bytes]:
    results = {
        f"{CASE}/hci-fio-ds1-{vm}-1.json": text_of(result(job("job0", read=direction(ios)))).encode()
        for vm, ios in ((1, 1000), (2, 2000))
    }
    return results | {
        f"{CASE}-res.txt": SUMMARY.encode(),
        f"{CASE}/fio.cfg": b"[global]\nrw=randread\nbs=4k\n",
        f"{CASE}/hcibench.cfg": b"tool: fio\nvm_prefix: hci\n",
        f"{CASE}/HCIBench-2.8.0-logs.tar.gz": _logs(),
    }


def test_that_a_zip_of_hcibench_gives_results_of_its_machines(
    tmp_path: Path, store: Store, members: dict[str, bytes]
) -> None:
    readings = read(store, packed(tmp_path / "results.zip", members))[1]
    assert refused(readings) == {}
    rows = {name: reading.benchmarks for name, reading in readings.items() if reading.benchmarks}
    assert {name.rsplit("/", 1)[-1] for name in rows} == {"hci-fio-ds1-1-1.json", "hci-fio-ds1-2-1.json"}
    assert sorted(row.iops for found in rows.values() for row in found if row.op == "read") == [1000.0, 2000.0]
    assert f"results.zip/{CASE}/HCIBench-2.8.0-logs.tar.gz/test-status.log" in readings
    # HCIBench's sums over machines come from these results, so they are not separate results.
    assert f"results.zip/{CASE}-res.txt" not in recognised(readings)
    assert spooled(store) == []


def test_that_the_folder_packed_as_tar_gives_the_same_results(
    tmp_path: Path, store: Store, members: dict[str, bytes]
) -> None:
    with tarfile.open(tmp_path / "results.tgz", "w:gz") as made:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            made.addfile(info, io.BytesIO(content))
    zipped = recognised(read(store, packed(tmp_path / "results.zip", members))[1])
    assert recognised(read(store, tmp_path / "results.tgz")[1]) == {name.replace(".zip", ".tgz") for name in zipped}
