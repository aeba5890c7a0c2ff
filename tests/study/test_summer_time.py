"""Files over a change of summer time, compared with the UTC moments of their samples."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import pytest

from tests.study.test_build import codes, opened
from workbench.console.loading import load_studies
from workbench.model.mapping import ColumnMapping, MappedColumn, TimeFormat
from workbench.model.metric import Quantity
from workbench.model.problem import Severity
from workbench.model.run import Run, Study
from workbench.readers.perfmon.header import windows_zones
from workbench.study.importing.mappings import save_mapping
from workbench.study.overrides import in_time_zone
from workbench.study.series.vm_series import vm_samples
from workbench.study.store.column_store import Store

PATHS = [rf'"\\VM01\PhysicalDisk(_Total)\Disk {kind}/sec"' for kind in ("Reads", "Writes")]
STEP = timedelta(seconds=15)


def moments(start: str, minutes: int = 120, without: tuple[int, int] = (0, 0)) -> list[datetime]:
    """Every 15 s from `start` (UTC) on; those in the minutes `without` are omitted."""
    first = datetime.fromisoformat(start).replace(tzinfo=UTC)
    every = [first + index * STEP for index in range(4 * minutes + 1)]
    return [at for at in every if not without[0] <= (at - first).total_seconds() / 60 < without[1]]


def study_of(folder: Path, zone: str, header: str, taken: list[datetime], stated: str = "") -> Study:
    """A run of one perfmon log as a machine in `zone` writes it, its local times without an offset."""
    rows = [f'"{at.astimezone(ZoneInfo(zone)):%m/%d/%Y %H:%M:%S.000}","40","20"' for at in taken]
    folder.mkdir(parents=True)
    text = ",".join((f'"(PDH-CSV 4.0){header}"', *PATHS)) + "\r\n" + "\r\n".join(rows) + "\r\n"
    (folder / "VM01.csv").write_bytes(text.encode("utf-8"))
    if stated:
        (folder / "run.toml").write_text(f'time_zone = "{stated}"\n')
    (study,) = opened(folder)
    return study


def ends(run: Run) -> list[datetime]:
    (samples,) = vm_samples(run, Quantity.IOPS).values()
    return [datetime.fromtimestamp(round(at, 3), UTC) for at in samples.end]


NEW_YORK, LONDON, SYDNEY, SAO_PAULO = "America/New_York", "Europe/London", "Australia/Sydney", "America/Sao_Paulo"


@pytest.mark.parametrize(
    ("zone", "header", "start"),
    [
        (LONDON, " (GMT Standard Time)(0)", "2024-03-31T00:00"),
        (LONDON, " (GMT Daylight Time)(-60)", "2024-10-27T00:00"),
        (NEW_YORK, " (Eastern Standard Time)(300)", "2021-03-14T06:30"),
        (NEW_YORK, " (Eastern Daylight Time)(240)", "2021-11-07T05:00"),
        ("Europe/Berlin", " (W. Europe Standard Time)(-60)", "2024-03-31T00:00"),
        ("Europe/Berlin", " (Mitteleuropäische Zeit)(-60)", "2024-03-31T00:00"),
        (SYDNEY, " (AUS Eastern Standard Time)(-600)", "2023-09-30T15:00"),
        (SYDNEY, " (AUS Eastern Daylight Time)(-660)", "2023-04-01T15:00"),
        (SAO_PAULO, " (E. South America Standard Time)(180)", "2017-10-15T02:00"),
        ("Australia/Lord_Howe", " (Lord Howe Standard Time)(-630)", "2023-09-30T14:30"),
    ],
)
def test_that_a_change_of_summer_time_is_placed_by_the_zone_in_the_header(
    tmp_path: Path, zone: str, header: str, start: str
) -> None:
    taken = moments(start)
    study = study_of(tmp_path / "mcs", zone, header, taken)
    assert ends(study.runs[0]) == taken
    report = study.files[0]
    assert (report.first, report.last) == tuple(f"{at:%Y-%m-%dT%H:%M:%SZ}" for at in (taken[0], taken[-1]))
    asked = [one for one in study.problems if one.code == "summer-time-start"]
    assert [one.severity for one in asked] in ([], [Severity.INFO])


@pytest.mark.parametrize(
    ("header", "start"),
    [(" (Eastern Daylight Time)(240)", "2021-03-14T06:30"), (" (Eastern Standard Time)(300)", "2021-11-07T05:00")],
    ids=["summer's offset before summer", "winter's offset before winter"],
)
def test_that_a_header_from_the_other_season_does_not_shift_the_file(tmp_path: Path, header: str, start: str) -> None:
    taken = moments(start)
    assert ends(study_of(tmp_path / "mcs", NEW_YORK, header, taken).runs[0]) == taken


@pytest.mark.parametrize("without", [(25, 45), (29, 31), (10, 30), (30, 100)])
def test_that_a_gap_across_the_skipped_hour_keeps_its_length(tmp_path: Path, without: tuple[int, int]) -> None:
    taken = moments("2021-03-14T06:30", without=without)
    assert ends(study_of(tmp_path / "mcs", NEW_YORK, " (Eastern Standard Time)(300)", taken).runs[0]) == taken


@pytest.mark.parametrize(
    ("start", "header"),
    [("2021-03-14T07:00", " (Eastern Daylight Time)(240)"), ("2021-03-14T04:59", " (Eastern Standard Time)(300)")],
    ids=["begins after the skip", "ends before the skip"],
)
def test_that_a_file_in_one_season_uses_the_offset_of_its_header(tmp_path: Path, start: str, header: str) -> None:
    taken = moments(start)
    assert ends(study_of(tmp_path / "mcs", NEW_YORK, header, taken).runs[0]) == taken


@pytest.mark.parametrize("header", ["", " (Zone of the lab)(300)", " (RTZ 2 ("])
def test_that_a_stated_zone_places_the_skipped_hour(tmp_path: Path, header: str) -> None:
    taken = moments("2021-03-14T06:30")
    assert ends(study_of(tmp_path / "stated", NEW_YORK, header, taken, NEW_YORK).runs[0]) == taken
    silent = study_of(tmp_path / "silent", NEW_YORK, header, taken)
    assert ("VM01.csv", "summer-time-start") in codes(silent)
    assert ends(silent.runs[0])[-1] - ends(silent.runs[0])[0] == timedelta(hours=3)
    by_hand = in_time_zone(silent.runs[0], NEW_YORK)
    assert ends(by_hand) == taken
    assert ends(in_time_zone(by_hand, NEW_YORK)) == taken


def test_that_a_clock_without_the_skip_is_unchanged(tmp_path: Path) -> None:
    taken = moments("2021-03-14T06:30")
    study = study_of(tmp_path / "mcs", "Etc/GMT+5", " (Eastern Standard Time)(300)", taken)
    assert ends(study.runs[0]) == taken


def test_that_a_zone_without_the_skip_leaves_a_gap(tmp_path: Path) -> None:
    taken = moments("2021-03-14T06:30", without=(30, 90))
    study = study_of(tmp_path / "mcs", "America/Bogota", " (SA Pacific Standard Time)(300)", taken)
    assert ends(study.runs[0]) == taken


def test_that_a_stated_zone_that_contradicts_the_header_is_not_used(tmp_path: Path) -> None:
    taken = moments("2021-03-14T06:30")
    study = study_of(tmp_path / "mcs", NEW_YORK, " (Zone of the lab)(0)", taken, NEW_YORK)
    assert ends(study.runs[0])[0] == datetime(2021, 3, 14, 1, 30, tzinfo=UTC)


BERLIN = "Europe/Berlin"
MOMENT = "%Y-%m-%d %H:%M:%S"
HEADS = {
    "get-counter": ("Timestamp,Path,CookedValue", r"{at},\\vm01\physicaldisk(_total)\disk {kind}s/sec,40"),
    "get-stat": (
        "MetricId,Timestamp,Value,Unit,Instance,Entity,EntityId",
        "virtualDisk.number{Kind}Averaged.average,{at},40,number,scsi0:0,VM01,VirtualMachine-vm-1",
    ),
    "azure": (
        "TimeGenerated [Local Time],Computer,ObjectName,CounterName,InstanceName,CounterValue",
        "{at},VM01,PhysicalDisk,Disk {Kind}s/sec,_Total,40",
    ),
    "mapped": ("Time,IOPS", "{at},40"),
}


@pytest.mark.parametrize("start", ["2024-03-31T00:00", "2024-10-27T00:00"], ids=["summer begins", "summer ends"])
@pytest.mark.parametrize("table", HEADS)
def test_that_a_zone_is_applied_to_the_times_of_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, start: str
) -> None:
    taken, (head, row) = moments(start), HEADS[table]
    lines = [
        row.format(at=at.astimezone(ZoneInfo(BERLIN)).strftime(MOMENT), kind=kind, Kind=kind.capitalize())
        for at in taken
        for kind in (("read",) if table == "mapped" else ("read", "write"))
    ]
    folder = tmp_path / "mcs"
    folder.mkdir()
    if table == "mapped":
        column = MappedColumn(1, Quantity.IOPS, machine="VM01")
        mapping = ColumnMapping(("Time", "IOPS"), ",", 0, TimeFormat.YEAR_FIRST, (column,), time_zone=BERLIN)
        monkeypatch.setenv("VDI_WORKBENCH_MAPPINGS", str(tmp_path / "mappings.json"))
        save_mapping(mapping)
    else:
        (folder / "run.toml").write_text(f'time_zone = "{BERLIN}"\n')
    (folder / "table.csv").write_text("\n".join([head, *lines, ""]))
    (study,) = load_studies([folder], Store(tmp_path / "store"))
    assert ends(study.runs[0]) == taken


def test_that_every_windows_zone_is_in_the_time_zone_database() -> None:
    zones = windows_zones()
    assert len(zones) > 130
    assert set(zones.values()) <= available_timezones()
