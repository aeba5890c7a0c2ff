"""Because of what an item moved: a file, an edit or a rule.

Edits are done again one at a time on the files as they are now, in the order in which the user made them: an item
moved because of those at which it moved. What was kept before and is not the same on the files of now moved because of
files or rules, which cannot be put back: where only one of them can have moved it, that one is named, else all of them
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from workbench.answers.changes.compute import CATALOGUE, CONSTANTS, READERS, STATISTICS, VERSION
from workbench.answers.changes.items import Items, Key, Kind, items_of, unknown_kinds
from workbench.answers.changes.kept import Files, KeptFigures, KeptRun
from workbench.answers.changes.moves import Move, same
from workbench.answers.changes.steps import Step

CauseKind = Literal["file", "edit", "rule", "unknown"]
# So many causes of one item are listed in words.
_MOST = 3
# What each rule is called, and what it can move (empty: everything).
_RULES: dict[str, tuple[str, tuple[Kind, ...]]] = {
    READERS: ("readers", ()),
    CATALOGUE: ("definition of measures", ()),
    STATISTICS: ("statistical method", ("verdict", "finding")),
    CONSTANTS: ("sizing constants", ("sizing", "finding")),
}


@dataclass(frozen=True, slots=True)
class Cause:
    """What can have moved an item, in words; of some runs (empty: all), and of some kinds of items (empty: all)."""

    kind: CauseKind
    words: str
    runs: frozenset[str] = frozenset()
    kinds: tuple[Kind, ...] = ()

    def bears_on(self, move: Move, runs: frozenset[str]) -> bool:
        """Whether it can have moved an item of these runs."""
        return (not self.kinds or move.key.kind in self.kinds) and (not self.runs or bool(self.runs & runs))


@dataclass(frozen=True)
class Link:
    """The figures after one step; `causes` are those of which any can have moved them."""

    figures: KeptFigures
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Because:
    """Why an item moved. `together`: which of the causes moved it, and how much each, is not known."""

    causes: tuple[Cause, ...]
    together: bool = False

    @property
    def words(self) -> str:
        """The causes as a table shows them."""
        listed = "; ".join(cause.words for cause in self.causes[:_MOST])
        more = f"; and {len(self.causes) - _MOST} more" if len(self.causes) > _MOST else ""
        return f"together: {listed}{more}" if self.together else f"{listed}{more}"


UNKNOWN = Cause("unknown", "not known: files and rules are the same")


def edit_cause(step: Step) -> Cause:
    """A step as a cause."""
    return Cause("edit", step.words, step.runs, step.kinds)


def outside_causes(before: KeptFigures, after: KeptFigures, then: Files, now: Files) -> tuple[Cause, ...]:
    """What changed outside of the user's work: files, then rules."""
    return (*_file_causes((before, after), then, now), *_rule_causes(before.rules, after.rules))


def _file_causes(states: Sequence[KeptFigures], then: Files, now: Files) -> list[Cause]:
    runs = [run for figures in states for study in figures.studies for run in study.runs]
    causes = []
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            word = "gone" if name not in now else "new" if name not in then else "changed"
            of_runs = frozenset(run.folder for run in runs if name in run.files)
            causes.append(Cause("file", f"{name} {word}", of_runs))
    return causes


def _rule_causes(then: dict[str, str], now: dict[str, str]) -> list[Cause]:
    causes = [
        Cause("rule", f"{words} {_versions(key, then, now)}", kinds=kinds)
        for key, (words, kinds) in _RULES.items()
        if key in then and then[key] != now.get(key)
    ]
    if then.get(VERSION, now.get(VERSION)) != now.get(VERSION) and not causes:
        causes = [Cause("rule", f"program {_versions(VERSION, then, now)}")]
    return causes


def _versions(key: str, then: dict[str, str], now: dict[str, str]) -> str:
    # The others are known by a print of their text, which tells a reader nothing.
    return f"{then[key]} → {now.get(key)}" if key in (READERS, STATISTICS, VERSION) else "changed"


def because(moves: Iterable[Move], before: KeptFigures, links: Sequence[Link]) -> dict[Key, Because]:
    """By key why each item moved, from the state before along the links."""
    figures = [before, *(link.figures for link in links)]
    states = [(items_of(each), unknown_kinds(each)) for each in figures]
    runs = [(study.folder, run) for each in (figures[0], figures[-1]) for study in each.studies for run in study.runs]
    return {move.key: _because(move, states, links, _runs_behind(move.key, runs)) for move in moves}


def _because(
    move: Move, states: Sequence[tuple[Items, set[tuple[Kind, str]]]], links: Sequence[Link], runs: frozenset[str]
) -> Because:
    place: tuple[Kind, str] = move.key.kind, move.key.study
    value, causes, waiting, together = move.before, list[Cause](), list[Cause](), False
    for (items, unknown), link in zip(states[1:], links, strict=True):
        waiting += [cause for cause in link.causes if cause.bears_on(move, runs)]
        if place in unknown:
            continue  # not computed after this step: the next one that is tells
        if not same(value, items.get(move.key)):
            causes += waiting
            together |= len(waiting) > 1
        value, waiting = items.get(move.key), []
    return Because(tuple(dict.fromkeys(causes)) or (UNKNOWN,), together)


def _runs_behind(key: Key, runs: Iterable[tuple[str, KeptRun]]) -> frozenset[str]:
    """The folders of the runs that an item is made of; of a finding, and of a verdict, which is judged with the others,
    those of the whole study where none of its own are known."""
    of_study = [run for folder, run in runs if folder == key.study]
    if key.run and key.kind != "verdict":
        return frozenset((key.run,))
    labels = {key.configuration, key.run} - {""}
    own = frozenset(run.folder for run in of_study if run.configuration in labels)
    return own or frozenset(run.folder for run in of_study)
