"""The text of a cause's button, and the text about the place of its problems."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.gui.services.translation import said, tr
from workbench.model.problem import Cause, CauseGroup, Mending, Problem

ICONS = {
    CauseGroup.NEEDS_YOU: ("warning", "warning"),
    CauseGroup.MENDED: ("check", "good"),
    CauseGroup.REFUSED: ("refused", "danger"),
    CauseGroup.NOTE: ("info", "quiet"),
}

# The border of the message next to the file.
CALLOUTS = {
    CauseGroup.NEEDS_YOU: "warning",
    CauseGroup.MENDED: "info",
    CauseGroup.REFUSED: "refused",
    CauseGroup.NOTE: "info",
}


def headings() -> dict[CauseGroup, tuple[str, str]]:
    """The heading of each group, and the note next to it."""
    return {
        CauseGroup.NEEDS_YOU: (tr("Needs a decision"), tr("worst first")),
        CauseGroup.MENDED: (tr("Fixed automatically"), ""),
        CauseGroup.REFUSED: (tr("Not imported"), tr("files that are not used")),
        CauseGroup.NOTE: (tr("Notes"), tr("guesses and their reasons")),
    }


def button_words(cause: Cause) -> str:
    """The text of the button of a cause; empty if there is nothing to do."""
    if cause.mending is Mending.SHOW:
        lined = any(problem.line is not None for problem in cause.problems)
        return tr("Show line") if lined else tr("Show file")
    return {
        Mending.TIME_ZONE: tr("Set time zone…"),
        Mending.DATE_ORDER: tr("Swap day and month"),
        Mending.SPLIT: tr("Split into runs…"),
        Mending.MACHINES: tr("Choose machines…"),
        Mending.MAP_COLUMNS: tr("Map columns…"),
        Mending.KEEP_APART: tr("Separate these runs"),
        Mending.JOIN_RUNS: tr("Join into one configuration"),
        Mending.BASELINE: tr("Choose baseline…"),
        Mending.EDIT_RUN: tr("Edit run…"),
        Mending.TIMELINE: tr("Show timeline"),
        Mending.COPY_COMMAND: tr("Copy command"),
        Mending.FILES: tr("Show all files"),
        Mending.COPY_SENTENCES: tr("Copy message") if len(cause.problems) == 1 else tr("Copy messages"),
        Mending.UNDO: tr("Undo"),
    }.get(cause.mending, "")


def count_words(cause: Cause) -> str:
    """The number of problems of a cause."""
    return f"{cause.count}{'+' if cause.at_least else ''}"


def short(done: str) -> str:
    """The first part of the action, or the first two if it is a single word; the file shows all of it."""
    parts = done.split(";")
    return ";".join(parts[: 1 if " " in parts[0] else 2])


def place_words(problem: Problem) -> str:
    """The file and the line of a problem."""
    line = "" if problem.line is None else f", {said(f'line {problem.line:,}')}"
    return f"{problem.file}{line}" + ("" if problem.column is None else f", {said(f'cell {problem.column}')}")


def searched(cause: Cause) -> str:
    """All text of a cause in small letters, for the search."""
    each = (f"{place_words(p)} {p.message} {p.action}" for p in cause.problems)
    return " ".join((cause.title, cause.done, *each)).casefold()


def copied(causes: Iterable[Cause]) -> str:
    """The text of the causes' problems, one per line under the title of their cause."""
    return "\n\n".join("\n".join((f"{cause.title}: {cause.done}", *_lines(cause))) for cause in causes)


def _lines(cause: Cause) -> Iterable[str]:
    return dict.fromkeys(f"{place_words(p)}: {p.sentences}" for p in cause.problems)


def sentence(problem: Problem) -> str:
    """A sentence with the place in the file, the odd value, and the action taken."""
    line = "" if problem.line is None else said(f"Line {problem.line:,}")
    where = line + ("" if problem.column is None else f", {said(f'cell {problem.column}')}")
    known = not where or problem.message.startswith(line)
    return f"{'' if known else where + ': '}{problem.message}\n{problem.done}"
