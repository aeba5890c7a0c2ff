"""Which last number of a folder's name is the number of a run, and which belongs to the configuration.

A number is one of a run if the name says so (`-r1`, `_run2`, `#3`, `(2)`). A bare number is one only directly
behind a kind of provisioning or, for MCSIO and PVS, a cache size (`mcs-1`, `mcsio-512-2`). Otherwise it tells
configurations apart, as in `windows-10` and `mcs-chrome-99`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from workbench.model.problem import Problem, Severity
from workbench.model.run import Run

MERGED, APART = "runs-by-number", "numbers-apart"
# Runs that a note names.
_NAMED = 4
_WORDS = r"(?:run|rep|repeat|replicate|repetition|trial|iteration|iter|pass|attempt|test|lauf)"
# R740 is a server.
# Each repetition has a bound, so that a name of thousands of blanks takes no longer than its length.
_OF_A_RUN = rf"(?:{_WORDS}[-_. ]{{0,3}}(?:no\.?|nr\.?|#)?[-_. ]{{0,3}}\d{{1,3}}|r[-_. ]{{0,3}}\d{{1,2}})"
_STATED = re.compile(
    rf"(?:[-_. ]{{1,3}}{_OF_A_RUN}|[-_. ]{{0,3}}#[-_ ]{{0,3}}\d{{1,3}}"
    rf"|[-_. ]{{0,3}}\( {{0,3}}(?:{_OF_A_RUN}|\d{{1,3}}) {{0,3}}\))$",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"({_WORDS}|r)[-_. #]{{0,3}}\d{{1,3}}", re.IGNORECASE)
_RELEASE_2 = re.compile(r"(?:2003|2008|2012)[-_. ]*r2$", re.IGNORECASE)
_BARE = re.compile(r"[-_ ]{1,3}\d{1,2}$")


class LastNumber(NamedTuple):
    """A name without its last number; whether that is `stated` to be of a run."""

    stem: str
    stated: bool


def last_number(name: str) -> LastNumber | None:
    """The last number of a name, None if it ends in no number that could be one of a run."""
    if alone := _ALONE.fullmatch(name):
        return LastNumber("run" if alone[1].lower() == "r" else alone[1], stated=True)
    if (match := _STATED.search(name)) and not _RELEASE_2.search(name):
        return LastNumber(name[: match.start()].rstrip("-_. "), stated=True)
    match = _BARE.search(name)
    return LastNumber(name[: match.start()].rstrip("-_ "), stated=False) if match else None


def of_one_name(runs: Iterable[Run], folder: str) -> list[Run]:
    """The runs that are decided together with that of a folder: those of its configuration by a run number, or those
    that differ from it only in a number."""
    known = [run for run in runs if _by_folder(run)]
    return next((group for group in _groups(known).values() if folder in [run.folder for run in group]), [])


def number_problems(runs: Sequence[Run]) -> list[Problem]:
    """A note for each group of runs that their last numbers make runs of one configuration, or keep apart."""
    return [_problem(group) for group in _groups(run for run in runs if _by_folder(run)).values() if len(group) > 1]


def _by_folder(run: Run) -> bool:
    return bool(run.other_configuration) and any(guess.field == "configuration" for guess in run.guesses)


def is_merged(run: Run) -> bool:
    """Whether the last number of the folder's name was taken for the number of a run."""
    return len(run.other_configuration) > len(run.configuration.name)


def _groups(runs: Iterable[Run]) -> dict[tuple[bool, str], list[Run]]:
    groups: dict[tuple[bool, str], list[Run]] = defaultdict(list)
    for run in runs:
        merged = is_merged(run)
        groups[merged, run.configuration.name if merged else run.other_configuration].append(run)
    return groups


def _problem(group: Sequence[Run]) -> Problem:
    first, more = group[0], len(group) - _NAMED
    names = ", ".join(f"'{run.name}'" for run in group[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    if is_merged(first):
        message = f"By their names, {names} are runs of one configuration, '{first.configuration.name}'."
        action = "treated as its runs; if not, set configuration in run.toml or separate the runs in the window"
        return Problem(Severity.INFO, first.name, MERGED, message, action, run=first.folder)
    message = f"{names} differ only in their last number, which may not be a run number."
    action = "treated as separate configurations; if not, set configuration in run.toml or join the runs in the window"
    return Problem(Severity.INFO, first.name, APART, message, action, run=first.folder)
