"""Where the numbers of the cache page come from: for each VM the readings of its gauges that a figure rests on.

Names and units are those of `vdiwb cache --format json`. A figure of a run is the mean over its VMs unless its
formula says otherwise; that of one VM is the VM's own. The rates by tier are of one phase, all else of the whole run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.answers.cache.compute import run_dips
from workbench.answers.cache.overflow_dip import BEFORE_S, Dip
from workbench.answers.cache.tier_sources import TIER_FIGURES, explain_tier
from workbench.measures.caches.gauges import MB
from workbench.measures.caches.use import RunCache, run_cache
from workbench.measures.caches.vm_cache import VmCache
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import Reports, TracedUse, UnknownFigureError, of_run, part_words, sources_of
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.source import NO_PHASE, Explanation, SourceRows
from workbench.study.series.trace import Traced, traced
from workbench.study.series.vm_series import Samples

BoolArray = npt.NDArray[np.bool_]
_Value = Callable[[RunCache, VmCache], float | None]
_Places = Callable[[VmCache, Samples], BoolArray]

WHOLE_RUN = "whole run"
_RAM, _SIZE, _DISK = Quantity.CACHE_RAM_USED, Quantity.CACHE_RAM_SIZE, Quantity.CACHE_DISK_USED


class _Way(NamedTuple):
    """How a figure of a VM is formed: in words, of which gauge, its value, and the readings it takes. `over` is
    what a run makes of its VMs; a `reading` adds up from the gauge itself, `unit` being how much of it."""

    formula: str
    gauge: Quantity
    value: _Value
    places: _Places
    over: str = "mean"
    reading: bool = False


def _known(samples: Samples) -> BoolArray:
    known: BoolArray = ~np.isnan(samples.values)
    return known


def _only(samples: Samples, place: int) -> BoolArray:
    chosen = np.zeros(samples.end.size, np.bool_)
    chosen[place : place + 1] = True
    return chosen


def _peak(_vm: VmCache, samples: Samples) -> BoolArray:
    return _only(samples, int(np.nanargmax(samples.values)))


def _end(_vm: VmCache, samples: Samples) -> BoolArray:
    return _only(samples, int(np.flatnonzero(_known(samples))[-1]))


def _at(moment: Callable[[VmCache], float | None]) -> _Places:
    """The reading at a moment of the VM."""

    def places(vm: VmCache, samples: Samples) -> BoolArray:
        at = moment(vm)
        return np.zeros(samples.end.size, np.bool_) if at is None else _only(samples, _place(samples, at))

    return places


def _place(samples: Samples, moment: float) -> int:
    return int(np.searchsorted(samples.end, moment))


def _between(samples: Samples, first: float, last: float) -> BoolArray:
    """The known readings around a stretch: from the last one before it to the first one behind it."""
    places = np.flatnonzero(_known(samples))
    at = samples.end[places]
    low = max(int(np.searchsorted(at, first, side="right")) - 1, 0)
    high = int(np.searchsorted(at, last))
    chosen = np.zeros(samples.end.size, np.bool_)
    chosen[places[low : high + 1]] = True
    return chosen


def _filling(vm: VmCache, samples: Samples) -> BoolArray:
    if vm.filling is None:
        return np.zeros(samples.end.size, np.bool_)
    return _between(samples, vm.filling.start, vm.filling.end)


def _last_window(vm: VmCache, samples: Samples) -> BoolArray:
    window = 0.0 if vm.disk_level is None else vm.disk_level.window_s
    last = float(samples.end[_known(samples)][-1])
    return _between(samples, last - window, last)


def _restarts(vm: VmCache, samples: Samples) -> BoolArray:
    chosen: BoolArray = np.isin(samples.end, vm.emptied)
    return chosen


_LEVEL = (
    "the first reading from which on the growth over 5 minutes (a tenth of the recording where that is shorter) stays "
    "at or below 10 % of the steepest"
)
_WAYS: dict[str, _Way] = {
    "ram_cache_mb": _Way("highest reading of the size ÷ 2^20", _SIZE, lambda _run, vm: vm.size_mb, _peak, reading=True),
    "cache_ram_used_mb_peak": _Way(
        "highest reading over the whole run ÷ 2^20", _RAM, lambda _run, vm: vm.ram_peak_mb, _peak, reading=True
    ),
    "cache_ram_used_mb_end": _Way(
        "last reading of the run ÷ 2^20", _RAM, lambda _run, vm: vm.ram_end_mb, _end, reading=True
    ),
    "cache_ram_used_percent": _Way(
        "100 × highest reading ÷ size of the RAM cache", _RAM, lambda _run, vm: vm.ram_percent, _peak
    ),
    "fill_rate_mb_per_min": _Way(
        "60 × 0.9 × (top − lowest reading) ÷ seconds between 5 % and 95 % of the way from the lowest reading to the "
        "top (the highest reading, or 95 % of the size where that is reached); the crossings lie on the line between "
        "two readings",
        _RAM,
        lambda _run, vm: None if vm.filling is None else vm.filling.rate_mb_per_min,
        _filling,
    ),
    "time_to_full_s": _Way(
        "time of the first reading at 95 % of the size − start of the first phase",
        _RAM,
        lambda _run, vm: vm.time_to_full_s,
        _at(lambda vm: vm.full_at),
    ),
    "overflow_start_s": _Way(
        "time of the first reading at which the cache disk has grown by more than 1 MB from its lowest so far − start "
        "of the first phase",
        _DISK,
        lambda run, vm: run.since_zero(vm.overflow_start),
        _at(lambda vm: vm.overflow_start),
        "first",
    ),
    "cache_disk_used_mb_peak": _Way(
        "highest reading over the whole run ÷ 2^20", _DISK, lambda _run, vm: vm.disk_peak_mb, _peak, reading=True
    ),
    "cache_disk_used_mb_peak_highest": _Way(
        "highest reading over the whole run ÷ 2^20", _DISK, lambda _run, vm: vm.disk_peak_mb, _peak, "highest", True
    ),
    "cache_disk_used_mb_end": _Way(
        "last reading of the run ÷ 2^20", _DISK, lambda _run, vm: vm.disk_end_mb, _end, reading=True
    ),
    "cache_disk_levels_off_s": _Way(
        f"time of {_LEVEL} − start of the first phase",
        _DISK,
        lambda run, vm: None if vm.disk_level is None else run.since_zero(vm.disk_level.at),
        _at(lambda vm: None if vm.disk_level is None else vm.disk_level.at),
    ),
    "cache_disk_levels_off_mb": _Way(
        f"{_LEVEL}, ÷ 2^20",
        _DISK,
        lambda _run, vm: None if vm.disk_level is None else vm.disk_level.mb,
        _at(lambda vm: None if vm.disk_level is None else vm.disk_level.at),
        reading=True,
    ),
    "cache_disk_growth_at_end_mb_per_min": _Way(
        "growth over the last 5 minutes (a tenth of the recording where that is shorter), per minute",
        _DISK,
        lambda _run, vm: None if vm.disk_level is None else vm.disk_level.end_rate_mb_per_min,
        _last_window,
    ),
    "restarts": _Way(
        "how often a reading fell below a fifth of the one before, which was at least 8 MB above the lowest",
        _RAM,
        lambda _run, vm: float(vm.restarts),
        _restarts,
    ),
}
_DIPS = {
    "iops_before": "median of the samples that end in the 5 minutes before the overflow",
    "iops_trough": "the lowest sample from one before the overflow until 10 minutes after it",
    "fall_percent": "100 × (1 − trough ÷ median of the 5 minutes before the overflow)",
}
# What the console and the workbook explain of each run; the figures of dips and tiers are asked for one by one.
CACHE_FIGURES = (*_WAYS, *_DIPS, *TIER_FIGURES)


def explain_cache(
    figures: RunFigures, figure: str, phase: str = "", vm: str = "", reports: Reports | None = None
) -> Explanation:
    """Where a figure of a run, or of one VM of it, comes from; the figures by tier are of a phase.

    Raises UnknownFigureError for a name that is no figure of the cache page.
    """
    if figure in TIER_FIGURES:
        return explain_tier(figures, phase, figure, reports or {})
    if figure not in CACHE_FIGURES:
        raise UnknownFigureError(f"No figure of the cache is called '{figure}'. There are: {', '.join(CACHE_FIGURES)}.")
    cached = run_cache(figures)
    if figure in _DIPS:
        return _dip(cached, figure, vm, reports or {})
    return _explained(cached, figure, vm, reports or {}, {})


def explain_cache_run(figures: RunFigures, phase: str, reports: Reports | None = None) -> Iterator[Explanation]:
    """Every figure that a run with a RAM cache has, each counter being read once; nothing of other runs."""
    cached = run_cache(figures)
    memo: dict[Quantity, dict[str, Traced]] = {}
    for figure in _WAYS if cached.vms else ():
        yield _explained(cached, figure, "", reports or {}, memo)
    for dip in run_dips(cached):
        if isinstance(dip.found, Dip):
            yield from (_dip(cached, figure, dip.vm, reports or {}) for figure in _DIPS)
    for figure in TIER_FIGURES:
        explanation = explain_tier(figures, phase, figure, reports or {})
        if explanation.value is not None:
            yield explanation


def _explained(
    cached: RunCache, figure: str, vm: str, reports: Reports, memo: dict[Quantity, dict[str, Traced]]
) -> Explanation:
    way = _WAYS[figure]
    has = [(vm, value) for vm in cached.vms if (value := way.value(cached, vm)) is not None]
    taken = [(one, value) for one, value in has if one.vm == vm] if vm else _taken(has, way.over)
    by_vm = _gauge(cached, way.gauge, memo)
    sources: list[SourceRows] = []
    # The others that have it stand below the first, or highest, one.
    for one, value in (*taken, *(other for other in has if other not in taken and not vm)):
        if one.vm in by_vm and by_vm[one.vm].samples.end.size:
            share = value / len(taken) if (one, value) in taken else None
            sources += _of_vm(way, one, by_vm[one.vm], share, len(taken), reports)
    if figure in ("ram_cache_mb", "cache_ram_used_percent"):
        sources += _sizes(cached, [vm for vm, _ in taken], reports, memo, figure == "ram_cache_mb")
    value = sum(value for _, value in taken) / len(taken) if taken else None
    # Of a VM that overflowed by its pool alone there is no cache disk to show.
    return _explanation(cached, figure, value, _formula(way, vm), sources, _note(cached, figure, taken, vm))


def _taken(has: Sequence[tuple[VmCache, float]], over: str) -> list[tuple[VmCache, float]]:
    if over == "mean" or not has:
        return list(has)
    return [min(has, key=lambda one: one[1]) if over == "first" else max(has, key=lambda one: one[1])]


def _formula(way: _Way, vm: str) -> str:
    over = {"mean": "mean over VMs of: ", "first": "of the first VM: ", "highest": "of the highest VM: "}[way.over]
    return way.formula if vm else over + way.formula


def _of_vm(
    way: _Way, vm: VmCache, one: Traced, share: float | None, count: int, reports: Reports
) -> tuple[SourceRows, ...]:
    chosen = way.places(vm, one.samples)
    weights = np.where(chosen, 1 / (MB * count), 0.0) if way.reading and share is not None else None
    rows = sources_of([TracedUse(vm.vm, one, chosen, weights, _words(one, chosen))], reports)
    # A figure that is no sum of readings is still what one counter's rows say, where there is only one.
    return rows if way.reading or len(rows) != 1 else (replace(rows[0], contribution=share),)


def _words(one: Traced, chosen: BoolArray) -> str:
    """The gauge with its first and last reading taken: `cache RAM: 27.5 MB at 09:00:10 to 487 MB at 09:13:20`."""
    places = np.flatnonzero(chosen & _known(one.samples))
    name = part_words(one.parts[0].quantity) if one.parts else ""
    if not places.size:
        return name
    ends = dict.fromkeys((int(places[0]), int(places[-1])))
    rate = bool(one.parts) and one.parts[0].quantity not in (_RAM, _SIZE, _DISK, Quantity.POOL_NONPAGED)
    generator = (_reading(one.samples, end, rate) for end in ends)
    return f"{name}: {' to '.join(generator)}"


def _reading(samples: Samples, place: int, rate: bool) -> str:
    at = datetime.fromtimestamp(float(samples.end[place]), UTC)
    value = float(samples.values[place])
    return f"{value:.6g} at {at:%H:%M:%S}" if rate else f"{value / MB:.6g} MB at {at:%H:%M:%S}"


def _gauge(cached: RunCache, quantity: Quantity, memo: dict[Quantity, dict[str, Traced]]) -> dict[str, Traced]:
    if quantity not in memo:
        traceds = traced(cached.run, quantity)
        if not traceds and quantity is _RAM and cached.estimate:
            traceds = traced(cached.run, Quantity.POOL_NONPAGED)
        memo[quantity] = traceds
    return memo[quantity]


def _sizes(
    cached: RunCache, vms: Sequence[VmCache], reports: Reports, memo: dict[Quantity, dict[str, Traced]], own: bool
) -> list[SourceRows]:
    """Where the sizes come from: their counter, which the figure of the size has already (`own`), else run.toml."""
    rows: list[SourceRows] = []
    if not own:
        by_vm = _gauge(cached, _SIZE, memo)
        for vm in vms:
            if vm.size_from == "counter" and vm.vm in by_vm:
                chosen = _peak(vm, by_vm[vm.vm].samples)
                rows += sources_of(
                    [TracedUse(vm.vm, by_vm[vm.vm], chosen, None, _words(by_vm[vm.vm], chosen))], reports
                )
    stated = [vm for vm in vms if vm.size_from == "configuration"]
    guessed = next((guess for guess in cached.run.guesses if guess.field == "ram_cache_mb"), None)
    if stated and guessed is None:
        value = float(cached.run.configuration.ram_cache_mb or 0)
        rows.append(_stated(str(Path(cached.run.folder) / "run.toml"), value if own else None))
    return rows


def _stated(file: str, value: float | None) -> SourceRows:
    return SourceRows(
        file, "ram_cache_mb", None, "", None, None, None, None, 1, 0, None, value, "size of the RAM cache, as stated"
    )


def _note(cached: RunCache, figure: str, taken: Sequence[tuple[VmCache, float]], vm: str) -> str:
    if not taken:
        return "Not available: no VM of this run has it." if not vm else "Not available of this VM."
    notes = []
    guess = next((guesse for guesse in cached.run.guesses if guesse.field == "ram_cache_mb"), None)
    by_size = figure in ("ram_cache_mb", "cache_ram_used_percent", "time_to_full_s", "fill_rate_mb_per_min")
    if by_size and guess is not None and any(vm.size_from == "configuration" for vm, _ in taken):
        notes.append(f"The size of the cache is inferred: {guess.reason}.")
    if any(vm.estimate for vm, _ in taken) and "disk" not in figure:
        notes.append("An estimate from the nonpaged pool, which holds more than the cache.")
    return " ".join(notes)


def _dip(cached: RunCache, figure: str, vm: str, reports: Reports) -> Explanation:
    """Of the VM named, else of the VM that fell deepest."""
    dips = {dip.vm: dip.found for dip in run_dips(cached) if isinstance(dip.found, Dip)}
    name = vm or max(dips, key=lambda one: dips[one].fall_percent, default="")
    if name not in dips:
        return _explanation(cached, figure, None, _DIPS[figure], (), "No dip was found.")
    dip, rates = dips[name], traced(cached.run, Quantity.IOPS)[name]
    value = {"iops_before": dip.before, "iops_trough": dip.trough, "fall_percent": dip.fall_percent}[figure]
    known = _known(rates.samples)
    places = np.flatnonzero(known)
    # As the search does: the sample that ends at the overflow may hold part of the flush already.
    first = max(int(np.searchsorted(rates.samples.end[places], dip.overflow or dip.start)) - 1, 0)
    until = float(rates.samples.end[places[first]])
    before = known & (rates.samples.end >= until - BEFORE_S) & (rates.samples.end < until)
    trough = _only(rates.samples, _place(rates.samples, dip.trough_at))
    weights = trough.astype(np.float64)
    uses = {
        "iops_before": [TracedUse(name, rates, before, None, f"before: {_words(rates, before)}")],
        "iops_trough": [TracedUse(name, rates, trough, weights, f"trough: {_words(rates, trough)}")],
    }
    uses["fall_percent"] = [
        *uses["iops_before"],
        TracedUse(name, rates, trough, None, f"trough: {_words(rates, trough)}"),
    ]
    return _explanation(cached, figure, value, _DIPS[figure], sources_of(uses[figure], reports), f"VM {name}.")


def _explanation(
    cached: RunCache, figure: str, value: float | None, formula: str, sources: Sequence[SourceRows], note: str
) -> Explanation:
    run = cached.run
    firsts = [vm.first for vm in cached.vms if vm.first is not None]
    lasts = [vm.last for vm in cached.vms if vm.last is not None]
    phase = Phase(WHOLE_RUN, min(firsts), max(lasts), "") if firsts and lasts else NO_PHASE
    adds_up = value is not None and bool(sources) and any(source.contribution is not None for source in sources)
    return of_run(run, phase, figure, value, formula, sources, adds_up, note)
