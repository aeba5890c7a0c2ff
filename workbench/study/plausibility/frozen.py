"""Collectors that stood still: rates that repeat a value for longer than chance allows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.recording import Series
from workbench.study.plausibility.rules import FROZEN_CHANCE, FROZEN_SAMPLES, RATES
from workbench.study.plausibility.spikes import Values

FloatArray = npt.NDArray[np.float64]

# Two decimals are what a person or a load generator sets; a collector's quotients have more.
_DECIMALS = 100.0
# The collectors of a machine's counters start and end within so many rows of each other.
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
    """Counters of machines that stand still over the same rows; `whole`: every rate of these machines does."""

    stills: tuple[Still, ...]
    whole: bool

    @property
    def first(self) -> int:
        """The row of the last sample that was measured."""
        return max(still.first for still in self.stills)

    @property
    def last(self) -> int:
        """The row of the last repeat."""
        return min(still.last for still in self.stills)


def standstills(suspects: Sequence[Series], series: Sequence[Series], values: Values) -> list[Standstill]:
    """The standstills of a file in the order of its rows: those of whole machines over the same rows as one."""
    by_machine: dict[str, list[Still]] = defaultdict(list)
    for suspect in suspects:
        for still in _stills(suspect, values(suspect)):
            by_machine[_machine(suspect)].append(still)
    whole: dict[tuple[int, int], list[Still]] = defaultdict(list)
    single: list[Standstill] = []
    rates: dict[str, list[Series]] = defaultdict(list)
    for one in series if by_machine else ():
        if _is_rate(one):
            rates[_machine(one)].append(one)
    for machine, stills in by_machine.items():
        for group in _together(stills):
            if _machine_stood_still(group, rates[machine], values):
                whole[group[0].first, group[0].last] += group
            else:
                single.append(Standstill(tuple(group), False))
    found = [Standstill(tuple(stills), True) for stills in whole.values()] + single
    return sorted(found, key=lambda standstill: standstill.first)


def _is_rate(series: Series) -> bool:
    return series.metric is not None and series.metric.quantity in RATES


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
    """Whether so many repeats are rarer than chance allows, by how often the counter repeats itself elsewhere. A
    whole value that stands throughout is no case: somebody may have set it."""
    outside = pairs - repeats
    if outside < FROZEN_SAMPLES and _round(value):
        return False
    usual = (equal - repeats + 1) / (outside + 2)
    return bool(pairs * usual**repeats < FROZEN_CHANCE)


def _round(value: float) -> bool:
    return abs(value * _DECIMALS - round(value * _DECIMALS)) < 1e-6


def _together(stills: Sequence[Still]) -> Iterator[list[Still]]:
    """Stretches of one machine that begin and end together."""
    group: list[Still] = []
    for still in sorted(stills, key=lambda still: (still.first, still.last)):
        if group and not (abs(still.first - group[0].first) <= _NEAR and abs(still.last - group[0].last) <= _NEAR):
            yield group
            group = []
        group.append(still)
    if group:
        yield group


def _machine_stood_still(group: Sequence[Still], rates: Sequence[Series], values: Values) -> bool:
    """Whether every rate of the machine stands still over these rows, two of them at a value that is not 0 and one at
    a value that nobody sets."""
    if len(group) < 2 or all(_round(still.value) for still in group):
        return False
    inner = slice(group[0].first + _NEAR, group[0].last + 1 - _NEAR)
    return all(_constant(values(one)[inner]) for one in rates)


def _constant(held: npt.NDArray[np.float64]) -> bool:
    known = held[~np.isnan(held)]
    return bool((known == known[:1]).all())
