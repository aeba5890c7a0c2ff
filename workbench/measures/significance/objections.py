"""Reasons against a verdict on a comparison, regardless of the test of its runs.

I/O counted in different places shows no saving: above the cache it is the requested I/O, below the cache it is the
remaining I/O. I/O counted above a write cache (`study.series.sides`) is compared only with I/O above a cache. Compared
with MCS without a cache, or with I/O that reached the disks, it hides real savings and shows false ones if the
workloads differ. I/O with an unknown side is treated as I/O that reached the disks, but this is not enough if the other
side is above the cache. I/O of one measuring point (guest, host, array) is not compared with that of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from workbench.measures.configurations import Group
from workbench.measures.measure import Measure
from workbench.measures.significance.missing_data_check import too_little
from workbench.model.metric import Quantity, Side, Vantage
from workbench.model.problem import all_named, few_named
from workbench.study.series.sides import STORAGE_IO, CacheSide, distinct_places
from workbench.words.captions import named

_UNLIKE_IO = "different measuring points"


def unlike_places(base: Group, group: Group, phase: str, measure: Measure) -> str | None:
    """The reason if the storage I/O of a metric was counted in different places; None otherwise and for other
    metrics."""
    quantities = [quantity for quantity in measure.rule.quantities if quantity in STORAGE_IO]
    theirs, ours = (_counted(side, phase, quantities) for side in (base, group))
    return _unlike(theirs, ours, (named(base.label), named(group.label))) if theirs and ours else None


def both_above(base: Group, group: Group, phase: str) -> bool:
    """True if all IOPS of both sides are requests to a cache: their difference is not a saving of storage I/O."""
    both = [_counted(side, phase, (Quantity.IOPS,)) for side in (base, group)]
    return all(seen and _above(seen) for seen in both)


def _counted(group: Group, phase: str, quantities: Sequence[Quantity]) -> set[CacheSide]:
    """The places where the runs with this phase counted the quantities."""
    runs = [run.run for run in group.runs if run.phase(phase) is not None]
    return {place for run in runs for quantity in quantities for place in distinct_places(run)[quantity]}


def _unlike(theirs: set[CacheSide], ours: set[CacheSide], names: tuple[str, str]) -> str | None:
    if _vantages(theirs) != _vantages(ours):
        here, there = (" and ".join(_vantages(side)) for side in (ours, theirs))
        return f"{_UNLIKE_IO}: {names[1]} was measured at the {here}, {names[0]} at the {there}"
    above = {name: _above(side) for name, side in zip(names, (theirs, ours), strict=True)}
    if len(set(above.values()) - {None}) == 1 and None not in above.values():
        return None
    partly = [name for name, side in above.items() if side is None]
    part, whose = ("part of", partly) if partly else ("only", [name for name, side in above.items() if side])
    return f"{_UNLIKE_IO}: {part} the I/O of {all_named(whose)} was measured above the cache"


def _above(seen: Iterable[CacheSide]) -> bool | None:
    """True if everything was counted above the cache, False if nothing was, None if only a part was."""
    above = {place.side is Side.ABOVE for place in seen}
    return above.pop() if len(above) == 1 else None


def _vantages(seen: Iterable[CacheSide]) -> tuple[Vantage, ...]:
    kinds = {place.vantage for place in seen}
    return tuple(vantage for vantage in Vantage if vantage in kinds)


# Takes base, configuration, phase and metric. Returns the reason in words, None if there is no reason.
Objector = Callable[[Group, Group, str, Measure], str | None]


def still_running(base: Group, group: Group, phase: str, _measure: Measure) -> str | None:
    """The reason if a test of either side has not ended: its phases and values are not final."""
    runs = [run.run for side in (base, group) for run in side.runs if run.phase(phase) is not None]
    names = [named(run.name) for run in runs if run.running]
    return f"{few_named(names)} {'is' if len(names) == 1 else 'are'} still running" if names else None


OBJECTORS: tuple[Objector, ...] = (still_running, unlike_places, too_little)


def objection(base: Group, group: Group, phase: str, measure: Measure) -> str | None:
    """The first reason against a verdict; None if there is none."""
    reasons = (objector(base, group, phase, measure) for objector in OBJECTORS)
    return next((reason for reason in reasons if reason is not None), None)
