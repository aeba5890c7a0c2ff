"""One figure of one run among the runs of weeks: what the history folder keeps of it, and the trend is drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.model.problem import Problem


class DateEvidence(StrEnum):
    """Where the date of a run is from: stated in its run.toml or in the window, the first time stamp of what was
    recorded (guessed: day and month may be the other way round), or as a file of the history folder keeps it."""

    STATED = "stated"
    SAMPLES = "time stamps"
    GUESSED = "guessed"
    HISTORY = "history folder"


@dataclass(frozen=True, slots=True)
class RunDate:
    """When a run was made, in seconds since 1970 UTC, and how that is known."""

    seconds: float
    evidence: DateEvidence


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The figure of one measure of one run in one phase.

    `measure` is a key of the catalogue, `value` in that entry's unit, with its `lower_bound` mark. A figure that was
    not measured makes no point: a point never has a 0 for what is missing. `build` and `date` are None where nothing
    states them. `method` is the version of the statistical method that worked it out; `sources` the sum of what was
    recorded in the run, the same in the open study and in the history folder, empty where nothing was recorded.
    `circumstances` are (name, value) of what else may move a figure: kind of session, VMs, users, workload, hypervisor,
    guest OS. A point of an open study has its run's `folder` and no `file`; one of the history folder has the `file`
    that it was read from and no `folder`. `seconds` were measured of the phase. `started` is the first time stamp of
    what was recorded, in seconds since 1970 UTC. Points with the same `session` are of one session; it is empty if
    nothing tells.
    """

    study: str
    run: str
    configuration: str
    measure: str
    phase: str
    value: float
    build: str | None = None
    date: RunDate | None = None
    method: int = 0
    sources: str = ""
    seconds: float | None = None
    lower_bound: bool = False
    circumstances: tuple[tuple[str, str], ...] = ()
    folder: str = ""
    file: str = ""
    started: float | None = None
    session: str = ""


@dataclass(frozen=True, slots=True)
class PastRuns:
    """What a history folder holds: its points, and what of it could not be read."""

    folder: str
    points: tuple[HistoryPoint, ...] = ()
    problems: tuple[Problem, ...] = ()
