"""The limits of detection: wrong cells, bursts, the end of work, samples after the phases."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, event, phase, recording, run, samples
from workbench.model.metric import Quantity
from workbench.model.session import EventKind
from workbench.phases.activity import detect, detected
from workbench.phases.integral import cuts, inside
from workbench.phases.rules import phases_of
from workbench.phases.steps import MOST, without_wild
from workbench.study.series.vm_series import BySeries, Samples

SIZE = 200


def rates(level: float, **cells: float) -> Samples:
    """A sample every 10 s at this level; `at7=90` puts 90 at place 7."""
    values = np.full(SIZE, level)
    for name, value in cells.items():
        values[int(name.removeprefix("at"))] = value
    return samples((10.0 * np.arange(1, SIZE + 1)).tolist(), values.tolist())


def wild_places(by_vm: BySeries) -> dict[str, list[int]]:
    kept, _ = without_wild(run(), by_vm)
    return {vm: np.flatnonzero(np.isnan(kept[vm].values)).tolist() for vm in by_vm}


@pytest.mark.parametrize(
    ("cells", "places"),
    [
        # More than ten times 95 % of all samples and its neighbours, which are 5.
        ({"at50": 51.0}, [50]),
        ({"at50": 50.0}, []),
        ({"at0": 51.0, "at199": 52.0}, [0, 199]),
        # A neighbour of 6 on either side.
        ({"at50": 60.0, "at49": 6.0}, []),
        ({"at50": 60.0, "at51": 6.0}, []),
        ({"at50": 61.0, "at51": 6.0}, [50]),
        ({"at50": 900.0, "at51": 900.0}, []),
        ({"at50": 900.0, "at52": 900.0}, [50, 52]),
        # A missing sample does not count as a neighbour, and stays missing.
        ({"at50": 900.0, "at51": math.nan}, [50, 51]),
    ],
)
def test_that_a_wrong_cell_is_more_than_ten_times_its_neighbours(cells: dict[str, float], places: list[int]) -> None:
    assert wild_places({"A": rates(5.0, **cells)}) == {"A": places}


def test_that_a_wrong_cell_is_more_than_ten_times_the_mean_of_the_others() -> None:
    cell = rates(5.0, at50=100.0)
    assert wild_places({"A": cell, "B": rates(5.0, at50=9.0), "C": rates(5.0, at50=10.0)})["A"] == [50]
    assert wild_places({"A": cell, "B": rates(5.0, at50=10.0), "C": rates(5.0, at50=10.0)})["A"] == []
    assert wild_places({"A": cell, "B": rates(5.0, at50=math.nan)})["A"] == [50]


def test_that_more_than_fifty_high_cells_are_not_wrong_cells() -> None:
    few, many = ({f"at{3 * place}": 900.0 for place in range(count)} for count in (MOST, MOST + 1))
    calm = {name: rates(5.0) for name in "BCDEFGH"}
    assert len(wild_places({"A": rates(5.0, **few), **calm})["A"]) == 50
    assert wild_places({"A": rates(5.0, **many), **calm})["A"] == []


def test_that_high_cells_are_wrong_only_if_95_percent_of_all_samples_are_low() -> None:
    """Of 200 samples ten are five percent; the eleventh is the 95th percentile itself."""
    few, more = ({f"at{3 * place}": 900.0 for place in range(count)} for count in (10, 11))
    assert len(wild_places({"A": rates(5.0, **few)})["A"]) == 10
    assert wild_places({"A": rates(5.0, **more)})["A"] == []


def test_that_the_highest_wrong_cell_is_reported_and_others_are_counted(snapshot: SnapshotAssertion) -> None:
    _, problems = without_wild(run(), {"A": rates(5.0, at50=300.0, at80=400.0), "B": rates(5.0)})
    (problem,) = problems
    assert problem.message == snapshot
    (single,) = without_wild(run(), {"A": rates(5.0, at50=300.0)})[1]
    assert single.message == snapshot
    assert without_wild(run(), {}) == ({}, [])


def test_that_samples_count_with_their_part_within_a_phase() -> None:
    """Both ways to the figures: machine by machine, and the machines of a file together."""
    first = samples([10, 20, 30, 40, 50], [1, 2, 3, 4, 5])
    second = Samples(first.end, first.span, np.array([6.0, 7, math.nan, 9, 10]), first.vantage, "", ())
    (cut,) = cuts({"A": first, "B": second}, phase("p", 15, 34))
    # 10 to 20 is in it for its half, 30 to 40 for 4 of 10 seconds.
    assert cut.within.tolist() == [[True, True, False]]
    assert cut.seconds[0] == pytest.approx([5, 10, 4])
    assert (cut.first.tolist(), cut.span.tolist()) == ([1, 1], [[10, 10, 10]])
    assert cut.pooled()[0][0].tolist() == inside(first, phase("p", 15, 34)).tolist() == [2, 3]
    assert inside(second, phase("p", 15, 34)).tolist() == [7]
    (narrow,) = cuts({"A": first}, phase("p", 15.1, 35))
    assert narrow.within.tolist() == [[False, True, True]]
    assert inside(first, phase("p", 15.1, 35)).tolist() == [3, 4]


def study(
    folder: Path, *levels: tuple[int, float], reads: float = 0.5, step: float = 5.0
) -> list[tuple[str, float, float]]:
    """The phases of one VM with that many samples at each level, in seconds since T0."""
    level = np.concatenate([np.full(count, rate) for count, rate in levels])
    times = T0 + step * np.arange(1, level.size + 1)
    columns = [
        (counter("A", Quantity.READ_IOPS), level * reads),
        (counter("A", Quantity.WRITE_IOPS), level * (1 - reads)),
    ]
    found = detect(run(recording(folder, "a.csv", times, columns)))
    return [(each.name, round(each.start - T0), round(each.end - T0)) for each in found]


@pytest.mark.parametrize(("reads", "name"), [(0.59, "logon"), (0.61, "boot"), (1.0, "boot")])
def test_that_a_single_burst_is_boot_from_a_read_share_of_three_fifths(tmp_path: Path, reads: float, name: str) -> None:
    assert study(tmp_path, (20, 2), (40, 200), (200, 2), reads=reads)[0] == (name, 100, 300)


@pytest.mark.parametrize(("rest", "end"), [(1.0, 1000), (0.9, 1000), (1.1, 1300)])
def test_that_work_ends_when_the_rate_falls_to_a_tenth_of_its_median(tmp_path: Path, rest: float, end: float) -> None:
    found = study(tmp_path, (60, 200), (140, 10), (60, rest))
    assert found[-1] == ("steady", 300, end)


def test_that_two_busy_samples_after_a_pause_are_work_and_one_is_not(tmp_path: Path) -> None:
    common = ((60, 200), (140, 10), (40, 0))
    assert study(tmp_path / "one", *common, (1, 9), (20, 0))[-1][2] == 1000
    assert study(tmp_path / "two", *common, (2, 9), (20, 0))[-1][2] == 1210
    # Within a minute of the work before, one is work as well.
    assert study(tmp_path / "near", (60, 200), (140, 10), (12, 0), (1, 9), (20, 0))[-1][2] == 1065


def test_that_machines_without_intervals_show_no_activity(tmp_path: Path) -> None:
    one = recording(tmp_path, "a.csv", [T0], [(counter("A", Quantity.IOPS), [5.0])])
    assert detected(run(one)) == ([], [])


@pytest.mark.parametrize(("last", "missed"), [(900.0, False), (901.0, True)])
def test_that_ten_minutes_after_the_last_phase_are_not_reported(tmp_path: Path, last: float, missed: bool) -> None:
    columns = [(counter("A", Quantity.IOPS), [1.0, 1.0, 1.0])]
    one = run(recording(tmp_path, "a.csv", [T0, T0 + 450, T0 + last], columns), stated_phases=(phase("boot", 0, 300),))
    assert [problem.code for problem in phases_of(one)[1]] == ["phase-missing"] * missed


@pytest.mark.parametrize(
    ("stated", "words"),
    [(("boot",), "logon and steady state"), (("boot", "logon"), "steady state"), (("logon",), "steady state")],
)
def test_that_only_missing_phases_are_reported_as_missing(tmp_path: Path, stated: tuple[str, ...], words: str) -> None:
    columns = [(counter("A", Quantity.IOPS), np.full(300, 5.0))]
    one = recording(tmp_path, "a.csv", T0 + 15.0 * np.arange(1, 301), columns)
    phases = tuple(phase(name, 300 * place, 300 * place + 300) for place, name in enumerate(stated))
    problems = phases_of(run(one, stated_phases=phases))[1]
    assert [problem.message.partition(",")[0] for problem in problems] == [f"No event shows the start of {words}"]
    steady = (*phases, phase("steady", 900, 1200))
    assert phases_of(run(one, stated_phases=steady))[1] == ()


def test_that_the_first_logoff_with_or_without_a_name_ends_steady_state() -> None:
    logon = (event(EventKind.LOGON_START, 0, "A", "u"), event(EventKind.LOGON_END, 20, "A", "u"))
    ends = (event(EventKind.LOGOFF, 900), event(EventKind.LOGOFF, 800, "A", "u"), event(EventKind.RUN_END, 2000))
    steady = phases_of(run(events=(*logon, *ends)))[0][-1]
    assert (steady.name, steady.start - T0, steady.end - T0) == ("steady", 20, 800)
    assert steady.rule.endswith("first logoff")
    run_ends = (event(EventKind.RUN_END, 2000), event(EventKind.RUN_END, 1900))
    without = phases_of(run(events=(*logon, *run_ends)))[0][-1]
    assert (without.end - T0, without.rule.endswith("'run_end'")) == (1900, True)
