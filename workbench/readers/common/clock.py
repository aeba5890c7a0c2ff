"""The clock of a file of samples: the order of its dates, its steps, and the notes on them."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from workbench.model.problem import Severity
from workbench.model.recording import DateOrder
from workbench.readers.common.row_problems import Problems, counting, place_words, row_rejected
from workbench.readers.text.timestamps import (
    STATED_ORDERS,
    BoolArray,
    IntArray,
    Order,
    Stamps,
    TimeStep,
    clock_jumps,
    decide_order,
    decided_dates,
    guess_order,
    hour_ahead,
    shifted,
    steps_back,
    to_microseconds,
)

_MINUTE = 60_000_000
# The orders that a run may state for dates with the year at the end.
_BY_WORD = {word: order for word, order in STATED_ORDERS.items() if order is not Order.YEAR_FIRST}


@dataclass(frozen=True, eq=False)
class SampleClock:
    """The times of the rows with a real date, their physical lines, and `real`, the mask of these rows among all.
    `jumps` are the places where the clock skips; `dates` is the order of day and month if the column decides it."""

    times: IntArray
    lines: IntArray
    real: BoolArray
    jumps: tuple[tuple[int, int], ...] = ()
    dates: DateOrder | None = None


@dataclass(frozen=True, slots=True)
class Dates:
    """The known facts about a column's dates before they are read: True if PDH's own order is `trusted`, the order that
    the run `stated`, and the evidence for day first. `stamped`: each time states its offset from UTC."""

    trusted: bool
    stated: str | None
    day_first: str = ""
    stamped: bool = False


def read_clock(
    stamps: Stamps,
    lines: IntArray,
    known: Dates,
    problems: Problems,
    texts: Sequence[str] | None = None,
    moved: IntArray | int = 0,
) -> SampleClock | None:
    """Returns the clock of a column of times, and notes unusual times. `moved` places each on one offset; `texts` are
    the times as the file writes them. None, with nothing noted, if day and month are ambiguous; without `texts` also if
    one of them is not a date."""
    order = decide_order(stamps, known.trusted)
    dates = None if order is None or known.trusted else decided_dates(order)
    stated = None if order is not None else _BY_WORD.get(known.stated or "")
    if order is None and stated is None and (dates := guess_order(stamps, known.day_first)) is not None:
        order = STATED_ORDERS[dates.order]
    if (chosen := order or stated) is None:
        return None
    times, real = to_microseconds(stamps, chosen)
    if texts is None and not real.all():
        return None
    times = (times + moved)[real]
    steps = steps_back(times)
    if known.stamped:
        steps = tuple(replace(step, summer_time_ends=False) for step in steps)
    times = shifted(times, steps)
    jumps = clock_jumps(times, steps)
    ahead = None if known.stamped else hour_ahead(times)
    if stated is not None:
        _note_stated(stated, problems)
    for line, text in zip(lines[~real].tolist(), compress(texts or (), ~real), strict=True):
        problems.warn("bad-time", f"Line {line}: {text!r} is not a valid date.", row_rejected("bad-time"), line)
    lines = lines[real]
    if times.size:
        _note_order(stamps, chosen, problems)
        note_steps(steps, lines, problems)
        _note_hour_ahead(ahead, lines, problems)
        _note_repeats(times, lines, problems)
    return SampleClock(times, lines, real, jumps, dates)


def _note_order(stamps: Stamps, order: Order, problems: Problems) -> None:
    """Notes dates in another order than PDH's, and times without seconds."""
    if order is not Order.MONTH_FIRST:
        add = problems.warn if stamps.standard else problems.info
        add(
            "date-order",
            f"The dates have the {order}, which is unusual for perfmon.",
            "dates read in this order; check the timestamps",
        )
    if not stamps.seconds:
        problems.warn(
            "seconds-lost",
            "The timestamps have no seconds, so several rows may have the same timestamp.",
            "rows kept in the order of the file; use the original file for exact values",
        )


def stated_order(stated: str | None, problems: Problems) -> Order | None:
    """Returns the order that the run states for ambiguous dates, or None if it states none that fits them."""
    order = _BY_WORD.get(stated or "")
    if order is not None:
        _note_stated(order, problems)
    return order


def _note_stated(order: Order, problems: Problems) -> None:
    message, action = (
        "All dates are valid with the month first and with the day first.",
        f"dates imported with the {order}, as set in run.toml",
    )
    problems.info("date-order-stated", message, action)


def note_steps(steps: Sequence[TimeStep], lines: IntArray, problems: Problems) -> None:
    """Notes each place at which the clock goes back."""
    for step in steps:
        line = int(lines[step.index])
        if step.summer_time_ends:
            problems.warn(
                "summer-time-end",
                f"On line {line}, the clock went back by about an hour: the end of summer time.",
                "one hour added to this and all later timestamps; check the timeline",
                line,
            )
        else:
            back = f"{-step.seconds:,.3f}".rstrip("0").rstrip(".")
            problems.warn(
                "clock-back",
                f"On line {line}, the clock went back by {back} seconds.",
                "rows kept in the order of the file; check the time synchronisation of the machine",
                line,
            )


def without_steps(times: IntArray, lines: IntArray, problems: Problems) -> IntArray:
    """Returns the times on one offset, after the end of summer time is noted and every other step back."""
    steps = steps_back(times)
    note_steps(steps, lines, problems)
    return shifted(times, steps)


def _note_hour_ahead(row: int | None, lines: IntArray, problems: Problems) -> None:
    """Notes a gap that looks like the start of summer time: before a row, or None."""
    if row is not None:
        line = int(lines[row])
        problems.warn(
            "summer-time-start",
            f"Line {line}: the clock skipped an hour on a Sunday night (summer time or a gap).",
            "treated as a gap; if summer time starts here, set time_zone in run.toml",
            line,
        )


def _note_repeats(times: IntArray, lines: IntArray, problems: Problems) -> None:
    """Notes rows with the time of the previous row, unless the times lack seconds. If the whole file has one time, it
    is always noted."""
    same = np.flatnonzero(np.diff(times) == 0)
    if same.size and ((times % _MINUTE).any() or same.size == len(times) - 1):
        line = int(lines[same[0] + 1])
        problems.warn(
            "repeated-time",
            f"{counting(same.size, 'row', 'has', 'have')} the same timestamp as the previous row "
            f"({place_words(same.size, f'line {line}')}).",
            "rows kept in the order of the file; check the timestamps",
            line,
        )


def refuse_ambiguous_date(stamps: Stamps, problems: Problems) -> None:
    """Notes that day and month cannot be distinguished, with both readings of the first date."""
    months = calendar.month_name
    fits = stamps.valid & (stamps.a >= 1) & (stamps.a <= 12) & (stamps.b >= 1) & (stamps.b <= 12)
    message = "Some dates are valid only with the month first, others only with the day first."
    if fits.any():
        index = int(np.flatnonzero(fits)[0])
        first, other, year = (int(part[index]) for part in (stamps.a, stamps.b, stamps.c))
        message = f"{first:02}/{other:02}/{year} may mean {other} {months[first]} or {first} {months[other]}."
    problems.add(
        Severity.REFUSED,
        "ambiguous-date",
        message,
        'file not imported; set date_order = "mdy" or "dmy" in run.toml, or use the original file',
    )
