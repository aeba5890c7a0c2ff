"""User sessions, what was measured in them, and what a load generator says of a whole test.

Times are seconds since 1970 in UTC. `has_offset` False: the file gave local times without an offset, and they
are written here as if they were UTC. `relative`: the times are seconds since the start of the test, whose date
no file has told so far. `file` and `line` say where a record was read and `product` what measured it, not what it
says: records that differ in nothing else are equal; the line is None where the file has none, or the reader does not
tell it.

Events: what happened to which machine at which moment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class MeasurementKind(StrEnum):
    """What a measurement speaks of."""

    LOGIN = "login"  # how long a step of the logon took, or what it read and wrote
    LOGOFF = "logoff"  # how long a step of the logoff took
    APP_START = "app-start"  # how long an application took to start
    APP = "app"  # another timer of an application's script
    APP_RUN = "app-run"  # how long an application's script ran
    TIMER = "timer"  # a response time of the load generator's own timers
    EUX = "eux"  # the EUX score of the test at a moment
    EUX_TIMER = "eux-timer"  # the EUX score of one timer at a moment
    CHART = "chart"  # a bar of a published chart


@dataclass(frozen=True, slots=True)
class Session:
    """One user's session. None is *not known*.

    `logon_s` is the logon's length in seconds, as the tool states it, else the end less the start.
    `state` is the tool's own word; `id` the tool's own name of the session. `product` measured it, if it has a begin
    and an end of a logon of its own.
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
    """One measured value. `at` is None where the file tells no time.

    `label` names the timer or application step, `group` the application or configuration around it, `session`
    the session it was taken in. `unit_assumed`: no document states the unit.
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
    """What the Login VSI analyzer says of one test. Baseline and thresholds in milliseconds, maxima in sessions."""

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
    """What Login Enterprise says of one test run. EUX scores run from 0 to 10; counts are whole numbers."""

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
