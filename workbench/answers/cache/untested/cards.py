"""Answer cards of the chosen size: what is left, when it overflows, what goes to disk, what it costs, and how far the
prediction can be trusted."""

from __future__ import annotations

from workbench.answers.cache.compute import ConfigurationCache
from workbench.answers.cache.sentences import mb_words, overflow_words
from workbench.answers.cache.sweep import ram_cost_gib
from workbench.answers.cache.untested.predict import Prediction, Untested
from workbench.answers.cache.untested.tables import basis_source
from workbench.charts.cards import Card
from workbench.charts.figure import Look
from workbench.measures.replicates import Mean
from workbench.words.numbers import MISSING, POINTS, THIN, duration, fixed, number

_LOOK, _QUIET = Look("accent"), Look("quiet")
_FIRST, _ERROR = "First VM overflows", "Error of the predictions"


def what_if_cards(kind: Untested, size_mb: float, desktops: float) -> tuple[Card, ...]:
    """The cards of one size, tested or not."""
    seen = kind.at(size_mb)
    tested = next((cache for cache in kind.caches if cache.size_mb == size_mb), None)
    return (
        _writes(kind, seen, "tested size" if tested else "not tested"),
        _overflow(kind, seen, tested),
        _spilled(kind, seen),
        _ram(kind, seen, desktops),
        _error(kind),
    )


def _writes(kind: Untested, seen: Prediction, tag: str) -> Card:
    title, share = f"Writes left at {mb_words(seen.size_mb)}", seen.writes_left
    if share is None:
        return Card(title, _LOOK, MISSING, "", "no baseline without a RAM cache", tag)
    low, high, whose = number(100 * share.low), number(100 * share.high), f"of {kind.shares.baseline}, {tag}"
    if share.value is None:
        return Card(title, _LOOK, f"{low} to {high}", "%", "bounds only", whose)
    note = "one run" if share.ends is None else f"[{low}, {high}]" + ", one run" * share.single
    return Card(title, _LOOK, number(100 * share.value), "%", note, whose)


def _overflow(kind: Untested, seen: Prediction, tested: ConfigurationCache | None) -> Card:
    measured = "" if tested is None else f"measured: {overflow_words(tested).replace('estimated', 'about')}"
    runs = f"predicted in {seen.overflow_runs or seen.runs} of {seen.runs} runs"
    if seen.bounds is not None:
        return _open(seen.bounds, runs, measured)
    if seen.overflow is None:
        if seen.overflows is False:
            return Card(_FIRST, _LOOK, "none", "", runs, measured)
        early = duration(seen.not_before) if seen.not_before is not None and seen.not_before > 0 else None
        note = "not known" if early is None else f"not before {early}"
        return Card(_FIRST, _LOOK, MISSING, "", note, measured or "bounds only")
    value, _, unit = duration(seen.overflow.value).partition(THIN)
    first, last = seen.overflow_vms or (None, None)
    how = f"Predicted: when the footprint of the VMs of these runs passes {mb_words(seen.size_mb)}."
    every = f"VMs: {duration(first)} to {duration(last)}"
    note = _ends(seen.overflow) or runs
    return Card(_FIRST, _LOOK, value, unit, note, measured or every, basis_source(kind, how))


def _open(bounds: tuple[float, float], runs: str, measured: str) -> Card:
    """An overflow at a moment that the readings leave open."""
    early, late = bounds
    value, _, unit = duration(late).partition(THIN)
    # Both in the unit of the later one where they share it.
    start, _, same = duration(early).partition(THIN)
    between = f"{start if same == unit else duration(early)} to {value}" if early > 0 else f"by {value}"
    return Card(_FIRST, _LOOK, between, unit, f"bounds only, {runs}", measured)


def _spilled(kind: Untested, seen: Prediction) -> Card:
    title = "To disk at least" if kind.bound != "estimate" else "To disk, estimated"
    if seen.overflows is False:
        return Card("To disk", _LOOK, "none", "", "predicted")
    if seen.spilled_mb is None:
        return Card(title, _LOOK, MISSING, "", "not known", "bounds only")
    ends = seen.spilled_mb.low, seen.spilled_mb.high
    note = "mean over VMs and runs" if None in ends else f"[{number(ends[0])}, {number(ends[1])}] over the runs"
    how = f"Predicted: what these VMs had written at the end, less {mb_words(seen.size_mb)}."
    highest = f"highest VM {number(seen.spilled_highest_mb)}{THIN}MB"
    return Card(title, _LOOK, number(seen.spilled_mb.value), "MB/VM", note, highest, basis_source(kind, how))


def _ram(kind: Untested, seen: Prediction, desktops: float) -> Card:
    total = ram_cost_gib(seen.size_mb, desktops)
    base = min((cache for cache in kind.caches if cache.label in kind.basis), key=lambda cache: cache.size_mb or 0.0)
    tested = ram_cost_gib(base.size_mb or 0.0, desktops)
    detail = (
        "tested size" if base.size_mb == seen.size_mb else f"at {mb_words(base.size_mb)}: {number(tested)}{THIN}GiB"
    )
    return Card(f"RAM, {fixed(desktops, 0)} VMs", _LOOK, number(total), "GiB", f"{mb_words(seen.size_mb)} each", detail)


def _error(kind: Untested) -> Card:
    """How far off the tested sizes are that the others predict."""
    if kind.unlike:
        worst = max(kind.unlike, key=lambda tested: abs(tested.outside_s or 0.0))
        value, _, unit = duration(abs(worst.outside_s or 0.0)).partition(THIN)
        note = f"outside the bounds: {worst.cache.label}"
        if worst.outside_s is None:
            value, unit, note = "contradicted", "", f"by {worst.cache.label}"
        return Card(_ERROR, _QUIET, value, unit, note, "not the same workload")
    writes = [abs(100 * size.writes_error) for size in kind.tested if size.writes_error is not None]
    times = [abs(size.overflow_error_s) for size in kind.tested if size.overflow_error_s is not None]
    how = "tested sizes, from the others"
    if writes:
        overflow = f"first overflow: {duration(max(times))} at most" if times else ""
        return Card(_ERROR, _QUIET, number(max(writes), 2), POINTS, f"at most, {how}", overflow)
    if times:
        value, _, unit = duration(max(times)).partition(THIN)
        return Card(_ERROR, _QUIET, value, unit, f"at most, {how}", "first overflow")
    return Card(_ERROR, _QUIET, MISSING, "", "no tested size is predicted", "from the others")


def _ends(mean: Mean) -> str:
    if mean.low is None or mean.high is None:
        return ""
    return f"[{duration(mean.low)}, {duration(mean.high)}]" + ", one run" * (mean.n == 1)
