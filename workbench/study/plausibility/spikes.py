"""Samples that are too high: impossible, wrapped, spikes against the counter itself, latencies that are too long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity
from workbench.model.recording import Series
from workbench.study.plausibility.cases import Case
from workbench.study.plausibility.rules import (
    DISAGREE,
    LATENCIES,
    LEAST_BYTES,
    MOST_BYTES,
    OPERATIONS,
    RATES,
    SPIKE_FROM,
    SPIKE_SAMPLES,
    SPIKE_SHARE,
    SPIKE_TIMES,
    SPIKE_WIDTH,
    SURE_FROM,
    SURE_NUMBER,
    SURE_TIMES,
    WRAP,
    WRAP_NEAR,
    most,
)

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
Values = Callable[[Series], FloatArray]

_PARTS = {Quantity.IOPS: (Quantity.READ_IOPS, Quantity.WRITE_IOPS)}
_BYTES_OF = {
    Quantity.IOPS: Quantity.THROUGHPUT,
    Quantity.READ_IOPS: Quantity.READ_THROUGHPUT,
    Quantity.WRITE_IOPS: Quantity.WRITE_THROUGHPUT,
}
_OPERATIONS_OF = {amount: rate for rate, amount in _BYTES_OF.items()}


class _Disk(NamedTuple):
    """The values of a disk's counters by what they measure, in canonical units."""

    values: dict[Quantity, FloatArray]

    def at(self, quantity: Quantity, row: int) -> float:
        found = self.values.get(quantity)
        return float("nan") if found is None else float(found[row])


def high_cases(
    suspects: Sequence[Series], series: Sequence[Series], seconds: FloatArray, values: Values
) -> Iterator[Case]:
    """The cases of counters that have high samples. `seconds` is each row's interval, `values` reads a counter in its
    canonical unit."""
    rates: dict[tuple[object, ...], list[Series]] = defaultdict(list)
    for one in series if suspects else ():
        if one.metric is not None and one.metric.quantity in RATES:
            rates[_key_of_disk(one)].append(one)
    for suspect in suspects:
        assert suspect.metric is not None
        held = values(suspect)
        wild = np.flatnonzero(held > most(suspect))
        if wild.size:
            yield Case("impossible-sample", suspect, wild, float(held[wild].max()), True)
            held = np.where(held > most(suspect), np.nan, held)
        if suspect.metric.quantity in RATES:
            yield from _spikes(suspect, held, seconds, _disk(suspect, rates[_key_of_disk(suspect)], values))
        elif suspect.metric.quantity in LATENCIES and not suspect.metric.estimate:
            long = np.flatnonzero((held > seconds) & (seconds > 0))
            if long.size:
                yield Case("long-latency", suspect, long, float(held[long].max()), False)


def _key_of_disk(series: Series) -> tuple[object, ...]:
    return series.vm, series.object, series.instance


def _disk(suspect: Series, rates: Sequence[Series], values: Values) -> _Disk:
    """The other rates of the suspect's disk."""
    others = {one.metric.quantity: one for one in rates if one is not suspect and one.metric is not None}
    return _Disk({quantity: values(one) for quantity, one in others.items()})


def _spikes(series: Series, held: FloatArray, seconds: FloatArray, disk: _Disk) -> Iterator[Case]:
    assert series.metric is not None
    quantity = series.metric.quantity
    rows, rest = _standing_out(held)
    for row in rows.tolist():
        value = float(held[row])
        times = value / rest if rest > 0 else float("inf")
        only = np.array([row], dtype=np.intp)
        if times >= SURE_TIMES and WRAP_NEAR * WRAP <= value * seconds[row] <= WRAP:
            yield Case("counter-wrap", series, only, value, True, f", which is 2^32 in {seconds[row]:g} s")
        elif value > SPIKE_FROM[quantity]:
            other = f", {times:,.0f} times its next highest sample" if np.isfinite(times) else ""
            against = _contradiction(quantity, value, row, disk)
            alone = times >= SURE_TIMES and rows.size <= SURE_NUMBER and value > SURE_FROM * SPIKE_FROM[quantity]
            sure = bool(against) or (alone and not _confirmed(quantity, value, row, disk))
            yield Case("spike", series, only, value, sure, f"{other}{against}")


def _standing_out(held: FloatArray) -> tuple[IntArray, float]:
    """The rows of the few highest samples that stand `SPIKE_TIMES` above all others, and the highest other."""
    known = np.flatnonzero(~np.isnan(held))
    none = np.zeros(0, dtype=np.intp)
    if known.size < SPIKE_SAMPLES:
        return none, 0.0
    few = max(1, int(SPIKE_SHARE * known.size))
    top = known[np.argsort(held[known])[::-1][: few + 1]]
    steps = np.flatnonzero(held[top[:-1]] >= SPIKE_TIMES * held[top[1:]])
    if not steps.size:
        return none, 0.0
    number = int(steps[-1]) + 1
    rows = np.sort(top[:number])
    return rows[_narrow(rows)], float(held[top[number]])


def _narrow(rows: IntArray) -> npt.NDArray[np.bool_]:
    """Which rows stand in a group of no more than `SPIKE_WIDTH` neighbours: what lasts is a load."""
    group = np.cumsum(np.diff(rows, prepend=rows[0]) > 1)
    narrow: npt.NDArray[np.bool_] = np.bincount(group)[group] <= SPIKE_WIDTH
    return narrow


def _contradiction(quantity: Quantity, value: float, row: int, disk: _Disk) -> str:
    """What another counter of the disk says against a sample, empty where none does."""
    reads, writes, total = (disk.at(one, row) for one in (Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.IOPS))
    if quantity in _PARTS and reads + writes < DISAGREE * value:
        return f"; reads and writes of that disk are {reads + writes:,.0f}/s"
    if quantity in OPERATIONS and total < DISAGREE * value:
        return f"; the transfers of that disk are {total:,.0f}/s"
    if quantity in OPERATIONS and disk.at(_BYTES_OF[quantity], row) < LEAST_BYTES * value:
        return f"; that disk moved {disk.at(_BYTES_OF[quantity], row):,.0f} bytes/s"
    if quantity in _OPERATIONS_OF and value > MOST_BYTES * disk.at(_OPERATIONS_OF[quantity], row):
        return f"; that disk had {disk.at(_OPERATIONS_OF[quantity], row):,.0f} operations/s"
    return ""


def _confirmed(quantity: Quantity, value: float, row: int, disk: _Disk) -> bool:
    """Whether another counter of the disk rose with the sample: bytes with operations, or a total with its parts."""
    partner = _BYTES_OF.get(quantity) or _OPERATIONS_OF[quantity]
    if not np.isnan(disk.at(partner, row)):
        return True
    reads, writes, total = (disk.at(one, row) for one in (Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.IOPS))
    return bool(reads + writes >= DISAGREE * value if quantity in _PARTS else total >= DISAGREE * value)
