"""Events: what happened to which machine at which moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class EventKind(StrEnum):
    """The words of `events.csv`."""

    POWER_ON = "power_on"
    REGISTERED = "registered"
    LOGON_START = "logon_start"
    LOGON_END = "logon_end"
    APPS_STARTED = "apps_started"
    LOGOFF = "logoff"
    RUN_END = "run_end"
    MARKER = "marker"


@dataclass(frozen=True, slots=True)
class Event:
    """One line of `events.csv`; `at` is seconds since 1970 in UTC.

    `has_offset` False: the file gave a local time without an offset, and `at` is that time read as UTC.
    `file` and `line` say where it was read; events that differ in nothing else are equal.
    """

    at: float
    kind: EventKind
    vm: str = ""
    user: str = ""
    detail: str = ""
    has_offset: bool = True
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)
