"""The times of boots, logons and log-offs, placed to make the phases last exactly as published."""

from __future__ import annotations

import numpy as np

from .plan import Boot, Session


def boots(vms: tuple[str, ...], duration_s: float, stagger_s: float, rng: np.random.RandomState) -> tuple[Boot, ...]:
    """Power-on to registration: the first VM powers on at 0, the last registers at `duration_s`."""
    ends = np.round(duration_s * rng.uniform(0.86, 0.985, len(vms)), 3)
    ends[-1] = duration_s
    return tuple(Boot(vm, stagger_s * row, float(ends[row])) for row, vm in enumerate(vms))


def sessions(
    vms: tuple[str, ...],
    users: int,
    start: float,
    duration_s: float,
    every_s: float,
    steady_s: float,
    rng: np.random.RandomState,
) -> tuple[Session, ...]:
    """One logon every `every_s` seconds, on the VMs in turn. The first starts at `start`. The last has its applications
    running `duration_s` later. The first logs off `steady_s` after that."""
    end = start + duration_s
    tail = duration_s - every_s * (users - 1)
    made = []
    for index in range(users):
        begin = start + every_s * index
        if index:
            begin = round(begin + rng.uniform(-0.2, 0.4), 3)
        length = tail * rng.uniform(0.72, 0.97)
        ready = end if index == users - 1 else round(begin + length, 3)
        logon = round(begin + 0.55 * (ready - begin), 3)
        logoff = round(end + steady_s + min(4.0, 90.0 / users) * index, 3)
        user = f"LoginVSI{index + 1:03d}"
        made.append(Session(vms[index % len(vms)], user, begin, logon, ready, logoff))
    return tuple(made)


def ended_by_logon(made: tuple[Session, ...]) -> tuple[Session, ...]:
    """The same sessions for a log without application starts: the logon itself ends the storm."""
    return tuple(
        Session(one.vm, one.user, one.logon_start, one.apps_started, one.apps_started, one.logoff) for one in made
    )
