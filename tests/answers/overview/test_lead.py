"""The first findings of the overview: their choice, their words, and their charts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.page import kept_findings
from workbench.answers.findings.words import Subject, change_sentence, headline, number_in
from workbench.answers.overview.lead import SINGLE_RUNS, lead_of, strongest
from workbench.answers.overview.page import overview
from workbench.charts.claim import BarClaim, Lead, TimeClaim
from workbench.measures.statistics import Verdict
from workbench.measures.statistics import change as change_of
from workbench.session.state import State

SAMPLE = Path(__file__).parents[3] / "sample_data"
SWEEP = "rds-mcsio-cache-sweep"


@pytest.fixture(scope="module")
def library() -> Library:
    """The cache sweep without its acceptance limits, and a study of single runs."""
    opened = sample("rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs")
    return Library(tuple(replace(study, limits=None) for study in opened.studies), opened.figures)


def lead(library: Library, name: str, state: State | None = None) -> Lead:
    study = next(study for study in library.studies if study.name == name)
    found = lead_of(library, replace(state or State(), study=study.folder), "", ())
    assert found is not None
    return found


def bars_of(library: Library, name: str, place: int) -> BarClaim:
    claim = lead(library, name).findings[place].claim
    assert isinstance(claim, BarClaim)
    return claim


def steady_iops(library: Library, configuration: str) -> list[float]:
    """IOPS per VM of each run, as the phase table has them."""
    runs = list((library.figures or {}).values())
    runs = [run for run in runs if SWEEP in run.run.folder and run.run.configuration.name == configuration]
    rows = [run.phase("steady") for run in runs]
    return [row.iops_per_vm for row in rows if row is not None and row.iops_per_vm is not None]


def test_that_the_sweep_study_starts_with_three_findings_on_three_charts(
    library: Library, snapshot: SnapshotAssertion
) -> None:
    sentences = [card.sentence.replace("\u202f", " ").replace("\u2009", " ") for card in lead(library, SWEEP).findings]
    assert sentences == snapshot


def test_that_the_link_counts_the_findings_without_a_card(library: Library) -> None:
    state = State(study=next(study.folder for study in library.studies if study.name == SWEEP))
    content = overview(library, state)
    assert content.lead is not None
    rows = next(len(table.rows) for table in content.tables if table.name == "Findings")
    words = next(words for words, name in content.lead.links if name == "Findings")
    assert int(words.split()[0]) == rows - len(content.lead.findings) == 9


def test_that_exceeded_limits_are_among_the_first_findings(library: Library, snapshot: SnapshotAssertion) -> None:
    text = (SAMPLE / SWEEP / "limits.toml").read_text()
    state = State(inputs=(("limits.text", text),))
    card = lead(library, SWEEP, state).findings[1]
    assert (card.sentence, card.number) == snapshot
    assert isinstance(card.claim, BarClaim)
    assert [(bar.label, bar.value, bar.above) for bar in card.claim.bars] == [
        ("MCS", 1, None),
        ("256 MB", 3, None),
        ("512 MB", 2, 1),
        ("1 GB", 2, None),
        ("4 GB", 0, None),
    ]
    assert [bar.words for bar in card.claim.bars] == ["1 of 2", "3 of 4", "2 of 4", "2 of 4", "0 of 4"]
    assert (card.claim.claimed, card.claim.outlined) == (4, "inconclusive")


def test_that_the_percentage_of_a_sentence_equals_its_change(library: Library) -> None:
    assert [re.sub(r"\s", " ", card.number) for card in lead(library, SWEEP).findings] == [
        "93.0 %",
        "99 fewer disks",
        "4 GB",
    ]


def test_that_the_interval_equals_the_welch_interval_on_logs(library: Library) -> None:
    """Computed separately: Welch's interval of the difference of logs by scipy, times the value of the baseline."""
    claim = bars_of(library, SWEEP, 0)
    ours, theirs = (np.log(steady_iops(library, name)) for name in ("MCSIO 4 GB", "MCS"))
    assert len(ours) == len(theirs) == 3
    interval = stats.ttest_ind(ours, theirs, equal_var=False).confidence_interval(0.95)
    base = np.exp(theirs).mean()
    assert claim.low == pytest.approx(base * math.exp(interval.low), rel=1e-9)
    assert claim.high == pytest.approx(base * math.exp(interval.high), rel=1e-9)
    assert claim.bars[claim.claimed].value == pytest.approx(np.exp(ours).mean(), rel=1e-9)
    assert claim.bars[claim.baseline].label == "MCS"
    assert [bar.label for bar in claim.bars] == ["MCS", "256 MB", "512 MB", "1 GB", "4 GB"]


def test_that_shared_storage_is_drawn_with_the_cache_disk_stacked_on_it(library: Library) -> None:
    state = State(study=next(study.folder for study in library.studies if study.name == SWEEP))
    found = kept_findings(library, state)
    (shared,) = [one for one in found if one.key.endswith("cache/shared/steady/MCSIO 512 MB/MCS")]
    claim = claim_of(shared, library.shown(state), 0.05)
    assert isinstance(claim, BarClaim)
    assert claim.outlined == "cache disk"
    assert [bar.words for bar in claim.bars if bar.label == "512 MB"] == ["29.4"]
    assert [None if bar.above is None else round(bar.above, 1) for bar in claim.bars] == [
        None,
        361.2,
        180.6,
        67.2,
        None,
    ]
    assert [float(bar.total_words) for bar in claim.bars] == pytest.approx([bar.top for bar in claim.bars], rel=0.005)


def test_that_the_times_to_overflow_equal_those_of_the_cache_page(library: Library) -> None:
    claim = lead(library, SWEEP).findings[2].claim
    assert isinstance(claim, TimeClaim)
    rows = [(row.label, re.sub(r"\s", " ", row.words), row.ended) for row in claim.rows]
    assert rows == [
        ("256 MB", "6:18 min", True),
        ("512 MB", "10:14 min", True),
        ("1 GB", "16:47 min", True),
        ("4 GB", "no overflow in 66:00 min", False),
    ]
    assert claim.rows[claim.claimed].label == "4 GB"
    assert [word for word, _ in claim.moments] == ["boot", "logon", "steady state"]


def test_that_single_runs_are_reported_once(library: Library) -> None:
    said = lead(library, "windows-7-mcs-and-pvs")
    assert said.banner == SINGLE_RUNS
    words = " ".join(f"{card.sentence} {card.foot}" for card in said.findings)
    assert not re.search("single|uncertainty", words)
    assert all(card.claim is not None for card in said.findings)
    assert not lead(library, SWEEP).banner


def test_that_a_single_run_has_a_bracket_without_an_interval(library: Library) -> None:
    claim = bars_of(library, "windows-7-mcs-and-pvs", 0)
    assert (claim.low, claim.high, claim.ends) == (None, None, "")
    assert claim.change.startswith("−98.6")


def finding(key: str, figure: str = "iops_per_vm", **more: object) -> Finding:
    return replace(Finding(key, f"sentence {key}", "compare", Strength.STRONG, figure=figure), **more)  # type: ignore[arg-type]


def keys(findings: Sequence[Finding]) -> list[str]:
    return [one.key for one in findings]


def test_that_a_study_with_fewer_than_three_findings_shows_all_of_them() -> None:
    assert keys(strongest([finding("a"), finding("b")])) == ["a", "b"]
    assert strongest([]) == ()


def test_that_one_finding_of_each_chart_comes_first_in_the_users_order() -> None:
    listed = [finding("a"), finding("b"), finding("c", "cpu_percent"), finding("own", "", own=True)]
    assert keys(strongest(listed)) == ["a", "c", "own"]
    assert keys(strongest([finding("a"), finding("apart", apart="folder"), finding("b")])) == ["a", "b"]


def test_that_texts_of_the_user_stay_unchanged() -> None:
    one = finding("a", edited=True, text="Down by 3.0\u2009% [2, 4], n = 3; see page 4", short="x", number="3.0\u2009%")
    assert headline(one) == one.text
    assert number_in(one, one.text) == "3.0\u2009%"
    assert number_in(one, "Down, as we hoped") == ""


def test_that_a_finding_without_a_change_has_no_bars() -> None:
    assert claim_of(finding("a", configuration="x", baseline="y"), (), 0.05) is None


@pytest.mark.parametrize("name", ["Cache [*] 4 GB", "io (range 2)", "a; b", "A", "x [1, 2] against y"])
def test_that_a_short_sentence_keeps_the_brackets_in_a_name(name: str, snapshot: SnapshotAssertion) -> None:
    subject = Subject(name, "MCS (old); x", "read latency", "in steady state", 3.2, 6.41, "ms")
    change = change_of((6.40, 6.41, 6.42), (3.19, 3.2, 3.21))
    assert change is not None
    said = change_sentence(subject, change, Verdict.BETTER, "", 0.05)
    cut = f"{name} cuts read latency in steady state by {said.number}"
    assert said.short == snapshot
    assert said.text.startswith(f"{cut} [")
