"""A configuration has one figure: the sentence, its chart and the card next to it print the same one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.answers.compare.groups import MCS, SMALL, groups, replicates
from tests.samples import sample
from workbench.answers.common.cards import metric_cards
from workbench.answers.compare.compute import compare
from workbench.answers.compare.figures import compare_cards
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.sentences import findings
from workbench.answers.findings.words import Asked, amount, amounts
from workbench.answers.storyboard.shown import StudyFindings
from workbench.answers.storyboard.summary import study_findings
from workbench.charts.claim import BarClaim
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.traced import TRACED
from workbench.model.phase import STEADY
from workbench.session.state import State
from workbench.words.numbers import THIN

STUDIES = ["rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs", "xenapp-pvs-ram-cache", "vdi-login-storm"]


def _plain(words: str) -> str:
    return words.replace(THIN, " ")


def _sides(study: StudyFindings) -> Iterator[tuple[Finding, Group]]:
    """The findings on two configurations that state their figures, each with both figures."""
    by_label = {group.label: group for group in study.groups}
    for finding in study.findings:
        told = finding.figure in MEASURES and finding.configuration and finding.change is not None
        if told and not any(words in finding.text for words in (" inconclusive", "o difference ", " equally long ")):
            yield from ((finding, by_label[label]) for label in (finding.configuration, finding.baseline))


@pytest.mark.parametrize("name", STUDIES)
def test_that_sentence_and_chart_and_card_show_the_same_figure(name: str) -> None:
    library = sample(name)
    (study,) = study_findings(library, State())
    compared, by_label = 0, {group.label: group for group in study.groups}
    for finding, group in _sides(study):
        measure, mean = MEASURES[finding.figure], group.mean(finding.phase, finding.figure)
        sides = (finding.configuration, finding.baseline)
        means = [by_label[label].mean(finding.phase, measure.key) for label in sides]
        # Both times have the same unit, and both shares the same decimals.
        joint = measure.unit in ("s", "%")
        said = [*map(_plain, amounts(*means, measure.unit) if joint else (amount(one, measure.unit) for one in means))]
        # Two figures that would read alike have more digits in the sentence and its chart.
        alike, stated = said[0] == said[1] and measure.unit != "s", said[sides.index(group.label)]
        assert alike or stated in _plain(finding.text), finding.key
        claim = claim_of(finding, study.groups, study.margin)
        assert isinstance(claim, BarClaim)
        bar = claim.bars[claim.claimed if group.label == finding.configuration else claim.baseline]
        assert bar.value == mean
        assert _plain(bar.words) in _plain(finding.text), finding.key
        assert alike or _plain(bar.words) in (stated, stated.removesuffix(f" {measure.unit}"))
        cards = metric_cards(study.groups, finding.phase, measure.trace) if measure.trace else ()
        traced = measure.trace is not None and TRACED[measure.trace] is measure
        # A card has one value, without the decimals of a difference.
        alone = _plain(amount(mean, measure.unit))
        for card in [card for card in cards if traced and card.title == group.label]:
            shown = f"{card.value} {card.unit}".removesuffix(" IOPS").rstrip()
            assert shown in (stated, alone, alone.replace(" %", ""))
        compared += 1
    assert compared or name == "vdi-login-storm"


def test_that_the_cards_of_compare_print_the_mean_of_the_runs() -> None:
    members = groups(
        *replicates(MCS, "iops_per_vm", (100.0, 110.0, 121.0)), *replicates(SMALL, "iops_per_vm", (9.0, 16.0, 25.0))
    )
    base, ours = compare_cards(compare(members), members, STEADY, "iops_per_vm")
    assert base.value == "110"
    assert ours.detail.startswith("16.7\u2009IOPS, ")
    (text,) = [f.text for f in findings(Asked("study", members)) if f.figure == "iops_per_vm"]
    assert "(16.7 vs. 110 with MCS," in text


def test_that_means_that_contradict_the_change_are_in_no_sentence() -> None:
    baseline = (10.0, 10.1, 9.9, 10.0) * 3
    values = (4.0, 3.9, 4.1, 4.0) * 2 + (4.0, 3.9, 4.1, 90.0)
    members = groups(*replicates(MCS, "iops_per_vm", baseline), *replicates(SMALL, "iops_per_vm", values))
    (row,) = [d for d in compare(members).differences if d.measure.key == "iops_per_vm"]
    assert row.difference is not None
    assert row.difference > 0
    assert row.change is not None
    assert row.change.percent < 0
    assert row.shown_difference is None
    (text,) = [f.text for f in findings(Asked("study", members)) if f.figure == "iops_per_vm"]
    assert "from 10.0" not in text
