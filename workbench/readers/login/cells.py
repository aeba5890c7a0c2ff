"""Cells of load generators' tables: numbers with the commas of several languages, and ISO-8601 times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite

_NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+", re.ASCII)
_POINTS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+", re.ASCII)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*")
# A clock outside these years was not set.
YEARS = range(1980, 2200)
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds since 1970; local time read as UTC where the file has no offset."""

    at: float
    has_offset: bool


def comma_of(texts: list[str], delimiter: str) -> str:
    """What commas in a column's numbers mean: `decimal`, `thousands` or, where nothing decides it, `unknown`."""
    commas = [text for text in texts if "," in text]
    if not commas:
        return "none"
    both = [text for text in commas if "." in text]
    if both:
        first = {text.rfind(",") > text.rfind(".") for text in both}
        return {frozenset((True,)): "decimal", frozenset((False,)): "thousands"}.get(frozenset(first), "unknown")
    if any(not _THOUSANDS.fullmatch(text) for text in commas):
        return "decimal"
    return "decimal" if delimiter != "," else "unknown"


def number_of(text: str, commas: str) -> float | None:
    """A finite number, else None."""
    if commas == "decimal":
        if "." in text and not _POINTS.fullmatch(text):
            return None  # 1.500 among decimal commas: nobody can tell what it is
        text = text.replace(".", "").replace(",", ".", 1)
    elif commas == "thousands" and _THOUSANDS.fullmatch(text.split(".")[0]):
        text = text.replace(",", "")
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if isfinite(value) else None


def fault_of(text: str, value: float | None, commas: str, low: float | None) -> tuple[str, str] | None:
    """Code and end of a sentence for a cell that is no number, or below `low`; None for a good or blank one."""
    if value is None:
        if not text:
            return None
        shown = text[:_SHOWN]
        if commas == "unknown" and "," in text:
            return "ambiguous-number", f"has '{shown}', whose comma may part thousands or decimals"
        return "not-a-number", f"has '{shown}' where a number belongs"
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
