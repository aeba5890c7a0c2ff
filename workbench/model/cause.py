"""Causes: problems that have the same reason, with what was done about them and what the user can do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.model.problem import Problem


class CauseGroup(StrEnum):
    """Where a cause stands in the import report: what needs the user first."""

    NEEDS_YOU = "needs-you"
    MENDED = "mended"
    REFUSED = "refused"
    NOTE = "note"


class Mending(StrEnum):
    """What the user can do about a cause, in the order in which causes of a group stand."""

    UNDO = "undo"
    TIME_ZONE = "time-zone"
    DATE_ORDER = "date-order"
    SPLIT = "split"
    MACHINES = "machines"
    MAP_COLUMNS = "map-columns"
    KEEP_APART = "keep-apart"
    JOIN_RUNS = "join-runs"
    BASELINE = "baseline"
    EDIT_RUN = "edit-run"
    TIMELINE = "timeline"
    COPY_COMMAND = "copy-command"
    SHOW = "show"
    FILES = "files"
    COPY_SENTENCES = "copy-sentences"
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """`title` says what is odd, `done` what was done about it. `count` has its unit in `noun` ("files", "runs",
    "lines"), and is a lower bound where it is `at_least`. `runs` are the folders of the runs that the problems are of,
    `folders` that of each problem ("" for none), `machines` those that the user decides about, `command` what is typed
    elsewhere to mend it. `key` is stable."""

    key: str
    group: CauseGroup
    title: str
    done: str
    problems: tuple[Problem, ...]
    count: int
    noun: str
    at_least: bool = False
    mending: Mending = Mending.NOTHING
    runs: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    command: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when something lasts, in seconds since 1970 UTC."""

    label: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Change:
    """What a decision does, in sentences, with the spans that they speak of; `value` is what fits best ("" where
    nothing shows it), `wrong` says why a value cannot be taken."""

    sentences: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    value: str = ""
    wrong: str = ""
