"""Impossible samples are reported with file, counter and line, and removed if a rule is certain."""

from __future__ import annotations

import random
import weakref
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from tests.study.plausibility.damaged import FIVE, Rows, column, damaged, phase, read, summary, told
from workbench.model.recording import Series
from workbench.study.importing.source import read_source
from workbench.study.plausibility import judge, screen
from workbench.study.store.column_store import Store

TOTAL = r"\\W7-002\PhysicalDisk(_Total)\Disk "
# A row in steady state, far from the edges of the phase.
ROW = 400


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def usual(count: int = 200, mean: float = 50.0) -> list[float]:
    """Rates of an active desktop, all different."""
    random_ = random.Random(7)
    return [mean * (0.5 + random_.random()) for _ in range(count)]


def at(line: int, step_s: float = 15.0) -> str:
    """The time of a line in a message."""
    return f"{datetime(2016, 5, 10, 9) + timedelta(seconds=(line - 2) * step_s): at %Y-%m-%d %H:%M:%S,}"


def io_without(rows: Rows, row: int, *counters: str) -> float:
    """The I/O of the cells of a row: value times the seconds since the previous row."""
    first, last = (datetime.strptime(rows[at][0], "%m/%d/%Y %H:%M:%S.%f") for at in (row - 1, row))
    return sum(float(rows[row][column(rows, TOTAL + counter)]) for counter in counters) * (last - first).total_seconds()


def test_that_one_wrong_cell_changes_no_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost: list[float] = []

    def change(rows: Rows) -> None:
        lost.append(io_without(rows, ROW, "Transfers/sec"))
        rows[ROW][column(rows, TOTAL + "Transfers/sec")] = "100000"

    clean = phase(summary(FIVE, capsys), "steady")
    answer = summary(damaged(tmp_path, change), capsys)
    (problem,) = told(answer)
    assert (problem["code"], problem["line"], problem["file"]) == ("spike", ROW + 1, "guest/DataCollector01.csv")
    assert r"\\W7-002\PhysicalDisk(_Total)\Disk Transfers/sec" in problem["message"]
    assert problem["action"].startswith("1 sample rejected")
    # Only the I/O of this one cell is missing from the whole phase.
    assert phase(answer, "steady")["total_io"] == pytest.approx(clean["total_io"] - lost[0], rel=1e-9)


def test_that_a_spike_that_other_counters_confirm_is_reported_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(rows: Rows) -> None:
        for counter, value in (("Reads/sec", "60000"), ("Writes/sec", "40000"), ("Transfers/sec", "100000")):
            rows[ROW][column(rows, TOTAL + counter)] = value

    clean = phase(summary(FIVE, capsys), "steady")
    answer = summary(damaged(tmp_path, change), capsys)
    (problem,) = told(answer)
    assert problem["code"] == "spike"
    assert problem["line"] == ROW + 1
    assert "kept, because no other counter contradicts this" in problem["action"]
    assert phase(answer, "steady")["total_io"] > clean["total_io"] + 400_000


def test_that_suspect_counters_of_a_long_file_are_not_loaded_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log of 3.3 GB once needed 2.5 GB of memory when a third of its counters were suspected."""
    values = {rf"\\A{name}\PhysicalDisk(_Total)\Disk Reads/sec": usual()[:100] + [7.123] * 100 for name in range(40)}
    path = perfmon_csv(tmp_path / "a.csv", values)
    alive: set[int] = set()
    most = 0

    def watched(matrix: screen.FloatArray, series: Series) -> screen.FloatArray:
        nonlocal most
        values = scaled(matrix, series).copy()
        alive.add(series.column)
        weakref.finalize(values, alive.discard, series.column)
        most = max(most, len(alive))
        return values

    scaled = judge._scaled
    monkeypatch.setattr(judge, "_scaled", watched)
    monkeypatch.setattr(judge, "_KEPT_VALUES", 1)
    (message,) = read(path, tmp_path / "s")
    assert "; 39 more such ranges)" in message
    assert 1 <= most <= judge._LEAST_KEPT + 2


@pytest.mark.parametrize(("number", "left_out"), [(1, 1), (3, 3), (8, 0)])
def test_that_several_spikes_are_reported_and_few_are_removed(tmp_path: Path, number: int, left_out: int) -> None:
    """Eight high samples, far apart, may be a recurring load."""
    busy = usual()
    for place in range(number):
        busy[10 + 20 * place] = 100_000.0 + place
    path = perfmon_csv(tmp_path / "a.csv", {r"\\A\PhysicalDisk(_Total)\Disk Reads/sec": busy})
    (message,) = read(path, tmp_path / "s")
    assert message.startswith("spike: ")
    assert at(12 + 20 * (number - 1)) in message
    assert read_source(path, "a.csv", Store(tmp_path / "s")).report.missing_cells == left_out


def test_that_a_constant_load_is_not_a_spike(tmp_path: Path) -> None:
    busy = usual()
    busy[100:112] = [60_000.0 + n for n in range(12)]
    path = perfmon_csv(tmp_path / "a.csv", {r"\\A\PhysicalDisk(_Total)\Disk Reads/sec": busy})
    assert not read(path, tmp_path / "s")


def test_that_a_boot_storm_is_not_a_spike(tmp_path: Path) -> None:
    busy = usual(mean=8.0)
    busy[3:6] = [1800.0, 9000.0, 2400.0]
    path = perfmon_csv(tmp_path / "a.csv", {r"\\A\PhysicalDisk(_Total)\Disk Reads/sec": busy})
    assert not read(path, tmp_path / "s")


@pytest.mark.parametrize("step", [1.0, 5.0, 15.0, 60.0])
@pytest.mark.parametrize("counter", ["Disk Read Bytes/sec", "Disk Reads/sec"])
def test_that_a_wrapped_counter_is_removed(tmp_path: Path, step: float, counter: str) -> None:
    values = usual(mean=100_000.0 if "Bytes" in counter else 40.0)
    values[77] = (2**32 - 1_234) / step
    path = perfmon_csv(tmp_path / "a.csv", {rf"\\A\PhysicalDisk(_Total)\{counter}": values}, step_s=step)
    (message,) = read(path, tmp_path / "s")
    assert message.startswith(("counter-wrap: ", "impossible-sample: "))
    assert at(79, step) in message
    reading = read_source(path, "a.csv", Store(tmp_path / "s"))
    assert reading.report.missing_cells == 1


def test_that_more_bytes_than_operations_can_transfer_are_removed(tmp_path: Path) -> None:
    disk = r"\\A\PhysicalDisk(_Total)\Disk "
    moved = usual(mean=200_000.0)
    moved[50] = 2e10
    path = perfmon_csv(tmp_path / "a.csv", {disk + "Bytes/sec": moved, disk + "Transfers/sec": usual()})
    (message,) = read(path, tmp_path / "s")
    assert message.startswith("spike: ")
    assert at(52) in message
    assert "operations/s" in message
    assert read_source(path, "a.csv", Store(tmp_path / "s")).report.missing_cells == 1


def test_that_a_disk_that_reads_large_files_keeps_its_samples(tmp_path: Path) -> None:
    disk = r"\\A\PhysicalDisk(_Total)\Disk "
    moved, operations = usual(mean=20_000.0), usual(mean=5.0)
    moved[50], operations[50] = 2e9, 2000.0
    path = perfmon_csv(tmp_path / "a.csv", {disk + "Bytes/sec": moved, disk + "Transfers/sec": operations})
    (message,) = read(path, tmp_path / "s")
    assert message.startswith("spike: ")
    assert read_source(path, "a.csv", Store(tmp_path / "s")).report.missing_cells == 0


@pytest.mark.parametrize(
    ("counter", "value", "expected"),
    [
        (r"\\A\Processor(_Total)\% Processor Time", 250.0, True),
        (r"\\A\Processor(_Total)\% Processor Time", 100.4, False),
        (r"\\A\Memory\Available MBytes", 1e12, True),
        (r"\\A\PhysicalDisk(_Total)\Avg. Disk Queue Length", 1e7, True),
        (r"\\A\Terminal Services\Active Sessions", 1e6, True),
    ],
)
def test_that_each_counter_has_a_separate_limit(tmp_path: Path, counter: str, value: float, expected: bool) -> None:
    values = [float(n % 7) for n in range(60)]
    values[30] = value
    path = perfmon_csv(tmp_path / "a.csv", {counter: values})
    found = read(path, tmp_path / "s")
    assert [message.startswith("impossible-sample: ") and at(32) in message for message in found] == [True] * expected
    assert read_source(path, "a.csv", Store(tmp_path / "s")).report.missing_cells == expected


def test_that_esxtop_sums_processors(tmp_path: Path) -> None:
    disk, cpu = r"\\esx\Virtual Disk(W10)\Commands/sec", r"\\esx\Group Cpu(12:W10)\% Used"
    path = perfmon_csv(tmp_path / "a.csv", {disk: usual(), cpu: [380.0 + n for n in range(200)]})
    assert not read(path, tmp_path / "s")


def test_that_a_long_latency_is_reported_and_kept(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    slow = [0.004 + n * 1e-5 for n in range(80)]
    slow[40:43] = [7.5, 9.5, 8.0]
    path = perfmon_csv(tmp_path / "a.csv", {r"\\A\PhysicalDisk(_Total)\Avg. Disk sec/Read": slow}, step_s=5.0)
    (message,) = read(path, tmp_path / "s")
    assert message.startswith("long-latency: ")
    assert message == snapshot
    assert read_source(path, "a.csv", Store(tmp_path / "s")).report.missing_cells == 0


def test_that_a_frozen_collector_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """From row 300 on one machine's collector repeats its last values to the end of the file."""

    def change(rows: Rows) -> None:
        mine = [place for place, cell in enumerate(rows[0]) if cell.startswith(r"\\W7-002")]
        for row in rows[301:]:
            for place in mine:
                row[place] = rows[300][place]
        assert all(float(rows[300][column(rows, TOTAL + c)]) > 0 for c in ("Reads/sec", "Writes/sec"))

    answer = summary(damaged(tmp_path, change), capsys)
    (problem,) = told(answer)
    assert problem["code"] == "frozen-counter"
    assert problem["line"] == 301
    assert problem["message"] == snapshot
    rest = [one for one in answer["problems"] if one["code"] in ("gap", "vms-missing")]
    assert any("W7-002" in one["message"] or "4 of 5 VMs" in one["message"] for one in rest)


def test_that_one_frozen_counter_is_reported_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(rows: Rows) -> None:
        place = column(rows, TOTAL + "Writes/sec")
        for row in rows[300:340]:
            row[place] = "13.3706491"

    answer = summary(damaged(tmp_path, change), capsys)
    (problem,) = told(answer)
    assert (problem["code"], problem["line"]) == ("frozen-counter", 301)
    assert "is constant (13.3706) in 40 consecutive samples" in problem["message"]
    assert problem["action"].startswith("samples kept")


def test_that_idle_zeros_and_cache_counters_and_held_samples_may_repeat(tmp_path: Path) -> None:
    held = [value for value in usual(20) for _ in range(12)]
    columns = {
        r"\\A\PhysicalDisk(_Total)\Disk Reads/sec": [0.0] * 240,
        r"\\A\PhysicalDisk(_Total)\Disk Writes/sec": held,
        r"\\A\Citrix MCS Storage Driver\Cache memory used": [268435456.25] * 240,
        r"\\A\Processor(_Total)\% Processor Time": [1.5625321] * 240,
    }
    assert not read(perfmon_csv(tmp_path / "a.csv", columns), tmp_path / "s")


def test_that_low_rates_may_repeat_by_chance(tmp_path: Path) -> None:
    """One or two operations in 5 s: 0.2 and 0.4 follow each other for minutes."""
    chance = random.Random(3)
    idle = [chance.choice((0.0, 0.2, 0.2, 0.2, 0.4)) for _ in range(20_000)]
    path = perfmon_csv(tmp_path / "a.csv", {r"\\A\PhysicalDisk(_Total)\Disk Reads/sec": idle}, step_s=5.0)
    assert not read(path, tmp_path / "s")


def test_that_wide_files_are_checked_too(tmp_path: Path) -> None:
    """From 100 counters on, samples are stored in another kind of file."""
    columns = {rf"\\VM{n:03}\PhysicalDisk(_Total)\Disk Reads/sec": usual(40, 20.0 + n) for n in range(150)}
    columns[r"\\VM120\PhysicalDisk(_Total)\Disk Reads/sec"][20] = 1e5
    path = perfmon_csv(tmp_path / "a.csv", columns)
    (message,) = read(path, tmp_path / "s")
    assert message.startswith("spike: ")
    assert at(22) in message
    assert "VM120" in message
    assert read_source(path, "a.csv", Store(tmp_path / "s")).report.missing_cells == 1


def test_that_large_files_are_checked_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both cases are in later blocks of 50 rows; the repeated values span two blocks."""
    monkeypatch.setattr(screen, "_AT_ONCE", 100)
    disk = r"\\A\PhysicalDisk(_Total)\Disk "
    reads, writes = usual(), usual(mean=20.0)
    reads[170], writes[85:115] = 1e5, [17.1234567] * 30
    path = perfmon_csv(tmp_path / "a.csv", {disk + "Reads/sec": reads, disk + "Writes/sec": writes})
    spike, frozen = read(path, tmp_path / "s")
    assert spike.startswith("spike: ")
    assert at(172) in spike
    assert frozen.startswith("frozen-counter: ")
    assert frozen.endswith("(lines 87 to 116, from 2016-05-10 09:21:15).")


def test_that_a_file_with_many_wrong_cells_gives_one_sentence(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    values = usual(120)
    columns = {rf"\\VM{n}\PhysicalDisk(_Total)\Disk Reads/sec": [1e9, *values, 2e9, 1e12] for n in range(9)}
    (message,) = read(perfmon_csv(tmp_path / "a.csv", columns), tmp_path / "s")
    assert message == snapshot


def test_that_the_sample_study_raises_no_report(tmp_path: Path) -> None:
    from tests.study.plausibility.damaged import CODES, SAMPLE

    for path in sorted(SAMPLE.rglob("*.csv")):
        if path.is_relative_to(SAMPLE / "damaged"):
            continue
        assert not [found for found in read(path, tmp_path / "s") if found.split(":")[0] in CODES], path


def test_that_a_bundle_of_samples_is_unchanged_when_reopened(tmp_path: Path) -> None:
    """Removed samples stay removed when the store is used."""
    values = usual()
    values[9] = 1e9
    path = perfmon_csv(tmp_path / "a.csv", {r"\\A\PhysicalDisk(_Total)\Disk Reads/sec": values})
    kept = Store(tmp_path / "s")
    first, again = (read_source(path, "a.csv", kept) for _ in range(2))
    assert first.problems == again.problems
    assert first.report == again.report


@pytest.mark.parametrize(
    ("counter", "values"),
    [
        pytest.param(r"RemoteFX Network(RDP-Tcp 1)\Loss Rate", [0.0, 100.0, 150.0, 2.0], id="packets lost"),
        # More than 100 % is usual with turbo, but not 900 %.
        pytest.param(r"Processor Information(_Total)\% Processor Utility", [40.0, 230.0, 900.0, 120.0], id="utility"),
    ],
)
def test_that_a_share_above_its_limit_is_rejected_and_others_stay(
    tmp_path: Path, counter: str, values: list[float]
) -> None:
    perfmon_csv(tmp_path / "a.csv", {rf"\\W7-002\{counter}": values * 5})
    reading = read_source(tmp_path / "a.csv", "a.csv", Store(tmp_path / "store"))
    (problem,) = [one for one in reading.problems if one.code == "impossible-sample"]
    assert problem.line == 4
    assert reading.report.missing_cells == 5
