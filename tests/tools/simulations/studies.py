"""Random studies: five configurations, three phases, several runs, with known true ratios."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.builders import disk_csv, phase, run
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import Configuration, Provisioning

PHASES = {"boot": 300.0, "logon": 600.0, "steady": 900.0}
CONFIGURATIONS = (
    Configuration("MCS", Provisioning.MCS),
    *(Configuration(f"MCSIO {size} MB", Provisioning.MCSIO, None, size) for size in (256, 512, 1024, 4096)),
)
# The metrics in addition to IOPS per VM, from which total I/O follows.
OTHERS = ("read_iops_per_vm", "write_iops_per_vm", "read_latency_ms", "write_latency_ms", "cpu_percent")
# The part of the variance that all metrics of a run share.
COMMON = 0.5
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Truth:
    """The runs of each configuration, their variation, and the true ratio of each configuration to the first."""

    runs: int
    scatter: float
    ratios: tuple[float, ...]


def drawn(truth: Truth, rng: np.random.Generator) -> Array:
    """Figures by configuration, run, phase and measure (IOPS per VM first), log-normal around their level."""
    shape = (len(CONFIGURATIONS), truth.runs, len(PHASES), 1 + len(OTHERS))
    common, own = rng.normal(0, 1, (*shape[:3], 1)), rng.normal(0, 1, shape)
    logs = truth.scatter * (np.sqrt(COMMON) * common + np.sqrt(1 - COMMON) * own)
    return np.asarray(20.0 * np.array(truth.ratios)[:, None, None, None] * np.exp(logs))


def as_groups(figures: Array) -> tuple[Group, ...]:
    """The figures as configurations with runs."""
    return group_runs(
        _run(configuration, number, figures[place, number])
        for place, configuration in enumerate(CONFIGURATIONS)
        for number in range(figures.shape[1])
    )


def _run(configuration: Configuration, number: int, figures: Array) -> RunFigures:
    name = f"{configuration.name} r{number + 1}"
    made = run(name=name, folder=name, configuration=configuration, vms=5)
    rows = []
    for row, (label, seconds) in zip(figures.tolist(), PHASES.items(), strict=True):
        others = dict(zip(OTHERS, row[1:], strict=True))
        rows.append(
            PhaseFigures(phase(label, 0, seconds), iops_per_vm=row[0], total_io_per_vm=row[0] * seconds, **others)
        )
    return RunFigures(made, tuple(rows), ())


def as_folder(figures: Array, folder: Path) -> None:
    """The IOPS as files that the real command reads: one VM a run, as many reads as writes, a sample every 60 s."""
    edges = np.cumsum([0, *PHASES.values()])
    for place, configuration in enumerate(CONFIGURATIONS):
        for number in range(figures.shape[1]):
            home = folder / f"{configuration.name} r{number + 1}".replace(" ", "-")
            levels = np.repeat(figures[place, number, :, 0], [int(seconds / 60) for seconds in PHASES.values()])
            # The first sample of a log holds no interval.
            half = [0.0, *(levels / 2).tolist()]
            disk_csv(home / "vm.csv", "W10-001", half, half, step_s=60.0)
            lines = [f'configuration = "{configuration.name}"', f"baseline = {str(place == 0).lower()}"]
            for index, label in enumerate(PHASES):
                start, end = (f"2016-05-10T09:{int(edge // 60):02d}:00+01:00" for edge in edges[index : index + 2])
                lines += ["[[phases]]", f'name = "{label}"', f"start = {start}", f"end = {end}"]
            (home / "run.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
