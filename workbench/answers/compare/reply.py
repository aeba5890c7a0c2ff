"""The replies of `vdiwb compare` and `vdiwb distribution`.

`compare` compares every configuration with a baseline, as JSON and CSV rows (schema vdi-workbench/compare/1: keys may
be added, never renamed or removed). `distribution` has the percentiles and the histogram of a metric's samples, by
phase and configuration.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace

from workbench.answers.common.baselines import evidence_of_baseline, guess_notes, with_option
from workbench.answers.common.causes import alike
from workbench.answers.common.document import Table, attributes, problem_row
from workbench.answers.common.looks import looks
from workbench.answers.common.options import explained, margin_of, phase_called
from workbench.answers.common.reply import NO_RUNS, Block, Reply, Text, with_sources
from workbench.answers.common.spec import UsageError
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.compare.distribution import (
    DISTRIBUTION,
    Bins,
    Distribution,
    distribution_table,
    distributions_of,
    percentiles_of,
    shared_bins,
)
from workbench.answers.compare.tables import difference_table
from workbench.measures.configurations import Group, group_runs, phase_names
from workbench.measures.measure import Measure
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.significance.differences import Difference
from workbench.measures.significance.method import METHOD
from workbench.measures.statistics import CONFIDENCE
from workbench.measures.traced import TRACED
from workbench.model.problem import Problem, Severity
from workbench.model.run import Study, baseline_twice, configurations_stated_baseline
from workbench.words.captions import named
from workbench.words.metrics import in_phase
from workbench.words.numbers import plural


def compared(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The comparison of every study. Raises UsageError for an invalid margin, phase or baseline."""
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
    """The groups of every study, by its name.

    Studies of one configuration each count as one study, for example if runs are named one by one. Runs that then have
    the same name get the name of their study as a prefix.
    """
    groups = {name: group_runs(rows) for name, rows in studies.items()}
    if len(groups) > 1 and all(len(members) == 1 for members in groups.values()):
        return {", ".join(groups): group_runs(_named_apart(studies))}
    return groups


def _named_apart(studies: dict[str, list[RunFigures]]) -> list[RunFigures]:
    """The runs of all studies. Run `r` of the study `w1` is called `w1/r` if another study has a run `r`."""
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
    """The comparison of every study that has the baseline; `names` are the names of the opened studies."""
    compareds: list[Compared] = []
    problems: list[Problem] = []
    for study, members in groups.items():
        if study in unknown:
            action = "study not compared; compare it separately"
            problems.append(Problem(Severity.WARNING, study, "compare-baseline", unknown[study], action))
            continue
        if study not in names:
            # If several studies are compared as one, each states its own baseline.
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
        f"The study has only one configuration, '{with_runs[0]}'; add runs of another configuration"
        if len(with_runs) == 1
        else "All runs are excluded; include some of them"
        if not with_runs
        else "No configuration shares a phase with the baseline; set the same [[phases]] in run.toml"
    )
    why, _, advice = message.rpartition("; ")
    action = f"study not compared; {advice}"
    return [Problem(Severity.WARNING, study, "compare-nothing", f"{why}.", action)]


def _phases(wanted: Sequence[str], studies: Sequence[Sequence[Group]]) -> list[str]:
    """The named phases, spelt as the studies spell them. Raises UsageError for a phase that no study has."""
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
        base = f"{named(comparison.baseline.label)} ({plural(runs, 'run')})"
        blocks.append(replace(difference_table(comparison, study.groups), name=f"{study.study}: compared with {base}"))
    blocks += alike(comparison.problems)
    blocks += [f"excluded: {out.run} ({out.configuration}): {out.reason}" for out in comparison.excluded]
    return blocks


COMPARE_SCHEMA = "vdi-workbench/compare/1"


@dataclass(frozen=True, eq=False)
class Compared:
    """A study by name, with its comparison and the compared groups."""

    study: str
    comparison: Comparison
    groups: Sequence[Group] = ()


def compare_table(compared: Sequence[Compared], margin: float, problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb compare --format json` as a value: null = not available; `margin` is a share (0.05 for 5 %).

    `problems` lists first the problems of the comparison, then the problems of the studies.
    """
    own = [problem for one in compared for problem in one.comparison.problems]
    return {
        "schema": COMPARE_SCHEMA,
        "method": METHOD,
        "margin_percent": 100 * margin,
        "confidence_percent": 100 * CONFIDENCE,
        "baselines": [
            {
                "study": one.study,
                "baseline": one.comparison.baseline.label,
                "baseline_evidence": evidence_of_baseline([one.comparison.baseline]),
                "runs": [run.run.name for run in one.comparison.baseline.runs],
                "primary": {phase: list(keys) for phase, keys in one.comparison.primary},
                "primary_by": dict(one.comparison.primary_by),
            }
            for one in compared
            if one.comparison.baseline is not None
        ],
        "differences": [_full(row, one) for one in compared for row in one.comparison.differences],
        "excluded": [
            {"study": one.study, **attributes(run, "configuration", "run", "reason")}
            for one in compared
            for run in one.comparison.excluded
        ],
        "problems": [problem_row(problem) for problem in (*own, *problems)],
    }


def compare_rows(compared: Sequence[Compared]) -> list[Table]:
    """The differences flat: one row per study, phase, configuration and metric."""
    return [_row(row, one) for one in compared for row in one.comparison.differences]


def _row(row: Difference, one: Compared) -> Table:
    change, baseline = row.change, one.comparison.baseline
    return {
        "study": one.study,
        "phase": row.phase,
        "configuration": row.configuration,
        "baseline": None if baseline is None else baseline.label,
        "metric": row.measure.key,
        "unit": row.measure.unit,
        **attributes(row, "value", "baseline_value", "difference"),
        **attributes(change, "ratio", change_percent="percent"),
        "low_percent": None if change is None else _percent(change.low),
        "high_percent": None if change is None else _percent(change.high),
        **attributes(change, "basis", "p"),
        **attributes(row, "p_holm", "p_permutation"),
        "verdict": None if row.verdict is None else row.verdict.value,
        **attributes(row.judgement, "reason"),
        "n": len(row.values),
        "n_baseline": len(row.baseline_values),
        "better": None if row.measure.better == "none" else row.measure.better,
        "name": row.measure.name,
        **attributes(row, "value_geometric", "baseline_value_geometric", "tier", "judged_as", "p_bh", "p_same"),
        "could_show_low_percent": None if row.outlook is None else 100 * row.outlook.low,
        "could_show_high_percent": None if row.outlook is None else 100 * row.outlook.high,
        **attributes(row.outlook, level="level", runs_for_same="same_runs"),
        "objection": row.objection,
        "unmeasured": row.unmeasured or None,
        "outlook": None if row.judgement is None else " ".join(row.judgement.outlook) or None,
        "baseline_evidence": None if baseline is None else evidence_of_baseline([baseline]),
        "order": one.comparison.order_of(row.configuration),
        "not_comparable": row.apart or None,
    }


def _full(row: Difference, one: Compared) -> Table:
    """The difference with the figures of the runs behind it."""
    return {
        **_row(row, one),
        "runs": [{"run": run, "value": value} for run, value in row.values],
        "baseline_runs": [{"run": run, "value": value} for run, value in row.baseline_values],
    }


def _percent(ratio: float | None) -> float | None:
    if ratio is None or not math.isfinite(ratio):
        return None
    return 100 * (ratio - 1)


DISTRIBUTION_SCHEMA = f"vdi-workbench/{DISTRIBUTION}/1"


@dataclass(frozen=True, eq=False)
class Distributed:
    """The distributions of a study's configurations in one phase, with their common bins."""

    study: str
    phase: str
    groups: Sequence[Group]
    distributions: Sequence[Distribution]
    bins: Bins


def distributed(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The distributions of every study. Raises UsageError for an unknown metric or phase."""
    measure = measure_of(options.metric)
    groups = side_by_side({study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs})
    known = list(dict.fromkeys(name for members in groups.values() for name in phase_names(members)))
    phases = [phase_called(name, known) for name in options.phase] or known
    every = [
        Distributed(name, phase, members, distributions, shared_bins(distributions))
        for name, members in groups.items()
        for phase in phases
        if (distributions := distributions_of([group for group in members if group.runs], phase, measure))
    ]
    return Reply(
        lambda: _distribution_text(every, measure), lambda: _json(every, measure), lambda: _rows(every, measure)
    )


def check_metric(options: argparse.Namespace) -> None:
    """Check the metric before anything is read. Raises UsageError."""
    measure_of(options.metric)


def measure_of(key: str) -> Measure:
    """The measure of a metric's key. Raises UsageError with the valid keys."""
    measures = {measure.key: measure for measure in TRACED.values()}
    if key not in measures:
        raise UsageError(f"'{key}' is not a metric recorded over time. Valid metrics: {', '.join(measures)}.")
    return measures[key]


def _distribution_text(every: Sequence[Distributed], measure: Measure) -> Text:
    if not every:
        return [[f"The included runs contain no data on {measure.within} in the selected phases."]]
    return [_table_of(one, measure) for one in every]


def _table_of(one: Distributed, measure: Measure) -> list[Block]:
    counted = [group for group in one.groups if group.runs]
    table = distribution_table(counted, one.distributions, looks(counted), one.phase, measure)
    return [replace(table, name=f"{one.study}: {measure.name} {in_phase(one.phase)}")]


def _json(every: Sequence[Distributed], measure: Measure) -> Table:
    return {
        "schema": DISTRIBUTION_SCHEMA,
        "metric": measure.key,
        "name": measure.name,
        "unit": measure.unit,
        "distributions": [
            {
                **_distribution_row(one, distribution),
                "measured_percent": 100 * distribution.measured,
                "runs": [asdict(run) for run in distribution.runs],
                "runs_without": list(distribution.without),
                "quantiles": [distribution.percentile(share) for share in range(101)],
                "bin_edges": one.bins.edges.tolist(),
                "bin_percent": distribution.bins(one.bins.edges).tolist(),
                "above_percent": distribution.above(one.bins.end),
            }
            for one in every
            for distribution in one.distributions
        ],
    }


def _rows(every: Sequence[Distributed], measure: Measure) -> list[Table]:
    head = {"metric": measure.key, "unit": measure.unit}
    return [{**head, **_distribution_row(one, distribution)} for one in every for distribution in one.distributions]


def _distribution_row(one: Distributed, distribution: Distribution) -> Table:
    counts = attributes(distribution, "samples", "missing", "without_io")
    where = {"study": one.study, "phase": one.phase, "configuration": distribution.label}
    return {**where, **counts, **dict(percentiles_of(distribution))}
