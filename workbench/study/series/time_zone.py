"""Time zones as testers state them: `+01:00` or a name such as `Europe/London`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_OFFSET = re.compile(r"^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?([0-5]\d)?$", re.IGNORECASE | re.ASCII)
# `America/Argentina/Ushuaia` has three parts; the search for a zone with hundreds of parts never ends.
_NAME = re.compile(r"[\w+-]{1,40}(?:/[\w+-]{1,40}){0,3}", re.ASCII)
_SHOWN = 60
# The farthest zones of the world: -12:00 and +14:00.
_FARTHEST_MIN = 14 * 60


def offset_minutes(time_zone: str, local: float) -> int:
    """Minutes that local time is ahead of UTC at `local` (a local clock time in seconds, read as UTC).

    A named zone is resolved once, at the moment given: a file without an offset of its own is read with
    one offset throughout, as perfmon itself stores one. Raises ValueError for an unknown zone.
    """
    text = time_zone.strip()
    if text.upper() in ("UTC", "GMT", "Z"):
        return 0
    if match := _OFFSET.match(text):
        minutes = int(match[2]) * 60 + int(match[3] or 0)
        if minutes > _FARTHEST_MIN:
            raise ValueError(f"is '{time_zone}', which is farther from UTC than any place on earth")
        return -minutes if match[1] == "-" else minutes
    try:
        if not _NAME.fullmatch(text):
            raise ValueError
        zone = ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        shown = f"{time_zone[:_SHOWN]}…" if len(time_zone) > _SHOWN else time_zone
        raise ValueError(f"is '{shown}', which is no time zone; write +01:00 or Europe/London") from None
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=local)
    offset = moment.replace(tzinfo=zone).utcoffset()
    assert offset is not None
    return round(offset.total_seconds() / 60)


def offset_text(minutes: int) -> str:
    """`+01:00`, `-05:30`."""
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
