"""Incomplete or contradictory headers, rows with another number of cells, and how certain a reader is of a file from
its first bytes."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers import blg_files as files
from tests.readers.perfmon_files import READS, WRITES, ZONE, line, read, stamp
from workbench.model.problem import Severity
from workbench.readers.blg.catalogue import text_at
from workbench.readers.blg.container import LogHeader, parse_header, parse_zone
from workbench.readers.blg.reader import note_clock
from workbench.readers.common.row_problems import Problems
from workbench.readers.login_enterprise.reader import identify
from workbench.readers.perfmon.header import split_path
from workbench.readers.perfmon.series import vm_of_disk

HEADER = files.header(written=3, lost=(4, 5))
# The buffer's header, that of the event, the trace's fields, two pointers, the zone and its padding, four clocks.
WHOLE = 72 + 32 + 56 + 2 * 8 + 172 + 4 + 32


def patched(at: int, form: str, value: int) -> LogHeader | None:
    changed = bytearray(HEADER)
    struct.pack_into(form, changed, at, value)
    return parse_header(bytes(changed))


def test_that_a_header_gives_its_start_only_if_it_is_complete() -> None:
    whole = parse_header(HEADER)
    assert whole is not None
    assert (whole.buffer_size, whole.buffers_written, whole.events_lost, whole.buffers_lost) == (8192, 3, 4, 5)
    assert (whole.started, whole.file_name) == (files.START, "C:\\PerfLogs\\a.blg")
    unnamed, cut = parse_header(HEADER[:WHOLE]), parse_header(HEADER[: WHOLE - 1])
    assert unnamed is not None
    assert (unnamed.started, unnamed.zone, unnamed.file_name) == (files.START, whole.zone, "")
    assert cut == LogHeader(8192, 3, 4, 0, 0, None, "")
    assert parse_header(HEADER[:176]) == cut
    assert parse_header(HEADER[:175]) is None


@pytest.mark.parametrize(
    ("at", "form", "value", "sound"),
    [
        # The kind of the event's header is 1 or 2, and it is marked.
        (74, "B", 1, True),
        (74, "B", 2, True),
        (74, "B", 0, False),
        (74, "B", 3, False),
        (75, "B", 0x80, True),
        (75, "B", 0x40, False),
        # Both places state the same size of a buffer.
        (104, "<I", 8193, False),
        (0, "<I", 16384, False),
        # No more of it is used than there is.
        (48, "<I", 8192, True),
        (48, "<I", 8193, False),
        # Pointers have 4 or 8 bytes.
        (148, "<I", 4, True),
        (148, "<I", 5, False),
        (148, "<I", 16, False),
    ],
)
def test_that_a_header_with_contradicting_fields_is_rejected(at: int, form: str, value: int, sound: bool) -> None:
    assert (patched(at, form, value) is not None) is sound


@pytest.mark.parametrize(
    ("size", "sound"),
    [(1 << 10, True), ((1 << 10) - 8, False), (1 << 24, True), ((1 << 24) + 8, False), (8196, False), (8200, True)],
)
def test_that_a_buffer_has_a_kilobyte_to_16_megabytes_in_steps_of_8_bytes(size: int, sound: bool) -> None:
    changed = bytearray(HEADER)
    for at, value in ((0, size), (104, size), (48, 100)):
        struct.pack_into("<I", changed, at, value)
    assert (parse_header(bytes(changed)) is not None) is sound


@pytest.mark.parametrize(
    ("offset", "source", "code", "severity"),
    [
        (None, "", "time-zone-unknown", Severity.WARNING),
        (60, "dates", "time-zone-by-dates", Severity.INFO),
        (0, "utc", "times-in-utc", Severity.INFO),
        (0, "dates", "time-zone-by-dates", Severity.INFO),
    ],
)
def test_that_a_clock_states_the_evidence_of_its_offset(
    offset: int | None, source: str, code: str, severity: Severity
) -> None:
    problems = Problems("a.blg")
    note_clock(offset, source, problems)
    assert [(problem.code, problem.severity) for problem in problems.all()] == [(code, severity)]
    sure = Problems("a.blg")
    note_clock(60, "start", sure)
    assert not sure.all()


def rows_of(folder: Path, head: str, *rows: str) -> tuple[list[float | None], int, list[str]]:
    """The kept rows, the number of rejected ones, and the problems."""
    result = read(folder, "\r\n".join([head, *rows]) + "\r\n")
    told = [problem.message for problem in result.reading.problems if problem.code == "row-width"]
    return result.columns["c0"], result.reading.report.rejected_rows, told


def test_that_one_extra_blank_cell_is_kept_and_any_other_is_rejected(tmp_path: Path) -> None:
    head = line(ZONE, READS, WRITES)
    rows = (
        line(stamp(0), 1, 2) + ",",
        line(stamp(1), 2, 2) + ',"5"',
        line(stamp(2), 3, 2) + ",,",
        line(stamp(3), 4),
        line(stamp(4), 5, 4),
    )
    assert rows_of(tmp_path, head, *rows) == (
        [1, 5],
        3,
        ["Line 3 has 4 cells, but the header has 3 (same problem on lines 4 and 5)."],
    )


def test_that_a_header_with_a_final_delimiter_accepts_rows_with_and_without_it(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    head = line(ZONE, READS, WRITES) + ","
    rows = (
        line(stamp(0), 1, 2) + ",",
        line(stamp(1), 2, 2),
        line(stamp(2), 3),
        line(stamp(3), 4, 2) + ",,,",
        line(stamp(4), 5, 2) + ",",
    )
    kept, rejected, told = rows_of(tmp_path, head, *rows)
    assert (kept, rejected) == ([1, 2, 5], 2)
    assert told == snapshot


@pytest.mark.parametrize(
    ("content", "sure"),
    [
        (b'[{"timestamp": "2024-01-01T00:00:00Z", "score": 1}]', 0.6),
        (b'[{"timestamp": "2024-01-01T00:00:00Z", "score": 1, "other": 2}]', 0.0),
        (b'[{"timestamp": "2024-01-01T00:00:00Z"}]', 0.0),
        (b'{"timestamp": "2024-01-01T00:00:00Z", "score": 1, "count": 2, "euxTimer": "x"}', 0.9),
        (b'{"items": [], "totalCount": 0, "offset": 0}', 0.5),
        (b'{"items": [], "totalCount": 0}', 0.0),
        (b'{"type": "loadTest", "testId": "1", "created": "x"}', 0.9),
        (b'{"type": "loadTest", "testId": "1"}', 0.0),
        (b'{"euxScore": 7, "vsiMax": 1}', 0.9),
        (b'{"openapi": "3.0"}', 0.9),
        (b"no JSON", 0.0),
    ],
)
def test_that_a_login_enterprise_file_is_recognised_by_its_keys(content: bytes, sure: float) -> None:
    assert identify(content, "file") == sure


@pytest.mark.parametrize(
    ("path", "vm"),
    [
        ("C:-Disks-W10-001", "W10-001"),
        ("C:-Disks-Desktop", "Desktop"),
        ("C:-Disks-Desktop-7-12", "Desktop-7-12"),
        ("1-2-3", "1-2-3"),
        ("7", "7"),
    ],
)
def test_that_a_disk_is_named_by_the_last_part_with_a_letter(path: str, vm: str) -> None:
    assert vm_of_disk(path) == vm


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("\\\\H\\\\Rate", ("H", "", "", "Rate")),
        ("\\\\H\\\\Rate (in\\out)", ("H", "", "", "Rate (in\\out)")),
        ("\\\\H\\Rate", ("H", "Rate", "", "")),
        ("\\\\H", ("", "", "", "\\\\H")),
        ("\\\\H\\Obj(a)\\Rate (a\\b (x))", ("H", "Obj", "a", "Rate (a\\b (x))")),
        ("\\\\H\\Obj(a)b\\Rate", ("H", "Obj(a)b", "", "Rate")),
    ],
)
def test_that_an_unusual_path_is_split_at_the_ends_of_its_parts(path: str, parts: tuple[str, ...]) -> None:
    assert tuple(split_path(path)) == parts


def test_that_a_bias_of_standard_time_is_added_to_the_zone() -> None:
    data = bytearray(files.zone(60))
    struct.pack_into("<i", data, 84, -25)
    found = parse_zone(bytes(data))
    assert found is not None
    assert (found.standard, found.summer) == (-35, 0)


@pytest.mark.parametrize(
    ("data", "start", "text"),
    [
        (b"a\0\0\0", 0, "a"),
        (b"\0\0", 0, ""),
        (b"xxa\0\0\0", 2, "a"),
        # The zero byte of a letter's second half and the last one are not an end.
        ("\u0100b".encode("utf-16-le") + b"\0\0", 0, "\u0100b"),
        (b"a\0b\0", 0, None),
        (b"a\0\0\0", 4, None),
        (b"a\0\0\0", -1, None),
    ],
)
def test_that_a_text_ends_at_its_zero(data: bytes, start: int, text: str | None) -> None:
    assert text_at(data, start) == text
