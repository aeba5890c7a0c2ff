"""The overlap-weighted integral: how much of each sample's interval lies inside a phase.

A rate sample is the average over the interval that ends at its time stamp; it counts for the part of that
interval inside `[start, end)`. Source of the rule: PDH rate counters are differences between two collections.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.phase import Phase
from workbench.study.vm_series import Samples

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Integral:
    """`total` = sum of rate x seconds; `covered_s` = seconds of the phase that have a sample."""

    total: float
    covered_s: float


def overlap(samples: Samples, start: float, end: float) -> FloatArray:
    """Seconds of each sample's interval inside `[start, end)`, 0 where the sample is missing."""
    inside = np.minimum(samples.end, end) - np.maximum(samples.start, start)
    return np.where(np.isnan(samples.values), 0.0, np.maximum(inside, 0.0))


def integrate(samples: Samples, phase: Phase) -> Integral | None:
    """The integral of a rate over a phase; None when no sample of it lies inside (not measured, not 0)."""
    weights = overlap(samples, phase.start, phase.end)
    covered = float(weights.sum())
    if covered <= 0.0:
        return None
    return Integral(float(np.dot(weights, np.nan_to_num(samples.values))), covered)


def mean(samples: Samples, phase: Phase) -> float | None:
    """The mean over the measured seconds of a phase, None when there are none."""
    found = integrate(samples, phase)
    return None if found is None else found.total / found.covered_s


def inside(samples: Samples, phase: Phase) -> FloatArray:
    """The values of the samples that lie in the phase for at least half of their interval."""
    chosen = (samples.span > 0) & (overlap(samples, phase.start, phase.end) >= 0.5 * samples.span)
    values: FloatArray = samples.values[chosen & ~np.isnan(samples.values)]
    return values


def last_before(samples: Samples, moment: float) -> float | None:
    """A gauge's last sample at or before `moment`, None when there is none."""
    chosen = (samples.end <= moment) & ~np.isnan(samples.values)
    return float(samples.values[chosen][-1]) if chosen.any() else None


def gaps(samples: Samples, phase: Phase) -> float:
    """Seconds of the phase that no sample speaks for."""
    return max(0.0, phase.duration_s - float(overlap(samples, phase.start, phase.end).sum()))


def binned(samples: Samples, edges: FloatArray) -> FloatArray:
    """The rate averaged over each bin of `edges` (UTC seconds), NaN where nothing was measured.

    Integral-preserving: the sum of bin x covered seconds equals the integral over the same stretch.
    """
    good = ~np.isnan(samples.values) & (samples.span > 0)
    start, end, values = samples.start[good], samples.end[good], samples.values[good]
    if not end.size:
        return np.full(edges.size - 1, np.nan)
    # Knots at both ends of every interval: between intervals (gaps) both integrals stand still.
    knots = np.column_stack((start, end)).ravel()
    amount = np.zeros(knots.size)
    amount[1::2] = values * (end - start)
    seconds = np.zeros(knots.size)
    seconds[1::2] = end - start
    total = np.diff(np.interp(edges, knots, np.cumsum(amount)))
    covered = np.diff(np.interp(edges, knots, np.cumsum(seconds)))
    # Below this share of a bin the quotient is rounding noise of the running sums.
    enough = covered > 1e-6 * np.diff(edges)
    return np.divide(total, covered, out=np.full(total.size, np.nan), where=enough)
