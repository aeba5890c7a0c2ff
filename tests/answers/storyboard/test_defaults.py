"""The default storyboard: the rules that choose its slides and their order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.answers.storyboard.samples import finding, group, study
from tests.samples import sample
from workbench.answers.common.choices import SavedView
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import Storyboard
from workbench.answers.findings.compute import FAILED, MOST_SHOWN, NO_CHANGE, Finding, Strength
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.defaults import MOST_STORY, default_storyboard
from workbench.session.state import State

# By hand, from the findings of the study: the first sentence of each chart, and its number of findings.
STORY = (
    ("'MCSIO 4 GB' cuts IOPS per VM in steady state by 93.0 % (7.35 vs. 105 with MCS)", 13),
    ("Only 'MCSIO 4 GB' meets all limits (the others together fail 3 of 4 limits)", 4),
    ("'MCSIO 4 GB' needs 99 fewer disks than MCS for an assumed 500 users (5 vs. 104)", 4),
    ("4 GB is the smallest tested RAM cache that does not overflow with MCSIO on RDS", 4),
    ("'MCSIO 4 GB' cuts IOPS on shared storage in steady state by 93.0 % (29.4 vs. 420 with MCS)", 4),
    ("'MCSIO 4 GB' cuts write latency during logon by 55.5 % (3.28 ms vs. 7.37 ms with MCS)", 7),
    ("'MCSIO 4 GB' cuts read latency during logon by 54.1 % (4.77 ms vs. 10.4 ms with MCS)", 8),
)
APPENDIX = (
    "'MCSIO 256 MB' raises read IOPS per VM in steady state by 73.0",
    "2\u2009888\u2009MB of MCSIO RAM cache per VM is enough for 100 session hosts (predicted, 90\u2009% confidence)",
    "No configuration differs from MCS in CPU usage in steady state",
    "No difference in mean logon time between 'MCSIO 1 GB' and MCS",
    "'MCSIO 4 GB' cuts write IOPS per VM in steady state by 99.8",
)


def keys(board: Storyboard, *, appendix: bool) -> list[list[str]]:
    return [
        [ref.key for ref in slide.findings] or [f"view {slide.view}"]
        for slide in board.slides
        if slide.appendix is appendix
    ]


def view(name: str, folder: str | None = "lab") -> SavedView:
    return State(study=folder).saved_view(name)


@pytest.fixture(scope="module")
def sweep() -> Library:
    return sample("rds-mcsio-cache-sweep")


def test_that_the_sample_has_seven_slides_with_the_strongest_first(sweep: Library) -> None:
    shown = shown_story(sweep, State()).slides
    told = [(slide.sentence, len(slide.findings)) for slide in shown if not slide.slide.appendix]
    assert [(sentence.replace("\u2009", " "), count) for sentence, count in told] == list(STORY)


def test_that_slides_beyond_the_limit_are_in_the_appendix(sweep: Library) -> None:
    rest = [slide.sentence for slide in shown_story(sweep, State()).slides if slide.slide.appendix]
    assert len(rest) == len(APPENDIX)
    for sentence, begins in zip(rest, APPENDIX, strict=True):
        assert sentence.startswith(begins)


def test_that_findings_on_one_chart_are_one_slide() -> None:
    found = [finding("a"), finding("b", figure="cpu_percent"), finding("c", phase="logon")]
    assert keys(default_storyboard([study(*found)]), appendix=False) == [["a", "c"], ["b"]]


def test_that_findings_of_single_runs_are_in_the_appendix_only() -> None:
    board = default_storyboard([study(finding("a"), finding("b", Strength.SINGLE))])
    assert (keys(board, appendix=False), keys(board, appendix=True)) == ([["a"]], [["b"]])


def test_that_inconclusive_findings_have_no_slide_if_others_are_decided() -> None:
    found = [finding("open", Strength.INCONCLUSIVE), finding("cut"), finding("x", Strength.INCONCLUSIVE, figure="cpu")]
    board = default_storyboard([study(*found)])
    assert (keys(board, appendix=False), keys(board, appendix=True)) == ([["cut"]], [])
    board = default_storyboard([study(found[0], found[2])])
    assert keys(board, appendix=True) == [["open"], ["x"]]


def test_that_slides_and_appendix_have_at_most_twelve_findings_each() -> None:
    found = [finding(str(at), figure=str(at)) for at in range(MOST_SHOWN + 3)]
    board = default_storyboard([study(*found)])
    assert keys(board, appendix=False) + keys(board, appendix=True) == [[str(at)] for at in range(MOST_SHOWN)]


def test_that_a_study_of_single_runs_opens_with_the_first_findings_of_its_overview() -> None:
    found = [finding(name, Strength.SINGLE, figure=name) for name in "abcd"]
    board = default_storyboard([study(*found)])
    assert (keys(board, appendix=False), keys(board, appendix=True)) == ([["a"], ["b"], ["c"]], [["d"]])


def test_that_a_finding_without_a_chart_has_no_slide() -> None:
    own = Finding("own", "Mine.", "own", Strength.YOURS, own=True)
    files = finding("readme", page="import-report")
    failed = finding("failed", kind=FAILED)
    assert keys(default_storyboard([study(own, files, failed, finding("a"))]), appendix=False) == [["a"]]


def test_that_saved_views_follow_the_findings_in_their_order() -> None:
    board = default_storyboard([study(finding("a"))], [view("Dip"), view("Boot", None)])
    assert keys(board, appendix=False) == [["a"], ["view Dip"], ["view Boot"]]


def test_that_the_three_strongest_charts_precede_saved_views_and_further_views_are_in_the_appendix() -> None:
    found = [finding(name, figure=name) for name in "abcdefghi"]
    views = [view(str(number)) for number in range(6)]
    board = default_storyboard([study(*found)], views)
    story, appendix = keys(board, appendix=False), keys(board, appendix=True)
    assert story == [["a"], ["b"], ["c"], ["view 0"], ["view 1"], ["view 2"], ["view 3"]]
    assert appendix == [[name] for name in "defghi"] + [["view 4"], ["view 5"]]


def test_that_each_study_has_its_slides_and_one_appendix_comes_last() -> None:
    first = study(*(finding(f"one/{at}", figure=str(at)) for at in range(MOST_STORY + 2)), folder="one")
    both = [replace(each, groups=(group("MCS", 3),)) for each in (first, study(finding("two/a"), folder="two"))]
    board = default_storyboard(both)
    assert [slide.study for slide in board.slides] == ["one"] * MOST_STORY + ["two", "one", "one"]


def test_that_storage_benchmarks_of_another_folder_are_in_the_appendix() -> None:
    slides = shown_story(sample("windows-7-mcs-and-pvs", "storage-benchmarks"), State()).slides
    benchmarks = [slide for slide in slides if slide.study and slide.study.name == "storage-benchmarks"]
    assert benchmarks
    assert all(slide.slide.appendix for slide in benchmarks)
    assert not all(slide.slide.appendix for slide in slides)


def test_that_storage_benchmarks_alone_have_slides() -> None:
    slides = shown_story(sample("storage-benchmarks"), State()).slides
    assert any(not slide.slide.appendix for slide in slides)
    assert not any(slide.notice for slide in slides)


def test_that_slides_of_two_studies_never_share_a_key() -> None:
    one, two = finding("benchmarks/knee", page="benchmarks"), finding("benchmarks/knee", page="benchmarks")
    studies = (study(one, folder="a"), study(two, folder="b"))
    views = [replace(view("Mine"), study="a"), replace(view("Mine"), study="b"), replace(view("Mine"), study="b")]
    board = default_storyboard([replace(s, groups=(group("MCS", 3),)) for s in studies], views)
    keys = [slide.key for slide in board.slides]
    assert len(keys) == len(set(keys)) == 5
    first = next(slide for slide in board.slides if slide.study == "b" and slide.findings)
    assert [slide.study for slide in board.without(first.key).slides if slide.findings] == ["a"]


def test_that_an_unchanged_value_is_not_the_first_slide_if_a_run_shows_an_effect() -> None:
    same = finding("same", kind=NO_CHANGE, figure="cpu_percent")
    effect = finding("effect", Strength.SINGLE)
    alone, both = (default_storyboard([study(*found)]) for found in ((same,), (effect, same)))
    assert keys(alone, appendix=False) == [["same"]]
    assert keys(both, appendix=False)[0] == ["effect"]
