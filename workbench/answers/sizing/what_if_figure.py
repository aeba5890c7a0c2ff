"""Required IOPS against acceptable time, and for N desktops against the window over which they start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.sizing.boot_what_if import PUBLISHED, PUBLISHED_IO, WhatIf, storm_iops
from workbench.charts.figure import Axis, Figure, FloatArray, Line, Look, Mark, Panel, Points
from workbench.model.phase import BOOT
from workbench.words.metrics import phase_words
from workbench.words.numbers import duration, fixed, number

# From a boot on an SSD to one that nobody waits for; from all at once to a night.
_TIMES_MIN = np.geomspace(0.1, 30.0, 60)
_WINDOWS_MIN = np.geomspace(1.0, 480.0, 90)
_CHOSEN = Look("text", marker="diamond")


def question(phase: str) -> str:
    """The view's question."""
    return f"How many IOPS does an acceptable {phase_words(phase)} time need?"


def what_if_figure(answers: Sequence[WhatIf], look: Mapping[str, Look], phase: str) -> Figure:
    """Two panels, both axes logarithmic: IOPS per start over acceptable time in min, IOPS for all over the window.

    The diamonds are the chosen time and window. For boots crosses mark the published example (24,000 I/Os).
    """
    known = [answer for answer in answers if answer.total_io]
    if not known:
        empty = (
            f"No configuration measured its I/O in the phase '{phase}'. Choose another phase, or state the phase "
            "in run.toml."
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
            f"{fixed(first.desktops, 0)} desktops",
            _minutes("All started within"),
            Axis("Required IOPS", "IOPS", "log"),
            tuple(_all(known, look)),
            column=1,
            subtitle=f"each within {duration(first.seconds)}",
            legend=False,
        ),
    )
    return Figure(
        "what-if",
        question(phase),
        f"Required IOPS = {phase_words(phase)} I/O ÷ time",
        panels,
        share_y=False,
        summary=" ".join(_words(what_if) for what_if in known),
        method=_method(first),
    )


def _method(what_if: WhatIf) -> tuple[str, ...]:
    """What is drawn, and what it takes for granted."""
    return (
        f"I/O: measured total of {phase_words(what_if.phase)}, mean over the runs",
        "Assumed: the I/O does not depend on the time",
        f"Diamonds: {duration(what_if.seconds)}, starts spread over {duration(what_if.window_s)}",
        *(("Crosses: the published example",) if what_if.phase == BOOT else ()),
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
    return [*marks, _dots(f"in {duration(known[0].seconds)}", known, known[0].seconds, "iops_each")]


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
    return [*marks, _dots(f"over {duration(window)}", known, window, "iops_spread")]


def _bare(what_if: WhatIf, look: Mapping[str, Look]) -> Look:
    """The configuration's look without its marker: a computed line has no samples to mark."""
    return replace(look[what_if.configuration], marker="none")


def _dots(name: str, known: Sequence[WhatIf], seconds: float, figure: str) -> Points:
    """The chosen time: one dot on each line."""
    figures = [getattr(what_if, figure) for what_if in known]
    values = _array([np.nan if value is None else float(value) for value in figures])
    names = tuple(what_if.configuration for what_if in known)
    return Points(name, np.full(values.size, seconds / 60), values, _CHOSEN, names)


def _array(values: Sequence[float]) -> FloatArray:
    return np.array(values, dtype=np.float64)


def _words(what_if: WhatIf) -> str:
    return (
        f"{what_if.configuration}: {number(what_if.total_io)} I/O per {what_if.unit}, "
        f"{number(what_if.iops_each)} IOPS in {duration(what_if.seconds)}; "
        f"{number(what_if.iops_spread)} IOPS for {fixed(what_if.desktops, 0)} desktops."
    )
