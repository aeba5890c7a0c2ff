"""Axes of a chart: limits on whole steps, and how their numbers read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

LOG_FORMAT = "[>=1]#,##0;General"
_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis: its title, its ends with the step between ticks (None: PowerPoint chooses), and its number format."""

    title: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    log: bool = False
    number_format: str = "General"


def round_limits(low: float, high: float, ticks: int) -> tuple[float, float, float]:
    """The span widened to whole steps of 1, 2, 2.5 or 5 times a power of ten, and the step; a tick stands at 0."""
    if not high > low:
        low, high = min(low, 0.0), max(high, 0.0) if high != low else max(high, low + (abs(low) or 1.0))
    raw = (high - low) / ticks
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in _STEPS if factor * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return round(first * step, 12), round(last * step, 12), step


def log_limits(values: Iterable[float]) -> tuple[float, float]:
    """The whole powers of ten around the values above 0; others cannot stand on such an axis."""
    known = [value for value in values if value > 0]
    if not known:
        return 1.0, 10.0
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    return 10.0**low, 10.0 ** max(high, low + 1)


def tick_format(step: float) -> str:
    """As many decimals as the step between ticks needs."""
    decimals = next((count for count in range(7) if abs(round(step, count) - step) < 1e-9 * step), 7)
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def label_format(values: Iterable[float]) -> str:
    """Three digits or so for the numbers at the bars, in one format for all."""
    known = [abs(value) for value in values]
    highest = max(known, default=0.0)
    if highest >= 1000 or all(value == round(value) for value in known):
        return "#,##0"
    return "#,##0.0" if highest >= 10 else "0.00"
