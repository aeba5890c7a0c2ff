"""Tables of several machines below one header: a column mapping never merges two machines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import run, stored_frame
from tests.readers.test_mapped_csv import codes, found_in
from workbench.cli import main
from workbench.model.mapping import ColumnMapping, MappedColumn
from workbench.model.metric import Quantity
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.readers.tables import mapped as mapped_csv
from workbench.readers.tables.proposal import propose
from workbench.study.importing.mappings import save_mapping
from workbench.study.series.time_zone import offset_minutes
from workbench.study.series.vm_series import vm_samples

START = datetime(2016, 5, 24, 9)
Rows = Iterable[Sequence[object]]


def stamp(second: int, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    return (START + timedelta(seconds=second)).strftime(form)


def table(rows: Rows, header: str = "Time,VM,IOPS") -> str:
    return "".join(f"{line}\n" for line in (header, *(",".join(map(str, row)) for row in rows)))


def mapping_of(text: str, names: tuple[str, ...] = ("IOPS",)) -> ColumnMapping:
    """The mapping of a user who assumes that the table has a single machine."""
    proposed = propose(found_in(text))
    places = [proposed.names.index(name) for name in names]
    columns = tuple(MappedColumn(place, Quantity.IOPS, machine="W10-1") for place in places)
    no_keys = {"machine_column": None, "disk_column": None, "counter_column": None}
    return replace(proposed, columns=columns, time_zone="+00:00", **no_keys)


def read(folder: Path, text: str, names: tuple[str, ...] = ("IOPS",)) -> tuple[Reading, pl.DataFrame]:
    path = folder / "long.csv"
    path.write_text(text)
    reading = mapped_csv.reader_with(mapping_of(text, names), offset_minutes).read(path, "long.csv", folder / "columns")
    return reading, stored_frame(folder / "columns") if reading.recording is not None else pl.DataFrame()


def refusal(reading: Reading) -> Problem:
    (found,) = [one for one in reading.problems if one.severity is Severity.REFUSED]
    assert found.code == "long-table"
    assert reading.recording is None
    assert reading.report.rows == 0
    return found


BY_TIME = table((stamp(15 * k), vm, value) for k in range(60) for vm, value in (("W10-1", 50), ("W10-2", 47.5)))
BY_MACHINE = table((stamp(15 * k), vm, 50) for vm in ("W10-1", "W10-2", "W10-3") for k in range(240))
IN_TURN = table((stamp(15 * k + 7 * place), vm, 50) for k in range(60) for place, vm in enumerate(("A", "B")))
UNNAMED = table(((stamp(15 * (k // 2)), 50 + k) for k in range(120)), "Time,IOPS")
NUMBERED = table(((stamp(60 * (k // 2), "%m/%d/%Y %H:%M"), 12 + k % 2, 50 + k) for k in range(120)), "Time,Lun,IOPS")
MINUTES = table(((stamp(15 * (k % 60), "%m/%d/%Y %H:%M"), k) for k in range(120)), "Time,IOPS")
LATE = table(
    [*((stamp(15 * k), "W10-1", 50) for k in range(400)), (stamp(5985), "W10-2", 3), (stamp(6000), "W10-2", 4)]
)


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (BY_TIME, 3, "'W10-1' and 'W10-2' alternate in one series (column 'VM')"),
        (BY_MACHINE, 242, "'W10-1', 'W10-2' and 'W10-3' repeat timestamps"),
        (IN_TURN, 3, "'A' and 'B' alternate in one series (column 'VM')"),
        (UNNAMED, 3, "60 of 120 rows repeat a timestamp"),
        (LATE, 402, "Lines 401 and 402 have the same timestamp but differ in column 'VM': 'W10-1' and 'W10-2'"),
        (NUMBERED, 3, "'12' and '13' have the same timestamps (column 'Lun')"),
        (MINUTES, 3, "105 of 120 rows repeat a timestamp"),
    ],
    ids=["by-time", "by-machine", "in-turn", "unnamed", "late", "numbered", "minutes"],
)
def test_that_a_long_table_is_rejected_with_its_line_and_advice(
    tmp_path: Path, text: str, line: int, told: str, snapshot: SnapshotAssertion
) -> None:
    reading, _ = read(tmp_path, text)
    found = refusal(reading)
    assert (found.line, reading.report.rejected_rows) == (line, text.count("\n") - 1)
    assert told in found.message, found.message
    assert found.action == snapshot


def test_that_texts_of_one_time_name_machines_if_each_occurs_again(tmp_path: Path) -> None:
    """Most texts of the column occur once, and its heading suggests no machine."""
    notes = [(stamp(15 * k), f"note {k}", 50) for k in range(1, 11)]
    first = [(stamp(0), "a", 50), (stamp(0), "b", 47.5), *notes]
    reading, _ = read(tmp_path, table([*first, (stamp(165), "a", 50), (stamp(180), "b", 47.5)], "Time,Text,IOPS"))
    assert refusal(reading).line == 3
    reading, frame = read(tmp_path, table([*first, (stamp(165), "a", 50), (stamp(180), "c", 47.5)], "Time,Text,IOPS"))
    assert (reading.report.rows, reading.report.rejected_rows, frame["c0"].to_list()) == (13, 1, [50.0] * 12 + [47.5])


def test_that_a_long_table_gives_no_figures_for_an_invented_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An earlier version gave one fully measured VM with 50.0 IOPS; correct are two VMs with 97.5 IOPS."""
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("VDI_WORKBENCH_MAPPINGS", str(tmp_path / "mappings.json"))
    save_mapping(mapping_of(BY_TIME))
    run = tmp_path / "lab" / "mcs"
    run.mkdir(parents=True)
    (run / "long.csv").write_text(BY_TIME)
    phase = '[[phases]]\nname = "steady"\nstart = 2016-05-24T09:00:00Z\nend = 2016-05-24T09:14:00Z\n'
    (run / "run.toml").write_text(phase)
    assert main(["summary", str(tmp_path / "lab"), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [phase["iops"] for run in found["runs"] for phase in run["phases"]] in ([], [None])
    assert [one["line"] for one in found["problems"] if one["severity"] == "refused"] == [3]


def test_that_one_file_per_machine_is_read_as_advised(tmp_path: Path) -> None:
    for vm, value in (("W10-1", 50.0), ("W10-2", 47.5)):
        reading, frame = read(tmp_path, table((stamp(15 * k), vm, value) for k in range(60)))
        assert reading.report.rows == 60
        assert set(frame["c0"]) == {value}
        assert codes(reading).keys() == {"columns-left-out"}


def test_that_one_column_per_machine_is_read_as_advised(tmp_path: Path) -> None:
    text = table(((stamp(15 * k), 50, 47.5) for k in range(60)), "Time,W10-1,W10-2")
    reading, frame = read(tmp_path, text, ("W10-1", "W10-2"))
    assert (reading.report.rows, codes(reading)) == (60, {})
    assert [set(frame[name]) for name in ("c0", "c1")] == [{50.0}, {47.5}]


def test_that_a_stuttering_clock_affects_only_its_rows_and_each_line_is_named(tmp_path: Path) -> None:
    seconds = [*range(400)]
    seconds[100], seconds[300] = 99, 299
    text = table((stamp(second), "W10-1", place) for place, second in enumerate(seconds))
    reading, frame = read(tmp_path, text)
    assert [(one.line, one.message) for one in reading.problems if one.code == "repeated-time"] == [
        (102, "Line 102 has the same timestamp and series as line 101."),
        (302, "Line 302 has the same timestamp and series as line 301."),
    ]
    assert (reading.report.rows, reading.report.rejected_rows) == (398, 2)
    assert frame["t"].is_unique().all()
    assert frame["c0"].to_list() == [float(second) for place, second in enumerate(seconds) if place not in (100, 300)]


def test_that_one_repeated_time_in_a_short_file_skips_its_row(tmp_path: Path) -> None:
    reading, frame = read(tmp_path, table([(stamp(0), 1), (stamp(0), 2), (stamp(15), 3)], "Time,IOPS"))
    assert codes(reading) == {"repeated-time": 3}
    assert frame["c0"].to_list() == [1.0, 3.0]


def test_that_rows_that_are_copied_count_once(tmp_path: Path) -> None:
    rows = [(stamp(15 * k), "W10-1", k) for k in range(60)]
    reading, frame = read(tmp_path, table([*rows, *rows]))
    (told,) = [one for one in reading.problems if one.code == "repeated-row"]
    assert (told.line, told.message) == (62, "60 rows are identical to another row (first: line 62).")
    assert (reading.report.rows, reading.report.rejected_rows) == (60, 60)
    assert frame["c0"].to_list() == [float(k) for k in range(60)]


def test_that_times_without_seconds_belong_to_one_machine_and_are_reported(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """Times as a spreadsheet saves them. Rows are not averaged: every row is kept, and the first row of a minute
    counts."""
    text = table(((stamp(15 * k, "%m/%d/%Y %H:%M"), k) for k in range(120)), "Time,IOPS")
    reading, frame = read(tmp_path, text)
    assert frame["c0"].to_list() == [float(k) for k in range(120)]
    (told,) = reading.problems
    assert (told.severity, told.code) == (Severity.WARNING, "seconds-lost")
    assert told.message == snapshot
    assert told.action == snapshot
    assert reading.recording is not None
    placed = reading.recording.placed("long.csv", str(tmp_path / "columns"))
    found = vm_samples(run(placed), Quantity.IOPS)["W10-1"]
    assert found.values[found.span > 0].tolist() == [float(k) for k in range(0, 120, 4)]


def test_that_times_without_seconds_that_do_not_repeat_are_read(tmp_path: Path) -> None:
    text = table(((stamp(60 * k, "%m/%d/%Y %H:%M"), k) for k in range(60)), "Time,IOPS")
    reading, _ = read(tmp_path, text)
    assert reading.report.rows == 60
    assert codes(reading).keys() == {"seconds-lost"}


def test_that_the_hour_that_summer_time_repeats_is_not_a_second_machine(tmp_path: Path) -> None:
    first = datetime(2016, 10, 30, 0)
    local = [first + timedelta(minutes=k if k < 180 else k - 60) for k in range(360)]
    rows = [(f"{at:%Y-%m-%d %H:%M:%S}", "CEST" if k < 180 else "CET", k) for k, at in enumerate(local)]
    reading, frame = read(tmp_path, table(rows, "Time,Zone,IOPS"))
    assert reading.report.rows == 360
    assert frame["t"].is_unique().all()
    assert "summer-time-end" in codes(reading)


@pytest.mark.parametrize(
    "words",
    [
        ["OK"] * 60,
        ["OK"] * 30 + ["Rebuilding"] * 3 + ["OK"] * 27,
        [f"note {k}" for k in range(60)],
        [""] * 59 + ["power failed"],
    ],
)
def test_that_texts_of_another_kind_are_ignored(tmp_path: Path, words: list[str]) -> None:
    text = table(((stamp(15 * k), word, k) for k, word in enumerate(words)), "Time,State,IOPS")
    reading, _ = read(tmp_path, text)
    assert reading.report.rows == 60
    assert codes(reading).keys() == {"columns-left-out"}


def test_that_a_column_of_machine_names_is_reported_if_no_time_repeats(tmp_path: Path) -> None:
    text = table((stamp(15 * k), "W10-1" if k < 30 else "W10-2", k) for k in range(60))
    reading, _ = read(tmp_path, text)
    assert reading.report.rows == 60
    (told,) = [one for one in reading.problems if one.code == "several-machines"]
    assert told.severity is Severity.WARNING
    assert "The column 'VM' contains several names within one series: 'W10-1' and 'W10-2'" in told.message


def test_that_ten_thousand_notes_are_not_names(tmp_path: Path) -> None:
    rows = [(stamp(k), f"note {k}", k) for k in range(12_000)]
    reading, _ = read(tmp_path, table(rows, "Time,Note,IOPS"))
    assert reading.report.rows == 12_000


def test_that_a_clock_that_stutters_hides_no_second_machine(tmp_path: Path) -> None:
    """The first machine has one time twice; the second machine begins again at the first time."""
    seconds = [*range(0, 300, 15)]
    rows = [(stamp(second), "first", 50) for second in [*seconds[:10], seconds[9], *seconds[10:]]]
    rows += [(stamp(second), "second", 40) for second in seconds]
    reading, _ = read(tmp_path, table(rows, "Time,Part,IOPS"))
    fault = refusal(reading)
    assert (fault.line, "repeat timestamps" in fault.message) == (len(seconds) + 3, True)


@pytest.mark.parametrize(("each", "refused"), [(1, True), (2, True), (3, False)])
def test_that_names_alternate_if_at_least_every_other_row_has_a_different_one(
    tmp_path: Path, each: int, refused: bool
) -> None:
    rows = [(stamp(15 * k), "AB"[(k + 1) // each % 2], k) for k in range(60)]
    reading, _ = read(tmp_path, table(rows, "Time,Part,IOPS"))
    assert (reading.recording is None) == refused


@pytest.mark.parametrize(("alone", "refused"), [(2, True), (3, False)])
def test_that_a_column_numbers_machines_if_half_of_the_times_have_several_rows(
    tmp_path: Path, alone: int, refused: bool
) -> None:
    """Times without seconds may repeat: only the two numbers at each of them indicate two machines."""
    form = "%m/%d/%Y %H:%M"
    rows = [(stamp(60 * k, form), lun, k + lun / 10) for k in range(2) for lun in (1, 2)]
    rows += [(stamp(60 * (k + 2), form), 1, k) for k in range(alone)]
    reading, _ = read(tmp_path, table(rows, "Time,Lun,IOPS"))
    assert (reading.recording is None) == refused


@pytest.mark.parametrize(("alike", "refused"), [(4, True), (3, False)])
def test_that_equal_numbers_at_four_of_five_times_indicate_machines(tmp_path: Path, alike: int, refused: bool) -> None:
    rows = [
        (stamp(60 * k, "%m/%d/%Y %H:%M"), lun if k < alike else lun + 10 * k, k + lun / 10)
        for k in range(5)
        for lun in (1, 2)
    ]
    reading, _ = read(tmp_path, table(rows, "Time,Lun,IOPS"))
    assert (reading.recording is None) == refused


def test_that_long_names_are_shown_with_forty_letters(tmp_path: Path) -> None:
    rows = [(stamp(15 * k), f"{'a' * 40}{'bc'[k % 2]}" if k else "x", k) for k in range(61)]
    reading, _ = read(tmp_path, table(rows, "Time,Part,IOPS"))
    assert f"From line 3, 'x', '{'a' * 40}' and '{'a' * 40}' alternate" in refusal(reading).message
