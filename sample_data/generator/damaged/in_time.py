"""Defects of events, phases and steadiness."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .lab import BOOT, LOGON, READS, STEADY, TRANSFERS, WRITES, Lab, logon
from .mcsio import add_cache

Bools = npt.NDArray[np.bool_]


def vm_restarts(lab: Lab) -> None:
    """A VM registers, starts again and registers once more."""
    vm, again = lab.vms[2], 75.0
    lab.move("registered", vm, 60.0)
    lab.events += [(again, "power_on", vm, ""), (120.0, "registered", vm, "")]
    lab.expect("vm-restart", vm=vm, moment=lab.at(again))


def vm_never_registers(lab: Lab) -> None:
    """A VM starts, but has neither a registration nor a session."""
    vm = lab.vms[3]
    lab.without_events(lambda event, name: name == vm and event != "power_on")
    lab.manifest["users"] = len(lab.vms) - 1
    lab.expect("vm-never-registered", vm=vm, moment=lab.at(next(at for at, _, name, _ in lab.events if name == vm)))


def vm_straggles(lab: Lab) -> None:
    """A VM registers minutes after all others."""
    vm, late = lab.vms[1], 620.0
    lab.without_events(lambda event, name: name == vm and event not in ("power_on", "registered"))
    lab.move("registered", vm, late)
    lab.manifest["users"] = len(lab.vms) - 1
    lab.expect("vm-straggler", vm=vm, moment=lab.at(late))


def session_leaves_early(lab: Lab) -> None:
    """A session logs off halfway through steady state."""
    vm, early = lab.vms[2], 620.0
    lab.move("logoff", vm, early)
    lab.expect("sessions-ended-early", vm=vm, moment=lab.at(early))


def session_comes_back(lab: Lab) -> None:
    """A user logs off and on again."""
    vm, back = lab.vms[2], 700.0
    lab.events += [(660.0, "logoff", vm, "user3"), *logon(vm, "user3", back)]
    lab.expect("session-returns", vm=vm, moment=lab.at(back))


def logon_end_not_recorded(lab: Lab) -> None:
    """No event marks the end of a logon; the phases are based on the start of applications."""
    lab.without_events(lambda event, _: event == "logon_end")


def phases_overlap(lab: Lab) -> None:
    """The stated logon ends a minute after the stated start of steady state."""
    lab.phases = [("boot", *BOOT), ("logon", LOGON[0], LOGON[1] + 60.0), ("steady", *STEADY)]
    lab.events = []
    lab.expect("phases-overlap", moment=lab.at(STEADY[0]))


def wild_cell(lab: Lab) -> None:
    """Phases are detected from activity, and one cell in steady state reads 5,000 writes a second."""
    vm, row = lab.vms[1], lab.log.row(700.0)
    lab.events = []
    read = lab.log.columns[vm, READS][row]
    lab.log.columns[vm, WRITES][row], lab.log.columns[vm, TRANSFERS][row] = 5000.0, 5000.0 + read
    lab.expect("phases-detected")
    lab.expect("wild-cell", vm=vm, moment=lab.at(float(lab.log.times[row])))


def drift(lab: Lab) -> None:
    """The I/O of steady state doubles from its beginning to its end."""
    for values in lab.log.columns.values():
        values *= np.where(_in_steady(lab), 0.7 + 0.7 * (lab.log.times - STEADY[0]) / (STEADY[1] - STEADY[0]), 1.0)
    lab.expect("not-steady", phase="steady", moment=lab.at(STEADY[0]))


def step_at_overflow(lab: Lab) -> None:
    """The RAM cache of every VM is full halfway through steady state, and from then on the I/O is doubled."""
    over = 660.0
    add_cache(lab, over)
    for values in list(lab.log.columns.values())[: 3 * len(lab.vms)]:
        values *= np.where(_in_steady(lab) & (lab.log.times > over), 2.0, 1.0)
    # The first sample with a value on the cache disk.
    seen = float(lab.log.times[lab.log.row(over + 1.0)])
    lab.expect("step-at-overflow", "info", phase="steady", moment=lab.at(seen))


def _in_steady(lab: Lab) -> Bools:
    return (lab.log.times > STEADY[0]) & (lab.log.times <= STEADY[1])
