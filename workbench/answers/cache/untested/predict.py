"""The cache that was not tested: when a RAM cache of any size would overflow, and how much it would at least write to
disk.

Predictions use the footprints (`footprint`) of runs of one provisioning and session type. A VM overflows when its
footprint exceeds the part of the cache that the driver fills (`fill`). The earliest time is the last sample whose upper
bound is within the least filled size. The latest time is the first sample whose lower bound is beyond the most filled
size. A run overflows with its first VM. At least footprint − size MB go to disk. This is a lower bound, because a block
that is written again may go to disk again. If some sizes did not overflow in any run, only they are used, because their
footprint is exact. Otherwise the largest size is used, with bounds. The predicted time is the one for the middle of the
sizes that the driver may fill. The range of one run is from its earliest to its latest time; the range of two runs
covers both. For three runs or more, two independent terms are added as squares: Student's 95 % interval of the mean,
and the distance to the mean of the earliest (or latest) times.

The knee is the smallest size at which no VM would have overflowed. A cache that holds every distinct block misses only
their first use (Mattson, Gecsei, Slutz and Traiger 1970), so more RAM saves nothing. The time of an overflow is
uncertain between two samples, in a gap, before the first sample, and from the nonpaged pool; then only its bounds are
known. VMs with counters for only a part of their run give only lower bounds: no run with such a VM is certain not to
overflow, and no knee is known. Assumptions: the same workload and length, unchanged other memory of the VM, no restart,
and counters from power-on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache
from workbench.answers.cache.untested.footprint import FloatArray, Footprint, Part, footprints, largest_of
from workbench.answers.cache.untested.shares import Fill, Share, WriteShares, write_shares
from workbench.measures.caches.problems import other_unit
from workbench.measures.caches.use import RunCache
from workbench.measures.configurations import Mean, mean_of
from workbench.model.problem import few_named
from workbench.model.run import Provisioning, SessionType
from workbench.model.run_cache import kept_of_few, kept_with_run
from workbench.words.captions import named

Kind = tuple[Provisioning, SessionType]
Bound = Literal["exact", "upper", "lower", "estimate"]
ASSUMED = (
    "same workload and run length",
    "same memory use outside the cache",
    "no restart",
    "counters logged since power-on",
)
# A curve through the shares of writes needs this many tested sizes.
CURVE_SIZES = 3
_GRID_MB, _STEPS = 64, 16
# The samples of other sizes show the filled part to within a block of 4 KB.
_BLOCK_MB = 4 / 1024
# Bounds of an overflow more than this many samples apart are shown without a value between them.
_NEAR_READINGS = 2.5


@dataclass(frozen=True, eq=False)
class RunFootprints:
    """A run with the footprints of its VMs."""

    run: str
    folder: str
    vms: tuple[Footprint, ...]

    @property
    def exact(self) -> bool:
        """True if no VM of the run overflowed and all of them have counters to the end."""
        return all(vm.exact for vm in self.vms)

    def open_at(self, mb: FloatArray) -> npt.NDArray[np.bool_]:
        """A mask of the amounts for which the samples do not show when they were exceeded."""
        early = np.fmin.reduce([vm.not_before(mb) for vm in self.vms])
        late = np.fmin.reduce([vm.by(mb) for vm in self.vms])
        step = max(vm.step_s for vm in self.vms)
        estimate = any(vm.estimate for vm in self.vms)
        return np.asarray(estimate | (late - early > _NEAR_READINGS * step))


@dataclass(frozen=True, slots=True)
class Prediction:
    """A size that was not tested. Times are seconds since the runs' zero, MB of 2^20 bytes per VM.

    `overflow` is the time for the first VM: None if no run is certain to overflow, and without a range if only some
    runs are. If the samples leave the time open, `overflow` is None, and `bounds` are the earliest and the latest time.
    `overflow_vms` are the times of the first and the last VM of any run. `not_before` is the earliest time that the
    upper bounds allow, None if they exclude an overflow. Of all `runs`, `overflow_runs` is the number certain to
    overflow, and `holding_runs` the number certain not to. `spilled_mb` is the least amount written to disk, mean over
    VMs; `spilled_highest_mb` is that of the highest VM. Both are None if the bounds leave open whether anything is
    written to disk. `writes_left` is a share of the baseline's writes, with its bounds."""

    size_mb: float
    runs: int
    overflow_runs: int
    holding_runs: int
    overflow: Mean | None
    overflow_vms: tuple[float, float] | None
    not_before: float | None
    spilled_mb: Mean | None
    spilled_highest_mb: float | None
    writes_left: Share | None
    bounds: tuple[float, float] | None = None

    @property
    def overflows(self) -> bool | None:
        """True if any run would have overflowed; None if the bounds leave it open."""
        return True if self.overflow_runs else False if self.holding_runs == self.runs else None


@dataclass(frozen=True, eq=False)
class HeldOutSize:
    """A tested size with its prediction from the other sizes; both `writes_left` are shares of the baseline's."""

    cache: ConfigurationCache
    overflow_s: float | None
    writes_left: float | None
    predicted: Prediction | None

    @property
    def overflow_error_s(self) -> float | None:
        """Predicted minus measured start of the overflow in seconds, None if either is unknown."""
        if self.overflow_s is None or self.predicted is None or self.predicted.overflow is None:
            return None
        return self.predicted.overflow.value - self.overflow_s

    @property
    def outside_s(self) -> float | None:
        """The nearer predicted bound minus the measured start of the overflow, in seconds.

        None within the bounds, and if the overflow is predicted without bounds.
        """
        seen = self.predicted
        if self.overflow_s is None or seen is None or seen.overflow is not None or seen.not_before is None:
            return None
        latest = math.inf if seen.bounds is None else seen.bounds[1]
        nearer = min(max(self.overflow_s, seen.not_before), latest)
        return None if nearer == self.overflow_s else nearer - self.overflow_s

    @property
    def outside(self) -> bool:
        """True if these runs contradict the others: they overflowed outside the predicted bounds, or one side
        overflowed in all runs and the other in none."""
        seen = self.predicted
        if seen is None:
            return False
        every = self.cache.overflow_runs == len(self.cache.runs)
        only_here = every and seen.holding_runs == seen.runs
        only_predicted = self.cache.overflowed is False and seen.overflow_runs == seen.runs
        return self.outside_s is not None or only_here or only_predicted

    @property
    def writes_error(self) -> float | None:
        """Predicted minus measured share of writes, None if either is unknown."""
        share = None if self.predicted is None else self.predicted.writes_left
        if self.writes_left is None or share is None or share.value is None:
            return None
        return share.value - self.writes_left


@dataclass(frozen=True, eq=False)
class Untested:
    """Predictions of any size from the runs of one provisioning and session type. `fill` is the part of a size that the
    driver fills."""

    kind: Kind
    caches: tuple[ConfigurationCache, ...]
    runs: tuple[RunFootprints, ...]
    bound: Bound
    fill: Fill
    shares: WriteShares
    tested: tuple[HeldOutSize, ...] = ()

    @property
    def basis(self) -> tuple[str, ...]:
        """The configurations whose runs provide the footprint."""
        folders = {run.folder for run in self.runs}
        return tuple(cache.label for cache in self.caches if any(run.run.folder in folders for run in cache.runs))

    @property
    def unlike(self) -> tuple[HeldOutSize, ...]:
        """The tested sizes that contradict the predictions from the others: the workload was not the same."""
        return tuple(tested for tested in self.tested if tested.outside)

    @property
    def parts(self) -> Counter[Part]:
        """The number of VMs with counters for only a part of their run, by the reason."""
        return Counter(vm.part for run in self.runs for vm in run.vms if vm.part is not None)

    @property
    def restarted(self) -> int:
        """The number of VMs that restarted."""
        return self.parts["restarted"]

    @property
    def name(self) -> str:
        """The provisioning and session type, such as `MCSIO on RDS`."""
        return kind_words(self.kind)

    @property
    def knee_mb(self) -> float | None:
        """The smallest size that would have held everything; an upper bound if the footprint is one. None if no counter
        shows it."""
        highest = max(self.knees_mb, default=math.inf)
        return highest if math.isfinite(highest) else None

    @property
    def knees_mb(self) -> tuple[float, ...]:
        """The knee of each run alone, infinite if no counter shows it."""
        return tuple(self.fill.sizes(max(vm.most_mb for vm in run.vms))[1] for run in self.runs)

    def bound_mb(self, vms: float) -> float | None:
        """The size that holds each of that many further VMs in nine of ten tests (`largest`), at least the need of
        every measured VM. None if the footprints are only bounds, or if the assumption cannot be checked."""
        if self.knee_mb is None or self.bound != "exact":
            return None
        written = [{vm.vm: vm.most_mb for vm in run.vms} for run in self.runs]
        largest = largest_of(written, vms)
        return None if largest is None else max(self.knee_mb, self.fill.sizes(largest)[1])

    @property
    def overflows_below_mb(self) -> float:
        """The size below which a VM of these runs certainly overflows."""
        return self.fill.sizes(max(vm.least_mb for run in self.runs for vm in run.vms))[0]

    @property
    def curve(self) -> bool:
        """True if enough sizes were tested for a curve of the writes."""
        return len(self.shares.sizes) >= CURVE_SIZES

    def at(self, size_mb: float) -> Prediction:
        """The prediction for this size."""
        return self.over((size_mb,))[0]

    def over(self, sizes: Sequence[float]) -> tuple[Prediction, ...]:
        """The prediction for each of these sizes."""
        mb = np.asarray(sizes, dtype=np.float64)
        low, high = self.fill.ends(mb)
        low, middle, high = low - _BLOCK_MB, (low + high) / 2, high + _BLOCK_MB
        vms = [run.vms for run in self.runs]
        by = [np.vstack([vm.by(high) for vm in run]) for run in vms]
        near = [np.fmin.reduce([(vm.above(middle) + vm.by(middle)) / 2 for vm in run]) for run in vms]
        early = [np.fmin.reduce([vm.not_before(low) for vm in run]) for run in vms]
        unclear = np.any([run.open_at(end) for run in self.runs for end in (low, high)], axis=0)
        spilled = [np.maximum(0.0, np.array([[vm.least_mb] for vm in run]) - mb) for run in vms]
        return tuple(
            self._prediction(
                float(size),
                [_known(run[:, column]) for run in by],
                [float(run[column]) for run in near],
                [float(run[column]) for run in early],
                [run[:, column] for run in spilled],
                bool(unclear[column]),
            )
            for column, size in enumerate(mb)
        )

    def _prediction(
        self,
        size_mb: float,
        by: list[list[float]],
        near: list[float],
        earliest: list[float],
        spilled: list[FloatArray],
        unclear: bool,
    ) -> Prediction:
        """The prediction from these inputs: the times by which each VM of each run certainly overflows, the likely and
        the earliest times of the runs (NaN: none), the data that each VM writes to disk, and whether the samples leave
        the time open."""
        runs, over = len(self.runs), sum(bool(moments) for moments in by)
        early = [moment for moment in earliest if not math.isnan(moment)]
        known = over > 0 or not early
        every = [moment for moments in by for moment in moments]
        first = [min(moments, default=None) for moments in by]
        latest = max((moment for moment in first if moment is not None), default=None)
        return Prediction(
            size_mb,
            runs,
            over,
            runs - len(early),
            None if unclear else first_overflow(earliest, near, first),
            (min(every), max(every)) if every else None,
            min(early, default=None),
            over_runs([float(mb.mean()) for mb in spilled]) if known else None,
            float(max(mb.max() for mb in spilled)) if known else None,
            self.shares.at(size_mb, self.knee_mb),
            (min(early), latest) if unclear and latest is not None else None,
        )

    @property
    def sizes(self) -> tuple[float, ...]:
        """Sizes worth a row: steps of 64 MB or its doubles, up to the largest tested size or the knee."""
        most = max([*(cache.size_mb or 0.0 for cache in self.caches), self.knee_mb or 0.0])
        step = _GRID_MB * 2 ** max(0, math.ceil(math.log2(most / _GRID_MB / _STEPS)))
        return tuple(float(step * multiple) for multiple in range(1, math.ceil(most / step) + 1))


@dataclass(frozen=True, slots=True)
class Refused:
    """The reason why there is no prediction for a provisioning and session type, as a sentence."""

    name: str
    reason: str


# Each step of the slider requests the same answer again.
@kept_of_few
def untested(answer: CacheAnswer) -> tuple[Untested | Refused, ...]:
    """The predictions for each provisioning and session type, or why there are none."""
    kinds: dict[Kind, list[ConfigurationCache]] = {}
    for cache in answer.cached:
        if cache.size_mb:
            kind = cache.group.configuration.provisioning, cache.group.session_type
            kinds.setdefault(kind, []).append(cache)
    return tuple(_predicted(kind, caches, answer) for kind, caches in kinds.items())


def kind_words(kind: Kind) -> str:
    """The words for a provisioning and session type, such as `MCSIO on RDS`."""
    provisioning, session_type = kind
    return f"{provisioning.value} on {session_type.value.upper()}"


def _predicted(kind: Kind, caches: Sequence[ConfigurationCache], answer: CacheAnswer) -> Untested | Refused:
    sizes = [cache.size_mb for cache in caches]
    twice = [cache.label for cache in caches if sizes.count(cache.size_mb) > 1]
    if twice:
        reason = f"{' and '.join(map(named, twice))} have the same cache size. Hide or exclude one."
        return Refused(kind_words(kind), reason)
    odd = sorted({vm.vm for cache in caches for run in cache.runs for vm in run.vms if other_unit(run.run, vm)})
    if odd:
        reason = f"The cache counters of {few_named(odd)} are probably not in bytes. Check the counters."
        return Refused(kind_words(kind), reason)
    whole = _of(kind, caches, answer)
    if whole is None:
        return Refused(kind_words(kind), "Log the cache counters of a complete run without restarts.")
    ordered = sorted(caches, key=lambda cache: cache.size_mb or 0.0)
    return replace(whole, tested=tuple(_left_out(kind, cache, caches, answer) for cache in ordered))


def _left_out(
    kind: Kind, cache: ConfigurationCache, caches: Sequence[ConfigurationCache], answer: CacheAnswer
) -> HeldOutSize:
    """The tested size with its prediction from the others."""
    others = [other for other in caches if other.size_mb != cache.size_mb]
    rest = _of(kind, others, answer)
    own = write_shares([cache], answer).sizes
    return HeldOutSize(
        cache,
        cache.overflow_s,
        own[0].value if own else None,
        None if rest is None or cache.size_mb is None else rest.at(cache.size_mb),
    )


def _of(kind: Kind, caches: Sequence[ConfigurationCache], answer: CacheAnswer) -> Untested | None:
    # If only some runs of a size overflowed, the others are not a representative sample: they wrote least.
    over = max((cache.size_mb or 0.0 for cache in caches if cache.overflowed), default=0.0)
    held = [cache for cache in caches if cache.overflowed is False and (cache.size_mb or 0.0) > over]
    chosen = [run for cache in held or _largest(caches) for run in cache.runs]
    runs = [run for run in (run_footprints(run) for run in chosen) if run.vms]
    if not any(vm.part in (None, "stops-early") for run in runs for vm in run.vms):
        return None
    full = [
        (vm.size_mb, vm.ram_percent / 100 * vm.size_mb)
        for cache in caches
        for run in cache.runs
        for vm in run.vms
        if vm.overflowed and vm.size_mb and vm.ram_percent is not None and not vm.estimate and 0 < vm.ram_percent <= 100
    ]
    return Untested(
        kind,
        tuple(caches),
        tuple(runs),
        _bound([vm for run in runs for vm in run.vms]),
        Fill(tuple(full)),
        write_shares(caches, answer),
    )


def _bound(vms: Sequence[Footprint]) -> Bound:
    if any(vm.estimate for vm in vms):
        return "estimate"
    if any(vm.part is None and not vm.exact for vm in vms):
        return "upper"
    return "lower" if any(vm.part for vm in vms) else "exact"


def first_overflow(early: Sequence[float], near: Sequence[float], late: Sequence[float | None]) -> Mean | None:
    """The likely time of the first overflow as a mean over the runs with its range, by the rules in the module
    docstring.

    It has no range if a run may not overflow (`late` None); None if no run is certain to overflow.
    """
    runs = [(start, value, end) for start, value, end in zip(early, near, late, strict=True) if end is not None]
    mean = over_runs([value for _, value, _ in runs])
    if mean is None or len(runs) < len(late):
        return mean and replace(mean, low=None, high=None)
    starts, ends = [start for start, _, _ in runs], [end for _, _, end in runs]
    if mean.low is None or mean.high is None or mean.half_width is None:
        return replace(mean, low=min(starts), high=max(ends), basis="range")
    low = mean.value - math.hypot(mean.half_width, mean.value - sum(starts) / len(starts))
    high = mean.value + math.hypot(mean.half_width, sum(ends) / len(ends) - mean.value)
    return replace(mean, low=max(low, min(0.0, *starts)), high=high)


def _known(moments: FloatArray) -> list[float]:
    return [float(moment) for moment in moments[~np.isnan(moments)]]


def _largest(caches: Sequence[ConfigurationCache]) -> list[ConfigurationCache]:
    largest = max((cache.size_mb or 0.0 for cache in caches), default=0.0)
    return [cache for cache in caches if cache.size_mb == largest]


@kept_with_run
def run_footprints(run: RunCache) -> RunFootprints:
    """The run's footprints, read once."""
    return RunFootprints(run.run.name, run.run.folder, footprints(run))


def over_runs(values: Sequence[float | None]) -> Mean | None:
    """The mean of the runs that have a value, without an interval if a run has none.

    The interval does not extend below 0 unless a run does: a VM can overflow before the first phase.
    """
    known = [value for value in values if value is not None]
    mean = mean_of(known)
    if mean is None or mean.low is None:
        return mean
    if len(known) < len(values):
        return replace(mean, low=None, high=None)
    return replace(mean, low=max(mean.low, min(0.0, *known)))
