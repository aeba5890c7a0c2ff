"""Tests if steady state is steady: the drift of IOPS per VM over a phase, by batch means.

The phase is cut into `BATCHES` equal parts (fewer if it is short, at least `FEWEST`, each with two samples or more).
Each part has the mean IOPS per VM of its seconds (method of batch means: Law, Simulation Modeling and Analysis). The
drift is the slope of a straight line through these means times the length of the phase. If neighbouring means are
correlated, the slope is less certain. Its variance is multiplied by (1 + r) / (1 - r), where r is the lag-1
autocorrelation of the residuals. To correct the bias of a fit to few values, r is raised by (2 + 4 r) / batches. For
the degrees of freedom, the number of batches is divided by this factor. docs/statistics.md has the share of false marks
in simulations. A phase is marked if the drift is significant and beyond `LIMIT_PERCENT` of the mean. The level is 99 %,
because every run of a study is tested.

A line does not describe a level that steps. So the best-fitting step is tested too, with its p-value times the number
of batches, because the step could be after any of them. The step counts if it fits better than the line. If a cache
overflows within the phase, the step at that time is tested separately and named as the overflow. A step in the first
third is a warm-up: it is shown, and its samples are still used.

The module also describes the result in words, and reports an unsteady phase as a problem.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.measures.phase_samples import PhaseSamples
from workbench.measures.statistics import reach_of, two_sided
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.phases.clock import when
from workbench.words.numbers import THIN, duration, number, signed

BATCHES, FEWEST = 20, 8
CONFIDENCE = 0.99
LIMIT_PERCENT = 10.0
# A step before this share of the phase is a warm-up.
_WARM_UP = 1 / 3
_MOST_ALIKE = 0.9
# More IOPS than this are a faulty counter, whose squares overflow a float.
_MOST = 1e15
FloatArray = npt.NDArray[np.float64]


class Shift(NamedTuple):
    """A change in percent of the mean, with the ends of its 99 % interval and its p-value."""

    percent: float
    low: float
    high: float
    p: float

    @property
    def counts(self) -> bool:
        """True if the change is significant and large enough to matter."""
        return self.p < 1 - CONFIDENCE and abs(self.percent) > LIMIT_PERCENT


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The steadiness of IOPS per VM: `mean`, lowest and highest batch mean, and drift over the phase.

    `step` is the change at `step_at` (UTC seconds) if a step counts and fits better than the drift; `overflow`: a cache
    overflows there. `warm_up_s` is 0 if the beginning is like the rest; otherwise `warm_up_percent` is the difference
    between its mean and the mean of the rest.
    """

    batches: int
    batch_s: float
    mean: float
    lowest: float
    highest: float
    drift: Shift
    autocorrelation: float
    step: Shift | None = None
    step_at: float | None = None
    overflow: bool = False
    warm_up_s: float = 0.0
    warm_up_percent: float = 0.0

    @property
    def cause(self) -> str | None:
        """The reason why the phase is unsteady: `overflow`, `step` or `drift`; None if it is steady."""
        if self.step is not None:
            return "overflow" if self.overflow else "step"
        return "drift" if self.drift.counts else None

    @property
    def unexplained(self) -> bool:
        """True if the phase is unsteady and no overflow explains it."""
        return self.cause in ("drift", "step")

    @property
    def shift(self) -> Shift:
        """The step if there is one, otherwise the drift."""
        return self.step or self.drift


def steadiness(samples: PhaseSamples) -> Steadiness | None:
    """The steadiness of a phase; None if it is too short, has no I/O, or lacks samples in part of it."""
    of_run = samples.by_vm(Quantity.IOPS)
    by_vm = [of_run[vm] for vm in samples.integrals(Quantity.IOPS)]
    if not by_vm:
        return None
    phase = samples.phase
    # The machines of one file share its times.
    spans = {id(vm.span): vm.span for vm in by_vm}
    interval = max(float(np.median(span[span > 0])) for span in spans.values())
    batches = min(BATCHES, int(phase.duration_s / (2 * interval) + 1e-6))
    if batches < FEWEST:
        return None
    means = samples.mean_rates(Quantity.IOPS, np.linspace(phase.start, phase.end, batches + 1))
    if not np.isfinite(means).all() or not 0 < means.mean() <= _MOST:
        return None
    return of_means(means, phase.start, phase.end, samples.whole.overflow(Quantity.CACHE_DISK_USED))


def of_means(means: FloatArray, start: float, end: float, overflow: float | None = None) -> Steadiness:
    """The steadiness, from the batch means of a phase. `overflow` is the time of a cache overflow, inside the phase or
    not."""
    count, length = means.size, end - start
    line = _fit(np.arange(count) / count, means)
    found = Steadiness(
        count, length / count, float(means.mean()), float(means.min()), float(means.max()), line.shift, line.alike
    )
    if overflow is not None and start < overflow < end:
        place = round((overflow - start) / length * count)
        if 2 <= place <= count - 2:
            known = _step(means, place)
            if known.shift.counts and known.squares <= line.squares:
                return replace(found, step=known.shift, step_at=overflow, overflow=True)
    # Index of the best-fitting step: the means before it and from it on differ most, by sums of squares.
    before = np.arange(1, means.size)
    total = np.cumsum(means)
    apart = (total[-1] - total[:-1]) / (means.size - before) - total[:-1] / before
    cut = 1 + int(np.argmax(apart**2 * before * (means.size - before)))
    best = _step(means, cut)
    shift = best.shift._replace(p=min(1.0, count * best.shift.p))
    if not shift.counts or best.squares > line.squares:
        return found
    found = replace(found, step=shift, step_at=start + length * cut / count)
    rest = float(means[cut:].mean())
    if cut > _WARM_UP * count or rest <= 0:
        return found
    return replace(found, warm_up_s=length * cut / count, warm_up_percent=100 * (float(means[:cut].mean()) / rest - 1))


class _Fit(NamedTuple):
    shift: Shift
    squares: float
    alike: float


def _step(means: FloatArray, place: int) -> _Fit:
    return _fit((np.arange(means.size) >= place).astype(np.float64), means)


def _fit(x: FloatArray, means: FloatArray) -> _Fit:
    """The change of the means over x from 0 to 1, by least squares."""
    count, mean, centred = means.size, float(means.mean()), x - x.mean()
    width = float((centred**2).sum())
    slope = float((centred * means).sum()) / width
    rest = means - mean - slope * centred
    squares = float((rest**2).sum())
    if squares <= 1e-18 * float((means**2).sum()):
        percent = 100 * slope / mean
        return _Fit(Shift(percent, percent, percent, 0.0 if abs(percent) > 1e-9 else 1.0), squares, 0.0)
    seen = float((rest[1:] * rest[:-1]).sum()) / squares
    alike = min(max(seen + (2 + 4 * seen) / count, 0.0), _MOST_ALIKE)
    inflation = (1 + alike) / (1 - alike)
    freedom = max(count / inflation - 2, 1.0)
    error = math.sqrt(squares / (count - 2) / width * inflation)
    reach = reach_of(CONFIDENCE, freedom) * error
    low, high = (100 * (slope + side * reach) / mean for side in (-1, 1))
    return _Fit(Shift(100 * slope / mean, low, high, two_sided(slope / error, freedom)), squares, alike)


def steady_words(found: Steadiness) -> str:
    """Text like `drift +3.1 % of the mean (99 % interval −5.0 to +11.2 %), 20 batch means from 6.1 to 8.2 IOPS per VM`,
    with step and warm-up if there are any."""
    parts = [
        f"drift {shift_words(found.drift)} of the mean ({_interval(found.drift)})",
        f"{found.batches} batch means from {number(found.lowest)} to {number(found.highest)} IOPS per VM",
    ]
    if found.step is not None:
        where = " when a cache overflows" * found.overflow
        parts.append(f"a step of {shift_words(found.step)}{where} ({_interval(found.step)})")
    if found.warm_up_s:
        parts.append(warm_up_words(found))
    return ", ".join(parts)


def marked_words(found: Steadiness) -> str:
    """An unsteady phase as text: `drifts by −22.0 %`, or `has a step of +35.0 %`, the latter also with `at the
    overflow`; empty if the phase is steady."""
    if found.cause is None:
        return ""
    verb = "drifts by" if found.step is None else "has a step of"
    return f"{verb} {shift_words(found.shift)}{' at the overflow' * found.overflow}"


def steady_problems(run: Run, phase: Phase, found: Steadiness | None) -> list[Problem]:
    """The problems of an unsteady phase: a warning for a drift or step, a note if an overflow caused it."""
    if found is None or found.cause is None:
        return []
    moment = when(run, *((phase.start, phase.end) if found.step_at is None else (found.step_at,)))
    why = ", when a cache overflowed" * found.overflow
    message = f"IOPS per VM {_moves(found.shift)} in steady state {moment}{why}."
    if found.overflow:
        action = "values shown as measured; split the phase in run.toml"
        return [Problem(Severity.INFO, run.name, "step-at-overflow", message, action)]
    if found.warm_up_s:
        warm_up = f"the warm-up ({duration(found.warm_up_s)})"
        action = f"values shown as measured; exclude {warm_up} with [[phases]] in run.toml"
    else:
        action = "values shown as measured; check the Timeline page, or shorten the phase"
    return [Problem(Severity.WARNING, run.name, "not-steady", message, action)]


def warm_up_words(found: Steadiness) -> str:
    """Text like `warm-up: the first 12:00 min are 50 % above the rest`."""
    side = "above" if found.warm_up_percent > 0 else "below"
    return f"warm-up: the first {duration(found.warm_up_s)} are {abs(found.warm_up_percent):.0f} % {side} the rest"


def shift_words(shift: Shift) -> str:
    """Text like `+3.1 %`."""
    return f"{signed(shift.percent, 1)}{THIN}%"


def _moves(shift: Shift) -> str:
    return f"{'rose' if shift.percent > 0 else 'fell'} by {abs(shift.percent):.0f} % of the mean"


def _interval(shift: Shift) -> str:
    return f"99 % interval {signed(shift.low, 1)} to {signed(shift.high, 1)}{THIN}%"
