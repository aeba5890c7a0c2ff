"""What moved in a few sentences: how much of how much, and what could not be told."""

from __future__ import annotations

from workbench.answers.changes.items import Kind
from workbench.answers.changes.moves import Compared, Move
from workbench.answers.changes.replay import Changes

NO_FIGURES = "It was saved without figures: the current files are used instead."
_NUMBERS: tuple[Kind, ...] = ("figure", "sizing")
_NOUNS: dict[Kind, str] = {"verdict": "verdicts", "sizing": "plans", "finding": "findings"}
_COUNTED: tuple[Kind, ...] = ("study", "configuration", "run", "phase")


def headline(changes: Changes, since: str) -> str:
    """What moved since a state, which `since` names ("you saved at 14:02")."""
    laid = changes.compared
    moved, verdicts = laid.moved(*_NUMBERS), laid.moved("verdict")
    parts = [f"{moved or 'None'} of {laid.of(*_NUMBERS)} figures moved since {since}"]
    if laid.of("verdict"):
        parts.append(f"{verdicts or 'none'} of {laid.of('verdict')} verdicts changed")
    sentences = ["; ".join(parts) + "."]
    if findings := laid.moved("finding"):
        sentences.append(f"{findings} finding{'s read' if findings > 1 else ' reads'} differently.")
    return " ".join([*sentences, *_came_and_went(laid)])


def notes(changes: Changes) -> tuple[str, ...]:
    """What could not be compared, in sentences."""
    lacking: dict[str, list[str]] = {}
    for kind, folder in sorted(changes.compared.unknown):
        lacking.setdefault(_NOUNS.get(kind, kind), []).append(changes.names.get(folder, folder))
    told = [f"The {noun} of {', '.join(names)} were not kept and are not compared." for noun, names in lacking.items()]
    return (*((NO_FIGURES,) if changes.unkept else ()), *told)


def _came_and_went(laid: Compared) -> list[str]:
    sentences = []
    for kind in _COUNTED:
        whole = [move for move in laid.moves if move.key.kind == kind and _is_whole(move)]
        for word, count in (
            ("new", sum(move.before is None for move in whole)),
            ("gone", sum(move.after is None for move in whole)),
        ):
            if count:
                noun = kind if count == 1 else "studies" if kind == "study" else f"{kind}s"
                sentences.append(f"{count} {noun} {'is' if count == 1 else 'are'} {word}.")
    return sentences


def _is_whole(move: Move) -> bool:
    """Whether something came or went as a whole."""
    return move.before is None or move.after is None
