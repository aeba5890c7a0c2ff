"""Finds VMs and sessions that deviate from the rule of a phase, and reports problems of a run's phases.

VMs may start again or never register; sessions may come back or leave early. If at most max(1, 5 %) of the VMs or
sessions deviate, they are named and do not move an edge. With more, the phase follows its rule and is doubtful. Limits
defined by this project (assumed):

- *straggling*: without these members the phase is shorter by `STRAGGLE_S` or more and less than a third as long. The
step to the next member is more than four times the largest step between the others. Needs at least four VMs or
sessions.
- *early log off*: before the end of the logon phase; or earlier than the next one by more than all of `EARLY_S`, a
tenth of the steady state of the others, and three times the median step between the log-offs of the others.

The module also reports phases that overlap, and why a phase is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from workbench.model.phase import PHASE_WORDS, STANDARD_PHASES, Phase
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.run import Run
from workbench.phases.clock import clock, minutes, when
from workbench.phases.stays import Stay

TOLERATED = 0.05
STRAGGLE_S, STRAGGLE_SHARE, STRAGGLE_STEPS, FEWEST = 300.0, 3.0, 4.0, 4
EARLY_S, EARLY_SHARE, EARLY_STEPS = 60.0, 0.1, 3.0


class Deviation(NamedTuple):
    """A VM or session that deviates, at a time (None: unknown). `what` is the verb of a sentence; the time replaces its
    comma."""

    kind: str
    stay: Stay
    what: str
    at: float | None


@dataclass(frozen=True, slots=True)
class Edges:
    """Start and end of a phase (None: no evidence) and the deviations. `doubtful`: there are more than tolerated."""

    start: float | None
    end: float | None
    deviations: tuple[Deviation, ...] = ()
    of: int = 0
    doubtful: bool = False


def tolerated(count: int) -> int:
    """The number of `count` VMs or sessions that may deviate before a phase is doubtful."""
    return max(1, int(TOLERATED * count))


def boot_edges(stays: Sequence[Stay], starts: Sequence[float], ends: Sequence[float]) -> Edges:
    """First `power_on` to last `registered` of the VMs' first starts. `starts` and `ends` are events without a VM."""
    again = [Deviation("vm-restart", stay, "restarted", stay.again) for stay in stays if stay.again is not None]
    repeated = [
        Deviation("vm-registers-again", stay, "registered again", stay.repeated)
        for stay in stays
        if stay.repeated is not None and stay.again is None
    ]
    missing = [stay for stay in stays if stay.start is not None and stay.end is None and stay.later is None]
    some = any(stay.end is not None for stay in stays)
    never = [
        Deviation("vm-never-registered", stay, "never registered after starting", stay.start)
        for stay in missing
        if some
    ]
    return _edges(stays, (*again, *never), tuple(repeated), (starts, ends), "vm-straggler")


def logon_edges(stays: Sequence[Stay], starts: Sequence[float], ends: Sequence[float]) -> Edges:
    """First `logon_start` to the last end of the sessions' first logons. `starts` and `ends` are events without VM and
    user."""
    again = [
        Deviation("session-returns", stay, "logged on again", stay.again) for stay in stays if stay.again is not None
    ]
    return _edges(stays, tuple(again), (), (starts, ends), "session-straggler")


def steady_end(stays: Sequence[Stay], calm: float, run_end: float | None) -> Edges:
    """The end of steady state: the first log-off from `calm` (the end of the logon) on.

    Sessions without a log-off stay until `run_end`. A session that comes back leaves with its last log-off.
    """
    budget = tolerated(len(stays))
    back = {stay.name for stay in stays if stay.again is not None and stay.over is not None}
    leaves = sorted(
        ((at, stay) for stay in stays if (at := _leaves(stay, len(back) <= budget)) is not None),
        key=lambda leave: leave[0],
    )
    open_ones = len(stays) - len(leaves) if run_end is not None else 0
    moments = [at for at, _ in leaves] + [run_end or 0.0] * open_ones
    early = _early(moments, calm, len(leaves))
    if early > budget and open_ones:
        early = 0  # In this case, the record of the log-offs is incomplete.
    doubtful = len(back.union(stay.name for _, stay in leaves[:early])) > budget
    what = "logged off, long before the others"
    deviations = tuple(Deviation("sessions-ended-early", stay, what, at) for at, stay in leaves[:early])
    left = 0 if doubtful else early
    return Edges(calm, leaves[left][0] if left < len(leaves) else None, deviations, len(stays), doubtful)


def _leaves(stay: Stay, last: bool) -> float | None:
    """The log-off time of a session. If `last`, the last log-off of a session that comes back counts."""
    if not last or stay.again is None or stay.gone is None:
        return stay.over
    return stay.gone if stay.gone > stay.again else None


def _early(moments: Sequence[float], calm: float, most: int) -> int:
    """The number of the first moments that are long before the others: at most half of them."""
    every = np.array(moments)
    for count in range(min(most, every.size // 2), 0, -1):
        others = every[count:]
        if others[0] - every[count - 1] <= EARLY_S and not every[count - 1] <= calm < others[0]:
            continue
        step = float(np.median(np.diff(others))) if others.size > 1 else 0.0
        limit = max(EARLY_S, EARLY_SHARE * (others[0] - calm), EARLY_STEPS * step)
        if others[0] - moments[count - 1] > limit or moments[count - 1] <= calm < others[0]:
            return count
    return 0


def _edges(
    stays: Sequence[Stay],
    deviating: tuple[Deviation, ...],
    told: tuple[Deviation, ...],
    unnamed: tuple[Sequence[float], Sequence[float]],
    kind: str,
) -> Edges:
    budget = tolerated(len(stays))
    doubtful = len({deviation.stay.name for deviation in deviating}) > budget
    timed = [stay for stay in stays if stay.start is not None and stay.end is not None]
    late = [] if doubtful else _straggling(timed, budget - len({each.stay.name for each in deviating}), kind)
    out = {deviation.stay.name for deviation in late}
    kept = [stay for stay in stays if stay.name not in out]
    starts = [stay.start for stay in kept if stay.start is not None]
    ends = [end for stay in kept if (end := (stay.later if doubtful and stay.end is None else stay.end)) is not None]
    return Edges(
        min((*starts, *unnamed[0]), default=None),
        max((*ends, *unnamed[1]), default=None),
        (*deviating, *told, *late),
        len(stays),
        doubtful,
    )


_STRAGGLES = {
    "vm-straggler": {"end": "registered, long after the others", "start": "started, long before the others"},
    "session-straggler": {
        "end": "completed the logon, long after the others",
        "start": "logged on, long before the others",
    },
}


def _straggling(stays: list[Stay], budget: int, kind: str) -> list[Deviation]:
    """The members that alone make the phase much longer: at its end, otherwise at its start."""
    for side, what in _STRAGGLES[kind].items():
        ordered = sorted(stays, key=lambda stay: _edge(stay, side))
        steps = np.diff([_edge(stay, side) for stay in ordered])
        for count in range(1, min(budget, len(ordered) - FEWEST + 1) + 1):
            kept = len(ordered) - count
            lone = steps[kept - 1] > STRAGGLE_STEPS * steps[: kept - 1].max(initial=0.0)
            if lone and _much_longer(ordered, ordered[:kept]):
                out = ordered[kept:]
                return [Deviation(kind, stay, what, stay.end if side == "end" else stay.start) for stay in out]
    return []


def _much_longer(ordered: Sequence[Stay], rest: Sequence[Stay]) -> bool:
    whole, usual = _length(ordered), _length(rest)
    return whole > STRAGGLE_SHARE * usual and whole - usual >= STRAGGLE_S


def _edge(stay: Stay, side: str) -> float:
    """A value that grows towards that side of the phase."""
    return (stay.end or 0.0) if side == "end" else -(stay.start or 0.0)


def _length(stays: Sequence[Stay]) -> float:
    return max(stay.end or 0.0 for stay in stays) - min(stay.start or 0.0 for stay in stays)


_MEMBERS = {"boot": "VMs"}
# A shorter overlap is a rounding error.
_OVERLAP_S = 1.0


def deviation_problems(run: Run, phase: str, edges: Edges) -> Iterator[Problem]:
    """A problem for each kind of deviation, with the VMs or users, the time, and the action taken."""
    for kind in dict.fromkeys(deviation.kind for deviation in edges.deviations):
        same = [deviation for deviation in edges.deviations if deviation.kind == kind]
        yield _warning(run, kind, f"{_listed(run, phase, same, edges)}.", _done(phase, same, edges))


def doubt_of(phase: str, edges: Edges) -> str:
    """The reason why the phase is doubtful, as a sentence; empty if it is not."""
    if not edges.doubtful:
        return ""
    count = len({deviation.stay.name for deviation in edges.deviations})
    what = " or ".join(dict.fromkeys(deviation.what.replace(",", "") for deviation in edges.deviations))
    return f"{count} of {edges.of} {_members(phase)} {what}"


def overlap_problems(run: Run, phases: Sequence[Phase]) -> Iterator[Problem]:
    """A problem for each pair of overlapping phases: a warning for boot, logon and steady state, otherwise a note."""
    for first, second in combinations(sorted(phases, key=lambda phase: phase.start), 2):
        shared = min(first.end, second.end) - second.start
        if shared < _OVERLAP_S:
            continue
        standard = {first.name, second.name} <= set(STANDARD_PHASES)
        yield Problem(
            Severity.WARNING if standard else Severity.INFO,
            run.name,
            "phases-overlap",
            f"Phases '{PHASE_WORDS.get(first.name, first.name)}' and '{PHASE_WORDS.get(second.name, second.name)}' "
            f"overlap for {minutes(shared)} from {clock(run, second.start)}.",
            "I/O counted in both; to separate them, set [[phases]] in run.toml",
        )


def _members(phase: str) -> str:
    return _MEMBERS.get(phase, "users")


def _listed(run: Run, phase: str, same: Sequence[Deviation], edges: Edges) -> str:
    """The first members that deviate, in time order, and when."""
    same = sorted(same, key=lambda each: each.at or 0.0)
    times = [each.at for each in same if each.at is not None]
    verb, comma, rest = same[0].what.partition(",")
    what = f"{verb} {when(run, *times)}{comma}{rest}" if times else f"{verb}{rest}"
    names = few_named([each.stay.name for each in same], _NAMED)
    return f"{len(same)} of {edges.of} {_members(phase)} {what}: {names}"


_NAMED = 2
_SEEN = {
    "vm-restart": "the boot phase uses the first start of each VM",
    "vm-registers-again": "the boot phase uses the first registration of each VM",
    "vm-never-registered": "the boot phase ends with the last VM that registered",
    "vm-straggler": "not included in the boot phase",
    "session-returns": "phases use the first logon and the last logoff",
    "session-straggler": "not included in the logon phase",
    "sessions-ended-early": "steady state continues after that",
}


def _done(phase: str, same: Sequence[Deviation], edges: Edges) -> str:
    kind = same[0].kind
    if edges.doubtful and kind != "vm-registers-again":
        return f"phase '{PHASE_WORDS.get(phase, phase)}' may be wrong; set [[phases]] in run.toml"
    return f"{_SEEN[kind]}; to change this, set [[phases]] in run.toml"


def _warning(run: Run, code: str, message: str, action: str) -> Problem:
    return Problem(Severity.WARNING, run.name, code, message, action)
