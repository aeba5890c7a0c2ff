"""What is reported of a run's phases: what deviates from their rules, which ones overlap, and why one is doubtful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from workbench.model.phase import STANDARD_PHASES, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.phases.clock import clock, minutes
from workbench.phases.deviations import Deviation, Edges

# So many VMs or sessions are named one by one.
_NAMED = 5
_MEMBERS = {"boot": "VMs"}
# Phases that overlap by less than this do so by rounding.
_OVERLAP_S = 1.0


def deviation_problems(run: Run, phase: str, edges: Edges) -> Iterator[Problem]:
    """A problem for each kind of deviation, with the VMs or sessions, the time, and what was done."""
    for kind in dict.fromkeys(deviation.kind for deviation in edges.deviations):
        same = [deviation for deviation in edges.deviations if deviation.kind == kind]
        yield _warning(run, kind, f"{_share(phase, same, edges)}: {_listed(run, same)}.", _done(phase, kind, edges))


def doubt_of(phase: str, edges: Edges) -> str:
    """Why the phase is doubtful, as a sentence; empty where it is not."""
    if not edges.doubtful:
        return ""
    count = len({deviation.stay.name for deviation in edges.deviations})
    names = ", ".join(dict.fromkeys(deviation.what for deviation in edges.deviations))
    return f"{count} of {edges.of} {_members(phase)} deviate from its rule ({names})"


def overlap_problems(run: Run, phases: Sequence[Phase]) -> Iterator[Problem]:
    """A problem for each two phases that share some time: a warning for boot, logon and steady state."""
    for first, second in combinations(sorted(phases, key=lambda phase: phase.start), 2):
        shared = min(first.end, second.end) - second.start
        if shared < _OVERLAP_S:
            continue
        standard = {first.name, second.name} <= set(STANDARD_PHASES)
        yield Problem(
            Severity.WARNING if standard else Severity.INFO,
            run.name,
            "phases-overlap",
            f"Phases '{first.name}' and '{second.name}' overlap for {minutes(shared)} from {clock(run, second.start)}.",
            "this I/O counts in both phases; to separate them, set [[phases]] in run.toml",
        )


def _share(phase: str, same: Sequence[Deviation], edges: Edges) -> str:
    return f"{len(same)} of {edges.of} {_members(phase)} {'deviates' if len(same) == 1 else 'deviate'}"


def _members(phase: str) -> str:
    return _MEMBERS.get(phase, "sessions")


def _listed(run: Run, same: Sequence[Deviation]) -> str:
    parts = [
        f"{each.stay.name} {each.what}" + ("" if each.at is None else f" at {clock(run, each.at)}")
        for each in same[:_NAMED]
    ]
    more = len(same) - len(parts)
    return "; ".join(parts) + (f"; and {more} more" if more else "")


_SEEN = {
    "vm-restart": "boot uses the first start of each VM; find out why it started again",
    "vm-registers-again": "boot uses the first registration of each VM",
    "vm-never-registered": "boot ends with the last VM that registers; find out why this one does not",
    "vm-straggler": "ignored for the edges of boot",
    "session-returns": "the first logon of each session counts, and its last logoff",
    "session-straggler": "ignored for the edges of the logon phase",
    "sessions-ended-early": "ignored for the end of steady state",
}


def _done(phase: str, kind: str, edges: Edges) -> str:
    if edges.doubtful and kind != "vm-registers-again":
        return f"phase '{phase}' is marked doubtful; to correct it, set [[phases]] in run.toml"
    return f"{_SEEN[kind]}; to set the edges yourself, use [[phases]] in run.toml"


def _warning(run: Run, code: str, message: str, action: str) -> Problem:
    return Problem(Severity.WARNING, run.name, code, message, action)
