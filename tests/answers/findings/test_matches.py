"""Matching of edits to findings after names, runs and edges have changed, and edits without a finding."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.answers.findings.test_findings import THREE
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.edits import (
    as_edited,
    completed,
    followed,
    kept_as_own,
    removed,
    renamed,
    unmatched,
    with_own,
    with_text,
    without,
)
from workbench.model.edits import About, FindingEdit, Members, Stretch

BASE = ("b1", "b2", "b3")


def members(label: str, runs: tuple[str, ...], span: tuple[float, float] | None = None) -> Members:
    start, end = span or (None, None)
    return Members(label, tuple(Stretch(run, start, end) for run in runs))


def about(
    label: str,
    runs: tuple[str, ...],
    *,
    question: str = "compare/iops",
    base: tuple[str, ...] = BASE,
    phase: str = "",
    span: tuple[float, float] | None = None,
) -> About:
    return About(question, "lab", (members(label, runs, span),), members("MCS", base, span), phase)


def finding(subject: About, text: str = "") -> Finding:
    label = subject.configurations[0].label
    key = f"lab/{subject.question}/{subject.phase}/{label}"
    return Finding(key, text or f"{label} cuts by 9 %", "compare", Strength.STRONG, about=subject)


def edit(subject: About, text: str = "My words") -> FindingEdit:
    before = finding(subject)
    return FindingEdit(before.key, text, was=before.text, about=subject)


def follows(then: About, *now: About) -> list[int]:
    """The indices of the findings that match the edit of the earlier finding `then`."""
    findings = [finding(subject) for subject in now]
    (followed_edit,) = followed(findings, (edit(then),))
    return [index for index, one in enumerate(findings) if one.key == followed_edit.key]


A = about("A", ("a1", "a2", "a3"))


@pytest.mark.parametrize(
    ("now", "same"),
    [
        (about("C", ("a1", "a2", "a3")), True),  # renamed
        (about("C", ("a1",)), True),  # renamed, two runs excluded
        (about("C", ("a1", "a2", "a3", "c1", "c2")), True),  # renamed, two runs more
        (about("B", ("x1", "x2", "x3", "a3")), False),  # one run of three moved into another configuration
        (about("A", ("a3", "x1", "x2", "x3")), True),  # the same name and a run in common
        (about("A", ("n1", "n2")), True),  # every run repeated in other folders
        (about("C", ("n1", "n2")), False),  # other runs, another name
        (about("A", ("a1", "a2", "a3"), question="compare/cpu"), False),
        (about("A", ("a1", "a2", "a3"), base=("p1", "p2")), True),  # the runs of the baseline repeated
        (replace(A, baseline=members("PVS", ("p1", "p2"))), False),  # another baseline
        (replace(A, baseline=None), False),
    ],
)
def test_that_an_edit_follows_the_runs_it_is_about(now: About, same: bool) -> None:
    assert follows(A, now) == [0] * same


def test_that_edits_follow_two_configurations_that_swap_their_names() -> None:
    b = about("B", ("x1", "x2", "x3"))
    swapped = (replace(b, configurations=(members("A", ("x1", "x2", "x3")),)), about("B", ("a1", "a2", "a3")))
    assert follows(A, *swapped) == [1]
    assert follows(b, *swapped) == [0]


def test_that_a_name_reused_by_other_runs_gets_no_edit() -> None:
    taken_over, apart = about("A", ("x1", "x2")), about("Z", ("z1",), base=("a1", "a2", "a3"))
    assert follows(A, taken_over, apart) == [], "the runs of then are still there, elsewhere"


def test_that_of_two_edits_on_merged_configurations_the_one_with_the_same_name_stays() -> None:
    merged = finding(about("B", ("a1", "a2", "a3", "x1", "x2", "x3")))
    edits = (edit(A, "On A"), edit(about("B", ("x1", "x2", "x3")), "On B"))
    assert [one.text for one in as_edited((merged,), edits)] == ["On B"]
    (left,) = unmatched((merged,), edits, ["lab"])
    assert left.text == "On A"


def test_that_the_edit_of_a_split_configuration_stays_with_the_larger_part() -> None:
    assert follows(A, about("A1", ("a3",)), about("A2", ("a1", "a2"))) == [1]


def phased(name: str, start: float, end: float) -> About:
    return about("A", ("a1", "a2", "a3"), phase=name, span=(start, end))


@pytest.mark.parametrize(
    ("then", "now", "which"),
    [
        (phased("scan", 0, 60), (phased("av-scan", 0, 60),), [0]),
        (phased("scan", 0, 60), (phased("scan", 0, 10),), [0]),  # an edge dragged
        (phased("scan", 0, 60), (phased("scan", 500, 560),), [0]),  # dragged far away
        (phased("scan", 0, 60), (phased("av-scan", 500, 560),), []),
        (phased("scan", 0, 60), (phased("scan", 60, 120), phased("patch", 0, 60)), [1]),  # names swapped
        (phased("scan", 0, 60), (phased("patch", 0, 60), phased("scan", 0, 60)), [1]),
        (phased("boot", 0, 100), (phased("logon", 0, 100),), []),  # phases with standard names are matched by name
        (phased("boot", 0, 100), (phased("boot", 0, 20), phased("logon", 20, 100)), [0]),
        (phased("scan", 0, 60), (phased("steady", 0, 60),), []),
    ],
)
def test_that_an_edit_follows_its_phase(then: About, now: tuple[About, ...], which: list[int]) -> None:
    assert follows(then, *now) == which


def test_that_edits_of_an_earlier_version_are_matched_by_key_until_their_runs_are_known() -> None:
    old = FindingEdit(finding(A).key, "My words")
    assert [one.text for one in as_edited((finding(A),), (old,))] == ["My words"]
    renamed_finding = finding(about("C", ("a1", "a2", "a3")))
    assert [one.text for one in as_edited((renamed_finding,), (old,))] == [renamed_finding.text]
    assert unmatched((renamed_finding,), (old,), ["lab"]) == (old,)
    now_known = completed((old,), {finding(A).key: A})
    assert [one.text for one in as_edited((renamed_finding,), now_known)] == ["My words"]
    assert now_known == (old,), "to know more is no other edit"


def test_that_an_edit_without_a_finding_is_not_applied_to_another_finding_with_its_key() -> None:
    other = finding(replace(A, configurations=(members("A", ("x1", "x2")),)))
    present = finding(about("Z", ("z1",), base=("a1", "a2", "a3")))
    (kept, _) = as_edited((other, present), (edit(A),))
    assert (kept.key, kept.edited) == (edit(A).key, False)
    (left,) = unmatched((other, present), (edit(A),), ["lab"])
    assert left.key != other.key
    assert followed((other, present), (left,)) == (left,), "and has the same key the next time"


def test_that_edits_of_other_studies_are_not_listed_and_custom_sentences_never_are() -> None:
    elsewhere = replace(edit(A), about=replace(A, study="other"))
    own = with_own((), "lab", "Buy it.")
    moved_only = FindingEdit("lab/x", ordered=True, about=A)
    assert unmatched((), (elsewhere, *own, moved_only), ["lab"]) == ()
    assert [one.text for one in unmatched((), (elsewhere,), ["other"])] == ["My words"]


def test_that_an_edit_without_a_finding_becomes_a_custom_sentence_or_is_removed() -> None:
    edits = followed((), (edit(A),))
    (own,) = kept_as_own(edits, "lab", edits[0].key)
    assert (own.text, own.own) == ("My words", True)
    assert removed(edits, edits[0].key) == ()
    dropped = (FindingEdit("lab/gone", dropped=True, about=A),)
    assert kept_as_own(dropped, "lab", "lab/gone") == dropped, "there are no words to keep"


def test_that_a_dropped_finding_keeps_its_sentence() -> None:
    (edit_of_drop,) = without((), finding(A, "A cuts by 9 %"))
    assert (edit_of_drop.dropped, edit_of_drop.was) == (True, "A cuts by 9 %")


@pytest.mark.parametrize(
    ("then", "now", "text", "expected"),
    [
        (A, about("C", ("a1", "a2", "a3")), "A cuts by 9 % (MCS)", "C cuts by 9 % (MCS)"),
        (A, about("C", ("a1", "a2", "a3")), "A cuts APEX and B-A", "C cuts APEX and B-C"),
        (phased("scan", 0, 60), phased("virus scan", 0, 60), "A, in scan", "A, in virus scan"),
        (None, A, "A is so", "A is so"),
    ],
)
def test_that_an_earlier_sentence_is_compared_with_the_current_names(
    then: About | None, now: About, text: str, expected: str
) -> None:
    assert renamed(text, then, now) == expected


def test_that_changed_figures_are_a_caveat_and_changed_names_are_not(snapshot: SnapshotAssertion) -> None:
    edits = with_text((), finding(A), "Nearly nothing is left")
    now = about("C", ("a1", "a2", "a3"))
    assert as_edited((finding(now),), edits)[0].caveats == ()
    (caveat,) = as_edited((finding(now, "C cuts by 5 %"),), edits)[0].caveats
    assert caveat == snapshot


def test_that_a_changed_name_in_quotes_is_not_a_caveat() -> None:
    was = finding(A, "A cuts by 9 %")
    quoted = finding(about("Large cache", ("a1", "a2", "a3")), "'Large cache' cuts by 9 %")
    back = finding(A, "A cuts by 9 %")
    assert as_edited((quoted,), with_text((), was, "Mine"))[0].caveats == ()
    assert as_edited((back,), with_text((), quoted, "Mine"))[0].caveats == ()


@pytest.mark.parametrize(
    ("now", "caveats"),
    [
        ("A reduces it by 9\u2009%, from 4 KiB to 1,5 MiB", 0),
        ("From 4 KB to 1,5 MB, a cut of 9 % with A", 0),
        ("A cuts by 8 %, from 4KiB to 1,5 MiB", 1),
        ("A cuts by 9 ms, from 4KiB to 1,5 MiB", 1),
        ("A cuts by 9 %, from 4KiB to 1,5 GiB", 1),
        ("A cuts by 9 %", 1),
        ("A raises it by 9 %, from 4 KiB to 1,5 MiB", 1),
    ],
)
def test_that_other_words_with_the_same_values_are_not_a_caveat(now: str, caveats: int) -> None:
    edits = with_text((), finding(A, "A cuts by 9 %, from 4KiB to 1,5 MiB"), "Nearly nothing is left")
    assert len(as_edited((finding(A, now),), edits)[0].caveats) == caveats


RUNS = st.sets(st.sampled_from("abcdef"), min_size=1).map(lambda runs: tuple(sorted(runs)))


@given(
    st.lists(st.tuples(st.sampled_from("XYZ"), RUNS), max_size=4),
    st.lists(st.tuples(st.sampled_from("XYZ"), RUNS), max_size=4),
)
def test_that_every_finding_has_at_most_one_edit_and_no_edit_is_lost(
    then: list[tuple[str, tuple[str, ...]]], now: list[tuple[str, tuple[str, ...]]]
) -> None:
    findings = tuple(replace(finding(about(label, runs)), key=f"lab/{at}") for at, (label, runs) in enumerate(now))
    edits = tuple(replace(edit(about(label, runs)), key=f"lab/{at}") for at, (label, runs) in enumerate(then))
    again = followed(findings, edits)
    assert [one.text for one in again] == [one.text for one in edits]
    assert len({one.key for one in again}) == len(edits)
    assert followed(findings, again) == again


def test_that_findings_without_runs_are_matched_by_key() -> None:
    edits = with_text((), THREE[1], "Other words")
    assert as_edited(THREE, edits)[1].text == "Other words"
