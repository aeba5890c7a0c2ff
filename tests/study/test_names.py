"""Information from a file name belongs to that file, also if another file has the same bytes."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.readers import (
    test_blg,
    test_diskspd,
    test_diskspd_summary,
    test_diskspd_xml,
    test_iometer,
    test_vdbench,
    test_vmfleet,
)
from tests.readers.fio_results import job, result, text_of
from tests.readers.perfmon_files import good_rows, pdh
from tests.readers.test_mapped_csv import found_in
from tests.tools.fuzz.formats import seeds_of
from workbench.cli import main
from workbench.model.mapping import ColumnMapping, MappedColumn
from workbench.model.metric import Quantity
from workbench.model.reading import Reading
from workbench.readers.registry import readers
from workbench.readers.tables import mapped as mapped_csv
from workbench.readers.tables.proposal import propose
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

SQLIO = (
    "sqlio v1.5.SG\n1 thread reading for 10 secs from file a.dat\nusing 8KB random IOs\nCUMULATIVE DATA:\n"
    "throughput metrics:\nIOs/sec: 100.00\nMBs/sec: 0.78\n"
)
OURS = {"schema": "vdi-benchmark/1", "tool": "labtool", "results": [{"op": "read", "iops": 7000}]}
NEUTRAL = [{"name": "4k randread", "unit": "IOPS", "value": 7000}]
CHART = {"title": "Reads/sec", "series": [{"serie": "MCS", "data": [{"x": "00:00:15", "y": 1}]}]}
ITEM = {
    "measurementId": "total_login_time",
    "userSessionId": "s1",
    "testRunId": "r1",
    "duration": 21500.0,
    "timestamp": "2024-05-10T09:00:00Z",
}
TIMED = "time,iops\n2016-05-10 09:00:00,1\n2016-05-10 09:00:15,2\n"
BEFORE, AFTER = "before_tuning", "after_tuning"
# A result of each reader, and two names that a file with it may have.
RESULTS: dict[str, tuple[str | bytes, str, str]] = {
    "perfmon": (pdh(*good_rows(3)), f"{BEFORE}.csv", f"{AFTER}.csv"),
    "blg": (test_blg.plain(), f"{BEFORE}.blg", f"{AFTER}.blg"),
    "events": ("time,event,vm,user,detail\n2016-05-10T09:00:00Z,power_on,a,,\n", f"{BEFORE}.csv", f"{AFTER}.csv"),
    "fio": (text_of(result(job())), f"{BEFORE}.json", f"{AFTER}.json"),
    "diskspd": (test_diskspd.REPORT, f"{BEFORE}.txt", f"{AFTER}.txt"),
    "diskspd-xml": (test_diskspd_xml.REPORT, f"{BEFORE}.xml", f"{AFTER}.xml"),
    "diskspd-summary": (
        f"{test_diskspd_summary.HEAD}\n{test_diskspd_summary.MIXED}\n",
        f"{BEFORE}.csv",
        f"{AFTER}.csv",
    ),
    "sqlio": (SQLIO, f"{BEFORE}.txt", f"{AFTER}.txt"),
    "iometer": (test_iometer.result().replace("cache test", ""), f"{BEFORE}.csv", f"{AFTER}.csv"),
    "vdbench": (test_vdbench.FLATFILE, f"{BEFORE}.html", f"{AFTER}.html"),
    "vmfleet": (test_vmfleet.table(test_vmfleet.ROW), f"{BEFORE}.tsv", f"{AFTER}.tsv"),
    "vdi-benchmark": (json.dumps(OURS), f"{BEFORE}.json", f"{AFTER}.json"),
    "benchmark-json": (json.dumps(NEUTRAL), f"{BEFORE}.json", f"{AFTER}.json"),
    "login-vsi": ("DateTime,User,LogonTime\n05/24/2016 09:00:00,a,5\n", f"{BEFORE}.csv", f"{AFTER}.csv"),
    "login-vsi-share": ("", "LaunchedSessions/pc##ann_#1.txt", "LaunchedSessions/pc##bob_#1.txt"),
    "login-enterprise": (json.dumps(ITEM), f"{BEFORE}.json", f"{AFTER}.json"),
    "login-enterprise-csv": (
        "id,timestamp,result,sessionId\ntotal,2024-05-10T09:00:00Z,5,s\n",
        f"{BEFORE}.csv",
        f"{AFTER}.csv",
    ),
    "poolmon": (
        "2016-05-10 09:00:00\n VhdR Nonp 5 ( 0) 1 ( 0) 4 4096 ( 0) 1024\n",
        "W10-001_poolmon.txt",
        "W10-002_poolmon.txt",
    ),
    "citrix-monitor": (
        json.dumps([{"LogOnStartDate": "2024-05-10T09:00:04Z", "LogOnEndDate": None}])[:-2]
        + ', "BrokeringDuration": 812, "SessionKey": "x"}]',
        f"{BEFORE}.json",
        f"{AFTER}.json",
    ),
    "crystaldiskmark": (
        "CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo\n\n[Read]\n"
        "  SEQ    1MiB (Q=  8, T= 1):   500.000 MB/s [    476.8 IOPS] < 16700.50 us>\n\n"
        "Profile: Default\n   Test: 1 GiB (x5) [C: 50% (50/100GiB)]\n",
        f"{BEFORE}.txt",
        f"{AFTER}.txt",
    ),
    "get-counter": (
        "Timestamp                 CounterSamples\n---------                 --------------\n"
        "5/10/2016 9:00:00 AM      \\\\w10-001\\physicaldisk(_total)\\disk reads/sec :\n"
        "                          12.5\n\n",
        f"{BEFORE}.txt",
        f"{AFTER}.txt",
    ),
    "long-table": (
        "TimeGenerated,Computer,ObjectName,CounterName,InstanceName,CounterValue\n"
        + "".join(f"2016-05-10T09:0{n}:00Z,W10-001,PhysicalDisk,Disk Reads/sec,_Total,{n}.5\n" for n in range(4)),
        f"{BEFORE}.csv",
        f"{AFTER}.csv",
    ),
    "iostat": (
        "Linux 6.1.0 (nas01)  05/20/24  _x86_64_  (8 CPU)\n\n"
        + "".join(f"2024-05-20 09:00:0{n}\nDevice r/s w/s rkB/s\nsda 1.00 2.00 8.00\n\n" for n in range(3)),
        "nas.log",
        "other.log",
    ),
    "dstat": (
        '"Dstat 0.7.2 CSV output"\n"Host:","nas01"\n"epoch","dsk/total",\n"epoch","read","writ"\n'
        + "".join(f"171622410{n},1.0,{n}.0\n" for n in range(3)),
        "nas.csv",
        "other.csv",
    ),
    "go-euc": (json.dumps(CHART), f"{BEFORE}.json", f"{AFTER}.json"),
    "fio-log": ("250, 1, 0, 0\n500, 2, 0, 0\n750, 2, 0, 0\n", "job_iops.1.log", "other_lat.1.log"),
    "mapped-csv": (TIMED, "W10-001.csv", "W10-002.csv"),
}


# The readers with files that are damaged at random.
for _label in ("terraform", "logon-table", "prometheus", "result-table", "yabs"):
    _seed = seeds_of(_label)[0]
    RESULTS[_label] = (
        _seed.data,
        *(str(Path(place).with_suffix(Path(_seed.name).suffix)) for place in (BEFORE, AFTER)),
    )


def by_file() -> dict[str, ColumnMapping]:
    """The mapping of the table above; each file names its machine."""
    column = MappedColumn(1, Quantity.IOPS, machine=mapped_csv.FROM_FILE_NAME)
    mapping = replace(propose(found_in(TIMED)), columns=(column,))
    return {mapping.header: mapping}


def named(folder: Path, label: str) -> list[Path]:
    """Writes a result under both of its names; returns the files."""
    content, *names = RESULTS[label]
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (1_462_867_200, 1_462_867_200))
    return paths


def read(path: Path, folder: Path, store: Store) -> Reading:
    return read_source(path, path.relative_to(folder).as_posix(), store, by_file())


def placeless(reading: Reading) -> Reading:
    """A reading without the place of its columns in a store."""
    return replace(reading, recording=reading.recording and reading.recording.placed(reading.report.path, ""))


def test_that_each_reader_is_tested() -> None:
    assert set(RESULTS) == {reader.label for reader in readers()}


@pytest.mark.parametrize("label", list(RESULTS))
def test_that_a_file_with_two_names_gives_the_same_results_for_each(tmp_path: Path, label: str) -> None:
    both = Store(tmp_path / "both")
    paths = named(tmp_path / "lab", label)
    for number, path in enumerate(paths):
        alone = read(path, tmp_path / "lab", Store(tmp_path / f"alone-{number}"))
        assert alone.report.reader == label
        assert placeless(read(path, tmp_path / "lab", both)) == placeless(alone)


@pytest.mark.parametrize("label", ["perfmon", "blg", "login-vsi", "go-euc", "login-enterprise"])
def test_that_a_result_whose_name_has_no_information_is_stored_once(tmp_path: Path, label: str) -> None:
    store = Store(tmp_path / "store")
    for path in named(tmp_path / "lab", label):
        read(path, tmp_path / "lab", store)
    assert len(list((store.root / "v1" / "readings").iterdir())) == 1


def names_of_tests(lab: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["benchmarks", str(lab), "--format", "json"]) == 0
    return sorted({row["test"] for row in json.loads(capsys.readouterr().out)})


def test_that_a_renamed_benchmark_has_its_new_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    lab = tmp_path / "lab"
    lab.mkdir()
    old = lab / f"{BEFORE}.json"
    old.write_text(text_of(result(job())))
    assert names_of_tests(lab, capsys) == [BEFORE]
    old.rename(lab / f"{AFTER}.json")
    assert names_of_tests(lab, capsys) == [AFTER]
    (lab / f"{BEFORE}.json").write_text(text_of(result(job())))
    assert names_of_tests(lab, capsys) == [AFTER, BEFORE]
