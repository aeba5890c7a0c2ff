"""How often the findings on disks report a difference that does not exist, or find a true one.

The load is log-normal between runs. Two configurations are compared with the baseline, only in steady state.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from tests.builders import phase, run
from tests.tools.simulations.cells import Cell, Job, heads, line
from tests.tools.simulations.studies import Array
from workbench.answers.findings.rules.sizing import sizing_findings
from workbench.answers.findings.words import Asked
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import Configuration, Provisioning

RUNS, SCATTERS, RATIOS = (3, 5, 10), (0.04, 0.1, 0.2), {"none": 1.0, "half": 0.5}
CONFIGURATIONS = (
    Configuration("MCS", Provisioning.MCS),
    *(Configuration(f"MCSIO {size} MB", Provisioning.MCSIO, None, size) for size in (256, 512)),
)


def jobs(studies: int) -> Iterator[Job]:
    """A cell for each truth, number of runs and variation."""
    for truth in RATIOS:
        for runs in RUNS:
            for scatter in SCATTERS:
                yield f"sizing {truth} {runs} {scatter}", partial(simulate, truth, runs, scatter, studies)


def simulate(truth: str, runs: int, scatter: float, studies: int) -> Cell:
    """The results of each study: whether disks are reported to differ."""
    rng = np.random.default_rng([13, list(RATIOS).index(truth), runs, int(1000 * scatter)])
    cell: Cell = {"claimed": []}
    for _ in range(studies):
        loads = 20 * np.exp(scatter * rng.normal(size=(len(CONFIGURATIONS), runs)))
        loads[1:] *= RATIOS[truth]
        words = [finding.text for finding in sizing_findings(Asked("study", made(loads)))]
        cell["claimed"].append(float(any(" fewer disk" in text or " more disk" in text for text in words)))
    return cell


def made(loads: Array) -> tuple[Group, ...]:
    """A study with these IOPS per VM, by configuration and run."""
    rows = []
    for configuration, of_runs in zip(CONFIGURATIONS, loads.tolist(), strict=True):
        for number, load in enumerate(of_runs):
            name = f"{configuration.name} r{number + 1}"
            figures = PhaseFigures(
                phase("steady", 0, 900),
                iops_per_vm=load,
                p95_iops_per_vm=1.5 * load,
                total_io_per_vm=900 * load,
                read_percent=30.0,
            )
            rows.append(RunFigures(run(name=name, folder=name, configuration=configuration, vms=5), (figures,), ()))
    return group_runs(rows)


def table(cells: dict[str, Cell]) -> Iterator[str]:
    """The table as Markdown."""
    yield from heads(
        "runs per configuration",
        "variation between runs",
        "share of studies with a false difference in disks (equal loads)",
        "share of studies with a difference in disks (half the load)",
    )
    for runs in RUNS:
        for scatter in SCATTERS:
            none, half = (cells[f"sizing {truth} {runs} {scatter}"] for truth in RATIOS)
            yield line(f"{runs} runs", f"{100 * scatter:g} %", none["claimed"], half["claimed"])
