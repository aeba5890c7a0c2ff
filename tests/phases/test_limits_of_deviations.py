"""The limits of a deviation: each limit of `deviations` on both of its sides, and its report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.problem import Severity
from workbench.phases.clock import clock, minutes
from workbench.phases.deviations import (
    Deviation,
    Edges,
    boot_edges,
    deviation_problems,
    doubt_of,
    logon_edges,
    overlap_problems,
    steady_end,
    tolerated,
)
from workbench.phases.stays import Stay

UNNAMED: tuple[list[float], list[float]] = ([], [])


def stays(ends: Sequence[float | None], starts: Sequence[float] | None = None) -> list[Stay]:
    """One VM or session for each end; all begin at 0 if no starts are given."""
    begun = starts or [0.0] * len(ends)
    return [Stay(f"m{place}", start, end) for place, (start, end) in enumerate(zip(begun, ends, strict=True))]


def leaving(offs: Sequence[float | None]) -> list[Stay]:
    """Sessions that log on at 0 and log off at these times."""
    return [Stay(f"m{place}", 0.0, 10.0, over=off, gone=off) for place, off in enumerate(offs)]


def named(edges: Edges) -> list[str]:
    return [deviation.stay.name for deviation in edges.deviations]


@pytest.mark.parametrize(
    ("count", "most"), [(1, 1), (20, 1), (39, 1), (40, 2), (59, 2), (60, 3), (100, 5), (119, 5), (1000, 50)]
)
def test_that_five_percent_and_at_least_one_may_deviate(count: int, most: int) -> None:
    assert tolerated(count) == most


@pytest.mark.parametrize(
    ("ends", "straggles"),
    [
        # 300 seconds longer, not less.
        ([98, 99, 100, 400], True),
        ([98, 99, 100, 399], False),
        # More than three times as long.
        ([198, 199, 200, 601], True),
        ([198, 199, 200, 600], False),
        # A step of more than four times the largest one between the others.
        ([10, 110, 120, 521], True),
        ([10, 110, 120, 520], False),
        # Four of them or more.
        ([99, 100, 9000], False),
    ],
)
def test_that_a_straggler_is_defined_by_length_and_step(ends: list[float], straggles: bool) -> None:
    edges = boot_edges(stays(ends), *UNNAMED)
    assert named(edges) == [f"m{len(ends) - 1}"] * straggles
    assert (edges.start, edges.end) == (0.0, ends[-2] if straggles else ends[-1])
    assert not edges.doubtful


def test_that_a_start_long_before_the_others_is_reported_with_its_time(snapshot: SnapshotAssertion) -> None:
    edges = logon_edges(stays([1010, 5, 1012, 1013], [1000, 0, 1001, 1002]), *UNNAMED)
    assert [(each.kind, each.at) for each in edges.deviations] == [("session-straggler", 0)]
    (problem,) = deviation_problems(run(), "logon", edges)
    assert problem.message == snapshot
    assert (edges.start, edges.end, edges.of) == (1000, 1013, 4)


def test_that_a_late_end_is_reported_with_its_time(snapshot: SnapshotAssertion) -> None:
    edges = boot_edges(stays([100, 2000, 101, 102]), *UNNAMED)
    assert [(each.kind, each.at) for each in edges.deviations] == [("vm-straggler", 2000)]
    (problem,) = deviation_problems(run(), "boot", edges)
    assert problem.message == snapshot


def test_that_two_stragglers_of_forty_are_excluded_and_none_of_thirty_nine() -> None:
    ends: list[float | None] = [100 + place / 10 for place in range(38)]
    both = boot_edges(stays([*ends, 1000, 1001]), *UNNAMED)
    assert named(both) == ["m38", "m39"]
    assert both.end == pytest.approx(103.7)
    assert boot_edges(stays([*ends[1:], 1000, 1001]), *UNNAMED).end == 1001


def test_that_a_restarted_vm_counts_toward_the_tolerated_stragglers() -> None:
    every = stays([100, 101, 102, 103, 2000])
    assert boot_edges(every, *UNNAMED).end == 103
    every[0] = Stay("m0", 0.0, 100.0, again=500.0, later=600.0)
    edges = boot_edges(every, *UNNAMED)
    assert (edges.end, named(edges), edges.doubtful) == (2000, ["m0"], False)


def test_that_a_missing_registration_counts_only_if_other_vms_register() -> None:
    assert named(boot_edges(stays([100, None, 101]), *UNNAMED)) == ["m1"]
    nobody = boot_edges(stays([None, None]), [], [50.0])
    assert (named(nobody), nobody.start, nobody.end) == ([], 0, 50)
    later = [*stays([100, 101]), Stay("m2", 0.0, None, again=50.0, later=400.0)]
    assert [each.kind for each in boot_edges(later, *UNNAMED).deviations] == ["vm-restart"]


def test_that_a_doubtful_boot_ends_with_the_restarted_vms_and_a_certain_one_without() -> None:
    again = [Stay(f"r{place}", 0.0, None, again=50.0, later=400.0 + place) for place in range(2)]
    one, two = (boot_edges([*stays([100, 101, 102]), *again[:count]], *UNNAMED) for count in (1, 2))
    assert (one.end, one.doubtful) == (102, False)
    assert (two.end, two.doubtful) == (401, True)


def test_that_a_second_registration_is_reported_and_never_makes_boot_doubtful() -> None:
    every = [Stay(f"m{place}", 0.0, 100.0 + place, repeated=900.0) for place in range(6)]
    edges = boot_edges(every, *UNNAMED)
    assert ({each.kind for each in edges.deviations}, edges.doubtful, edges.end) == ({"vm-registers-again"}, False, 105)
    restarted = Stay("m0", 0.0, 100.0, again=500.0, later=600.0, repeated=200.0)
    assert [each.kind for each in boot_edges([restarted], *UNNAMED).deviations] == ["vm-restart"]


def test_that_events_without_a_name_extend_a_phase() -> None:
    edges = boot_edges(stays([100, 101]), [-20.0, 30.0], [150.0, 40.0])
    assert (edges.start, edges.end) == (-20, 150)
    assert (boot_edges([], *UNNAMED).start, boot_edges([], *UNNAMED).end) == (None, None)


@pytest.mark.parametrize(
    ("calm", "first", "others", "step", "early"),
    [
        # By more than 60 seconds ...
        (500, 999, 1060, 1, True),
        (500, 1000, 1060, 1, False),
        # ... by more than a tenth of the steady state that the others leave ...
        (0, 1799, 2000, 1, True),
        (0, 1800, 2000, 1, False),
        # ... by more than three times the usual step between two log-offs ...
        (4500, 4699, 5000, 100, True),
        (4500, 4700, 5000, 100, False),
        # ... or before the end of the logon phase, or at its end.
        (100, 99, 110, 1, True),
        (100, 100, 110, 1, True),
        (100, 101, 110, 1, False),
        # All log off before the logon phase ends: no logoff is early.
        (200, 99, 110, 1, False),
    ],
)
def test_that_a_logoff_is_early_by_each_limit(
    calm: float, first: float, others: float, step: float, early: bool
) -> None:
    edges = steady_end(leaving([first, *(others + step * place for place in range(10))]), calm, None)
    assert [(each.stay.name, each.at) for each in edges.deviations] == [("m0", first)] * early
    assert (edges.start, edges.end, edges.of) == (calm, others if early else first, 11)
    assert not edges.doubtful


def test_that_at_most_half_of_the_logoffs_are_early() -> None:
    assert steady_end(leaving([1000, 5000]), 100, None).end == 5000
    assert steady_end(leaving([1000, 1001, 5000]), 100, None).end == 1000


def test_that_sessions_without_a_logoff_last_until_the_run_ends() -> None:
    one_left = steady_end(leaving([1000, None, None]), 100, 4000)
    assert (named(one_left), one_left.end) == (["m0"], None)
    # Five of twenty: the record of the logoffs is not complete, and none of them is early.
    some_left = steady_end(leaving([1000] * 5 + [None] * 15), 100, 4000)
    assert (named(some_left), some_left.end, some_left.doubtful) == ([], 1000, False)
    # Without an end of the run a lone logoff cannot be compared.
    assert steady_end(leaving([1000, None, None]), 100, None).end == 1000
    assert steady_end(leaving([None]), 100, None).end is None


def test_that_five_of_twenty_early_logoffs_make_steady_state_doubtful_and_end_it() -> None:
    edges = steady_end(leaving([1000] * 5 + [4000] * 15), 100, None)
    assert (len(edges.deviations), edges.end, edges.doubtful) == (5, 1000, True)


def test_that_a_returning_session_ends_with_its_last_logoff() -> None:
    back = Stay("back", 0.0, 10.0, again=600.0, later=620.0, over=500.0, gone=4005.0)
    edges = steady_end([back, *leaving([4000, 4001, 4002])], 100, None)
    assert (edges.end, named(edges)) == (4000, [])
    first = Stay("back", 0.0, 10.0, again=600.0, later=620.0, over=500.0, gone=3990.0)
    assert steady_end([first, *leaving([4000, 4001, 4002])], 100, None).end == 3990
    # One that does not log off again stays to the end.
    still = Stay("still", 0.0, 10.0, again=600.0, later=620.0, over=500.0, gone=500.0)
    edges = steady_end([still, *leaving([4000, 4001])], 100, None)
    assert (edges.end, named(edges)) == (4000, [])
    # If more sessions than tolerated return, each counts with its first logoff, and the phase is doubtful.
    many = [Stay(f"b{place}", 0.0, 10.0, 600.0, 620.0, over=500.0, gone=4005.0) for place in range(2)]
    doubtful = steady_end([*many, *leaving([4000, 4001])], 100, None)
    assert (doubtful.end, doubtful.doubtful) == (500, True)


def problems_of(count: int, edges_of: int = 100, doubtful: bool = False, later: float = 0.0) -> list[str]:
    every = tuple(Deviation("vm-restart", Stay(f"m{n}", 0.0, 1.0), "restarted", T0 + later * n) for n in range(count))
    return [
        f"{problem.message} → {problem.action}"
        for problem in deviation_problems(run(), "boot", Edges(0, 1, every, edges_of, doubtful))
    ]


def test_that_three_names_are_listed_and_others_counted(snapshot: SnapshotAssertion) -> None:
    (three,), (four,) = problems_of(3), problems_of(4)
    assert three == snapshot
    assert "m2" in three
    assert "more" not in three
    assert four == snapshot
    assert "m2" not in four
    assert problems_of(0) == []


def test_that_vms_which_deviate_at_different_times_are_listed_with_the_first_and_the_last_time(
    snapshot: SnapshotAssertion,
) -> None:
    (two,), (seven,) = problems_of(2, later=60.0), problems_of(7, later=60.0)
    assert two == snapshot
    assert "between 2016-05-10 08:00:00 and 08:01:00 (UTC): m0 and m1" in two
    assert seven == snapshot
    assert "between 2016-05-10 08:00:00 and 08:06:00 (UTC): m0, m1 and 5 more" in seven


def test_that_the_action_states_whether_the_phase_is_doubtful(snapshot: SnapshotAssertion) -> None:
    assert problems_of(1)[0] == snapshot
    assert problems_of(1, doubtful=True)[0] == snapshot
    twice = Deviation("vm-registers-again", Stay("m0", 0.0, 1.0), "registered again", None)
    (only,) = deviation_problems(run(), "boot", Edges(0, 1, (twice,), 1, True))
    assert only.message == snapshot
    assert only.action == snapshot


def test_that_a_doubtful_phase_counts_each_vm_once(snapshot: SnapshotAssertion) -> None:
    one, two = (Stay(name, 0.0, 1.0) for name in ("a", "b"))
    every = (
        Deviation("x", one, "restarted", 1.0),
        Deviation("y", one, "never registered", 1.0),
        Deviation("x", two, "restarted", 2.0),
    )
    assert doubt_of("logon", Edges(0, 1, every, 9, True)) == snapshot
    assert doubt_of("logon", Edges(0, 1, every, 9, False)) == ""


@pytest.mark.parametrize(("shared", "severities"), [(0.999, []), (1.0, [Severity.WARNING])])
def test_that_phases_overlap_from_one_second(shared: float, severities: list[Severity]) -> None:
    phases = [Phase("logon", 100 - shared, 200, ""), Phase("boot", 0, 100, "")]
    assert [problem.severity for problem in overlap_problems(run(), phases)] == severities


def test_that_every_pair_of_phases_is_checked() -> None:
    phases = [phase("boot", 0, 100), phase("logon", 100, 200), phase("steady", 150, 400), phase("scan", 390, 420)]
    told = [problem.message.partition(" overlap")[0] for problem in overlap_problems(run(), phases)]
    assert told == ["Phases 'logon' and 'steady state'", "Phases 'steady state' and 'scan'"]


def test_that_a_nested_phase_overlaps_for_its_length(snapshot: SnapshotAssertion) -> None:
    (problem,) = overlap_problems(run(), [phase("steady", 0, 700), phase("scan", 100, 142)])
    assert problem.severity is Severity.INFO
    assert problem.message == snapshot


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (42.4, "42 s"), (99.4, "99 s"), (99.6, "1:40 min"), (360, "6:00 min"), (3661, "61:01 min")],
)
def test_that_durations_are_in_minutes_from_100_seconds(seconds: float, words: str) -> None:
    assert minutes(seconds) == words


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (None, "2016-05-10 08:00:00 (UTC)"),
        (0, "2016-05-10 08:00:00 (UTC)"),
        (60, "2016-05-10 09:00:00 (UTC+01:00)"),
        (-210, "2016-05-10 04:30:00 (UTC-03:30)"),
    ],
)
def test_that_times_are_on_the_clock_of_the_files(tmp_path: Path, offset: int | None, words: str) -> None:
    file = recording(tmp_path, "a.csv", [T0, T0 + 1], [(counter("A", Quantity.IOPS), [1, 2])], offset)
    assert clock(run(file), T0) == words
