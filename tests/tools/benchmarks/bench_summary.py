"""The phase table and the comparison of 60 runs x 150 VMs x 3,600 samples, compared with polars' sum of the columns.

The study is written straight into column-store files (reads, writes and transfers of every VM, 780 MB) and deleted
afterwards. The baseline scans the same files with polars and sums every column: every answer about all samples needs at
least this work. Both are measured in turns, so a busy machine slows both.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tests import builders
from tests.builders import T0, counter, phase, store_frame
from workbench.answers.common.document import summary_table, to_json
from workbench.answers.compare.compute import Comparison, compare
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.recording import Recording, Series
from workbench.model.run import Configuration, Provisioning, Run

RUNS, VMS, SAMPLES = 60, 150, 3600
ROUNDS = 5
TARGET = 3.0
_CONFIGURATIONS = ("MCS", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "PVS 256 MB", "PVS 512 MB")


def run() -> list[dict[str, Any]]:
    """Two rows: the summary as JSON, and the comparison of all configurations, both from the column store."""
    with tempfile.TemporaryDirectory() as folder:
        study = build(Path(folder))
        return measure(study, ROUNDS)


def measure(study: list[Run], rounds: int) -> list[dict[str, Any]]:
    """The medians of `rounds` turns."""
    ours: dict[str, Callable[[], object]] = {"summary": lambda: summary(study), "compare": lambda: comparison(study)}
    _sums(study)
    taken: dict[str, list[float]] = {name: [] for name in ("polars", *ours)}
    for _ in range(rounds):
        taken["polars"].append(_seconds(lambda: _sums(study)))
        for name, answer in ours.items():
            taken[name].append(_seconds(answer))
    base = statistics.median(taken["polars"])
    return [
        {
            "what": f"`vdiwb {name}` (comparison: summing with polars)",
            "ours_s": statistics.median(taken[name]),
            "baseline_s": base,
            "ratio": statistics.median(taken[name]) / base,
            "target": TARGET,
        }
        for name in ours
    ]


def build(folder: Path) -> list[Run]:
    """The runs, ten of each configuration, with three stated phases."""
    pool = np.random.default_rng(2016).exponential(8.0, 1 << 22)
    return [_run(folder, number, pool) for number in range(RUNS)]


def summary(study: list[Run]) -> str:
    """The output of `vdiwb summary --format json`."""
    return to_json(summary_table([run_figures(one) for one in study], ()))


def comparison(study: list[Run]) -> Comparison:
    """Compares every configuration with the baseline, from the samples."""
    return compare(group_runs(run_figures(one) for one in study))


def _sums(study: list[Run]) -> None:
    for recording in (recording for one in study for recording in one.recordings):
        assert recording.store_file is not None
        np.load(recording.store_file, mmap_mode="r").sum(axis=1)


def _run(folder: Path, number: int, pool: npt.NDArray[np.float64]) -> Run:
    name = _CONFIGURATIONS[number % len(_CONFIGURATIONS)]
    start = T0 + 86_400.0 * number
    times = ((start + 1.0 + np.arange(SAMPLES)) * 1e6).astype(np.int64)
    frame: dict[str, Any] = {"t": times}
    series: list[Series] = []
    for vm in range(VMS):
        reads, writes = (_slice(pool, number, vm, half) for half in range(2))
        for quantity, values in (
            (Quantity.READ_IOPS, reads),
            (Quantity.WRITE_IOPS, writes),
            (Quantity.IOPS, reads + writes),
        ):
            one = counter(f"W10-{vm + 1:03d}", quantity)
            place = len(series)
            series.append(Series(place, one.path, one.host, one.object, one.instance, one.counter, one.vm, one.metric))
            frame[f"c{place}"] = values
    file = folder / f"{number}.arrow"
    store_frame(pl.DataFrame(frame), file)
    recording = Recording(
        tuple(series),
        SAMPLES,
        int(times[0]),
        int(times[-1]),
        0,
        tuple(dict.fromkeys(one.host for one in series)),
        f"run-{number}/all.csv",
        str(file),
    )
    at = start - T0
    edges = (("boot", 0, 600), ("logon", 600, 1500), ("steady", 1500, 3600))
    phases = tuple(phase(named, at + first, at + last) for named, first, last in edges)
    provisioning = Provisioning(name.split()[0])
    return builders.run(
        recording,
        name=f"run-{number}",
        folder=f"study/run-{number}",
        stated_phases=phases,
        configuration=Configuration(name, provisioning),
        baseline=name == "MCS",
    )


def _slice(pool: npt.NDArray[np.float64], number: int, vm: int, half: int) -> npt.NDArray[np.float64]:
    first = (number * 7919 + vm * 104_729 + half * 15_485_863) % (pool.size - SAMPLES)
    return pool[first : first + SAMPLES]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
