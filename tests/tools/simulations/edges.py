"""Edges of detected phases of studies with known phases: their bias, and how many are within the stated limits."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from scipy.signal import lfilter

from tests.builders import T0, counter, recording, run
from tests.tools.simulations.cells import Cell, Job, heads, line
from tests.tools.simulations.studies import Array
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.run import Run
from workbench.phases.activity import detect

LENGTH, QUIET, BUSY = 3600, 10.0, 200.0
# Start and end of boot, start and end of logon, in seconds.
Truth = tuple[float, float, float, float]
Noise = Callable[[np.random.Generator], Array]
# Quarters of a second.
_PARTS = 4


def gamma(scatter: float, rng: np.random.Generator) -> Array:
    """Noise of mean 1 that changes every five seconds."""
    shape = 1 / max(scatter, 1e-6) ** 2
    return np.repeat(rng.gamma(shape, 1 / shape, LENGTH // 5), 5 * _PARTS)


def remembering(scatter: float, memory: float, rng: np.random.Generator) -> Array:
    """Log-normal noise with mean 1 and a memory of that many seconds."""
    keep, sigma = np.exp(-1 / memory), np.sqrt(np.log(1 + scatter**2))
    noise = rng.standard_normal(LENGTH + 600) * np.sqrt(1 - keep**2)
    level = np.asarray(lfilter([1.0], [1.0, -keep], noise))[600:]
    return np.repeat(np.asarray(np.exp(sigma * level - sigma**2 / 2)), _PARTS)


def pausing(seconds: float, rng: np.random.Generator) -> Array:
    """Twice the level for some time, then zero for some time; both times are exponentially distributed."""
    changes = np.cumsum(rng.exponential(seconds, 2 * LENGTH))
    at = np.arange(LENGTH * _PARTS) / _PARTS
    return np.where(np.searchsorted(changes, at) % 2 == int(rng.integers(2)), 2.0, 0.0)


NOISES: dict[str, Noise] = {
    "50 %, a new value every 5 s": partial(gamma, 0.5),
    "100 %, a new value every 5 s": partial(gamma, 1.0),
    "100 %, correlated over 15 s": partial(remembering, 1.0, 15.0),
    "10 s busy, 10 s idle": partial(pausing, 10.0),
}
VMS, STEPS = (1, 5), (5, 15, 60)
# Shortest (at least two and a half samples) and longest boot.
SHORT_S, LONG_S = 60.0, 300.0


def loads(truth: Truth, vms: int, step: int, noise: Noise, seed: int) -> list[Array]:
    """Samples every `step` seconds of each VM: 200 IOPS in boot, 100 in logon, otherwise 10, times noise, averaged over
    each sample's interval."""
    rng = np.random.default_rng(seed)
    at = np.arange(LENGTH * _PARTS) / _PARTS
    level = np.where((at >= truth[0]) & (at < truth[1]), BUSY, QUIET)
    level = np.where((at >= truth[2]) & (at < truth[3]), BUSY / 2, level)
    return [(level * noise(rng)).reshape(-1, step * _PARTS).mean(axis=1) for _ in range(vms)]


def study(folder: Path, rates: list[Array], step: float) -> Run:
    """A run of these loads."""
    files = []
    for place, rate in enumerate(rates):
        times = T0 + step * np.arange(1, rate.size + 1)
        columns = [
            (counter(f"VM{place}", Quantity.READ_IOPS), rate * 0.8),
            (counter(f"VM{place}", Quantity.WRITE_IOPS), rate * 0.2),
        ]
        files.append(recording(folder, f"{place}.csv", times, columns))
    return run(*files)


def errors(phases: list[Phase], truth: Truth) -> list[tuple[float, float]]:
    """The error of each edge of boot and logon, and its stated limit."""
    boot, logon = phases[:2]
    edges = (boot.start, boot.end, logon.start, logon.end)
    within = (boot.start_within_s, boot.end_within_s, logon.start_within_s, logon.end_within_s)
    return [(edge - T0 - true, may or 0.0) for edge, true, may in zip(edges, truth, within, strict=True)]


def jobs(studies: int) -> Iterator[Job]:
    """A cell for each noise, number of VMs and interval."""
    for name, vms, step in product(NOISES, VMS, STEPS):
        yield f"edges {name} {vms} {step}".replace("%", "pc"), partial(edge_cell, studies, vms, step, name)


def edge_cell(studies: int, vms: int, step: int, noise: str) -> Cell:
    """The error and the stated limit of the edges of each study, if boot and logon were found without doubt."""
    rng = np.random.default_rng([6, vms, step])
    cell: Cell = {"sure": [], "within": [], "stated": [], "off": [], "longer": []}
    for _ in range(studies):
        first, boot = 300 + rng.uniform(0, 60), rng.uniform(max(SHORT_S, 2.5 * step), LONG_S)
        truth = (first, first + boot, first + boot + 360, first + boot + 660)
        rates = loads(truth, vms, step, NOISES[noise], int(rng.integers(1 << 30)))
        with tempfile.TemporaryDirectory() as folder:
            phases = detect(study(Path(folder), rates, step))
        sure = len(phases) > 2 and not phases[0].doubt
        cell["sure"].append(float(sure))
        if sure:
            edges = errors(phases, truth)
            cell["within"].append(float(np.mean([abs(off) <= may for off, may in edges])))
            cell["stated"] += [may for _, may in edges]
            cell["off"] += [abs(off) for off, _ in edges]
            cell["longer"] += [edges[1][0] - edges[0][0], edges[3][0] - edges[2][0]]
    return cell


def table(cells: dict[str, Cell]) -> Iterator[str]:
    """The table as Markdown."""
    yield from heads(
        "variation of the VM load",
        "number of VMs",
        "sample interval",
        "share of runs with phases found without doubt",
        "share of edges within the stated uncertainty",
        "stated uncertainty (median)",
        "error of an edge (median)",
        "error of an edge (90th percentile)",
        "error of the phase length (mean)",
    )
    for key, cell in cells.items():
        name, vms, step = key.removeprefix("edges ").replace("pc", "%").rsplit(" ", 2)
        off = np.quantile(cell["off"], [0.5, 0.9])
        yield line(
            name,
            f"{vms} VM{'s'[: vms != '1']}",
            f"{step} s",
            cell["sure"],
            cell["within"],
            f"{np.median(cell['stated']):.0f} s",
            f"{off[0]:.0f} s",
            f"{off[1]:.0f} s",
            f"{np.mean(cell['longer']):+.0f} s".replace("-0", "0").replace("-", "−"),
        )
