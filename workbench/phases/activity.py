"""Phases from the counters alone, the last resort: bursts of the mean per-VM IOPS.

The mean is smoothed over `SMOOTH_S`; a burst is a stretch above the threshold (the larger of twice the median
and `PEAK_SHARE` of the 95th percentile) of at least `MIN_BURST_S`; bursts less than `MERGE_S` apart are one.
Two bursts or more: the first is boot, the second logon. One: boot when at least `BOOT_READ_SHARE` of it
is reads (an operating system starting), else logon. Steady is all that follows the last burst used.
The rule is this project's own and labelled as detected wherever it is shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY, Phase
from workbench.model.run import Run
from workbench.phases.integral import binned
from workbench.study.vm_series import Samples, vm_samples

SMOOTH_S = 30.0
PEAK_SHARE = 0.2
MIN_BURST_S = 15.0
MERGE_S = 60.0
BOOT_READ_SHARE = 0.6

FloatArray = npt.NDArray[np.float64]
Stretch = tuple[float, float]


def detect(run: Run) -> list[Phase]:
    """Boot, logon and steady as far as bursts show them; none when no VM has IOPS."""
    found = vm_samples(run, Quantity.IOPS)
    usable = [samples for samples in found.values() if (samples.span > 0).any()]
    if not usable:
        return []
    edges = _edges(usable)
    mean = _mean(usable, edges)
    if np.isnan(mean).all():
        return []
    threshold = _threshold(mean)
    bursts = _bursts(_smoothed(mean, edges), edges, threshold)
    rule = (
        f"detected: mean per-VM IOPS over {SMOOTH_S:.0f} s above {threshold:.3g}/s "
        f"for {MIN_BURST_S:.0f} s, bursts within {MERGE_S:.0f} s joined"
    )
    return [Phase(name, start, end, "activity", rule) for name, start, end in _named(run, bursts, edges)]


def _named(run: Run, bursts: list[Stretch], edges: FloatArray) -> list[tuple[str, float, float]]:
    last = float(edges[-1])
    if not bursts:
        return [(STEADY, float(edges[0]), last)]
    names = (BOOT, LOGON) if len(bursts) > 1 else ((BOOT,) if _read_heavy(run, bursts[0]) else (LOGON,))
    used = [(name, *burst) for name, burst in zip(names, bursts, strict=False)]
    end = used[-1][2]
    return used + ([(STEADY, end, last)] if last > end else [])


def _edges(usable: list[Samples]) -> FloatArray:
    start = min(float(samples.start[samples.span > 0].min()) for samples in usable)
    end = max(float(samples.end.max()) for samples in usable)
    step = max(1.0, min(float(np.median(samples.span[samples.span > 0])) for samples in usable))
    bins = max(1, int(np.ceil((end - start) / step)))
    edges: FloatArray = start + step * np.arange(bins + 1, dtype=np.float64)
    return edges


def _mean(usable: list[Samples], edges: FloatArray) -> FloatArray:
    rows = np.vstack([binned(samples, edges) for samples in usable])
    counted = (~np.isnan(rows)).sum(axis=0)
    total = np.nansum(rows, axis=0)
    return np.divide(total, counted, out=np.full(total.size, np.nan), where=counted > 0)


def _threshold(mean: FloatArray) -> float:
    known = mean[~np.isnan(mean)]
    return max(2.0 * float(np.median(known)), PEAK_SHARE * float(np.percentile(known, 95)))


def _smoothed(mean: FloatArray, edges: FloatArray) -> FloatArray:
    width = max(1, round(SMOOTH_S / float(edges[1] - edges[0])))
    smoothed: FloatArray = np.convolve(np.nan_to_num(mean), np.ones(width) / width, mode="same")
    return smoothed


def _bursts(level: FloatArray, edges: FloatArray, threshold: float) -> list[Stretch]:
    above = np.concatenate(([False], level > threshold, [False]))
    changes = np.flatnonzero(np.diff(above.astype(np.int8)))
    merged: list[Stretch] = []
    for first, last in zip(changes[::2], changes[1::2], strict=True):
        start, end = float(edges[first]), float(edges[last])
        if merged and start - merged[-1][1] < MERGE_S:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return [(start, end) for start, end in merged if end - start >= MIN_BURST_S]


def _read_heavy(run: Run, burst: Stretch) -> bool:
    edges = np.array(burst)
    reads = [binned(samples, edges)[0] for samples in vm_samples(run, Quantity.READ_IOPS).values()]
    totals = [binned(samples, edges)[0] for samples in vm_samples(run, Quantity.IOPS).values()]
    if not reads or np.isnan(reads).all():
        return False
    return float(np.nansum(reads)) >= BOOT_READ_SHARE * float(np.nansum(totals))
