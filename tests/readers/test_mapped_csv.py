"""Unknown CSV files: reported with their columns, with a proposed mapping, and read correctly through it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from tests.builders import stored_frame
from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn, TimeFormat
from workbench.model.metric import Quantity, Vantage
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.readers.registry import recognise
from workbench.readers.tables import mapped as mapped_csv
from workbench.readers.tables.proposal import propose
from workbench.readers.tables.timed import TimedCsv, find_timed_csv, moment_of, time_format_of
from workbench.study.series.time_zone import offset_minutes

DATA = Path(__file__).parents[3] / "shared" / "data" / "perfmon"
ARRAY = (
    "Time,LUN 12 Total IOPS,LUN 12 Response Time (ms),FAST Cache Read Hits/s,SP A Cache Hits/s\n"
    "2012-05-10 09:00:00,5500,22,19000,5000\n"
    "2012-05-10 09:01:00,5100,20.5,18000,4000\n"
    "2012-05-10 09:02:00,4900,,17000,3000\n"
)


def found_in(text: str | bytes) -> TimedCsv:
    found = find_timed_csv(text if isinstance(text, bytes) else text.encode(), whole=True)
    assert found is not None
    return found


def read(
    folder: Path, text: str | bytes, mapping: ColumnMapping | None = None, name: str = "a.csv"
) -> tuple[Reading, pl.DataFrame]:
    data = text if isinstance(text, bytes) else text.encode()
    (folder / name).write_bytes(data)
    chosen = mapping or propose(found_in(data))
    reading = mapped_csv.reader_with(chosen, offset_minutes).read(folder / name, name, folder / "columns")
    frame = stored_frame(folder / "columns") if reading.recording is not None else pl.DataFrame()
    return reading, frame


def codes(reading: Reading) -> dict[str, int | None]:
    return {problem.code: problem.line for problem in reading.problems}


def us(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1_000_000)


def test_that_a_csv_with_a_time_column_is_reported_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(ARRAY)
    reader = recognise(ARRAY.encode(), "a.csv")
    assert reader is mapped_csv.READER
    reading = reader.read(tmp_path / "a.csv", "a.csv", tmp_path / "columns")
    (problem,) = reading.problems
    assert (problem.severity, problem.code, problem.line) == (Severity.INFO, "needs-mapping", 1)
    assert "LUN 12 Total IOPS" in problem.message
    assert "Map columns" in problem.action
    assert not reading.report.recognised
    assert reading.recording is None
    assert not (tmp_path / "columns").exists()


def test_that_an_array_csv_is_proposed_its_quantities_units_and_lun() -> None:
    mapping = propose(found_in(ARRAY))
    assert [(c.quantity, c.scale, c.machine, c.vantage) for c in mapping.columns] == [
        (Quantity.IOPS, 1.0, "LUN 12", Vantage.ARRAY),
        (Quantity.LATENCY, 1e-3, "LUN 12", Vantage.ARRAY),
        (None, 1.0, "", Vantage.ARRAY),
        (None, 1.0, "", Vantage.ARRAY),
    ]


def test_that_an_array_csv_is_read_through_its_mapping(tmp_path: Path) -> None:
    reading, frame = read(tmp_path, ARRAY, replace(propose(found_in(ARRAY)), time_zone="Europe/London"))
    assert frame["t"].to_list() == [us(f"2012-05-10T09:0{minute}:00") for minute in range(3)]
    assert frame["c1"].to_list() == [22.0, 20.5, None]
    assert reading.recording is not None
    assert reading.recording.utc_offset_minutes == 60
    lun = reading.recording.series[0]
    assert (lun.vm, lun.instance, lun.metric and lun.metric.vantage) == (None, "LUN 12", Vantage.ARRAY)
    report = reading.report
    assert (report.rows, report.cells, report.missing_cells, report.first) == (3, 12, 1, "2012-05-10T08:00:00Z")
    assert codes(reading) == {}


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("05/09/24 10:50", TimeFormat.MONTH_FIRST, "2024-05-09T10:50:00"),
        ("05/09/24 10:50", TimeFormat.DAY_FIRST, "2024-09-05T10:50:00"),
        ("9.5.2024 1:02:03,5", TimeFormat.DAY_FIRST, "2024-05-09T01:02:03.500000"),
        ("5/9/2024 12:00:00 AM", TimeFormat.MONTH_FIRST, "2024-05-09T00:00:00"),
        ("5/9/2024 12:30 pm", TimeFormat.MONTH_FIRST, "2024-05-09T12:30:00"),
        ("2024-05-09T10:50:01.123456Z", TimeFormat.YEAR_FIRST, "2024-05-09T10:50:01.123456"),
        ("1715251800", TimeFormat.UNIX_SECONDS, "2024-05-09T10:50:00"),
        ("1715251800500", TimeFormat.UNIX_MILLISECONDS, "2024-05-09T10:50:00.500000"),
    ],
)
def test_that_a_time_is_read_in_its_format(text: str, form: TimeFormat, expected: str) -> None:
    moment = moment_of(text, form)
    assert moment is not None
    assert moment.local_us == us(expected)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("13/05/24 10:50", TimeFormat.MONTH_FIRST),
        ("05/13/24 10:50", TimeFormat.DAY_FIRST),
        ("02/30/2024 10:50", TimeFormat.MONTH_FIRST),
        ("05/09/24 24:50", TimeFormat.MONTH_FIRST),
        ("05/09/124 10:50", TimeFormat.MONTH_FIRST),
        ("10:50", TimeFormat.MONTH_FIRST),
        ("", TimeFormat.YEAR_FIRST),
        ("nan", TimeFormat.UNIX_SECONDS),
        ("1e400", TimeFormat.UNIX_SECONDS),
        ("-5", TimeFormat.UNIX_MILLISECONDS),
        ("5/9/2024 13:00 PM", TimeFormat.MONTH_FIRST),
        ("05/09/24 10:50", TimeFormat.YEAR_FIRST),
    ],
)
def test_that_a_time_in_another_format_is_rejected(text: str, form: TimeFormat) -> None:
    assert moment_of(text, form) is None


@pytest.mark.parametrize(
    ("cells", "form"),
    [
        (["05/09/24 10:50", "05/13/24 10:50"], TimeFormat.MONTH_FIRST),
        (["05/09/24 10:50", "13/09/24 10:50"], TimeFormat.DAY_FIRST),
        (["5.9.2024 10:50"], TimeFormat.DAY_FIRST),
        (["2024-05-09 10:50"], TimeFormat.YEAR_FIRST),
        (["1715251800"], TimeFormat.UNIX_SECONDS),
        (["1715251800123"], TimeFormat.UNIX_MILLISECONDS),
    ],
)
def test_that_the_time_format_is_proposed_from_the_cells(cells: list[str], form: TimeFormat) -> None:
    assert time_format_of(cells) is form


def twisted(how: str) -> bytes:
    text = ARRAY
    semicolons = text.replace(".", ",", 0).replace(",", ";")
    return {
        "carriage returns": text.replace("\n", "\r").encode(),
        "windows": text.replace("\n", "\r\n").encode(),
        "utf-16": text.encode("utf-16"),
        "mark": b"\xef\xbb\xbf" + text.encode(),
        "quotes": "\n".join(",".join(f'"{c}"' for c in line.split(",")) for line in text.splitlines()).encode() + b"\n",
        "decimal comma": semicolons.replace("20.5", "20,5").encode(),
        "tabs": text.replace(",", "\t").encode(),
        "blank lines": text.replace("\n", "\n\n").encode(),
        "preamble": b"Array VNX5300\n\n" + text.encode(),
        "trailing delimiters": text.replace("\n", ",,\n").encode(),
        "nul tail": text.encode() + bytes(100),
    }[how]


@pytest.mark.parametrize(
    "how",
    [
        "carriage returns",
        "windows",
        "utf-16",
        "mark",
        "quotes",
        "decimal comma",
        "tabs",
        "blank lines",
        "preamble",
        "trailing delimiters",
        "nul tail",
    ],
)
def test_that_equal_samples_in_any_notation_give_equal_results(tmp_path: Path, how: str) -> None:
    _, plain = read(tmp_path, ARRAY)
    reading, frame = read(tmp_path, twisted(how), name="b.csv")
    assert frame.equals(plain)
    assert reading.report.rejected_rows == 0


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("2012-05-10 09:03:00,1,2,3", "row-width"),
        ("2012-05-10 09:03:00,1,2,3,4,5", "row-width"),
        ("2012-05-10 09:0", "row-width"),
        ("yesterday,1,2,3,4", "bad-time"),
        ("2012-13-10 09:03:00,1,2,3,4", "bad-time"),
        (
            "Time,LUN 12 Total IOPS,LUN 12 Response Time (ms),FAST Cache Read Hits/s,SP A Cache Hits/s",
            "repeated-header",
        ),
        ("2012-05-10 09:03:00,1,2,\0\0,4", "row-damaged"),
        ('2012-05-10 09:03:00,1,2,3,"4', "row-damaged"),
        ("Average,5166,21,18000,4000", "bad-time"),
    ],
)
def test_that_a_bad_row_is_rejected_by_its_number(tmp_path: Path, row: str, code: str) -> None:
    reading, frame = read(tmp_path, ARRAY + row + "\n2012-05-10 09:04:00,1,2,3,4\n", propose(found_in(ARRAY)))
    assert (reading.report.rows, reading.report.rejected_rows) == (4, 1)
    assert codes(reading)[code] == 5
    assert frame["c0"].to_list() == [5500.0, 5100.0, 4900.0, 1.0]


@pytest.mark.parametrize("cut", ["{:02}:15.0", "########"])
def test_that_times_cut_by_a_spreadsheet_are_named_as_the_cause(tmp_path: Path, cut: str) -> None:
    text = "".join(("Report\n\nTime;LUN 1 IOPS\n", *(f"{cut.format(minute)};{minute}\n" for minute in range(4))))
    path = tmp_path / "cut.csv"
    path.write_text(text)
    reader = recognise(text.encode(), path.name)
    assert reader is not None
    (problem,) = reader.read(path, path.name, tmp_path / "columns").problems
    assert (problem.code, problem.severity) == ("times-cut", Severity.REFUSED)


@pytest.mark.parametrize("shared", ["Time,LUN 12 Total IOPS", "LUN 12 Total IOPS,SP A Cache Hits/s"])
def test_that_a_second_header_line_ends_the_reading(tmp_path: Path, shared: str) -> None:
    text = f"{ARRAY}{shared},LUN 13 Total IOPS,a,b\n2012-05-10 09:03:00,1,2,3,4\n"
    reading, frame = read(tmp_path, text, propose(found_in(ARRAY)))
    # One problem names the first of the two lines.
    assert [problem.line for problem in reading.problems if problem.code == "other-header"] == [5]
    assert (frame["c0"].to_list(), reading.report.rejected_rows) == ([5500.0, 5100.0, 4900.0], 2)


def test_that_a_row_with_one_header_word_is_not_a_header(tmp_path: Path) -> None:
    text = f"{ARRAY}Time,x,x,x,x\n2012-05-10 09:03:00,1,2,3,4\n"
    reading, frame = read(tmp_path, text, propose(found_in(ARRAY)))
    assert codes(reading)["bad-time"] == 5
    assert frame["c0"].to_list()[-1] == 1.0


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("n/a", "not-a-number"),
        ("1.#INF", "not-a-number"),
        ("1e999", "not-a-number"),
        ("NaN", "not-a-number"),
        ('"1,23"', "not-a-number"),
        ("-1", "negative-rate"),
        ("12 ms", "cell-unit"),
        ("12 disks", "not-a-number"),
        ("٣", "not-a-number"),
    ],
)
def test_that_a_bad_cell_is_missing_with_its_place(tmp_path: Path, cell: str, code: str) -> None:
    reading, frame = read(tmp_path, ARRAY + f"2012-05-10 09:03:00,{cell},2,3,4\n", propose(found_in(ARRAY)))
    (problem,) = [one for one in reading.problems if one.code == code]
    assert (problem.line, problem.column) == (5, 2)
    assert frame["c0"].to_list() == [5500.0, 5100.0, 4900.0, None]
    assert reading.report.missing_cells == 2


def test_that_points_with_decimal_commas_are_thousands_marks(tmp_path: Path) -> None:
    text = "Zeit;IOPS\n09.05.2024 10:00:00;1,5\n09.05.2024 10:00:15;1.234,5\n09.05.2024 10:00:30;7\n"
    mapping = replace(propose(found_in(text)), decimal=Decimal.COMMA)
    reading, frame = read(tmp_path, text, mapping)
    assert frame["c0"].to_list() == [1.5, 1234.5, 7.0]
    assert reading.report.missing_cells == 0


def test_that_offsets_of_the_file_override_the_mapping(tmp_path: Path) -> None:
    text = "time,iops\n2016-03-27T00:59:50+00:00,1\n2016-03-27T02:00:05+01:00,2\n"
    reading, frame = read(tmp_path, text, replace(propose(found_in(text)), time_zone="+05:00"))
    assert frame["t"].to_list() == [us("2016-03-27T00:59:50"), us("2016-03-27T01:00:05")]
    assert reading.report.utc_offset_minutes == 0
    assert "offsets-differ" in codes(reading)


def test_that_a_clock_that_jumps_back_and_an_unknown_zone_are_reported(tmp_path: Path) -> None:
    text = "time,iops\n2016-05-10 09:00:00,1\n2016-05-10 09:00:15,2\n2016-05-10 08:50:00,3\n"
    reading, _ = read(tmp_path, text, replace(propose(found_in(text)), time_zone="Mars/Olympus"))
    assert codes(reading).keys() == {"clock-back", "time-zone-unknown"}
    assert reading.report.utc_offset_minutes is None


def test_that_the_machine_may_be_named_by_the_file(tmp_path: Path) -> None:
    text = "time,iops\n2016-05-10 09:00:00,1\n"
    column = MappedColumn(1, Quantity.IOPS, machine=mapped_csv.FROM_FILE_NAME)
    mapping = replace(propose(found_in(text)), columns=(column,))
    reading, _ = read(tmp_path, text, mapping, "W10-007.csv")
    assert reading.recording is not None
    assert reading.recording.series[0].vm == "W10-007"
    assert mapped_csv.reader_with(mapping, offset_minutes).by_name


@pytest.mark.parametrize("size", [-1, 0])
def test_that_a_file_as_long_as_its_head_is_read_to_its_last_line(tmp_path: Path, size: int) -> None:
    text = b"time,iops\n2016-05-10 09:00:00,1"
    data = text.rjust(mapped_csv.HEAD_BYTES + size, b"\n")
    reading, frame = read(tmp_path, data, propose(found_in(text)))
    assert (reading.report.rows, frame["c0"].to_list()) == (1, [1.0])


def test_that_a_row_with_header_words_and_numbers_is_a_row(tmp_path: Path) -> None:
    text = "Zeit;A;B;idle;busy\n" + "".join(f"9.5.2024 10:00:{second};idle;busy;1;2\n" for second in (10, 25))
    column = MappedColumn(3, None)
    reading, frame = read(tmp_path, text, replace(propose(found_in(text)), columns=(column,)))
    assert (reading.report.rows, reading.report.rejected_rows) == (2, 0)
    assert frame["c0"].to_list() == [1.0, 1.0]


@pytest.mark.parametrize("length", [131_000, 140_000])
def test_that_a_cell_in_quotes_is_read_however_long(tmp_path: Path, length: int) -> None:
    text = "time,iops,note\n2016-05-10 09:00:00,1,x\n"
    mapping = replace(propose(found_in(text)), columns=(MappedColumn(1, Quantity.IOPS),))
    reading, frame = read(tmp_path, text + f'2016-05-10 09:00:15,2,"{"x" * length}"\n', mapping)
    assert (frame["c0"].to_list(), reading.report.rejected_rows) == ([1.0, 2.0], 0)


def test_that_a_mapping_for_another_header_reads_no_samples(tmp_path: Path) -> None:
    reading, _ = read(tmp_path, ARRAY.replace("SP A", "SP B"), propose(found_in(ARRAY)))
    assert [(p.severity, p.code) for p in reading.problems] == [(Severity.REFUSED, "no-header")]


def esxtop_report() -> bytes:
    """Averages of esxtop, selected by hand and saved by a spreadsheet on a Mac: no paths in the header, no seconds."""
    header = ["Time", *(f"Cpu Load ({minutes} Minute Avg)" for minutes in (1, 5, 15)), "Free MBytes", "NUMA Nodes"]
    rows = [
        f"5/27/16 {9 + number // 60}:{number % 60:02},{number / 100},{number / 50:.3f},0.5,{40_000 - number},2"
        for number in range(90)
    ]
    return "\r".join((",".join(header), *rows)).encode()


@pytest.mark.parametrize(
    "name", ["", *(["ecs_esxtop_report.csv"] if (DATA / "ecs_esxtop_report.csv").exists() else [])]
)
def test_that_a_manually_edited_esxtop_report_is_read_correctly(tmp_path: Path, name: str) -> None:
    data = (DATA / name).read_bytes() if name else esxtop_report()
    reading, frame = read(tmp_path, data, replace(propose(found_in(data[:65_536])), time_zone="+00:00"))
    rows = list(csv.reader(io.StringIO(data.decode().replace("\r", "\n"))))
    first = rows[1]
    at = datetime.strptime(first[0], "%m/%d/%y %H:%M").replace(tzinfo=UTC)
    assert frame["t"][0] == int(at.timestamp() * 1_000_000)
    assert (reading.report.rows, reading.report.rejected_rows) == (len(rows) - 1, 0)
    mapping = propose(found_in(data[:65_536]))
    assert len(mapping.columns) == len(rows[0]) - 1
    for place, column in enumerate(mapping.columns):
        expected = [float(row[column.column]) for row in rows[1:]]
        assert frame[f"c{place}"].to_list() == expected


def test_that_rows_above_the_header_are_counted_as_rejected(tmp_path: Path) -> None:
    reading, frame = read(tmp_path, "2012-05-10 08:59:00,1,2,3,4\n\nArray 5\n" + ARRAY, propose(found_in(ARRAY)))
    assert (frame.height, reading.report.rows, reading.report.rejected_rows) == (3, 3, 1)
    assert codes(reading) == {"row-above-header": 1, "lines-before-header": 4, "time-zone-unknown": None}


def test_that_fractions_below_a_microsecond_are_cut() -> None:
    moment = moment_of("2024-05-09 10:50:01.123456789", TimeFormat.YEAR_FIRST)
    assert moment is not None
    assert moment.local_us == us("2024-05-09T10:50:01.123456")
