"""A folder that mixes hosts or days is split into runs; each thing in it goes to the nearer part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders import disk_csv
from workbench.console.loading import load_studies
from workbench.model.event import Event, EventKind
from workbench.model.run import Run
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
def test_that_parts_are_named_by_what_tells_them_apart(
    tmp_path: Path, captures: list[tuple[str, str]], names: list[str]
) -> None:
    run = run_of(tmp_path, *captures)
    parts = split(run)
    assert [part.name for part in parts] == names
    assert len({part.folder for part in parts}) == len(parts)
    assert sum(len(part.recordings) for part in parts) == len(captures)
    assert [part.split_from for part in parts] == [run.folder] * len(parts)


def test_that_events_go_to_the_nearer_part_and_each_counts_its_own_machines(tmp_path: Path) -> None:
    run = run_of(tmp_path, ("A", "05/10/2016 09:00"), ("B", "05/10/2016 09:00"), ("C", "05/10/2016 12:00"))
    # The first part ends at 08:14:45, the other starts at 11:00: halfway is 09:37:22.5.
    moments = [T0 - HOUR, T0 + 0.5 * HOUR, T0 + 1.62 * HOUR, T0 + 1.63 * HOUR, T0 + 5 * HOUR]
    first, later = split(replace(run, events=tuple(Event(at, EventKind.MARKER) for at in moments)))
    assert [event.at for event in first.events] == moments[:3]
    assert [event.at for event in later.events] == moments[3:]
    assert [(part.vms, part.users) for part in (first, later)] == [(2, 2), (1, 1)]
    assert [guess.value for guess in later.guesses if guess.field == "vms"] == ["1"]


def test_that_a_reason_of_the_tester_keeps_every_part_out_and_the_folders_own_none(tmp_path: Path) -> None:
    run = run_of(tmp_path, ("A", "05/10/2016 09:00"), ("A", "05/11/2016 09:00"))
    assert run.excluded
    assert [part.excluded for part in split(run)] == [None, None]
    assert [part.excluded for part in split(replace(run, excluded="fan broke"))] == ["fan broke"] * 2


def test_that_one_run_stays_as_it_is(tmp_path: Path) -> None:
    run = run_of(tmp_path, ("A", "05/10/2016 09:00"), ("B", "05/10/2016 09:05"))
    assert split(run) == (run,)
