"""`vdiwb logons`: logon times, stuck sessions, VSImax by a model, application starts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.answers.common.document import to_csv, to_json
from workbench.answers.common.explain_document import explain_rows
from workbench.answers.logons.app_starts import group_app_starts
from workbench.answers.logons.compute import group_logons
from workbench.answers.logons.document import StudyLogons, session_rows
from workbench.answers.logons.document import logons_table as to_table
from workbench.answers.logons.sources import explain_logons_run, explain_vsimax
from workbench.answers.logons.tables import apps_table, limits_table, logons_table
from workbench.answers.logons.vsimax_figure import group_vsimax
from workbench.answers.logons.vsimax_models import ModelFileError, VsimaxModel, load_models
from workbench.charts.figure import Look
from workbench.console.command import Command, UsageError
from workbench.console.explain import explain_key, explain_option, explain_text
from workbench.console.tables import printable, table_text
from workbench.measures.configurations import baseline_of, group_runs
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Study
from workbench.model.source import Explanation

NOTHING = (
    "No logons, VSImax or application starts: they come from Login VSI or Login Enterprise files in a run's folder, "
    "or from an events.csv with logon_start and logon_end (docs/formats.md)."
)


def _run(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    model = _model(options.model, options.models)
    found = [_answer(study, model) for study in studies if study.runs]
    explanations = list(_explained(found)) if options.explain else []
    if options.format == "json":
        table = to_table(found, model, [p for study in studies for p in study.problems])
        return to_json(table | explain_key(options, explanations))
    if options.format == "csv":
        return to_csv(explain_rows(explanations) if options.explain else session_rows(found))
    if explanations:
        return explain_text(explanations)
    return "\n\n".join(part for one in found if (part := _text(one, model))) or NOTHING


def _explained(found: Sequence[StudyLogons]) -> Iterator[Explanation]:
    """Every figure of every run that counts, VSImax by the model among them."""
    for study in found:
        for group in study.logons:
            for one in group.group.runs:
                yield from explain_logons_run(one)
        for limits in study.limits:
            for run in limits.runs:
                if run.figures is not None:
                    yield explain_vsimax(run.run, run.figures)


def _check(options: argparse.Namespace) -> None:
    _model(options.model, options.models)


def _model(name: str | None, own: Path | None) -> VsimaxModel:
    """The model asked for, the first where none is; raises UsageError."""
    try:
        models = load_models(own)
    except ModelFileError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}.") from error
    if name is None:
        return next(iter(models.values()))
    named = {key.casefold(): model for key, model in models.items()}
    if name.casefold() not in named:
        raise UsageError(f"There is no VSImax model '{name}'. Models: {', '.join(models)}.")
    return named[name.casefold()]


def _answer(study: Study, model: VsimaxModel) -> StudyLogons:
    # Logons need no phase figures, which would read every counter.
    groups = group_runs([RunFigures(run, (), ()) for run in study.runs])
    base = baseline_of(groups)
    return StudyLogons(
        study.name,
        base.label if base else None,
        tuple(group_logons(one) for one in groups),
        tuple(group_vsimax(one, model) for one in groups),
        tuple(group_app_starts(one) for one in groups),
    )


def _text(one: StudyLogons, model: VsimaxModel) -> str:
    look = {found.group.label: Look("quiet") for found in one.logons}
    tables = (logons_table(one.logons, look), limits_table(one.limits, look), apps_table(one.apps, look))
    parts = [table_text(replace(table, name=f"{one.study}: {table.name}")) for table in tables if table.rows]
    if any(found.figures for found in one.limits):
        parts.append(_assumed(model))
    return "\n".join(parts)


def _assumed(model: VsimaxModel) -> str:
    words: Sequence[str] = model.assumed
    if not words:
        return printable(f"{model.name}: every number is documented or yours.")
    return printable(f"{model.name}: assumed, not documented: {', '.join(words)}.")


def _options(parser: argparse.ArgumentParser) -> None:
    explain_option(parser)
    parser.add_argument("--model", metavar="NAME", help="VSImax model (default: VSImax 4.1)")
    parser.add_argument(
        "--models", type=Path, metavar="FILE", help="models of your own, as resources/vsimax_models.toml"
    )


COMMAND = Command(
    "logons",
    "logon times, stuck sessions, VSImax and application starts",
    "vdiwb logons sample_data/rds-mcsio-cache-sweep --format json",
    _run,
    ("table", "json", "csv"),
    options=_options,
    check=_check,
)
