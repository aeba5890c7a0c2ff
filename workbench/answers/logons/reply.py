"""`vdiwb logons`: logon times, stuck sessions, VSImax by a model, application starts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.answers.common.baselines import guess_notes, own_baseline, with_option
from workbench.answers.common.reply import Block, Reply, with_sources
from workbench.answers.common.spec import UsageError
from workbench.answers.logons.app_starts import group_app_starts
from workbench.answers.logons.compute import group_logons
from workbench.answers.logons.document import StudyLogons, session_rows
from workbench.answers.logons.document import logons_table as to_table
from workbench.answers.logons.sources import explain_logons_run, explain_vsimax
from workbench.answers.logons.steps import group_steps
from workbench.answers.logons.tables import apps_table, limits_table, logons_table, steps_table
from workbench.answers.logons.vsimax_figure import group_vsimax
from workbench.answers.logons.vsimax_models import ModelFileError, VsimaxModel, load_models
from workbench.charts.figure import Look
from workbench.measures.configurations import Group, baseline_of, group_runs
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Study
from workbench.model.source import Explanation

NOTHING = (
    "These results contain no logons, VSImax or application starts. "
    "Add Login VSI or Login Enterprise files, or an events.csv, to the run folder (docs/formats.md)."
)


def logons(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The logons of every study; raises UsageError for an unknown model."""
    model = _model(options.model, options.models)
    # Logons need no phase values, which would read every counter.
    own = {study.name: group_runs([RunFigures(run, (), ()) for run in study.runs]) for study in studies if study.runs}
    groups, unknown = with_option(own, options.baseline)
    answers = [_answer(study, members, model) for study, members in groups.items()]
    problems = [*own_baseline(unknown), *(problem for study in studies for problem in study.problems)]
    reply = Reply(
        lambda: [blocks for study in answers if (blocks := _text(study, model))] or [[NOTHING]],
        lambda: to_table(answers, model, problems),
        lambda: session_rows(answers),
        complaints=own_baseline(unknown),
        notes=guess_notes({one.study: groups[one.study] for one in answers if any(logon.runs for logon in one.logons)}),
    )
    if not options.explain:
        return reply
    explanations = list(_explained(answers))
    return with_sources(reply, explanations, below=not explanations)


def _explained(groups: Sequence[StudyLogons]) -> Iterator[Explanation]:
    """Every value of every run that counts, including VSImax by the model."""
    for study in groups:
        for group in study.logons:
            for member in group.group.runs:
                yield from explain_logons_run(member)
        for limits in study.limits:
            for run in limits.runs:
                if run.figures is not None:
                    yield explain_vsimax(run.run, run.figures)


def check(options: argparse.Namespace) -> None:
    """Raises UsageError for an unknown model."""
    _model(options.model, options.models)


def _model(name: str | None, own: Path | None) -> VsimaxModel:
    """The requested model, the first if none is given. Raises UsageError."""
    try:
        models = load_models(own)
    except ModelFileError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}.") from error
    if name is None:
        return next(iter(models.values()))
    named = {key.casefold(): model for key, model in models.items()}
    if name.casefold() not in named:
        raise UsageError(f"There is no VSImax model '{name}'. Models: {', '.join(models)}.")
    return named[name.casefold()]


def _answer(study: str, groups: Sequence[Group], model: VsimaxModel) -> StudyLogons:
    return StudyLogons(
        study,
        baseline_of(groups),
        tuple(group_logons(group) for group in groups),
        tuple(group_vsimax(group, model) for group in groups),
        tuple(group_app_starts(group) for group in groups),
    )


def _text(study: StudyLogons, model: VsimaxModel) -> list[Block]:
    look = {logons.group.label: Look("quiet") for logons in study.logons}
    steps = steps_table([group_steps(logons.group) for logons in study.logons], look)
    tables = (logons_table(study.logons, look), steps, limits_table(study.limits, look), apps_table(study.apps, look))
    blocks: list[Block] = [replace(table, name=f"{study.study}: {table.name}") for table in tables if table.rows]
    if any(limits.figures for limits in study.limits):
        blocks.append(_assumed(model))
    return blocks


def _assumed(model: VsimaxModel) -> str:
    words: Sequence[str] = model.assumed
    if not words:
        return f"{model.name}: all values are documented or set by you."
    return f"These values of {model.name} are assumed, because they are not documented: {', '.join(words)}."
