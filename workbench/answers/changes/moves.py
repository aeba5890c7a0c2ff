"""Compares two states item by item. An item that exists on only one side is reported once as a whole, not value by
value.

A value has moved if it differs by more than 10⁻⁹ of itself; smaller differences come from the order of additions. A
value that is missing on one side has moved too and has no difference.

A workspace file stores the results of a state: values, verdicts, findings, capacity plans. This module lists them as
items under keys. A value that was not available has no entry; it is never 0. Verdicts, findings and plans are None if
they were unknown when the state was kept, which differs from an empty list.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from workbench.answers.common.choices import Choices, KeptVerdict
from workbench.answers.findings.values import same_values
from workbench.measures.catalogue import MEASURES
from workbench.words.metrics import phase_words
from workbench.words.numbers import POINTS

_TOLERANCE = 1e-9
# Order: verdicts, new and removed items, values by how far they moved, and finally sentences that repeat them.
_ORDER: dict[Kind, int] = {"verdict": 0, "sizing": 2, "figure": 2, "finding": 3}
# Items counted as parts of a larger item that appeared or disappeared.
_COUNTED: tuple[Kind, ...] = ("figure", "sizing", "verdict")


@dataclass(frozen=True, slots=True)
class Move:
    """An item that differs. None: not available, or missing. `items` is the number of values that appeared or
    disappeared with it."""

    key: Key
    before: Value | None
    after: Value | None
    items: int = 0

    @property
    def difference(self) -> float | None:
        """After minus before in the unit of the value; None if either is missing or not a number."""
        if isinstance(self.before, float) and isinstance(self.after, float):
            return self.after - self.before
        return None

    @property
    def percent(self) -> float | None:
        """The difference in percent of before; None for shares, moments, and if before is 0."""
        measure = MEASURES.get(self.key.measure) if self.key.kind == "figure" else None
        if self.difference is None or not self.before or (measure and (measure.moment or self.unit == POINTS)):
            return None
        return 100 * self.difference / abs(float(self.before))

    @property
    def unit(self) -> str:
        """The unit of the difference of a value; percentage points for a share."""
        measure = MEASURES.get(self.key.measure) if self.key.kind == "figure" else None
        if measure is None:
            return ""
        return POINTS if measure.unit == "%" else "s" if measure.moment else measure.unit


@dataclass(frozen=True)
class ComparedStates:
    """The comparison of two states: what moved, the most important first; the number of items of each kind that both
    states contain; and the kinds, with the folders of studies, that were unknown on one side."""

    moves: tuple[Move, ...] = ()
    counts: Mapping[Kind, int] = field(default_factory=dict)
    unknown: frozenset[tuple[Kind, str]] = frozenset()

    def moved(self, *kinds: Kind) -> int:
        """The number of items of these kinds that moved."""
        return sum(move.key.kind in kinds for move in self.moves)

    def of(self, *kinds: Kind) -> int:
        """The number of items of these kinds on both sides together."""
        return sum(self.counts.get(kind, 0) for kind in kinds)


def compared(before: KeptFigures, after: KeptFigures) -> ComparedStates:
    """Compares the two states."""
    unknown = frozenset(unknown_kinds(before) | unknown_kinds(after))
    alone = _alone(before, after)
    then, now = (
        {key: value for key, value in items_of(each).items() if _asked(key, unknown, alone)} for each in (before, after)
    )
    inside: Counter[Key] = Counter()
    moves: list[Move] = []
    for key in {**then, **now}:
        holder = next((each for each in _holders(key) if each != key and (each in then) != (each in now)), None)
        if holder is not None:
            inside[holder] += key.kind in _COUNTED
        elif not same(then.get(key), now.get(key)):
            moves.append(Move(key, *_shown(then.get(key), now.get(key))))
    told = (replace(move, items=inside[move.key]) for move in moves)
    counts = Counter(key.kind for key in {**then, **now})
    return ComparedStates(tuple(sorted(told, key=_rank)), counts, unknown)


def same(one: Held | None, other: Held | None) -> bool:
    """True if a value did not move. A generated sentence moves only with its values or its strength: a later version
    can say the same in other words."""
    if isinstance(one, KeptSentence) and isinstance(other, KeptSentence):
        if one.strength and other.strength and one.strength != other.strength:
            return False
        return one.text == other.text if one.edited or other.edited else same_values(one.text, other.text)
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_TOLERANCE)
    return one == other


def _shown(one: Held | None, other: Held | None) -> tuple[Value | None, Value | None]:
    """Both sides of a move; sentences as texts, with their strengths if nothing else differs."""
    texts = [each.text for each in (one, other) if isinstance(each, KeptSentence)]
    alike = len(texts) == 2 and texts[0] == texts[1]

    def value(each: Held | None) -> Value | None:
        if isinstance(each, KeptSentence):
            return f"{each.text} ({each.strength})" if alike else each.text
        return each

    return value(one), value(other)


def _asked(key: Key, unknown: frozenset[tuple[Kind, str]], alone: set[tuple[str, str]]) -> bool:
    """True if both states contain this kind of item. The mean of a single run is compared as the run."""
    kind: Kind = "verdict" if key.kind == "baseline" else key.kind
    return (kind, key.study) not in unknown and not (kind == "figure" and (key.study, key.configuration) in alone)


def _holders(key: Key) -> Iterator[Key]:
    """The items that contain this item, the largest first."""
    yield Key("study", key.study)
    if key.kind == "verdict":
        yield Key("baseline", key.study, measure=key.run)
    if key.configuration and key.kind != "configuration":
        yield Key("configuration", key.study, key.configuration)
    if key.run and not key.configuration:
        yield Key("run", key.study, run=key.run, measure=COUNTS)
        yield Key("phase", key.study, run=key.run, phase=key.phase)


def _alone(before: KeptFigures, after: KeptFigures) -> set[tuple[str, str]]:
    """The configurations, by study and label, whose mean is the value of the same single run on both sides."""
    then, now = (
        {(study.folder, label): runs for study in figures.studies for label, runs in members(study).items()}
        for figures in (before, after)
    )
    runs_of = {place: {run.folder for run in (*then.get(place, ()), *now.get(place, ()))} for place in {**then, **now}}
    return {
        place for place, runs in runs_of.items() if len(runs) == 1 and bool(then.get(place)) == bool(now.get(place))
    }


def _rank(move: Move) -> tuple[int, float, Key]:
    """Sort key of numbers: appeared or disappeared ones first, then moved ones by their percent or points."""
    order = _ORDER.get(move.key.kind, 1)
    if order != _ORDER["figure"] or move.difference is None:
        return order, -math.inf, move.key
    size = move.percent if move.percent is not None else move.difference if move.unit == POINTS else 0.0
    return order, -abs(size), move.key


@dataclass(frozen=True, slots=True)
class KeptSentence:
    """The text of a finding, how sure it is (empty: unknown), and if the text is the user's."""

    key: str
    text: str
    strength: str = ""
    edited: bool = False


Kind = Literal["verdict", "study", "baseline", "configuration", "run", "phase", "figure", "sizing", "finding"]
Value = float | str
Held = Value | KeptSentence
# Statements about a run or configuration: if it counts, its configuration, that it exists.
COUNTS, OUT, CONFIGURATION, THERE = "counts", "left out", "configuration", "there"


class Key(NamedTuple):
    """The identity of an item. `study` and `run` are folders. `run` is empty for a value of a whole configuration.
    `configuration` is empty for a value of a run, because a run stays itself under another name."""

    kind: Kind
    study: str
    configuration: str = ""
    run: str = ""
    phase: str = ""
    measure: str = ""


Items = dict[Key, Held]


def items_of(figures: KeptFigures) -> Items:
    """Every item of a state."""
    return {key: value for study in figures.studies for key, value in _of_study(study)}


def unknown_kinds(figures: KeptFigures) -> set[tuple[Kind, str]]:
    """The kinds of items, with the folders of studies, that were unknown when the state was kept."""
    return {(kind, study.folder) for study in figures.studies for kind, held in _kept_apart(study) if held is None}


def members(study: SavedStudy) -> dict[str, tuple[SavedRun, ...]]:
    """The runs that count, by the label of each configuration."""
    by_label: dict[str, list[SavedRun]] = defaultdict(list)
    for run in study.runs:
        by_label[run.configuration] += [run] if run.excluded is None else []
    return {label: tuple(runs) for label, runs in by_label.items()}


def _kept_apart(study: SavedStudy) -> tuple[tuple[Kind, object], ...]:
    return ("verdict", study.verdicts), ("sizing", study.plans), ("finding", study.findings)


def _of_study(study: SavedStudy) -> Iterator[tuple[Key, Held]]:
    folder = study.folder
    yield Key("study", folder), study.name
    for run in study.runs:
        yield from _of_run(folder, run)
    for label, runs in members(study).items():
        if runs:
            yield from _of_configuration(folder, label, runs)
    for base in {verdict.baseline for verdict in study.verdicts or ()}:
        yield Key("baseline", folder, measure=base), base
    for verdict in study.verdicts or ():
        # The key has the baseline in place of the run: a verdict against another baseline is another verdict.
        place = Key("verdict", folder, verdict.configuration, verdict.baseline, verdict.phase, verdict.measure)
        yield place, verdict.verdict
    for plan in study.plans or ():
        for step, number in plan.results.items():
            yield Key("sizing", folder, plan.configuration, phase=plan.phase, measure=step), number
    for finding in study.findings or ():
        yield Key("finding", folder, measure=finding.key), finding


def _of_run(folder: str, run: SavedRun) -> Iterator[tuple[Key, Value]]:
    counts = COUNTS if run.excluded is None else f"{OUT}: {run.excluded}" if run.excluded else OUT
    yield Key("run", folder, run=run.folder, measure=COUNTS), counts
    yield Key("run", folder, run=run.folder, measure=CONFIGURATION), run.configuration
    for phase in run.phases:
        yield Key("phase", folder, run=run.folder, phase=phase.phase), phase_words(phase.phase)
        for measure, number in phase.values.items():
            yield Key("figure", folder, run=run.folder, phase=phase.phase, measure=measure), number


def _of_configuration(folder: str, label: str, runs: Iterable[SavedRun]) -> Iterator[tuple[Key, Value]]:
    """The means over the runs that count, as in the phase table by configuration."""
    numbers: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in runs:
        for phase in run.phases:
            for measure, number in phase.values.items():
                numbers[phase.phase, measure].append(number)
    yield Key("configuration", folder, label), THERE
    for (name, measure), values in numbers.items():
        yield Key("figure", folder, label, phase=name, measure=measure), sum(values) / len(values)


# By the name of a file its size in bytes and its time of change in ns.
Files = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SavedPhase:
    """A phase with its metrics by their keys, in the units of the catalogue."""

    phase: str
    values: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run: its folder and name, the label of its configuration, the reason for its exclusion (None: it counts), its
    phases, and the names of its files."""

    folder: str
    name: str
    configuration: str
    excluded: str | None = None
    phases: tuple[SavedPhase, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """The results of a configuration's capacity plan by the keys of their steps; `phase` is the phase of desktops at
    work."""

    configuration: str
    phase: str
    results: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SavedStudy:
    """A study by its folder."""

    folder: str
    name: str
    runs: tuple[SavedRun, ...] = ()
    plans: tuple[KeptPlan, ...] | None = None
    verdicts: tuple[KeptVerdict, ...] | None = None
    findings: tuple[KeptSentence, ...] | None = None


@dataclass(frozen=True, slots=True)
class KeptFigures:
    """All results that a state shows. `rules` are the versions of the rules that computed the values, by name."""

    rules: dict[str, str] = field(default_factory=dict)
    studies: tuple[SavedStudy, ...] = ()


@dataclass(frozen=True)
class Before:
    """A state to compare with: its choices, its results (None: not stored), and the files it was computed from."""

    choices: Choices
    figures: KeptFigures | None = None
    files: Files = field(default_factory=dict)
