"""Problems of one cause as one sentence with a count: what differs between them is names and numbers alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.model.problem import Problem

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
