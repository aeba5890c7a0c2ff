"""Moments and durations as text for problems, on the clock of the run's files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from workbench.model.run import Run


def clock(run: Run, at: float) -> str:
    """Text like `2016-05-10 09:41:00 (UTC+01:00)`, on the clock of the run's recordings; `(UTC)` if none states an
    offset."""
    minutes = offset_of(run)
    zone = timezone(timedelta(minutes=minutes)) if minutes else UTC
    moment = datetime.fromtimestamp(at, zone)
    offset = f"{moment:%z}"
    return f"{moment:%Y-%m-%d %H:%M:%S} (UTC{f'{offset[:3]}:{offset[3:5]}' if minutes else ''})"


def when(run: Run, *moments: float) -> str:
    """Text like `at 2016-05-10 09:41:00 (UTC)` or `between 2016-05-10 09:41:00 and 10:20:00 (UTC+01:00)`."""
    first, last = clock(run, min(moments)), clock(run, max(moments))
    if first == last:
        return f"at {first}"
    (day, begin, _), (other_day, _, _) = first.split(), last.split()
    return f"between {day} {begin} and {last.removeprefix(f'{day} ') if day == other_day else last}"


def offset_of(run: Run) -> int:
    """Minutes that the clock of the run's recordings is ahead of UTC; 0 if none states an offset."""
    placed = (recording for recording in run.recordings if not recording.relative)
    return next((each.utc_offset_minutes for each in placed if each.utc_offset_minutes is not None), 0)


def minutes(seconds: float) -> str:
    """Text like `42 s`, from 100 seconds on like `6:00 min`."""
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60}:{whole % 60:02d} min"
