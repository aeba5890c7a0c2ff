"""Findings: how strong a change is, which come first, and what the user's edits do and leave alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.answers.findings.compute import (
    Finding,
    Strength,
    effect_size,
    keyed,
    ranked,
    strength_of,
    strength_of_runs,
    weaker,
)
from workbench.answers.findings.edits import (
    Edits,
    as_edited,
    dropped,
    moved,
    of_study,
    restored,
    with_own,
    with_text,
    without,
)
from workbench.measures.statistics import Change, Verdict
from workbench.model.edits import FindingEdit


def finding(key: str, size: float = 0.5, strength: Strength = Strength.STRONG, **facts: object) -> Finding:
    return replace(Finding(key, f"{key} is so", "compare", strength, size=size), **facts)  # type: ignore[arg-type]


def changed(low: float | None, high: float | None, basis: str = "interval", n: int = 3, m: int = 3) -> Change:
    return Change(0.5, -10.0, low, high, basis, n, m, 0.001)  # type: ignore[arg-type]


THREE = tuple(finding(key) for key in "abc")
FIVE = tuple(finding(key) for key in "abcde")


@pytest.mark.parametrize(
    ("found", "verdict", "expected"),
    [
        (changed(0.4, 0.6), Verdict.BETTER, Strength.STRONG),
        (changed(0.4, 0.97), Verdict.BETTER, Strength.INDICATIVE),
        (changed(0.98, 1.02), Verdict.SAME, Strength.STRONG),
        (changed(0.4, 1.6), Verdict.INCONCLUSIVE, Strength.INCONCLUSIVE),
        (changed(0.4, 0.6, "range", 2, 2), Verdict.INCONCLUSIVE, Strength.INDICATIVE),
        (changed(0.4, 0.6, "range", 2, 5), Verdict.INCONCLUSIVE, Strength.INDICATIVE),
        (changed(0.0, 0.1, "range"), Verdict.BETTER, Strength.STRONG),
        (changed(None, None, "single", 1, 9), Verdict.INCONCLUSIVE, Strength.SINGLE),
    ],
)
def test_that_strength_follows_the_interval_and_the_runs(found: Change, verdict: Verdict, expected: Strength) -> None:
    assert strength_of(found, verdict, primary=True) is expected
    # What is no primary measure is indicative at most.
    assert strength_of(found, verdict) is weaker(expected, Strength.INDICATIVE)


def test_that_nothing_is_strong_without_a_test() -> None:
    assert [strength_of_runs(n) for n in (1, 2, 9)] == [Strength.SINGLE, Strength.INDICATIVE, Strength.INDICATIVE]


def test_that_a_cut_and_a_rise_of_the_same_factor_are_as_large() -> None:
    assert effect_size(0.5) == pytest.approx(effect_size(2.0))
    assert effect_size(1.0) == 0
    assert effect_size(0.0) == effect_size(1 / 20) == effect_size(400.0) == 1


def test_that_large_and_strong_come_first_and_ties_by_key() -> None:
    sizes = {"b": (0.9, Strength.SINGLE), "z": (0.5, Strength.STRONG), "a": (0.5, Strength.STRONG)}
    found = [finding(key, *facts, figure=key) for key, facts in sizes.items()]
    assert [one.key for one in ranked(found)] == ["a", "z", "b"]
    assert ranked(found) == ranked(found[::-1])


def test_that_the_like_of_earlier_ones_counts_less() -> None:
    alike = [finding(f"a{n}", 0.9 - n / 100, figure="iops", phase="steady") for n in range(3)]
    other = finding("other", 0.6, figure="cpu", phase="steady")
    assert [one.key for one in ranked([*alike, other])] == ["a0", "other", "a1", "a2"]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("xyz"), st.sampled_from("pq"), st.booleans()), max_size=30)
)
def test_that_each_finding_is_the_one_with_the_most_left_of_it(drawn: list[tuple[int, str, str]]) -> None:
    found = [
        finding(
            f"{place:02}", size / 10, figure=figure, configuration=configuration, phase="boot" if boot else "steady"
        )
        for place, (size, figure, configuration, boot) in enumerate(drawn)
    ]
    left, ordered = sorted(found, key=lambda one: (-one.relevance, one.key)), list[Finding]()

    def worth(one: Finding) -> float:
        like = sum((one.figure, one.phase) == (other.figure, other.phase) for other in ordered)
        return one.relevance * (0.6**like * 0.9 ** sum(one.configuration == other.configuration for other in ordered))

    while left:
        ordered.append(left.pop(left.index(max(left, key=worth))))
    assert ranked(found) == tuple(ordered)


def test_that_no_two_findings_share_a_key() -> None:
    assert [one.key for one in keyed([finding("a"), finding("a"), finding("b")])] == ["a", "a #2", "b"]


def keys(found: tuple[Finding, ...]) -> str:
    return "".join(one.key for one in found)


def test_that_another_text_is_marked_and_keeps_what_was_generated() -> None:
    edits = with_text((), THREE[1], "  It is\nthus. ")
    found = as_edited(THREE, edits)
    assert keys(found) == "abc"
    assert (found[1].text, found[1].edited, found[1].generated) == ("It is thus.", True, "b is so")
    assert found[1].caveats == ()
    assert not found[0].edited


@pytest.mark.parametrize("text", ["", "b is so"])
def test_that_an_empty_or_the_generated_text_takes_the_edit_back(text: str) -> None:
    edits = with_text((), THREE[1], "Other words")
    assert with_text(edits, as_edited(THREE, edits)[1], text) == ()


def test_that_an_edit_of_figures_that_have_changed_says_so() -> None:
    edits = with_text((), THREE[0], "Cuts by 93 %")
    now = (replace(THREE[0], text="a is 40 %"), *THREE[1:])
    found = as_edited(now, edits)[0]
    assert found.text == "Cuts by 93 %"
    assert "a is 40 %" in found.caveats[0]


def test_that_moving_goes_place_by_place_and_ends_stay_ends() -> None:
    edits = moved((), THREE, "c", -1)
    assert keys(as_edited(THREE, edits)) == "acb"
    edits = moved(edits, as_edited(THREE, edits), "c", -1)
    assert keys(as_edited(THREE, edits)) == "cab"
    assert moved(edits, as_edited(THREE, edits), "c", -1) == edits
    assert moved(edits, as_edited(THREE, edits), "nobody", 1) == edits


def test_that_a_new_finding_stands_where_its_relevance_puts_it_among_those_moved() -> None:
    edits = moved((), THREE, "c", -2)
    later = (finding("new"), *THREE)
    assert keys(as_edited(later, edits))[0] == "n"
    assert keys(as_edited(later, edits)).removeprefix("new") == "cab"


def test_that_own_sentences_stand_first_can_be_moved_edited_and_forgotten() -> None:
    edits = with_own((), "study", "Buy it.")
    found = as_edited(THREE, edits)
    assert (found[0].text, found[0].strength, found[0].own) == ("Buy it.", Strength.YOURS, True)
    edits = moved(edits, found, found[0].key, 2)
    assert [one.text for one in as_edited(THREE, edits)] == ["a is so", "b is so", "Buy it.", "c is so"]
    edits = with_text(edits, as_edited(THREE, edits)[2], "Buy two.")
    assert as_edited(THREE, edits)[2].text == "Buy two."
    assert all(not one.own for one in as_edited(THREE, without(edits, found[0])))
    assert with_own(edits, "study", "  ") == edits


def test_that_own_sentences_stay_with_their_study() -> None:
    edits = with_own(with_own((), "one", "Of one"), "two", "Of two")
    assert [one.text for one in as_edited((), of_study(edits, "one"))] == ["Of one"]
    assert len({one.key for one in edits}) == 2


def test_that_what_was_dropped_comes_back_where_it_was() -> None:
    edits = without(without((), THREE[0]), THREE[1])
    assert keys(as_edited(THREE, edits)) == "c"
    assert keys(dropped(THREE, edits)) == "ab"
    assert keys(as_edited(THREE, restored(edits, ["a"]))) == "ac"
    assert restored(edits, ["a", "b"]) == ()


Step = tuple[str, str, int]
STEPS = st.lists(
    st.tuples(st.sampled_from(["text", "drop", "move", "own"]), st.sampled_from("abcde"), st.integers(-4, 4)),
    max_size=8,
)


def edited(steps: list[Step]) -> Edits:
    """The edits after some steps of a user."""
    edits: Edits = ()
    for what, key, by in steps:
        shown = as_edited(FIVE, edits)
        one = next((one for one in shown if one.key == key), None)
        if what == "own":
            edits = with_own(edits, "study", f"mine {by}")
        elif one is None:
            continue
        elif what == "text":
            edits = with_text(edits, one, f"text {by}")
        elif what == "drop":
            edits = without(edits, one)
        else:
            edits = moved(edits, shown, key, by)
    return edits


@given(STEPS, st.sampled_from("abcde"))
def test_that_dropping_never_changes_the_others(steps: list[Step], key: str) -> None:
    edits = edited(steps)
    before = as_edited(FIVE, edits)
    chosen = next((one for one in before if one.key == key), None)
    if chosen is not None:
        after = as_edited(FIVE, without(edits, chosen))
        assert after == tuple(one for one in before if one.key != key)


@given(STEPS, st.sampled_from("abcde"))
def test_that_another_text_moves_nothing(steps: list[Step], key: str) -> None:
    edits = edited(steps)
    before = as_edited(FIVE, edits)
    chosen = next((one for one in before if one.key == key), None)
    if chosen is not None:
        after = as_edited(FIVE, with_text(edits, chosen, "other words"))
        assert [one.key for one in after] == [one.key for one in before]


@given(STEPS, st.sampled_from("abcde"), st.integers(-4, 4))
def test_that_a_move_puts_one_finding_in_its_place_and_keeps_the_order_of_the_others(
    steps: list[Step], key: str, by: int
) -> None:
    edits = edited(steps)
    before = [one.key for one in as_edited(FIVE, edits)]
    if key not in before:
        return
    after = [one.key for one in as_edited(FIVE, moved(edits, as_edited(FIVE, edits), key, by))]
    place = min(max(before.index(key) + by, 0), len(before) - 1)
    assert after.index(key) == place
    assert [one for one in after if one != key] == [one for one in before if one != key]


@given(STEPS)
def test_that_edits_survive_findings_that_go_and_come_back(steps: list[Step]) -> None:
    edits = edited(steps)
    known = {one.key for one in as_edited(FIVE[:2], edits) if not one.own}
    assert known <= {"a", "b"}
    assert all(isinstance(one, FindingEdit) for one in edits)
    kept = {one.key for one in FIVE} - {one.key for one in edits if one.dropped}
    assert {one.key for one in as_edited(FIVE, edits) if not one.own} == kept
