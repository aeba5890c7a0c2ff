"""Samples that are too high (impossible, wrapped, spikes compared with their counter, excessive latencies), and
collectors that stood still: rates that repeat a value for longer than chance allows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity
from workbench.model.recording import Series
from workbench.study.plausibility.cases import Case
from workbench.study.plausibility.rules import (
    DISAGREE,
    FROZEN_CHANCE,
    FROZEN_SAMPLES,
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
    """The values of a disk's counters by quantity, in canonical units."""

    values: dict[Quantity, FloatArray]

    def at(self, quantity: Quantity, row: int) -> float:
        found = self.values.get(quantity)
        return float("nan") if found is None else float(found[row])


def high_cases(
    suspects: Sequence[Series], series: Sequence[Series], seconds: FloatArray, values: Values
) -> Iterator[Case]:
    """Returns the cases of counters that have high samples. `seconds` is each row's interval; `values` reads a counter
    in its canonical unit."""
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
    """Returns the other rates of the suspect's disk."""
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
            yield Case("counter-wrap", series, only, value, True, ", because the 32-bit counter restarted at 0")
        elif value > SPIKE_FROM[quantity]:
            other = (
                f", {times:,.0f} times the next highest" if np.isfinite(times) else ", while all other samples are 0"
            )
            against = _contradiction(quantity, value, row, disk)
            alone = times >= SURE_TIMES and rows.size <= SURE_NUMBER and value > SURE_FROM * SPIKE_FROM[quantity]
            sure = bool(against) or (alone and not _confirmed(quantity, value, row, disk))
            yield Case("spike", series, only, value, sure, other, against)


def _standing_out(held: FloatArray) -> tuple[IntArray, float]:
    """Returns the rows of the few highest samples that are `SPIKE_TIMES` above all others, and the highest of the
    others."""
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
    """Returns a mask of the rows in a group of at most `SPIKE_WIDTH` neighbours: a longer group is a load."""
    group = np.cumsum(np.diff(rows, prepend=rows[0]) > 1)
    narrow: npt.NDArray[np.bool_] = np.bincount(group)[group] <= SPIKE_WIDTH
    return narrow


def _contradiction(quantity: Quantity, value: float, row: int, disk: _Disk) -> str:
    """Returns the contradiction between another counter of the disk and a sample, empty if there is none."""
    reads, writes, total = (disk.at(one, row) for one in (Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.IOPS))
    if quantity in _PARTS and reads + writes < DISAGREE * value:
        return f" The reads and writes of this disk add up to {reads + writes:,.0f}/s."
    if quantity in OPERATIONS and total < DISAGREE * value:
        return f" The transfers of this disk are {total:,.0f}/s."
    if quantity in OPERATIONS and disk.at(_BYTES_OF[quantity], row) < LEAST_BYTES * value:
        return f" This disk moved {disk.at(_BYTES_OF[quantity], row):,.0f} bytes/s."
    if quantity in _OPERATIONS_OF and value > MOST_BYTES * disk.at(_OPERATIONS_OF[quantity], row):
        return f" This disk had {disk.at(_OPERATIONS_OF[quantity], row):,.0f} operations/s."
    return ""


def _confirmed(quantity: Quantity, value: float, row: int, disk: _Disk) -> bool:
    """True if another counter of the disk rose with the sample: bytes with operations, or a total with its parts."""
    partner = _BYTES_OF.get(quantity) or _OPERATIONS_OF[quantity]
    if not np.isnan(disk.at(partner, row)):
        return True
    reads, writes, total = (disk.at(one, row) for one in (Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.IOPS))
    return bool(reads + writes >= DISAGREE * value if quantity in _PARTS else total >= DISAGREE * value)


# A person or a load generator sets two decimals; a collector's quotients have more.
_DECIMALS = 100.0
# The counters of one machine start and end within this many rows of each other.
_NEAR = 1


@dataclass(frozen=True, slots=True)
class Still:
    """A counter that repeats `value` from row `first` to row `last`."""

    series: Series
    first: int
    last: int
    value: float


@dataclass(frozen=True, slots=True)
class Standstill:
    """Counters of machines that stand still over the same rows. `whole`: True if every rate of these machines does."""

    stills: tuple[Still, ...]
    whole: bool

    @property
    def first(self) -> int:
        """Returns the row of the last measured sample."""
        return max(still.first for still in self.stills)

    @property
    def last(self) -> int:
        """Returns the row of the last repeat."""
        return min(still.last for still in self.stills)


def standstills(suspects: Sequence[Series], series: Sequence[Series], values: Values) -> list[Standstill]:
    """Returns the standstills of a file in row order. Those of whole machines over the same rows are merged."""
    by_machine: dict[str, list[Still]] = defaultdict(list)
    for suspect in suspects:
        for still in _stills(suspect, values(suspect)):
            by_machine[_machine(suspect)].append(still)
    whole: dict[tuple[int, int], list[Still]] = defaultdict(list)
    single: list[Standstill] = []
    rates: dict[str, list[Series]] = defaultdict(list)
    for one in series if by_machine else ():
        if one.metric is not None and one.metric.quantity in RATES:
            rates[_machine(one)].append(one)
    for machine, stills in by_machine.items():
        for group in _together(stills):
            if _machine_stood_still(group, rates[machine], values):
                whole[group[0].first, group[0].last] += group
            else:
                single.append(Standstill(tuple(group), False))
    found = [Standstill(tuple(stills), True) for stills in whole.values()] + single
    return sorted(found, key=lambda standstill: standstill.first)


def _machine(series: Series) -> str:
    return (series.vm or series.host).casefold()


def _stills(series: Series, held: FloatArray) -> Iterator[Still]:
    same = (held[1:] == held[:-1]) & (held[1:] != 0)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
    pairs = int(np.count_nonzero(~np.isnan(held[1:]) & ~np.isnan(held[:-1])))
    equal = int(np.count_nonzero(same))
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        repeats = last - first
        if repeats + 1 >= FROZEN_SAMPLES and _beyond_chance(held[first], repeats, pairs, equal):
            yield Still(series, first, last, float(held[first]))


def _beyond_chance(value: float, repeats: int, pairs: int, equal: int) -> bool:
    """True if this many repeats are rarer than chance allows, judged by how often the counter repeats itself elsewhere.
    A whole number that never changes is not a case, because it may be a setting."""
    outside = pairs - repeats
    if outside < FROZEN_SAMPLES and _round(value):
        return False
    usual = (equal - repeats + 1) / (outside + 2)
    return bool(pairs * usual**repeats < FROZEN_CHANCE)


def _round(value: float) -> bool:
    return abs(value * _DECIMALS - round(value * _DECIMALS)) < 1e-6


def _together(stills: Sequence[Still]) -> Iterator[list[Still]]:
    """Groups stretches of one machine that begin and end together."""
    group: list[Still] = []
    for still in sorted(stills, key=lambda still: (still.first, still.last)):
        if group and not (abs(still.first - group[0].first) <= _NEAR and abs(still.last - group[0].last) <= _NEAR):
            yield group
            group = []
        group.append(still)
    if group:
        yield group


def _machine_stood_still(group: Sequence[Still], rates: Sequence[Series], values: Values) -> bool:
    """True if every rate of the machine stands still over these rows, at least two at a value other than 0 and at least
    one at a value that is not a typical setting."""
    if len(group) < 2 or all(_round(still.value) for still in group):
        return False
    inner = slice(group[0].first + _NEAR, group[0].last + 1 - _NEAR)
    return all(_constant(values(one)[inner]) for one in rates)


def _constant(held: npt.NDArray[np.float64]) -> bool:
    known = held[~np.isnan(held)]
    return bool((known == known[:1]).all())
