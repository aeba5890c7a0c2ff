"""Problems: everything a reader skipped, guessed, repaired or refused, as data.

Causes: problems that have the same reason, with what was done about them and what the user can do.
"""

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
class Correction:
    """What a decision does, in sentences, with the spans that they speak of; `value` is what fits best ("" where
    nothing shows it), `wrong` says why a value cannot be taken."""

    sentences: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    value: str = ""
    wrong: str = ""


def failures() -> tuple[type[BaseException], ...]:
    """For `except failures():`, which asks only when something was raised: whoever meets none need not load polars.

    A panic of polars is no Exception: `except Exception` lets it through.
    """
    from polars.exceptions import PanicException

    return Exception, PanicException
