"""How often the upper bound for the largest need of N further VMs holds in a further run, and its excess.

VMs differ by 10 to 25 %, runs by 0 to 8 %. In one half of the studies half of the variance between VMs belongs to the
VM and stays from run to run. Some studies are not log-normal: normal, and gamma.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from tests.tools.simulations.cells import Cell, Job, heads, line
from tests.tools.simulations.studies import Array
from workbench.answers.cache.untested.footprint import largest_of

SHAPES, DESIGNS = ("log-normal", "normal", "gamma"), ((3, 4), (3, 12), (5, 5), (8, 4))
DESKTOPS = 100


def jobs(studies: int) -> Iterator[Job]:
    """A cell for each design of runs and VMs, and number of further VMs."""
    for runs, vms in DESIGNS:
        for further in (vms, DESKTOPS):
            for shape in SHAPES:
                yield f"largest {runs} {vms} {further} {shape}", partial(simulate, runs, vms, further, shape, studies)


def simulate(runs: int, vms: int, further: int, shape: str, studies: int) -> Cell:
    """The results of each study: whether a bound exists, whether it and the largest measured VM hold, and bound ÷
    truth."""
    rng = np.random.default_rng([12, runs, vms, further, SHAPES.index(shape)])
    cell: Cell = {name: [] for name in ("bound", "held", "measured held", "ratio")}
    for _ in range(studies):
        scatter, of_run, lasting = rng.uniform(0.1, 0.25), rng.uniform(0, 0.08), 0.5 * rng.integers(2)
        moved = np.exp(of_run * rng.normal(size=runs + 1))
        own = rng.normal(size=vms)
        # The measured VMs are the same in each run; further VMs are others.
        kept = np.sqrt(lasting) * own + np.sqrt(1 - lasting) * rng.normal(size=(runs, vms))
        measured = 300 * moved[:-1, None] * shaped(kept, scatter, shape)
        truth = float((300 * moved[-1] * shaped(rng.normal(size=further), scatter, shape)).max())
        bound = largest_of([{str(vm): float(mb) for vm, mb in enumerate(run)} for run in measured], further)
        cell["bound"].append(float(bound is not None))
        cell["measured held"].append(float(truth <= measured.max()))
        if bound is not None:
            cell["held"].append(float(truth <= bound))
            cell["ratio"].append(bound / truth)
    return cell


def shaped(normal: Array, scatter: float, shape: str) -> Array:
    """Standard normal numbers as factors with a mean of about 1."""
    if shape == "log-normal":
        return np.asarray(np.exp(scatter * normal))
    if shape == "normal":
        return np.asarray(np.maximum(0.05, 1 + scatter * normal))
    # Wilson and Hilferty's gamma: the cube of a normal number.
    return np.asarray(np.maximum(0.05, 1 - scatter**2 / 9 + scatter / 3 * normal) ** 3)


def table(cells: dict[str, Cell]) -> Iterator[str]:
    """The table of log-normal needs as Markdown, and a sentence on the other shapes."""
    yield from heads(
        "measured runs and VMs",
        "VMs in another run",
        "share of studies in which the bound is large enough",
        "share of studies in which the need of the largest measured VM is large enough",
        "bound ÷ true need (median)",
    )
    for runs, vms in DESIGNS:
        for further in (vms, DESKTOPS):
            cell = cells[f"largest {runs} {vms} {further} {SHAPES[0]}"]
            ratio = f"{np.median(cell['ratio']):.2f}" if cell["ratio"] else ""
            yield line(f"{runs} runs of {vms} VMs", f"{further} VMs", cell["held"], cell["measured held"], ratio)
    shares = [100 * np.mean(cell["held"]) for name, cell in cells.items() if not name.endswith(f" {SHAPES[0]}")]
    yield ""
    yield (
        "The needs in this table are log-normal. With normal and gamma distributions, the bound is large enough in "
        f"{min(shares):.1f} to {max(shares):.1f} % of the studies."
    )
