from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers import blg_files as files
from tests.readers.blg_files import (
    AVERAGE_BULK,
    AVERAGE_TIMER,
    BULK,
    COUNTER,
    FREQUENCY,
    LARGE_RAW,
    QUEUE_100NS,
    SECOND,
    START,
    TEXT,
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
from workbench.model.metric import Quantity
from workbench.readers.blg import reader as blg
from workbench.readers.perfmon import reader as perfmon
from workbench.readers.registry import recognise

READS = record("PhysicalDisk", "Disk Reads/sec", COUNTER, "_Total")
CPU = record("Processor", "% Processor Time", TIMER_INV, "*", form=1, base=SECOND)


def plain(samples: int = 4, first: bytes | None = None) -> bytes:
    """One rate that grows by 10 a second, and two processors, one idle and one half idle."""
    parts = catalogue(READS, CPU)
    for n in range(samples):
        now, total = START + n * SECOND, 5 * n * (n + 1)
        items = [("0", n * SECOND, now), ("_Total", n * SECOND // 2, now)]
        parts += sample(local(n), single(local(n), total, n * FREQUENCY), many(local(n), items))
    return log(parts, first)


def test_that_a_plain_log_is_read_completely(tmp_path: Path) -> None:
    result = read(tmp_path, plain())
    report = result.reading.report
    assert result.columns["c0"] == [None, 10, 20, 30]
    assert result.columns["c1"] == [None, 0, 0, 0]
    assert result.columns["c2"] == [None, 50, 50, 50]
    assert (report.reader, report.rows, report.rejected_rows, report.hosts) == ("blg", 4, 0, ("W10-001",))
    assert (report.first, report.last) == ("2016-05-10T08:00:00Z", "2016-05-10T08:00:03Z")
    assert (report.utc_offset_minutes, report.cells, report.missing_cells) == (60, 12, 3)
    assert result.codes == ["cooked-here"]
    assert result.problem("cooked-here").severity == "info"
    assert "not checked with relog" in result.problem("cooked-here").message


def test_that_a_log_of_powershells_export_counter_with_flagged_entries_is_read(tmp_path: Path) -> None:
    flag = 0x20000000
    parts = catalogue(
        record("PhysicalDisk", "Disk Reads/sec", COUNTER, "_Total", form=flag),
        record("Processor", "% Processor Time", TIMER_INV, "*", form=flag | 1, base=SECOND),
    )
    for n in range(3):
        now, total = START + n * SECOND, 5 * n * (n + 1)
        parts += sample(local(n), single(local(n), total, n * FREQUENCY), many(local(n), [("0", n * SECOND // 2, now)]))
    result = read(tmp_path, log(parts))
    assert (result.columns["c0"], result.columns["c1"]) == ([None, 10, 20], [None, 50, 50])
    assert result.reading.report.rejected_rows == 0


def test_that_series_have_paths_metrics_and_machines_as_in_a_text_log(tmp_path: Path) -> None:
    recording = read(tmp_path, plain()).reading.recording
    assert recording is not None
    assert [series.path for series in recording.series] == [
        r"\\W10-001\PhysicalDisk(_Total)\Disk Reads/sec",
        r"\\W10-001\Processor(0)\% Processor Time",
        r"\\W10-001\Processor(_Total)\% Processor Time",
    ]
    metrics = [series.metric and series.metric.quantity for series in recording.series]
    assert metrics == [Quantity.READ_IOPS, None, Quantity.CPU]
    assert {series.vm for series in recording.series} == {"W10-001"}


def test_that_a_log_is_recognised_by_content_or_file_extension() -> None:
    content = plain()
    assert recognise(content[:65_536], "a.dat") is blg.READER
    first = files.header(file_name="C:\\kernel.etl")
    assert blg.identify(first, "a.blg") == 1.0
    assert blg.identify(first, "a.etl") == 0.0
    assert blg.identify(first + content[8192:], "a.etl") == 1.0
    assert blg.identify(b"(PDH-CSV 4.0)", "a.blg") == 0.0
    assert recognise(b'"(PDH-CSV 4.0) (UTC)(0)","\\\\a\\b\\c"\r\n', "a.blg") is perfmon.READER


def test_that_a_header_of_32_bit_windows_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, plain(first=files.header(pointer=4))).reading.report.utc_offset_minutes == 60


def test_that_a_value_with_a_bad_status_is_missing_and_so_is_the_rate_after_it(tmp_path: Path) -> None:
    parts = catalogue(READS)
    for n in range(5):
        parts += sample(local(n), single(local(n), 10 * n, n * FREQUENCY, 0xC0000BC6 if n == 2 else 0))
    assert read(tmp_path, log(parts)).columns["c0"] == [None, 10, None, None, 10]


def test_that_an_item_with_a_bad_status_affects_no_other_value(tmp_path: Path) -> None:
    entry = record("Process", "Handle Count", LARGE_RAW, "*", form=1)
    parts = catalogue(entry) + sample(local(0), many(local(0), [("a", 1, 0), ("b", 2, 0)], (0, 0x800007D5)))
    result = read(tmp_path, log(parts))
    assert (result.columns["c0"], result.columns["c1"]) == ([1], [None])


def test_that_instances_that_come_and_go_are_missing_while_absent(tmp_path: Path) -> None:
    entry = record("Process", "IO Read Bytes/sec", BULK, "*", form=1)
    here = [["a"], ["a", "b"], ["a", "b"], ["b", "a"], ["a"], ["a", "b"]]
    parts = catalogue(entry)
    for n, names in enumerate(here):
        items = [(name, n * (100 if name == "a" else 7), n * FREQUENCY) for name in names]
        parts += sample(local(n), many(local(n), items))
    result = read(tmp_path, log(parts))
    assert result.columns["c0"] == [None, 100, 100, 100, 100, 100]
    assert result.columns["c1"] == [None, None, 7, 7, None, None]


def test_that_instances_with_one_name_are_numbered(tmp_path: Path) -> None:
    entry = record("Process", "Handle Count", LARGE_RAW, "*", form=1)
    parts = catalogue(entry, record("Process", "Handle Count", LARGE_RAW, "svchost", number=2))
    items = [("svchost", 1, 0), ("cmd", 2, 0), ("svchost", 3, 0)]
    parts += sample(local(0), many(local(0), items), single(local(0), 9, 0))
    recording = read(tmp_path, log(parts)).reading.recording
    assert recording is not None
    assert sorted(series.instance for series in recording.series) == ["cmd", "svchost", "svchost#1", "svchost#2"]


def test_that_a_type_without_a_formula_is_left_empty_and_named(tmp_path: Path) -> None:
    odd = record("Terminal", "Banner", TEXT, "a")
    parts = catalogue(odd, record("Terminal", "Odd", 0x12345678))
    parts += sample(local(0), single(local(0), 1, 2), single(local(0), 1, 2))
    result = read(tmp_path, log(parts))
    assert (result.columns["c0"], result.columns["c1"]) == ([None], [None])
    messages = [problem.message for problem in result.reading.problems if problem.code == "counter-type"]
    assert "PERF_COUNTER_TEXT" in messages[0]
    assert r"\\W10-001\Terminal(a)\Banner" in messages[0]
    assert "0x12345678" in messages[1]


def test_that_a_block_with_unknown_format_affects_only_its_counter(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    parts = catalogue(READS, record("Memory", "Available Bytes", LARGE_RAW))
    for n in range(3):
        parts += sample(local(n), files.block(9, bytes(40)), single(local(n), 4096 + n, 0))
    result = read(tmp_path, log(parts))
    assert result.columns["c0"] == [None, None, None]
    assert result.columns["c1"] == [4096, 4097, 4098]
    assert result.problem("unknown-block").message == snapshot


def test_that_a_sample_that_does_not_fit_the_catalogue_is_rejected(tmp_path: Path) -> None:
    parts = catalogue(READS, READS)
    one = [single(local(0), 1, 1)]
    parts += sample(local(0), *one, *one) + sample(local(1), *one) + sample(local(2), *one, *one)
    parts += sample(0, *one, *one)
    result = read(tmp_path, log(parts))
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (2, 2)
    assert result.problem("bad-sample").message.startswith("2 samples have the wrong size")


def test_that_a_counter_that_was_set_back_is_missing_and_reported(tmp_path: Path) -> None:
    parts = catalogue(READS)
    for n, total in enumerate((1000, 2000, 5, 105)):
        parts += sample(local(n), single(local(n), total, n * FREQUENCY))
    result = read(tmp_path, log(parts))
    assert result.columns["c0"] == [None, 1000, None, 100]
    assert result.problem("counter-back").message.startswith("1 value is negative")


def test_that_a_sample_with_several_parts_is_joined(tmp_path: Path) -> None:
    entry = record("Process", "Handle Count", LARGE_RAW, "*", form=1)
    items = [(f"process{n:03}", n, 0) for n in range(200)]
    one = files.events(34, files.block(0, many(local(0), items)), local(0), part_bytes=1000)
    assert len(one) > 5
    result = read(tmp_path, log(catalogue(entry) + one))
    assert [result.columns[f"c{n}"] for n in range(200)] == [[n] for n in range(200)]


@pytest.mark.parametrize("lost", [0, 1, -1])
def test_that_a_sample_with_a_lost_part_is_rejected(tmp_path: Path, lost: int) -> None:
    entry = record("Process", "Handle Count", LARGE_RAW, "*", form=1)
    items = [(f"process{n:03}", n, 0) for n in range(200)]
    parts = catalogue(entry)
    for n in range(3):
        one = files.events(34, files.block(0, many(local(n), items)), local(n), part_bytes=1000)
        if n == 1:
            del one[lost]
        parts += one
    result = read(tmp_path, log(parts))
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (2, 1)
    assert "1 record of type 'sample' is incomplete" in result.problem("incomplete-message").message


def test_that_averages_without_operations_are_missing_not_zero(tmp_path: Path) -> None:
    parts = catalogue(
        record("PhysicalDisk", "Avg. Disk sec/Read", AVERAGE_TIMER, "_Total"),
        record("PhysicalDisk", "Avg. Disk Bytes/Read", AVERAGE_BULK, "_Total"),
        record("PhysicalDisk", "Avg. Disk Queue Length", QUEUE_100NS, "_Total", base=SECOND),
    )
    for n, operations in enumerate((0, 4, 4, 6)):
        spent, size = operations * FREQUENCY // 100, operations * 4096
        parts += sample(
            local(n),
            single(local(n), spent, operations),
            single(local(n), size, operations),
            single(local(n), n * 3 * SECOND, START + n * SECOND),
        )
    result = read(tmp_path, log(parts))
    assert result.columns["c0"] == [None, 0.01, None, 0.01]
    assert result.columns["c1"] == [None, 4096, None, 4096]
    assert result.columns["c2"] == [None, 3, 3, 3]


def test_that_samples_lost_by_windows_are_reported(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    result = read(tmp_path, log(catalogue(READS) + sample(local(0), single(local(0), 1, 1)), files.header(lost=(7, 2))))
    assert result.problem("lost-while-recording").message == snapshot


def test_that_buffers_out_of_order_are_read_in_order_and_missing_ones_counted(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    entry = record("Memory", "Available Bytes", LARGE_RAW)
    rows = [files.buffer(b"".join(sample(local(n), single(local(n), n, 0))), n + 2) for n in range(4)]
    first = files.header() + files.buffer(b"".join(catalogue(entry)), 1)
    result = read(tmp_path, first + rows[2] + rows[3] + rows[0] + rows[1])
    assert result.columns["c0"] == [0, 1, 2, 3]
    assert result.codes == ["buffers-reordered", "cooked-here"]
    result = read(tmp_path, first + rows[0] + rows[3])
    assert result.columns["c0"] == [0, 3]
    assert result.problem("buffers-missing").message == snapshot


def test_that_a_damaged_buffer_affects_only_itself(tmp_path: Path) -> None:
    entry = record("Memory", "Available Bytes", LARGE_RAW)
    rows = [files.buffer(b"".join(sample(local(n), single(local(n), n, 0))), n + 2) for n in range(3)]
    first = files.header() + files.buffer(b"".join(catalogue(entry)), 1)
    result = read(tmp_path, first + rows[0] + bytes(files.BUFFER) + rows[2])
    assert result.columns["c0"] == [0, 2]
    assert set(result.codes) == {"bad-buffer", "buffers-missing", "cooked-here"}


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: files.header(), "no-counters"),
        (lambda: log(catalogue(READS)), "no-rows"),
        (lambda: log(sample(local(0), single(local(0), 1, 1))), "no-catalogue"),
        (lambda: log(files.events(32, b"\xff" * 90) + sample(local(0), single(0, 1, 1))), "bad-catalogue"),
        (lambda: b"junk" * 9000, "no-event-trace"),
        (lambda: b"", "no-event-trace"),
    ],
)
def test_that_a_log_without_samples_is_rejected_by_name(tmp_path: Path, make: object, code: str) -> None:
    assert callable(make)
    result = read(tmp_path, make())
    refusals = [problem for problem in result.reading.problems if problem.severity == "refused"]
    assert [problem.code for problem in refusals] == [code]
    assert result.reading.recording is None


def test_that_samples_after_a_second_catalogue_use_it(tmp_path: Path) -> None:
    memory = record("Memory", "Available Bytes", LARGE_RAW)
    parts = catalogue(READS) + sample(local(0), single(local(0), 1, 0))
    parts += catalogue(memory) + sample(local(1), single(local(1), 5, 0))
    parts += catalogue(READS) + sample(local(2), single(local(2), 21, 2 * FREQUENCY))
    result = read(tmp_path, log(parts))
    assert result.columns["c0"] == [None, None, None]
    assert result.columns["c1"] == [None, 5, None]


def test_that_many_blocks_of_samples_agree_with_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small block size, differences span several blocks, and blocks are written to disk."""
    from workbench.readers.blg import table as blg_table

    whole = read(tmp_path, plain(50)).columns
    monkeypatch.setattr(blg_table, "_BLOCK_CELLS", 10)
    assert read(tmp_path, plain(50)).columns == whole
    monkeypatch.setattr(blg_table, "_MEMORY_CELLS", 40)
    assert read(tmp_path, plain(50)).columns == whole


def test_that_a_table_out_of_bounds_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.readers.blg import samples as blg_samples
    from workbench.readers.blg import table as blg_table

    monkeypatch.setattr(blg_table, "MOST_CELLS", 8)
    assert read(tmp_path, plain()).problem("too-large").severity == "refused"
    monkeypatch.setattr(blg_samples, "MOST_COUNTERS", 2)
    assert read(tmp_path, plain()).problem("too-large").severity == "refused"
