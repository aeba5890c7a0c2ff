"""p-values adjusted for how many of them there are.

Holm (1979) keeps the chance of any false difference among the primary measures of a study at 5 %. Benjamini and
Hochberg (1995) keep the share of false verdicts among all others at 5 %.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted after Holm, in the order given; those that are None do not count and stay None."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[index] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None], most_true: int | None = None) -> list[float | None]:
    """p-values adjusted after Benjamini and Hochberg, in the order given; those that are None stay None.

    `most_true` is how many of the hypotheses can be true at once, where that is fewer than all: no comparison is
    without difference and beyond the margin as well, and the share of false verdicts goes by the true ones.
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    count = len(known) if most_true is None else most_true
    lowest = 1.0
    for rank, (p, index) in reversed(list(enumerate(known, 1))):
        lowest = min(lowest, max(p, count * p / rank))
        adjusted[index] = lowest
    return adjusted
