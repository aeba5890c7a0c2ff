"""Cells of load generators' tables: what is wrong with a number, and ISO-8601 times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from workbench.readers.text.numbers import Notation

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*")
# A clock outside these years was not set.
YEARS = range(1980, 2200)
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds since 1970; local time read as UTC where the file has no offset."""

    at: float
    has_offset: bool


def fault_of(text: str, value: float | None, notation: Notation, low: float | None) -> tuple[str, str] | None:
    """Code and end of a sentence for a cell that is no number, or below `low`; None for a good or blank one."""
    if value is None:
        if not text:
            return None
        code, what = notation.fault(text)
        return code, f"has '{text[:_SHOWN]}', which {what}"
    if low is not None and value < low:
        return "out-of-range", f"has {text[:_SHOWN]}, which cannot be"
    return None


def iso_moment(text: str) -> Moment | None:
    """The moment of an ISO-8601 text, without an offset as local time; None where it is none."""
    if not _ISO.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.year not in YEARS:
        return None
    local = moment.tzinfo is None
    return Moment((moment.replace(tzinfo=UTC) if local else moment).timestamp(), not local)
