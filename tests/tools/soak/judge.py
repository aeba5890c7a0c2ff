"""True if the quantities of a process are flat: by counts of rounds, never by time.

The first third of the rounds is the warm-up. The rest is flat if two values stay within the tolerance: the growth by
the slope (Theil and Sen: the median of the slopes of all pairs, which a few outliers do not move), and the difference
of the medians of the first and the last third. So one more per round is growth in nine rounds.

The tolerance of memory is for the few rounds of the suite, in which it still settles: it rose by 4 MB over the last six
of nine short rounds (seeds 19 and 20). In an hour it would hide a leak: 13 MB over 40 rounds are 0.3 MB a round. So
with 20 rounds after the warm-up or more, memory also grows if its slope, with 95 % confidence, is more than `_STEADY` a
round. The memory in use by the C library varies least, and shows leaks of Qt. Leaks of Python and polars appear only
in anonymous memory, which also rises when freed memory is in pieces that cannot be given back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scipy.stats import theilslopes

from tests.tools.soak.watch import Reading

# Growth is more than this above the first median: a share of it, and an amount.
_ALLOWED = {
    "memory_mb": (0.02, 8.0),
    "in_use_mb": (0.02, 4.0),
    "threads": (0.0, 2.0),
    "handles": (0.0, 2.0),
    "children": (0.0, 1.0),
    "files": (0.0, 1.0),
    "widgets": (0.0, 2.0),
}
# Limit in MB a round, for a soak with this many rounds after the warm-up.
_STEADY = {"memory_mb": 0.15, "in_use_mb": 0.1}
_MANY = 20
_LEAST = 6
# Fewer readings than three have a median that a single outlier moves.
_LEAST_OF_MEDIAN = 3


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a quantity: the medians of the first and the last third after the warm-up (at least three
    readings), the growth over these rounds by the slope, and the tolerance. `a_round` is the slope with the ends
    of its 95 % interval; `allowed_a_round` is None if only the whole is judged."""

    name: str
    first: float
    last: float
    growth: float
    allowed: float
    a_round: tuple[float, float, float]
    allowed_a_round: float | None

    @property
    def flat(self) -> bool:
        """True if it stays within the tolerance."""
        steady = self.allowed_a_round is None or self.a_round[0] <= self.allowed_a_round
        return steady and max(self.last - self.first, self.growth) <= self.allowed


def settled(readings: Sequence[Reading]) -> Sequence[Reading]:
    """The readings after the warm-up."""
    return readings[len(readings) // 3 :]


def courses(readings: Sequence[Reading]) -> list[Course]:
    """The course of each quantity. Raises ValueError with too few rounds."""
    rest = settled(readings)
    if len(rest) < _LEAST:
        raise ValueError(f"{len(readings)} rounds are too few: {_LEAST} after the warm-up are the least")
    return [_course(name, [float(getattr(reading, name)) for reading in rest]) for name in _ALLOWED]


def _course(name: str, values: Sequence[float]) -> Course:
    third = max(_LEAST_OF_MEDIAN, len(values) // 3)
    first, last = median(values[:third]), median(values[-third:])
    found = theilslopes(values, alpha=0.95)
    low, slope, high = (float(value) for value in (found.low_slope, found.slope, found.high_slope))
    share, number = _ALLOWED[name]
    return Course(
        name,
        first,
        last,
        slope * (len(values) - 1),
        share * first + number,
        (low, slope, high),
        _STEADY.get(name) if len(values) >= _MANY else None,
    )
