"""`vdiwb compare`: every configuration against a baseline."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from workbench.answers.common.alike import alike
from workbench.answers.common.baselines import guess_notes, with_option
from workbench.answers.common.options import explained, margin_of, phase_called
from workbench.answers.common.reply import NO_RUNS, Block, Reply, Text, with_sources
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.compare.document import Compared, compare_rows, compare_table
from workbench.answers.compare.tables import difference_table
from workbench.measures.configurations import Group, group_runs, phase_names
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.problem import Problem, Severity
from workbench.model.run import Study, baseline_twice, configurations_stated_baseline


def compared(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The comparison of every study; raises UsageError for a margin, a phase or a baseline that cannot be."""
    margin = margin_of(options)
    figures = {study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs}
    groups = side_by_side(figures)
    phases = _phases(options.phase, tuple(groups.values()))
    groups, unknown = with_option(groups, options.baseline)
    comparisons, problems = _compared(groups, figures, unknown, margin, phases)
    every = [*problems, *(problem for study in studies for problem in study.problems)]
    every += [problem for runs in figures.values() for run in runs for problem in run.problems]
    reply = Reply(
        lambda: _text(comparisons, problems),
        lambda: compare_table(comparisons, margin, every),
        lambda: compare_rows(comparisons),
        notes=guess_notes(groups),
    )
    if not options.explain:
        return reply
    counted = [run for study in comparisons for group in study.groups for run in group.runs]
    return with_sources(reply, explained(options, counted, studies, phases), below=True)


def side_by_side(studies: dict[str, list[RunFigures]]) -> dict[str, tuple[Group, ...]]:
    """The groups of every study by its name; studies of one configuration each, as when runs are named one by
    one, are one study. Runs that then share a name carry that of their study."""
    groups = {name: group_runs(rows) for name, rows in studies.items()}
    if len(groups) > 1 and all(len(members) == 1 for members in groups.values()):
        return {", ".join(groups): group_runs(_named_apart(studies))}
    return groups


def _named_apart(studies: dict[str, list[RunFigures]]) -> list[RunFigures]:
    """The runs of all studies; `r` of the study `w1` is called `w1/r` where another study has an `r`."""
    counts = Counter(row.run.name for rows in studies.values() for row in rows)
    return [
        row if counts[row.run.name] == 1 else replace(row, run=replace(row.run, name=_with_study(row.run.name, study)))
        for study, rows in studies.items()
        for row in rows
    ]


def _with_study(run: str, study: str) -> str:
    return study if study.rpartition("/")[2] == run else f"{study}/{run}"


def _compared(
    groups: dict[str, tuple[Group, ...]],
    names: Collection[str],
    unknown: dict[str, str],
    margin: float,
    phases: Sequence[str],
) -> tuple[list[Compared], list[Problem]]:
    """The comparison of every study that has the baseline; `names` are those of the studies that were opened."""
    compareds: list[Compared] = []
    problems: list[Problem] = []
    for study, members in groups.items():
        if study in unknown:
            action = "this study is not compared"
            problems.append(Problem(Severity.WARNING, study, "compare-baseline", unknown[study], action))
            continue
        if study not in names:
            # Several studies compared as one: each states its own baseline.
            stated = configurations_stated_baseline(run.run for group in members for run in group.runs)
            labels = {run.folder: run.name for run in stated}
            problems += [baseline_twice(stated, labels, study)] if len(stated) > 1 else []
        comparison = compare(members, margin, phases)
        compareds.append(Compared(study, comparison, members))
        problems += _nothing_to_compare(study, comparison, members)
    return compareds, problems


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


def _text(comparisons: Sequence[Compared], problems: Sequence[Problem]) -> Text:
    paragraphs: list[Sequence[Block]] = [*map(_study_text, comparisons), alike(problems)]
    return paragraphs if any(paragraphs) else [[NO_RUNS]]


def _study_text(study: Compared) -> list[Block]:
    comparison = study.comparison
    blocks: list[Block] = []
    if comparison.differences and comparison.baseline is not None:
        runs = len(comparison.baseline.runs)
        base = f"{comparison.baseline.label} ({runs} run{'s' * (runs != 1)})"
        blocks.append(replace(difference_table(comparison, study.groups), name=f"{study.study}: against {base}"))
    blocks += alike(comparison.problems)
    blocks += [f"excluded: {out.run} ({out.configuration}): {out.reason}" for out in comparison.excluded]
    return blocks
