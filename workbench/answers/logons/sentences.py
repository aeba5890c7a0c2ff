"""The text of the logon page: trends, counts, and the configurations that fit side by side."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.logons.compute import CLEAN_STUCK_PERCENT, LogonCounts, LogonSlope
from workbench.words.numbers import MISSING, THIN, bracketed, fixed, number, percent, plural, signed

MAX_COLUMNS = 5


def fitted(labels: Sequence[str]) -> str:
    """The sentence about how many configurations are drawn, empty if all are."""
    if len(labels) <= MAX_COLUMNS:
        return ""
    return f"The first {MAX_COLUMNS} of {len(labels)} configurations are shown"


def trend_words(trends: Sequence[LogonSlope]) -> str:
    """The trend as text: `+0.52 [+0.41, +0.63]`; for several runs the mean and their range."""
    if not trends:
        return "no trend is visible"
    if len(trends) > 1:
        slopes = [trend.slope for trend in trends]
        mean = sum(slopes) / len(slopes)
        return f"{_slope(mean)} (range {_slope(min(slopes))} to {_slope(max(slopes))})"
    trend = trends[0]
    return f"{_slope(trend.slope)} {bracketed(_slope(trend.low), _slope(trend.high))}"


def trend_short(trends: Sequence[LogonSlope], per: str) -> str:
    """`rising by 0.52 s per 100` if all runs have one direction, otherwise that there is none; empty without trends."""
    names = {trend.direction for trend in trends}
    if not names:
        return ""
    if len(names) > 1:
        return "trend differs between runs"
    only = names.pop()
    if only == "none":
        return "no trend found"
    mean = sum(trend.slope for trend in trends) / len(trends)
    return f"{only} by {number(abs(mean), 2)}{THIN}s per {per}"


def stuck_words(counts: LogonCounts) -> tuple[str, str]:
    """`3 of 200 stuck: 1.5 %` with a comparison to a clean test and with the data that is not recorded."""
    if counts.stuck is None:
        return "logon end not recorded", ""
    missing = counts.not_recorded
    unknown = f"{plural(missing, 'logon end')} not recorded" if missing else ""
    if not counts.stuck:
        return f"0 of {counts.launched} sessions stuck", unknown
    share = counts.stuck_percent or 0.0
    clean = f"a valid test has at most {CLEAN_STUCK_PERCENT:.0f}{THIN}% stuck sessions"
    return f"{counts.stuck} of {counts.launched} sessions stuck: {percent(share)}", " · ".join(
        filter(None, (clean, unknown))
    )


def count_words(value: float) -> str:
    """A number of sessions as text: `60`, or `60.3` if runs differ."""
    return fixed(value, 0 if value == int(value) else 1)


def runs_words(count: int) -> str:
    """The number of runs as text: ` in 3 runs`; empty for one run."""
    return f" in {count} runs" if count > 1 else ""


def _slope(value: float) -> str:
    return signed(value, 2) if abs(value) < 100 else signed(value, 0)


def seconds(value: float | None) -> str:
    """A number of seconds as text: `3.5 s`."""
    return MISSING if value is None else f"{number(value)}{THIN}s"
