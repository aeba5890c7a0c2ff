"""How often differences are called strong when the lab drifts over the day, by the order of the runs.

Three configurations with equal numbers of runs, log-normal variation. The level rises evenly from the first run to the
last.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from tests.builders import phase, run
from tests.tools.simulations.cells import Cell, Job, heads, line
from tests.tools.simulations.studies import CONFIGURATIONS, OTHERS, PHASES, Array, Truth, drawn
from workbench.answers.findings.compute import Strength
from workbench.answers.findings.rules.compare import compare_findings
from workbench.answers.findings.words import Asked
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import Configuration

# The configurations in the order of their runs, A the baseline, and in how many pairs its run came first.
ORDERS = {
    "AAABBBCCC": "9 of 9",
    "AABCABBCC": "8 of 9",
    "AABCBCABC": "7 of 9",
    "ABCABCABC": "6 of 9",
    "ABCBCACAB": "5 of 9",
}
DRIFTS, SCATTER = (0.0, 0.3), 0.04
TRUTHS = {"none": (1.0,) * 5, "cut": (1.0, 0.7, 0.7, 1.0, 1.0)}
SHARES = ("strong", "labelled")
_HOUR = 3600.0


def jobs(studies: int) -> Iterator[Job]:
    """A cell for each order and drift, without a difference and with one of −30 %."""
    for order, drift, truth in product(ORDERS, DRIFTS, TRUTHS):
        yield f"orders {truth} {order} {drift}", partial(simulate, order, drift, truth, studies)


def simulate(order: str, drift: float, truth: str, studies: int) -> Cell:
    """The studies in which any measure of any phase has a strong difference, or a strong or indicative one."""
    rng = np.random.default_rng([14, list(ORDERS).index(order), round(10 * drift), list(TRUTHS).index(truth)])
    names = sorted(set(order))
    places = np.array([[at for at, each in enumerate(order) if each == name] for name in names], dtype=np.float64)
    level = 1 + drift * places / (len(order) - 1)
    cell: Cell = {name: [] for name in SHARES}
    for _ in range(studies):
        figures = drawn(Truth(places.shape[1], SCATTER, TRUTHS[truth]), rng)[: len(names)]
        asked = Asked("study", _groups(figures * level[:, :, None, None], places))
        found = [one.strength for one in compare_findings(asked, asked.comparison) if one.kind == "compare"]
        labelled = [one for one in found if one in (Strength.STRONG, Strength.INDICATIVE)]
        cell["strong"].append(float(Strength.STRONG in labelled))
        cell["labelled"].append(float(bool(labelled)))
    return cell


def _groups(figures: Array, places: Array) -> tuple[Group, ...]:
    """The figures as configurations with a run every hour, in these places of the day."""
    return group_runs(
        _run(CONFIGURATIONS[at], number, figures[at, number], _HOUR * float(places[at, number]))
        for at, number in np.ndindex(*places.shape)
    )


def _run(configuration: Configuration, number: int, figures: Array, start: float) -> RunFigures:
    name = f"{configuration.name} r{number + 1}"
    rows = []
    for row, (label, seconds) in zip(figures.tolist(), PHASES.items(), strict=True):
        others = dict(zip(OTHERS, row[1:], strict=True))
        times = phase(label, start, start + seconds)
        rows.append(PhaseFigures(times, iops_per_vm=row[0], total_io_per_vm=row[0] * seconds, **others))
        start += seconds
    return RunFigures(run(name=name, folder=name, configuration=configuration, vms=5), tuple(rows), ())


def table(cells: dict[str, Cell]) -> Iterator[str]:
    """The table as Markdown: false differences, and detected true ones."""
    columns = ("strong finding", "strong or indicative finding")
    yield from heads(
        *("order of the runs", "number of pairs in which A came first", "drift"),
        *(f"share of *no change* studies with a false {word}" for word in columns),
        *(f"share of *−30 %* studies with a {word}" for word in columns),
    )
    for order, drift in product(ORDERS, DRIFTS):
        both = (cells[f"orders {truth} {order} {drift}"] for truth in TRUTHS)
        yield line(order, ORDERS[order], f"{100 * drift:g} %", *(cell[name] for cell in both for name in SHARES))
