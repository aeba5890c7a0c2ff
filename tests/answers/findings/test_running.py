"""While a test runs, each of its results says so, and no verdict is given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.answers.compare.groups import MCS, SMALL, groups, replicates
from workbench.answers.common.cards import metric_cards
from workbench.answers.common.document import summary_table
from workbench.answers.compare.compute import compare
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.sentences import findings, remarks
from workbench.answers.findings.tables import strength_words
from workbench.answers.findings.words import Asked
from workbench.answers.overview.tables import phase_table
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY

IOPS = "iops_per_vm"


def _groups(running: str = "") -> tuple[Group, ...]:
    """Three runs compared with three, a clear reduction; the last run of one side (`MCS` or `SMALL`) is running."""
    sides = {"MCS": replicates(MCS, IOPS, (100.0, 102.0, 98.0)), "SMALL": replicates(SMALL, IOPS, (50.0, 51.0, 49.0))}
    return groups(*(each for key, runs in sides.items() for each in _marked(runs, key == running)))


def _marked(runs: list[RunFigures], running: bool) -> list[RunFigures]:
    *first, last = runs
    return [*first, replace(last, run=replace(last.run, running=running))]


def _finding(members: tuple[Group, ...]) -> Finding:
    (finding,) = [one for one in findings(Asked("study", members)) if one.figure == IOPS and one.kind == "compare"]
    return finding


@pytest.mark.parametrize("side", ["MCS", "SMALL"])
def test_that_a_comparison_with_a_running_run_has_no_verdict(side: str) -> None:
    ended, running = (compare(_groups(which)).of(SMALL.name, STEADY, IOPS) for which in ("", side))
    assert ended is not None
    assert running is not None
    assert ended.verdict == "better"
    assert running.verdict == "~"
    assert running.judgement is not None
    assert running.judgement.reason.endswith(" is still running")


@pytest.mark.parametrize("side", ["MCS", "SMALL"])
def test_that_a_finding_on_a_running_run_is_not_strong_and_mentions_it(side: str) -> None:
    assert _finding(_groups()).strength is Strength.STRONG
    finding = _finding(_groups(side))
    assert finding.strength is Strength.INCONCLUSIVE
    assert finding.running
    assert "running" in strength_words(finding)
    assert "still running" in finding.caveats[0]
    assert sum("still running" in caveat for caveat in finding.caveats) == 1
    assert any("still running" in text for text in remarks(_groups(side)))
    assert not any("running" in text for text in remarks(_groups()))


def test_that_cards_and_legend_and_comparison_name_the_running_run() -> None:
    members = _groups("SMALL")
    mcs, small = metric_cards(members, STEADY, Quantity.IOPS)
    assert "running" in str(small)
    assert "running: not final" not in str(mcs)
    assert "Not final" in phase_table(members).legend
    (problem,) = [each for each in compare(members).problems if each.code == "compare-running"]
    assert problem.file == SMALL.name
    assert "Not final" not in phase_table(_groups()).legend


def test_that_the_summary_states_whether_a_run_is_running() -> None:
    figures = [run for group in _groups("SMALL") for run in group.runs]
    assert [run["running"] for run in summary_table(figures, ())["runs"]] == [False] * 5 + [True]
