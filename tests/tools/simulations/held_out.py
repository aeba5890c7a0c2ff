"""The error of half of the VMs in predicting the p95 of the load of all: `python -m tests.tools.simulations.held_out`.

Prints the table of docs/statistics.md: every sample run with four VMs or more, each half of its VMs, and simulated
studies of VMs that share a part of their variation.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.answers.sizing.measured import at_moments, correlation, known_together, moments_of
from workbench.answers.sizing.steps import RULES
from workbench.console.loading import load_studies
from workbench.measures.formulas import evaluate
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.study.series.vm_series import vm_samples
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[3] / "sample_data"
FloatArray = npt.NDArray[np.float64]


def expected(measured: FloatArray, vms: int) -> float:
    """The p95 that the plan's own formulas expect of the sum of that many VMs; a row of `measured` per VM."""
    values: dict[str, float | None] = {
        "vms": vms,
        "summed_vms": len(measured),
        "correlation": correlation(measured),
        "mean_iops_per_vm": float(measured.mean()),
        "summed_iops_per_vm": float(np.percentile(measured.mean(axis=0), 95)),
    }
    for rule in RULES:
        if rule.key in ("load_spread", "iops_summed"):
            values[rule.key] = evaluate(rule.formula, values)
    load = values["iops_summed"]
    assert load is not None
    return load


def errors(loads: FloatArray, halves: int) -> Iterator[tuple[float, float, float]]:
    """The error for each half in percent of the p95 of all, for three methods: correction, all at once, and mean."""
    vms = len(loads)
    truth = float(np.percentile(loads.sum(axis=0), 95))
    for half in islice(combinations(range(vms), vms // 2), halves):
        part = loads[list(half)]
        ways = expected(part, vms), vms * float(np.percentile(part, 95)), vms * float(part.mean())
        summed, at_once, mean = (100 * (way / truth - 1) for way in ways)
        yield summed, at_once, mean


def made(vms: int, common: float, seed: int, count: int = 540) -> FloatArray:
    """Bursty rates of VMs: log-normal with a memory of about a minute, and a common share for all."""
    rng = np.random.default_rng([seed, vms, int(100 * common)])
    noise = rng.normal(size=(vms + 1, count + 200))
    for at in range(1, count + 200):
        noise[:, at] = 0.9 * noise[:, at - 1] + np.sqrt(1 - 0.81) * noise[:, at]
    shared, own = noise[0, 200:], noise[1:, 200:]
    rates: FloatArray = 10 * np.exp(0.8 * (np.sqrt(common) * shared + np.sqrt(1 - common) * own))
    return rates


def sample_loads(name: str, store: Path) -> Iterator[FloatArray]:
    """The loads of each steady state of a sample study with four VMs or more."""
    runs = [run for study in load_studies([SAMPLE / name], Store(store)) for run in study.runs]
    for run, row in ((run, run_figures(run).phase("steady")) for run in runs):
        by_vm = vm_samples(run, Quantity.IOPS)
        if row is not None and len(by_vm) >= 4:
            loads = known_together(at_moments(by_vm, moments_of(by_vm, row.phase)))[0]
            yield loads[:, ~np.isnan(loads).any(axis=0)]


def _row(what: str, found: list[tuple[float, float, float]]) -> str:
    every = np.array(found)
    cells = [f"{np.mean(column):+.1f} % ({np.min(column):+.1f} to {np.max(column):+.1f} %)" for column in every.T]
    return f"| {what} | {len(found)} | {' | '.join(cells)} |"


def main() -> None:
    """Prints the table."""
    print(
        "| VMs | number of predictions | error of *corrected* | error of *all at once* | error of *mean* |\n"
        "|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as store:
        for name in sorted(folder.name for folder in SAMPLE.iterdir() if folder.is_dir()):
            found = [error for loads in sample_loads(name, Path(store)) for error in errors(loads, 20)]
            if found:
                print(_row(f"sample study `{name}`", found), flush=True)
    for vms in (8, 150):
        for common in (0.0, 0.2, 0.6):
            found = [error for seed in range(40) for error in errors(made(vms, common, seed), 1)]
            print(_row(f"{vms} generated VMs that share {100 * common:.0f} % of their load", found), flush=True)


if __name__ == "__main__":
    main()
