"""Why no verdict can stand on a comparison, whatever the test of its runs says.

Why I/O counted in unlike places shows no saving: above the cache it is what was asked for, below it what was left.

I/O counted above a write cache (`study.series.sides`) is compared with its like alone. Against MCS without a cache, or
against what reached the disks, it hides a saving where there is one, and shows one where the workloads differ. What is
not known to be above is taken for what reached the disks, as ever; beside I/O that is above, that is not enough. Nor is
I/O of one vantage (guest, host, array) compared with that of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from workbench.measures.configurations import Group
from workbench.measures.measure import Measure
from workbench.measures.significance.missing_data_check import too_little
from workbench.model.metric import Quantity, Side, Vantage
from workbench.study.series.sides import STORAGE_IO, CacheSide, distinct_places

_PARTLY = "partly above"
_WORDS = {True: "above", False: "not above", None: _PARTLY}
_UNLIKE_IO = "they are not the same I/O"


def unlike_places(base: Group, group: Group, phase: str, measure: Measure) -> str | None:
    """The reason where the storage I/O of a measure was counted in unlike places; None for every other measure."""
    quantities = [quantity for quantity in measure.rule.quantities if quantity in STORAGE_IO]
    theirs, ours = (_counted(side, phase, quantities) for side in (base, group))
    return _unlike(theirs, ours) if theirs and ours else None


def both_above(base: Group, group: Group, phase: str) -> bool:
    """Whether all IOPS of both sides are what was asked of a cache: a difference of them is no saving of storage."""
    both = [_counted(side, phase, (Quantity.IOPS,)) for side in (base, group)]
    return all(seen and _above(seen) for seen in both)


def _counted(group: Group, phase: str, quantities: Sequence[Quantity]) -> set[CacheSide]:
    """Where the runs that have the phase counted the quantities."""
    runs = [run.run for run in group.runs if run.phase(phase) is not None]
    return {place for run in runs for quantity in quantities for place in distinct_places(run)[quantity]}


def _unlike(theirs: set[CacheSide], ours: set[CacheSide]) -> str | None:
    if _vantages(theirs) != _vantages(ours):
        here, there = (" and ".join(_vantages(side)) for side in (ours, theirs))
        return f"measured from another place ({here} here, {there} in the baseline): {_UNLIKE_IO}"
    here, there = (_WORDS[_above(side)] for side in (ours, theirs))
    if here == there != _PARTLY:
        return None
    return f"counted {here} the cache here, {there} in the baseline: {_UNLIKE_IO}"


def _above(seen: Iterable[CacheSide]) -> bool | None:
    """Whether all was counted above the cache, or none; None: a part of it."""
    above = {place.side is Side.ABOVE for place in seen}
    return above.pop() if len(above) == 1 else None


def _vantages(seen: Iterable[CacheSide]) -> tuple[Vantage, ...]:
    kinds = {place.vantage for place in seen}
    return tuple(vantage for vantage in Vantage if vantage in kinds)


# Base, configuration, phase and measure to the reason in words, None where nothing speaks against a verdict.
Objector = Callable[[Group, Group, str, Measure], str | None]


def still_running(base: Group, group: Group, phase: str, _measure: Measure) -> str | None:
    """The reason where a test of either side has not ended: its phases and figures are not final."""
    runs = [run.run for side in (base, group) for run in side.runs if run.phase(phase) is not None]
    names = ", ".join(run.name for run in runs if run.running)
    return f"still running: {names}" if names else None


OBJECTORS: tuple[Objector, ...] = (still_running, unlike_places, too_little)


def objection(base: Group, group: Group, phase: str, measure: Measure) -> str | None:
    """The first reason that speaks against a verdict, None where nothing does."""
    reasons = (objector(base, group, phase, measure) for objector in OBJECTORS)
    return next((reason for reason in reasons if reason is not None), None)
