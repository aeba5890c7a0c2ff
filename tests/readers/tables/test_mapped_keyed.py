"""A column mapping that names the machine, the disk and the counter of each row."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import stored_frame
from tests.readers.test_long_tables import BY_MACHINE, BY_TIME, mapping_of
from tests.readers.test_mapped_csv import codes, found_in, us
from workbench.cli import main
from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn, MappedCounter
from workbench.model.metric import Quantity, Vantage
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.readers.tables import mapped as mapped_csv
from workbench.readers.tables.proposal import counter_meanings, kinds_of, propose
from workbench.study.importing.mappings import VARIABLE, load_mappings, save_mapping
from workbench.study.series.time_zone import offset_minutes

# A row for each LUN and time, as arrays export objects; the second LUN reports half a minute later.
ARRAY = "Time;LUN Name;Read IOPS;Write IOPS;Latency (ms)\n" + "".join(
    f"09.05.2024 10:{minute:02}:{second:02};{lun};{100 + minute + place},5;{20 + minute};{minute},25\n"
    for minute in range(12)
    for place, (lun, second) in enumerate((("vdi_01", 0), ("vdi_02", 30)))
)
METRICS = "Time,VM,Disk,Metric,Value\n" + "".join(
    f"2024-05-09 10:{minute:02}:00,{vm},scsi0:{disk},{metric},{value + minute + disk}\n"
    for minute in range(12)
    for vm in ("W10-1", "W10-2")
    for disk in (0, 1)
    for metric, value in (("Read IOPS", 50), ("Write IOPS", 20), ("Response time (ms)", 3))
)


def read(folder: Path, text: str, mapping: ColumnMapping, name: str = "long.csv") -> tuple[Reading, pl.DataFrame]:
    (folder / name).write_text(text)
    reading = mapped_csv.reader_with(mapping, offset_minutes).read(folder / name, name, folder / "columns")
    return reading, stored_frame(folder / "columns") if reading.recording is not None else pl.DataFrame()


def with_counters(text: str) -> ColumnMapping:
    table = found_in(text)
    mapping = propose(table)
    assert mapping.counter_column is not None
    kinds = kinds_of(text.encode(), table)[mapping.counter_column]
    return replace(mapping, counters=counter_meanings(kinds), time_zone="+00:00")


def test_that_an_array_export_of_object_rows_is_proposed_and_read_cell_by_cell(tmp_path: Path) -> None:
    mapping = replace(propose(found_in(ARRAY)), time_zone="+02:00")
    assert (mapping.machine_column, mapping.disk_column, mapping.counter_column) == (1, None, None)
    assert mapping.decimal is Decimal.COMMA
    assert [(column.column, column.quantity, column.scale, column.vantage) for column in mapping.columns] == [
        (2, Quantity.READ_IOPS, 1.0, Vantage.ARRAY),
        (3, Quantity.WRITE_IOPS, 1.0, Vantage.ARRAY),
        (4, Quantity.LATENCY, 1e-3, Vantage.ARRAY),
    ]
    reading, frame = read(tmp_path, ARRAY, mapping)
    assert reading.recording is not None
    held = {
        (series.instance, series.counter, time): value
        for series in reading.recording.series
        for time, value in frame.select("t", f"c{series.column}").iter_rows()
        if value is not None
    }
    expected = {}
    for row in csv.DictReader(io.StringIO(ARRAY), delimiter=";"):
        day, clock = row["Time"].split()
        at = us("-".join(reversed(day.split("."))) + f"T{clock}")
        for counter in ("Read IOPS", "Write IOPS", "Latency (ms)"):
            expected[row["LUN Name"], counter, at] = float(row[counter].replace(",", "."))
    assert held == expected
    assert all(series.vm is None and series.own_times for series in reading.recording.series)
    report = reading.report
    assert (report.rows, report.cells, report.missing_cells, report.rejected_rows) == (24, 72, 0, 0)
    assert codes(reading) == {}


def test_that_a_column_of_counters_gives_each_value_its_meaning(tmp_path: Path) -> None:
    mapping = with_counters(METRICS)
    assert (mapping.machine_column, mapping.disk_column, mapping.counter_column) == (1, 2, 3)
    assert mapping.counters == (
        MappedCounter("Read IOPS", Quantity.READ_IOPS, 1.0),
        MappedCounter("Write IOPS", Quantity.WRITE_IOPS, 1.0),
        MappedCounter("Response time (ms)", Quantity.LATENCY, 1e-3),
    )
    reading, frame = read(tmp_path, METRICS, mapping)
    assert reading.recording is not None
    held = {
        (series.vm, series.instance, series.counter, time): value
        for series in reading.recording.series
        for time, value in frame.select("t", f"c{series.column}").iter_rows()
    }
    assert held == {
        (row["VM"], row["Disk"], row["Metric"], us(row["Time"].replace(" ", "T"))): float(row["Value"])
        for row in csv.DictReader(io.StringIO(METRICS))
    }
    quantities = {(series.counter, series.metric and series.metric.quantity) for series in reading.recording.series}
    assert quantities == {
        ("Read IOPS", Quantity.READ_IOPS),
        ("Write IOPS", Quantity.WRITE_IOPS),
        ("Response time (ms)", Quantity.LATENCY),
    }


def test_that_counters_outside_the_mapping_are_kept_without_a_meaning(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    mapping = replace(with_counters(METRICS), counters=())
    reading, _ = read(tmp_path, METRICS, mapping)
    assert reading.recording is not None
    assert [series.metric for series in reading.recording.series] == [None] * 12
    (told,) = [problem for problem in reading.problems if problem.code == "counter-unmapped"]
    assert told.message == snapshot


def summary(folder: Path, text: str, mapping: ColumnMapping, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """The only phase of a run that contains only this table."""
    save_mapping(mapping)
    run = folder / "lab" / "mcs"
    run.mkdir(parents=True)
    (run / "long.csv").write_text(text)
    phase = '[[phases]]\nname = "steady"\nstart = 2016-05-24T09:00:00Z\nend = 2016-05-24T09:14:00Z\n'
    (run / "run.toml").write_text(phase)
    assert main(["summary", str(folder / "lab"), "--format", "json"]) == 0
    ((phase_row,),) = [run["phases"] for run in json.loads(capsys.readouterr().out)["runs"]]
    assert isinstance(phase_row, dict)
    return phase_row


@pytest.fixture
def _own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mappings.json"))


@pytest.mark.usefixtures("_own_files")
def test_that_two_machines_of_one_table_stay_separate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """97.5 IOPS of two VMs. A wrong reading would give 50.0 IOPS of "1 VM, 100 % measured"."""
    mapping = replace(mapping_of(BY_TIME), machine_column=1)
    phase = summary(tmp_path, BY_TIME, mapping, capsys)
    assert (phase["iops"], phase["iops_per_vm"]) == (97.5, 48.75)


@pytest.mark.usefixtures("_own_files")
def test_that_machines_with_different_times_have_separate_intervals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second reports seven seconds after the first: each sample covers 15 s, not the seconds between."""
    lines = BY_TIME.splitlines()
    moved = [line.replace(":00,W10-2", ":07,W10-2").replace(":15,W10-2", ":22,W10-2") for line in lines]
    moved = [line.replace(":30,W10-2", ":37,W10-2").replace(":45,W10-2", ":52,W10-2") for line in moved]
    text = "\n".join(moved) + "\n"
    assert text.count(":07,W10-2") == 15
    phase = summary(tmp_path, text, replace(mapping_of(BY_TIME), machine_column=1), capsys)
    assert (phase["iops"], phase["iops_per_vm"]) == (97.5, 48.75)


def test_that_a_mapping_that_leaves_the_machine_out_is_rejected_with_its_column_and_two_names(tmp_path: Path) -> None:
    """The disk is chosen and the VM is not: two VMs would be one."""
    mapping = replace(with_counters(METRICS), machine_column=None)
    reading, _ = read(tmp_path, METRICS, mapping)
    (told,) = [problem for problem in reading.problems if problem.severity is Severity.REFUSED]
    assert (told.code, reading.recording, reading.report.rejected_rows) == ("long-table", None, 144)
    assert "'VM'" in told.message
    assert "'W10-1' and 'W10-2'" in told.message
    assert "Map columns" in told.action


def test_that_a_mapping_that_leaves_the_disk_out_is_rejected_as_well(tmp_path: Path) -> None:
    reading, _ = read(tmp_path, METRICS, replace(with_counters(METRICS), disk_column=None))
    (told,) = [problem for problem in reading.problems if problem.severity is Severity.REFUSED]
    assert "'Disk'" in told.message
    assert "'scsi0:0' and 'scsi0:1'" in told.message


def test_that_machines_one_after_the_other_are_read(tmp_path: Path) -> None:
    reading, _ = read(tmp_path, BY_MACHINE, replace(mapping_of(BY_MACHINE), machine_column=1))
    assert reading.recording is not None
    assert [series.vm for series in reading.recording.series] == ["W10-1", "W10-2", "W10-3"]
    assert reading.report.rows == 720


def test_that_rows_without_a_machine_are_skipped_and_counted(tmp_path: Path) -> None:
    text = BY_TIME.replace(",W10-2,", ",,", 3)
    reading, _ = read(tmp_path, text, replace(mapping_of(BY_TIME), machine_column=1))
    (told,) = [problem for problem in reading.problems if problem.code == "no-machine"]
    assert (told.line, told.message) == (3, "3 rows have no machine in the column 'VM' (first: line 3).")
    assert (reading.report.rows, reading.report.rejected_rows) == (117, 3)


def test_that_names_that_differ_only_in_case_stay_separate(tmp_path: Path) -> None:
    reading, _ = read(tmp_path, BY_TIME.replace("W10-2", "w10-1"), replace(mapping_of(BY_TIME), machine_column=1))
    (told,) = [problem for problem in reading.problems if problem.severity is Severity.REFUSED]
    assert "'W10-1' and 'w10-1'" in told.message


@pytest.mark.usefixtures("_own_files")
def test_that_a_mapping_with_columns_that_name_rows_is_remembered() -> None:
    mapping = with_counters(METRICS)
    assert save_mapping(mapping)
    assert load_mappings() == {mapping.header: mapping}
    outside = replace(mapping, machine_column=9)
    assert save_mapping(outside)
    assert load_mappings() == {}


def test_that_counters_deep_in_a_file_are_offered(tmp_path: Path) -> None:
    """A table may have all times of one counter before the next counter."""
    rows = [line for line in METRICS.splitlines()[1:] if "Read" in line] * 20
    text = "Time,VM,Disk,Metric,Value\n" + "\n".join([*rows, METRICS.splitlines()[2]]) + "\n"
    table = found_in(text)
    assert kinds_of(text.encode(), table)[3] == ("Read IOPS", "Write IOPS")


def test_that_columns_of_very_many_texts_offer_no_counters() -> None:
    text = "Time,VM,Note,IOPS\n" + "".join(
        f"2024-05-09 {hour:02}:{minute:02}:00,W10-1,note {hour} {minute},5\n"
        for hour in range(6)
        for minute in range(60)
    )
    assert kinds_of(text.encode(), found_in(text)) == {1: ("W10-1",)}


def test_that_a_table_of_one_machine_proposes_no_columns_that_name_rows() -> None:
    text = "Time,State,IOPS\n" + "".join(f"2024-05-09 10:{minute:02}:00,host {minute},5\n" for minute in range(9))
    assert propose(found_in(text)).key_columns == ()


def test_that_a_value_column_named_by_a_counter_path_has_the_meaning_of_perfmon(tmp_path: Path) -> None:
    text = "Time,Counter,Value\n" + "".join(
        f"2024-05-09 10:{minute:02}:00,{path},5\n"
        for minute in range(9)
        for path in (r"\\W10-1\PhysicalDisk(_Total)\Disk Reads/sec", r"\\W10-2\PhysicalDisk(_Total)\Disk Reads/sec")
    )
    mapping = propose(found_in(text))
    assert (mapping.counter_column, [column.column for column in mapping.columns]) == (1, [2])
    reading, _ = read(tmp_path, text, replace(mapping, columns=(MappedColumn(2),)))
    assert reading.recording is not None
    assert [(series.vm, series.metric and series.metric.quantity) for series in reading.recording.series] == [
        ("W10-1", Quantity.READ_IOPS),
        ("W10-2", Quantity.READ_IOPS),
    ]


UNITS = "Time,VM,Metric,Value\n" + "".join(
    f"2024-05-09 10:{minute:02}:00,{vm},{metric},{cell}\n"
    for minute in range(8)
    for vm in ("W10-1", "W10-2")
    for metric, cell in (
        ("Read IOPS", f"1.{minute}0 K io/s" if minute % 2 else f"{minute}00 io/s"),
        ("Response time (ms)", f"{minute}.50 ms" if minute else "250 µs"),
        ("Queue", f"{minute}"),
        (r"\PhysicalDisk(_Total)\Avg. Disk sec/Write", f"{minute} msec"),
    )
)


def test_that_each_cell_of_a_long_table_has_its_unit(tmp_path: Path) -> None:
    mapping = with_counters(UNITS)
    reading, frame = read(tmp_path, UNITS, mapping)
    assert reading.recording is not None
    found = {
        (series.vm, series.metric.quantity): [value * series.metric.scale for value in frame[f"c{series.column}"]]
        for series in reading.recording.series
        if series.metric is not None
    }
    for vm in ("W10-1", "W10-2"):
        reads = [1000 + 100 * minute if minute % 2 else 100 * minute for minute in range(8)]
        assert found[vm, Quantity.READ_IOPS] == pytest.approx(reads)
        assert found[vm, Quantity.LATENCY] == pytest.approx([2.5e-4, *((minute + 0.5) / 1e3 for minute in range(1, 8))])
        assert found[vm, Quantity.WRITE_LATENCY] == pytest.approx([minute / 1e3 for minute in range(8)])
    assert "cells-with-units" in codes(reading)
    assert reading.report.missing_cells == 0


def test_that_a_unit_of_another_quantity_leaves_the_cell_empty(tmp_path: Path) -> None:
    text = UNITS.replace("3.50 ms", "3.50 MB/s", 1)
    reading, frame = read(tmp_path, text, with_counters(text))
    line = text[: text.index("3.50 MB/s")].count("\n") + 1
    assert [(one.line, one.column) for one in reading.problems if one.code == "cell-unit"] == [(line, 4)]
    assert reading.report.missing_cells == sum(frame[name].null_count() for name in frame.columns) == 1


def test_that_units_of_equal_numbers_are_two_values(tmp_path: Path) -> None:
    text = UNITS + "2024-05-09 10:07:00,W10-2,Queue,7 K\n"
    reading, _ = read(tmp_path, text, with_counters(text))
    assert codes(reading)["repeated-time"] == text.count("\n")


def test_that_units_of_a_column_per_metric_are_read(tmp_path: Path) -> None:
    text = "Time;LUN Name;Read IOPS;Latency (ms)\n" + "".join(
        f"09.05.2024 10:{minute:02}:00;{lun};1,{minute} K io/s;{minute},5 {'µs' if minute % 2 else 'ms'}\n"
        for minute in range(12)
        for lun in ("vdi_01", "vdi_02")
    )
    mapping = propose(found_in(text))
    assert mapping.decimal is Decimal.COMMA
    reading, frame = read(tmp_path, text, mapping)
    assert reading.recording is not None
    found = {
        (one.instance, one.metric.quantity): [value * one.metric.scale for value in frame[f"c{one.column}"]]
        for one in reading.recording.series
        if one.metric is not None
    }
    for lun in ("vdi_01", "vdi_02"):
        reads = [float(f"1.{minute}") * 1000 for minute in range(12)]
        assert found[lun, Quantity.READ_IOPS] == pytest.approx(reads)
        latencies = [(minute + 0.5) * (1e-6 if minute % 2 else 1e-3) for minute in range(12)]
        assert found[lun, Quantity.LATENCY] == pytest.approx(latencies)
