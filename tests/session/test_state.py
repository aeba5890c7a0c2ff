"""The state and its history: the steps that undo reverses, and the properties that it keeps."""

from __future__ import annotations

from dataclasses import replace

from workbench.model.edits import PhaseEdit
from workbench.session.state import History, State


def test_that_an_edit_without_effect_is_removed() -> None:
    state = State().with_edits(replace(State().edits_of("runs/a"), excluded="fan broke"))
    assert state.excluded == {"runs/a": "fan broke"}
    assert state.with_edits(replace(state.edits_of("runs/a"), excluded=None)).edits == ()


def test_that_edits_of_a_run_do_not_change_others() -> None:
    state = State().with_edits(replace(State().edits_of("a"), time_zone="+01:00"))
    state = state.with_edits(replace(state.edits_of("b"), phases=(PhaseEdit("boot", 0, 60),)))
    assert {one.run for one in state.edits} == {"a", "b"}
    assert state.edits_of("a").time_zone == "+01:00"


def test_that_undo_reverses_edits_and_keeps_the_page() -> None:
    history = History(State())
    history.apply(edits=State().with_edits(replace(State().edits_of("a"), excluded="x")).edits)
    history.apply(page="cache", theme="dark")
    undone = history.undo()
    assert undone is not None
    assert (undone.edits, undone.page, undone.theme) == ((), "cache", "dark")
    redone = history.redo()
    assert redone is not None
    assert redone.excluded == {"a": "x"}


def test_that_an_input_of_the_wrong_type_is_ignored() -> None:
    state = State().with_input("sizing.desktops", "many")
    assert state.number("sizing.desktops", 500.0) == 500.0
    assert state.input("sizing.desktops", "few") == "many"
