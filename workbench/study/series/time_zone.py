"""Time zones as testers state them: `+01:00` or a name such as `Europe/London`."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from workbench.model.recording import Recording

_OFFSET = re.compile(r"^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?([0-5]\d)?$", re.IGNORECASE | re.ASCII)
# `America/Argentina/Ushuaia` has three parts; the search for a zone with hundreds of parts never ends.
_NAME = re.compile(r"[\w+-]{1,40}(?:/[\w+-]{1,40}){0,3}", re.ASCII)
_SHOWN = 60
_TWO_HOURS_S = 7200
# The extreme zones of the world: -12:00 and +14:00.
_FARTHEST_MIN = 14 * 60


def offset_minutes(time_zone: str, local: float) -> int:
    """Returns the minutes that local time is ahead of UTC at `local` (a local clock time in seconds, read as UTC).

    A named zone is resolved once, at the given moment: a file without an offset is read with one offset throughout, as
    perfmon itself stores one. Raises ValueError for an unknown zone.
    """
    text = time_zone.strip()
    if text.upper() in ("UTC", "GMT", "Z"):
        return 0
    if match := _OFFSET.match(text):
        minutes = int(match[2]) * 60 + int(match[3] or 0)
        if minutes > _FARTHEST_MIN:
            raise ValueError(f"is '{time_zone}', but no time zone is that far from UTC")
        return -minutes if match[1] == "-" else minutes
    try:
        if not _NAME.fullmatch(text):
            raise ValueError
        zone = ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        shown = f"{time_zone[:_SHOWN]}…" if len(time_zone) > _SHOWN else time_zone
        raise ValueError(
            f"is '{shown}', which is not a valid time zone; use a value such as +01:00 or Europe/London"
        ) from None
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=local)
    offset = moment.replace(tzinfo=zone).utcoffset()
    assert offset is not None
    return round(offset.total_seconds() / 60)


def in_zone(recording: Recording, zone: str) -> Recording:
    """Returns the recording on the clock of `zone`: each hour skipped at the start of summer time is removed.

    A recording with an offset keeps it. Only if its clock changes within it, and its offset is one of the zone's two,
    it gets the offset at its first sample. It stays unchanged if its offset is not one of the zone's, or its clock
    changes are already handled.

    Raises ValueError for an unknown zone.
    """
    stated, first = recording.utc_offset_minutes, offset_minutes(zone, recording.first_us / 1e6)
    offset, late = first if stated is None else stated, []
    for before, after in recording.clock_jumps if not (recording.late or recording.relative) else ():
        # Times in the hour that occurs twice have two offsets; two hours later there is only one.
        beside = 0 if after > before else _TWO_HOURS_S
        was, now = offset_minutes(zone, before / 1e6 - beside), offset_minutes(zone, after / 1e6 + beside)
        if was == now or (stated is not None and stated not in (was, now)):
            continue
        if after < before or 0 < now - was <= (after - before) / 60e6:
            offset = first
            late += [(after, (now - was) * 60_000_000)] if after > before else []
    moved = sum(by for _, by in late)
    return replace(
        recording, utc_offset_minutes=offset, last_us=recording.last_us - moved, late=(*recording.late, *late)
    )


def offset_text(minutes: int) -> str:
    """Returns the offset as text: `+01:00`, `-05:30`."""
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
