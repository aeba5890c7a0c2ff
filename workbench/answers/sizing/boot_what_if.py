"""Boot and logon what-if: the total I/O of a boot is fixed; the required IOPS follow from the acceptable time.

Required IOPS = total I/O ÷ acceptable time. If the starts of N VMs are spread evenly over a window, N x min(1, time /
window) run at once, but never less than one. So the peak needs N x total I/O / max(time, window) IOPS, and at least
those of one start.
Source: "IOPS are fuzzy" (MCS versus PVS): 24,000 I/Os in 2 min are 200 IOPS, in 15 s 1,600, in 4 min 100. This is valid
as long as the I/O of a start does not depend on the storage speed.

The charts show the required IOPS over the acceptable time, and for N desktops over the window of their starts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.answers.sizing.constants import SizingError
from workbench.answers.sizing.measured import desktops_per_vm
from workbench.charts.figure import Axis, Figure, FloatArray, Line, Look, Mark, Panel, Points
from workbench.measures.configurations import Group
from workbench.measures.formulas import round_up
from workbench.model.phase import BOOT, LOGON
from workbench.model.run import SessionType
from workbench.words.captions import named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import duration, fixed, number, plural

# The published example: I/Os of one boot, and (seconds, IOPS, where) of its three sentences.
PUBLISHED_IO = 24_000.0
PUBLISHED = ((15.0, 1600.0, "SSD"), (120.0, 200.0, "SATA disk"), (240.0, 100.0, "4 min accepted"))
LEAST_S, MOST_S = 1.0, 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class WhatIf:
    """One configuration's answer. `unit` is what starts: `VM`, or `session` (logons on RDS).

    `total_io` is the measured I/O of one start, None if the phase was not measured; `measured_s` the length of the
    measured phase; `starts` the number of starts for the N desktops; `at_once` is not rounded.
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
        """The IOPS of one start that completes in the acceptable time; None without measured I/O."""
        return None if self.total_io is None else required_iops(self.total_io, self.seconds)

    @property
    def at_once(self) -> float | None:
        """The number of starts that run at once, not rounded; None if the number of starts is unknown."""
        return None if self.starts is None else concurrent(self.starts, self.seconds, self.window_s)

    @property
    def iops_all_at_once(self) -> float | None:
        """The IOPS of all starts if they begin at one moment."""
        if self.total_io is None or self.starts is None:
            return None
        return storm_iops(self.total_io, self.starts, self.seconds, 0.0)

    @property
    def iops_spread(self) -> float | None:
        """The IOPS of all starts if they are spread over the window."""
        if self.total_io is None or self.starts is None:
            return None
        return storm_iops(self.total_io, self.starts, self.seconds, self.window_s)


def required_iops(total_io: float, seconds: float) -> float:
    """The IOPS at which `total_io` I/Os take `seconds`. Raises `SizingError` for an invalid time."""
    return total_io / checked_time(seconds)


def concurrent(starts: float, seconds: float, window_s: float) -> float:
    """The number of `starts` that run at once if each takes `seconds` and they are spread evenly over `window_s`.

    Not rounded, but never less than one: a single start needs its IOPS in any window.
    """
    checked_time(seconds)
    return starts if window_s <= seconds else max(starts * seconds / window_s, min(1.0, starts))


def storm_iops(total_io: float, starts: float, seconds: float, window_s: float) -> float:
    """The IOPS at the peak of a storm of `starts`: the number at once times the IOPS of one."""
    return concurrent(starts, seconds, window_s) * required_iops(total_io, seconds)


def checked_time(seconds: float) -> float:
    """The time, from a second to a week. Raises `SizingError` for any other."""
    if not LEAST_S <= seconds <= MOST_S:
        raise SizingError(f"An acceptable time of {seconds / 60:g} min is not possible. Enter 0.02 to 10,080 minutes.")
    return seconds


def checked_window(seconds: float) -> float:
    """The window for the starts, 0 to a week. Raises `SizingError` for any other."""
    if not 0 <= seconds <= MOST_S:
        raise SizingError(f"A window of {seconds / 60:g} min is not possible. Enter 0 to 10,080 minutes.")
    return seconds


def what_if(group: Group, phase: str, desktops: int, seconds: float, window_s: float) -> WhatIf:
    """The IOPS that `desktops` desktops need, from the measured boots or logons of one configuration."""
    if desktops < 1:
        raise SizingError(f"{desktops} desktops are not possible. Enter 1 or more.")
    checked_time(seconds)
    checked_window(window_s)
    share, unit = desktops_per_vm(group), "VM"
    total = group.mean(phase, "total_io_per_vm")
    starts: int | None = None if share is None else int(round_up(desktops / share))
    if group.session_type is SessionType.RDS and phase == LOGON:
        # Users log on, so the I/O of a VM's logons is divided by its users.
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
    """The answers of every configuration with runs."""
    return tuple(what_if(group, phase, desktops, seconds, window_s) for group in groups if group.runs)


# Range of times: from a boot on an SSD to a boot that is unacceptably slow; range of windows: from all at once to a
# night.
_TIMES_MIN = np.geomspace(0.1, 30.0, 60)
_WINDOWS_MIN = np.geomspace(1.0, 480.0, 90)
_CHOSEN = Look("text", marker="diamond")


def question(phase: str) -> str:
    """The view's question."""
    return f"How many IOPS does an acceptable {phase_words(phase)} time need?"


def what_if_figure(answers: Sequence[WhatIf], look: Mapping[str, Look], phase: str) -> Figure:
    """Two panels, all axes logarithmic: IOPS per start over the acceptable time in min, and IOPS for all over the
    window.

    The diamonds are the chosen time and window. For boots, crosses mark the published example (24,000 I/Os).
    """
    known = [answer for answer in answers if answer.total_io]
    if not known:
        empty = (
            f"No I/O was measured in the phase '{phase_words(phase)}'. "
            "Choose another phase, or define this phase in run.toml."
        )
        return Figure("what-if", question(phase), "", (), empty=empty, summary=empty)
    first = known[0]
    panels = (
        Panel(
            f"One {'session' if first.unit == 'session' else 'VM'}",
            _minutes(f"Acceptable {phase_words(phase)} time"),
            Axis("Required IOPS", "IOPS", "log"),
            (*_published(phase), *_each(known, look)),
            column=0,
        ),
        Panel(
            plural(first.desktops, "desktop"),
            _minutes("Time window for all starts"),
            Axis("Required IOPS", "IOPS", "log"),
            tuple(_all(known, look)),
            column=1,
            subtitle=f"each start within {duration(first.seconds)}",
            legend=False,
        ),
    )
    return Figure(
        "what-if",
        question(phase),
        f"Required IOPS = I/O per {first.unit} ÷ acceptable {phase_words(phase)} time",
        panels,
        share_y=False,
        summary=_summary(known),
        method=_method(first),
    )


def _method(what_if: WhatIf) -> tuple[str, ...]:
    """The content of the chart, and its assumptions."""
    return (
        f"Total I/O {in_phase(what_if.phase)} is the mean of the runs",
        "Total I/O is assumed not to depend on boot or logon time",
        f"Diamonds: one {what_if.phase} takes {duration(what_if.seconds)}, "
        f"all are spread over {duration(what_if.window_s)}",
        *(("Crosses show published examples",) if what_if.phase == BOOT else ()),
    )


def _minutes(label: str) -> Axis:
    return Axis(label, "min", "log")


def _published(phase: str) -> tuple[Mark, ...]:
    if phase != BOOT:
        return ()
    seconds = np.array([at for at, _, _ in PUBLISHED])
    iops = np.array([rate for _, rate, _ in PUBLISHED])
    names = tuple(f"published: {where}" for _, _, where in PUBLISHED)
    name = f"published: {fixed(PUBLISHED_IO, 0)} I/Os"
    return (Points(name, seconds / 60, iops, Look("quiet", marker="cross"), names),)


def _each(known: Sequence[WhatIf], look: Mapping[str, Look]) -> list[Mark]:
    marks: list[Mark] = []
    for what_if in known:
        assert what_if.total_io is not None
        marks.append(
            Line(what_if.configuration, _TIMES_MIN, what_if.total_io / (60 * _TIMES_MIN), _bare(what_if, look))
        )
    return [*marks, _dots(f"start in {duration(known[0].seconds)}", known, known[0].seconds, "iops_each")]


def _all(known: Sequence[WhatIf], look: Mapping[str, Look]) -> list[Mark]:
    marks: list[Mark] = []
    for what_if in known:
        assert what_if.total_io is not None
        if what_if.starts is not None:
            rates = [
                storm_iops(what_if.total_io, what_if.starts, what_if.seconds, 60 * float(at)) for at in _WINDOWS_MIN
            ]
            marks.append(Line(what_if.configuration, _WINDOWS_MIN, _array(rates), _bare(what_if, look)))
    window = max(known[0].window_s, 60 * float(_WINDOWS_MIN[0]))
    return [*marks, _dots(f"starts within {duration(window)}", known, window, "iops_spread")]


def _bare(what_if: WhatIf, look: Mapping[str, Look]) -> Look:
    """The configuration's look without its marker: a computed line has no samples to mark."""
    return replace(look[what_if.configuration], marker="none")


def _dots(name: str, known: Sequence[WhatIf], seconds: float, figure: str) -> Points:
    """The chosen time as one dot on each line."""
    figures = [getattr(what_if, figure) for what_if in known]
    values = _array([np.nan if value is None else float(value) for value in figures])
    names = tuple(what_if.configuration for what_if in known)
    return Points(name, np.full(values.size, seconds / 60), values, _CHOSEN, names)


def _array(values: Sequence[float]) -> FloatArray:
    return np.array(values, dtype=np.float64)


def _summary(known: Sequence[WhatIf]) -> str:
    """The IOPS of each configuration if all start within the window."""
    values = "; ".join(f"{named(what_if.configuration)}: {number(what_if.iops_spread)}" for what_if in known)
    starts = f"{plural(known[0].desktops, 'desktop')} start within {duration(known[0].window_s)}"
    return f"Required IOPS if {starts}. {values}."
