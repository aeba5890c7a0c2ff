"""How much of its size a driver fills before it spills to disk, by the VMs that overflowed.

A driver keeps a share of its size back, or as many MB at any size. One tested size cannot tell: then both count. Of
several sizes the law with the smaller spread is taken. Where no VM overflowed, `FULL_SHARE` to all of it is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.answers.cache.untested.footprint import FloatArray
from workbench.measures.caches.figures import FULL_SHARE

# A VM that fills less than this share is short of memory rather than kept back: with enough of it, it may fill all.
_SHORT = 0.5


@dataclass(frozen=True, slots=True)
class Fill:
    """`full` has the size and the MB in RAM of each VM that overflowed."""

    full: tuple[tuple[float, float], ...] = ()

    @property
    def measured(self) -> bool:
        """Whether a VM overflowed; else the share is assumed."""
        return bool(self.full)

    @property
    def shares(self) -> tuple[float, float]:
        """The lowest and the highest share of a size that was filled."""
        shares = [held / size for size, held in self.full]
        return (min(shares), max(shares)) if shares else (FULL_SHARE, 1.0)

    @property
    def both_laws(self) -> bool:
        """Whether the tested sizes leave open if the share or the MB that are kept back stay the same."""
        return len({size for size, _ in self.full}) == 1 and _SHORT <= self.shares[0] < 1

    def ends(self, size_mb: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The least and the most that may be in RAM when a VM of each of these sizes overflows, in MB."""
        (low, high), (least, most) = self.shares, self._reserves
        filled = [low * size_mb, high * size_mb] if self._by_share else []
        filled += [np.maximum(0.0, size_mb - most), size_mb - least] if self._by_reserve else []
        filled += [size_mb] if low < _SHORT else []
        return np.min(filled, axis=0), np.max(filled, axis=0)

    def sizes(self, held_mb: float) -> tuple[float, float]:
        """The smallest and the largest size of which so many MB may be all that is filled."""
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
