"""Filling: how fast each configuration's cache fills, when it overflows, when the cache disk levels off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache
from workbench.answers.cache.curves import Curves, gauge_curves
from workbench.answers.cache.sentences import first_overflow_words
from workbench.answers.common.listing import Chosen, picked
from workbench.answers.common.looks import looks
from workbench.charts.figure import Axis, Band, Figure, Line, Look, Mark, Panel, Points, Region
from workbench.model.metric import Quantity
from workbench.words.captions import captioned, named
from workbench.words.numbers import THIN, duration, number

FILLING = "cache-filling"
QUESTION = "How fast does the cache fill?"
EMPTY = (
    "No run has cache counters. In the VMs, log 'Citrix MCS Storage Driver' (MCSIO) or "
    "'Memory\\Pool Nonpaged Bytes' (PVS)."
)
_ZERO = Axis("Time since the first phase began", "s")
# With more configurations the bands would hide the lines.
MOST_BANDS = 2
_DOT = Look("text", marker="circle")
# Phases of the runs count as equal if their edges agree to this share of the run.
_NEAR = 0.03
METHOD = (f"'Levels off' means growth below 10{THIN}% of the highest growth rate", "1 MB = 2²⁰ bytes")


def cache_filling_figure(answer: CacheAnswer, chosen: Chosen | None = None) -> Figure:
    """RAM used in percent of the size (left) and cache disk in MB (right).

    The left panel marks the overflow, the right one the point at which the cache disk levels off. Lines are medians
    over all VMs of all runs, with the 5–95 % band. If there are many configurations, only those `chosen` are drawn.
    """
    cached = picked(answer.cached, chosen)
    look = looks([cache.group for cache in answer.cached])
    ram = {cache.label: curves for cache in cached if cache.size_mb and (curves := _ram(cache)) is not None}
    disk = {
        cache.label: curves for cache in cached if (curves := gauge_curves(cache, Quantity.CACHE_DISK_USED)) is not None
    }
    regions = _regions(cached)
    by_label = {cache.label: cache for cache in cached}
    panels = []
    if ram:
        marks = _marks(ram, look, by_label, "first cache overflow", lambda cache: (cache.overflow_s, None))
        panels.append(
            Panel("RAM cache", _ZERO, _axis("RAM used", "% of cache size", ram), marks, column=0, regions=regions)
        )
    if disk:
        marks = _marks(disk, look, by_label, "growth levels off", lambda cache: (cache.level_s, cache.level_mb))
        panels.append(
            Panel(
                "Cache disk",
                _ZERO,
                _axis("Cache disk used per VM", "MB", disk),
                marks,
                column=len(panels),
                regions=regions,
            )
        )
    if not panels:
        return Figure(FILLING, QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    estimated = any(cache.estimate for cache in cached)
    fact = "The PVS cache is estimated from the nonpaged pool" * estimated
    more = "The nonpaged pool contains more than the PVS cache" * estimated
    caption, method = captioned((fact, "Lines show medians of all VMs in all runs"), (more, *METHOD))
    summary = " ".join(_sentence(cache) for cache in cached)
    return Figure(FILLING, QUESTION, caption, tuple(panels), share_y=False, summary=summary, method=method)


def _axis(label: str, unit: str, curves: dict[str, Curves]) -> Axis:
    """An axis from 0 with room above the curves for the names of the phases."""
    tops = [float(np.nanmax(curve.percentile(50))) for curve in curves.values() if np.isfinite(curve.rows).any()]
    top = max(tops, default=0.0)
    return Axis(label, unit, limits=(0.0, 1.18 * top) if top > 0 else None)


def _ram(one: ConfigurationCache) -> Curves | None:
    curves = gauge_curves(one, Quantity.CACHE_RAM_USED)
    if curves is None or not one.size_mb:
        return None
    return Curves(curves.x, 100 * curves.rows / one.size_mb, curves.vms)


def _marks(
    curves: dict[str, Curves],
    look: dict[str, Look],
    cached: dict[str, ConfigurationCache],
    what: str,
    mark: Callable[[ConfigurationCache], tuple[float | None, float | None]],
) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for label, found in curves.items():
        # Lines have no markers here, unlike on other pages, because dots have a meaning.
        own = replace(look[label], marker="none")
        if len(found.vms) > 1 and len(curves) <= MOST_BANDS:
            low, high = found.percentile(5), found.percentile(95)
            marks.append(Band(f"{label}: p5–p95 of VMs", found.x, low, high, Look(own.hue, own.tint)))
        marks.append(Line(label, found.x, found.percentile(50), own))
    at = {label: mark(cached[label]) for label in curves}
    at = {label: (x, y) for label, (x, y) in at.items() if x is not None}
    if at:
        heights = [y if y is not None else _height(curves[label], x) for label, (x, y) in at.items()]
        places = np.array([x for x, _ in at.values()], dtype=np.float64)
        marks.append(Points(what, places, np.array(heights), _DOT, tuple(at)))
    return tuple(marks)


def _height(curve: Curves, x: float | None) -> float:
    return float("nan") if x is None else float(np.interp(x, curve.x, curve.percentile(50)))


def _regions(cached: Sequence[ConfigurationCache]) -> tuple[Region, ...]:
    """The phases that all runs share at the same times since zero."""
    runs = [(run.zero, run.phases) for cache in cached for run in cache.runs if run.zero is not None]
    if not runs:
        return ()
    shown: list[Region] = []
    for name in dict.fromkeys(phase.name for _, phases in runs for phase in phases):
        edges = np.array(
            [(phase.start - zero, phase.end - zero) for zero, phases in runs for phase in phases if phase.name == name]
        )
        slack = _NEAR * float(edges.max())
        if len(edges) == len(runs) and (np.ptp(edges, axis=0) <= slack).all():
            start, end = edges.mean(axis=0)
            shown.append(Region(name, float(start), float(end)))
    return tuple(shown)


def _sentence(one: ConfigurationCache) -> str:
    rate = one.mean("fill_rate_mb_per_min")
    full = one.mean("time_to_full_s")
    parts = [f"mean fill rate {number(rate)}{THIN}MB/min"] if rate is not None else []
    # All times of a configuration have one unit.
    longest = max(filter(None, (full, one.level_s)), default=0.0)
    parts += [f"mean time until full {duration(full, longest)}"] if full is not None else []
    parts.append(first_overflow_words(one, longest))
    if one.level_s is not None:
        parts.append(f"cache disk use levels off at {number(one.level_mb)} MB after {duration(one.level_s)}")
    return f"{named(one.label)}: {'; '.join(parts)}."
