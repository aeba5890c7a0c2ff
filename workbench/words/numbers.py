"""Numbers as text: three significant digits, thin spaces between groups, a real minus sign.

The decimal mark is a point, or the one that the window sets (`write_decimals_with`). Command line and exports run in
separate processes and always write a point.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

THIN = "\u2009"
MINUS = "\u2212"
MISSING = "—"
# Percentage points: the unit of a difference of two shares.
POINTS = "pp"
_mark = "."
# From this value on, and below ten to this power, numbers are written with a power of ten.
_WRITTEN_OUT, _SMALLEST_POWER = 1e15, -9


def write_decimals_with(mark: str) -> None:
    """Set the decimal mark for all following numbers: a point or a comma."""
    global _mark
    if mark not in (".", ","):
        raise ValueError(f"'{mark}' is not a decimal mark")
    _mark = mark


def decimal_mark() -> str:
    """The current decimal mark."""
    return _mark


def marked(text: str) -> str:
    """A number in Python notation, `12,345.6`, rewritten with thin spaces and the decimal mark."""
    return text.translate({ord(","): THIN, ord("."): _mark})


def bracketed(low: str, high: str) -> str:
    """An interval as text, `[0.12, 0.31]`; `[0,12; 0,31]` if the decimal mark is a comma."""
    return f"[{low}{';' if _mark == ',' else ','} {high}]"


# An interval with decimal points, and its comma.
_INTERVAL = re.compile(r"(\[[^][,;]*\d),(?= [^][,;]*\])")


def with_mark(text: str) -> str:
    """A sentence of the program, with its numbers and intervals written with the decimal mark. It must not contain
    names or versions.
    """
    return re.sub(r"(?<=\d)[.](?=\d)", _mark, _INTERVAL.sub(r"\1;", text) if _mark == "," else text)


def ordinal(value: float) -> str:
    """Text like `95th`, `1st`, `99.9th`."""
    text = marked(f"{value:g}")
    last, tens = value % 10, value % 100
    ending = {1.0: "st", 2.0: "nd", 3.0: "rd"}.get(last, "th") if tens not in (11.0, 12.0, 13.0) else "th"
    return f"{text}{ending}"


def fixed(value: float, decimals: int) -> str:
    """Text like `−12 345.6`: thin spaces group the digits, the minus is a real minus, missing is a dash, and there is
    no −0."""
    if not math.isfinite(value):
        return MISSING
    # One faulty cell can lead to hundreds of digits, which are less readable than a power of ten.
    text = marked(f"{abs(value):.2e}" if abs(value) >= _WRITTEN_OUT else f"{abs(value):,.{decimals}f}")
    return f"{MINUS}{text}" if value < 0 and any(char in "123456789" for char in text) else text


def decimals_of(value: float, digits: int = 4) -> int:
    """The decimals of the first `digits` significant digits; negative if these are tens or more."""
    return digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)


def four_digits(value: float, digits: int = 4) -> float:
    """`value` without insignificant digits: from 10 000 on, only the first `digits` digits are kept."""
    if not 10_000 <= abs(value) < _WRITTEN_OUT:
        return value
    return round(value, decimals_of(value, digits))


def number(value: float | None, digits: int = 3) -> str:
    """`value` with `digits` significant digits, large ones at least four; a count (int) keeps all. — if missing."""
    if value is None or not math.isfinite(value):
        return MISSING
    if value == 0:
        return "0"
    value = value if isinstance(value, int) else four_digits(value, max(4, digits))
    # Uses the rounded number, so 9.996 becomes 10.0 and not 10.00.
    power = int(f"{abs(value):.{digits - 1}e}".partition("e")[2])
    if power < _SMALLEST_POWER:
        return marked(f"{value:.{digits - 1}e}".replace("-", MINUS))
    return fixed(value, max(0, digits - 1 - power))


def plural(count: float, noun: str) -> str:
    """A number with its noun: `1 disk`, `12 disks`, `3.61 disks`."""
    return f"{number(count) if count % 1 else fixed(count, 0)} {noun}{'s' * (count != 1)}"


def in_full(value: float) -> str:
    """`value` with all certain digits (ten at most) and all digits before the decimal mark: for tooltips. — if
    missing."""
    if not math.isfinite(value):
        return MISSING
    if 1e10 <= abs(value) < _WRITTEN_OUT:
        return fixed(value, 0)
    return marked(f"{value:,.10g}").replace("-", MINUS)


def percent(value: float | None) -> str:
    """A share in percent: `86 %`, `0.4 %`, `—`."""
    if value is None or not math.isfinite(value):
        return MISSING
    decimals = 1 if 0 < abs(value) < 10 or 99 < abs(value) < 100 else 0
    return marked(f"{value:.{decimals}f}").replace("-", MINUS) + f"{THIN}%"


def signed(value: float, decimals: int) -> str:
    """A difference with its sign; a value that rounds to 0 has no sign."""
    text = marked(f"{abs(value):,.{decimals}f}")
    sign = MINUS if value < 0 else "+"
    return f"{sign}{text}" if any(char in "123456789" for char in text) else text


def points(value: float) -> str:
    """A difference of shares in percentage points: `+12.0 pp`."""
    return f"{signed(value, 1)}{THIN}{POINTS}"


def duration(seconds: float | None, longest: float = 0.0) -> str:
    """Text like `25 s`, `6:00 min`, `1:12 h`, in the unit of the `longest` duration next to it."""
    if seconds is None or not math.isfinite(seconds):
        return MISSING
    longest = max(seconds, longest)
    if longest < 100:
        return f"{seconds:.0f}{THIN}s"
    # Rounding: differences of clock times are not exactly whole seconds.
    seconds = round(seconds)
    if longest < 5939.5:
        return f"{int(seconds // 60)}:{int(seconds % 60):02d}{THIN}min"
    return f"{int(seconds // 3600)}:{int(seconds % 3600 // 60):02d}{THIN}h"


def moment(at: float | None) -> str:
    """Text like `2016-05-10 08:00:00`, in UTC."""
    return MISSING if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
