"""A drift over the order of the runs, a run far from the others of its configuration, and copies that count once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import linregress
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import LARGE, MCS, SMALL, groups, one
from workbench.answers.compare.compute import compare
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.sentences import findings
from workbench.answers.findings.words import Asked
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.measures.significance.run_order import Drift, drifts, order_caveats, order_of, order_problem
from workbench.model.phase import STEADY
from workbench.model.recording import Recording
from workbench.model.run import Configuration
from workbench.words.captions import named

PRIMARY = {STEADY: ("iops_per_vm",)}


def at(configuration: Configuration, n: int, start: float, iops: float) -> RunFigures:
    """A run that starts that many hours after the first."""
    run = one(configuration, n, figures={"iops_per_vm": iops, "total_io": iops * 600})
    shift = 3600 * start
    rows = tuple(
        replace(row, phase=replace(row.phase, start=row.phase.start + shift, end=row.phase.end + shift))
        for row in run.phases
    )
    return replace(run, phases=rows)


def drawn(
    order: Sequence[Configuration], levels: dict[Configuration, float], drift: float, seed: int
) -> tuple[Group, ...]:
    """Runs in this order with 2 % variation of IOPS, rising by `drift` from each to the next."""
    rng = np.random.default_rng(seed)
    values = [levels[each] * (1 + drift) ** place * rng.lognormal(0, 0.02) for place, each in enumerate(order)]
    numbers = [list(order[:place]).count(each) + 1 for place, each in enumerate(order)]
    return groups(
        *(at(each, n, place, value) for place, (each, n, value) in enumerate(zip(order, numbers, values, strict=True)))
    )


BLOCKS = [MCS] * 4 + [SMALL] * 4 + [LARGE] * 4
INTERLEAVED = [MCS, SMALL, LARGE] * 4
LEVELS = {MCS: 100.0, SMALL: 100.0, LARGE: 60.0}


def codes(members: tuple[Group, ...]) -> list[str]:
    return [
        problem.code for problem in compare(members).problems if problem.code in ("compare-drift", "compare-outlying")
    ]


def test_that_a_drift_is_reported_with_its_slope(snapshot: SnapshotAssertion) -> None:
    members = drawn(INTERLEAVED, LEVELS, 0.03, 1)
    (drift,) = drifts(members, PRIMARY)
    assert drift.slope == pytest.approx(np.log(1.03), abs=0.01)
    (problem,) = [problem for problem in compare(members).problems if problem.code == "compare-drift"]
    assert problem.message == snapshot


def test_that_the_slope_equals_a_regression_with_a_level_per_configuration() -> None:
    members = drawn(INTERLEAVED, LEVELS, 0.03, 2)
    (drift,) = drifts(members, PRIMARY)
    rows = [
        (run.phases[0].phase.start, group.label, np.log(run.phases[0].iops_per_vm or 0))
        for group in members
        for run in group.runs
    ]
    rows.sort()
    labels = [label for _, label, _ in rows]
    design = np.array(
        [[place, *(float(label == each) for each in dict.fromkeys(labels))] for place, label in enumerate(labels)]
    )
    expected = np.linalg.lstsq(design, np.array([log for *_, log in rows]), rcond=None)[0][0]
    assert drift.slope == pytest.approx(expected)
    assert linregress(np.arange(12), [log for *_, log in rows]).slope != pytest.approx(expected)


def test_that_runs_without_drift_are_called_drifting_in_at_most_5_percent_of_studies() -> None:
    told = sum(bool(drifts(drawn(BLOCKS, LEVELS, 0.0, seed), PRIMARY)) for seed in range(300))
    assert told / 300 <= 0.09


def strong_of(members: tuple[Group, ...], label: str) -> Finding:
    key = f"study/compare/{STEADY}/{label}/iops_per_vm/MCS"
    return next(finding for finding in findings(Asked("study", members)) if finding.key == key)


def test_that_a_change_that_the_drift_could_cause_is_not_a_strong_finding() -> None:
    # All runs of the baseline first: a drift of 3 % a run makes 17 % between two blocks that do not differ.
    blocks = strong_of(drawn(BLOCKS, LEVELS, 0.04, 3), SMALL.name)
    assert blocks.strength in (Strength.INDICATIVE, Strength.INCONCLUSIVE)
    assert any("Drift from run to run" in caveat for caveat in blocks.caveats)
    apart = strong_of(drawn(BLOCKS, LEVELS | {LARGE: 5.0}, 0.04, 3), LARGE.name)
    # A drift does not explain half of a fall to a twentieth, but runs in blocks prevent a strong finding anyway.
    assert not any("Drift from run to run" in caveat for caveat in apart.caveats)
    assert apart.strength is Strength.INDICATIVE
    turns = strong_of(drawn(INTERLEAVED, LEVELS | {LARGE: 5.0}, 0.04, 3), LARGE.name)
    assert turns.strength is Strength.STRONG


def starting(at_hours: dict[Configuration, tuple[float, ...]]) -> tuple[Group, ...]:
    """Runs that start this many hours after the first; the others differ from MCS by half."""
    levels = {MCS: 100.0, SMALL: 50.0, LARGE: 50.0}
    return groups(
        *(
            at(each, n, start, levels[each] * (1 + 0.01 * n))
            for each, starts in at_hours.items()
            for n, start in enumerate(starts, 1)
        )
    )


@pytest.mark.parametrize(
    ("base", "ours", "expected"),
    [
        ((0, 1, 2), (3, 4, 5), "blocked"),
        ((3, 4, 5), (0, 1, 2), "blocked"),
        ((0, 2, 4), (1, 3, 5), "interleaved"),
        # 8 of 9 pairs; of five runs each 20 of 25 pairs are 80 %, 21 are more.
        ((0, 1, 3), (2, 4, 5), "blocked"),
        ((0, 1, 2, 3, 9), (4, 5, 6, 7, 8), "interleaved"),
        ((4, 5, 6, 7, 8), (0, 1, 2, 3, 9), "interleaved"),
        ((4, 5, 6, 7, 9), (0, 1, 2, 3, 8), "blocked"),
        ((0, 1, 2, 3, 8), (4, 5, 6, 7, 9), "blocked"),
        # Pairs that start at the same moment count half.
        ((0, 1, 2), (0, 1, 2), "interleaved"),
    ],
)
def test_that_sides_alternate_if_20_to_80_percent_of_the_pairs_are_in_either_order(
    base: tuple[float, ...], ours: tuple[float, ...], expected: str
) -> None:
    first, second = starting({MCS: base, SMALL: ours})
    pairs = [(a < b) + (a == b) / 2 for a in base for b in ours]
    share = sum(pairs) / len(pairs)
    assert order_of(first, second) == (expected, pytest.approx(share))
    problem = order_problem(first, second)
    assert (problem is None) == (expected == "interleaved")
    if problem is not None:
        assert f"runs of {named(first.label)} came {'first' if share > 0.5 else 'last'}," in problem.message
    assert (expected == "interleaved") == (0.2 <= share <= 0.8)


def test_that_a_guessed_zone_or_a_test_clock_or_zones_of_some_runs_make_the_order_unknown() -> None:
    first, second = starting({MCS: (0, 2, 4), SMALL: (1, 3, 5)})

    def order(**facts: object) -> str:
        changed = [replace(one, run=replace(one.run, **facts)) for one in second.runs[:1]]  # type: ignore[arg-type]
        return order_of(first, replace(second, runs=(*changed, *second.runs[1:])))[0]

    assert order() == "interleaved"
    assert order(zone_guessed=True) == "unknown"
    relative = Recording((), 2, 0, 60_000_000, None, ("A",), relative=True)
    assert order(recordings=(relative,)) == "unknown"
    # Run 1 of SMALL has a stated date, the day of the first run of the others: the clock of a test has no date.
    assert order(recordings=(relative,), date="2016-05-10T09:00:00Z") == "interleaved"
    clocks = [Recording((), 2, 1_462_870_800_000_000, 1_462_870_900_000_000, zone, ("A",)) for zone in (60, None)]
    assert order(recordings=(clocks[0],)) == "interleaved"
    mixed = [
        replace(side, runs=tuple(replace(one, run=replace(one.run, recordings=(clock,))) for one in side.runs))
        for side, clock in zip((first, second), clocks, strict=True)
    ]
    assert order_of(*mixed) == ("unknown", None)


def test_that_runs_in_blocks_are_indicative_with_one_caveat_and_alternating_runs_are_strong() -> None:
    orders = {
        "blocked": starting({MCS: (0, 1, 2), SMALL: (3, 4, 5)}),
        "interleaved": starting({MCS: (0, 2, 4), SMALL: (1, 3, 5)}),
    }
    first, second = orders["interleaved"]
    guessed = tuple(replace(one, run=replace(one.run, zone_guessed=True)) for one in second.runs)
    orders["unknown"] = (first, replace(second, runs=guessed))
    for expected, members in orders.items():
        comparison = compare(members)
        assert comparison.order_of(SMALL.name) == expected
        told = [problem for problem in comparison.problems if problem.code == "compare-order"]
        assert len(told) == (expected != "interleaved")
        finding = strong_of(members, SMALL.name)
        assert finding.order == expected
        assert finding.strength is (Strength.STRONG if expected == "interleaved" else Strength.INDICATIVE)
        assert [f"{problem.message} Alternate the runs." in finding.caveats for problem in told] == [True] * len(told)


def test_that_a_drift_of_one_metric_weakens_other_metrics_of_its_runs() -> None:
    drift = Drift("boot", "total_io_per_vm", 0.05, 0.001, 6, ((MCS.name, 1.5), (SMALL.name, 3.5)))
    # Two places of 5 % give 10 %, which explains half of a change by 15 %: in both directions for another measure,
    # upwards for the same measure.
    for ratio, own, other in ((1.15, True, True), (0.85, False, True), (0.5, False, False)):
        assert drift.explains(SMALL.name, MCS.name, ratio) is own
        assert drift.explains(SMALL.name, MCS.name, ratio, of_it=False) is other
    members = starting({MCS: (0, 2, 4), SMALL: (1, 3, 5)})
    comparison = compare(members)
    row = comparison.of(SMALL.name, STEADY, "iops_per_vm")
    assert row is not None
    assert not comparison.confounded(row)
    assert replace(comparison, drifts=(replace(drift, slope=0.2),)).confounded(row)


def outlier(value: float) -> tuple[Group, ...]:
    iops = {MCS: (100.0, 102.0, 99.0), SMALL: (50.0, 51.0, 49.5), LARGE: (30.0, 30.4, value)}
    made = [
        at(each, n, n + 10 * place, level) for place, each in enumerate(iops) for n, level in enumerate(iops[each], 1)
    ]
    return groups(*made)


def test_that_a_run_far_from_the_others_of_its_configuration_is_named_and_counted(snapshot: SnapshotAssertion) -> None:
    members = outlier(42.0)
    (problem,) = [problem for problem in compare(members).problems if problem.code == "compare-outlying"]
    assert problem.file == LARGE.name
    assert problem.message == snapshot
    assert compare(members).of(LARGE.name, STEADY, "iops_per_vm").values[-1] == ("MCSIO 1 GB r3", 42.0)  # type: ignore[union-attr]
    assert codes(outlier(30.8)) == []


def test_that_runs_with_random_variation_have_outliers_in_at_most_5_percent_of_studies() -> None:
    told = sum("compare-outlying" in codes(drawn(INTERLEAVED, LEVELS, 0.0, seed)) for seed in range(200))
    assert told / 200 <= 0.09


def test_that_a_copied_run_counts_once_and_is_listed_with_the_reason(snapshot: SnapshotAssertion) -> None:
    twin = at(SMALL, 3, 5, 51.0)
    members = groups(*(at(MCS, n, n, 100.0 + n) for n in (1, 2, 3)), at(SMALL, 1, 5, 51.0), at(SMALL, 2, 6, 52.0), twin)
    small = next(group for group in members if group.label == SMALL.name)
    assert [run.run.name for run in small.runs] == ["MCSIO 256 MB r1", "MCSIO 256 MB r2"]
    found = compare(members)
    (out,) = found.excluded
    assert (out.run, out.reason) == snapshot
    row = found.of(SMALL.name, STEADY, "iops_per_vm")
    assert row is not None
    assert row.change is not None
    assert row.change.n == 2


def test_that_a_run_in_two_configurations_is_reported(snapshot: SnapshotAssertion) -> None:
    found = compare(groups(at(MCS, 1, 5, 51.0), at(SMALL, 1, 5, 51.0), at(LARGE, 1, 6, 51.0)))
    told = [problem.message for problem in found.problems if problem.code == "compare-copies"]
    assert told == snapshot


def test_that_configurations_with_the_same_order_share_a_caveat() -> None:
    other = replace(SMALL, name="MCSIO 1 GB", ram_cache_mb=1024)
    base, small, large = starting({MCS: (0, 1, 2), SMALL: (3, 4, 5), other: (6, 7, 8)})
    end = ", so drift may affect the comparison. Alternate the runs."
    assert order_caveats(base, (small, large)) == (f"All runs of MCS came first{end}",)
    assert order_caveats(small, (base, large)) == (
        f"All runs of 'MCSIO 256 MB' came after those of MCS{end}",
        f"All runs of 'MCSIO 256 MB' came before those of 'MCSIO 1 GB'{end}",
    )
    first, second = starting({MCS: (0, 2, 4), SMALL: (1, 3, 5)})
    assert order_caveats(first, (second,)) == ()


def test_that_the_order_of_single_runs_has_its_own_caveat() -> None:
    base, small = starting({MCS: (0,), SMALL: (1,)})
    assert [caveat.partition(".")[0] for caveat in order_caveats(base, (small,))] == ["Drift may look like a change"]
    base, small = starting({MCS: (0, 1, 2), SMALL: (3,)})
    assert [caveat.split(" ")[3] for caveat in order_caveats(base, (small,))] == ["not"]
