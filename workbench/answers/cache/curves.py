"""Median curves over a configuration's VMs: cache counters since the run's zero, IOPS around each VM's overflow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.answers.cache.compute import ConfigurationCache
from workbench.answers.common.traces.traces import trace_name
from workbench.measures.caches.gauges import MB
from workbench.measures.caches.use import RunCache
from workbench.model.metric import Quantity
from workbench.study.series.vm_series import BySeries, Samples, vm_samples

FloatArray = npt.NDArray[np.float64]
POINTS = 400
END_PERCENTILE = 20


@dataclass(frozen=True, eq=False)
class Curves:
    """`rows[vm, point]` at `x` seconds, NaN if not measured; `vms` names the rows."""

    x: FloatArray
    rows: FloatArray
    vms: tuple[str, ...]

    def percentile(self, share: float) -> FloatArray:
        """The percentile over the rows at each point; NaN if no row has a value there."""
        values = np.full(self.x.size, np.nan)
        known = ~np.isnan(self.rows).all(axis=0) if self.rows.size else np.zeros(self.x.size, dtype=bool)
        if known.any():
            # NumPy's nanpercentile handles the points one by one. Here points with the same number of rows are handled
            # together.
            ordered = np.sort(self.rows, axis=0)
            counts = (~np.isnan(ordered)).sum(axis=0)
            for count in np.unique(counts[known]):
                points = counts == count
                values[points] = np.percentile(ordered[:count, points], share, axis=0)
        return values


def gauge_curves(cached: ConfigurationCache, quantity: Quantity) -> Curves | None:
    """A cache counter in MB since each run's zero, with straight lines between samples; None without samples."""
    gauges = [
        (run.zero, vm, samples)
        for run in cached.runs
        if run.zero is not None
        for vm, samples in _gauge(run, quantity).items()
    ]
    lasts = [float(samples.end[-1]) - zero for zero, _, samples in gauges if samples.end.size]
    if not lasts:
        return None
    # The curve ends when most machines have ended: the median of the few that continue is a different one.
    x = np.linspace(0.0, float(np.percentile(lasts, END_PERCENTILE)), POINTS)
    return Curves(
        x, np.vstack([_at(x + zero, samples) / MB for zero, _, samples in gauges]), _names(vm for _, vm, _ in gauges)
    )


def around_overflow(cached: ConfigurationCache, before_s: float, after_s: float) -> Curves | None:
    """IOPS of each VM that overflowed, x = 0 at its overflow; None if no VM did."""
    overflows: list[tuple[float, str, Samples]] = []
    for run in cached.runs:
        starts = {vm.vm: vm.overflow_start for vm in run.vms if vm.overflow_start is not None}
        rates = vm_samples(run.run, Quantity.IOPS) if starts else {}
        folder = run.run.folder
        overflows += [(start, vm_trace(cached, folder, vm), rates[vm]) for vm, start in starts.items() if vm in rates]
    if not overflows:
        return None
    steps = [float(np.median(np.diff(samples.end))) for _, _, samples in overflows if samples.end.size > 1]
    step = max(min(steps, default=1.0), (before_s + after_s) / POINTS)
    x = np.arange(-before_s, after_s + step / 2, step)
    return Curves(
        x, np.vstack([_at(x + start, samples) for start, _, samples in overflows]), _names(vm for _, vm, _ in overflows)
    )


def vm_trace(cached: ConfigurationCache, folder: str, vm: str) -> str:
    """The name of a VM's curve around its overflow, with the run's name if the configuration has several runs."""
    run = next(figures for figures in cached.group.runs if figures.run.folder == folder)
    return trace_name(cached.group, run, vm)


def _gauge(run: RunCache, quantity: Quantity) -> BySeries:
    samples = vm_samples(run.run, quantity)
    if not samples and quantity is Quantity.CACHE_RAM_USED and run.estimate:
        return vm_samples(run.run, Quantity.POOL_NONPAGED)
    return samples


def _at(moments: FloatArray, samples: Samples) -> FloatArray:
    """Interpolated values at these times, NaN before the first and after the last known one."""
    known = ~np.isnan(samples.values)
    if not known.any():
        return np.full(moments.size, np.nan)
    values: FloatArray = np.interp(moments, samples.end[known], samples.values[known], left=np.nan, right=np.nan)
    return values


def _names(vms: Iterable[str]) -> tuple[str, ...]:
    return tuple(vms)
