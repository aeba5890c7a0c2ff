"""The points of the trend: one metric of one run, as the history folder stores it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.model.problem import Problem


class DateEvidence(StrEnum):
    """Source of the date of a run: stated in run.toml or by the user, the first timestamp of the samples (guessed: day
    and month may be swapped), or a file of the history folder."""

    STATED = "stated"
    SAMPLES = "time stamps"
    GUESSED = "guessed"
    HISTORY = "history folder"


@dataclass(frozen=True, slots=True)
class RunDate:
    """The date of a run in seconds since 1970 UTC, and its source."""

    seconds: float
    evidence: DateEvidence


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The value of one metric of one run in one phase.

    `measure` is a key of the catalogue. `value` has the unit of that entry; `lower_bound` marks a lower bound. A metric
    that was not measured has no point, never a point with 0. `build` and `date` are None if unknown. `method` is the
    version of the statistical method. `sources` is a checksum of the recorded data, equal in the open study and in the
    history folder; it is empty if nothing was recorded. `circumstances` are (name, value) pairs of other things that
    may change a metric: session type, VMs, users, workload, hypervisor, guest OS. A point of an open study has the
    `folder` of its run and no `file`. A point of the history folder has the `file` that it was read from and no
    `folder`. `seconds` is the measured time of the phase. `started` is the first timestamp of the recorded data, in
    seconds since 1970 UTC. Points with equal `session` were measured on one test day; it is empty if unknown.
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
    """The points of a history folder, and a problem for everything in it that could not be read."""

    folder: str
    points: tuple[HistoryPoint, ...] = ()
    problems: tuple[Problem, ...] = ()
