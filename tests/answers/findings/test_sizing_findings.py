"""Findings on disks: a difference only if the interval of the ratio from run to run excludes 1."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.builders import phase
from tests.tools.simulations.sizing import made
from workbench.answers.findings.compute import Finding, Strength, ranked
from workbench.answers.findings.rules.compare import compare_findings
from workbench.answers.findings.rules.sizing import _ratio_interval, sizing_findings
from workbench.answers.findings.words import Asked
from workbench.answers.sizing.compute import plan
from workbench.charts.claim import BarClaim
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import PhaseFigures
from workbench.words.captions import named
from workbench.words.numbers import signed


def findings(loads: list[list[float]]) -> tuple[list[Finding], tuple[Finding, ...]]:
    asked = Asked("study", made(np.array(loads)))
    sized = [*sizing_findings(asked)]
    return sized, ranked([*sized, *compare_findings(asked, asked.comparison)])


def claims(finding: Finding) -> bool:
    return re.search(r"(fewer|more) (disks )?than", finding.text) is not None


SCATTERED = [[20.0, 24.0, 17.0], [16.0, 22.0, 19.0], [21.0, 15.0, 20.0]]


def test_that_configurations_with_overlapping_disk_counts_need_about_the_same_and_never_come_first() -> None:
    sized, every = findings(SCATTERED)
    assert len(sized) == 2
    assert not any(map(claims, sized))
    assert {finding.strength for finding in sized} == {Strength.INCONCLUSIVE}
    assert [finding.relevance for finding in sized] == [0, 0]
    assert every[0].kind != "sizing"


def test_that_half_of_the_load_needs_fewer_disks() -> None:
    sized, _ = findings([[20.0, 20.6, 19.5], [10.0, 10.3, 9.8], [20.1, 20.2, 19.8]])
    assert [claims(finding) for finding in sized] == [True, False]
    assert sized[0].strength is Strength.INDICATIVE
    assert sized[0].relevance > 0


def test_that_the_chart_has_the_disks_of_each_configuration_and_only_significant_differences() -> None:
    loads = [[20.0, 20.6, 19.5], [10.0, 10.3, 9.8], [20.1, 20.2, 19.8]]
    (fewer, same), _ = findings(loads)
    planned = [plan(group, {}, summed=False).result("disks") for group in made(np.array(loads))]
    for finding, place, change in ((fewer, 1, signed((planned[1] or 0) - (planned[0] or 0), 0)), (same, 2, "")):
        assert isinstance(finding.claim, BarClaim)
        assert [bar.value for bar in finding.claim.bars] == planned
        assert (finding.claim.claimed, finding.claim.baseline) == (place, 0)
        assert finding.claim.change.partition(" ")[0] == change


def test_that_a_plan_for_an_unchanged_load_has_no_relevance() -> None:
    alike, less = [20.0, 20.01, 20.02, 19.99, 19.98], [19.4, 19.41, 19.42, 19.39, 19.38]
    (sized, _), every = findings([alike, less, alike])
    assert not claims(sized)
    assert (sized.strength, sized.relevance) == (Strength.INCONCLUSIVE, 0)
    assert every[0].kind != "sizing"


@pytest.mark.parametrize("runs", [1, 2])
def test_that_one_or_two_runs_show_values_without_a_difference(runs: int) -> None:
    sized, _ = findings([[20.0, 20.6][:runs], [10.0, 10.3][:runs], [15.0, 15.2][:runs]])
    assert len(sized) == 2
    assert not any(map(claims, sized))
    assert {finding.strength for finding in sized} == {Strength.SINGLE if runs == 1 else Strength.RANGE}
    assert [finding.relevance for finding in sized] == [0, 0]


def test_that_a_single_run_on_one_side_states_the_runs_of_the_other() -> None:
    loads = np.array([[20.0, 20.6, 19.5], [10.0], [20.1, 20.2]], dtype=object)
    single, two = sizing_findings(Asked("study", made(loads)))
    assert (single.strength, single.relevance) == (Strength.SINGLE, 0)
    assert "1 run vs. 3 runs" in single.text
    assert "2 runs vs. 3 runs" in two.text


@pytest.mark.parametrize("side", [0, 1])
def test_that_a_storm_missing_on_one_side_removes_the_difference_in_disks(side: int) -> None:
    """A boot storm decides the plan of one side, and the other side has no boot: half of the load proves no saving."""
    members = made(np.array([[20.0, 20.6, 19.5], [10.0, 10.3, 9.8], [20.1, 20.2, 19.8]]))[:2]
    boot = PhaseFigures(phase("boot", -900, -60), total_io_per_vm=1e6, read_percent=30.0)
    runs = [
        replace(run, phases=(boot, *run.phases)) if place == side else run
        for place, group in enumerate(members)
        for run in group.runs
    ]
    (sized,) = sizing_findings(Asked("study", group_runs(runs)))
    assert not claims(sized)
    assert (sized.strength, sized.relevance) == (Strength.INCONCLUSIVE, 0)
    name = named(members[1 - side].label)
    assert sized.caveats[0] == f"Boot with {name} may need more disks, but was not measured. Measure this phase."


def test_that_one_vm_per_run_is_a_caveat_of_the_plan() -> None:
    members = made(np.array([[20.0, 20.6, 19.5], [10.0, 10.3, 9.8], [20.1, 20.2, 19.8]]))[:2]
    runs = [replace(figures, run=replace(figures.run, vms=1)) for group in members for figures in group.runs]
    (sized,) = sizing_findings(Asked("study", group_runs(runs)))
    assert any("measured on one VM" in caveat for caveat in sized.caveats)
    (several,) = sizing_findings(Asked("study", members))
    assert not any("measured on one VM" in caveat for caveat in several.caveats)


def test_that_a_plan_has_the_caveats_of_its_deciding_load() -> None:
    members = made(np.array([[20.0, 20.6, 19.5], [10.0, 10.3, 9.8], [20.1, 20.2, 19.8]]))[:2]
    detected = replace(phase("steady", 0, 900), evidence="activity")
    runs = [replace(run, phases=(replace(run.phases[0], phase=detected),)) for group in members for run in group.runs]
    (sized,) = sizing_findings(Asked("study", group_runs(runs)))
    assert any("detected from activity" in caveat for caveat in sized.caveats)


def test_that_a_plan_from_one_run_ranks_after_measured_effects_of_several_runs() -> None:
    loads = np.array([[20.0, 20.01, 19.99], [10.0], [20.0, 20.01, 20.02]], dtype=object)
    asked = Asked("study", made(loads))
    every = ranked([*sizing_findings(asked), *compare_findings(asked, asked.comparison)])
    kinds = [(one.kind, one.strength) for one in every]
    assert kinds.index(("sizing", Strength.SINGLE)) > kinds.index(("no change", Strength.STRONG))


@pytest.mark.parametrize(("runs", "said"), [(1, " each need "), (2, " is inconclusive")])
def test_that_equal_disks_from_one_or_two_runs_show_no_difference(runs: int, said: str) -> None:
    sized, _ = findings([[20.0, 20.1][:runs], [20.0, 20.1][:runs], [40.0, 40.1][:runs]])
    assert [said in finding.text for finding in sized] == [True, False]


def test_that_the_interval_is_welchs_on_the_disks_that_each_run_needs() -> None:
    base, first, _ = made(np.array([[20.0, 24.0, 17.0], [10.0, 12.0, 11.5], [21.0, 15.0, 20.0]]))
    plans = [plan(group, {}, "steady", False) for group in (base, first)]
    logs = [np.log(one.step("disks").by_run) for one in plans]
    assert [one.size for one in logs] == [3, 3]
    expected = stats.ttest_ind(logs[1], logs[0], equal_var=False).confidence_interval(0.975)
    assert _ratio_interval(plans[0], plans[1], 2) == pytest.approx((np.exp(expected.low), np.exp(expected.high)))
