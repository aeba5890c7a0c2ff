"""Notes for a perfmon file's import report on its header, its columns and its clock."""

from __future__ import annotations

import calendar
from collections import Counter
from collections.abc import Sequence

import numpy as np

from workbench.model.metric import Quantity
from workbench.model.problem import Severity
from workbench.model.recording import Series
from workbench.readers.common.below_zero import Below
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.header import PdhHeader, split_path
from workbench.readers.perfmon.table import ColumnLayout
from workbench.readers.text.timestamps import (
    STATED_ORDERS,
    IntArray,
    Order,
    Stamps,
    TimeStep,
    hour_ahead,
    shifted,
    steps_back,
)

_MINUTE = 60_000_000
_DISK_RATES = (Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS)


def note_header(header: PdhHeader, line: int, problems: Problems) -> None:
    """Notes an unknown time zone, fixed quotes, and lines before the header."""
    if line > 1:
        problems.info("lines-before-header", f"The header is on line {line}.", "earlier lines ignored", line)
    if header.repaired:
        problems.warn(
            "header-quotes",
            f"The header on line {line} has quotes that do not match.",
            "counter names recognised by their backslashes; check them",
            line,
        )
    if header.by_name:
        problems.info(
            "machine-from-name",
            f"The counter paths on line {line} contain no machine name.",
            "file name used as the machine name; rename the file if that is wrong",
            line,
        )
    if header.utc_offset_minutes is None:
        problems.warn(
            "time-zone-unknown",
            "The header does not state how far the file's clock is from UTC.",
            'times shown as the file has them; set time_zone = "+01:00" in run.toml, or Run > Time zone in the window',
            line,
        )


def note_layout(layout: ColumnLayout, series: Sequence[Series], line: int, problems: Problems) -> None:
    """Notes blank columns that were left out, counters without a name, and duplicate counters."""
    blank = layout.header.names[layout.kept :]
    for name in blank:
        if name:
            problems.info(
                "description-column",
                f"The column '{name}' is not a counter and is empty in every row.",
                "column ignored",
                line,
            )
    if layout.dropped > len(blank) or not all(blank):
        problems.info(
            "trailing-delimiter", "The lines end with a delimiter without a cell.", "empty column ignored", line
        )
    for index, name in enumerate(layout.header.names[: layout.kept], 2):
        if not name:
            problems.warn(
                "no-name",
                f"Column {index} has values but no name in the header.",
                "kept as a series without a name",
                line,
                index,
            )
    twice = [path for path, number in Counter(counter.path for counter in series).items() if number > 1]
    if twice:
        problems.info(
            "duplicate-counter",
            f"{len(twice)} counters appear more than once in the header, such as '{twice[0]}'.",
            "each kept as a separate series",
            line,
        )


def note_language(series: Sequence[Series], foreign: bool, line: int | None, problems: Problems) -> None:
    """Notes counters of a Windows language that no table knows, if the file has no disk rates. `foreign`: its header
    says that Windows is not English; otherwise letters that no English name has show it, or a translated object."""
    if any(one.metric is not None and one.metric.quantity in _DISK_RATES for one in series):
        return
    paths = {split_path(one.path)[1::2]: one for one in series if one.metric is None and one.object}
    unknown = [
        "\\".join(path)
        for path, one in paths.items()
        if path[1] == one.counter
        and (foreign or not "".join(path).isascii() or path[0].casefold() != one.object.casefold())
    ]
    if unknown:
        message = "Some counters probably have names of another language of Windows"
        problems.warn(
            "counter-language",
            f"{message}, such as '{unknown[0]}' ({len(unknown):,} in all).",
            "kept under these names, but not used for values; write the English names into the header "
            "('lodctr /s:names.ini' on that machine lists both), or record on an English Windows",
            line,
        )


def note_order(stamps: Stamps, order: Order, problems: Problems) -> None:
    """Notes dates in another order than PDH's, and times without seconds."""
    if order is not Order.MONTH_FIRST:
        add = problems.warn if stamps.standard else problems.info
        add("date-order", f"The dates are not in perfmon's own order: {order}.", f"dates read {order}")
    if not stamps.seconds:
        problems.warn(
            "seconds-lost",
            "The times have no seconds, so several rows may share one time.",
            "rows kept in the file's order; use the original file for exact values",
        )


def stated_order(stated: str | None, problems: Problems) -> Order | None:
    """Returns the order that the run states for ambiguous dates, or None if it states none that fits them."""
    order = STATED_ORDERS.get(stated or "")
    if order is None or order is Order.YEAR_FIRST:
        return None
    problems.info(
        "date-order-stated",
        "Every date fits both month first and day first.",
        f"dates read {order}, as run.toml states",
    )
    return order


def note_steps(steps: Sequence[TimeStep], lines: IntArray, problems: Problems) -> None:
    """Notes each place at which the clock goes back."""
    for step in steps:
        line = int(lines[step.index])
        if step.summer_time_ends:
            problems.warn(
                "summer-time-end",
                f"At line {line} the clock goes back by about an hour: the end of summer time.",
                "one hour added to this and all later times, so UTC stays right",
                line,
            )
        else:
            problems.warn(
                "clock-back",
                f"At line {line} the clock goes back by {-step.seconds:,.3f} seconds.",
                "rows kept in the file's order",
                line,
            )


def without_steps(times: IntArray, lines: IntArray, problems: Problems) -> IntArray:
    """Returns the times on one offset, after the end of summer time is noted and every other step back."""
    steps = steps_back(times)
    note_steps(steps, lines, problems)
    return shifted(times, steps)


def note_hour_ahead(times: IntArray, lines: IntArray, problems: Problems) -> None:
    """Notes a gap that looks like the start of summer time."""
    row = hour_ahead(times)
    if row is not None:
        line = int(lines[row])
        problems.warn(
            "summer-time-start",
            f"At line {line} the clock skips an hour on a Sunday night: the start of summer time, or a gap.",
            "times kept as written, with a gap of an hour; if it is summer time, later times are an hour late in UTC",
            line,
        )


def note_repeats(times: IntArray, lines: IntArray, problems: Problems) -> None:
    """Notes rows with the time of the previous row, unless the times lack seconds. If the whole file has one time, it
    is always noted."""
    same = np.flatnonzero(np.diff(times) == 0)
    if same.size and ((times % _MINUTE).any() or same.size == len(times) - 1):
        line = int(lines[same[0] + 1])
        problems.warn(
            "repeated-time",
            f"{same.size:,} rows have the time of the row before them; the first is line {line}.",
            "rows kept in the file's order",
            line,
        )


def note_below_zero(below_zero: Sequence[Below], series: Sequence[Series], lines: IntArray, problems: Problems) -> int:
    """Notes cells below zero that were left empty, one problem per column. Returns their number."""
    for below in below_zero:
        line, cell, path = int(lines[below.row]), below.column + 2, series[below.column].path
        more = f"; of this column's cells {below.number:,} are below zero, and this is the first"
        problems.warn(
            "negative-rate",
            f"Line {line}, cell {cell}: {below.value:g} is less than '{path}' can be"
            f"{more if below.number > 1 else ''}.",
            "cells left empty: they count as missing",
            line,
            cell,
        )
    return sum(below.number for below in below_zero)


def refuse_ambiguous_date(stamps: Stamps, problems: Problems) -> None:
    """Notes that day and month cannot be distinguished, with both readings of the first date."""
    months = calendar.month_name
    fits = stamps.valid & (stamps.a >= 1) & (stamps.a <= 12) & (stamps.b >= 1) & (stamps.b <= 12)
    message = "Some dates can only have the month first, and others only the day"
    if fits.any():
        index = int(np.flatnonzero(fits)[0])
        first, other, year = (int(part[index]) for part in (stamps.a, stamps.b, stamps.c))
        message = f"{first:02}/{other:02}/{year} is {other} {months[first]} or {first} {months[other]}"
    problems.add(
        Severity.REFUSED,
        "ambiguous-date",
        f"{message}, and the file does not show which.",
        'file not imported; set date_order = "mdy" or "dmy" in run.toml, or use the original file',
    )
