"""Problems: everything a reader skipped, guessed, repaired or refused, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a problem costs: nothing (a guess told), some data, or the whole file."""

    INFO = "info"
    WARNING = "warning"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Problem:
    """One sentence for the user: what, where, what was done about it.

    `file` is the name the user sees (relative to the folder they opened); `line` counts physical
    lines from 1, `column` counts cells from 1. `code` is stable and made for filtering. `run` is the folder of the run,
    and `machines` are those of its machines, where the user decides, or has decided, what becomes of them.
    """

    severity: Severity
    file: str
    code: str
    message: str
    action: str
    line: int | None = None
    column: int | None = None
    run: str = ""
    machines: tuple[str, ...] = ()
