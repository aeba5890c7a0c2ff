"""Small studies in memory, with numbers that can be checked by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tests.builders import store_frame
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.metric import Metric, Quantity
from workbench.model.phase import BOOT, STEADY, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.recording import FileReport, Recording, Series
from workbench.model.run import Configuration, Provisioning, Run, SessionType, Study

START = 1_462_867_200.0  # 2016-05-10 08:00:00 UTC
STEP_S, ROWS = 10, 60  # ten minutes
MB = 2**20

Columns = dict[tuple[str, Quantity], np.ndarray]


def phases() -> tuple[Phase, ...]:
    """Boot is the first five minutes, steady the second five."""
    return (
        Phase(BOOT, START, START + 300, "run.toml", "stated in run.toml"),
        Phase(STEADY, START + 300, START + 600, "run.toml", "stated in run.toml"),
    )


def columns(vms: int, reads: float | None, writes: float | None, ram_mb: float | None = None) -> Columns:
    """Constant rates for each VM; None: that counter was not logged."""
    found: Columns = {}
    for place in range(vms):
        vm = f"VM-{place + 1:02d}"
        if reads is not None:
            found[vm, Quantity.READ_IOPS] = np.full(ROWS, reads)
        if writes is not None:
            found[vm, Quantity.WRITE_IOPS] = np.full(ROWS, writes)
        if ram_mb is not None:
            found[vm, Quantity.CACHE_RAM_USED] = np.linspace(0, ram_mb * MB, ROWS)
    return found


def make_run(
    folder: Path,
    name: str,
    configuration: Configuration,
    data: Columns,
    excluded: str | None = None,
    stated: tuple[Phase, ...] | None = None,
    estimate: bool = False,
) -> Run:
    """A run with its samples in a store file below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / f"{len(list(folder.iterdir()))}.arrow"
    times = [int((START + STEP_S * (row + 1)) * 1e6) for row in range(ROWS)]
    frame = pl.DataFrame({"t": times} | {f"c{place}": values for place, values in enumerate(data.values())})
    store_frame(frame, store)
    series = tuple(
        Series(
            place,
            f"\\\\{vm}\\disk\\{quantity}",
            vm,
            "PhysicalDisk",
            "_Total",
            str(quantity),
            vm,
            Metric(quantity, estimate=estimate and quantity is Quantity.CACHE_RAM_USED),
        )
        for place, (vm, quantity) in enumerate(data)
    )
    recording = Recording(series, ROWS, times[0], times[-1], 0, (), f"{name}.csv", str(store))
    vms = len({vm for vm, _ in data})
    return Run(
        name=name,
        folder=str(folder / name),
        configuration=configuration,
        session_type=SessionType.VDI,
        vms=vms,
        users=vms,
        recordings=(recording,),
        events=(),
        stated_phases=phases() if stated is None else stated,
        excluded=excluded,
    )


def make_study(name: str, runs: list[Run]) -> Study:
    """A study of the runs, with one file and one problem."""
    problem = Problem(Severity.WARNING, "guest/a.csv", "not-a-number", "'n/a' is no number.", "left empty", 44, 3)
    return Study(name, name, tuple(runs), (FileReport("guest/a.csv", "perfmon", True, 60),), (problem,))


MCS = Configuration("MCS", Provisioning.MCS)
MCSIO = Configuration("MCSIO 512 MB", Provisioning.MCSIO, None, 512)
PVS = Configuration("PVS 256 MB", Provisioning.PVS, "device-ram-overflow", 256)


def replicate_study(folder: Path, name: str = "lab") -> Study:
    """MCS: runs of 10, 12 and 14 IOPS per VM on two VMs, a fourth excluded; MCSIO: one run with a cache."""
    runs = [make_run(folder, f"mcs-r{n}", MCS, columns(2, 6.0 + n, 2.0 + n)) for n in (1, 2, 3)]
    runs.append(make_run(folder, "mcs-r4", MCS, columns(2, 500.0, 500.0), excluded="vCenter failed over"))
    runs.append(make_run(folder, "mcsio-r1", MCSIO, columns(2, 0.5, 0.25, ram_mb=256)))
    return make_study(name, runs)


def figures_of(*studies: Study) -> list[RunFigures]:
    """The phase tables of all runs."""
    return [run_figures(run) for study in studies for run in study.runs]
