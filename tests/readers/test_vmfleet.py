"""VMFleet's result tables: sums over the VMs, percentiles reported as averaged, zeros that were not measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.benchmark_files import codes, figures, is_whole, read_with, refusal
from workbench.model.benchmark import Op
from workbench.readers.vmfleet import READER

ROW = {
    "Workload": "Vdi",
    "RunType": "Default",
    "CutoffType": "No",
    "QOSperVM": "0",
    "VMCount": "40",
    "IOPS": "10000",
    "AverageCPU": "35.1",
    "AverageCSVReadBW": "1",
    "AverageReadBW": "57344000",
    "AverageReadIOPS": "7000",
    "AverageReadMilliseconds": "2",
    "AverageWriteBW": "24576000",
    "AverageWriteIOPS": "3000",
    "AverageWriteMilliseconds": "3",
    "ReadMilliseconds50": "1.5",
    "ReadMilliseconds90": "2.5",
    "ReadMilliseconds99": "5.5",
    "WriteMilliseconds50": "2.5",
    "WriteMilliseconds90": "3.5",
    "WriteMilliseconds99": "6.5",
}


def table(*rows: dict[str, str], names: list[str] | None = None) -> str:
    header = names or list(ROW)
    lines = [header, *([row[name] for name in header] for row in rows)]
    return "".join("\t".join(f'"{cell}"' for cell in line) + "\r\n" for line in lines)


def test_that_a_run_gives_both_directions_and_the_total_in_project_units(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, table(ROW), "result.tsv")
    read, write, total = reading.benchmarks
    assert [row.op for row in reading.benchmarks] == [Op.READ, Op.WRITE, Op.TOTAL]
    assert figures(read) == (7000.0, 57.344, 2.0, 1.5, None, 5.5)
    assert figures(write) == (3000.0, 24.576, 3.0, 2.5, None, 6.5)
    assert figures(total) == (10000.0, pytest.approx(81.92), pytest.approx(2.3), None, None, None)
    assert (read.tool, read.test, read.job, read.host, read.read_percent) == ("vmfleet", "result", "Vdi", None, 70.0)
    assert codes(reading) == ["averaged-percentiles"]
    report = reading.report
    assert (report.rows, report.columns, report.delimiter) == (3, len(ROW), "\t")


def test_that_a_sweep_names_its_limit_and_a_surge_is_marked_as_failed(tmp_path: Path) -> None:
    rows = read_with(READER, tmp_path, table(ROW | {"QOSperVM": "250"}, ROW | {"CutoffType": "Surge"})).benchmarks
    assert [row.job for row in rows] == ["Vdi, 250 IOPS per VM allowed"] * 3 + ["Vdi"] * 3
    assert [row.error is not None for row in rows] == [False] * 3 + [True] * 3


def test_that_latencies_of_zero_were_not_measured(tmp_path: Path) -> None:
    zero = ROW | {name: "0" for name in ROW if "Milliseconds" in name}
    assert {figures(row)[2:] for row in read_with(READER, tmp_path, table(zero)).benchmarks} == {(None,) * 4}


def test_that_a_direction_without_io_gives_no_row(tmp_path: Path) -> None:
    row = ROW | {"AverageWriteIOPS": "0", "AverageWriteBW": "0"}
    (found,) = read_with(READER, tmp_path, table(row)).benchmarks
    assert (found.op, found.iops, found.read_percent) == (Op.READ, 7000.0, 100.0)


def test_that_decimal_commas_are_read(tmp_path: Path) -> None:
    row = {name: cell.replace(".", ",") for name, cell in ROW.items()}
    row |= {"AverageReadIOPS": "7.000,25", "ReadMilliseconds99": "5,125"}
    read = read_with(READER, tmp_path, table(row)).benchmarks[0]
    assert (read.iops, read.latency_p99_ms) == (7000.25, 5.125)


def test_that_the_table_per_vm_names_its_vms_and_its_percentiles_are_not_averages(tmp_path: Path) -> None:
    names = ["Result", *(name for name in ROW if "Average" in name or "Milliseconds" in name or name == "IOPS")]
    text = table(
        ROW | {"Result": "result-qos0-vm-base-n1-1"}, ROW | {"Result": "result-qos0-vm-base-n1-2"}, names=names
    )
    reading = read_with(READER, tmp_path, text, "result-vm-qos0.tsv")
    assert reading.report.hosts == ("result-qos0-vm-base-n1-1", "result-qos0-vm-base-n1-2")
    assert codes(reading) == []


@pytest.mark.parametrize(
    ("bad", "code", "column"),
    [
        (table(ROW | {"IOPS": "many"}).split("\r\n")[1], "not-a-number", 6),
        (table(ROW | {"AverageReadBW": "-1"}).split("\r\n")[1], "not-a-number", 9),
        (table(ROW).split("\r\n")[1][:60], "cell-count", None),
        (table(ROW | {"AverageReadIOPS": "0", "AverageWriteIOPS": "0"}).split("\r\n")[1], "no-io", None),
    ],
)
def test_that_a_bad_line_affects_only_itself(tmp_path: Path, bad: str, code: str, column: int | None) -> None:
    reading = read_with(READER, tmp_path, table(ROW) + bad)
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (3, 1)
    problem = reading.problems[0]
    assert (problem.code, problem.line, problem.column) == (code, 3, column)


def test_that_a_latency_that_is_not_a_number_is_reported(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, table(ROW | {"ReadMilliseconds99": "NaN"}))
    assert reading.benchmarks[0].latency_p99_ms is None
    assert codes(reading) == ["not-a-number", "averaged-percentiles"]


def test_that_a_table_without_rows_is_rejected_with_a_sentence(tmp_path: Path) -> None:
    assert READER.identify(table().encode("utf-16"), "result.tsv") == 1.0
    assert refusal(read_with(READER, tmp_path, table()))[0] == "no-rows"
    assert refusal(read_with(READER, tmp_path, table(ROW | {"IOPS": "x"})))[:2] == ("no-rows", 2)
    assert refusal(read_with(READER, tmp_path, "IOPS\n"))[0] == "no-header"


def test_that_other_tables_are_not_recognised_as_vmfleet() -> None:
    for text in ("", "IOPS\tAverageReadBW\n", "RunLabel\tComplete\n", "(PDH-TSV 4.0) (UTC)(0)\tIOPS\n"):
        assert READER.identify(text.encode(), "result.tsv") == 0.0


CELLS = st.sampled_from(["", "0", "1", "1,5", "nan", "1e999", '"', "x", *ROW.values()])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(CELLS, min_size=18, max_size=22), max_size=4), st.text(max_size=30))
def test_that_any_cells_are_read_without_an_error(tmp_path: Path, rows: list[list[str]], other: str) -> None:
    text = table() + "\n".join("\t".join(row) for row in rows) + "\n" + other
    data = text.encode("utf-8", "replace")
    assert 0.0 <= READER.identify(data, "x") <= 1.0
    assert is_whole(read_with(READER, tmp_path, data))


@pytest.mark.parametrize("kept", ["ReadMilliseconds99", "WriteMilliseconds50"])
def test_that_a_single_column_of_percentiles_is_described_as_averaged(tmp_path: Path, kept: str) -> None:
    names = [name for name in ROW if name == kept or not name[-2:].isdigit()]
    assert codes(read_with(READER, tmp_path, table(ROW, names=names))) == ["averaged-percentiles"]
    names.remove(kept)
    assert codes(read_with(READER, tmp_path, table(ROW, names=names))) == []


def test_that_rows_below_a_blank_line_and_a_repeated_header_are_read(tmp_path: Path) -> None:
    lines = table(ROW, ROW).splitlines()
    text = "\n".join([lines[0], lines[1], "", lines[0], lines[2], ""])
    both = read_with(READER, tmp_path, text)
    plain = read_with(READER, tmp_path, table(ROW, ROW))
    assert [figures(row) for row in both.benchmarks] == [figures(row) for row in plain.benchmarks]
    assert (both.report.rejected_rows, codes(both)) == (0, codes(plain))
