"""Detects phases from counters alone, as a last resort: bursts of the mean IOPS per VM.

The mean is smoothed over `SMOOTH_S` to find bursts: intervals above the threshold (the larger of twice the median and
`PEAK_SHARE` of the 95th percentile). Smoothing makes a burst longer, by up to `SMOOTH_S` minus twice the share that the
threshold has of the burst's level. So the smoothed mean does not give the edges. Each edge is the step in the samples
themselves (see `steps`), with its uncertainty, which is at least the longest pause within the burst. Bursts less than
`MERGE_S` apart are joined; those shorter than `MIN_BURST_S` are ignored.

With two bursts or more, the first is boot and the second is logon. They are doubtful if a later burst has as much I/O
as either. A single burst is boot if at least `BOOT_READ_SHARE` of it is reads (an operating system starts), otherwise
logon. Steady state follows the last of these bursts. It ends at the last time with more activity than `IDLE_SHARE` of
its median, because idle machines after a test do no work.

One wild cell has no effect: a sample `WILD` times above its neighbours, the other VMs at that time and 95 % of all
samples is ignored and reported. A burst that consists of one sample of one VM does not count. This rule is defined by
this project and is labelled as detected wherever it is shown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.phases.clock import when
from workbench.phases.integral import binned, binned_all, cuts
from workbench.phases.steps import FLOOR, Step, step_at, without_wild
from workbench.study.series.vm_series import BySeries, Samples, samples_of

SMOOTH_S = 30.0
PEAK_SHARE = 0.2
MIN_BURST_S = 15.0
MERGE_S = 60.0
BOOT_READ_SHARE = 0.6
IDLE_SHARE = 0.1
# One second is fine enough. A recording over many days (or with a wrong clock) gets coarser bins.
MIN_STEP_S = 1.0
MAX_BINS = 100_000
# The step is searched this far around an edge of the smoothed mean, with at least this many bins on either side.
WINDOW_S, WINDOW_BINS = 60.0, 4
# After a longer pause the log was restarted, or another log was appended.
RESTART_S = 1800.0

FloatArray = npt.NDArray[np.float64]


class Burst(NamedTuple):
    """An interval of activity, and the uncertainty of its edges in seconds."""

    start: float
    end: float
    start_within_s: float
    end_within_s: float


class Activity(NamedTuple):
    """The mean IOPS per VM in bins, and the samples behind it."""

    samples: BySeries
    edges: FloatArray
    mean: FloatArray
    threshold: float

    @property
    def step(self) -> float:
        """Length of a bin in seconds."""
        return float(self.edges[1] - self.edges[0])


def detect(run: Run) -> list[Phase]:
    """Boot, logon and steady state, as far as bursts show them; empty if no VM has IOPS."""
    return detected(run)[0]


def detected(run: Run) -> tuple[list[Phase], list[Problem]]:
    """Like `detect`, with a problem for everything that was ignored."""
    found = samples_of(run, (Quantity.IOPS, Quantity.READ_IOPS))
    totals, problems = without_wild(run, found[Quantity.IOPS])
    reads = found[Quantity.READ_IOPS]
    usable = {vm: samples for vm, samples in totals.items() if _known(samples).any()}
    if not usable:
        return [], []
    edges = _edges(usable)
    mean = _mean(usable, edges)
    if np.isnan(mean).all():
        return [], []
    activity = Activity(usable, edges, mean, _threshold(mean))
    bursts = _bursts(activity)
    rule = (
        f"detected: {SMOOTH_S:.0f}-second mean of IOPS per VM above {activity.threshold:.3g} "
        f"for at least {MIN_BURST_S:.0f} s; bursts up to {MERGE_S:.0f} s apart are joined"
    )
    boots = len(bursts) > 1 or (len(bursts) == 1 and _read_heavy(reads, totals, bursts[0]))
    doubt = _doubt(activity, bursts)
    phases = [
        Phase(
            name, *burst[:2], "activity", f"{rule}; start ±{burst[2]:.0f} s, end ±{burst[3]:.0f} s", doubt, *burst[2:]
        )
        for name, burst in _named(bursts, boots, activity)
    ]
    return phases, [*problems, *_outside(run, activity, phases)]


def _outside(run: Run, activity: Activity, phases: list[Phase]) -> list[Problem]:
    """A problem for each part of the recordings, between pauses of `RESTART_S`, that overlaps no phase."""
    known = np.flatnonzero(~np.isnan(activity.mean))
    parts = np.split(known, np.flatnonzero(np.diff(known) * activity.step > RESTART_S) + 1)
    spans = [(float(activity.edges[part[0]]), float(activity.edges[part[-1] + 1])) for part in parts]
    return [
        Problem(
            Severity.WARNING,
            run.name,
            "recording-outside",
            f"The recording {when(run, start, end)} is outside all phases.",
            "samples not assigned to a phase; to use them, set [[phases]] in run.toml",
        )
        for start, end in spans
        if not any(phase.start < end and phase.end > start for phase in phases)
    ]


def _doubt(activity: Activity, bursts: list[Burst]) -> str:
    """The reason why boot and logon may be other bursts than the first two; empty if no later one has as much I/O."""
    middles = activity.edges[:-1] + 0.5 * activity.step
    amounts = [float(np.nansum(activity.mean[(middles >= burst.start) & (middles < burst.end)])) for burst in bursts]
    rivals = [burst for burst, amount in zip(bursts[2:], amounts[2:], strict=True) if amount >= min(amounts[:2])]
    if not rivals:
        return ""
    hold = "1 later burst has" if len(rivals) == 1 else f"{len(rivals)} later bursts have"
    return f"{hold} as much I/O as boot or logon; the first two are assumed to be boot and logon"


def _named(bursts: list[Burst], boots: bool, activity: Activity) -> list[tuple[str, Burst]]:
    names = (BOOT, LOGON) if boots else (LOGON,)
    used = list(zip(names, bursts, strict=False))
    start, within = (used[-1][1].end, used[-1][1].end_within_s) if used else (float(activity.edges[0]), activity.step)
    end = _calm_end(np.nan_to_num(activity.mean), activity.edges, start)
    return used + ([(STEADY, Burst(start, end, within, activity.step))] if end > start else [])


def _calm_end(level: FloatArray, edges: FloatArray, start: float) -> float:
    """End of steady state: after the last bin busier than `IDLE_SHARE` of its median. A single busy bin more than
    `MERGE_S` after the previous one is ignored."""
    after = edges[:-1] >= start
    if not after.any():
        return float(edges[-1])
    busy = np.flatnonzero(after & (level > IDLE_SHARE * float(np.median(level[after]))))
    if busy.size > 1 and edges[busy[-1]] - edges[busy[-2] + 1] > MERGE_S:
        busy = busy[:-1]
    return float(edges[busy[-1] + 1]) if busy.size else float(edges[-1])


def _known(samples: Samples) -> npt.NDArray[np.bool_]:
    return (samples.span > 0) & ~np.isnan(samples.values)


def _edges(usable: BySeries) -> FloatArray:
    # Every log of rates begins with an empty row, because a rate needs two collections.
    start = min(float(samples.start[_known(samples)].min()) for samples in usable.values())
    end = max(float(samples.end.max()) for samples in usable.values())
    usual = min(float(np.median(samples.span[samples.span > 0])) for samples in usable.values())
    step = max(MIN_STEP_S, usual, (end - start) / MAX_BINS)
    # Rounding must not add a bin after the last sample.
    bins = max(1, int(np.ceil((end - start) / step - 1e-6)))
    edges: FloatArray = start + step * np.arange(bins + 1, dtype=np.float64)
    return edges


def _mean(usable: BySeries, edges: FloatArray) -> FloatArray:
    """The mean over the VMs that have a sample; NaN if none has."""
    total = np.zeros(edges.size - 1)
    counted = np.zeros(edges.size - 1)
    for samples in usable.values():
        rates = binned(samples, edges)
        known = ~np.isnan(rates)
        total[known] += rates[known]
        counted += known
    mean: FloatArray = np.divide(total, counted, out=np.full(total.size, np.nan), where=counted > 0)
    return mean


def _threshold(mean: FloatArray) -> float:
    known = mean[~np.isnan(mean)]
    return max(2.0 * float(np.median(known)), PEAK_SHARE * float(np.percentile(known, 95)))


def _bursts(activity: Activity) -> list[Burst]:
    """The bursts of the smoothed mean, with steps of the samples as edges."""
    width = min(activity.mean.size, max(1, round(SMOOTH_S / float(activity.edges[1] - activity.edges[0]))))
    smoothed: FloatArray = np.convolve(np.nan_to_num(activity.mean), np.ones(width) / width, mode="same")
    level = smoothed
    above = np.concatenate(([False], level > activity.threshold, [False]))
    changes = np.flatnonzero(np.diff(above.astype(np.int8))).tolist()
    edges = activity.edges
    merged: list[tuple[int, int]] = []
    lone: list[tuple[float, float]] = []
    for first, last in zip(changes[::2], changes[1::2], strict=True):
        if _of_one_cell(activity, float(edges[first]), float(edges[last])):
            lone.append((float(edges[first]), float(edges[last])))
        elif merged and edges[first] - edges[merged[-1][1]] < MERGE_S:
            merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    long = [(first, last) for first, last in merged if edges[last] - edges[first] >= MIN_BURST_S]
    bounds = [0, *(place for pair in long for place in pair), activity.mean.size]
    found = (_burst(activity, *bounds[place - 1 : place + 3]) for place in range(1, len(bounds) - 2, 2))
    return [_reaching(burst, lone) for burst in found if burst.end - burst.start >= MIN_BURST_S - 0.5 * activity.step]


def _reaching(burst: Burst, lone: list[tuple[float, float]]) -> Burst:
    """The burst with an uncertainty that includes single cells less than `MERGE_S` away, because they may be part of
    it."""
    start = min((first for first, last in lone if 0 <= burst.start - last < MERGE_S), default=burst.start)
    end = max((last for first, last in lone if 0 <= first - burst.end < MERGE_S), default=burst.end)
    return burst._replace(
        start_within_s=max(burst.start_within_s, burst.start - start),
        end_within_s=max(burst.end_within_s, end - burst.end),
    )


def _burst(activity: Activity, before: int, first: int, last: int, after: int) -> Burst:
    """The burst between the bins `first` and `last` of the smoothed mean, with steps of the samples as edges. The
    previous burst ends in bin `before`, the next one begins in bin `after`."""
    reach = max(WINDOW_BINS, round(WINDOW_S / activity.step))
    middle = (first + last + 1) // 2
    # One high bin within the burst is not a step, so values are capped at its usual level.
    inside = activity.mean[first:last]
    usual = float(np.nanpercentile(inside, 75)) if not np.isnan(inside).all() else activity.threshold
    level, edges = np.minimum(activity.mean, max(usual, activity.threshold)), activity.edges
    rise = slice(max(before, first - reach), min(max(middle, first + 2), first + reach, activity.mean.size))
    fall = slice(max(min(middle, last - 2), last - reach, 0), min(after, last + reach))
    start = step_at(level[rise], edges[rise.start : rise.stop + 1]) if first > before else None
    end = step_at(level[fall][::-1], -edges[fall.start : fall.stop + 1][::-1]) if last < after else None
    start = start or Step(float(edges[first]), activity.step)
    end = end or Step(-float(edges[last]), activity.step)
    if -end.at <= start.at:
        return Burst(float(edges[first]), float(edges[last]), SMOOTH_S, SMOOTH_S)
    around = slice(rise.start, fall.stop)
    pause = _pause(level[around], edges[around.start : around.stop + 1], start.at, -end.at)
    return Burst(start.at, -end.at, max(start.within_s, pause), max(end.within_s, pause))


def _pause(level: FloatArray, edges: FloatArray, start: float, end: float) -> float:
    """Seconds of the longest pause within a burst plus the bins next to it, which may contain parts of the pause; 0
    without any.

    A bin is a pause if it is nearer to the quiet around the burst than to the burst (as a ratio). If a burst pauses
    that long inside, it may also pause that long at its edge, and no sample would show it.
    """
    inside = (edges[:-1] >= start) & (edges[1:] <= end)
    if not inside.any() or np.isnan(level[inside]).all():
        return 0.0
    busy = float(np.nanmean(level[inside]))
    around = level[~inside & ~np.isnan(level)]
    quiet = float(around.mean()) if around.size else 0.0
    floor = FLOOR * busy
    low = inside & (level + floor < np.sqrt((quiet + floor) * (busy + floor)))
    changes = np.flatnonzero(np.diff(np.concatenate(([False], low, [False])).astype(np.int8)))
    longest = int(np.diff(changes)[::2].max(initial=0))
    return float(edges[1] - edges[0]) * (longest + 2) if longest else 0.0


def _of_one_cell(activity: Activity, start: float, end: float) -> bool:
    """True if the burst vanishes without the largest sample of one VM. Always False if the bins or the burst are too
    long for a single cell."""
    if activity.step >= SMOOTH_S or end - start > 2 * SMOOTH_S:
        return False
    amounts = [cut.values * cut.seconds for cut in cuts(activity.samples, Phase("", start, end, ""))]
    rest = sum(map(np.nansum, amounts)) - max(np.fmax.reduce(some, axis=None, initial=0.0) for some in amounts)
    return bool(rest <= activity.threshold * (end - start) * len(activity.samples))


def _read_heavy(reads: BySeries, totals: BySeries, burst: Burst) -> bool:
    """True if the burst is mostly reads (at least `BOOT_READ_SHARE`), over the VMs that have both reads and totals."""
    both = [vm for vm in totals if vm in reads]
    edges = np.array(burst[:2])
    read, total = (float(np.nansum(binned_all({vm: side[vm] for vm in both}, edges))) for side in (reads, totals))
    return total > 0 and read >= BOOT_READ_SHARE * total
