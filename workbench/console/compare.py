"""`vdiwb compare`: every configuration against a baseline."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.document import to_csv, to_json
from workbench.answers.common.explain_document import explain_rows, explain_table
from workbench.answers.compare.compute import Comparison, UnknownBaselineError, compare
from workbench.answers.compare.document import Compared, compare_rows, compare_table
from workbench.answers.compare.tables import difference_table
from workbench.console.command import Command, UsageError
from workbench.console.explain import check_explain, explain_options, explain_text, explained
from workbench.console.phases import phase_called
from workbench.console.tables import NO_RUNS, printable, problem_line, table_text
from workbench.measures.configurations import Group, group_runs, phase_names
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.problem import Problem, Severity
from workbench.model.run import Study


def _run(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    margin = margin_of(options)
    figures = [[run_figures(run) for run in study.runs] for study in studies if study.runs]
    names = [study.name for study in studies if study.runs]
    groups = side_by_side(dict(zip(names, figures, strict=True)))
    phases = _phases(options.phase, tuple(groups.values()))
    compared, problems = _compared(groups, options.baseline, margin, phases)
    counted = [one for study in compared for group in study.groups for one in group.runs]
    explanations = explained(options, counted, studies, phases)
    if options.format == "csv":
        return to_csv(explain_rows(explanations) if options.explain else compare_rows(compared))
    if options.format == "json":
        problems += [p for study in studies for p in study.problems]
        problems += [p for rows in figures for one in rows for p in one.problems]
        table = compare_table(compared, margin, problems)
        if options.explain:
            table["explain"] = [explain_table(found) for found in explanations]
        return to_json(table)
    text = _text(compared, problems)
    return f"{text}\n\n{explain_text(explanations)}" if explanations else text


def margin_of(options: argparse.Namespace) -> float:
    """The margin asked for as a share. Raises UsageError for one that cannot be."""
    if not 0 <= options.margin < 100:
        raise UsageError(
            f"A margin of {options.margin:g} % is not possible. Enter a percentage from 0 to below 100."
        )
    return float(options.margin) / 100


def margin_option(parser: argparse.ArgumentParser) -> None:
    """`--margin`."""
    parser.add_argument(
        "--margin",
        type=float,
        default=5.0,
        metavar="PERCENT",
        help="changes up to this size count as the same (default: 5)",
    )


def side_by_side(studies: dict[str, list[RunFigures]]) -> dict[str, tuple[Group, ...]]:
    """The groups of every study by its name; studies of one configuration each, as when runs are named one by
    one, are one study."""
    groups = {name: group_runs(rows) for name, rows in studies.items()}
    if len(groups) > 1 and all(len(members) == 1 for members in groups.values()):
        return {", ".join(groups): group_runs([one for rows in studies.values() for one in rows])}
    return groups


def _compared(
    groups: dict[str, tuple[Group, ...]], baseline: str | None, margin: float, phases: Sequence[str]
) -> tuple[list[Compared], list[Problem]]:
    """The comparison of every study that has the baseline; raises UsageError when none has."""
    found: list[Compared] = []
    problems: list[Problem] = []
    unknown: list[str] = []
    for study, members in groups.items():
        try:
            comparison = compare(members, baseline, margin, phases)
        except UnknownBaselineError as error:
            unknown.append(f"{study}: {error}" if len(groups) > 1 else str(error))
            problems.append(
                Problem(Severity.WARNING, study, "compare-baseline", str(error), "this study is not compared")
            )
            continue
        found.append(Compared(study, comparison, members))
        problems += _nothing_to_compare(study, comparison, members)
    if unknown and not found:
        raise UsageError("\n".join(unknown))
    return found, problems


def _nothing_to_compare(study: str, comparison: Comparison, groups: Sequence[Group]) -> list[Problem]:
    if comparison.differences or comparison.problems:
        return []
    with_runs = [group.label for group in groups if group.runs]
    message = (
        f"There is one configuration only, {with_runs[0]}."
        if len(with_runs) == 1
        else "No run counts: all are excluded."
        if not with_runs
        else "No configuration shares a phase with the baseline."
    )
    return [Problem(Severity.WARNING, study, "compare-nothing", message, "nothing is compared")]


def _phases(wanted: Sequence[str], studies: Sequence[Sequence[Group]]) -> list[str]:
    """The phases asked for as the studies call them; raises UsageError for one that none has."""
    known = list(dict.fromkeys(name for groups in studies for name in phase_names(groups)))
    return [phase_called(name, known) for name in wanted]


def _text(compared: Sequence[Compared], problems: Sequence[Problem]) -> str:
    lines: list[str] = []
    for one in compared:
        comparison = one.comparison
        if comparison.differences and comparison.baseline is not None:
            runs = len(comparison.baseline.runs)
            base = f"{comparison.baseline.label} ({runs} run{'s' * (runs != 1)})"
            table = replace(difference_table(comparison, one.groups), name=f"{one.study}: against {base}")
            lines.append(table_text(table))
        lines += [problem_line(problem) for problem in comparison.problems]
        lines += [
            printable(f"excluded: {out.run} ({out.configuration}): {out.reason}")
            for out in comparison.excluded
        ]
        lines.append("")
    lines += [problem_line(problem) for problem in problems]
    return "\n".join(lines).strip("\n") or NO_RUNS


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--baseline",
        metavar="CONFIGURATION",
        help="what the others are compared with (default: the study's own)",
    )
    margin_option(parser)
    parser.add_argument(
        "--phase", action="append", default=[], metavar="PHASE", help="only this phase; may be given again"
    )
    explain_options(parser)


COMMAND = Command(
    "compare",
    "differences with intervals and verdicts",
    "vdiwb compare sample_data --baseline MCS --format json",
    _run,
    ("table", "json", "csv"),
    options=_options,
    check=check_explain,
)
