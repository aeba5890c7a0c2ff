"""Sizes that were not tested as a table, and each tested size beside what the others predict of it."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.cache.compute import ConfigurationCache
from workbench.answers.cache.figure_sources import cache_source
from workbench.answers.cache.sentences import mb_words, overflow_words
from workbench.answers.cache.sweep import ram_cost_gib
from workbench.answers.cache.untested.predict import Prediction, Tested, Untested
from workbench.answers.cache.untested.sentences import assumed_lines, overflow_prediction
from workbench.answers.cache.untested.shares import Share
from workbench.charts.figure import Source
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.replicates import Mean
from workbench.words.captions import MOST_IN_FOOTER, captioned
from workbench.words.numbers import MISSING, POINTS, fixed, number, signed

PREDICTED, LEFT_OUT = "Any size", "Tested sizes"
_BOUNDS = "of the baseline's writes; bounds from the tested sizes on either side"


def predicted_table(kinds: Sequence[Untested], desktops: float, sizes: Sequence[float] = ()) -> TableData:
    """A row for each of these sizes (none: those worth one): when it overflows, what goes to disk, what is left of the
    writes, what it costs."""
    columns = (
        Column("Cache", numeric=False),
        Column("Size"),
        Column(
            "First overflow",
            "predicted",
            tip="first VM, since the first phase began; mean over the runs with its range",
        ),
        Column("First overflow", "measured", tip="of the sizes that were tested"),
        Column("To disk", "MB/VM, at least", tip="footprint less size, mean over VMs and runs"),
        Column("Highest VM", "MB, at least"),
        Column("Writes left", "%", tip=_BOUNDS),
        Column("at least", "%", tip=_BOUNDS),
        Column("at most", "%", tip=_BOUNDS),
        Column("RAM", f"GiB for {fixed(desktops, 0)}"),
    )
    rows = [_row(kind, seen, desktops) for kind in kinds for seen in kind.over(sorted(sizes) or kind.sizes)]
    estimate = any(kind.bound == "estimate" for kind in kinds)
    star = "*: from the nonpaged pool, which holds more than the cache" * estimate
    lines = [line for kind in kinds for line in assumed_lines(kind)]
    facts = ("Predicted, not measured", "* estimate" * estimate)
    legend, method = captioned(facts, (star, *dict.fromkeys(lines)), MOST_IN_FOOTER)
    return TableData(columns, tuple(rows), legend, PREDICTED, method=method)


def left_out_table(kinds: Sequence[Untested]) -> TableData:
    """A row for each tested size with what was measured and what the other sizes predict."""
    columns = (
        Column("Left out", numeric=False),
        Column("Writes left", "%, measured"),
        Column("Writes left", "%, predicted"),
        Column("off by", POINTS),
        Column("First overflow", "measured"),
        Column("First overflow", "predicted"),
        Column("off by", "s"),
    )
    rows = tuple(_tested_row(tested) for kind in kinds for tested in kind.tested)
    return TableData(columns, rows, "Each size predicted from the others alone", LEFT_OUT)


def basis_source(kind: Untested, how: str) -> Source | None:
    """The RAM used in the runs that a prediction is from."""
    sources = [cache_source(cache, "cache_ram_used_mb_peak", how) for cache in kind.caches if cache.label in kind.basis]
    runs = tuple(run for source in sources if source is not None for run in source.runs)
    first = next((source for source in sources if source is not None), None)
    return None if first is None else Source(runs, "", first.figure, answer=first.answer, how=how)


def _row(kind: Untested, seen: Prediction, desktops: float) -> tuple[Cell, ...]:
    size = mb_words(seen.size_mb)
    measured = next((cache for cache in kind.caches if cache.size_mb == seen.size_mb), None)
    moment = seen.overflow
    estimated = "estimated " * (kind.bound == "estimate" and seen.overflow_runs > 0)
    star = "*" * (kind.bound == "estimate" and seen.spilled_mb is not None)
    filled = basis_source(kind, f"Predicted: when the footprint of the VMs of these runs passes {size}.")
    spilled = basis_source(kind, f"Predicted: what these VMs had written at the end, less {size}.")
    return (
        Cell(kind.name, kind.name),
        Cell(size, seen.size_mb),
        Cell(estimated + overflow_prediction(seen), None if moment is None else moment.value, source=filled),
        Cell(MISSING) if measured is None else _measured(measured),
        _mean(seen.spilled_mb, star, spilled),
        Cell(number(seen.spilled_highest_mb) + star, seen.spilled_highest_mb, source=spilled),
        *_share(seen.writes_left),
        _number(ram_cost_gib(seen.size_mb, desktops)),
    )


def _tested_row(tested: Tested) -> tuple[Cell, ...]:
    seen, error = tested.predicted, tested.writes_error
    share = None if seen is None else seen.writes_left
    return (
        Cell(tested.cache.label, tested.cache.label),
        _percent(tested.writes_left),
        share_cell(share),
        Cell(MISSING if error is None else signed(100 * error, 1), None if error is None else 100 * error),
        _measured(tested.cache),
        Cell(MISSING if seen is None else overflow_prediction(seen)),
        _off_by(tested),
    )


def _measured(cache: ConfigurationCache) -> Cell:
    return Cell(overflow_words(cache), cache.overflow_s, source=cache_source(cache, "overflow_start_s"))


def _off_by(tested: Tested) -> Cell:
    off = tested.overflow_error_s
    if tested.outside_s is not None:
        return Cell(f"{signed(tested.outside_s, 0)} from the bounds", tested.outside_s)
    if tested.outside:
        return Cell("not predicted" if tested.overflow_s is not None else "did not overflow")
    return Cell(MISSING if off is None else signed(off, 0), off)


def share_cell(share: Share | None) -> Cell:
    """A predicted share, or its bounds where there is no more."""
    if share is None:
        return Cell(MISSING)
    if share.value is None:
        return Cell(f"{number(100 * share.low, 2)}–{number(100 * share.high, 2)}")
    return _percent(share.value)


def _share(share: Share | None) -> tuple[Cell, ...]:
    if share is None:
        return (Cell(MISSING),) * 3
    return tuple(_percent(percent) for percent in (share.value, *(share.ends or (None, None))))


def _percent(share: float | None) -> Cell:
    return _number(None if share is None else 100 * share)


def _mean(mean: Mean | None, star: str, source: Source | None) -> Cell:
    if mean is None:
        return Cell(MISSING)
    ends = "" if mean.low is None or mean.high is None else f" [{number(mean.low)}, {number(mean.high)}]"
    return Cell(f"{number(mean.value)}{star}{ends}", mean.value, source=source)


def _number(value: float | None) -> Cell:
    return Cell(number(value), value)
