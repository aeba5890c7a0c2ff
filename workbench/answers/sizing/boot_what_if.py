"""Boot and logon what-if: the total I/O of a boot is what stays; the IOPS follow from the time it may take.

Required IOPS = total I/O / acceptable time. For N machines whose starts are spread evenly over a window, as many
as N x min(1, time / window) run at once, but never less than one, so that N x total I/O / max(time, window) IOPS
are needed at the peak, and at least those of one start.
Source: "IOPS are fuzzy" (MCS versus PVS): 24,000 I/Os in 2 min are 200 IOPS, in 15 s 1,600, in 4 min 100. It holds
while the I/O of a start does not depend on how fast it is served.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.sizing.constants import SizingError
from workbench.answers.sizing.measured import desktops_per_vm
from workbench.measures.configurations import Group
from workbench.measures.formulas import round_up
from workbench.model.phase import LOGON
from workbench.model.run import SessionType

# The published example: I/Os of one boot, and (seconds, IOPS, where) of its three sentences.
PUBLISHED_IO = 24_000.0
PUBLISHED = ((15.0, 1600.0, "SSD"), (120.0, 200.0, "SATA disk"), (240.0, 100.0, "4 min accepted"))
LEAST_S, MOST_S = 1.0, 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One configuration's answer; `unit` is what starts: `VM`, or `session` (logons on RDS).

    `total_io` is the measured I/O of one start, None when the phase was not measured; `measured_s` the length
    of the measured phase; `starts` how many start for the N desktops; `at_once` is not rounded.
    """

    configuration: str
    phase: str
    unit: str
    desktops: int
    starts: int | None
    total_io: float | None
    measured_s: float | None
    runs: int
    seconds: float
    window_s: float

    @property
    def iops_each(self) -> float | None:
        """IOPS that one start needs to be done in the acceptable time."""
        return None if self.total_io is None else required_iops(self.total_io, self.seconds)

    @property
    def at_once(self) -> float | None:
        """How many starts are under way at the same time, not rounded."""
        return None if self.starts is None else concurrent(self.starts, self.seconds, self.window_s)

    @property
    def iops_all_at_once(self) -> float | None:
        """IOPS for all of them, every one started at the same moment."""
        if self.total_io is None or self.starts is None:
            return None
        return storm_iops(self.total_io, self.starts, self.seconds, 0.0)

    @property
    def iops_spread(self) -> float | None:
        """IOPS for all of them, started one after the other over the window."""
        if self.total_io is None or self.starts is None:
            return None
        return storm_iops(self.total_io, self.starts, self.seconds, self.window_s)


def required_iops(total_io: float, seconds: float) -> float:
    """IOPS with which `total_io` I/Os take `seconds`. Raises `SizingError` for a time that is none."""
    return total_io / checked_time(seconds)


def concurrent(starts: float, seconds: float, window_s: float) -> float:
    """How many of `starts`, each `seconds` long and begun evenly over `window_s`, run at once.

    Not rounded, but never less than one: a single start needs its IOPS however long the window is.
    """
    checked_time(seconds)
    return starts if window_s <= seconds else max(starts * seconds / window_s, min(1.0, starts))


def storm_iops(total_io: float, starts: float, seconds: float, window_s: float) -> float:
    """IOPS at the peak of a storm of `starts`: those under way at once, each with what it requires."""
    return concurrent(starts, seconds, window_s) * required_iops(total_io, seconds)


def checked_time(seconds: float) -> float:
    """The time, from a second to a week. Raises `SizingError` for any other."""
    if not LEAST_S <= seconds <= MOST_S:
        raise SizingError(f"An acceptable time of {seconds / 60:g} min is not possible. Enter 0.02 to 10,080 minutes.")
    return seconds


def checked_window(seconds: float) -> float:
    """The window over which starts are spread, 0 to a week. Raises `SizingError` for any other."""
    if not 0 <= seconds <= MOST_S:
        raise SizingError(f"A window of {seconds / 60:g} min is not possible. Enter 0 to 10,080 minutes.")
    return seconds


def what_if(group: Group, phase: str, desktops: int, seconds: float, window_s: float) -> WhatIf:
    """What the measured boots or logons of one configuration need for `desktops` desktops."""
    if desktops < 1:
        raise SizingError(f"{desktops} desktops are not possible. Enter 1 or more.")
    checked_time(seconds)
    checked_window(window_s)
    share, unit = desktops_per_vm(group), "VM"
    total = group.mean(phase, "total_io_per_vm")
    starts: int | None = None if share is None else int(round_up(desktops / share))
    if group.session_type is SessionType.RDS and phase == LOGON:
        # Logons are of users: the I/O of a VM's logons is shared out among them.
        unit, starts, total = "session", desktops, None if total is None or share is None else total / share
    lengths = [row.phase.duration_s for row in group.phase(phase)]
    return WhatIf(
        group.label,
        phase,
        unit,
        desktops,
        starts,
        total,
        sum(lengths) / len(lengths) if lengths else None,
        len(group.values(phase, "total_io_per_vm")),
        seconds,
        window_s,
    )


def what_ifs(groups: Sequence[Group], phase: str, desktops: int, seconds: float, window_s: float) -> tuple[WhatIf, ...]:
    """The answers of every configuration that has runs."""
    return tuple(what_if(group, phase, desktops, seconds, window_s) for group in groups if group.runs)
