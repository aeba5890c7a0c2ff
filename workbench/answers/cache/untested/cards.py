"""Answer cards of the chosen size: what is left, when it overflows, what goes to disk, what it costs, and how far the
prediction can be trusted."""

from __future__ import annotations

from workbench.answers.cache.sentences import size_words
from workbench.answers.cache.sweep import ram_cost_gib
from workbench.answers.cache.untested.predict import Prediction, Untested
from workbench.answers.cache.untested.tables import basis_source
from workbench.charts.cards import Card
from workbench.charts.figure import Look
from workbench.measures.replicates import Mean
from workbench.words.numbers import MISSING, POINTS, THIN, duration, fixed, number

_LOOK, _QUIET = Look("accent"), Look("quiet")


def what_if_cards(kind: Untested, size_mb: float, desktops: float) -> tuple[Card, ...]:
    """The cards of one size, tested or not."""
    seen = kind.at(size_mb)
    tag = "tested size" if any(cache.size_mb == size_mb for cache in kind.caches) else "not tested"
    return (
        _writes(kind, seen, tag),
        _overflow(kind, seen),
        _spilled(kind, seen),
        _ram(kind, seen, desktops),
        _trust(kind),
    )


def _writes(kind: Untested, seen: Prediction, tag: str) -> Card:
    title, share = f"Writes left at {size_words(seen.size_mb)}", seen.writes_left
    if share is None:
        return Card(title, _LOOK, MISSING, "", "no baseline without a RAM cache", tag)
    low, high, whose = number(100 * share.low), number(100 * share.high), f"of {kind.shares.baseline}, {tag}"
    if share.value is None:
        return Card(title, _LOOK, f"{low} to {high}", "%", "bounds only", whose)
    note = "one run" if share.ends is None else f"[{low}, {high}]" + ", one run" * share.single
    return Card(title, _LOOK, number(100 * share.value), "%", note, whose)


def _overflow(kind: Untested, seen: Prediction) -> Card:
    title = "First VM overflows"
    if seen.bounds is not None:
        return _open(seen, seen.bounds)
    if seen.overflow is None:
        if seen.overflows is False:
            return Card(title, _LOOK, "none", "", "predicted", f"in {seen.runs} of {seen.runs} runs")
        early = duration(seen.not_before) if seen.not_before is not None and seen.not_before > 0 else None
        return Card(title, _LOOK, MISSING, "", "not known" if early is None else f"not before {early}", "bounds only")
    value, _, unit = duration(seen.overflow.value).partition(THIN)
    note = f"{_ends(seen.overflow)}in {seen.overflow_runs} of {seen.runs} runs"
    first, last = seen.overflow_vms or (None, None)
    source = basis_source(kind, f"Predicted: when the footprint of the VMs of these runs passes {seen.size_mb:.0f} MB.")
    return Card(title, _LOOK, value, unit, note, f"VMs {duration(first)} to {duration(last)}", source)


def _open(seen: Prediction, bounds: tuple[float, float]) -> Card:
    """An overflow at a moment that the readings leave open."""
    early, late = bounds
    value, _, unit = duration(late).partition(THIN)
    # Both in the unit of the later one where they share it.
    start, _, same = duration(early).partition(THIN)
    between = f"{start if same == unit else duration(early)} to {value}" if early > 0 else f"by {value}"
    note = f"bounds only, in {seen.overflow_runs} of {seen.runs} runs"
    return Card("First VM overflows", _LOOK, between, unit, note)


def _spilled(kind: Untested, seen: Prediction) -> Card:
    title = "To disk at least" if kind.bound != "estimate" else "To disk, estimated"
    if seen.spilled_mb is None:
        return Card(title, _LOOK, MISSING, "", "not known", "bounds only")
    ends = seen.spilled_mb.low, seen.spilled_mb.high
    note = "mean over VMs and runs" if None in ends else f"[{number(ends[0])}, {number(ends[1])}] over the runs"
    how = f"Predicted: what these VMs had written at the end, less {seen.size_mb:.0f} MB."
    highest = f"highest VM {number(seen.spilled_highest_mb)}{THIN}MB"
    return Card(title, _LOOK, number(seen.spilled_mb.value), "MB/VM", note, highest, basis_source(kind, how))


def _ram(kind: Untested, seen: Prediction, desktops: float) -> Card:
    total, knee = ram_cost_gib(seen.size_mb, desktops), kind.knee_mb
    detail = "what holds everything is not known"
    if knee is not None:
        detail = f"{number(ram_cost_gib(knee, desktops))}{THIN}GiB hold everything"
    each = f"{size_words(seen.size_mb)} each"
    return Card(f"RAM, {fixed(desktops, 0)} VMs", _LOOK, number(total), "GiB", each, detail)


def _trust(kind: Untested) -> Card:
    """How far off the tested sizes are that the others predict."""
    writes = [abs(100 * each.writes_error) for each in kind.tested if each.writes_error is not None]
    times = [abs(each.overflow_error_s) for each in kind.tested if each.overflow_error_s is not None]
    title = "Tested sizes off by"
    if writes:
        overflow = f"first overflow {duration(max(times))}" if times else ""
        return Card(title, _QUIET, number(max(writes), 2), f"{POINTS} at most", "predicted from the others", overflow)
    if times:
        value, _, unit = duration(max(times)).partition(THIN)
        return Card(title, _QUIET, value, f"{unit} at most", "first overflow", "predicted from the others")
    outside = sum(each.outside for each in kind.tested)
    if outside:
        return Card(title, _QUIET, MISSING, "", f"{outside} of {len(kind.tested)} outside the bounds", "first overflow")
    return Card(title, _QUIET, MISSING, "", "none can be predicted from the others")


def _ends(mean: Mean) -> str:
    return "" if mean.low is None or mean.high is None else f"[{duration(mean.low)}, {duration(mean.high)}] "
