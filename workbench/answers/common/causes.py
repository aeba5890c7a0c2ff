"""The cause of a problem, from its code, the reader of its file and its severity, never from its sentence.

Also joins problems of one cause into one sentence with a count; such problems differ only in names and numbers.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from workbench.model.problem import CauseGroup, Mending, Problem, Severity, all_named
from workbench.model.resources import resource
from workbench.words.captions import capital, named

BINARY_LOG = ".blg"
# Decisions that the user can make about the last numbers of folder names.
NUMBERS = (Mending.KEEP_APART, Mending.JOIN_RUNS)
# A note that asks the user for something.
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
    """The stable key of a problem's cause: the reader of its file, if any, then its code."""
    return f"{reader}:{problem.code}" if reader else problem.code


def cause_group(problem: Problem) -> CauseGroup:
    """The group of a problem: it needs the user, it was fixed while reading, it made the file unreadable, or it is a
    note."""
    if problem.severity is Severity.REFUSED or unread_log(problem):
        return CauseGroup.REFUSED
    if problem.severity is Severity.INFO:
        return CauseGroup.NEEDS_YOU if problem.code in _ASKS else CauseGroup.NOTE
    return CauseGroup.MENDED if problem.code in _table()["fixed"] else CauseGroup.NEEDS_YOU


def refused_files(problems: Iterable[Problem]) -> set[str]:
    """The files with results that could not be imported."""
    return {problem.file for problem in problems if cause_group(problem) is CauseGroup.REFUSED}


def unread_log(problem: Problem) -> bool:
    """True for a problem about a binary log of an unknown format. Unlike other unknown files it contains results."""
    return problem.code == "not-recognised" and problem.file.casefold().endswith(BINARY_LOG)


@lru_cache(maxsize=1)
def _mendings() -> dict[str, Mending]:
    return {code: Mending(name) for name, codes in _table()["mendings"].items() for code in codes}


def mending_of(code: str) -> Mending:
    """The action for the user on problems with this code, if it is more than looking at the line."""
    return _mendings().get(code, Mending.NOTHING)


# The variable parts of a sentence: a machine, a run, a file, a number.
_NAME = re.compile(r"\b[\w.]+(?:-[\w.]+)+\b|\b[A-Za-z]+\d+\b|\d[\d\u2009\u202f.,]*")
# Maximum number of sentences of one code shown separately. With more, the sentences contain names without digits.
_MOST_SENTENCES = 6
# Maximum number of other files or runs that are named; further ones are counted.
_NAMED_PLACES = 2


@dataclass(frozen=True, slots=True)
class Alike:
    """Problems of one cause: the `first` one, their number, and the number of their files (`noun`)."""

    first: Problem
    count: int
    places: tuple[str, ...]
    noun: str

    def more(self, most: int = _NAMED_PLACES) -> str:
        """The text about the others: their number, and some of their places by name. Empty if there are no others."""
        others, places = self.count - 1, self.places[1:]
        if not others:
            return ""
        if not places:
            return f"{others:,} more such message{'s' * (others > 1)} in this {self.noun}"
        where = f"{len(places):,} other {self.noun}{'s' * (len(places) > 1)}"
        if len(places) <= most:
            where = all_named([*map(named, places)])
        if others == len(places):
            return f"the same applies to {where}"
        return f"{self.count:,} such messages in all, in this {self.noun} and in {where}"


def masked(sentence: str) -> str:
    """The sentence without the names and numbers in it."""
    return _NAME.sub("#", sentence)


def alike(problems: Sequence[Problem], nouns: Mapping[str, str] | None = None) -> list[Alike]:
    """The problems grouped by severity, code and sentence; by the action taken if a code has too many sentences. Groups
    are in order of first occurrence. `nouns` are the words for the places of problems: a "file", a "run"."""
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
    """The first problem of each cause; a sentence after its message has the number of the others."""
    return tuple(
        replace(cause.first, message=f"{cause.first.message} {capital(more)}.") if more else cause.first
        for cause, more in ((cause, cause.more()) for cause in alike(problems, nouns))
    )


def _alike(group: list[Problem], nouns: Mapping[str, str]) -> Alike:
    places = tuple(dict.fromkeys(problem.file for problem in group))
    kinds = {nouns.get(place, "place") for place in places}
    return Alike(group[0], len(group), places, kinds.pop() if len(kinds) == 1 else "place")
