"""The words of the logon page: trends, counts, and which configurations fit side by side."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.analysis.logons import Counts, Trend
from workbench.charts.numbers import MISSING, THIN, number, percent, signed

MAX_COLUMNS = 5


def fitted(labels: Sequence[str]) -> str:
    """A sentence on what is not drawn, empty where all is."""
    if len(labels) <= MAX_COLUMNS:
        return ""
    return f" The first {MAX_COLUMNS} of {len(labels)} configurations are drawn; the table has them all."


def trend_words(trends: Sequence[Trend], unit: str) -> str:
    """`+0.52 s per 100 logons [+0.41, +0.63]`; of several runs the mean and their range."""
    if not trends:
        return "no trend can be told"
    if len(trends) > 1:
        slopes = [one.slope for one in trends]
        mean = sum(slopes) / len(slopes)
        return f"{_slope(mean)} {unit} (range {_slope(min(slopes))} to {_slope(max(slopes))})"
    one = trends[0]
    return f"{_slope(one.slope)} {unit} [{_slope(one.low)}, {_slope(one.high)}]"


def trend_short(trends: Sequence[Trend]) -> str:
    """Whether logons slow down, in two or three words: a direction that all runs agree on."""
    found = {one.direction for one in trends}
    if not found:
        return ""
    if len(found) > 1:
        return "no clear trend"
    only = found.pop()
    return "no trend" if only == "none" else only


def stuck_words(counts: Counts, clean_percent: float) -> str:
    """`3 of 200 stuck (1.5 %), more than the 1 % of a clean test`."""
    if not counts.stuck:
        return f"none of {counts.launched} stuck"
    share = counts.stuck_percent or 0.0
    verdict = "within" if share <= clean_percent else "more than"
    return (
        f"{counts.stuck} of {counts.launched} stuck ({percent(share)}), {verdict} the "
        f"{number(clean_percent)}{THIN}% of a clean test"
    )


def runs_words(count: int) -> str:
    """` in 3 runs`, empty for one."""
    return f" in {count} runs" if count > 1 else ""


def _slope(value: float) -> str:
    return signed(value, 2) if abs(value) < 100 else signed(value, 0)


def seconds(value: float | None) -> str:
    """`3.5 s`."""
    return MISSING if value is None else f"{number(value)}{THIN}s"
