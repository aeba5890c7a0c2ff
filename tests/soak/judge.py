"""Whether what a process holds is flat: by counts of rounds, never by time.

The first third of the rounds is the warm-up. Of the rest, what is held is flat where both its growth by the slope
(Theil and Sen: the median of the slopes of all pairs, which a few outliers do not move), and the difference of the
medians of the first and the last third, stay within what is allowed. So one more per round is growth in nine rounds.

The counts of 9 to 30 rounds were equal after the warm-up. Memory alone was not: it still settles. It rose by 4 MB over
the last six of nine short rounds (seeds 19 and 20), and by 0.2 MB a round after the twentieth (30 rounds, seed 21).
Full rounds look at other pages each time and settle later: the last six of nine rose by 15 MB, which counts as growth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scipy.stats import theilslopes

from tests.soak.watch import Reading

# More than this, beyond the first median, is growth: a share of it, and so many.
_ALLOWED = {
    "memory_mb": (0.02, 8.0),
    "threads": (0.0, 2.0),
    "handles": (0.0, 2.0),
    "children": (0.0, 1.0),
    "files": (0.0, 1.0),
    "widgets": (0.0, 2.0),
}
_LEAST = 6
# Fewer readings than three have a median that a single outlier moves.
_LEAST_OF_MEDIAN = 3


@dataclass(frozen=True, slots=True)
class Course:
    """How something went: the medians of the first and the last third after the warm-up (three readings at least), the
    growth over all of these rounds by the slope, and how much is allowed."""

    name: str
    first: float
    last: float
    growth: float
    allowed: float

    @property
    def flat(self) -> bool:
        """Whether it stays within what is allowed."""
        return max(self.last - self.first, self.growth) <= self.allowed


def settled(readings: Sequence[Reading]) -> Sequence[Reading]:
    """The readings after the warm-up."""
    return readings[len(readings) // 3 :]


def courses(readings: Sequence[Reading]) -> list[Course]:
    """How everything went. Raises ValueError where there are too few rounds to say."""
    rest = settled(readings)
    if len(rest) < _LEAST:
        raise ValueError(f"{len(readings)} rounds are too few: {_LEAST} after the warm-up are the least")
    return [_course(name, [float(getattr(reading, name)) for reading in rest]) for name in _ALLOWED]


def _course(name: str, values: Sequence[float]) -> Course:
    third = max(_LEAST_OF_MEDIAN, len(values) // 3)
    first, last = median(values[:third]), median(values[-third:])
    slope = float(theilslopes(values).slope)
    share, number = _ALLOWED[name]
    return Course(name, first, last, slope * (len(values) - 1), share * first + number)
