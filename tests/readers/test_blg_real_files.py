"""Two public logs, and two generated ones in their shape, compared with their raw bytes and checked for consistency.

The raw values are found by searching the bytes and not by following the structure of the log, so a wrong layout in the
reader is detected.
"""

from __future__ import annotations

import csv
import random
import re
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.readers.blg_files import (
    AVERAGE_BULK,
    QUEUE_100NS,
    SECOND,
    START,
    TIMER_INV,
    catalogue,
    local,
    log,
    many,
    read,
    record,
    sample,
    single,
)
from tests.readers.made_blg import whole_objects
from tests.readers.perfmon_files import Result
from workbench.readers.blg import reader as blg
from workbench.readers.registry import recognise

FILES = Path(__file__).parents[3] / "shared" / "data" / "perfmon"
only_real = pytest.mark.skipif(not FILES.is_dir(), reason="the public recordings are not here")
NEW, OLD = "Tx_BasicPerfCounters.blg", "PAL_SampleLog.blg"
# test/powershell/Modules/Microsoft.PowerShell.Diagnostics/assets of github.com/PowerShell/PowerShell.
EXPORTED = FILES / "PowerShell_CounterSamples.blg"

Floats = npt.NDArray[np.float64]


def _column(result: Result, path: str) -> Floats:
    recording = result.reading.recording
    assert recording is not None
    found = [series.column for series in recording.series if series.path.split("\\", 3)[3] == path]
    assert len(found) == 1, path
    return np.array(result.columns[f"c{found[0]}"], np.float64)


@dataclass(frozen=True)
class Log:
    """The reading of a log, and its bytes."""

    result: Result
    content: bytes


DISK = ("Bytes/Read", "Bytes/Write", "Queue Length", "Read Queue Length", "Write Queue Length")


def _made() -> bytes:
    """Five counters of a disk and the processors of a machine with four, a sample each second, as the log of 2013 has
    them. Every seventh second has no reads, every fifth no writes."""
    kinds = (AVERAGE_BULK, AVERAGE_BULK, QUEUE_100NS, QUEUE_100NS, QUEUE_100NS)
    names = (f"Avg. Disk {name}" for name in DISK)
    disk = [record("PhysicalDisk", name, kind, "0 C:", base=SECOND) for name, kind in zip(names, kinds, strict=True)]
    parts = catalogue(*disk, record("Processor", "% Processor Time", TIMER_INV, "*", form=1, base=SECOND))
    draw, amounts, counts, queues, idle = random.Random(1), [0, 0], [0, 0], [0, 0], [0] * 5
    for second in range(61):
        now = START + second * SECOND
        for side, rest in ((0, 7), (1, 5)):
            ios = draw.randrange(1, 90) if second % rest else 0
            counts[side] += ios
            amounts[side] += ios * 4096
            queues[side] += ios * draw.randrange(1, 20_000)
        idle = [ticks + (draw.randrange(SECOND) if second else 0) for ticks in idle[:4]]
        idle.append(sum(idle) // 4)
        raw = [(amounts[0], counts[0]), (amounts[1], counts[1]), (sum(queues), now), (queues[0], now), (queues[1], now)]
        items = [(name, ticks, now) for name, ticks in zip(("0", "1", "2", "3", "_Total"), idle, strict=True)]
        stamp = local(second)
        parts += sample(stamp, *(single(stamp, *values) for values in raw), many(stamp, items))
    return log(parts)


@pytest.fixture(scope="module", params=["made", *(["real"] if FILES.is_dir() else [])])
def either(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Log:
    content = _made() if request.param == "made" else (FILES / NEW).read_bytes()
    assert recognise(content[:65_536], "x") is blg.READER
    return Log(read(tmp_path_factory.mktemp("new"), content), content)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return read(tmp_path_factory.mktemp("new"), (FILES / NEW).read_bytes())


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Result:
    content = (FILES / OLD).read_bytes()
    assert recognise(content[:65_536], "x") is blg.READER
    return read(tmp_path_factory.mktemp("old"), content)


@pytest.fixture(scope="module", params=["made", *(["real"] if FILES.is_dir() else [])])
def older(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Result:
    content = whole_objects() if request.param == "made" else (FILES / OLD).read_bytes()
    assert recognise(content[:65_536], "x") is blg.READER
    return read(tmp_path_factory.mktemp("older"), content)


def _singles(content: bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The first and second raw values of the five disk counters, found by the mark before each."""
    places = [match.start() for match in re.finditer(rb"BL\x03\x01\x30\0\0\0", content)]
    values = [struct.unpack_from("<qq", content, place + 24) for place in places]
    whole = np.array(values, np.int64).reshape(-1, 5, 2)
    return whole[..., 0], whole[..., 1]


def _processors(content: bytes) -> npt.NDArray[np.int64]:
    """Idle and system time of the five processors of each sample: [sample, processor, 2]."""
    places = [match.start() for match in re.finditer(rb"BL\x03\x02.\0\0\0", content, re.DOTALL)]
    values = [struct.unpack_from("<" + "8xqq" * 5, content, place + 32) for place in places]
    return np.array(values, np.int64).reshape(-1, 5, 2)


@only_real
def test_that_the_log_of_2013_is_read_completely(new: Result) -> None:
    report = new.reading.report
    assert (report.rows, report.columns, report.rejected_rows) == (601, 10, 0)
    assert (report.hosts, report.utc_offset_minutes) == (("GEORGIS3",), -480)
    assert (report.first, report.last) == ("2013-02-20T02:50:17.844Z", "2013-02-20T03:00:17.84Z")
    assert new.codes == ["cooked-here", "idle-over"]


def test_that_samples_are_one_second_apart(either: Log) -> None:
    steps = np.diff(np.array(either.result.columns["t"], np.int64)) / 1e6
    assert len(steps) == either.result.reading.report.rows - 1 >= 60
    assert np.abs(steps - 1).max() < 0.02


def test_that_the_local_clock_minus_the_offset_is_the_utc_in_the_samples(either: Log) -> None:
    utc = (_processors(either.content)[:, 0, 1] - 116_444_736_000_000_000) / 10
    offset = either.result.reading.report.utc_offset_minutes
    assert offset in (-480, 60)
    ours = np.array(either.result.columns["t"], np.float64) - offset * 60e6
    assert np.abs(ours - utc).max() < 10_000  # microseconds, because the two clocks are read one after the other


def test_that_raw_counters_never_decrease(either: Log) -> None:
    first, second = _singles(either.content)
    assert first.shape == (either.result.reading.report.rows, 5)
    assert (np.diff(first, axis=0) >= 0).all()
    assert (np.diff(second, axis=0) >= 0).all()
    assert (np.diff(_processors(either.content), axis=0) >= 0).all()


def test_that_disk_figures_are_the_differences_of_the_raw_values(either: Log) -> None:
    first, second = (np.diff(one, axis=0).astype(np.float64) for one in _singles(either.content))
    names = [
        "Avg. Disk Bytes/Read",
        "Avg. Disk Bytes/Write",
        "Avg. Disk Queue Length",
        "Avg. Disk Read Queue Length",
        "Avg. Disk Write Queue Length",
    ]
    for place, name in enumerate(names):
        values = _column(either.result, rf"PhysicalDisk(0 C:)\{name}")
        assert np.isnan(values[0])
        nothing = second[:, place] == 0
        assert np.isnan(values[1:][nothing]).all()
        expected = first[~nothing, place] / second[~nothing, place]
        np.testing.assert_allclose(values[1:][~nothing], expected, rtol=1e-12)


def test_that_read_and_write_queues_add_up(either: Log) -> None:
    total, reads, writes = (
        _column(either.result, rf"PhysicalDisk(0 C:)\Avg. Disk {kind}Queue Length") for kind in ("", "Read ", "Write ")
    )
    np.testing.assert_allclose(total[1:], (reads + writes)[1:], atol=1e-9)


def test_that_processor_time_is_a_share_and_its_total_is_the_mean(either: Log) -> None:
    new = either.result
    raw = np.diff(_processors(either.content), axis=0).astype(np.float64)
    busy = 100 * (1 - raw[..., 0] / raw[..., 1])
    columns = np.array([_column(new, rf"Processor({name})\% Processor Time")[1:] for name in "0123"]).T
    total = _column(new, r"Processor(_Total)\% Processor Time")[1:]
    assert ((columns >= 0) & (columns <= 100)).all()
    assert ((total >= 0) & (total <= 100)).all()
    np.testing.assert_allclose(columns, np.maximum(busy[:, :4], 0), atol=1e-9)
    # In the log of 2013 one tick of the clock, read as 0.
    assert np.count_nonzero(busy[:, :4] < 0) == ("idle-over" in new.codes)
    np.testing.assert_allclose(total, busy[:, :4].mean(axis=1), atol=1e-4)


@only_real
def test_that_the_log_of_2007_is_read_completely(old: Result) -> None:
    report = old.reading.report
    assert (report.rows, report.rejected_rows, report.hosts) == (11, 0, ("ZACH-PC",))
    assert report.utc_offset_minutes == -240
    assert (report.first, report.last) == ("2007-08-14T19:40:38.659Z", "2007-08-14T19:50:38.599Z")
    assert set(old.codes) == {"cooked-here", "counter-back"}
    steps = np.diff(np.array(old.columns["t"], np.int64)) / 1e6
    assert np.abs(steps - 60).max() < 0.1


@pytest.mark.parametrize("disk", [r"LogicalDisk(C:)", r"PhysicalDisk(_Total)"])
def test_that_reads_and_writes_sum_to_transfers(older: Result, disk: str) -> None:
    for total, parts in (
        ("Disk Transfers/sec", ("Disk Reads/sec", "Disk Writes/sec")),
        ("Disk Bytes/sec", ("Disk Read Bytes/sec", "Disk Write Bytes/sec")),
        ("% Disk Time", ("% Disk Read Time", "% Disk Write Time")),
        ("Avg. Disk Queue Length", ("Avg. Disk Read Queue Length", "Avg. Disk Write Queue Length")),
    ):
        whole = _column(older, rf"{disk}\{total}")[1:]
        added = sum(_column(older, rf"{disk}\{part}")[1:] for part in parts)
        assert (whole > 0).any()
        np.testing.assert_allclose(whole, added, rtol=1e-9)


def test_that_bytes_equal_transfers_times_mean_size_and_the_queue_transfers_times_mean_time(older: Result) -> None:
    """Little's law: requests in flight are requests a second times seconds each."""
    disk = r"PhysicalDisk(0 C:)"
    rate, size, each, volume, queue = (
        _column(older, rf"{disk}\{name}")[1:]
        for name in (
            "Disk Transfers/sec",
            "Avg. Disk Bytes/Transfer",
            "Avg. Disk sec/Transfer",
            "Disk Bytes/sec",
            "Avg. Disk Queue Length",
        )
    )
    np.testing.assert_allclose(rate * size, volume, rtol=1e-9)
    np.testing.assert_allclose(rate * each, queue, rtol=0.01)


def test_that_processor_times_add_up(older: Result) -> None:
    total, user, privileged, idle = (
        _column(older, rf"Processor(_Total)\% {kind} Time")[1:] for kind in ("Processor", "User", "Privileged", "Idle")
    )
    assert ((total >= 0) & (total <= 100)).all()
    np.testing.assert_allclose(total + idle, 100, atol=0.01)
    np.testing.assert_allclose(user + privileged, total, atol=0.5)


def test_that_memory_figures_agree_with_each_other(older: Result) -> None:
    available = _column(older, r"Memory\Available Bytes")
    np.testing.assert_allclose(np.floor(available / 1024), _column(older, r"Memory\Available KBytes"))
    share = 100 * _column(older, r"Memory\Committed Bytes") / _column(older, r"Memory\Commit Limit")
    np.testing.assert_allclose(share, _column(older, r"Memory\% Committed Bytes In Use"), rtol=1e-4)
    assert (available > 0).all()


def test_that_the_up_time_of_the_machine_grows_by_each_interval(older: Result) -> None:
    up = _column(older, r"System\System Up Time")
    np.testing.assert_allclose(np.diff(up), np.diff(np.array(older.columns["t"], np.float64)) / 1e6, atol=0.05)


@only_real
def test_that_free_space_is_the_share_of_free_megabytes(old: Result) -> None:
    """The only raw value of the log of 2007 that can be found manually: 767 MB free of 3,846 MB on HarddiskVolume1."""
    assert _column(old, r"LogicalDisk(HarddiskVolume1)\Free Megabytes").tolist() == [767] * 11
    content = (FILES / OLD).read_bytes()
    raw = content.index(struct.pack("<III", 767, 3846, 767))
    assert raw > 0
    share = _column(old, r"LogicalDisk(HarddiskVolume1)\% Free Space")
    np.testing.assert_allclose(share, 100 * 767 / 3846)


@only_real
def test_that_processes_of_one_name_are_distinguished(old: Result) -> None:
    recording = old.reading.recording
    assert recording is not None
    identifiers = [series for series in recording.series if series.counter == "ID Process"]
    names = [series.instance for series in identifiers]
    assert len(names) == len(set(names))
    assert {"svchost", "svchost#1", "csrss", "csrss#1"} <= set(names)
    first = {series.instance: old.columns[f"c{series.column}"][0] for series in identifiers}
    running = [number for name, number in first.items() if number and name != "_Total"]
    assert len(running) == len(set(running)) > 40


@pytest.mark.skipif(not EXPORTED.is_file(), reason="the log of PowerShell's tests is not here")
def test_that_a_log_agrees_with_the_text_that_windows_wrote_from_it(tmp_path: Path) -> None:
    result = read(tmp_path, EXPORTED.read_bytes())
    recording = result.reading.recording
    assert recording is not None
    columns = {series.path.casefold(): result.columns[f"c{series.column}"] for series in recording.series}
    with EXPORTED.with_suffix(".csv").open(encoding="utf-8", newline="") as text:
        head, *rows = csv.reader(text)
    assert {name.casefold() for name in head[1:]} == columns.keys()
    for at, name in enumerate(head[1:], 1):
        written = [float(row[at]) if row[at].strip() else None for row in rows]
        assert columns[name.casefold()] == [
            None if cell is None else pytest.approx(cell, rel=1e-12) for cell in written
        ]
