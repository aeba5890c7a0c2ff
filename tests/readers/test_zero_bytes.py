"""Zero bytes within a text: a name with zero bytes is another name, which no reader can detect alone."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers import test_diskspd_summary, test_events
from tests.readers.perfmon_files import line, pdh, stamp
from workbench.model.problem import Problem
from workbench.readers.text import encodings as texts
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

EVENT = "2016-05-10T09:06:00+01:00,run_end,W10-001,user6,note\n"
PERFMON = '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\PhysicalDisk(_Total)\\Disk Reads/sec"\n"05/24/2016 09:00:00.000","1"\n'


def problems(folder: Path, data: bytes) -> list[Problem]:
    """The problems of the import with zero bytes in a file."""
    file = folder / "file.csv"
    file.write_bytes(data)
    reading = read_source(file, "file.csv", Store(folder / "store"))
    return [problem for problem in reading.problems if problem.code == "nul-bytes"]


@pytest.mark.parametrize(
    ("whole", "name", "line"),
    [
        (test_events.HEADER + EVENT, "W10-001", 2),
        (f"{test_diskspd_summary.HEAD}\n{test_diskspd_summary.MIXED}\n", "random", 2),
        (PERFMON, "Disk Reads", 1),
    ],
)
def test_that_a_name_with_zero_bytes_is_named_with_its_line(
    tmp_path: Path, whole: str, name: str, line: int, snapshot: SnapshotAssertion
) -> None:
    assert problems(tmp_path, whole.encode()) == []
    (problem,) = problems(tmp_path, whole.replace(name, name[:2] + "\0" * (len(name) - 2)).encode())
    assert problem.line == line
    assert problem.message == snapshot


def test_that_a_zero_byte_problem_of_a_reader_is_reported_once(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, PERFMON.encode() + b"\0" * 40 + b"\n")
    assert "NUL bytes" in problem.message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_that_a_utf_16_text_has_no_zero_byte_problem(tmp_path: Path, encoding: str) -> None:
    assert problems(tmp_path, (test_events.HEADER + EVENT).encode(encoding)) == []


COUNTERS = [rf"\\A\Process(p{number})\IO Read Operations/sec" for number in range(40)]
LONG = pdh(*(line(stamp(second), *range(40)) for second in range(3)), names=COUNTERS).encode()


@pytest.mark.parametrize("before", [b"", b"a title\r\n\r\n"], ids=["first line", "below a title"])
def test_that_a_name_far_back_in_a_long_header_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    monkeypatch.setattr(texts, "_OF_A_TABLE", 100)
    monkeypatch.setattr(texts, "_BLOCK", 7)
    header = LONG.index(b"\r\n") + len(before)
    assert header > 1000
    assert problems(tmp_path, before + LONG) == []
    for name in (b"p39", b"p20"):
        (problem,) = problems(tmp_path, before + LONG.replace(name, b"\0" * 3))
        assert problem.line == 1 + before.count(b"\n")


def test_that_bytes_after_the_header_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_OF_A_TABLE", 100)
    monkeypatch.setattr(texts, "_BLOCK", 7)
    stream = BytesIO(LONG)
    assert texts._line_of_zero(stream, table=True) is None
    assert stream.tell() <= LONG.index(b"\n") + 7


def test_that_no_more_than_the_limit_is_read_of_a_line_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_OF_A_TABLE", 100)
    monkeypatch.setattr(texts, "_BLOCK", 50)
    monkeypatch.setattr(texts, "_MOST_OF_A_HEADER", 300)
    stream = BytesIO(b"x" * 10_000)
    assert texts._line_of_zero(stream, table=True) is None
    assert stream.tell() == 300


def test_that_lines_that_end_in_a_carriage_return_only_are_counted(tmp_path: Path) -> None:
    damaged = PERFMON.replace("Disk Reads", "Di\0").replace("\n", "\r")
    (problem,) = problems(tmp_path, f"junk\r{damaged}".encode())
    assert problem.line == 2
