"""Phases from the counters alone, the last resort: bursts of the mean per-VM IOPS.

The mean is smoothed over `SMOOTH_S`; a burst is a stretch above the threshold (the larger of twice the median
and `PEAK_SHARE` of the 95th percentile) of at least `MIN_BURST_S`; bursts less than `MERGE_S` apart are one.
Two bursts or more: the first is boot, the second logon. One: boot when at least `BOOT_READ_SHARE` of it
is reads (an operating system starting), else logon. Steady is what follows the last burst used, up to the
last time it was busier than `IDLE_SHARE` of its own median: machines at rest after a test are not at work.
The rule is this project's own and labelled as detected wherever it is shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY, Phase
from workbench.model.run import Run
from workbench.phases.integral import binned
from workbench.study.series.vm_series import BySeries, Samples, samples_of

SMOOTH_S = 30.0
PEAK_SHARE = 0.2
MIN_BURST_S = 15.0
MERGE_S = 60.0
BOOT_READ_SHARE = 0.6
IDLE_SHARE = 0.1
# One second is fine enough; a recording over many days (or with a wrong clock) gets coarser bins.
MIN_STEP_S = 1.0
MAX_BINS = 100_000

FloatArray = npt.NDArray[np.float64]
Stretch = tuple[float, float]


def detect(run: Run) -> list[Phase]:
    """Boot, logon and steady as far as bursts show them; none when no VM has IOPS."""
    found = samples_of(run, (Quantity.IOPS, Quantity.READ_IOPS))
    totals, reads = found[Quantity.IOPS], found[Quantity.READ_IOPS]
    usable = [samples for samples in totals.values() if (samples.span > 0).any()]
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
    boots = len(bursts) > 1 or (len(bursts) == 1 and _read_heavy(reads, totals, bursts[0]))
    return [
        Phase(name, start, end, "activity", rule)
        for name, start, end in _named(bursts, boots, edges, np.nan_to_num(mean))
    ]


def _named(bursts: list[Stretch], boots: bool, edges: FloatArray, level: FloatArray) -> list[tuple[str, float, float]]:
    names = (BOOT, LOGON) if boots else (LOGON,)
    used = [(name, *burst) for name, burst in zip(names, bursts, strict=False)]
    start = used[-1][2] if used else float(edges[0])
    end = _calm_end(level, edges, start)
    return used + ([(STEADY, start, end)] if end > start else [])


def _calm_end(level: FloatArray, edges: FloatArray, start: float) -> float:
    """Where steady state ends: behind the last bin that is busier than `IDLE_SHARE` of its median."""
    after = edges[:-1] >= start
    if not after.any():
        return float(edges[-1])
    busy = np.flatnonzero(after & (level > IDLE_SHARE * float(np.median(level[after]))))
    return float(edges[busy[-1] + 1]) if busy.size else float(edges[-1])


def _edges(usable: list[Samples]) -> FloatArray:
    start = min(float(samples.start[samples.span > 0].min()) for samples in usable)
    end = max(float(samples.end.max()) for samples in usable)
    usual = min(float(np.median(samples.span[samples.span > 0])) for samples in usable)
    step = max(MIN_STEP_S, usual, (end - start) / MAX_BINS)
    # Rounding must not add a bin behind the last sample.
    bins = max(1, int(np.ceil((end - start) / step - 1e-6)))
    edges: FloatArray = start + step * np.arange(bins + 1, dtype=np.float64)
    return edges


def _mean(usable: list[Samples], edges: FloatArray) -> FloatArray:
    """The mean over the VMs that have a sample, NaN where none has."""
    total = np.zeros(edges.size - 1)
    counted = np.zeros(edges.size - 1)
    for samples in usable:
        rates = binned(samples, edges)
        known = ~np.isnan(rates)
        total[known] += rates[known]
        counted += known
    mean: FloatArray = np.divide(total, counted, out=np.full(total.size, np.nan), where=counted > 0)
    return mean


def _threshold(mean: FloatArray) -> float:
    known = mean[~np.isnan(mean)]
    return max(2.0 * float(np.median(known)), PEAK_SHARE * float(np.percentile(known, 95)))


def _smoothed(mean: FloatArray, edges: FloatArray) -> FloatArray:
    width = min(mean.size, max(1, round(SMOOTH_S / float(edges[1] - edges[0]))))
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


def _read_heavy(reads: BySeries, totals: BySeries, burst: Stretch) -> bool:
    """Whether reads are the larger part of the burst, over the VMs that have both."""
    both = [vm for vm in totals if vm in reads]
    read, total = (_amount([by_vm[vm] for vm in both], burst) for by_vm in (reads, totals))
    return total > 0 and read >= BOOT_READ_SHARE * total


def _amount(samples: list[Samples], burst: Stretch) -> float:
    found = [binned(one, np.array(burst))[0] for one in samples]
    return float(np.nansum(found))
