"""The storyboard in workspace files: it is restored, and a damaged part affects only itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.session.test_document import edited_slide, worked_on
from workbench.answers.common.storyboard import MOST_SLIDES, Storyboard, StorySlide
from workbench.session.document import VERSION, SessionDocument, decode_parts, encode, load_session, save_session
from workbench.session.state import History, State


def raw() -> dict[str, Any]:
    """A workspace file with a storyboard of two slides, as JSON."""
    whole: dict[str, Any] = json.loads(encode(SessionDocument(state=worked_on())))
    return whole


def opened(document: dict[str, Any]) -> tuple[State, tuple[str, ...]]:
    read, lost = decode_parts(json.dumps(document).encode(), "x.vdiwb")
    return read.state, lost


def test_that_a_storyboard_is_restored_with_texts_and_notes_and_options() -> None:
    state, lost = opened(raw())
    assert lost == ()
    assert state.storyboard == worked_on().storyboard
    assert state.storyboard is not None
    (ref,) = state.storyboard.slides[0].findings
    assert ref.about == edited_slide().findings[0].about


def test_that_a_file_of_the_first_version_opens_with_the_default_storyboard() -> None:
    old = raw() | {"version": 1}
    del old["state"]["storyboard"]
    state, lost = opened(old)
    assert (state, lost) == (replace(worked_on(), storyboard=None, earlier_names=True), ())
    assert VERSION == 3


@pytest.mark.parametrize(
    ("damage", "kept"),
    [
        (lambda board: board["slides"][0].update(words=7), [None, None]),
        (lambda board: board["slides"][0].update(notes="x" * 20_001), ["Saves", None]),
        (lambda board: board["slides"][0].update(switches={"claim": "yes"}), ["Saves", None]),
        (lambda board: board["slides"][0].pop("key"), [None]),
        (lambda board: board["slides"].append("slide"), ["Saves", None]),
        (lambda board: board.update(title=["x"]), ["Saves", None]),
        (lambda board: board["slides"].extend([board["slides"][1]] * MOST_SLIDES), []),
        (lambda board: board.update(slides={"a": 1}), []),
    ],
)
def test_that_a_damaged_part_of_a_storyboard_is_named_and_affects_no_other(damage: Any, kept: list[str | None]) -> None:
    document = raw()
    damage(document["state"]["storyboard"])
    state, lost = opened(document)
    assert state.storyboard is not None
    assert [slide.words and slide.words.text[:5] for slide in state.storyboard.slides] == kept
    assert replace(state, storyboard=None) == replace(worked_on(), storyboard=None)
    assert lost
    assert all(place.startswith("storyboard") for place in lost)


@pytest.mark.parametrize("board", ["hostile", 7, [1], {"slides": [[[]]]}])
def test_that_an_invalid_storyboard_is_ignored_and_the_rest_opens(board: object, tmp_path: Path) -> None:
    document = raw()
    document["state"]["storyboard"] = board
    file = tmp_path / "a.vdiwb"
    file.write_text(json.dumps(document), encoding="utf-8")
    said: list[str] = []
    state = load_session(file, said.append).state
    assert state.findings == worked_on().findings
    assert state.storyboard in (None, Storyboard())
    assert "storyboard" in " ".join(said)


def test_that_slides_move_with_their_results(tmp_path: Path) -> None:
    then, now = tmp_path / "disk", tmp_path / "usb stick"
    (then / "lab").mkdir(parents=True)
    lab = str(then / "lab")
    slide = replace(edited_slide(), key=f"{lab}/cut", study=lab)
    board = Storyboard((replace(slide, findings=(replace(slide.findings[0], key=f"{lab}/cut"),)),))
    document = SessionDocument(paths=(lab,), state=State(study=lab, storyboard=board))

    save_session(then / "a.vdiwb", document)
    then.rename(now)
    moved = load_session(now / "a.vdiwb").state.storyboard
    assert moved is not None
    assert (moved.slides[0].study, moved.slides[0].findings[0].key) == (str(now / "lab"), f"{now / 'lab'}/cut")


def test_that_a_change_of_the_storyboard_is_undone() -> None:
    history = History(State())
    history.apply(storyboard=Storyboard((StorySlide("a"), StorySlide("b"))))
    history.apply(storyboard=Storyboard((StorySlide("b"), StorySlide("a"))))
    undone = history.undo()
    assert undone is not None
    assert undone.storyboard == Storyboard((StorySlide("a"), StorySlide("b")))
    undone = history.undo()
    assert undone is not None
    assert undone.storyboard is None
