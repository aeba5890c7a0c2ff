"""dstat --output: rows compared cell by cell with the csv module, their times, and ignored rows."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.builders import stored_frame
from workbench.model.metric import Quantity, Vantage
from workbench.model.reading import Reading
from workbench.readers import dstat
from workbench.readers.registry import recognise

HEAD = (
    '"Dstat 0.7.2 CSV output"\n'
    '"Author:","Dag Wieers <dag@wieers.com>",,,,"URL:","http://dag.wieers.com/home-made/dstat/"\n'
    '"Host:","nas01",,,,"User:","root"\n'
    '"Cmdline:","dstat -T --output out.csv",,,,"Date:","31 Dec 2023 23:59:58 UTC"\n\n'
)
NAMES = (
    '"{0}","total cpu usage",,,,"dsk/total",,"io/total",\n"{1}","usr","sys","idl","wai","read","writ","read","writ"\n'
)
START = 1704067198
CLOCKS = "31-12 23:59:58", "31-12 23:59:59", "01-01 00:00:00", "01-01 00:00:01"


def written(clock: bool = False, head: str = HEAD) -> str:
    rows = ""
    for n in range(4):
        disks = f"{4096 * n + 100}.5,{8192 * n + 7}.0,{n + 1}.125,{n + 2}.5"
        rows += f"{CLOCKS[n] if clock else START + n + 0.25},1.5,{n}.25,90.0,0.5,{disks}\n"
    return head + NAMES.format(*(("system", "time") if clock else ("epoch", "epoch"))) + rows


def read(folder: Path, text: str) -> Reading:
    file = folder / "out.csv"
    file.write_text(text)
    assert recognise(file.read_bytes(), file.name) is dstat.READER
    return dstat.read(file, "out.csv", folder / "columns.arrow")


def column(folder: Path, reading: Reading, kind: str, device: str, counter: str) -> list[Any]:
    assert reading.recording is not None
    wanted = (f"dstat {kind}", device, counter)
    (series,) = [one for one in reading.recording.series if (one.object, one.instance, one.counter) == wanted]
    return stored_frame(folder / "columns.arrow")[f"c{series.column}"].to_list()


def moments(folder: Path) -> list[str]:
    return [datetime.fromtimestamp(t / 1e6, UTC).isoformat() for t in stored_frame(folder / "columns.arrow")["t"]]


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def test_that_every_cell_is_read_except_those_of_the_first_row(tmp_path: Path) -> None:
    reading = read(tmp_path, written())
    cells = [row for row in csv.reader(written().splitlines()) if row and row[0][:1].isdigit()][1:]
    table = stored_frame(tmp_path / "columns.arrow")
    assert [list(row[1:]) for row in table.iter_rows()] == [[float(cell) for cell in row[1:]] for row in cells]
    assert table["t"].to_list() == [int(float(row[0]) * 1e6) for row in cells]
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.hosts) == (3, 1, ("nas01",))
    assert reading.report.utc_offset_minutes == 0


def test_that_disks_have_their_metrics_as_the_array_sees_them(tmp_path: Path) -> None:
    recording = read(tmp_path, written()).recording
    assert recording is not None
    metrics = {(one.object, one.counter): one.metric for one in recording.series if one.metric is not None}
    assert {key: (metric.quantity, metric.vantage, metric.scale) for key, metric in metrics.items()} == {
        ("dstat dsk", "read"): (Quantity.READ_THROUGHPUT, Vantage.ARRAY, 1.0),
        ("dstat dsk", "writ"): (Quantity.WRITE_THROUGHPUT, Vantage.ARRAY, 1.0),
        ("dstat io", "read"): (Quantity.READ_IOPS, Vantage.ARRAY, 1.0),
        ("dstat io", "writ"): (Quantity.WRITE_IOPS, Vantage.ARRAY, 1.0),
    }


@pytest.mark.parametrize(("zone", "offset"), [("UTC", 0), ("CET", None)])
def test_that_a_clock_without_a_year_uses_that_of_the_head_across_new_year(
    zone: str, offset: int | None, tmp_path: Path
) -> None:
    reading = read(tmp_path, written(clock=True).replace("UTC", zone))
    assert moments(tmp_path) == ["2023-12-31T23:59:59+00:00", "2024-01-01T00:00:00+00:00", "2024-01-01T00:00:01+00:00"]
    assert reading.report.utc_offset_minutes == offset


def test_that_single_disks_next_to_their_total_are_in_no_figure(tmp_path: Path) -> None:
    text = HEAD + '"epoch","dsk/total",,"dsk/sda",,"io/sda",\n"epoch","read","writ","read","writ","read","writ"\n'
    reading = read(tmp_path, text + "".join(f"{START + n},9,8,7,6,5,4\n" for n in range(3)))
    assert reading.recording is not None
    assert [(one.object, one.instance) for one in reading.recording.series if one.metric is not None] == [
        ("dstat dsk", "total"),
        ("dstat dsk", "total"),
        ("dstat io", "sda"),
        ("dstat io", "sda"),
    ]


def test_that_pcp_dstat_is_read_with_its_blank_first_cells(tmp_path: Path) -> None:
    head = HEAD.replace("Dstat 0.7.2 CSV output", "pcp-dstat 6.2.0 CSV Output")
    text = '"epoch","total usage",,"dsk/total",\n'
    text += '"epoch","total usage:usr","total usage:sys","dsk/total:read","dsk/total:writ"\n'
    reading = read(tmp_path, head + text + f"{START},,0.06,,\n{START + 1},0.25,0,4096,8192.5\n")
    assert column(tmp_path, reading, "dsk", "total", "writ") == [None, 8192.5]
    assert column(tmp_path, reading, "total usage", "", "usr") == [None, 0.25]
    assert (reading.report.missing_cells, reading.report.rejected_rows) == (3, 0)


def test_that_a_file_without_times_names_the_missing_option(tmp_path: Path) -> None:
    text = HEAD + '"dsk/total",\n"read","writ"\n1.0,2.0\n3.0,4.0\n'
    reading = read(tmp_path, text)
    assert reading.recording is None
    (problem,) = [problem for problem in reading.problems if problem.code == "no-rows"]
    assert "-t" in problem.message
    assert reading.report.rejected_rows == 2


def test_that_a_second_run_in_a_file_has_separate_columns_and_first_row(tmp_path: Path) -> None:
    other = HEAD.split("\n", 2)[2] + '"epoch","dsk/total",\n"epoch","read","writ"\n'
    text = written() + "\n\n" + other + f"{START + 60},1.0,2.0\n{START + 61},3.0,4.0\n"
    reading = read(tmp_path, text)
    assert column(tmp_path, reading, "dsk", "total", "read") == [4196.5, 8292.5, 12388.5, 3.0]
    assert column(tmp_path, reading, "io", "total", "read") == [2.125, 3.125, 4.125, None]
    assert codes(reading).count("first-report") == 2


def test_that_damaged_rows_affect_only_themselves_and_are_named(tmp_path: Path) -> None:
    lines = written().splitlines(keepends=True)
    lines[-1] = lines[-1].replace(",90.0", "")
    lines[-2] = lines[-2].replace("90.0", "n/a")
    lines.insert(-1, "99-99 09:00:00" + ",1" * 8 + "\n")
    reading = read(tmp_path, "".join(lines))
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.missing_cells) == (2, 3, 1)
    assert {"row-width", "bad-time", "not-a-number"} <= set(codes(reading))


def test_that_times_continue_across_the_end_of_summer_time(tmp_path: Path) -> None:
    text = written(clock=True, head=HEAD.replace("UTC", "CET"))
    clocks = "27-10 02:59:58", "27-10 02:59:59", "27-10 02:00:00", "27-10 02:00:01"
    for before, after in zip(CLOCKS, clocks, strict=True):
        text = text.replace(before, after)
    reading = read(tmp_path, text)
    assert [moment[11:19] for moment in moments(tmp_path)] == ["02:59:59", "03:00:00", "03:00:01"]
    assert "summer-time-end" in codes(reading)


def _as(text: str, marks: str) -> str:
    """The file as a spreadsheet saves it: `;` between cells, `q` quotes around all of them, `,` in numbers."""
    lines = [[cell.strip('"') for cell in row.split(",")] for row in text.splitlines()]
    if "," in marks:
        lines = [
            [cell.replace(".", ",") if cell[:1].isdigit() and at > 4 else cell for cell in row]
            for at, row in enumerate(lines)
        ]
    if "q" in marks:
        lines = [[f'"{cell}"' for cell in row] for row in lines]
    return "".join(";".join(row) + "\n" for row in lines)


@pytest.mark.parametrize("clock", [False, True])
@pytest.mark.parametrize("marks", [";", ";q", ";,", ";,q"])
def test_that_a_copy_with_semicolons_has_the_values_of_the_original(marks: str, clock: bool, tmp_path: Path) -> None:
    original = read(tmp_path, written(clock))
    values = stored_frame(tmp_path / "columns.arrow")
    copied = read(tmp_path, _as(written(clock), marks))
    assert stored_frame(tmp_path / "columns.arrow").equals(values)
    assert copied.recording is not None
    assert original.recording is not None
    assert [one.path for one in copied.recording.series] == [one.path for one in original.recording.series]
    assert (copied.report.rows, copied.report.rejected_rows, copied.report.delimiter) == (3, 1, ";")
    assert copied.report.utc_offset_minutes == original.report.utc_offset_minutes == 0


def test_that_a_time_that_a_spreadsheet_rounded_is_not_a_time(tmp_path: Path) -> None:
    reading = read(tmp_path, _as(written(), ";,").replace("1704067199,25", "1,70E+09"))
    assert (reading.report.rows, codes(reading).count("bad-time")) == (2, 1)


@pytest.mark.parametrize(("cell", "value"), [("4.096,5", 4096.5), ("4.096", 4096.0), ("1\u00a0500,5", 1500.5)])
def test_that_points_with_decimal_commas_are_thousands_marks(tmp_path: Path, cell: str, value: float) -> None:
    text = _as(written(), ";,")
    lines = text.splitlines()
    cells = lines[-1].split(";")
    lines[-1] = ";".join([cells[0], cell, *cells[2:]])
    reading = read(tmp_path, "\n".join(lines) + "\n")
    assert stored_frame(tmp_path / "columns.arrow")["c0"][-1] == value
    assert "not-a-number" not in codes(reading)


def test_that_a_copy_with_ambiguous_numbers_causes_a_question(tmp_path: Path) -> None:
    text = '"Dstat 0.7.2 CSV output"\n"Host:";"nas01"\n"epoch";"dsk/total";\n"epoch";"read";"writ"\n'
    reading = read(tmp_path, text + "1716224101;4.096;1\n1716224106;8.192;2\n")
    assert (codes(reading), reading.report.rejected_rows, reading.recording) == (["ambiguous-number"], 2, None)


def test_that_decimal_points_and_commas_in_one_file_are_reported_with_line_and_column(tmp_path: Path) -> None:
    text = '"Dstat 0.7.2 CSV output"\n"Host:";"nas01"\n"epoch";"dsk/total";\n"epoch";"read";"writ"\n'
    reading = read(tmp_path, text + "1716224101;4;1\n1716224106;8.5;2\n1716224111;9;2,5\n")
    places = [(problem.line, problem.column) for problem in reading.problems if problem.code == "mixed-decimals"]
    assert places == [(7, 3)]
