"""The chart of the cache sweep: the I/O by tier at each cache size, and the remaining I/O as the cache grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.cache.compute import CacheAnswer
from workbench.answers.cache.sentences import Advice, advice_for, enough_short, scope_words, size_words, sweep_words
from workbench.answers.cache.sources import tier_source
from workbench.answers.cache.sweep import Split, Sweep, SweepRow
from workbench.answers.common.listing import Chosen, picked
from workbench.answers.common.sources import source_of
from workbench.charts.figure import Axis, Band, Bars, Figure, FigureSource, FloatArray, Line, Look, Mark, Panel, Region
from workbench.measures.statistics import Change
from workbench.words.captions import captioned, named, named_lines
from workbench.words.metrics import in_phase
from workbench.words.numbers import THIN, signed

QUESTION = "How much RAM cache is enough?"
EMPTY = "No configuration has a RAM cache. Test two or more cache sizes and a baseline without cache."
# The minimum distance between two pieces of advice, in steps of the axis.
_ROOM = 0.9
# Tiers have other hues than provisioning types, because a tier is not a configuration. Writes are textured, as on other
# pages.
_STACK: tuple[tuple[str, Look, Callable[[Split], float | None], str], ...] = (
    ("Shared storage, reads", Look("quiet"), lambda split: split.shared_read, "shared_read_iops"),
    ("Shared storage, writes", Look("quiet", 0.7, "dash"), lambda split: split.shared_write, "shared_write_iops"),
    ("Cache disk, reads", Look("other"), lambda split: split.cache_read, "cache_disk_read_iops"),
    ("Cache disk, writes", Look("other", 0.7, "dash"), lambda split: split.cache_write, "cache_disk_write_iops"),
    ("Tier not separated, reads", Look("accent"), lambda split: split.unsplit_read, "read_iops"),
    ("Tier not separated, writes", Look("accent", 0.7, "dash"), lambda split: split.unsplit_write, "write_iops"),
)

_LEFT: tuple[tuple[str, Look, Callable[[SweepRow], float | None], Callable[[SweepRow], Change | None]], ...] = (
    ("all I/O", Look("other", 0.0, "solid", "circle"), lambda row: row.total, lambda row: row.total_change),
    ("writes", Look("other", 0.7, "dash", "square"), lambda row: row.write, lambda row: row.write_change),
    (
        "I/O on shared storage",
        Look("quiet", 0.0, "dot", "diamond"),
        lambda row: row.split.shared,
        lambda row: row.shared_change,
    ),
)


def cache_sweep_figure(answer: CacheAnswer, chosen: Chosen | None = None) -> Figure:
    """Left: IOPS by tier and direction, stacked, one bar per configuration with its change from the baseline. If there
    are many, only those `chosen` are drawn.

    Right: the remaining I/O over the cache size (percent of the baseline if there is one). Published advice is shaded
    and named as such.
    """
    sweep = answer.sweep
    bars = tuple(picked(sweep.rows, chosen))
    if not bars or not any(row.size_mb for row in sweep.rows):
        return Figure("cache-sweep", QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    panels = [_stacked(replace(sweep, rows=bars))]
    if (sizes := _sizes(sweep)) is not None and not all(row.objection for row in sizes):
        panels.append(_left(sweep, sizes))
    caption, method = _captions(answer)
    summary = sweep_words(answer)
    return Figure("cache-sweep", QUESTION, caption, tuple(panels), share_y=False, summary=summary, method=method)


def _stacked(sweep: Sweep) -> Panel:
    marks = []
    for name, look, part, figure in _STACK:
        values = _array([part(row.split) for row in sweep.rows])
        if np.isfinite(values).any() and np.nansum(values) > 0:
            sources = tuple(_source(sweep, row, figure, part(row.split)) for row in sweep.rows)
            counts = tuple(str(row.n) for row in sweep.rows)
            outlined = figure.startswith("cache_disk")
            marks.append(Bars(name, values, look, stack="tier", sources=sources, counts=counts, outlined=outlined))
    categories = tuple(_category(row) for row in sweep.rows)
    return Panel(
        f"I/O by tier {in_phase(sweep.phase)}",
        Axis("", categories=categories, of=tuple(row.label for row in sweep.rows)),
        Axis(scope_words(sweep), "IOPS"),
        tuple(marks),
        subtitle="brackets show the change in total I/O from the baseline",
    )


def _source(sweep: Sweep, row: SweepRow, figure: str, value: float | None) -> FigureSource | None:
    name = figure + "_per_vm" * sweep.per_vm
    if figure in ("read_iops", "write_iops"):
        return source_of(row.group, sweep.phase, name, value)
    return tier_source(row.group, sweep.phase, name, value)


def _category(row: SweepRow) -> str:
    if row.baseline:
        return f"{row.label} (baseline)"
    if row.total_change is None:
        return f"{row.label} (~)" if row.objection else row.label
    value = row.total_change.percent
    # In the form of a change without a verdict in Compare.
    open_ = "~ " * (row.judged is not None and row.judged.objection is not None)
    return f"{row.label} ({open_}{signed(value, 0 if abs(value) < 99 or abs(value) >= 99.95 else 1)}{THIN}%)"


def _sizes(sweep: Sweep) -> list[SweepRow] | None:
    """The rows of the one kind of cache with the most sizes, smallest first; None if two have the same size."""
    kinds: dict[object, list[SweepRow]] = {}
    for row in sweep.rows:
        if row.size_mb and row.total is not None:
            kind = (row.group.configuration.provisioning, row.group.session_type)
            kinds.setdefault(kind, []).append(row)
    rows = max(kinds.values(), key=len, default=[])
    if len(rows) < 2 or len({row.size_mb for row in rows}) < len(rows):
        return None
    return sorted(rows, key=lambda row: row.size_mb or 0)


def _left(sweep: Sweep, sizes: list[SweepRow]) -> Panel:
    base = sweep.baseline
    relative = base is not None and base not in sizes
    x = np.arange(len(sizes), dtype=np.float64)
    marks: list[Mark] = []
    for name, look, value, change in _LEFT:
        changes = [change(row) for row in sizes]
        y = _array([_share(change) for change in changes] if relative else [value(row) for row in sizes])
        if np.isfinite(y).any():
            marks += _interval(x, changes, look) if relative and not marks else []
            marks.append(Line(name, x, y, look))
    names = tuple(size_words(row.size_mb) for row in sizes)
    axis = Axis("RAM cache per VM", categories=names, of=tuple(row.label for row in sizes))
    remaining = ("Remaining IOPS", "% of baseline") if relative else (f"Remaining {scope_words(sweep)}", "IOPS")
    unit = Axis(*remaining)
    top = 1.35 * max((float(np.nanmax(mark.y)) for mark in marks if isinstance(mark, Line)), default=1.0)
    limited = Axis(unit.label, unit.unit, limits=(0.0, top))
    return Panel(
        "Remaining I/O",
        axis,
        limited,
        tuple(marks),
        column=1,
        regions=_advice(sizes, x),
        subtitle="published guides recommend the shaded sizes",
    )


def _interval(x: FloatArray, changes: Sequence[Change | None], look: Look) -> list[Mark]:
    low = _array([None if change is None or change.low is None else 100 * change.low for change in changes])
    high = _array([None if change is None or change.high is None else 100 * change.high for change in changes])
    if not np.isfinite(low).any():
        return []
    return [Band("95 % interval of all I/O", x, low, high, Look(look.hue, look.tint))]


def _advice(sizes: list[SweepRow], x: FloatArray) -> tuple[Region, ...]:
    """The shaded area of published advice, from the least size to the right; sizes are at their places on the axis."""
    known = np.log2([float(row.size_mb or 1) for row in sizes])
    places: list[tuple[float, Advice]] = []
    for advice in advice_for(frozenset(row.group.session_type for row in sizes)):
        value = float(np.interp(np.log2(advice.least_mb), known, x))
        # Advice beyond the tested sizes is not drawn. Of two pieces of advice that are close, only the first has room
        # for its text.
        if np.log2(advice.least_mb) <= known[-1] and (not places or value - places[-1][0] >= _ROOM):
            places.append((value, advice))
    if not places:
        return ()
    ends = [at for at, _ in places[1:]] + [float(x[-1]) + 0.5]
    return tuple(
        Region(f"≥ {size_words(step.least_mb)}", start, end) for (start, step), end in zip(places, ends, strict=True)
    )


def _captions(answer: CacheAnswer) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    sweep = answer.sweep
    runs = sorted({row.n for row in sweep.rows})
    count = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]}–{runs[-1]}"
    several = len(answer.enough) > 1
    unknown = [cache.label for enough in answer.enough for cache in enough.unknown]
    return captioned(
        [enough_short(enough, named=several) for enough in answer.enough] or ["Mean of all runs"],
        (
            *named_lines("Without overflow counter", [*map(named, unknown)]),
            f"Bars show IOPS: mean over time {in_phase(sweep.phase)}, then over runs",
            f"Each configuration has {count} run{'s' * (runs[-1] > 1)}",
        ),
    )


def advice_words(advice: Sequence[Advice]) -> str:
    """Published advice as one line, marked as such; empty without any."""
    if not advice:
        return ""
    return f"Published advice (not measured): {'; '.join(sentence.words for sentence in advice)}"


def _share(change: Change | None) -> float | None:
    return None if change is None else 100 * change.ratio


def _array(values: Sequence[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
