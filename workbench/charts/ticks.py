"""Positions and labels of the ticks on an axis: plain numbers, minutes, decades.

One algorithm chooses the step for screen, page, workbook and slides: `step`, `time_step` and `decade_step`, from the
length of the axis and the maximum number of steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from workbench.words.numbers import MINUS, MISSING, fixed, four_digits

DASH = MISSING

# Maximum number of steps of an axis, across and up. A small panel on screen has fewer.
STEPS_X, STEPS_Y = 8, 6
TIME_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
# A smaller part of a step is a rounding error.
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Ticks:
    """Positions on the axis (in its units), their labels, and the unit shown on the axis."""

    places: tuple[float, ...]
    labels: tuple[str, ...]
    word: str = ""


def reading(value: float) -> str:
    """A value for a read-out: three significant digits, from 1 000 on four, never in powers of ten."""
    if not math.isfinite(value):
        return DASH
    if value == 0:
        return "0"
    digits = math.floor(math.log10(abs(value)))
    return fixed(four_digits(value), min(6, max(0, 2 - digits)))


def step(length: float, most: int) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that divides `length` into at most `most` steps."""
    least = length / most
    if not (least > 0 and math.isfinite(least)):
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - _SLACK))


def time_step(length: float, most: int) -> float:
    """Like `step`, for seconds: familiar numbers of seconds, minutes, hours or days."""
    least = length / most
    if least < 0.5:
        return step(length, most)
    return next((s for s in TIME_STEPS if s >= least * (1 - _SLACK)), 86_400 * math.ceil(least / 86_400))


def decade_step(low: float, high: float, most: int) -> int:
    """Like `step`, for a logarithmic axis between the exponents `low` and `high`: whole decades."""
    decades = math.ceil(high - _SLACK) - math.floor(low + _SLACK)
    return max(1, math.ceil(decades / most))


def widened(low: float, high: float, by: float) -> tuple[float, float]:
    """The span extended to whole steps, so both ends and 0 have a tick."""
    first, last = math.floor(low / by + _SLACK), math.ceil(high / by - _SLACK)
    return round(first * by, 12), round(max(last, first + 1) * by, 12)


def linear(low: float, high: float, by: float) -> Ticks:
    """The multiples of the step inside `[low, high]`."""
    if not (high > low and math.isfinite(high - low)):
        return Ticks((low,), (reading(low),))
    places = tuple(index * by for index in _inside(low, high, by))
    decimals = max(0, -math.floor(math.log10(by) + _SLACK))
    return Ticks(places, tuple(fixed(value, decimals) for value in places))


def _inside(low: float, high: float, by: float) -> range:
    return range(math.ceil(low / by - _SLACK), math.floor(high / by + _SLACK) + 1)


def log(low: float, high: float, by: int, most: int) -> Ticks:
    """Every `by`th decade between the exponents `low` and `high`; also 2 and 5 if `most` allows them."""
    factors = (1, 2, 5) if by == 1 and (high - low) * 3 <= most + 2 else (1,)
    powers = range(math.floor(low) // by * by, math.ceil(high) + 1, by)
    values = [10.0**power * factor for power in powers for factor in factors]
    inside = [value for value in values if low - _SLACK <= math.log10(value) <= high + _SLACK]
    labels = tuple(fixed(value, max(0, -math.floor(math.log10(value) + _SLACK))) for value in inside)
    return Ticks(tuple(math.log10(value) for value in inside), labels)


def time(low: float, high: float, by: float, clock: bool = False) -> Ticks:
    """Ticks of seconds, shown as seconds, minutes or h:mm, depending on the span."""
    if by < 1:
        plain = linear(low, high, by)
        return Ticks(plain.places, plain.labels, "seconds")
    places = tuple(float(index * by) for index in _inside(low, high, by))
    word = "clock" if clock else _time_word(high - low)
    return Ticks(places, tuple(_time_label(value, word, by) for value in places), word)


def _time_word(span: float) -> str:
    if span <= 180:
        return "seconds"
    return "minutes" if span <= 4 * 3600 else "h:mm"


def _time_label(seconds: float, word: str, step: float) -> str:
    if word == "seconds":
        return fixed(seconds, 0)
    if word == "minutes":
        return fixed(seconds / 60, 0 if step % 60 == 0 else 1 if step % 6 == 0 else 2)
    if word == "clock":
        # As in the read-out and in the sheet that checks an import.
        return moment(seconds, clock=True)[:5]
    sign, whole = (MINUS if seconds < 0 else ""), round(abs(seconds))
    return f"{sign}{whole // 3600}:{whole % 3600 // 60:02d}"


def moment(seconds: float, clock: bool = False) -> str:
    """A moment for a read-out: `12:35 min` or `2:05:10 h`."""
    sign, whole = (MINUS if seconds < 0 else ""), round(abs(seconds))
    hours, minutes, parts = whole // 3600, whole % 3600 // 60, whole % 60
    if clock:
        return f"{hours % 24:02d}:{minutes:02d}:{parts:02d}"
    if hours >= 4:
        return f"{sign}{hours}:{minutes:02d}:{parts:02d} h"
    return f"{sign}{hours * 60 + minutes}:{parts:02d} min"


# The start of the label of an axis of time in each language, and its unit of time in that language.
_TIMES = {
    "Time since": {"seconds": "Seconds since", "minutes": "Minutes since"},
    "Zeit seit": {"seconds": "Sekunden seit", "minutes": "Minuten seit"},
}


def is_time(label: str) -> bool:
    """True for the label of an axis that counts from a moment: `Time since …`."""
    return label.startswith(tuple(_TIMES))


def wording(label: str, unit: str, word: str) -> str:
    """The axis title: quantity and unit once; `Time since …` with its unit of time."""
    for time, units in _TIMES.items():
        if word in units and label.startswith(time):
            return units[word] + label.removeprefix(time)
    if word == "h:mm":
        return f"{label} (h:mm)"
    if word == "clock" or not unit or unit in label:
        return label
    return f"{label} ({unit})" if label else unit
