"""The summary: at most five sentences, and a recommendation only if findings support one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.storyboard.samples import change, finding, group, study
from tests.builders import T0, counter, phase, recording, run
from tests.samples import sample
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import NO_CHANGE, Finding, Strength, few_runs
from workbench.answers.sizing.compute import plans
from workbench.answers.storyboard.answer import cost_figure, price_words
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.shown import StudyFindings
from workbench.answers.storyboard.summary import MOST, recommendation, study_findings, summary_of
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.session.state import State


@pytest.fixture(scope="module")
def sweep() -> Library:
    return sample("rds-mcsio-cache-sweep")


def compared(*findings: Finding, runs: int = 3) -> StudyFindings:
    return replace(study(*findings), groups=(group("MCS", runs), group("MCSIO", runs)))


def cut(key: str, ratio: float, strength: Strength = Strength.STRONG, figure: str = "iops_per_vm") -> Finding:
    return finding(key, strength, text=f"{key} of {figure}", change=change(ratio), figure=figure)


def test_that_the_summary_of_the_sample_has_three_findings_and_a_recommendation(
    sweep: Library, snapshot: SnapshotAssertion
) -> None:
    summary = shown_story(sweep, State()).summary
    assert len(summary) == 4
    assert summary[0] == snapshot
    assert summary[-1] == snapshot
    # The finding of the first slide is named with it.
    assert summary[-1].endswith(summary[0])
    assert all(sentence.endswith(".") for sentence in summary)


def test_that_single_runs_give_no_recommendation_and_the_summary_says_what_is_missing(
    snapshot: SnapshotAssertion,
) -> None:
    (advice,) = [s for s in shown_story(sample("windows-7-mcs-and-pvs"), State()).summary if "ecommendation" in s]
    assert advice == snapshot


@pytest.mark.parametrize("strength", [Strength.SINGLE, Strength.INCONCLUSIVE])
def test_that_findings_weaker_than_indicative_give_no_recommendation(strength: Strength) -> None:
    (advice,) = recommendation(compared(cut("a", 0.5, strength)))
    assert not advice.startswith("Recommended")


@pytest.mark.parametrize("name", ["vdi-login-storm", "storage-benchmarks", "windows-11-builds"])
def test_that_the_missing_evidence_for_a_recommendation_never_contradicts_the_title(
    name: str, snapshot: SnapshotAssertion
) -> None:
    assert [recommendation(of) for of in study_findings(sample(name), Choices())] == snapshot


@pytest.mark.parametrize("strength", [Strength.STRONG, Strength.INDICATIVE])
def test_that_the_strongest_improvement_recommends_its_configuration(
    strength: Strength, snapshot: SnapshotAssertion
) -> None:
    assert recommendation(compared(cut("Raised", 1.5, figure="cpu_percent"), cut("Cut", 0.5, strength))) == snapshot


def test_that_a_change_for_the_worse_gives_no_recommendation(snapshot: SnapshotAssertion) -> None:
    (advice,) = recommendation(compared(cut("Raised", 1.5)))
    assert advice == snapshot


def test_that_missing_counters_are_no_reason_if_every_comparison_is_decided() -> None:
    unknown = replace(cut("Cache", 1.0, Strength.INCONCLUSIVE), kind="cache")
    worse, undecided = cut("Raised", 1.5), cut("Open", 1.0, Strength.INCONCLUSIVE)
    decided = recommendation(compared(worse))
    assert recommendation(compared(worse, unknown)) == decided
    assert recommendation(compared(worse, undecided)) != decided
    assert recommendation(compared(unknown)) != decided


def test_that_custom_sentences_come_first_and_five_sentences_are_the_limit() -> None:
    own = [Finding(f"own{at}", f"Mine {at}", "own", Strength.YOURS, own=True) for at in range(4)]
    found = [cut("Cut", 0.5), cut("Raised", 1.5, figure="cpu_percent")]
    summary = summary_of([compared(*own, *found)])
    assert summary[:3] == ("Mine 0.", "Mine 1.", "Mine 2.")
    assert len(summary) == MOST


def test_that_each_of_several_studies_has_a_sentence_and_the_summary_at_most_five(snapshot: SnapshotAssertion) -> None:
    studies = [replace(compared(cut("Cut", 0.5)), name=f"lab {at}") for at in range(7)]
    assert summary_of(studies[:2])[1] == snapshot
    assert len(summary_of(studies)) == MOST
    assert summary_of(studies)[-1] == snapshot


@pytest.fixture(scope="module")
def builds() -> tuple[str, ...]:
    return shown_story(sample("windows-11-builds"), State()).summary


def test_that_builds_of_one_configuration_are_compared(builds: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    assert builds[-1] == snapshot


def test_that_steps_come_before_the_mean_of_logons_in_the_summary(
    builds: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    steps = [sentence for sentence in builds if sentence.startswith("Build 1208")]
    assert ["IOPS" in step for step in steps] == [True, False]
    assert steps[1] == snapshot
    assert builds[0] == steps[0]


def test_that_a_summary_without_a_load_has_no_prices(tmp_path: Path) -> None:
    times = T0 + 10.0 * np.arange(1, 61)

    def priced(quantity: Quantity) -> tuple[bool, bool]:
        log = recording(tmp_path, f"{quantity}.csv", times, [(counter("A", quantity), np.full(60, 20.0))])
        groups = group_runs([run_figures(run(log, stated_phases=(phase("steady", 100, 400),)))])
        made = plans(groups, {}, "steady", False)
        assert made[0].result("disks") is not None
        return bool(price_words(made[0])), cost_figure(made, groups, "", "?") is not None

    assert priced(Quantity.IOPS) == (True, True)
    # The 50 GB of disk for each desktop are not a cost of the tested configuration.
    assert priced(Quantity.CPU) == (False, False)


@pytest.mark.parametrize(
    ("counts", "strength", "words"),
    [
        ((1, 1), Strength.SINGLE, "one run each"),
        ((1, 3), Strength.SINGLE, "1 run vs. 3 runs"),
        ((2, 2), Strength.RANGE, "two runs each"),
        ((2, 3), Strength.RANGE, "2 runs vs. 3 runs"),
        ((3, 3), Strength.INDICATIVE, ""),
    ],
)
def test_that_a_finding_from_few_runs_counts_the_runs_of_both_sides(
    counts: tuple[int, int], strength: Strength, words: str
) -> None:
    found = replace(cut("a", 0.5, strength), change=replace(change(0.5), n=counts[0], n_baseline=counts[1]))
    assert few_runs(found) == words
    assert few_runs(replace(found, change=None, counts=counts)) == words


def test_that_an_odd_vm_in_one_of_several_runs_does_not_count_as_single_runs() -> None:
    assert few_runs(finding("V1", Strength.SINGLE, kind="VM", change=None, baseline="")) == "single run"


def test_that_the_reason_for_no_recommendation_is_the_applicable_one() -> None:
    none = replace(cut("same", 1.0), kind=NO_CHANGE)
    (two,) = recommendation(compared(cut("a", 0.5, Strength.RANGE), runs=2))
    assert two.endswith("have only two runs")
    plan = finding("plan", Strength.INCONCLUSIVE, kind="sizing", change=None)
    (shown,) = recommendation(compared(none, plan))
    (open_,) = recommendation(compared(none, cut("a", 0.9, Strength.INCONCLUSIVE)))
    assert "margin" in shown
    assert "variation" in open_


def test_that_only_one_finding_is_called_the_strongest() -> None:
    (advice,) = recommendation(compared(finding("Disks", kind="sizing", change=None), cut("Cut", 0.5)))
    assert advice.lower().count("strongest finding") == 1
    (alone,) = recommendation(compared(cut("Cut", 0.5)))
    assert alone.lower().count("strongest finding") == 1


def test_that_the_evidence_of_a_finding_is_not_a_second_sentence() -> None:
    lead = cut("IOPS", 0.5)
    evidence = replace(cut("Reads", 0.5, Strength.INDICATIVE), led_by=lead.key)
    assert len(summary_of([compared(lead, evidence)])) == 2
