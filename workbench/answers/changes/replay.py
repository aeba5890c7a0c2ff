"""What moved since a state, and because of what: the edits since are done again one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.changes.causes import Because, Cause, Link, because, edit_cause, outside_causes
from workbench.answers.changes.compute import Memo, figures_of
from workbench.answers.changes.items import Key
from workbench.answers.changes.kept import Before, Files, KeptFigures
from workbench.answers.changes.moves import Compared, compared
from workbench.answers.changes.steps import Step, steps
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library, edited_library, split_library
from workbench.model.run import Study

# More steps than this are not done one at a time, and findings, which take longest, not after every one of so many.
_MOST_STEPS, _FEW_STEPS = 24, 3


@dataclass(frozen=True)
class Changes:
    """What moved between two states, and why; `names` are those of studies and runs by their folders. `unkept`: the
    state before has no figures of its own, and those of the files as they are now stand for it."""

    compared: Compared
    because: dict[Key, Because]
    names: dict[str, str]
    unkept: bool = False


def changes_since(
    before: Before, opened: Library, files: Files, states: Sequence[Choices], present: Library | None = None
) -> Changes:
    """What moved from `before` to the last of `states`, which begin with its choices, on what is open now: `opened` as
    it was read from `files`, `present` with the edits of the last state. Figures that were kept are used only of
    studies whose files or rules have changed since: those of the others are computed again, which knows more."""
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
    """What moved along the links, and why."""
    laid = compared(before, links[-1].figures if links else before)
    return Changes(laid, because(laid.moves, before, links), names, unkept)


def named(*states: KeptFigures) -> dict[str, str]:
    """The names of all studies and runs by their folders."""
    studies = [study for figures in states for study in figures.studies]
    runs = {run.folder: run.name for study in studies for run in study.runs}
    return runs | {study.folder: study.name for study in studies}


def _steps(states: Sequence[Choices], names: dict[str, str]) -> list[tuple[Step, tuple[Cause, ...]]]:
    """The steps with their causes: one by one, without those taken back where they are many, else all as one."""
    done = steps(states, names)
    if len(done) > _MOST_STEPS:
        done = steps((states[0], states[-1]), names)
    if len(done) > _MOST_STEPS:
        return [(done[-1], tuple(map(edit_cause, done)))]
    return [(step, (edit_cause(step),)) for step in done]


def _replayed(opened: Library, states: Sequence[Choices], present: Library | None) -> list[KeptFigures]:
    """The figures of each of the states."""
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


def _where_changed(kept: KeptFigures, now: KeptFigures, causes: Sequence[Cause]) -> KeptFigures:
    """The figures as kept, of studies that none of the causes bears on as they are now."""
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
