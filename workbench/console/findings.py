"""`vdiwb findings`: what a study concludes, sentence by sentence."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.document import to_csv, to_json
from workbench.answers.common.explain_document import explain_rows, explain_table
from workbench.answers.compare.compute import UnknownBaselineError
from workbench.answers.findings.compute import MOST_SHOWN, Finding
from workbench.answers.findings.document import Told, findings_json, findings_rows
from workbench.answers.findings.sentences import Asked, findings, remarks
from workbench.answers.findings.tables import NAME, findings_table
from workbench.answers.logons.vsimax_models import ModelFileError, load_models
from workbench.answers.sources import Explainer
from workbench.console.command import Command, UsageError
from workbench.console.compare import margin_of, margin_option, side_by_side
from workbench.console.explain import explain_option, explain_text
from workbench.console.tables import printable, problem_line, table_text
from workbench.measures.caches.use import all_problems
from workbench.measures.configurations import Group, phase_names
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import reports_of
from workbench.model.benchmark import Benchmark
from workbench.model.phase import STEADY
from workbench.model.problem import Problem, Severity
from workbench.model.run import Study


def _run(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    problems: list[Problem] = [problem for study in studies for problem in study.problems]
    told, unknown = _all_told(options.baseline, margin_of(options), studies, problems)
    if unknown and not any(one.of_runs for one in told):
        raise UsageError("\n".join(problem.message for problem in unknown))
    problems = [*unknown, *problems]
    if options.explain:
        return _explained(told, studies, problems, options.format)
    if options.format == "json":
        return to_json(findings_json(told, problems))
    if options.format == "csv":
        return to_csv(findings_rows(told))
    return "\n\n".join([*(_text(one, options.all) for one in told), *(problem_line(one) for one in unknown)])


def _explained(told: Sequence[Told], studies: Sequence[Study], problems: Sequence[Problem], form: str) -> str:
    """The same with what each finding rests on; a table lists it finding by finding."""
    runs = {run.folder: run_figures(run) for study in studies for run in study.runs}
    known = Explainer(runs, reports_of(studies))
    found = [(one, known.of(one)) for each in told for one in each.findings]
    if form == "csv":
        return to_csv([{"key": one.key} | row for one, ways in found for row in explain_rows(ways)])
    if form == "json":
        table = findings_json(told, problems)
        for row, (_, ways) in zip(table["findings"], found, strict=True):
            row["explain"] = [explain_table(way) for way in ways]
        return to_json(table)
    return "\n\n".join(f"{printable(one.text)}\n{explain_text(ways)}" for one, ways in found)


def _all_told(
    baseline: str | None, margin: float, studies: Sequence[Study], problems: list[Problem]
) -> tuple[list[Told], list[Problem]]:
    """The findings of every study, runs that were named one by one being one study, then those of the storage
    benchmarks of studies without runs; and a problem for each study that has no such baseline."""
    figures = {study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs}
    problems += [problem for rows in figures.values() for one in rows for problem in all_problems(one)]
    folders = {study.name: study.folder for study in studies}
    rows = {study.name: study.benchmarks for study in studies if study.runs}
    # Studies that are told as one have the benchmarks of all of them.
    together = tuple(row for benchmarks in rows.values() for row in benchmarks)
    told: list[Told] = []
    unknown: list[Problem] = []
    for name, groups in side_by_side(figures).items():
        asked = _asked(folders.get(name, name), groups, rows.get(name, together), baseline, margin)
        try:
            told.append(Told(name, findings(asked), remarks(groups), of_runs=True))
        except UnknownBaselineError as error:
            message = f"{name}: {error}" if len(figures) > 1 else str(error)
            unknown.append(Problem(Severity.WARNING, name, "findings-baseline", message, "no findings of it"))
    alone = [study for study in studies if not study.runs and study.benchmarks]
    told += [
        Told(study.name, findings(_asked(study.folder, (), study.benchmarks, None, margin)), remarks(()))
        for study in alone
    ]
    return told, unknown


def _asked(
    study: str, groups: Sequence[Group], benchmarks: Sequence[Benchmark], baseline: str | None, margin: float
) -> Asked:
    names = phase_names(groups)
    phase = STEADY if STEADY in names or not names else names[-1]
    try:
        models = load_models()
    except (ModelFileError, OSError) as error:
        raise UsageError(str(error)) from error
    return Asked(study, groups, benchmarks, baseline, margin, phase, model=next(iter(models.values()), None))


def _text(told: Told, everything: bool) -> str:
    shown = told.findings if everything else told.findings[:MOST_SHOWN]
    lines: list[str] = []
    if shown:
        table = findings_table(shown, f"{told.study}: {NAME.lower()}")
        lines.append(
            table_text(replace(table, columns=tuple(replace(c, fills=False) for c in table.columns)))
        )
        lines += _caveats(shown)
    else:
        lines.append(printable(f"{told.study}: nothing can be concluded."))
    if len(told.findings) > len(shown):
        lines.append(f"{len(told.findings) - len(shown)} less relevant findings; --all lists them.")
    return "\n".join([*lines, *(printable(text) for text in told.remarks)])


def _caveats(shown: Sequence[Finding]) -> list[str]:
    """Each caveat once, with how many of the findings it limits."""
    told: dict[str, int] = {}
    for one in shown:
        for caveat in one.caveats:
            told[caveat] = told.get(caveat, 0) + 1
    return [
        printable(f"caveat: {text}" + (f" ({count} findings)" if count > 1 else ""))
        for text, count in told.items()
    ]


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--baseline",
        metavar="CONFIGURATION",
        help="what the others are compared with (default: the study's own)",
    )
    margin_option(parser)
    explain_option(parser)
    parser.add_argument("--all", action="store_true", help="the less relevant ones, too (table only)")


COMMAND = Command(
    "findings",
    "what a study concludes: sentences with evidence, strength and caveats",
    "vdiwb findings sample_data/rds-mcsio-cache-sweep",
    _run,
    ("table", "json", "csv"),
    options=_options,
)
