"""The gap between the bars of native charts: a single bar is no wider than one among many."""

from __future__ import annotations

# Excel's and PowerPoint's own limit, and the gap of charts with many bars, in percent of a bar.
MOST_GAP, LEAST_GAP = 500, 60
# As wide as a bar gets, in inches.
_WIDEST = 0.75


def gap_percent(room: float, categories: int, bars: int) -> int:
    """The gap between categories in percent of a bar's width, for a chart whose bars have `room` inches in all.

    A category takes `bars` bars and one gap (ECMA-376, `c:gapWidth`).
    """
    if categories < 1 or bars < 1:
        return LEAST_GAP
    wanted = 100 * (room / (categories * _WIDEST) - bars)
    return round(min(MOST_GAP, max(LEAST_GAP, wanted)))
