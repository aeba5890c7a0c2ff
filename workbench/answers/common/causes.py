"""Which cause a problem has: told by its code, the reader of its file and its severity, never by its sentence.

Problems of one cause as one sentence with a count: what differs between them is names and numbers alone.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from workbench.model.problem import CauseGroup, Mending, Problem, Severity
from workbench.model.resources import resource

BINARY_LOG = ".blg"
# What the user can decide about the last numbers of folders' names.
NUMBERS = (Mending.KEEP_APART, Mending.JOIN_RUNS)
# A note that asks for something.
_ASKS = frozenset(("needs-mapping",))


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resource("causes.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def titles() -> dict[str, str]:
    """The title of each cause by the code of its problems."""
    table = _table()
    return {**table["others"], **table["fixed"], **table["needs"]}


def cause_key(problem: Problem, reader: str | None) -> str:
    """The stable key of a problem's cause: its code, behind the reader of its file where one has read it."""
    return f"{reader}:{problem.code}" if reader else problem.code


def cause_group(problem: Problem) -> CauseGroup:
    """Whether a problem needs the user, was mended while reading, cost the whole file, or is a note."""
    if problem.severity is Severity.REFUSED or unread_log(problem):
        return CauseGroup.REFUSED
    if problem.severity is Severity.INFO:
        return CauseGroup.NEEDS_YOU if problem.code in _ASKS else CauseGroup.NOTE
    return CauseGroup.MENDED if problem.code in _table()["fixed"] else CauseGroup.NEEDS_YOU


def unread_log(problem: Problem) -> bool:
    """Whether a problem is of a binary log that no reader knows: results, unlike other files of an unknown format."""
    return problem.code == "not-recognised" and problem.file.casefold().endswith(BINARY_LOG)


@lru_cache(maxsize=1)
def _mendings() -> dict[str, Mending]:
    return {code: Mending(name) for name, codes in _table()["mendings"].items() for code in codes}


def mending_of(code: str) -> Mending:
    """What the user can do about problems of a code, where it is more than to look at the line."""
    return _mendings().get(code, Mending.NOTHING)


# What a sentence names: a machine, a run, a file, a number.
_NAME = re.compile(r"\b[\w.]+(?:-[\w.]+)+\b|\b[A-Za-z]+\d+\b|\d[\d\u2009\u202f.,]*")
# Sentences of one code that are shown one by one: more of them name something that has no digits.
_MOST_SENTENCES = 6
# So many other files or runs are named, more are counted.
_NAMED_PLACES = 4


@dataclass(frozen=True, slots=True)
class Alike:
    """Problems of one cause: the `first` of them, and how many there are of how many files (`noun`)."""

    first: Problem
    count: int
    places: tuple[str, ...]
    noun: str

    def more(self, named: int = _NAMED_PLACES) -> str:
        """How many others there are and where: up to so many other places by name. Empty where there are none."""
        others, places = self.count - 1, self.places[1:]
        if not others:
            return ""
        if not places:
            return f"{others:,} more like this in this {self.noun}"
        where = f"in {len(places):,} other {self.noun}{'s' * (len(places) > 1)}"
        if len(places) <= named:
            where = f"in {', '.join(places)}"
        return f"the same {where}" if others == len(places) else f"{others:,} more like this, also {where}"


def masked(sentence: str) -> str:
    """The sentence without the names and numbers in it."""
    return _NAME.sub("#", sentence)


def alike(problems: Sequence[Problem], nouns: Mapping[str, str] | None = None) -> list[Alike]:
    """The problems by severity, code and sentence, or by what was done where the sentences of a code are too many,
    each cause where it was first met. `nouns` says what the places of problems are: a "file", a "run"."""
    keys = [(problem.severity, problem.code, masked(problem.action)) for problem in problems]
    sentences: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for key, problem in zip(keys, problems, strict=True):
        sentences[key].add(masked(problem.message))
    groups: dict[tuple[str, ...], list[Problem]] = defaultdict(list)
    for key, problem in zip(keys, problems, strict=True):
        few = len(sentences[key]) <= _MOST_SENTENCES
        groups[(*key, masked(problem.message)) if few else key].append(problem)
    return [_alike(group, nouns or {}) for group in groups.values()]


def counted(problems: Sequence[Problem], nouns: Mapping[str, str] | None = None) -> tuple[Problem, ...]:
    """The first problem of each cause, whose sentence says how many others there are."""
    return tuple(
        replace(cause.first, message=f"{cause.first.message} ({cause.more()})") if cause.more() else cause.first
        for cause in alike(problems, nouns)
    )


def _alike(group: list[Problem], nouns: Mapping[str, str]) -> Alike:
    places = tuple(dict.fromkeys(problem.file for problem in group))
    kinds = {nouns.get(place, "place") for place in places}
    return Alike(group[0], len(group), places, kinds.pop() if len(kinds) == 1 else "place")
