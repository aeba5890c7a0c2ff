"""A folder that mixes hosts or days is split into runs; each file goes to the nearer part."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv, perfmon_csv
from workbench.answers.common.library import Library
from workbench.answers.import_report.causes import split_change
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.run import Run, Study
from workbench.model.session import Event, EventKind
from workbench.study.splitting import split
from workbench.study.store.column_store import Store

# 2016-05-10 08:00 UTC; each recording lasts from there, or a later hour, for 15 minutes.
HOUR = 3600.0
T0 = 1_462_867_200.0


def run_of(tmp_path: Path, *captures: tuple[str, str]) -> Run:
    """The run of a folder with a recording of each machine, from a time of 10 May on."""
    for number, (machine, start) in enumerate(captures):
        rates = [10.0 + n % 5 for n in range(60)]
        disk_csv(tmp_path / "lab" / "mcs" / f"{number}.csv", machine, rates, rates, start=f"{start}:00.000")
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    return study.runs[0]


@pytest.mark.parametrize(
    ("captures", "names"),
    [
        ([("A", "05/10/2016 09:00"), ("A", "05/11/2016 09:00")], ["mcs 2016-05-10", "mcs 2016-05-11"]),
        ([("Host-A", "05/10/2016 09:00"), ("Host-B", "05/10/2016 12:00")], ["mcs Host-A", "mcs Host-B"]),
        (
            [("A", "05/10/2016 09:00"), ("B", "05/10/2016 09:00"), ("C", "05/10/2016 12:00")],
            ["mcs 2016-05-10 08.00.00", "mcs 2016-05-10 11.00.00"],
        ),
    ],
)
def test_that_parts_are_named_by_their_differences(
    tmp_path: Path, captures: list[tuple[str, str]], names: list[str]
) -> None:
    run = run_of(tmp_path, *captures)
    parts = split(run)
    assert [part.name for part in parts] == names
    assert len({part.folder for part in parts}) == len(parts)
    assert sum(len(part.recordings) for part in parts) == len(captures)
    assert [part.split_from for part in parts] == [run.folder] * len(parts)


def test_that_events_go_to_the_nearer_part_and_each_part_counts_its_machines(tmp_path: Path) -> None:
    run = run_of(tmp_path, ("A", "05/10/2016 09:00"), ("B", "05/10/2016 09:00"), ("C", "05/10/2016 12:00"))
    # The first part ends at 08:14:45, the other starts at 11:00: halfway is 09:37:22.5.
    moments = [T0 - HOUR, T0 + 0.5 * HOUR, T0 + 1.62 * HOUR, T0 + 1.63 * HOUR, T0 + 5 * HOUR]
    first, later = split(replace(run, events=tuple(Event(at, EventKind.MARKER) for at in moments)))
    assert [event.at for event in first.events] == moments[:3]
    assert [event.at for event in later.events] == moments[3:]
    assert [(part.vms, part.users) for part in (first, later)] == [(2, 2), (1, 1)]
    assert [guess.value for guess in later.guesses if guess.field == "vms"] == ["1"]


def test_that_a_reason_set_by_the_tester_excludes_every_part(tmp_path: Path) -> None:
    run = run_of(tmp_path, ("A", "05/10/2016 09:00"), ("A", "05/11/2016 09:00"))
    assert run.excluded
    assert [part.excluded for part in split(run)] == [None, None]
    assert [part.excluded for part in split(replace(run, excluded="fan broke"))] == ["fan broke"] * 2


def test_that_a_single_run_is_not_split(tmp_path: Path) -> None:
    run = run_of(tmp_path, ("A", "05/10/2016 09:00"), ("B", "05/10/2016 09:05"))
    assert split(run) == (run,)


def mixed(tmp_path: Path, *captures: tuple[str, str, str]) -> Run:
    """The run of a folder `raw` with a recording of each machine in its own file name."""
    for file, machine, start in captures:
        rates = [10.0 + n % 5 for n in range(60)]
        disk_csv(tmp_path / "lab" / "raw" / f"{file}.csv", machine, rates, rates, start=f"05/10/2016 {start}:00.000")
    (study,) = load_studies([tmp_path / "lab" / "raw"], Store(tmp_path / "store"))
    return study.runs[0]


def test_that_files_named_after_two_configurations_are_two_runs_although_they_overlap(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = mixed(
        tmp_path,
        ("mcs_W10-001", "W10-001", "09:00"),
        ("mcs_W10-002", "W10-002", "09:00"),
        ("mcsio512_W10-001", "W10-001", "09:01"),
        ("W10-002-mcsio-512mb", "W10-002", "09:01"),
    )
    assert run.excluded == snapshot
    mcs, mcsio = split(run)
    assert [(part.name, part.configuration.name) for part in (mcs, mcsio)] == [
        ("raw MCS", "MCS"),
        ("raw MCSIO 512 MB", "MCSIO 512 MB"),
    ]
    assert [recording.file for recording in mcs.recordings] == ["mcs_W10-001.csv", "mcs_W10-002.csv"]
    assert [recording.file for recording in mcsio.recordings] == ["W10-002-mcsio-512mb.csv", "mcsio512_W10-001.csv"]
    assert (mcsio.configuration.provisioning.value, mcsio.configuration.ram_cache_mb) == ("MCSIO", 512)
    assert (mcs.excluded, mcsio.excluded, mcs.vms, mcsio.vms) == (None, None, 2, 2)
    assert mcs.folder != mcsio.folder


def test_that_runs_an_hour_apart_are_separated_by_the_numbers_in_their_names(tmp_path: Path) -> None:
    run = mixed(tmp_path, ("W10-001_run1", "W10-001", "09:00"), ("W10-001_run2", "W10-001", "10:00"))
    assert [part.name for part in split(run)] == ["raw run 1", "raw run 2"]


@pytest.mark.parametrize(
    "files",
    [
        # Two machines of one configuration each: no machine is in both.
        [("mcs_A", "A", "09:00"), ("mcsio_B", "B", "09:00")],
        # A file with no information in its name may belong to either run.
        [("mcs_A", "A", "09:00"), ("mcsio_A", "A", "09:00"), ("A", "A", "09:05")],
        # Segments of one collector.
        [("mcs_A_000001", "A", "09:00"), ("mcs_A_000002", "A", "09:15")],
    ],
)
def test_that_ambiguous_names_do_not_split_a_run(tmp_path: Path, files: list[tuple[str, str, str]]) -> None:
    run = mixed(tmp_path, *files)
    assert (split(run), run.excluded) == ((run,), None)


def test_that_an_event_within_two_overlapping_runs_goes_to_both(tmp_path: Path) -> None:
    run = mixed(tmp_path, ("mcs_A", "A", "09:00"), ("pvs_A", "A", "09:05"))
    moments = [T0 + 60, T0 + 600, T0 + 1100]
    mcs, pvs = split(replace(run, events=tuple(Event(at, EventKind.MARKER) for at in moments)))
    assert [event.at for event in mcs.events] == moments[:2]
    assert [event.at for event in pvs.events] == moments[1:]


def test_that_the_preview_lists_the_files_of_each_run_and_the_reason(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = mixed(tmp_path, ("mcs_A", "A", "09:00"), ("pvs_A", "A", "09:05"))
    library = Library((Study("raw", run.folder, (run,)),), {})
    assert split_change(library, [run.folder]).sentences == snapshot


def test_that_the_warning_lists_the_runs_and_their_files(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    run = mixed(tmp_path, ("mcs_A", "A", "09:00"), ("pvs_A", "A", "09:05"))
    (problem,) = [problem for problem in run_figures(run).problems if problem.code == "runs-mixed"]
    assert problem.message == snapshot


def cpu_log(folder: Path, machine: str, start: str) -> None:
    """A recording without rates of machines' disks."""
    load = [20.0 + n % 5 for n in range(60)]
    counter = f"\\\\{machine}\\Processor(_Total)\\% Processor Time"
    perfmon_csv(folder / f"{machine}-cpu-{start[6:10]}.csv", {counter: load}, start=f"{start}:00.000")


def parts_with_years(run: Run) -> list[set[int]]:
    """The years of the recordings of each part."""
    return [
        {datetime.fromtimestamp(moment, UTC).year for recording in part.recordings for moment in recording.span_s}
        for part in split(run)
    ]


def test_that_recordings_from_different_years_are_never_one_run_even_without_rates(tmp_path: Path) -> None:
    folder = tmp_path / "lab" / "mcs"
    for start in ("05/10/2014 09:00", "05/10/2016 09:00"):
        rates = [10.0 + n % 5 for n in range(60)]
        disk_csv(folder / f"A-{start[6:10]}.csv", "A", rates, rates, start=f"{start}:00.000")
    for machine, start in (("H", "05/10/2016 09:02"), ("H", "05/10/2021 09:00"), ("J", "06/10/2012 09:00")):
        cpu_log(folder, machine, start)
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    assert parts_with_years(study.runs[0]) == [{2012}, {2014}, {2016}, {2021}]
    assert [len(part.recordings) for part in split(study.runs[0])] == [1, 1, 2, 1]


def test_that_logs_without_rates_are_split_by_day(tmp_path: Path) -> None:
    for start in ("05/10/2014 09:00", "05/10/2016 09:00", "05/10/2016 09:30"):
        cpu_log(tmp_path / "lab" / "mcs", f"H{start[-2:]}", start)
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    assert study.runs[0].excluded
    assert parts_with_years(study.runs[0]) == [{2014}, {2016}]


@pytest.mark.parametrize(
    ("hours", "gap", "parts"),
    [
        # Days of a long test: the pause between them is shorter than each of them.
        (20.0, 8.0, 2),
        (20.0, 5.0, 1),
        # On one day, with a pause longer than each of them.
        (1.0, 6.5, 2),
    ],
)
def test_that_captures_on_different_days_are_split_although_each_lasts_longer_than_the_pause(
    tmp_path: Path, hours: float, gap: float, parts: int
) -> None:
    step = 600.0
    rates = [10.0 + n % 5 for n in range(round(hours * HOUR / step) + 1)]
    for start in (0.0, hours + gap):
        moment = datetime(2016, 5, 10, 0, 30, tzinfo=UTC) + timedelta(hours=start)
        disk_csv(
            tmp_path / "lab" / "mcs" / f"{start}.csv",
            "A",
            rates,
            rates,
            start=f"{moment:%m/%d/%Y %H:%M:%S}.000",
            step_s=step,
            bias="0",
            zone="UTC",
        )
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    assert len(split(study.runs[0])) == parts


@pytest.mark.parametrize(("later", "parts"), [("09:15:30", 1), ("09:16:30", 2)])
def test_that_overlap_is_transitive_and_allows_a_minute(tmp_path: Path, later: str, parts: int) -> None:
    rates = [10.0 + n % 5 for n in range(60)]
    for machine, start in (("A", "09:00:00"), ("B", "09:00:30"), ("C", later)):
        disk_csv(tmp_path / "lab" / "mcs" / f"{machine}.csv", machine, rates, rates, start=f"05/10/2016 {start}.000")
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    assert len(split(study.runs[0])) == parts
