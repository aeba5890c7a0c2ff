"""The overflow dip: IOPS of each VM around the moment at which its RAM cache first overflows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache
from workbench.answers.cache.curves import Curves, around_overflow
from workbench.answers.cache.overflow_dip import BEFORE_S, SEARCH_S, Dip, NoDip
from workbench.answers.cache.sentences import dip_short, dip_words, unknown_dip_words
from workbench.answers.common.listing import Chosen, picked
from workbench.answers.common.looks import looks
from workbench.charts.figure import Axis, Band, Figure, Line, Look, Mark, Panel, Points, Region
from workbench.words.numbers import THIN, plural

DIP = "overflow-dip"
QUESTION = "Does the I/O dip when the cache overflows?"
EMPTY = "No overflow was found, so there is no IOPS dip to show."
MOST_LINES = 12
METHOD = (
    "Time 0 is the cache overflow of each VM",
    "The prior median is taken from the 5 minutes before the overflow",
    f"In a dip, IOPS are below 75{THIN}% of the prior median",
    f"A dip ends after three consecutive samples ≥{THIN}90{THIN}% of the prior median",
)


def overflow_dip_figure(answer: CacheAnswer, chosen: Chosen | None = None) -> Figure:
    """One panel for each configuration that overflowed, those with a dip first; x = 0 is each VM's overflow.

    If there are many, only those `chosen` are drawn. A note below the chart says if the load hides dips.
    """
    look = looks([cache.group for cache in answer.cached])
    panels: list[Panel] = []
    for cache in answer.dipped_first(picked(answer.cached, chosen)):
        curves = around_overflow(cache, BEFORE_S, SEARCH_S)
        if curves is not None:
            panels.append(
                _panel(cache, curves, [dip.found for dip in answer.dips_of(cache)], look[cache.label], len(panels))
            )
    if not panels:
        return Figure(DIP, QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    words, unknown = dip_words(answer.dips), unknown_dip_words(answer.dips)
    caption = "IOPS per VM, aligned at the cache overflow of each VM" if words == unknown else dip_short(answer.dips)
    return Figure(DIP, QUESTION, caption, tuple(panels), summary=words, note=unknown, method=METHOD)


def _panel(
    cache: ConfigurationCache, curves: Curves, dips_found: Sequence[Dip | NoDip], look: Look, column: int
) -> Panel:
    dips = [dip for dip in dips_found if isinstance(dip, Dip)]
    marks: list[Mark] = []
    plain = Look(look.hue, look.tint)
    if 1 < len(curves.vms) <= MOST_LINES:
        marks += [
            Line(vm, curves.x, row, plain, vm=vm, prominent=False)
            for vm, row in zip(curves.vms, curves.rows, strict=True)
        ]
    elif len(curves.vms) > MOST_LINES:
        low, high = curves.percentile(5), curves.percentile(95)
        marks.append(Band(f"{cache.label}: p5–p95 of VMs", curves.x, low, high, plain))
    name = curves.vms[0] if len(curves.vms) == 1 else f"{cache.label}: median of VMs"
    marks.append(Line(name, curves.x, curves.percentile(50), look))
    if dips:
        marks.append(
            _points("trough", [(dip.trough_at, dip.trough, dip) for dip in dips], Look("text", marker="triangle"))
        )
        recoveries = [(dip.recovered_at, 0.9 * dip.before, dip) for dip in dips if dip.recovered_at is not None]
        if recoveries:
            marks.append(_points("back at 90 %", recoveries, Look("text", 0.5, marker="circle")))
    count = len(curves.vms)
    return Panel(
        cache.label,
        Axis("Time since the VM's cache overflow", "s"),
        Axis("IOPS per VM", "IOPS"),
        tuple(marks),
        column,
        look,
        f"{plural(count, 'overflow')}{_found_words(dips_found)}",
        (Region("overflowed", 0.0, float(curves.x[-1])),),
        legend=column == 0,
    )


def _points(name: str, recoveries: list[tuple[float, float, Dip]], look: Look) -> Points:
    x = np.array([at - (dip.overflow or at) for at, _, dip in recoveries])
    return Points(name, x, np.array([y for _, y, _ in recoveries]), look)


def _found_words(results: Sequence[Dip | NoDip]) -> str:
    """The number of dips as text, such as `, 2 dips`; "no dips" only if the load was even enough to show dips."""
    dips = sum(isinstance(dip, Dip) for dip in results)
    if not dips and results and all(isinstance(dip, NoDip) and dip.uneven for dip in results):
        return ""
    return f", {dips or 'no'} dip{'s' * (dips != 1)}"
