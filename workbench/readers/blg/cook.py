"""Converts raw values to the values that perfmon shows: one formula per counter type.

Source: the public documentation of winperf.h and PDH ("Calculations for Raw Counter Data", the pages of the PERF_*
counter types). Its formulas use N for the counter, D for its time or base, F (or TB) for the ticks per second; 0 is the
previous sample, 1 the current one. The numbers have not been compared with relog, Windows' own converter.

A value that needs the previous sample is missing in the first sample and after a sample without a value. An average
over an interval in which nothing happened (D1 = D0) is missing too; perfmon probably writes 0 there. So is a quotient
that would be negative because the counter was reset.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.readers.text.timestamps import BoolArray, IntArray

FloatArray = npt.NDArray[np.float64]

# Types that only serve the counter before them, or hold no value: PERF_SAMPLE_BASE, PERF_AVERAGE_BASE, PERF_RAW_BASE,
# PERF_LARGE_RAW_BASE (also PERF_PRECISION_TIMESTAMP), PERF_COUNTER_MULTI_BASE.
BASES = frozenset((0x40030401, 0x40030402, 0x40030403, 0x40030500, 0x42030500))
NO_DATA = frozenset((0x40000200,))  # PERF_COUNTER_NODATA
_SIZES = {0x000: 4, 0x100: 8}
_MULTI = 0x02000000
# Windows counts idle time in ticks of the clock, up to 1/64 s: idle time can exceed the interval by that much.
_CLOCK_TICK_S = 1 / 64
_TICKS_OF_NOISE = 2


@dataclass(frozen=True, slots=True)
class Type:
    """A counter type: its name and its formula.

    `is_delta`: it needs the previous sample. `has_base`: D is another counter, not a clock.
    """

    name: str
    is_delta: bool
    has_base: bool
    formula: Callable[[_Values], FloatArray]


@dataclass(frozen=True, eq=False)
class _Values:
    """N and D of this sample, or their differences to the previous sample; one column per counter."""

    n: FloatArray
    d: FloatArray
    base: FloatArray
    count: FloatArray


@dataclass(frozen=True, eq=False)
class Cooked:
    """Values with NaN for missing. Per column, `back` counts the cells left empty because the counter went back, and
    `idle_over` the cells read as 0 because idle time exceeded its interval."""

    values: FloatArray
    back: IntArray
    idle_over: IntArray


@dataclass(frozen=True, eq=False)
class RawValue:
    """Raw samples as rows, counters of one type as columns."""

    first: IntArray
    second: IntArray
    count: IntArray
    valid: BoolArray


def _rate(v: _Values) -> FloatArray:
    return v.n / (v.d / v.base)


def _percent(v: _Values) -> FloatArray:
    return 100 * v.n / v.d


def _percent_inverse(v: _Values) -> FloatArray:
    return 100 * (1 - v.n / v.d)


def _percent_of_many(v: _Values) -> FloatArray:
    return 100 * (v.n / v.d) / v.count


def _percent_of_many_inverse(v: _Values) -> FloatArray:
    return 100 * (v.count - v.n / v.d) / v.count


def _quotient(v: _Values) -> FloatArray:
    return v.n / v.d


def _seconds_each(v: _Values) -> FloatArray:
    return v.n / v.base / v.d


def _raw(v: _Values) -> FloatArray:
    return v.n


def _elapsed(v: _Values) -> FloatArray:
    return (v.d - v.n) / v.base


TYPES: dict[int, Type] = {
    0x00000000: Type("PERF_COUNTER_RAWCOUNT_HEX", False, False, _raw),
    0x00000100: Type("PERF_COUNTER_LARGE_RAWCOUNT_HEX", False, False, _raw),
    0x00010000: Type("PERF_COUNTER_RAWCOUNT", False, False, _raw),
    0x00010100: Type("PERF_COUNTER_LARGE_RAWCOUNT", False, False, _raw),
    0x00400400: Type("PERF_COUNTER_DELTA", True, False, _raw),
    0x00400500: Type("PERF_COUNTER_LARGE_DELTA", True, False, _raw),
    0x00410400: Type("PERF_SAMPLE_COUNTER", True, False, _rate),
    0x00450400: Type("PERF_COUNTER_QUEUELEN_TYPE", True, False, _quotient),
    0x00450500: Type("PERF_COUNTER_LARGE_QUEUELEN_TYPE", True, False, _quotient),
    0x00550500: Type("PERF_COUNTER_100NS_QUEUELEN_TYPE", True, False, _quotient),
    0x00650500: Type("PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", True, False, _quotient),
    0x10410400: Type("PERF_COUNTER_COUNTER", True, False, _rate),
    0x10410500: Type("PERF_COUNTER_BULK_COUNT", True, False, _rate),
    0x20020400: Type("PERF_RAW_FRACTION", False, True, _percent),
    0x20020500: Type("PERF_LARGE_RAW_FRACTION", False, True, _percent),
    0x20410500: Type("PERF_COUNTER_TIMER", True, False, _percent),
    0x20470500: Type("PERF_PRECISION_SYSTEM_TIMER", True, True, _percent),
    0x20510500: Type("PERF_100NSEC_TIMER", True, False, _percent),
    0x20570500: Type("PERF_PRECISION_100NS_TIMER", True, True, _percent),
    0x20610500: Type("PERF_OBJ_TIME_TIMER", True, False, _percent),
    0x20670500: Type("PERF_PRECISION_OBJECT_TIMER", True, True, _percent),
    0x20C20400: Type("PERF_SAMPLE_FRACTION", True, True, _percent),
    0x21410500: Type("PERF_COUNTER_TIMER_INV", True, False, _percent_inverse),
    0x21510500: Type("PERF_100NSEC_TIMER_INV", True, False, _percent_inverse),
    0x22510500: Type("PERF_100NSEC_MULTI_TIMER", True, False, _percent_of_many),
    0x23510500: Type("PERF_100NSEC_MULTI_TIMER_INV", True, False, _percent_of_many_inverse),
    0x30020400: Type("PERF_AVERAGE_TIMER", True, True, _seconds_each),
    0x30240500: Type("PERF_ELAPSED_TIME", False, False, _elapsed),
    0x40020500: Type("PERF_AVERAGE_BULK", True, True, _quotient),
}
_INVERSE = frozenset((0x21410500, 0x21510500, 0x23510500))
_DIVIDE_BY_TIME = frozenset(kind for kind, counter_type in TYPES.items() if counter_type.formula is not _raw)
# Used only in messages.
_OTHER_NAMES = {
    0x00000B00: "PERF_COUNTER_TEXT",
    0x22410500: "PERF_COUNTER_MULTI_TIMER",
    0x23410500: "PERF_COUNTER_MULTI_TIMER_INV",
    0x80000000: "PERF_COUNTER_HISTOGRAM_TYPE",
}


def type_name(kind: int) -> str:
    """Returns the name of a type in winperf.h, or its number in hexadecimal if this module has no name for it."""
    if kind in TYPES:
        return TYPES[kind].name
    return _OTHER_NAMES.get(kind, f"0x{kind:08X}")


def width_of(kind: int) -> int:
    """Returns the size of a type's raw value in bytes: 4 or 8; 0 if it has no fixed size."""
    return _SIZES.get(kind & 0x300, 0)


def is_multi(kind: int) -> bool:
    """True if a type needs the number of things that are timed together (PERF_MULTI_COUNTER)."""
    return bool(kind & _MULTI)


def needs_base(kind: int) -> bool:
    """True if a counter of this type is followed by a definition that only serves it."""
    return is_multi(kind) or (kind in TYPES and TYPES[kind].has_base)


def cook(kind: int, raw: RawValue, before: RawValue | None, time_bases: FloatArray) -> Cooked:
    """Computes the values of the rows of `raw`. `before` is the one row before them, None at the beginning."""
    counter_type = TYPES.get(kind)
    shape = raw.first.shape
    if counter_type is None:
        return Cooked(np.full(shape, np.nan), np.zeros(shape[1], np.int64), np.zeros(shape[1], np.int64))
    base = np.broadcast_to(time_bases, shape)
    if counter_type.is_delta:
        n, d, usable = _differences(kind, counter_type, raw, before)
    else:
        n, d, usable = _as_float(raw.first, kind), raw.second.astype(np.float64), raw.valid.copy()
        if counter_type.formula is _elapsed:
            n, d = np.zeros(shape), (raw.second - raw.first).astype(np.float64)
            usable &= (raw.first > 0) & (d >= 0) & (base > 0)
    if counter_type.is_delta and counter_type.formula is _raw:
        d = np.ones(shape)
    backwards = usable & ((n < 0) | (d < 0))
    if kind in _DIVIDE_BY_TIME and counter_type.formula is not _elapsed:
        usable &= d > 0
    if counter_type.formula in (_rate, _seconds_each):
        usable &= base > 0
    if is_multi(kind):
        usable &= raw.count > 0
    if counter_type.is_delta:
        usable &= ~backwards
    with np.errstate(all="ignore"):
        values = counter_type.formula(_Values(n, d, base, raw.count.astype(np.float64)))
    usable &= np.isfinite(values)
    idle_over = np.zeros(shape, np.bool_)
    if kind in _INVERSE:
        values, idle_over, far = _without_noise(values, d, base, usable)
        usable &= ~far
        backwards |= far
    none = np.zeros(shape[1], np.int64)
    counted = np.count_nonzero(backwards, axis=0) if counter_type.is_delta else none
    return Cooked(np.where(usable, values, np.nan), counted, np.count_nonzero(idle_over, axis=0))


def _as_float(values: IntArray, kind: int) -> FloatArray:
    return (values & 0xFFFFFFFF if width_of(kind) == 4 else values).astype(np.float64)


def _differences(
    kind: int, counter_type: Type, raw: RawValue, before: RawValue | None
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Returns N1 - N0, D1 - D0, and a mask of the cells that have a value in both samples."""
    top = before or RawValue(raw.first[:1] * 0, raw.second[:1] * 0, raw.count[:1] * 0, raw.valid[:1] & False)
    first, second = np.vstack((top.first, raw.first)), np.vstack((top.second, raw.second))
    valid = np.vstack((top.valid, raw.valid))
    n, d = np.diff(first, axis=0), np.diff(second, axis=0)
    if width_of(kind) == 4:
        n = _unwrapped(n, first)
    if counter_type.has_base:
        d = _unwrapped(d, second)
    return n.astype(np.float64), d.astype(np.float64), valid[1:] & valid[:-1]


def _unwrapped(steps: IntArray, values: IntArray) -> IntArray:
    """Corrects differences of 32-bit counts, which restart at 0 after 2^32 - 1. Only a step from the upper half of the
    range into the lower half is corrected; any other step back means that the counter was reset."""
    before, after = values[:-1], values[1:]
    half, whole = 1 << 31, 1 << 32
    wrapped = (steps < 0) & (before >= half) & (before < whole) & (after >= 0) & (after < half)
    return np.where(wrapped, steps + whole, steps)


def _without_noise(
    values: FloatArray, d: FloatArray, base: FloatArray, usable: BoolArray
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Sets inverse timers slightly below 0 to 0, because idle time is counted in ticks of the clock. Values far below 0
    are wrong. Returns the values, a mask of the cells set to 0, and a mask of the wrong ones."""
    with np.errstate(all="ignore"):
        noise = 100 * _TICKS_OF_NOISE * _CLOCK_TICK_S / (d / base)
    below = usable & (values < 0)
    near = below & (values >= -noise)
    return np.where(near, 0.0, values), near, below & ~near
