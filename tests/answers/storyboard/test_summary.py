"""The summary: at most five sentences, and a recommendation only where findings carry one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.answers.storyboard.samples import change, finding, group, study
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.shown import StudyFindings
from workbench.answers.storyboard.summary import MOST, recommendation, summary_of
from workbench.session.state import State


@pytest.fixture(scope="module")
def sweep() -> Library:
    return sample("rds-mcsio-cache-sweep")


def compared(*findings: Finding, runs: int = 3) -> StudyFindings:
    return replace(study(*findings), groups=(group("MCS", runs), group("MCSIO", runs)))


def cut(key: str, ratio: float, strength: Strength = Strength.STRONG, figure: str = "iops_per_vm") -> Finding:
    return finding(key, strength, text=f"{key} of {figure}", change=change(ratio), figure=figure)


def test_that_the_sample_is_summed_up_by_three_findings_and_its_recommendation(sweep: Library) -> None:
    summary = shown_story(sweep, State()).summary
    assert len(summary) == 4
    assert summary[0].startswith("MCSIO 4 GB cuts IOPS per VM in steady state by 93.0")
    assert summary[-1].startswith("Recommended: MCSIO 4 GB, the smallest RAM cache tested that does not overflow")
    # The finding of the first slide is named with it.
    assert summary[-1].endswith(summary[0])
    assert all(sentence.endswith(".") for sentence in summary)


def test_that_single_runs_recommend_nothing_and_say_what_is_missing() -> None:
    (advice,) = [s for s in shown_story(sample("windows-7-mcs-and-pvs"), State()).summary if "ecommend" in s]
    assert advice.startswith("No recommendation: 4 configurations have a single run; three runs")


@pytest.mark.parametrize("strength", [Strength.SINGLE, Strength.INCONCLUSIVE])
def test_that_what_is_weaker_than_indicative_recommends_nothing(strength: Strength) -> None:
    (advice,) = recommendation(compared(cut("a", 0.5, strength)))
    assert advice.startswith("No recommendation: ")


@pytest.mark.parametrize("strength", [Strength.STRONG, Strength.INDICATIVE])
def test_that_the_strongest_improvement_recommends_its_configuration(strength: Strength) -> None:
    assert recommendation(compared(cut("Raised", 1.5, figure="cpu_percent"), cut("Cut", 0.5, strength))) == (
        "Recommended: MCSIO, by the strongest finding: Cut of iops_per_vm",
        "Against it: Raised of cpu_percent",
    )


def test_that_a_change_for_the_worse_recommends_nothing() -> None:
    (advice,) = recommendation(compared(cut("Raised", 1.5)))
    assert advice == "No recommendation: no configuration is better than the baseline by more than the margin"


def test_that_the_users_own_sentences_come_first_and_five_is_the_end() -> None:
    own = [Finding(f"own{at}", f"Mine {at}", "own", Strength.YOURS, own=True) for at in range(4)]
    found = [cut("Cut", 0.5), cut("Raised", 1.5, figure="cpu_percent")]
    summary = summary_of([compared(*own, *found)])
    assert summary[:3] == ("Mine 0.", "Mine 1.", "Mine 2.")
    assert len(summary) == MOST


def test_that_several_studies_have_a_sentence_each_and_never_more_than_five() -> None:
    studies = [replace(compared(cut("Cut", 0.5)), name=f"lab {at}") for at in range(7)]
    assert summary_of(studies[:2])[1].startswith("lab 1: Recommended: MCSIO, by the strongest finding")
    assert len(summary_of(studies)) == MOST
    assert summary_of(studies)[-1] == "3 more studies: see their slides."


@pytest.fixture(scope="module")
def builds() -> tuple[str, ...]:
    return shown_story(sample("windows-11-builds"), State()).summary


def test_that_builds_of_one_configuration_are_compared(builds: tuple[str, ...]) -> None:
    assert builds[-1] == (
        "MCS gold image is the only configuration: its builds are compared, and no configuration is recommended."
    )


def test_that_every_step_stands_in_the_summary_before_the_mean_of_the_logons(builds: tuple[str, ...]) -> None:
    steps = [sentence for sentence in builds if sentence.startswith("Build 1208")]
    assert ["IOPS" in step for step in steps] == [True, False]
    assert "total I/O per VM in logon" in steps[1]
    assert builds[0] == steps[0]
