"""`vdiwb distribution`: the percentiles and the histogram of a metric's samples, by phase and configuration."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from workbench.answers.common.command import UsageError
from workbench.answers.common.document import Table
from workbench.answers.common.looks import looks
from workbench.answers.common.options import phase_called
from workbench.answers.common.reply import Block, Reply, Text
from workbench.answers.compare.distribution import (
    DISTRIBUTION,
    Bins,
    distribution_table,
    distributions_of,
    percentiles_of,
    shared_bins,
)
from workbench.answers.compare.reply import side_by_side
from workbench.answers.compare.samples import Distribution
from workbench.measures.configurations import Group, phase_names
from workbench.measures.measure import Measure
from workbench.measures.phase_table import run_figures
from workbench.measures.traced import TRACED
from workbench.model.run import Study
from workbench.words.metrics import phase_words

DISTRIBUTION_SCHEMA = f"vdi-workbench/{DISTRIBUTION}/1"


@dataclass(frozen=True, eq=False)
class Distributed:
    """The distributions of a study's configurations in one phase, with the bins that they share."""

    study: str
    phase: str
    groups: Sequence[Group]
    distributions: Sequence[Distribution]
    bins: Bins


def distributed(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The distributions of every study; raises UsageError for a metric or a phase that there is not."""
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
    return Reply(lambda: _text(every, measure), lambda: _json(every, measure), lambda: _rows(every, measure))


def check_metric(options: argparse.Namespace) -> None:
    """Raises UsageError before anything is read."""
    measure_of(options.metric)


def measure_of(key: str) -> Measure:
    """The measure of a metric's key. Raises UsageError with the keys that there are."""
    measures = {measure.key: measure for measure in TRACED.values()}
    if key not in measures:
        raise UsageError(f"There is no metric '{key}' with samples over time. Metrics: {', '.join(measures)}.")
    return measures[key]


def _text(every: Sequence[Distributed], measure: Measure) -> Text:
    if not every:
        return [[f"No run that counts has {measure.within} in such a phase."]]
    return [_table_of(one, measure) for one in every]


def _table_of(one: Distributed, measure: Measure) -> list[Block]:
    counted = [group for group in one.groups if group.runs]
    table = distribution_table(counted, one.distributions, looks(counted), one.phase, measure)
    return [replace(table, name=f"{one.study}: {measure.name} in {phase_words(one.phase)}")]


def _json(every: Sequence[Distributed], measure: Measure) -> Table:
    return {
        "schema": DISTRIBUTION_SCHEMA,
        "metric": measure.key,
        "name": measure.name,
        "unit": measure.unit,
        "distributions": [
            {
                **_row(one, distribution),
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
    return [{**head, **_row(one, distribution)} for one in every for distribution in one.distributions]


def _row(one: Distributed, distribution: Distribution) -> Table:
    counts = {"samples": distribution.samples, "missing": distribution.missing, "without_io": distribution.without_io}
    where = {"study": one.study, "phase": one.phase, "configuration": distribution.label}
    return {**where, **counts, **dict(percentiles_of(distribution))}
