"""User sessions, measurements in them, summaries of load generators, and events.

Times are seconds since 1970 in UTC. If `has_offset` is False, the file has local times without an offset, and they are
written here as if they were UTC. `relative`: the times are seconds since the start of the test, whose date no file has
given so far. `file` and `line` are where a record was read, and `product` is what measured it; they are ignored when
records are compared for equality. `line` is None if the file has no lines or the reader does not report them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class MeasurementKind(StrEnum):
    """The subject of a measurement."""

    LOGIN = "login"  # the length of a step of the logon, or the data that it read and wrote
    LOGOFF = "logoff"  # the length of a step of the logoff
    APP_START = "app-start"  # the start time of an application
    APP = "app"  # another timer of an application's script
    APP_RUN = "app-run"  # the run time of an application's script
    TIMER = "timer"  # a response time of the load generator's own timers
    EUX = "eux"  # the EUX score of the test at a moment
    EUX_TIMER = "eux-timer"  # the EUX score of one timer at a moment
    CHART = "chart"  # a bar of a published chart


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a user. None means *unknown*.

    `logon_s` is the length of the logon in seconds as the tool states it, otherwise end minus start. `state` is the
    word of the tool; `id` is its name for the session. `product` is the product that measured the session, if that
    product defines the begin and end of a logon in its own way.
    """

    user: str = ""
    vm: str = ""
    logon_start: float | None = None
    logon_end: float | None = None
    apps_started: float | None = None
    session_end: float | None = None
    logon_s: float | None = None
    state: str = ""
    has_offset: bool = True
    id: str = ""
    relative: bool = False
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)
    product: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured value. `at` is None if the file gives no time.

    `label` names the timer or application step, `group` the application or configuration, `session` the session that it
    was measured in. `unit_assumed`: no document states the unit.
    """

    at: float | None
    kind: MeasurementKind
    label: str
    value: float
    unit: str = ""
    session: str = ""
    active_sessions: int | None = None
    has_offset: bool = True
    group: str = ""
    unit_assumed: bool = False
    relative: bool = False
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class VsiSummary:
    """The summary of one test by the Login VSI analyzer. Baseline and thresholds are in ms, maxima in sessions."""

    test: str
    at: float | None = None
    baseline_ms: float | None = None
    vsimax: float | None = None
    uncorrected: float | None = None
    vsimax_dynamic: float | None = None
    launched: int | None = None
    active: int | None = None
    vsimax_reached: bool | None = None
    has_offset: bool = True
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class EuxSummary:
    """The summary of one test run by Login Enterprise. EUX scores range from 0 to 10; counts are whole numbers."""

    test: str = ""
    kind: str = ""
    state: str = ""
    created: float | None = None
    started: float | None = None
    finished: float | None = None
    ramp_up_completed: float | None = None
    score: float | None = None
    steady_score: float | None = None
    baseline: float | None = None
    eux_version: str = ""
    eux_state: str = ""
    vsimax: int | None = None
    vsimax_at: float | None = None
    vsimax_version: str = ""
    vsimax_state: str = ""
    logins_ok: int | None = None
    logins: int | None = None
    engines_ok: int | None = None
    engines: int | None = None
    apps_ok: int | None = None
    apps: int | None = None
    active_sessions: int | None = None
    product_version: str = ""
    comment: str = ""
    has_offset: bool = True
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)


class EventKind(StrEnum):
    """The event names of `events.csv`."""

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
    """One line of `events.csv`. `at` is seconds since 1970 in UTC.

    If `has_offset` is False, the file has a local time without an offset, and `at` is that time read as UTC. `file` and
    `line` are its place; they are ignored when events are compared for equality.
    """

    at: float
    kind: EventKind
    vm: str = ""
    user: str = ""
    detail: str = ""
    has_offset: bool = True
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)
