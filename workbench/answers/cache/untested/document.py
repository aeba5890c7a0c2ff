"""The key `predicted` of `vdiwb cache --format json`: MB are 2^20 bytes, seconds count from the start of the first
phase, null = not available."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.cache.sweep import ram_cost_gib
from workbench.answers.cache.untested.largest import HELD
from workbench.answers.cache.untested.predict import ASSUMED, Prediction, Refused, Tested, Untested
from workbench.answers.cache.untested.shares import Share
from workbench.answers.common.document import Table
from workbench.measures.replicates import Mean


def predicted_row(kind: Untested | Refused, study: str, desktops: float, sizes: Sequence[float] = ()) -> Table:
    """What is predicted of one provisioning and session type, at these sizes (none: those worth a row)."""
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
        "overflows": seen.overflows,
        "overflow_runs": seen.overflow_runs,
        "runs": seen.runs,
        **_mean("overflow_start_s", seen.overflow),
        "overflow_first_vm_s": None if seen.overflow_vms is None else seen.overflow_vms[0],
        "overflow_last_vm_s": None if seen.overflow_vms is None else seen.overflow_vms[1],
        "overflow_not_before_s": seen.not_before,
        "overflow_by_s": None if seen.bounds is None else seen.bounds[1],
        **_mean("spilled_mb_at_least", seen.spilled_mb),
        "spilled_mb_at_least_highest_vm": seen.spilled_highest_mb,
        **_share(seen.writes_left),
        "ram_gib_for_desktops": ram_cost_gib(seen.size_mb, desktops),
    }


def _tested(tested: Tested) -> Table:
    seen, error = tested.predicted, tested.writes_error
    overflow = None if seen is None else seen.overflow
    return {
        "configuration": tested.cache.label,
        "ram_cache_mb": tested.cache.size_mb,
        "overflow_start_s": tested.overflow_s,
        "predicted_overflow_start_s": None if overflow is None else overflow.value,
        "overflow_error_s": tested.overflow_error_s,
        "overflow_outside_bounds": tested.outside,
        "overflow_outside_bounds_by_s": tested.outside_s,
        "writes_left_percent": _percent(tested.writes_left),
        **{f"predicted_{key}": value for key, value in _share(None if seen is None else seen.writes_left).items()},
        "writes_error_points": _percent(error),
    }


def _share(share: Share | None) -> Table:
    low, high = (None, None) if share is None or share.ends is None else share.ends
    return {
        "writes_left_percent": None if share is None else _percent(share.value),
        "writes_left_percent_low": _percent(low),
        "writes_left_percent_high": _percent(high),
    }


def _mean(name: str, mean: Mean | None) -> Table:
    return {name: mean and mean.value, f"{name}_low": mean and mean.low, f"{name}_high": mean and mean.high}


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
