"""When snapshots of poolmon were taken: poolmon writes no time, so a script does, or the file's name or its time tells.

Known in the text between snapshots: dates with numbers (`Tue 05/10/2016  9:00:01.23`, ISO-8601, also date and time on
lines of their own, as `date /t` and `time /t` write them) and PowerShell's `Tuesday, May 10, 2016 9:00:01 AM`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.model.recording import DateOrder
from workbench.readers.text.timestamps import (
    DAY,
    Order,
    Stamps,
    decide_order,
    guess_order,
    parse_texts,
    to_microseconds,
)

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?\d{0,3})?)(?P<half>\s?[AaPp]\.?[Mm]\b)?"
_NUMBERS = re.compile(
    rf"(?:\b(?P<day>{'|'.join(_DAYS)})[a-z]{{0,6}},?\s{{1,3}})?"
    rf"(?<![\d.:])(?P<date>\d{{1,4}}(?P<mark>[/.-])\d{{1,2}}(?P=mark)\d{{1,4}})[^\d]{{1,60}}{_CLOCK}",
    re.I,
)
_WORDS = re.compile(
    rf"\b(?P<month>{'|'.join(_MONTHS)})[a-z]{{0,6}}\s{{1,3}}(?P<of_month>\d{{1,2}}),\s{{1,3}}(?P<year>\d{{4}})"
    rf"[^\d]{{1,20}}{_CLOCK}",
    re.I,
)
_IN_NAME = re.compile(
    r"(?<!\d)(20\d{2})[-_.]?([01]\d)[-_.]?([0-3]\d)[-_T. ]{0,3}([0-2]\d)[-_.:h]?([0-5]\d)(?:[-_.:m]?([0-5]\d))?(?!\d)"
)


class UndecidedError(Exception):
    """Dates that fit both orders of day and month; the text is one of them. `guess`: all are of one day."""

    def __init__(self, text: str, guess: DateOrder | None) -> None:
        super().__init__(text)
        self.guess = guess


def moment_in_name(name: str) -> int | None:
    """Microseconds since 1970 as a clock showed them, by the date and time in a file's name; None without."""
    match = _IN_NAME.search(name)
    if match is None:
        return None
    year, month, day, hour, minute, second = (part or "00" for part in match.groups())
    stamps = parse_texts([f"{year}-{month}-{day} {hour}:{minute}:{second}"])
    times, valid = to_microseconds(stamps, Order.YEAR_FIRST)
    return int(times[0]) if valid[0] else None


def without_moment(name: str) -> str:
    """A file's name with a NUL in place of its date and time."""
    return _IN_NAME.sub("\0", name)


def moments(texts: Sequence[str], stated: Order | None) -> list[int | None]:
    """The time in each text, in microseconds since 1970 as the clock showed it; None where there is none. `stated` is
    the order of day and month that the run states. Raises UndecidedError."""
    written = [_stamp(text) for text in texts]
    known = [stamp for stamp in written if stamp is not None]
    stamps = parse_texts([stamp for stamp, _ in known])
    order = decide_order(stamps, trusted=False) or _by_weekday([day for _, day in known], stamps) or stated
    if order is None:
        raise UndecidedError(known[0][0], guess_order(stamps, ""))
    times, valid = to_microseconds(stamps, order)
    values = iter([int(time) if ok else None for time, ok in zip(times, valid, strict=True)])
    return [None if stamp is None else next(values) for stamp in written]


def _stamp(text: str) -> tuple[str, str] | None:
    """Date and time as numbers, and the day of the week where it stands beside them; the last of several."""
    stamps = [(match.start(), _in_numbers(match)) for match in _NUMBERS.finditer(text)]
    stamps += [(match.start(), _in_words(match)) for match in _WORDS.finditer(text)]
    return max(stamps)[1] if stamps else None


def _in_numbers(match: re.Match[str]) -> tuple[str, str]:
    return f"{match['date']} {_clock(match)}", (match["day"] or "").lower()


def _in_words(match: re.Match[str]) -> tuple[str, str]:
    month = _MONTHS.index(match["month"].lower()) + 1
    return f"{match['year']}-{month:02}-{int(match['of_month']):02} {_clock(match)}", ""


def _clock(match: re.Match[str]) -> str:
    time = match["time"]
    seventh = re.search(r"[.,]\d{6}", time)
    return (time[: seventh.end()] if seventh else time) + (match["half"] or "").replace(".", "")


def _by_weekday(days: Sequence[str], stamps: Stamps) -> Order | None:
    """The order by which every day of the week that is named fits its date."""
    if not any(days):
        return None
    fits = [order for order in (Order.MONTH_FIRST, Order.DAY_FIRST) if _fit(days, stamps, order)]
    return fits[0] if len(fits) == 1 else None


def _fit(days: Sequence[str], stamps: Stamps, order: Order) -> bool:
    times, valid = to_microseconds(stamps, order)
    # 1 January 1970 was a Thursday.
    return all(
        ok and _DAYS[(int(time) // DAY + 3) % 7] == day for day, time, ok in zip(days, times, valid, strict=True) if day
    )
