"""How often the predicted range of an untested cache size contains the truth, and how wide it is.

The growth of the data that VMs write has six shapes that no other test uses. The driver fills a share of the size, or
all but some MB of it. The truth is the mean over other runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from tests.tools.simulations.cells import Cell, Job, heads, line
from tests.tools.simulations.studies import Array
from workbench.answers.cache.untested.footprint import Footprint
from workbench.answers.cache.untested.predict import Prediction, RunFootprints, Untested
from workbench.answers.cache.untested.shares import Fill, WriteShares
from workbench.model.run import Provisioning, SessionType

SHAPES = ("line", "saturating", "square root", "steps", "S", "bursts")
RUNS, STEP_S, READINGS, VMS = (1, 2, 3, 5), 10.0, 240, 5
# The known fill: none, or from the VMs that overflowed at one smaller size, or at two.
KNOWN = {"assumed": (), "measured at one size": (0.4,), "measured at two sizes": (0.3, 0.6)}
TIMES = STEP_S * np.arange(1, READINGS + 1)


def jobs(studies: int) -> Iterator[Job]:
    """A cell for each kind of knowledge about the fill limit and each number of runs."""
    for known in KNOWN:
        for runs in RUNS:
            yield f"what-if {known} {runs}", partial(simulate, known, runs, studies)


def simulate(known: str, runs: int, studies: int) -> Cell:
    """The results of each study: whether the range contains the truth, its width, and the error, as shares."""
    rng = np.random.default_rng([11, runs, list(KNOWN).index(known)])
    cell: Cell = {name: [] for name in ("new", "width", "off")}
    while len(cell["new"]) < studies:
        shape, scatter = SHAPES[rng.integers(len(SHAPES))], rng.uniform(0.02, 0.06)
        written = grown(shape, runs + 200, scatter, rng)
        size = rng.uniform(0.5, 0.85) * float(written[:runs, :, -1].max(axis=1).min())
        share, reserve = rng.uniform(0.95 if known == "assumed" else 0.8, 1.0), rng.uniform(0, 1) < 0.5
        tested = [factor * size for factor in KNOWN[known]]
        kept_mb = (1 - share) * (tested[0] if tested else size)
        full = [(each, each - kept_mb if reserve else share * each) for each in tested]
        truth = first_passage(written, size - kept_mb if reserve else share * size)
        if np.isnan(truth).any():
            continue
        seen = predicted(written[:runs], Fill(tuple(full)), size)
        if seen.overflow is None or seen.overflow.low is None or seen.overflow.high is None:
            continue
        low, value, high = seen.overflow.low, seen.overflow.value, seen.overflow.high
        same, new = float(truth[:runs].mean()), float(truth[runs:].mean())
        cell["new"].append(float(low <= new <= high))
        cell["width"].append((high - low) / same)
        cell["off"].append(abs(value / same - 1))
    return cell


def grown(shape: str, runs: int, scatter: float, rng: np.random.Generator) -> Array:
    """MB written by run, VM and reading. VMs differ by 12 %, runs by `scatter`."""
    part = np.linspace(0, 1, READINGS + 1)[1:]
    size = 500 * np.exp(0.12 * rng.normal(size=(runs, VMS, 1)) + scatter * rng.normal(size=(runs, 1, 1)))
    if shape in ("steps", "bursts"):
        chance, heavy = (0.05, 0.5) if shape == "steps" else (0.3, 1.2)
        pieces = rng.exponential(size=(runs, VMS, READINGS)) ** heavy * (rng.random((runs, VMS, READINGS)) < chance)
        pieces += 0.02
        made = np.cumsum(pieces, axis=2)
        return np.asarray(size * made / made[..., -1:])
    curves = {
        "line": part,
        "saturating": (1 - np.exp(-2.5 * part)) / (1 - np.exp(-2.5)),
        "square root": np.sqrt(part),
        "S": 1 / (1 + np.exp(-9 * (part - 0.45))),
    }
    return np.asarray(size * curves[shape])


def first_passage(written: Array, filled_mb: float) -> Array:
    """The first reading of each run in which a VM has more than this; NaN without one."""
    above = (written > filled_mb).any(axis=1)
    return np.where(above.any(axis=1), TIMES[above.argmax(axis=1)], np.nan)


def predicted(written: Array, fill: Fill, size: float) -> Prediction:
    """The predictions of the program from these runs, which did not overflow."""
    by_run = [tuple(Footprint(str(vm), TIMES, mb, mb, True) for vm, mb in enumerate(vms)) for vms in written]
    runs = tuple(RunFootprints(str(number), str(number), vms) for number, vms in enumerate(by_run))
    kind = Provisioning.MCSIO, SessionType.VDI
    return Untested(kind, (), runs, "exact", fill, WriteShares((), None, None)).at(size)


def table(cells: dict[str, Cell]) -> Iterator[str]:
    """The table as Markdown."""
    yield from heads(
        "usable share",
        "number of runs",
        "share of ranges that contain the mean of new runs",
        "width of the range (median)",
        "error of the prediction (mean)",
    )
    for known in KNOWN:
        for runs in RUNS:
            cell = cells[f"what-if {known} {runs}"]
            width, off = 100 * float(np.median(cell["width"])), 100 * float(np.mean(cell["off"]))
            yield line(
                f"usable share {known}", f"{runs} run{'s'[: runs > 1]}", cell["new"], f"{width:.0f} %", f"{off:.1f} %"
            )
