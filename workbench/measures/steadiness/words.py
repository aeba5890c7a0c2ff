"""How steady a phase is, in words: what stands beside it, and the problem of one that is not."""

from __future__ import annotations

from workbench.measures.steadiness.compute import Shift, Steadiness
from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.phases.clock import clock
from workbench.words.metrics import phase_words
from workbench.words.numbers import THIN, duration, number, signed


def steady_words(found: Steadiness) -> str:
    """`drift +3.1 % of the mean (99 % interval −5.0 to +11.2 %), 20 batch means from 6.1 to 8.2 IOPS per VM`, and what
    stands out."""
    parts = [
        f"drift {shift_words(found.drift)} of the mean ({_interval(found.drift)})",
        f"{found.batches} batch means from {number(found.lowest)} to {number(found.highest)} IOPS per VM",
    ]
    if found.step is not None:
        where = " at the overflow of a cache" * found.overflow
        parts.append(f"a step of {shift_words(found.step)}{where} ({_interval(found.step)})")
    if found.warm_up_s:
        parts.append(warm_up_words(found))
    return ", ".join(parts)


def marked_words(found: Steadiness) -> str:
    """`drifts −22.0 %`, `steps +35.0 %`, `steps +35.0 % at the overflow`; empty where the phase is steady."""
    if found.cause is None:
        return ""
    verb = "drifts" if found.step is None else "steps"
    return f"{verb} {shift_words(found.shift)}{' at the overflow' * found.overflow}"


def steady_problems(run: Run, phase: Phase, found: Steadiness | None) -> list[Problem]:
    """The problems of a phase that is not steady: a drift or step as a warning, that of an overflow as a note."""
    if found is None or found.cause is None:
        return []
    if found.step_at is None:
        where = f"between {clock(run, phase.start)} and {clock(run, phase.end)}"
    else:
        where = f"at {clock(run, found.step_at)}" + ", when the cache of a VM overflows" * found.overflow
    warm = f"; {warm_up_words(found)}" if found.warm_up_s else ""
    message = (
        f"{phase_words(phase.name).capitalize()} is not steady: IOPS per VM {_moves(found.shift)} {where} "
        f"({_interval(found.shift)}; batch means from {number(found.lowest)} to {number(found.highest)}{warm})."
    )
    if found.overflow:
        action = "shown as measured; see the Cache page, or set [[phases]] before and after it in run.toml"
        return [Problem(Severity.INFO, run.name, "step-at-overflow", message, action)]
    action = "shown as measured; check the timeline, or set a steady part as [[phases]] in run.toml"
    return [Problem(Severity.WARNING, run.name, "not-steady", message, action)]


def warm_up_words(found: Steadiness) -> str:
    """`warm-up: the first 12:00 min lie 50 % above the rest`."""
    side = "above" if found.warm_up_percent > 0 else "below"
    return f"warm-up: the first {duration(found.warm_up_s)} are {abs(found.warm_up_percent):.0f} % {side} the rest"


def shift_words(shift: Shift) -> str:
    """`+3.1 %`."""
    return _percent(shift.percent)


def _percent(value: float) -> str:
    return f"{signed(value, 1)}{THIN}%"


def _moves(shift: Shift) -> str:
    return f"{'rise' if shift.percent > 0 else 'fall'} by {abs(shift.percent):.0f} % of their mean"


def _interval(shift: Shift) -> str:
    return f"99 % interval {signed(shift.low, 1)} to {signed(shift.high, 1)}{THIN}%"
