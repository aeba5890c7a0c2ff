"""Where the ticks of an axis stand and how they read: plain numbers, minutes, decades."""

from __future__ import annotations

import math
from dataclasses import dataclass

from workbench.words.numbers import MINUS, MISSING, fixed

DASH = MISSING

_TIME_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)


@dataclass(frozen=True, slots=True)
class Ticks:
    """Places on the axis (in its own units), their labels, and the word that names the unit on the axis."""

    places: tuple[float, ...]
    labels: tuple[str, ...]
    word: str = ""


def reading(value: float) -> str:
    """A value for a read-out: three significant digits, never in powers of ten."""
    if not math.isfinite(value):
        return DASH
    if value == 0:
        return "0"
    digits = math.floor(math.log10(abs(value)))
    return fixed(value, min(6, max(0, 2 - digits)))


def linear(low: float, high: float, most: int) -> Ticks:
    """At most `most` round steps (1, 2 or 5 times a power of ten) inside `[low, high]`."""
    span = high - low
    if not (span > 0 and math.isfinite(span)):
        return Ticks((low,), (reading(low),))
    step = _round_step(span / most)
    if math.floor(high / step + 1e-9) - math.ceil(low / step - 1e-9) + 1 > most:
        step = _round_step(step * 1.1)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = tuple(index * step for index in range(first, last + 1))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return Ticks(places, tuple(fixed(place, decimals) for place in places))


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))


def log(low: float, high: float, most: int) -> Ticks:
    """Decades between the exponents `low` and `high`; within one or two decades also 2 and 5."""
    decades = range(math.floor(low), math.ceil(high) + 1)
    factors = (1, 2, 5) if (high - low) * 3 <= most + 2 else (1,)
    stride = max(1, math.ceil((high - low + 1) / max(2, most))) if factors == (1,) else 1
    values = [(10.0**power, f) for power in decades if power % stride == 0 for f in factors]
    inside = [value * f for value, f in values if low - 1e-9 <= math.log10(value * f) <= high + 1e-9]
    labels = tuple(fixed(value, max(0, -math.floor(math.log10(value) + 1e-9))) for value in inside)
    return Ticks(tuple(math.log10(value) for value in inside), labels)


def time(low: float, high: float, most: int, clock: bool = False) -> Ticks:
    """Ticks of seconds: read as seconds, minutes or h:mm, whichever the span asks for."""
    span = max(high - low, 1e-6)
    least = span / max(1, most - 1)
    step = next((s for s in _TIME_STEPS if s >= least), 86_400 * math.ceil(least / 86_400))
    if least < 0.5:
        plain = linear(low, high, most)
        return Ticks(plain.places, plain.labels, "seconds")
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = tuple(float(index * step) for index in range(first, last + 1))
    word = "clock" if clock else _time_word(span)
    return Ticks(places, tuple(_time_label(place, word, step) for place in places), word)


def _time_word(span: float) -> str:
    if span <= 180:
        return "seconds"
    return "minutes" if span <= 4 * 3600 else "h:mm"


def _time_label(seconds: float, word: str, step: float) -> str:
    if word == "seconds":
        return fixed(seconds, 0)
    if word == "minutes":
        return fixed(seconds / 60, 0 if step % 60 == 0 else 1 if step % 6 == 0 else 2)
    sign, whole = (MINUS if seconds < 0 else ""), round(abs(seconds))
    return f"{sign}{whole // 3600 % (24 if word == 'clock' else 10**9)}:{whole % 3600 // 60:02d}"


def moment(seconds: float, clock: bool = False) -> str:
    """A moment for a read-out: `12:35 min` or `2:05:10 h`."""
    sign, whole = (MINUS if seconds < 0 else ""), round(abs(seconds))
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    if clock:
        return f"{hours % 24:02d}:{minutes:02d}:{rest:02d}"
    if hours >= 4:
        return f"{sign}{hours}:{minutes:02d}:{rest:02d} h"
    return f"{sign}{hours * 60 + minutes}:{rest:02d} min"


def wording(label: str, unit: str, word: str) -> str:
    """The axis title: quantity and unit once; `time since …` says which unit of time it counts."""
    if word in ("seconds", "minutes") and label.startswith("time"):
        return word + label.removeprefix("time")
    if word == "h:mm":
        return f"{label} (h:mm)"
    if word == "clock" or not unit or unit in label:
        return label
    return f"{label} ({unit})" if label else unit
