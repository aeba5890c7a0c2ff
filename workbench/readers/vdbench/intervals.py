"""The interval rows of a vdbench report as time series, one set for each run definition.

Each row speaks of the interval that ends at its time of day; time 0 is the first row's. `rate` is I/Os per second,
`MB/sec` 2^20 bytes, `resp`, `read_resp` and `write_resp` milliseconds. A response time is 0 where no such I/O was
done: that is not measured, not 0 ms.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.metric import Quantity
from workbench.model.problem import Problem
from workbench.readers.common.relative_series import Measure, Samples
from workbench.readers.text import documents as bt
from workbench.readers.vdbench.tables import Row

_DAY = 86_400
_MEASURES = {
    "rate": Measure("rate", "1/s", Quantity.IOPS),
    "MB/sec": Measure("MB/sec", "MiB/s", Quantity.THROUGHPUT, bt.MIB * 1e6),
    "resp": Measure("resp", "ms", Quantity.LATENCY, 1e-3),
    "read_resp": Measure("read_resp", "ms", Quantity.READ_LATENCY, 1e-3),
    "write_resp": Measure("write_resp", "ms", Quantity.WRITE_LATENCY, 1e-3),
}
_NOT_MEASURED = ("", "n/a")


def interval_samples(rows: Sequence[Row], name: str) -> tuple[Samples, list[Problem]]:
    """The samples of the rows, and a problem for rows without a time and for cells that are no number."""
    samples = Samples()
    timeless: list[int] = []
    odd: list[int] = []
    first = last = days = 0
    for row in rows:
        of_day = _microseconds(row.time)
        if of_day is None:
            timeless.append(row.line)
            continue
        if not samples.times:
            first = last = of_day
        days += of_day < last - _DAY * 500_000  # beyond half a day back it is the next day
        last = of_day
        if any(bt.number(row.cells.get(key)) is None and _stated(row, key) for key in _MEASURES):
            odd.append(row.line)
        samples.add(of_day + days * _DAY * 1_000_000 - first, row.run, _values(row))
        if samples.full:
            break
    return samples, _told(name, timeless, odd)


def _values(row: Row) -> dict[Measure, float | None]:
    values = {measure: bt.number(row.cells[key]) for key, measure in _MEASURES.items() if key in row.cells}
    share = bt.number(row.cells.get("read%"))
    idle = not values.get(_MEASURES["rate"])
    for key, none in (("resp", idle), ("read_resp", idle or share == 0), ("write_resp", idle or share == 100)):
        if none and _MEASURES[key] in values:
            values[_MEASURES[key]] = None
    return values


def _stated(row: Row, key: str) -> bool:
    return row.cells.get(key, "").strip().lower() not in _NOT_MEASURED


def _told(name: str, timeless: list[int], odd: list[int]) -> list[Problem]:
    problems: list[Problem] = []
    if timeless:
        message = f"{len(timeless):,} interval rows have no time of day; the first is line {timeless[0]}."
        problems.append(bt.warning(name, "bad-time", message, "not in the time series", timeless[0]))
    if odd:
        message = f"{len(odd):,} interval rows contain text instead of a number; the first is line {odd[0]}."
        problems.append(bt.warning(name, "not-a-number", message, "those samples left empty", odd[0]))
    return problems


def _microseconds(time: str) -> int | None:
    """Microseconds since midnight of `13:15:31.067`."""
    parts = time.split(":")
    if len(parts) != 3:
        return None
    hours, minutes, seconds = (bt.number(part) for part in parts)
    if hours is None or minutes is None or seconds is None:
        return None
    if hours >= 24 or minutes >= 60 or seconds >= 61:
        return None
    return round((hours * 3600 + minutes * 60 + seconds) * 1e6)
