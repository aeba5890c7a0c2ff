"""Problems: everything that was skipped, guessed, fixed automatically or not imported, as data.

Causes: problems with one common reason, with the action taken and the options of the user.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """The effect of a problem: none (a guess is reported), loss of some data, or loss of the whole file."""

    INFO = "info"
    WARNING = "warning"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Problem:
    """One sentence for the user: the error, its file, and the action taken.

    `file` is the name that the user sees (relative to the opened folder). `line` counts physical lines from 1, `column`
    counts cells from 1. `code` is stable, for filters. If the user can decide about the problem, or has decided, `run`
    is the folder of the run and `machines` are the machines concerned.
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

    @property
    def done(self) -> str:
        """The action taken, and the options of the user, as sentences."""
        return done_words(self.action)

    @property
    def advice(self) -> str:
        """The last part of the action of a warning: what the user can do; empty if there is none."""
        _, separator, advice = self.action.rpartition("; ")
        return advice if separator and self.severity is Severity.WARNING else ""

    @property
    def sentences(self) -> str:
        """The message, then the action taken, both as sentences."""
        return " ".join(filter(None, (_ended(self.message), self.done)))


def done_words(action: str) -> str:
    """An action as sentences: a semicolon ends each. A name such as `run.toml` keeps its letters."""
    return " ".join(_ended(begun(part)) for part in action.split("; ") if part)


def begun(text: str) -> str:
    """The text with a capital at its start; a name such as `run.toml` keeps its letters."""
    first, *_ = text.split(maxsplit=1) or [""]
    return f"{text[:1].upper()}{text[1:]}" if first.rstrip(",;:.").isalpha() else text


def _ended(text: str) -> str:
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."


class CauseGroup(StrEnum):
    """The section of a cause in the import report. Causes that need the user come first."""

    NEEDS_YOU = "needs-you"
    MENDED = "mended"
    REFUSED = "refused"
    NOTE = "note"


class Mending(StrEnum):
    """The user's options for a cause. The order is the order of causes within a section."""

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
    """Problems with one common reason. `title` names the error, `done` the action taken.

    `count` has the unit `noun` ("files", "runs", "lines"); with `at_least` it is a lower bound. `runs` are the folders
    of the runs concerned, `folders` the folder of each problem ("" for none). `machines` are the machines that the user
    decides about. `command` is a command to type outside the window to fix the cause. `key` is stable.
    """

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
    """A labelled time span in seconds since 1970 UTC."""

    label: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Correction:
    """The effect of a decision in sentences, with the time spans that they mention. `value` is the best suggestion (""
    if nothing suggests one). `wrong` is the reason why a value is not valid."""

    sentences: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    value: str = ""
    wrong: str = ""


def failures() -> tuple[type[BaseException], ...]:
    """The exceptions to catch with `except failures():`.

    Python evaluates the call only after an exception, so polars is not loaded without one. The PanicException of polars
    is not an Exception: `except Exception` does not catch it.
    """
    from polars.exceptions import PanicException

    return Exception, PanicException


def all_named(names: Sequence[str], word: str = "and") -> str:
    """Text like `a, b and c`; empty for none."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def few_named(names: Sequence[str], most: int = 3, count: int | None = None) -> str:
    """Text like `a, b, c and 2 more`: the first `most` names of `count` (default: the number of names).

    One further name is written, because `1 more` is not shorter.
    """
    count = len(names) if count is None else count
    shown = names[: most + (len(names) == count == most + 1)]
    more = count - len(shown)
    return all_named([*shown, f"{more:,} more"] if more > 0 else shown)
