"""The items that moved since a state, and the causes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePath
from typing import Literal

from workbench.answers.changes.compute import CATALOGUE, CONSTANTS, READERS, STATISTICS, VERSION, Memo, figures_of
from workbench.answers.changes.moves import (
    Before,
    ComparedStates,
    Files,
    Items,
    KeptFigures,
    Key,
    Kind,
    Move,
    SavedRun,
    compared,
    items_of,
    same,
    unknown_kinds,
)
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library, edited_library, split_library
from workbench.answers.common.names import BASELINE, LISTED, MARGIN_PERCENT, PRIMARY
from workbench.answers.sizing.chosen import PREFIX
from workbench.answers.sizing.constants import constants
from workbench.measures.catalogue import MEASURES
from workbench.measures.statistics import MARGIN
from workbench.model.edits import RunEdits
from workbench.model.problem import few_named
from workbench.model.run import Study
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, marked

# More steps than this are not repeated one at a time; with more than the second number, findings, which take longest,
# are not computed after every step.
_MOST_STEPS, _FEW_STEPS = 24, 3


@dataclass(frozen=True)
class Changes:
    """The items that moved between two states, and the causes. `names` are those of studies and runs by their folders.
    `unkept`: the earlier state contains no values, so values of the current files are used instead."""

    compared: ComparedStates
    because: dict[Key, Because]
    names: dict[str, str]
    unkept: bool = False


def changes_since(
    before: Before, opened: Library, files: Files, states: Sequence[Choices], present: Library | None = None
) -> Changes:
    """The items that moved from `before` to the last of `states`, which begin with its choices, on the studies that are
    open now: `opened` as read from `files`, `present` with the edits of the last state. Kept values are used only for
    studies whose files or rules have changed since; the others are computed again, which gives more detail."""
    names = {folder: name for study in opened.studies for folder, name in _named(study)}
    names = named(*((before.figures,) if before.figures is not None else ())) | names
    done = _steps(states, names)
    figures = _replayed(opened, [states[0], *(step.choices for step, _ in done)], present)
    links = [Link(each, causes) for each, (_, causes) in zip(figures[1:], done, strict=True)]
    first = figures[0]
    unkept = before.figures is None and before.files != files
    if before.figures is not None and (causes := outside_causes(before.figures, first, before.files, files)):
        links = [Link(first, causes), *links]
        first = _where_changed(before.figures, first, causes)
    return explained(first, links, names, unkept=unkept)


def explained(before: KeptFigures, links: Sequence[Link], names: dict[str, str], *, unkept: bool = False) -> Changes:
    """The items that moved along the links, and the causes."""
    laid = compared(before, links[-1].figures if links else before)
    return Changes(laid, because(laid.moves, before, links), names, unkept)


def named(*states: KeptFigures) -> dict[str, str]:
    """The names of all studies and runs by their folders."""
    studies = [study for figures in states for study in figures.studies]
    runs = {run.folder: run.name for study in studies for run in study.runs}
    return runs | {study.folder: study.name for study in studies}


def _steps(states: Sequence[Choices], names: dict[str, str]) -> list[tuple[ChangeStep, tuple[ChangeCause, ...]]]:
    """The steps with their causes: one by one; without undone ones if there are many; or all as one if there are still
    too many."""
    done = steps(states, names)
    if len(done) > _MOST_STEPS:
        done = steps((states[0], states[-1]), names)
    if len(done) > _MOST_STEPS:
        return [(done[-1], tuple(map(edit_cause, done)))]
    return [(step, (edit_cause(step),)) for step in done]


def _replayed(opened: Library, states: Sequence[Choices], present: Library | None) -> list[KeptFigures]:
    """The values of each of the states."""
    memo: Memo = {}
    as_read = shown = opened
    figures: list[KeptFigures] = []
    for at, choices in enumerate(states, 1):
        as_read = split_library(opened, as_read, choices.edits)
        shown = edited_library(as_read, shown, choices)
        library = present if at == len(states) and present is not None else shown
        ends = at in (1, len(states)) or len(states) <= _FEW_STEPS + 1
        figures.append(figures_of(library, choices, memo, with_findings=ends))
    return figures


def _where_changed(kept: KeptFigures, now: KeptFigures, causes: Sequence[ChangeCause]) -> KeptFigures:
    """The kept values, but the current ones for studies that none of the causes affects."""
    computed = {study.folder: study for study in now.studies}
    studies = []
    for study in kept.studies:
        again = computed.get(study.folder)
        runs = {run.folder for each in (study, again) if each is not None for run in each.runs}
        borne_on = any(not cause.runs or cause.runs & runs for cause in causes)
        studies.append(study if again is None or borne_on else again)
    return KeptFigures(kept.rules, tuple(studies))


def _named(study: Study) -> list[tuple[str, str]]:
    return [(study.folder, study.name), *((run.folder, run.name) for run in study.runs)]


CauseKind = Literal["file", "edit", "rule", "unknown"]
# Maximum number of causes of one item that are listed.
_MOST = 3
# The name of each rule, and the values that it can move (empty: all).
_RULES: dict[str, tuple[str, tuple[Kind, ...]]] = {
    READERS: ("readers", ()),
    CATALOGUE: ("definition of metrics", ()),
    STATISTICS: ("statistical method", ("verdict", "finding")),
    CONSTANTS: ("sizing constants", ("sizing", "finding")),
}


@dataclass(frozen=True, slots=True)
class ChangeCause:
    """Something that can have moved an item, as text; limited to some runs (empty: all), and to some kinds of items
    (empty: all)."""

    kind: CauseKind
    words: str
    runs: frozenset[str] = frozenset()
    kinds: tuple[Kind, ...] = ()

    def bears_on(self, move: Move, runs: frozenset[str]) -> bool:
        """True if the cause can have moved an item of these runs."""
        return (not self.kinds or move.key.kind in self.kinds) and (not self.runs or bool(self.runs & runs))


@dataclass(frozen=True)
class Link:
    """The values after one step; any of `causes` can have moved them."""

    figures: KeptFigures
    causes: tuple[ChangeCause, ...]


@dataclass(frozen=True, slots=True)
class Because:
    """The causes of a moved item. `together`: it is unknown which of the causes moved it, and how much each."""

    causes: tuple[ChangeCause, ...]
    together: bool = False

    @property
    def words(self) -> str:
        """The causes as text in a table."""
        listed = "; ".join(cause.words for cause in self.causes[:_MOST])
        more = f"; and {len(self.causes) - _MOST} more" if len(self.causes) > _MOST else ""
        return f"together: {listed}{more}" if self.together else f"{listed}{more}"


UNKNOWN = ChangeCause("unknown", "unknown: neither files nor rules changed")


def edit_cause(step: ChangeStep) -> ChangeCause:
    """A step as a cause."""
    return ChangeCause("edit", step.words, step.runs, step.kinds)


def outside_causes(before: KeptFigures, after: KeptFigures, then: Files, now: Files) -> tuple[ChangeCause, ...]:
    """Changes outside the user's work: files, then rules."""
    return (*_file_causes((before, after), then, now), *_rule_causes(before.rules, after.rules))


def _file_causes(states: Sequence[KeptFigures], then: Files, now: Files) -> list[ChangeCause]:
    runs = [run for figures in states for study in figures.studies for run in study.runs]
    causes = []
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            word = "gone" if name not in now else "new" if name not in then else "changed"
            of_runs = frozenset(run.folder for run in runs if name in run.files)
            causes.append(ChangeCause("file", f"{name} {word}", of_runs))
    return causes


def _rule_causes(then: dict[str, str], now: dict[str, str]) -> list[ChangeCause]:
    causes = [
        ChangeCause("rule", f"{words} {_versions(key, then, now)}", kinds=kinds)
        for key, (words, kinds) in _RULES.items()
        if key in then and then[key] != now.get(key)
    ]
    if then.get(VERSION, now.get(VERSION)) != now.get(VERSION) and not causes:
        causes = [ChangeCause("rule", f"program {_versions(VERSION, then, now)}")]
    return causes


def _versions(key: str, then: dict[str, str], now: dict[str, str]) -> str:
    # The others are identified by a hash of their text, which is of no use to a reader.
    return f"{then[key]} → {now.get(key)}" if key in (READERS, STATISTICS, VERSION) else "changed"


def because(moves: Iterable[Move], before: KeptFigures, links: Sequence[Link]) -> dict[Key, Because]:
    """The cause of each item that moved from the earlier state along the links, by key."""
    figures = [before, *(link.figures for link in links)]
    states = [(items_of(each), unknown_kinds(each)) for each in figures]
    runs = [(study.folder, run) for each in (figures[0], figures[-1]) for study in each.studies for run in study.runs]
    return {move.key: _because(move, states, links, _runs_behind(move.key, runs)) for move in moves}


def _because(
    move: Move, states: Sequence[tuple[Items, set[tuple[Kind, str]]]], links: Sequence[Link], runs: frozenset[str]
) -> Because:
    place: tuple[Kind, str] = move.key.kind, move.key.study
    value, causes, waiting, together = states[0][0].get(move.key), list[ChangeCause](), list[ChangeCause](), False
    for (items, unknown), link in zip(states[1:], links, strict=True):
        waiting += [cause for cause in link.causes if cause.bears_on(move, runs)]
        if place in unknown:
            continue  # not computed after this step; the next step with a value shows the move
        if not same(value, items.get(move.key)):
            causes += waiting
            together |= len(waiting) > 1
        value, waiting = items.get(move.key), []
    return Because(tuple(dict.fromkeys(causes)) or (UNKNOWN,), together)


def _runs_behind(key: Key, runs: Iterable[tuple[str, SavedRun]]) -> frozenset[str]:
    """The folders of the runs behind an item. For a finding, and for a verdict (which is judged together with others):
    those of the whole study if no others are known."""
    of_study = [run for folder, run in runs if folder == key.study]
    if key.run and key.kind != "verdict":
        return frozenset((key.run,))
    labels = {key.configuration, key.run} - {""}
    own = frozenset(run.folder for run in of_study if run.configuration in labels)
    return own or frozenset(run.folder for run in of_study)


_MACHINES = "included machines"
# The fields of a run's edits that form one topic for the user, with its name.
_TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("split into runs", ("split",)),
    ("time zone", ("time_zone",)),
    ("order of dates", ("date_order",)),
    ("configuration", ("configuration",)),
    ("provisioning and caches", ("provisioning", "write_cache", "ram_cache_mb")),
    ("sessions, VMs and users", ("session_type", "vms", "users")),
    ("side of the guest counters", ("guest_counters",)),
    (_MACHINES, ("left_out", "counted")),
    ("phases", ("phases", "dropped")),
    ("excluded", ("excluded",)),
)
_JUDGED: tuple[Kind, ...] = ("verdict", "baseline", "finding")
_PLANNED: tuple[Kind, ...] = ("sizing", "finding")


@dataclass(frozen=True, slots=True)
class ChangeStep:
    """One action of the user. `runs` are the folders of the runs whose values it can change, `kinds` the kinds of
    values; empty: any."""

    words: str
    choices: Choices
    runs: frozenset[str] = frozenset()
    kinds: tuple[Kind, ...] = ()


def steps(states: Sequence[Choices], names: Mapping[str, str]) -> list[ChangeStep]:
    """The steps from the first of the states to the last, in their order; `names` are those of runs by folder."""
    return [step for before, after in pairwise(states) for step in _between(before, after, names)]


def _between(before: Choices, after: Choices, names: Mapping[str, str]) -> Iterator[ChangeStep]:
    now = before
    if before.baselines != after.baselines:
        edits = [edit for edit in (*before.edits, *after.edits) if edit.baseline is not None]
        now = now.with_edits(*(replace(now.edits_of(e.run), baseline=after.edits_of(e.run).baseline) for e in edits))
        words = " → ".join(_chosen(choices, names) for choices in (before, after))
        yield ChangeStep(f"baseline: {words}", now, kinds=_JUDGED)
    alike = set(before.edits) & set(after.edits)
    for folder in dict.fromkeys(edit.run for edit in (*before.edits, *after.edits) if edit not in alike):
        name = names.get(folder, PurePath(folder).name)
        for topic, fields in _TOPICS:
            then, target = now.edits_of(folder), after.edits_of(folder)
            edit = replace(then, **{field: getattr(target, field) for field in fields})
            if edit != then:
                now = now.with_edits(edit)
                yield ChangeStep(f"{name}: {_edit_words(topic, then, edit)}", now, frozenset((folder,)))
    stated, wanted = dict(before.inputs), dict(after.inputs)
    for key in dict.fromkeys((*stated, *wanted)):
        if stated.get(key) != wanted.get(key):
            now = now.with_input(key, wanted[key]) if key in wanted else now.without_inputs(frozenset((key,)))
            yield ChangeStep(_input_words(key, stated.get(key), wanted.get(key)), now, kinds=_kinds_of(key))
    if after.hidden != before.hidden:
        now = replace(now, hidden=after.hidden)
        turned = (("hidden", after.hidden - before.hidden), ("shown", before.hidden - after.hidden))
        words = "; ".join(f"{word}: {', '.join(sorted(labels))}" for word, labels in turned if labels)
        yield ChangeStep(words, now, kinds=_JUDGED)
    if after.findings != before.findings:
        yield ChangeStep("findings edited", replace(now, findings=after.findings), kinds=("finding",))


def _chosen(choices: Choices, names: Mapping[str, str]) -> str:
    """The configuration chosen as the baseline, by its runs."""
    runs = [names.get(folder, PurePath(folder).name) for folder in choices.baselines]
    return f"runs {few_named(runs)}" if runs else "default of the study"


def _kinds_of(key: str) -> tuple[Kind, ...]:
    if key in (BASELINE, MARGIN_PERCENT) or key.startswith(PRIMARY):
        return _JUDGED
    return _PLANNED if key.startswith(PREFIX) else ("finding",)


def _edit_words(topic: str, then: RunEdits, edit: RunEdits) -> str:
    if topic == "excluded":
        return f"excluded ({edit.excluded})" if edit.excluded else "included again"
    if topic == "phases":
        changed = {phase.name for phase in set(then.phases) ^ set(edit.phases)} | (
            set(then.dropped) ^ set(edit.dropped)
        )
        return f"edges of {', '.join(map(phase_words, sorted(changed)))}"
    if topic == _MACHINES:
        out, was_out = set(edit.left_out), set(then.left_out)
        turned = (("excluded", out - was_out), ("included", was_out - out | set(edit.counted) - set(then.counted)))
        return "; ".join(f"{word} {few_named(sorted(names))}" for word, names in turned if names) or topic
    if topic == "configuration":
        return f"configuration {edit.configuration or 'as in the files'}"
    return topic


# The names of inputs whose keys are not self-explanatory.
_PLAIN = {
    "benchmarks.family": "tests shown",
    "benchmarks.raw": "raw disk",
    "benchmarks.load": "load curve",
    "benchmarks.repeats": "repeated test",
    "cache.desktops": "VMs to plan for",
    "logons.model": "VSImax model",
    "trend.history": "history folder",
}


def _input_words(key: str, then: object, now: object) -> str:
    if key in LISTED:
        return "list of configurations"
    if key == MARGIN_PERCENT:
        return f"margin {_percent(then)} → {_percent(now)}"
    if key == BASELINE:
        return f"baseline {then or 'of the study'} → {now or 'of the study'}"
    if key.startswith(PRIMARY):
        return f"primary metric, {phase_words(key.removeprefix(PRIMARY))}: {_measure(now)}"
    constant = constants().get(key.removeprefix(PREFIX)) if key.startswith(PREFIX) else None
    plain = _PLAIN.get(key) or re.sub(r"[._-]", " ", key.rpartition(".")[2])
    return f"{constant.label if constant else plain}: {_given(then)} → {_given(now)}"


def _percent(value: object) -> str:
    return f"{_given(100 * MARGIN if value is None else value)} %"


def _measure(value: object) -> str:
    return MEASURES[str(value)].within if value in MEASURES else "default"


def _given(value: object) -> str:
    return MISSING if value is None else marked(f"{value:g}") if isinstance(value, float) else str(value)
