"""Findings: their strength and order, and the effects of the user's edits."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.answers.findings.compute import (
    FAILED,
    NO_CHANGE,
    Finding,
    Strength,
    effect_size,
    keyed,
    listed,
    ranked,
    ranks_of,
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
from workbench.answers.overview.lead import strongest
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
        (changed(0.4, 0.6, "range", 2, 2), Verdict.INCONCLUSIVE, Strength.RANGE),
        (changed(0.4, 0.6, "range", 2, 5), Verdict.INCONCLUSIVE, Strength.RANGE),
        (changed(0.9, 1.2, "range", 2, 5), Verdict.INCONCLUSIVE, Strength.INCONCLUSIVE),
        (changed(0.0, 0.1, "range"), Verdict.BETTER, Strength.STRONG),
        (changed(None, None, "single", 1, 9), Verdict.INCONCLUSIVE, Strength.SINGLE),
    ],
)
def test_that_strength_depends_on_the_interval_and_the_number_of_runs(
    found: Change, verdict: Verdict, expected: Strength
) -> None:
    assert strength_of(found, verdict, primary=True) is expected
    # A metric that is not primary is indicative at most.
    assert strength_of(found, verdict) is weaker(expected, Strength.INDICATIVE)


def test_that_no_finding_is_strong_without_a_test() -> None:
    assert [strength_of_runs(n) for n in (1, 2, 9)] == [Strength.SINGLE, Strength.INDICATIVE, Strength.INDICATIVE]


def test_that_a_cut_and_a_rise_by_the_same_factor_have_the_same_size() -> None:
    assert effect_size(0.5) == pytest.approx(effect_size(2.0))
    assert effect_size(1.0) == 0
    assert effect_size(0.0) == effect_size(1 / 20) == effect_size(400.0) == 1


def test_that_large_and_strong_findings_come_first_and_ties_are_in_order_of_their_keys() -> None:
    sizes = {"b": (0.9, Strength.SINGLE), "z": (0.5, Strength.STRONG), "a": (0.5, Strength.STRONG)}
    found = [finding(key, *facts, figure=key) for key, facts in sizes.items()]
    assert [one.key for one in ranked(found)] == ["a", "z", "b"]
    assert ranked(found) == ranked(found[::-1])


def test_that_effects_come_before_unchanged_values() -> None:
    within = replace(changed(None, None, "single", 1, 1), ratio=0.99)
    found = [
        finding("open", 0.9, Strength.INCONCLUSIVE),
        finding("within the margin", 0.9, Strength.SINGLE, change=within),
        finding("logons", 0.0, Strength.INDICATIVE, kind="logons", change=changed(0.99, 1.01)),
        finding("none", 0.9, Strength.INDICATIVE, kind=NO_CHANGE),
        finding("strong none", 0.9, kind=NO_CHANGE),
        finding("single", 0.1, Strength.SINGLE, change=changed(None, None, "single", 1, 1)),
        finding("range", 0.1, Strength.RANGE),
        finding("indicative", 0.1, Strength.INDICATIVE),
        finding("strong", 0.1),
        finding("failed", 0.1, Strength.INCONCLUSIVE, kind=FAILED),
    ]
    assert [one.key for one in ranked(found)] == [one.key for one in found[::-1]]
    (first, *_) = strongest(ranked([one for one in found if one.kind != FAILED]))
    assert first.key == "strong"
    assert [one.key for one in strongest(ranked(found[3:8]))] == ["indicative", "range", "single"]


def test_that_a_small_change_is_one_within_the_stated_margin() -> None:
    def single(key: str, ratio: float, strength: Strength = Strength.SINGLE) -> Finding:
        return finding(
            key, effect_size(ratio), strength, change=replace(changed(None, None, "single", 1, 1), ratio=ratio)
        )

    found = [single("a", 0.93), single("b", 1.0 - 0.048), single("c", 1.12, Strength.RANGE)]
    none = finding("none", 0.1, kind=NO_CHANGE)
    assert [one.key for one in ranked([*found, none])] == ["c", "a", "none", "b"]
    assert [one.key for one in ranked([*found, none], margin=0.02)] == ["c", "a", "b", "none"]
    assert [one.key for one in ranked([*found, none], margin=0.15)] == ["none", "c", "a", "b"]


def test_that_one_vm_in_several_phases_is_one_finding() -> None:
    def odd(phase: str, size: float, vm: str = "V1") -> Finding:
        return finding(f"{phase} {vm}", size, Strength.SINGLE, kind="VM", phase=phase, lit_vm=vm, configuration="MCS")

    found = ranked([odd("boot", 0.3), odd("steady", 0.6), odd("logon", 0.4, "V2")])
    assert [one.key for one in found if not one.led_by] == ["steady V1", "logon V2"]


def test_that_changes_of_total_io_and_iops_and_reads_and_writes_form_one_finding() -> None:
    def io(
        figure: str, ratio: float, strength: Strength, runs: tuple[str, ...] = ("a", "b"), **facts: object
    ) -> Finding:
        found = replace(changed(0.4, 0.6), ratio=ratio)
        size = effect_size(ratio)
        facts = {"phase": "steady", "baseline": "MCS"} | facts
        return finding(f"{figure} {ratio} {runs[0]}", size, strength, figure=figure, change=found, runs=runs, **facts)

    lead = io("iops_per_vm", 0.7, Strength.STRONG, weight=1.0)
    writes = io("write_iops_per_vm", 0.1, Strength.INDICATIVE, weight=0.8)
    rising = io("read_iops_per_vm", 1.3, Strength.INDICATIVE)
    elsewhere = io("write_iops_per_vm", 0.2, Strength.INDICATIVE, ("c", "d"))
    later = io("write_iops_per_vm", 0.3, Strength.INDICATIVE, phase="boot")
    latency = io("write_latency_ms", 0.9, Strength.INDICATIVE)
    found = ranked([latency, later, elsewhere, rising, writes, lead])
    assert [one.key for one in found if not one.led_by] == [
        one.key for one in (lead, elsewhere, later, rising, latency)
    ]
    assert [(one.key, one.led_by) for one in found if one.led_by] == [(writes.key, lead.key)]
    assert ranks_of(found)[writes.key] == ranks_of(found)[lead.key] == 1
    # Without the first finding, its evidence is listed in its place.
    shown, others, undecided = listed([one for one in found if one.key != lead.key])
    assert writes.key in [one.key for one in shown]
    assert (others, undecided) == ((), ())


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(list(Strength)[:5]), st.booleans()), max_size=30))
def test_that_the_list_is_short_and_has_no_inconclusive_finding(drawn: list[tuple[int, Strength, bool]]) -> None:
    found = [
        finding(f"{place:02}", size / 10, strength, kind=NO_CHANGE if none else "compare")
        for place, (size, strength, none) in enumerate(drawn)
    ]
    shown, others, undecided = listed(ranked(found))
    assert sorted(one.key for one in (*shown, *others, *undecided)) == [one.key for one in found]
    assert len(shown) <= 12
    assert {one.strength for one in undecided} <= {Strength.INCONCLUSIVE}
    assert Strength.INCONCLUSIVE not in {one.strength for one in (*shown, *others)}
    for before, after in pairwise(shown):
        if (before.strength, before.kind) == (after.strength, after.kind):
            assert before.size >= after.size


def test_that_no_two_findings_share_a_key() -> None:
    assert [one.key for one in keyed([finding("a"), finding("a"), finding("b")])] == ["a", "a #2", "b"]


def keys(found: tuple[Finding, ...]) -> str:
    return "".join(one.key for one in found)


def test_that_an_edited_text_is_marked_and_the_generated_text_is_kept() -> None:
    edits = with_text((), THREE[1], "  It is\nthus. ")
    found = as_edited(THREE, edits)
    assert keys(found) == "abc"
    assert (found[1].text, found[1].edited, found[1].generated) == ("It is thus.", True, "b is so")
    assert found[1].caveats == ()
    assert not found[0].edited


@pytest.mark.parametrize("text", ["", "b is so"])
def test_that_an_empty_or_the_generated_text_removes_the_edit(text: str) -> None:
    edits = with_text((), THREE[1], "Other words")
    assert with_text(edits, as_edited(THREE, edits)[1], text) == ()


def test_that_an_edit_of_a_finding_whose_figures_changed_reports_it() -> None:
    edits = with_text((), THREE[0], "Cuts by 93 %")
    now = (replace(THREE[0], text="a is 40 %"), *THREE[1:])
    found = as_edited(now, edits)[0]
    assert found.text == "Cuts by 93 %"
    assert "a is 40 %" in found.caveats[0]


def test_that_findings_move_one_place_and_stop_at_the_ends() -> None:
    edits = moved((), THREE, "c", -1)
    assert keys(as_edited(THREE, edits)) == "acb"
    edits = moved(edits, as_edited(THREE, edits), "c", -1)
    assert keys(as_edited(THREE, edits)) == "cab"
    assert moved(edits, as_edited(THREE, edits), "c", -1) == edits
    assert moved(edits, as_edited(THREE, edits), "nobody", 1) == edits


def test_that_a_new_finding_is_placed_by_its_relevance_among_moved_findings() -> None:
    edits = moved((), THREE, "c", -2)
    later = (finding("new"), *THREE)
    assert keys(as_edited(later, edits))[0] == "n"
    assert keys(as_edited(later, edits)).removeprefix("new") == "cab"


def test_that_custom_sentences_come_first_and_can_be_moved_and_edited_and_forgotten() -> None:
    edits = with_own((), "study", "Buy it.")
    found = as_edited(THREE, edits)
    assert (found[0].text, found[0].strength, found[0].own) == ("Buy it.", Strength.YOURS, True)
    edits = moved(edits, found, found[0].key, 2)
    assert [one.text for one in as_edited(THREE, edits)] == ["a is so", "b is so", "Buy it.", "c is so"]
    edits = with_text(edits, as_edited(THREE, edits)[2], "Buy two.")
    assert as_edited(THREE, edits)[2].text == "Buy two."
    assert all(not one.own for one in as_edited(THREE, without(edits, found[0])))
    assert with_own(edits, "study", "  ") == edits


def test_that_custom_sentences_stay_with_their_study() -> None:
    edits = with_own(with_own((), "one", "Of one"), "two", "Of two")
    assert [one.text for one in as_edited((), of_study(edits, "one"))] == ["Of one"]
    assert len({one.key for one in edits}) == 2


def test_that_a_dropped_finding_returns_to_its_place() -> None:
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
def test_that_dropping_a_finding_does_not_change_others(steps: list[Step], key: str) -> None:
    edits = edited(steps)
    before = as_edited(FIVE, edits)
    chosen = next((one for one in before if one.key == key), None)
    if chosen is not None:
        after = as_edited(FIVE, without(edits, chosen))
        assert after == tuple(one for one in before if one.key != key)


@given(STEPS, st.sampled_from("abcde"))
def test_that_an_edited_text_does_not_move_its_finding(steps: list[Step], key: str) -> None:
    edits = edited(steps)
    before = as_edited(FIVE, edits)
    chosen = next((one for one in before if one.key == key), None)
    if chosen is not None:
        after = as_edited(FIVE, with_text(edits, chosen, "other words"))
        assert [one.key for one in after] == [one.key for one in before]


@given(STEPS, st.sampled_from("abcde"), st.integers(-4, 4))
def test_that_a_move_places_one_finding_and_keeps_the_order_of_others(steps: list[Step], key: str, by: int) -> None:
    edits = edited(steps)
    before = [one.key for one in as_edited(FIVE, edits)]
    if key not in before:
        return
    after = [one.key for one in as_edited(FIVE, moved(edits, as_edited(FIVE, edits), key, by))]
    place = min(max(before.index(key) + by, 0), len(before) - 1)
    assert after.index(key) == place
    assert [one for one in after if one != key] == [one for one in before if one != key]


@given(STEPS)
def test_that_edits_survive_findings_that_disappear_and_return(steps: list[Step]) -> None:
    edits = edited(steps)
    known = {one.key for one in as_edited(FIVE[:2], edits) if not one.own}
    assert known <= {"a", "b"}
    assert all(isinstance(one, FindingEdit) for one in edits)
    kept = {one.key for one in FIVE} - {one.key for one in edits if one.dropped}
    assert {one.key for one in as_edited(FIVE, edits) if not one.own} == kept
