"""All that a state shows as single items under keys, so that two states can be laid beside each other.

What a state of the workspace showed, as a workspace file keeps it: figures, verdicts, findings, capacity plans.

A figure that was not available has no entry; it is never 0. Verdicts, findings and plans are None where they were not
known when the state was kept, which is another thing than none at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from workbench.answers.common.choices import Choices, KeptVerdict
from workbench.words.metrics import phase_words

Kind = Literal["verdict", "study", "baseline", "configuration", "run", "phase", "figure", "sizing", "finding"]
Value = float | str
# What the item of a run says that is in the figures.
COUNTS, CONFIGURATION, THERE = "counts", "configuration", "there"


class Key(NamedTuple):
    """What an item is of. `study` and `run` are folders; `run` is empty for a figure of a whole configuration, and
    `configuration` for that of a run, which stays itself under another name."""

    kind: Kind
    study: str
    configuration: str = ""
    run: str = ""
    phase: str = ""
    measure: str = ""


Items = dict[Key, Value]


def items_of(figures: KeptFigures) -> Items:
    """Every item of a state."""
    return {key: value for study in figures.studies for key, value in _of_study(study)}


def unknown_kinds(figures: KeptFigures) -> set[tuple[Kind, str]]:
    """The kinds of items, with the folders of studies, that were not known when the state was kept."""
    return {(kind, study.folder) for study in figures.studies for kind, held in _kept_apart(study) if held is None}


def members(study: KeptStudy) -> dict[str, tuple[KeptRun, ...]]:
    """By the label of each configuration its runs that count."""
    by_label: dict[str, list[KeptRun]] = defaultdict(list)
    for run in study.runs:
        by_label[run.configuration] += [run] if run.excluded is None else []
    return {label: tuple(runs) for label, runs in by_label.items()}


def _kept_apart(study: KeptStudy) -> tuple[tuple[Kind, object], ...]:
    return ("verdict", study.verdicts), ("sizing", study.plans), ("finding", study.findings)


def _of_study(study: KeptStudy) -> Iterator[tuple[Key, Value]]:
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
        # The baseline stands in the place of the run: a verdict against another one is another verdict.
        place = Key("verdict", folder, verdict.configuration, verdict.baseline, verdict.phase, verdict.measure)
        yield place, verdict.verdict
    for plan in study.plans or ():
        for step, number in plan.results.items():
            yield Key("sizing", folder, plan.configuration, phase=plan.phase, measure=step), number
    for finding in study.findings or ():
        yield Key("finding", folder, measure=finding.key), finding.text


def _of_run(folder: str, run: KeptRun) -> Iterator[tuple[Key, Value]]:
    counts = COUNTS if run.excluded is None else f"left out: {run.excluded}" if run.excluded else "left out"
    yield Key("run", folder, run=run.folder, measure=COUNTS), counts
    yield Key("run", folder, run=run.folder, measure=CONFIGURATION), run.configuration
    for phase in run.phases:
        yield Key("phase", folder, run=run.folder, phase=phase.phase), phase_words(phase.phase)
        for measure, number in phase.values.items():
            yield Key("figure", folder, run=run.folder, phase=phase.phase, measure=measure), number


def _of_configuration(folder: str, label: str, runs: Iterable[KeptRun]) -> Iterator[tuple[Key, Value]]:
    """The means over the runs that count, as the phase table by configuration has them."""
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
class KeptPhase:
    """A phase with its measures by their keys, in the units of the catalogue."""

    phase: str
    values: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run: its folder and name, the label of its configuration, the reason that keeps it out (None: it counts), its
    phases, and the names of its files."""

    folder: str
    name: str
    configuration: str
    excluded: str | None = None
    phases: tuple[KeptPhase, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """The results of a configuration's capacity plan by the keys of their steps; `phase` is that of desktops at
    work."""

    configuration: str
    phase: str
    results: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptSentence:
    """A finding as it was read."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class KeptStudy:
    """A study by its folder."""

    folder: str
    name: str
    runs: tuple[KeptRun, ...] = ()
    plans: tuple[KeptPlan, ...] | None = None
    verdicts: tuple[KeptVerdict, ...] | None = None
    findings: tuple[KeptSentence, ...] | None = None


@dataclass(frozen=True, slots=True)
class KeptFigures:
    """All of a state. `rules` are the versions of what the figures were made with, by name."""

    rules: dict[str, str] = field(default_factory=dict)
    studies: tuple[KeptStudy, ...] = ()


@dataclass(frozen=True)
class Before:
    """A state to compare with: what was chosen then, what it showed (None: not kept), and the files it was made of."""

    choices: Choices
    figures: KeptFigures | None = None
    files: Files = field(default_factory=dict)
