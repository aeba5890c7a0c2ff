"""poolmon: the RAM cache of PVS in snapshots of the memory pools, cell by cell, and their times."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.builders import perfmon_csv, stored_frame
from workbench.console.loading import load_studies
from workbench.measures.caches.use import run_cache
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.reading import Reading
from workbench.readers import poolmon
from workbench.readers.registry import recognise
from workbench.study.store.column_store import Store

MB = 2**20
HEAD = """ Memory: 4193716K Avail: 2210432K  PageFlts:   512   InRam Krnl: 9216K P:181232K
 Commit:1803500K Limit:6640916K Peak:2260632K            Pool N:{pool}K P:212204K
 System pool information
 Tag  Type     Allocs            Frees            Diff   Bytes       Per Alloc

"""
OTHER = """ MmSt Paged    183422 (   0)    170011 (   0)    13411 31457280 (     0)   2345
 Ntfr Nonp      81234 (  12)     80111 (   9)     1123  143744 (   384)    128
"""


def snapshot(mb: float | None, driver: int = 90_112, pool: int = 712_704) -> str:
    """One snapshot with that many MB of RAM cache; None: without the tags of PVS."""
    cache = (
        ""
        if mb is None
        else (
            f" VhdR Nonp      60021 (   4)      1877 (   0)    58144 {round(mb * MB)} (  4096)   4096\n"
            f" VhdL Nonp        311 (   0)        12 (   0)      299 {driver} (     0)    301\n"
        )
    )
    return HEAD.format(pool=pool) + OTHER + cache


def read(folder: Path, text: str, name: str = "W10-001 poolmon.txt", order: str = "") -> Reading:
    file = folder / Path(name).name
    file.write_bytes(text.replace("\n", "\r\n").encode())
    assert recognise(file.read_bytes()[:65_536], file.name) is poolmon.READER
    return poolmon.read(file, name, folder / "columns.arrow", order)


def cells(folder: Path, reading: Reading) -> dict[str, list[Any]]:
    assert reading.recording is not None
    table = stored_frame(folder / "columns.arrow").to_dict(as_series=False)
    return {series.counter: table[f"c{series.column}"] for series in reading.recording.series}


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def moments(folder: Path) -> list[str]:
    table = stored_frame(folder / "columns.arrow")
    return [datetime.fromtimestamp(t / 1e6, UTC).strftime("%Y-%m-%d %H:%M:%S") for t in table["t"]]


def test_that_appended_snapshots_are_read_cell_by_cell_at_the_times_next_to_them(tmp_path: Path) -> None:
    text = "\n".join(f"Tue 05/10/2016  9:0{n}:01.50 \n{snapshot(100.5 * n, 90_000 + n, 712_000 + n)}" for n in range(3))
    reading = read(tmp_path, text)
    assert cells(tmp_path, reading) == {
        "VhdR Nonpaged Bytes": [0.0, round(100.5 * MB), 201.0 * MB],
        "VhdL Nonpaged Bytes": [90_000.0, 90_001.0, 90_002.0],
        "Pool N Bytes": [1024.0 * (712_000 + n) for n in range(3)],
    }
    assert moments(tmp_path) == ["2016-05-10 09:00:01", "2016-05-10 09:01:01", "2016-05-10 09:02:01"]
    assert reading.recording is not None
    metrics = {series.counter: series.metric for series in reading.recording.series}
    cache = metrics.pop("VhdR Nonpaged Bytes")
    assert cache is not None
    assert (cache.quantity, cache.estimate) == (Quantity.CACHE_RAM_USED, False)
    assert set(metrics.values()) == {None}
    report = reading.report
    assert (report.hosts, report.rows, report.rejected_rows, report.cells, report.missing_cells) == (
        ("W10-001",),
        3,
        0,
        9,
        0,
    )
    assert (report.utc_offset_minutes, codes(reading)) == (None, [])


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("2016-05-10T09:00:05", "2016-05-10 09:00:05"),
        ("The current date is: Tue 05/10/2016 \nThe current time is:  9:00:05.12 ", "2016-05-10 09:00:05"),
        ("Tue 10/05/2016 \n09:00 AM", "2016-05-10 09:00:00"),
        ("Tuesday, May 10, 2016 9:00:05 PM\n\n", "2016-05-10 21:00:05"),
        ("10.05.2016  9:00:05,12", "2016-05-10 09:00:05"),
        ("==== 25/12/2016 23:59:59 ====", "2016-12-25 23:59:59"),
    ],
)
def test_that_a_date_is_read_as_scripts_write_it(tmp_path: Path, written: str, taken: str) -> None:
    read(tmp_path, f"{written}\n{snapshot(64)}")
    assert moments(tmp_path) == [taken]


def test_that_a_time_after_a_snapshot_belongs_to_it(tmp_path: Path) -> None:
    read(tmp_path, f"{snapshot(1)}2016-05-10 09:00:00\n{snapshot(2)}2016-05-10 09:05:00\n")
    assert moments(tmp_path) == ["2016-05-10 09:00:00", "2016-05-10 09:05:00"]


def test_that_an_ambiguous_date_is_a_guess_and_several_days_are_rejected_until_the_run_states_the_order(
    tmp_path: Path,
) -> None:
    text = f"05/10/2016 09:00:00\n{snapshot(64)}"
    recording = read(tmp_path, text).recording
    assert recording is not None
    assert recording.dates is not None
    assert (recording.dates.order, recording.dates.other_us) == ("mdy", 148 * 86_400_000_000)
    reading = read(tmp_path, f"05/10/2016 09:00:00\n{snapshot(64)}06/11/2016 09:00:00\n")
    assert (codes(reading), reading.recording, reading.report.rejected_rows) == (["ambiguous-date"], None, 1)
    assert read(tmp_path, text, order="dmy").recording is not None
    assert moments(tmp_path) == ["2016-10-05 09:00:00"]


def test_that_the_file_name_gives_the_time_if_the_text_does_not(tmp_path: Path) -> None:
    reading = read(tmp_path, snapshot(64), "guest/W10-007_poolsnap_20160510-090003.log")
    assert (reading.report.hosts, moments(tmp_path)) == (("W10-007",), ["2016-05-10 09:00:03"])
    assert (reading.report.utc_offset_minutes, codes(reading)) == (None, ["time-from-name"])


def test_that_the_file_time_is_used_last_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "poolsnap.log").write_text(snapshot(64))
    os.utime(tmp_path / "poolsnap.log", (1_462_867_200, 1_462_867_200))
    reading = poolmon.READER.read(tmp_path / "poolsnap.log", "W10-003/poolsnap.log", tmp_path / "columns.arrow")
    assert (reading.report.hosts, moments(tmp_path)) == (("W10-003",), ["2016-05-10 08:00:00"])
    assert (reading.report.utc_offset_minutes, codes(reading)) == (0, ["time-from-file"])


def test_that_several_snapshots_without_times_are_skipped_one_by_one(tmp_path: Path) -> None:
    reading = read(tmp_path, snapshot(64) + snapshot(65))
    assert (reading.recording, reading.report.rejected_rows) == (None, 2)
    assert [problem.line for problem in reading.problems] == [1, 10]
    assert set(codes(reading)) == {"snapshot-without-time"}


def test_that_a_snapshot_without_the_tag_is_missing_and_not_empty(tmp_path: Path) -> None:
    reading = read(tmp_path, f"2016-05-10 09:00:00\n{snapshot(None)}2016-05-10 09:01:00\n{snapshot(64)}")
    assert cells(tmp_path, reading)["VhdR Nonpaged Bytes"] == [64.0 * MB]
    assert (codes(reading), reading.report.rows, reading.report.rejected_rows) == (["no-pvs-tag"], 1, 1)


def test_that_snapshots_that_begin_with_the_headings_of_columns_are_separated(tmp_path: Path) -> None:
    below = (snapshot(mb).partition(" System pool information\n")[2] for mb in (64, None, 65))
    reading = read(tmp_path, "".join(f"2016-05-10 09:0{n}:00\n{rows}" for n, rows in enumerate(below)))
    assert cells(tmp_path, reading)["VhdR Nonpaged Bytes"] == [64.0 * MB, 65.0 * MB]
    assert moments(tmp_path) == ["2016-05-10 09:00:00", "2016-05-10 09:02:00"]
    (problem,) = reading.problems
    # The second begins on line 9 and lists two other tags, one of them of paged memory.
    assert (problem.code, problem.line, re.findall(r"\d+", problem.message)) == ("no-pvs-tag", 9, ["9", "2"])


def test_that_rows_selected_by_a_script_are_read(tmp_path: Path) -> None:
    row = " VhdR Nonp      60021     1877    58144 {}   4096\n"
    text = "".join(f"10.05.2016 09:0{n}:00\n{row.format(n * MB)}" for n in range(3))
    reading = read(tmp_path, text, "W10-001.txt")
    assert cells(tmp_path, reading) == {"VhdR Nonpaged Bytes": [0.0, MB, 2.0 * MB]}
    assert (reading.report.rows, codes(reading)) == (3, [])


@pytest.mark.parametrize(
    ("name", "text", "machine"),
    [
        ("poolmon_W10-002_003.txt", "", "W10-002"),
        ("lab.zip/guests/W10-004/poolsnap.log", "", "W10-004"),
        ("VhdR-RDS01.log", "", "RDS01"),
        ("poolmon.txt", "Computer Name: W10-009\n", "W10-009"),
    ],
)
def test_that_text_or_file_name_or_folder_name_the_machine(tmp_path: Path, name: str, text: str, machine: str) -> None:
    assert read(tmp_path, f"{text}2016-05-10 09:00:00\n{snapshot(64)}", name).report.hosts == (machine,)


def test_that_a_file_without_a_machine_is_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, f"2016-05-10 09:00:00\n{snapshot(64)}", "guest/poolmon.txt")
    assert (reading.report.hosts, codes(reading)) == ((), ["machine-not-named"])


def test_that_a_row_that_is_cut_is_not_read_as_a_smaller_cache(tmp_path: Path) -> None:
    text = f"2016-05-10 09:00:00\n{snapshot(64)}2016-05-10 09:01:00\n" + snapshot(65).partition(" (  4096)")[0][:-3]
    reading = read(tmp_path, text)
    assert cells(tmp_path, reading)["VhdR Nonpaged Bytes"][0] == 64.0 * MB
    assert reading.report.rows + reading.report.rejected_rows == 2
    assert reading.report.rows == 1


def test_that_a_folder_of_snapshots_replaces_the_estimate_from_the_pool(tmp_path: Path) -> None:
    run = tmp_path / "lab" / "PVS 512 MB"
    perfmon_csv(
        run / "guest" / "W10-001.csv",
        {
            r"\\W10-001\Memory\Pool Nonpaged Bytes": [900 * MB] * 40,
            r"\\W10-001\PhysicalDisk(_Total)\Disk Transfers/sec": [50.0 + n % 3 for n in range(40)],
        },
    )
    for minute in range(10):
        file = run / "guest" / f"W10-001_poolmon_20160510-09{minute:02}00.txt"
        file.write_text(snapshot(30.0 * minute))
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    (read_run,) = study.runs
    cache = run_cache(run_figures(read_run))
    (vm,) = cache.vms
    assert (vm.vm, vm.ram_from, vm.ram_peak_mb, vm.estimate, vm.overflowed) == ("W10-001", "poolmon", 270, False, False)
    # Local times of the snapshots are on the clock of the other files, one hour east of UTC.
    assert vm.first == 1_462_867_200.0
    assert "cache-estimate" not in {problem.code for problem in cache.problems}
