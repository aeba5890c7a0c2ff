"""The tables of sizes that were not tested, and the key `predicted` of `vdiwb cache --format json`.

One table compares each tested size with its prediction from the others. MB are 2^20 bytes, seconds count from the start
of the first phase, null = not available.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.cache.compute import ConfigurationCache
from workbench.answers.cache.sentences import mb_words, overflow_words
from workbench.answers.cache.sources import cache_source
from workbench.answers.cache.sweep import ram_cost_gib
from workbench.answers.cache.untested.footprint import HELD
from workbench.answers.cache.untested.predict import ASSUMED, HeldOutSize, Prediction, Refused, Untested
from workbench.answers.cache.untested.sentences import assumed_lines, overflow_prediction
from workbench.answers.cache.untested.shares import Share
from workbench.answers.common.document import Table, attributes
from workbench.charts.figure import FigureSource
from workbench.charts.tables import Cell, Column, RowField, TableData, number_field, table_of, text_field
from workbench.measures.configurations import Mean
from workbench.words.captions import MOST_IN_FOOTER, captioned
from workbench.words.numbers import MISSING, POINTS, bracketed, number, plural, signed

PREDICTED, LEFT_OUT = "Predictions by cache size", "Tested sizes"
_REMAINING = "Share of writes that the cache does not absorb\nwrite IOPS ÷ write IOPS of the baseline"
_LOWER = "Lower bound of the remaining writes, from the larger tested sizes"
_UPPER = "Upper bound of the remaining writes, from the smaller tested sizes"


def predicted_table(kinds: Sequence[Untested], desktops: float, sizes: Sequence[float] = ()) -> TableData:
    """A row for each of these sizes (none: the useful ones): when it overflows, what goes to disk, which writes are
    left, its cost."""
    columns = (
        Column("Cache", numeric=False),
        Column("Size"),
        Column(
            "First overflow",
            "predicted",
            tip="Time from the start of the first phase to the first cache overflow. Mean and range over the runs",
        ),
        Column("First overflow", "measured", tip="Measured time to the first cache overflow. Only for tested sizes"),
        Column(
            "Cache disk use", "MB/VM, at least", tip="Predicted cache need minus cache size. Mean over VMs and runs"
        ),
        Column("Peak cache disk use of a VM", "MB, at least"),
        Column("Remaining writes", "% of baseline", tip=_REMAINING),
        Column("Remaining writes", "% of baseline, lower bound", tip=_LOWER),
        Column("Remaining writes", "% of baseline, upper bound", tip=_UPPER),
        Column("RAM", f"GB for {plural(desktops, 'VM')}"),
    )
    rows = [_row(kind, seen, desktops) for kind in kinds for seen in kind.over(sorted(sizes) or kind.sizes)]
    estimate = any(kind.bound == "estimate" for kind in kinds)
    star = "Estimates are upper bounds: the nonpaged pool contains more than the cache" * estimate
    lines = [line for kind in kinds for line in assumed_lines(kind)]
    facts = ("These values are predicted, not measured", "*: mean of estimated use" * estimate)
    legend, method = captioned(facts, (star, *dict.fromkeys(lines)), MOST_IN_FOOTER)
    return TableData(columns, tuple(rows), legend, PREDICTED, method=method)


_TESTED: tuple[RowField[HeldOutSize], ...] = (
    text_field("Tested size", lambda row: row.cache.label),
    number_field("Remaining writes", lambda row: _percent(row.writes_left), unit="% of baseline, measured"),
    number_field("Remaining writes", lambda row: _predicted_share(row.predicted), unit="% of baseline, predicted"),
    number_field(
        "Remaining writes",
        lambda row: _in_percent(row.writes_error),
        unit=f"error, {POINTS}",
        text=lambda value: signed(value, 1),
    ),
    number_field("First overflow", lambda row: _measured(row.cache), unit="measured"),
    number_field("First overflow", lambda row: _predicted(row.predicted), unit="predicted"),
    number_field("First overflow", lambda row: _off_by(row), unit="error, s"),
)


def left_out_table(kinds: Sequence[Untested]) -> TableData:
    """A row for each tested size: the measured values, and its prediction from the other sizes."""
    rows = [tested for kind in kinds for tested in kind.tested]
    return table_of(_TESTED, rows, legend="Predictions use runs with other cache sizes", name=LEFT_OUT)


def _predicted(seen: Prediction | None) -> Cell:
    return Cell(MISSING if seen is None else overflow_prediction(seen))


def _predicted_share(seen: Prediction | None) -> Cell:
    return share_cell(None if seen is None else seen.writes_left)


def basis_source(kind: Untested, how: str) -> FigureSource | None:
    """The RAM used in the runs behind a prediction."""
    sources = [cache_source(cache, "cache_ram_used_mb_peak", how) for cache in kind.caches if cache.label in kind.basis]
    runs = tuple(run for source in sources if source is not None for run in source.runs)
    first = next((source for source in sources if source is not None), None)
    return None if first is None else FigureSource(runs, "", first.figure, answer=first.answer, how=how)


def _row(kind: Untested, seen: Prediction, desktops: float) -> tuple[Cell, ...]:
    size = mb_words(seen.size_mb)
    measured = next((cache for cache in kind.caches if cache.size_mb == seen.size_mb), None)
    moment = seen.overflow
    estimated = "estimated " * (kind.bound == "estimate" and seen.overflow_runs > 0)
    star = "*" * (kind.bound == "estimate" and seen.spilled_mb is not None)
    filled = basis_source(kind, f"Predicted time when the cache footprint of the VMs exceeds {size}.")
    spilled = basis_source(kind, f"Predicted cache footprint of the VMs at the end of the run, minus {size}.")
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


def _measured(cache: ConfigurationCache) -> Cell:
    return Cell(overflow_words(cache), cache.overflow_s, source=cache_source(cache, "overflow_start_s"))


def _off_by(tested: HeldOutSize) -> Cell:
    off = tested.overflow_error_s
    if tested.outside_s is not None:
        return Cell(f"{signed(tested.outside_s, 0)} (outside the bounds)", tested.outside_s)
    if tested.outside:
        return Cell("not predicted" if tested.overflow_s is not None else "did not overflow")
    return Cell(MISSING if off is None else signed(off, 0), off)


def share_cell(share: Share | None) -> Cell:
    """A predicted share, or only its bounds if the value is unknown."""
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


def _mean(mean: Mean | None, star: str, source: FigureSource | None) -> Cell:
    if mean is None:
        return Cell(MISSING)
    ends = "" if mean.low is None or mean.high is None else f" {bracketed(number(mean.low), number(mean.high))}"
    return Cell(f"{number(mean.value)}{star}{ends}", mean.value, source=source)


def _number(value: float | None) -> Cell:
    return Cell(number(value), value)


def predicted_row(kind: Untested | Refused, study: str, desktops: float, sizes: Sequence[float] = ()) -> Table:
    """The predictions of one provisioning and session type at these sizes (none: the useful ones)."""
    if isinstance(kind, Refused):
        return {"study": study, "cache": kind.name, "refused": kind.reason}
    low, high = kind.fill.shares
    return {
        "study": study,
        "cache": kind.name,
        "refused": None,
        "provisioning": kind.kind[0].value,
        "session_type": kind.kind[1].value,
        "footprint_from": list(kind.basis),
        "footprint": kind.bound,
        "runs": len(kind.runs),
        "vms": sum(len(run.vms) for run in kind.runs),
        "restarted_vms_left_out": kind.restarted,
        "vms_seen_in_part": sum(kind.parts.values()),
        "filled_share_low": low,
        "filled_share_high": high,
        "filled_share_origin": "measured" if kind.fill.measured else "assumed",
        "assumed": list(ASSUMED),
        "same_workload_contradicted_by": [tested.cache.label for tested in kind.unlike],
        "no_vm_needs_more_than_mb": kind.bound_mb(desktops),
        "no_vm_needs_more_than_for_vms": desktops,
        "no_vm_needs_more_than_held_percent": 100 * HELD,
        "largest_measured_vm_mb": kind.knee_mb,
        "no_vm_needs_more_than_mb_lowest_run": None if kind.knee_mb is None else min(kind.knees_mb),
        "some_vm_overflows_below_mb": kind.overflows_below_mb,
        "writes_baseline": kind.shares.baseline,
        "baseline_evidence": kind.shares.baseline_by,
        "curve": kind.curve,
        "tested": [_tested(tested) for tested in kind.tested],
        "sizes": [_size(seen, desktops) for seen in kind.over(sizes or kind.sizes)],
    }


def _size(seen: Prediction, desktops: float) -> Table:
    return {
        "ram_cache_mb": seen.size_mb,
        **attributes(seen, "overflows", "overflow_runs", "runs"),
        **_mean_keys("overflow_start_s", seen.overflow),
        "overflow_first_vm_s": None if seen.overflow_vms is None else seen.overflow_vms[0],
        "overflow_last_vm_s": None if seen.overflow_vms is None else seen.overflow_vms[1],
        "overflow_not_before_s": seen.not_before,
        "overflow_by_s": None if seen.bounds is None else seen.bounds[1],
        **_mean_keys("spilled_mb_at_least", seen.spilled_mb),
        "spilled_mb_at_least_highest_vm": seen.spilled_highest_mb,
        **_share_keys(seen.writes_left),
        "ram_gib_for_desktops": ram_cost_gib(seen.size_mb, desktops),
    }


def _tested(tested: HeldOutSize) -> Table:
    seen, error = tested.predicted, tested.writes_error
    overflow = None if seen is None else seen.overflow
    return {
        "configuration": tested.cache.label,
        "ram_cache_mb": tested.cache.size_mb,
        "overflow_start_s": tested.overflow_s,
        **attributes(overflow, predicted_overflow_start_s="value"),
        "overflow_error_s": tested.overflow_error_s,
        **attributes(tested, overflow_outside_bounds="outside", overflow_outside_bounds_by_s="outside_s"),
        "writes_left_percent": _in_percent(tested.writes_left),
        **{f"predicted_{key}": value for key, value in _share_keys(None if seen is None else seen.writes_left).items()},
        "writes_error_points": _in_percent(error),
    }


def _share_keys(share: Share | None) -> Table:
    low, high = (None, None) if share is None or share.ends is None else share.ends
    return {
        "writes_left_percent": None if share is None else _in_percent(share.value),
        "writes_left_percent_low": _in_percent(low),
        "writes_left_percent_high": _in_percent(high),
    }


def _mean_keys(name: str, mean: Mean | None) -> Table:
    return {name: mean and mean.value, f"{name}_low": mean and mean.low, f"{name}_high": mean and mean.high}


def _in_percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
