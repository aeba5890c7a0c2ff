"""Finds the step of a level: the moment between two levels that fits the samples best, and its uncertainty.

Model: one level before the step, another one after it, and between them one bin with a part of both. The moment with
the smallest sum of squares is used (the change point of least squares, Hinkley 1970); no single bin moves it far.

Uncertainty: activity comes in bursts, so its variance grows with its level, and neighbours are correlated. The deviance
of a gamma distribution expresses this (a quasi-likelihood: variance as the square of the level, McCullagh and Nelder
1989, chapters 8 and 9). `FLOOR` of the highest bin is added to every bin, because the variance does not vanish with the
level. Every moment whose deviance exceeds the smallest one by at most `REACH` times the dispersion may be the step:
7.35 is the 95 % point of the likelihood ratio of a threshold (Hansen 2000, table 1). The dispersion is Pearson's, times
(1 + r) / (1 - r), where r is the lag-1 autocorrelation of the residuals. To correct the bias of a fit to few values, r
is raised by (2 + 4 r) / bins. docs/statistics.md has the share of edges within the stated uncertainty, in simulations.

The module also finds wild cells: single samples far above everything around them, which must not affect detection.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.problem import Problem, Severity, all_named
from workbench.model.run import Run
from workbench.phases.clock import when
from workbench.phases.integral import binned_all, known_values
from workbench.study.series.vm_series import BySeries, Samples

REACH = 7.35
FLOOR = 0.02
MOST_ALIKE = 0.9
FloatArray = npt.NDArray[np.float64]


class Step(NamedTuple):
    """A moment and its uncertainty in seconds on either side."""

    at: float
    within_s: float


def step_at(level: FloatArray, edges: FloatArray) -> Step | None:
    """The rise in the bins of `level` (NaN: not measured) between `edges`; None if the level does not rise."""
    known = ~np.isnan(level)
    values, starts, ends = level[known], edges[:-1][known], edges[1:][known]
    if values.size < 3:
        return None
    places = np.arange(1, values.size - 1)
    # The means before and after each of these indices.
    total = np.cumsum(values)
    low, high = total[places - 1] / places, (total[-1] - total[places]) / (values.size - 1 - places)
    rises = high > low
    if not rises.any():
        return None
    places, low, high = places[rises], low[rises], high[rises]
    share = np.clip((values[places] - low) / (high - low), 0.0, 1.0)
    moments = ends[places] - share * (ends[places] - starts[places])
    means = np.array([low, low + share * (high - low), high])
    counts = np.array([places, np.ones_like(places), values.size - 1 - places])
    at = float(moments[_squares(values, means, counts).argmin()])
    near = moments[_likely(values, means, counts)]
    half = 0.5 * float(np.median(ends - starts))
    return Step(at, max(half, float(np.abs(near - at).max())))


def _squares(values: FloatArray, means: FloatArray, counts: npt.NDArray[np.intp]) -> FloatArray:
    """The sum of squares around the means, minus that of the values, for each index."""
    squares: FloatArray = (values[counts[0]] - means[1]) ** 2 - values[counts[0]] ** 2
    squares -= (counts[::2] * means[::2] ** 2).sum(axis=0)
    return squares


def _likely(values: FloatArray, means: FloatArray, counts: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """A mask of the indices that may be the step."""
    floor = FLOOR * float(values.max())
    means = means + floor
    # For the levels, the deviance reduces to the logarithm of their means.
    deviance = 2 * ((counts * np.log(means)).sum(axis=0) + (values[counts[0]] + floor) / means[1] - 1)
    best = int(deviance.argmin())
    rest = (values + floor) / np.repeat(means[:, best], counts[:, best]) - 1
    # The small term ignores rounding errors of a perfect step.
    likely: npt.NDArray[np.bool_] = deviance <= deviance[best] + REACH * _dispersion(rest) + 1e-9
    return likely


def _dispersion(rest: FloatArray) -> float:
    """The variance of the residuals, larger if neighbours are correlated."""
    squares = float((rest**2).sum())
    if squares <= 1e-18:
        return 0.0
    seen = float((rest[1:] * rest[:-1]).sum()) / squares
    alike = min(max(seen + (2 + 4 * seen) / rest.size, 0.0), MOST_ALIKE)
    return squares / max(rest.size - 3, 1) * (1 + alike) / (1 - alike)


# A wild cell is this many times its neighbours, the mean of the other VMs at that time, and 95 % of all samples.
WILD = 10.0
# More candidates than this are not single cells.
MOST = 50


def without_wild(run: Run, by_vm: BySeries) -> tuple[BySeries, list[Problem]]:
    """The samples with wild cells as missing, and a problem for each VM that has some."""
    pooled = known_values([samples.values for samples in by_vm.values()])
    limit = WILD * float(np.percentile(pooled, 95, overwrite_input=True)) if pooled.size else 0.0
    wild = {vm: _wild(by_vm, vm, limit) for vm in by_vm}
    wild = {vm: places for vm, places in wild.items() if places.size}
    kept = {vm: _without(samples, wild[vm]) if vm in wild else samples for vm, samples in by_vm.items()}
    return kept, [_problem(run, vm, by_vm[vm], places) for vm, places in wild.items()]


def _wild(by_vm: BySeries, vm: str, limit: float) -> npt.NDArray[np.intp]:
    """The indices of the wild cells of a VM."""
    samples = by_vm[vm]
    values = np.nan_to_num(samples.values)
    around = np.maximum(np.append(values[1:], 0.0), np.insert(values[:-1], 0, 0.0))
    places = np.flatnonzero((values > max(limit, 0.0)) & (values > WILD * around) & (samples.span > 0))
    if places.size > MOST:
        return places[:0]
    return places[[values[place] > WILD * _others(by_vm, vm, samples, int(place)) for place in places]]


def _others(by_vm: BySeries, vm: str, samples: Samples, place: int) -> float:
    """The mean rate of the other VMs during that sample."""
    edges = np.array((samples.end[place] - samples.span[place], samples.end[place]))
    rates = binned_all({name: other for name, other in by_vm.items() if name != vm}, edges)
    known = rates[~np.isnan(rates)]
    return float(known.mean()) if known.size else 0.0


def _without(samples: Samples, places: npt.NDArray[np.intp]) -> Samples:
    values = samples.values.copy()
    values[places] = np.nan
    return replace(samples, values=values)


def _problem(run: Run, vm: str, samples: Samples, places: npt.NDArray[np.intp]) -> Problem:
    highest = int(places[samples.values[places].argmax()])
    more = f" ({places.size - 1} more such sample{'s' * (places.size > 2)})" if places.size > 1 else ""
    return Problem(
        Severity.WARNING,
        run.name,
        "wild-cell",
        f"{vm} had {samples.values[highest]:,.6g} IOPS {when(run, float(samples.end[highest]))}, over {WILD:.0f} times "
        f"the adjacent samples and those of other VMs{more}.",
        f"ignored in phase detection, kept in metrics; check {all_named(samples.files[:3])}",
    )
