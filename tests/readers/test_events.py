"""events.csv as lab scripts, Excel and PowerShell write it, and the effect of each bad line."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.builders import T0, made_larger
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.session import Event, EventKind
from workbench.readers.events import identify, read
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource
from workbench.study.store.column_store import Store

HEADER = "time,event,vm,user,detail\n"


def read_text(folder: Path, text: str | bytes) -> Reading:
    path = folder / "events.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert identify(path.read_bytes()[:65_536], path.name) == 1.0
    return read(path, "run/events.csv", folder / "columns")


def test_that_every_kind_of_event_is_read_with_its_time(tmp_path: Path) -> None:
    lines = "".join(f"2016-05-10T09:00:0{n}+01:00,{kind},W10-001,u{n},x\n" for n, kind in enumerate(EventKind))
    reading = read_text(tmp_path, HEADER + lines)
    assert reading.events == tuple(Event(T0 + n, kind, "W10-001", f"u{n}", "x") for n, kind in enumerate(EventKind))
    report = reading.report
    assert (report.path, report.reader, report.recognised) == ("run/events.csv", "events", True)
    assert (report.rows, report.rejected_rows, report.columns, report.hosts) == (8, 0, 5, ("W10-001",))
    assert (report.first, report.last) == ("2016-05-10T08:00:00Z", "2016-05-10T08:00:07Z")
    assert (report.encoding, report.delimiter, reading.problems) == ("utf-8", ",", ())


@pytest.mark.parametrize(
    "time",
    [
        "2016-05-10T09:00:00+01:00",
        "2016-05-10T08:00:00Z",
        "2016-05-10 10:00:00+02:00",
        "20160510T080000Z",
        "2016-05-10T08:00:00.000000+00:00",
    ],
)
def test_that_every_notation_of_a_time_gives_the_same_time(tmp_path: Path, time: str) -> None:
    assert read_text(tmp_path, f"{HEADER}{time},marker\n").events[0].at == T0


@pytest.mark.parametrize(
    ("text", "encoding", "delimiter"),
    [
        ("\ufeffTime;Event;VM\r\n2016-05-10T08:00:00Z;Power_On;Bür-1\r\n".encode(), "utf-8", ";"),
        ("time\tevent\tvm\n2016-05-10T08:00:00Z\tpower_on\tBür-1\n".encode("cp1252"), "cp1252", "\t"),
        ("time,event,vm\r\n2016-05-10T08:00:00Z,power_on,Bür-1\r\n".encode("utf-16"), "utf-16", ","),
        ('"time","event","vm"\r"2016-05-10T08:00:00Z","power_on","Bür-1"\r'.encode(), "utf-8", ","),
    ],
)
def test_that_files_of_excel_and_powershell_are_read(
    tmp_path: Path, text: bytes, encoding: str, delimiter: str
) -> None:
    reading = read_text(tmp_path, text)
    assert reading.events == (Event(T0, EventKind.POWER_ON, "Bür-1"),)
    assert (reading.report.encoding, reading.report.delimiter, reading.problems) == (encoding, delimiter, ())


BAD = [
    ("nine o'clock,power_on,A,,", 1, "not an ISO 8601"),
    (",power_on,A,,", 1, "not an ISO 8601"),
    ("2016-05-10,power_on,A,,", 1, "not an ISO 8601"),
    ("0001-01-01T00:00:00+01:00,marker,,,", 1, "not an ISO 8601"),
    ("9999-12-31T23:59:59-01:00,marker,,,", 1, "not an ISO 8601"),
    ("2016-05-10T08:00:00Z,boot,A,,", 2, "known events"),
    ("2016-05-10T08:00:00Z", None, "has 1 cell,"),
    ("2016-05-10T08:00:00Z,A", None, "has 2 cells"),
    ("2016-05-10T08:00:00Z,marker,A", None, "has 3 cells"),
    ("2016-05-10T08:00:00Z,marker,a,b,c,d", None, "has 6 cells"),
    ('2016-05-10T08:00:00Z,"marker,a,b,c', None, "an unclosed quotation mark"),
    ("\x00\x01,\x02,,,", 2, "known events"),
    ("x" * 200_000 + ",marker,,,", 1, "not an ISO 8601"),
]


@pytest.mark.parametrize(("line", "column", "why"), BAD)
def test_that_a_bad_line_affects_only_itself(tmp_path: Path, line: str, column: int | None, why: str) -> None:
    good = "2016-05-10T08:00:00Z,marker,A,,\n"
    reading = read_text(tmp_path, f"{HEADER}{good}\n{line}\n{good}")
    assert (reading.report.rows, reading.report.rejected_rows, len(reading.events)) == (2, 1, 2)
    (problem,) = reading.problems
    assert (problem.severity, problem.code, problem.line, problem.column) == (
        Severity.WARNING,
        "event-rejected",
        4,
        column,
    )
    assert why in problem.message
    assert len(problem.message) < 400


def test_that_rows_read_equal_rows_kept_plus_rows_rejected(tmp_path: Path) -> None:
    lines = [line for line, _, _ in BAD] + ["2016-05-10T08:00:00Z,marker"] * 7
    reading = read_text(tmp_path, HEADER + "\n".join(lines))
    assert reading.report.rows + reading.report.rejected_rows == len(lines)


def test_that_local_times_are_kept_and_reported(tmp_path: Path) -> None:
    reading = read_text(tmp_path, HEADER + "2016-05-10T08:00:00,marker\n2016-05-10T08:00:00Z,marker\n")
    assert [(event.at, event.has_offset) for event in reading.events] == [(T0, False), (T0, True)]
    assert [problem.code for problem in reading.problems] == ["time-zone-unknown"]
    assert reading.report.first == "2016-05-10T08:00:00"


def test_that_columns_in_any_order_are_read_and_unknown_ones_reported(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "event,colour,time\nmarker,red,2016-05-10T08:00:00Z\nmarker\n")
    assert [event.at for event in reading.events] == [T0]
    assert [problem.code for problem in reading.problems] == ["unknown-column", "event-rejected"]


def test_that_a_header_alone_gives_no_event(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "time,event")
    assert (reading.report.recognised, reading.events, reading.report.first) == (True, (), None)
    assert [problem.code for problem in reading.problems] == ["empty-list"]


@pytest.mark.parametrize("head", [b"", b"\n", b"time,value\n", b"timestamp,event\n", b"\xff\xfe\x00", b"\x00" * 100])
def test_that_other_files_are_not_recognised_as_events(head: bytes) -> None:
    assert identify(head, "events.csv") == 0.0


def test_that_a_flood_of_bad_lines_is_summed_up(tmp_path: Path) -> None:
    reading = read_text(tmp_path, HEADER + "2016-05-10T09:00:00+01:00,nonsense,,,\n" * 5_000)
    assert (len(reading.events), reading.report.rejected_rows) == (0, 5_000)
    assert len(reading.problems) == 101
    assert "Last of 5,000 similar problems (4,900 not listed)" in reading.problems[-1].message
    assert "Line 5001 " in reading.problems[-1].message


def test_that_a_list_of_events_of_gigabytes_is_rejected_unread(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    path.write_text(HEADER)
    made_larger(path)
    reading = read(path, "run/events.csv", tmp_path / "columns")
    assert [(problem.severity, problem.code) for problem in reading.problems] == [(Severity.REFUSED, "too-large")]
    assert reading.report.recognised


def test_that_events_are_read_outside_the_program_and_cancel_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    path.write_text(HEADER + "2016-05-10T09:00:00+01:00,logon_start,W10-001,u,\n" * 600_000)
    job = ImportJob((ImportSource(path, "events.csv"),), Store(tmp_path / "store"), 1)
    job.start()
    while not job.reading:
        assert job.poll() == []
        time.sleep(0.01)
    job.cancel()
    ((_, reading),) = job.poll()
    job.join()
    assert [problem.code for problem in reading.problems] == ["cancelled"]
    assert job.finished


def test_that_rows_of_fewer_cells_than_the_header_throughout_are_rejected_as_one(tmp_path: Path) -> None:
    row = "2016-05-10T08:0{}:00Z,logon_start,alice\n"
    reading = read_text(tmp_path, HEADER + "".join(row.format(minute) for minute in range(4)))
    assert (len(reading.events), reading.report.rejected_rows) == (0, 4)
    assert [(problem.severity, problem.code, problem.line) for problem in reading.problems] == [
        (Severity.REFUSED, "row-width", 2)
    ]


@pytest.mark.parametrize(
    ("header", "row", "vm"),
    [
        (HEADER, "2016-05-10T08:00:00Z,marker", ""),
        ("time,event,vm,,\n", "2016-05-10T08:00:00Z,marker,A", "A"),
        ("time,event,vm,\n", "2016-05-10T08:00:00Z,marker,A,", "A"),
    ],
)
def test_that_rows_whose_cells_are_surely_in_their_place_are_read(
    tmp_path: Path, header: str, row: str, vm: str
) -> None:
    reading = read_text(tmp_path, f"{header}{row}\n{row}\n")
    assert ([event.vm for event in reading.events], reading.problems) == ([vm] * 2, ())
