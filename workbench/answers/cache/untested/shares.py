"""The share of the baseline's writes that a RAM cache of any size leaves to disks, and the part of its size that a
driver fills.

Between two tested sizes the share is a straight line over the logarithm of the size, because sizes are tested in
doublings. Its bounds are the measured values of both sizes with their intervals: more cache leaves no more writes. If
the tested sizes contradict that, neighbours are averaged until they do not (pool adjacent violators, Ayer and others
1955). From the knee on, the share is that of the tested size that did not overflow; from each larger tested size on,
the share of that size. Outside the tested sizes there are only bounds: below the smallest, at most the writes without a
cache; above a largest size that overflowed, anything less.

The VMs that overflowed show how much of its size a driver fills before it spills to disk. A driver reserves a share of
its size, or a fixed number of MB. One tested size cannot show which, so both rules are used. With several sizes, the
rule with the smaller spread is used. If no VM overflowed, `FULL_SHARE` to all of the size is assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache
from workbench.answers.cache.untested.footprint import FloatArray
from workbench.answers.common.baselines import evidence_of_baseline
from workbench.measures.caches.figures import FULL_SHARE
from workbench.measures.statistics import Change


@dataclass(frozen=True, slots=True)
class Share:
    """The share of the baseline's writes that is left at a size. If `value` is None, only the bounds are known.
    `single`: one side of the comparison has a single run."""

    size_mb: float
    value: float | None
    low: float
    high: float
    single: bool = False

    @property
    def ends(self) -> tuple[float, float] | None:
        """The bounds; None if they come from a single run, whose variation is unknown."""
        return None if self.single and self.low == self.value == self.high else (self.low, self.high)


@dataclass(frozen=True, eq=False)
class WriteShares:
    """The tested sizes with a share, smallest first, never rising. `held_mb` is the smallest size that did not
    overflow. `baseline` is the configuration the shares refer to, and `baseline_by` why it is the baseline."""

    sizes: tuple[Share, ...]
    held_mb: float | None
    baseline: str | None
    baseline_by: str | None = None

    def at(self, size_mb: float, knee_mb: float | None) -> Share | None:
        """The share at a size, None without a tested size; `knee_mb` is the size from which nothing overflows."""
        if not self.sizes:
            return None
        points = self._points(knee_mb)
        lower = [point for point in points if point.size_mb <= size_mb]
        upper = [point for point in points if point.size_mb >= size_mb]
        low = max((point.low for point in upper), default=0.0)
        high = min((point.high for point in lower), default=max(1.0, self.sizes[0].high))
        if self.held_mb is not None and size_mb > self.held_mb:
            upper, low = lower[-1:], lower[-1].low
        if not lower or not upper:
            return Share(size_mb, None, low, high)
        sides = lower[-1], upper[0]
        places, values = np.log([point.size_mb for point in sides]), [point.value or 0.0 for point in sides]
        value = float(np.interp(np.log(size_mb), places, values))
        return Share(size_mb, value, low, high, any(point.single for point in sides))

    def _points(self, knee_mb: float | None) -> list[Share]:
        """The tested sizes, and the knee with the share of the size that held everything."""
        points = list(self.sizes)
        held = next((point for point in points if point.size_mb == self.held_mb), None)
        below = [point for point in points if held is not None and point.size_mb < held.size_mb]
        if held is None or knee_mb is None or not below or not below[-1].size_mb < knee_mb < held.size_mb:
            return points
        knee = replace(held, size_mb=knee_mb)
        return [*below, knee, *points[len(below) :]]


def write_shares(caches: Sequence[ConfigurationCache], answer: CacheAnswer) -> WriteShares:
    """The shares of the tested sizes of one kind, by Compare's change of the writes from the baseline; none if the
    baseline itself has a RAM cache."""
    base = answer.sweep.baseline
    if base is None or base.size_mb:
        return WriteShares((), None, None)
    changes: dict[float, Change] = {}
    for cache in caches:
        row = answer.row(cache.label)
        if row is not None and row.write_change is not None and cache.size_mb:
            changes[float(cache.size_mb)] = row.write_change
    sizes = sorted(changes)
    values = _falling([changes[size].ratio for size in sizes])
    shares = tuple(_share(size, value, changes[size]) for size, value in zip(sizes, values, strict=True))
    return WriteShares(shares, _held(caches, sizes), base.label, evidence_of_baseline([base.group]))


def _share(size: float, value: float, change: Change) -> Share:
    """A tested share with its interval; single runs have no interval, so both bounds are the value."""
    low, high = (change.ratio if end is None else end for end in (change.low, change.high))
    return Share(size, value, min(low, value), max(high, value), change.basis == "single")


def _held(caches: Sequence[ConfigurationCache], sizes: Sequence[float]) -> float | None:
    """The smallest tested size with a share that did not overflow, if no larger size overflowed."""
    over = max((cache.size_mb or 0.0 for cache in caches if cache.overflowed), default=0.0)
    holding = [cache.size_mb for cache in caches if cache.overflowed is False and cache.size_mb in sizes]
    return min((size for size in holding if size is not None and size > over), default=None)


def _falling(values: Sequence[float]) -> list[float]:
    """The values, with neighbours that rise replaced by their mean."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and np.mean(pools[-2]) < np.mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    return [float(np.mean(pool)) for pool in pools for _ in pool]


# A VM that fills less than this share is short of memory: with enough memory it may fill all.
_SHORT = 0.5


@dataclass(frozen=True, slots=True)
class Fill:
    """The part of its size that a driver fills. `full` has the size and the MB in RAM of each VM that overflowed."""

    full: tuple[tuple[float, float], ...] = ()

    @property
    def measured(self) -> bool:
        """True if a VM overflowed; otherwise the share is assumed."""
        return bool(self.full)

    @property
    def shares(self) -> tuple[float, float]:
        """The lowest and the highest filled share of a size."""
        shares = [held / size for size, held in self.full]
        return (min(shares), max(shares)) if shares else (FULL_SHARE, 1.0)

    @property
    def both_laws(self) -> bool:
        """True if the tested sizes leave open which stays constant: the reserved share or the reserved MB."""
        return len({size for size, _ in self.full}) == 1 and _SHORT <= self.shares[0] < 1

    def ends(self, size_mb: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The minimum and the maximum MB in RAM at which a VM of each of these sizes may overflow."""
        (low, high), (least, most) = self.shares, self._reserves
        filled = [low * size_mb, high * size_mb] if self._by_share else []
        filled += [np.maximum(0.0, size_mb - most), size_mb - least] if self._by_reserve else []
        filled += [size_mb] if low < _SHORT else []
        return np.min(filled, axis=0), np.max(filled, axis=0)

    def sizes(self, held_mb: float) -> tuple[float, float]:
        """The smallest and the largest size that may be full with that many MB."""
        (low, high), (least, most) = self.shares, self._reserves
        sizes = [held_mb / low, held_mb / high] if self._by_share else []
        sizes += [held_mb + most, held_mb + least] if self._by_reserve else []
        sizes += [held_mb] if low < _SHORT else []
        return min(sizes), max(sizes)

    @property
    def _reserves(self) -> tuple[float, float]:
        reserves = [size - held for size, held in self.full] or [0.0]
        return min(reserves), max(reserves)

    @property
    def _by_share(self) -> bool:
        if not self.measured or self.both_laws or self.shares[0] < _SHORT:
            return True
        (low, high), (least, most) = self.shares, self._reserves
        return (high - low) * float(np.mean([size for size, _ in self.full])) <= most - least

    @property
    def _by_reserve(self) -> bool:
        return self.measured and (self.both_laws or not self._by_share)
