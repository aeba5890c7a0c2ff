"""Which cause a problem has: told by its code, the reader of its file and its severity, never by its sentence."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Any

from workbench.model.cause import CauseGroup, Mending
from workbench.model.problem import Problem, Severity
from workbench.model.resources import resource

BINARY_LOG = ".blg"
# What the user can decide about the last numbers of folders' names.
NUMBERS = (Mending.KEEP_APART, Mending.JOIN_RUNS)
# A note that asks for something.
_ASKS = frozenset(("needs-mapping",))


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resource("causes.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def titles() -> dict[str, str]:
    """The title of each cause by the code of its problems."""
    table = _table()
    return {**table["others"], **table["fixed"], **table["needs"]}


def cause_key(problem: Problem, reader: str | None) -> str:
    """The stable key of a problem's cause: its code, behind the reader of its file where one has read it."""
    return f"{reader}:{problem.code}" if reader else problem.code


def cause_group(problem: Problem) -> CauseGroup:
    """Whether a problem needs the user, was mended while reading, cost the whole file, or is a note."""
    if problem.severity is Severity.REFUSED or unread_log(problem):
        return CauseGroup.REFUSED
    if problem.severity is Severity.INFO:
        return CauseGroup.NEEDS_YOU if problem.code in _ASKS else CauseGroup.NOTE
    return CauseGroup.MENDED if problem.code in _table()["fixed"] else CauseGroup.NEEDS_YOU


def unread_log(problem: Problem) -> bool:
    """Whether a problem is of a binary log that no reader knows: results, unlike other files of an unknown format."""
    return problem.code == "not-recognised" and problem.file.casefold().endswith(BINARY_LOG)


@lru_cache(maxsize=1)
def _mendings() -> dict[str, Mending]:
    return {code: Mending(name) for name, codes in _table()["mendings"].items() for code in codes}


def mending_of(code: str) -> Mending:
    """What the user can do about problems of a code, where it is more than to look at the line."""
    return _mendings().get(code, Mending.NOTHING)
