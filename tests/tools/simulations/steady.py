"""How often a steady run is marked as not steady, and how often a drift or step is found, for each memory of the
noise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.signal import lfilter

from tests.tools.simulations.cells import Cell, Job, heads, line
from tests.tools.simulations.studies import Array
from workbench.measures.steadiness import BATCHES, of_means

LENGTH_S, STEP_S, SCATTER = 2700, 5, 0.3
MEMORIES = (0, 15, 60, 150, 300, 600)
# The changes of the run: its drift over the phase, and its step in the middle.
TRUTHS = {"steady": (0.0, 0.0), "drift 20": (0.2, 0.0), "drift 40": (0.4, 0.0), "step 60": (0.0, 0.6)}


def jobs(studies: int) -> Iterator[Job]:
    """A cell for each memory and truth."""
    for memory in MEMORIES:
        for name, (drift, step) in TRUTHS.items():
            yield f"{name} {memory}", partial(marked, studies, memory, drift, step)


def marked(runs: int, memory: float, drift: float, step: float) -> Cell:
    """Which runs are marked."""
    rng = np.random.default_rng([5, int(memory)])
    size = LENGTH_S // STEP_S
    at = (np.arange(size) + 0.5) / size
    level = 1 + drift * (at - 0.5) + step * ((at >= 0.5) - 0.5)
    causes = [_cause(level * np.exp(SCATTER * correlated(size, memory, rng))) for _ in range(runs)]
    return {"marked": [float(cause is not None) for cause in causes]}


def correlated(size: int, memory: float, rng: np.random.Generator) -> Array:
    """Standard normal noise with a memory of that many seconds (0: none)."""
    keep = np.exp(-STEP_S / memory) if memory else 0.0
    noise = rng.standard_normal(size) * np.sqrt(1 - keep**2)
    noise[0] = rng.standard_normal()
    return np.asarray(lfilter([1.0], [1.0, -keep], noise))


def _cause(rate: Array) -> str | None:
    found = of_means(rate.reshape(BATCHES, -1).mean(axis=1), 0.0, LENGTH_S)
    return found.cause


def table(cells: dict[str, Cell]) -> Iterator[str]:
    """The table as Markdown."""
    yield from heads(
        "time over which samples are correlated",
        "share of steady runs marked *not steady*",
        "share of runs with a drift of 20 % marked *not steady*",
        "share of runs with a drift of 40 % marked *not steady*",
        "share of runs with a step of 60 % marked *not steady*",
    )
    for memory in MEMORIES:
        yield line(
            f"{memory} s" if memory else "0 s (not correlated)",
            *(cells[f"{name} {memory}"]["marked"] for name in TRUTHS),
        )
