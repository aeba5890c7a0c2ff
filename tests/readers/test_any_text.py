"""Text readers with random lines: they never raise, and rows in = rows kept + rows rejected, each reported."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.perfmon_files import line, pdh, read, stored_frame
from tests.readers.test_mapped_csv import ARRAY, found_in
from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.readers import events
from workbench.readers.fio import log as fio_log
from workbench.readers.perfmon import reader as perfmon
from workbench.readers.tables import mapped as mapped_csv
from workbench.readers.tables.proposal import propose
from workbench.study.series.time_zone import offset_minutes

SOME = settings(max_examples=60, deadline=None)
# Characters that separate lines or cells, or count as blank, are included on purpose and not by chance.
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"], exclude_characters=',;\t|"'), max_size=12
)
NUMBERS = st.sampled_from(
    ["0", "1.5", "-1", "1e999", "nan", "inf", "1,5", "9" * 400, "0x10", "1_0", "٣", "", " ", '"', "a\0b", "=1+1"]
)
STAMPS = st.sampled_from(
    [
        "2016-05-10 09:00:00",
        "2016-05-10T09:00:00Z",
        "2016-05-10T09:00:01+01:00",
        "05/10/2016 09:00:00",
        "05/10/2016 09:00:01",
        "13/32/2016 25:00:00",
        "0001-01-01 00:00:00",
        "9999-12-31 23:59:59",
        "250",
        "500",
    ]
)
CELL = st.one_of(NUMBERS, STAMPS, WORDS)
LINES = st.lists(st.lists(CELL, min_size=1, max_size=7), max_size=10)


def reading_of(reader: Callable[[Path, str, Path], Reading], name: str, text: str) -> Reading:
    with tempfile.TemporaryDirectory() as folder:
        path, columns = Path(folder, name), Path(folder, "columns")
        path.write_bytes(text.encode())
        reading = reader(path, name, columns)
        if reading.recording is not None:
            frame = stored_frame(columns)
            assert frame.columns == ["t", *(f"c{one.column}" for one in reading.recording.series)]
            assert frame.height == reading.recording.rows
            values = frame.drop("t").to_numpy()
            assert not (values == float("inf")).any()
    return reading


def check(reading: Reading, rows: int) -> None:
    """Checks the row counts of a file with this many non-empty lines."""
    report = reading.report
    assert report.rows + report.rejected_rows == rows, reading.problems
    assert all(one.message.endswith(".") and one.action for one in reading.problems)
    if report.rejected_rows:
        assert any(one.severity is not Severity.INFO for one in reading.problems)
    assert 0 <= report.missing_cells <= report.cells


def filled(lines: Sequence[str], blank: str) -> int:
    return sum(bool(one.strip(blank)) for one in lines)


@SOME
@given(LINES)
def test_that_events_are_kept_or_rejected(cells: list[list[str]]) -> None:
    lines = [",".join(row) for row in cells]
    reading = reading_of(events.read, "events.csv", "\n".join(["time,event,vm,user,detail", *lines]))
    check(reading, filled(lines, " \t,;\ufeff"))
    assert len(reading.events) == reading.report.rows


@SOME
@given(LINES, st.sampled_from(["x_iops.1.log", "x_clat.1.log", "x.log"]))
def test_that_lines_of_a_fio_log_are_kept_or_rejected(cells: list[list[str]], name: str) -> None:
    lines = ["250, 40144, 0, 0, 0", "250, 41856, 1, 0, 0", *(", ".join(row) for row in cells)]
    check(reading_of(fio_log.read, name, "\n".join(lines)), filled(lines, " \t"))


@SOME
@given(LINES, st.booleans())
def test_that_rows_of_a_mapped_csv_are_kept_or_rejected(cells: list[list[str]], quoted: bool) -> None:
    mark = '"' if quoted else ""
    rows = [",".join(f"{mark}{cell}{mark}" for cell in row) for row in cells]
    header, *own = ARRAY.splitlines()
    mapping = propose(found_in(ARRAY))
    reader: Reader = mapped_csv.reader_with(mapping, offset_minutes)
    reading = reading_of(reader.read, "a.csv", "\n".join([header, *own, *rows, ""]))
    if [one.code for one in reading.problems] == ["no-header"]:
        return  # with fewer times than other cells it is no longer a CSV with a time column
    check(reading, len(own) + filled(rows, " \t,;|\0\x1a"))


ESXTOP = (r"\\esx1\Virtual Disk(vm1)\Reads/sec", r"\\esx1\Group Memory(1:vm1)\Alloc Max MBytes")
ESXTOP_ROWS = [line(f"05/24/2016 09:00:{second:02}", 10 * second, "-1") for second in range(0, 15, 5)]


@SOME
@given(LINES, st.booleans())
def test_that_rows_of_esxtop_are_kept_or_rejected(cells: list[list[str]], trailing: bool) -> None:
    rows = [line(*row) for row in cells]
    ending = "," if trailing else ""
    text = pdh(*(one + ending for one in (*ESXTOP_ROWS, *rows)), names=ESXTOP, first="(PDH-CSV 4.0) (UTC)(0)", end="\n")
    with tempfile.TemporaryDirectory() as folder:
        result = read(Path(folder), text.encode())
    check(result.reading, len(ESXTOP_ROWS) + len(rows))
    if result.reading.recording is not None:
        assert all(value is None or value >= 0 for value in result.columns["c0"])
        assert result.columns["c1"][:3] == [-1, -1, -1]


@pytest.mark.parametrize("reader", [events.READER, fio_log.READER, perfmon.READER, mapped_csv.READER])
@SOME
@given(data=st.one_of(st.binary(max_size=300), LINES.map(lambda rows: "\n".join(map(",".join, rows)).encode())))
def test_that_no_bytes_make_recognition_or_reading_fail(reader: Reader, data: bytes) -> None:
    assert 0.0 <= reader.identify(data, "x.csv") <= 1.0
    if not reader.identify(data, "x.csv"):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.csv")
        path.write_bytes(data)
        reading = reader.read(path, "x.csv", Path(folder, "columns"))
    assert reading.report.rows or reading.report.rejected_rows or reading.problems
