"""Runs of three configurations with different figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.builders import phase, run
from workbench.answers.compare.compute import Comparison
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.differences import Difference
from workbench.model.phase import STEADY
from workbench.model.run import Configuration, Provisioning

MCS = Configuration("MCS", Provisioning.MCS)


SMALL = Configuration("MCSIO 256 MB", Provisioning.MCSIO, None, 256)


LARGE = Configuration("MCSIO 1 GB", Provisioning.MCSIO, None, 1024)


BASE, LESS = (100.0, 102.0, 98.0), (50.0, 52.0, 49.0)


def one(
    configuration: Configuration,
    n: int = 1,
    name: str = "steady",
    seconds: float = 600.0,
    figures: dict[str, float | None] | None = None,
    **facts: object,
) -> RunFigures:
    """A run with one phase and these figures."""
    label = f"{configuration.name} r{n}"
    stated = {"name": label, "folder": label, "configuration": configuration, "vms": 5, "users": 5} | facts
    row = PhaseFigures(phase(name, 0, seconds), **(figures or {"iops_per_vm": 10.0}))  # type: ignore[arg-type]
    return RunFigures(run(**stated), (row,), ())


def replicates(configuration: Configuration, figure: str, values: tuple[float, ...]) -> list[RunFigures]:
    return [one(configuration, n, figures={figure: value}) for n, value in enumerate(values, 1)]


def groups(*runs: RunFigures) -> tuple[Group, ...]:
    return group_runs(runs)


def codes(found: Comparison) -> list[str]:
    return [problem.code.removeprefix("compare-") for problem in found.problems]


def study(seed: int, phases: tuple[str, ...] = ("boot", "logon", STEADY)) -> list[RunFigures]:
    """Three configurations with three runs each and 10 % variation, in several phases."""
    rng = np.random.default_rng(seed)
    names = ("total_io_per_vm", "iops_per_vm", "read_iops_per_vm", "cpu_percent")
    return [
        replace(
            one(configuration, n),
            phases=tuple(
                one(configuration, n, name, figures={key: float(rng.lognormal(3, 0.1)) for key in names}).phases[0]
                for name in phases
            ),
        )
        for configuration in (MCS, SMALL, LARGE)
        for n in (1, 2, 3)
    ]


def p_of(row: Difference) -> float | None:
    return None if row.change is None else row.change.p
