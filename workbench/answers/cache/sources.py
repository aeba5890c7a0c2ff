"""The sources of the numbers on the cache page, and the way back from a number to its runs and machines.

A number of a cache counter leads to the samples that its rule used (`measures.caches.figures`). A number of a dip leads
to the samples that the search used. The rates by tier lead to the reads and writes of the tier's disks in one phase;
all other numbers are of the whole run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.answers.cache.compute import ConfigurationCache, run_dips
from workbench.answers.cache.overflow_dip import DIP_FIGURES, Dip
from workbench.answers.cache.sweep import Split, split_of
from workbench.charts.figure import FigureSource
from workbench.measures.caches.figures import FIGURES, CacheFigure
from workbench.measures.caches.gauges import MB, taken_samples
from workbench.measures.caches.use import RunCache, run_cache
from workbench.measures.caches.vm_cache import VmCache
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.measures.rules import Total
from workbench.measures.sources import Reports, TracedRun, TracedUse, UnknownFigureError, of_run, part_words, sources_of
from workbench.model.metric import Quantity, Tier
from workbench.model.phase import Phase
from workbench.model.recording import FileReport
from workbench.model.source import NO_PHASE, Explanation, SourceRows, stated_source
from workbench.study.series.tiers import tier_rule, with_disk_tiers
from workbench.study.series.trace import Traced
from workbench.words.metrics import phase_words
from workbench.words.numbers import marked

_READS, _WRITES = Quantity.READ_IOPS, Quantity.WRITE_IOPS
_RATES: dict[str, tuple[Tier, tuple[Quantity, ...], Callable[[Split], float | None]]] = {
    "shared_read_iops": (Tier.SHARED, (_READS,), lambda split: split.shared_read),
    "shared_write_iops": (Tier.SHARED, (_WRITES,), lambda split: split.shared_write),
    "shared_iops": (Tier.SHARED, (_READS, _WRITES), lambda split: split.shared),
    "cache_disk_read_iops": (Tier.CACHE_DISK, (_READS,), lambda split: split.cache_read),
    "cache_disk_write_iops": (Tier.CACHE_DISK, (_WRITES,), lambda split: split.cache_write),
    "cache_disk_iops": (Tier.CACHE_DISK, (_READS, _WRITES), lambda split: split.cache_disk),
}
PER_VM = "_per_vm"
TIER_FIGURES = (*_RATES, *(name + PER_VM for name in _RATES))
_FORMULA = (
    "(IOPS of the tier × seconds of the sample within the phase, summed over the samples of all VMs) ÷ phase "
    "duration (s)"
)


def explain_tier(
    figures: RunFigures, phase: str, figure: str, reports: Mapping[str, FileReport], known: dict[Tier, TracedRun]
) -> Explanation:
    """The source of a tier's rate in a phase; a name that ends with `_per_vm` divides by the VMs.

    `known` keeps the samples of each tier of this run for the next figure.
    """
    run, row, per_vm = figures.run, figures.phase(phase), figure.endswith(PER_VM)
    formula = f"{_FORMULA} ÷ measured VMs" if per_vm else _FORMULA
    if row is None:
        return of_run(run, figure, None, formula, note=f"The run has no phase '{phase_words(phase)}'.")
    tier, halves, rate_of = _RATES[figure.removesuffix(PER_VM)]
    rate, seconds = rate_of(split_of(run, row)), row.phase.duration_s
    rule = tier_rule(run)
    note = f"Rule for disks whose counter does not state the tier: {rule}." if rule else ""
    if rate is None:
        return of_run(run, figure, None, formula, note=note, phase=row.phase)
    divisor = seconds * (float(row.vms or 1) if per_vm else 1.0)
    if tier not in known:
        known[tier] = TracedRun(with_disk_tiers(run), tier)
    traced = known[tier]
    rules = [Total(half, (lambda _samples, _vms: divisor,)) for half in halves]
    sources = sources_of((use for total in rules for use in traced.uses(row.phase, total)), reports)
    return of_run(run, figure, rate * seconds / divisor, formula, sources, note, phase=row.phase)


WHOLE_RUN = "whole run"
SIZE_KEY = "ram_cache_mb"
_IN_MB = (Quantity.CACHE_RAM_USED, Quantity.CACHE_RAM_SIZE, Quantity.CACHE_DISK_USED, Quantity.POOL_NONPAGED)
# The figures that the command line and the workbook explain for each run; figures of dips and tiers are explained one
# by one.
CACHE_FIGURES = (*FIGURES, *DIP_FIGURES, *TIER_FIGURES)


def explain_cache(
    figures: RunFigures, figure: str, phase: str = "", vm: str = "", reports: Reports | None = None
) -> Explanation:
    """The source of a figure of a run, or of one VM of it; the figures by tier are of a phase.

    Raises UnknownFigureError if the name is not a figure of the cache page.
    """
    if figure in TIER_FIGURES:
        return explain_tier(figures, phase, figure, reports or {}, {})
    if figure not in CACHE_FIGURES:
        raise UnknownFigureError(f"There is no cache value '{figure}'. Valid names: {', '.join(CACHE_FIGURES)}.")
    run = _CacheSources(run_cache(figures), TracedRun(figures.run), reports or {})
    return run.of_dip(figure, vm) if figure in DIP_FIGURES else run.of_gauges(figure, vm)


def explain_cache_run(figures: RunFigures, phase: str, reports: Reports | None = None) -> Iterator[Explanation]:
    """Every figure of a run with a RAM cache; nothing for other runs. Each counter is read once."""
    run = _CacheSources(run_cache(figures), TracedRun(figures.run), reports or {})
    yield from (run.of_gauges(figure) for figure in (FIGURES if run.cached.vms else ()))
    yield from (run.of_dip(figure, vm) for vm in run.dips() for figure in DIP_FIGURES)
    tiers: dict[Tier, TracedRun] = {}
    for figure in TIER_FIGURES:
        explanation = explain_tier(figures, phase, figure, reports or {}, tiers)
        if explanation.value is not None:
            yield explanation


@dataclass(frozen=True, eq=False)
class _CacheSources:
    """The cache use of a run, and its samples with the rows of the files that hold them."""

    cached: RunCache
    traced: TracedRun
    reports: Reports

    def of_gauges(self, key: str, vm: str = "") -> Explanation:
        """A figure of the run, or of one VM."""
        figure = FIGURES[key]
        having = [one for one in self.cached.vms if key in one.taken and vm in ("", one.vm)]
        counted = having if vm or not having else _counted(figure, key, having)
        # Other VMs with the figure are listed below the first, or highest, one.
        taken = [(key, one, len(counted)) for one in counted]
        taken += [(key, one, 0) for one in having if one not in counted]
        if figure.by_size == "taken" and key != SIZE_KEY:
            taken += [(SIZE_KEY, one, 0) for one in counted]
        uses = (self._use(*one) for one in taken)
        sources = sources_of((use for use in uses if use is not None), self.reports)
        if figure.by_size == "taken":
            sources += self._stated(key, counted)
        value = sum(one.taken[key].value for one in counted) / len(counted) if counted else None
        return self._explanation(key, value, _formula(figure, vm), sources, self._note(key, counted, vm))

    def dips(self) -> dict[str, Dip]:
        """The dips of the run's VMs."""
        return {dip.vm: dip.found for dip in run_dips(self.cached) if isinstance(dip.found, Dip)}

    def of_dip(self, key: str, vm: str) -> Explanation:
        """A figure of the dip of the named VM, otherwise of the VM with the deepest dip."""
        dips, (formula, rule) = self.dips(), DIP_FIGURES[key]
        name = vm or max(dips, key=lambda one: dips[one].fall_percent, default="")
        if name not in dips:
            return self._explanation(key, None, formula, (), "No dip was found.")
        taken, rates = rule(dips[name]), self.traced.traced(Quantity.IOPS)[name]
        uses = []
        for span in taken.spans:
            used = taken_samples(rates.samples, (span,))
            part = "lowest" if span == dips[name].trough_span else "before"
            weights = _weights(used, taken.weight, 1)
            uses.append(TracedUse(name, rates, used, weights, f"{part}: {_words(rates, used)}"))
        return self._explanation(key, taken.value, formula, sources_of(uses, self.reports), f"VM {name}.")

    def _use(self, key: str, vm: VmCache, count: int) -> TracedUse | None:
        """The samples of a VM in a figure that is a mean of `count` VMs; 0 if the VM does not count in the figure."""
        gauge, taken = self.traced.read(FIGURES[key].gauge).get(vm.vm), vm.taken[key]
        if gauge is None:
            return None
        used = taken_samples(gauge.samples, taken.spans)
        weights = _weights(used, taken.weight, count)
        return TracedUse(vm.vm, gauge, used, weights, _words(gauge, used), taken.value / count if count else None)

    def _stated(self, key: str, counted: Sequence[VmCache]) -> tuple[SourceRows, ...]:
        """The line of run.toml with the size, for VMs without a counter of it."""
        stated = [vm.taken[SIZE_KEY].value for vm in counted if vm.size_from == "configuration"]
        if not stated or self._guess():
            return ()
        file, words = str(Path(self.cached.run.folder) / "run.toml"), "size of the RAM cache, as stated for the run"
        return (stated_source(file, None, sum(stated) / len(counted) if key == SIZE_KEY else None, words, SIZE_KEY),)

    def _guess(self) -> str:
        """The reason why the size of the cache is a guess; empty if it is not."""
        return next((guess.reason for guess in self.cached.run.guesses if guess.field == SIZE_KEY), "")

    def _note(self, key: str, counted: Sequence[VmCache], vm: str) -> str:
        if not counted:
            return "Not available: no VM of this run has this value." if not vm else "Not available for this VM."
        notes = []
        if FIGURES[key].by_size and self._guess() and any(one.size_from == "configuration" for one in counted):
            notes.append(f"The cache size was guessed: {self._guess()}.")
        if any(one.estimate for one in counted) and not key.startswith("cache_disk"):
            notes.append("Estimated from the nonpaged pool, which contains more than the cache.")
        return " ".join(notes)

    def _explanation(
        self, key: str, value: float | None, formula: str, sources: Sequence[SourceRows], note: str
    ) -> Explanation:
        firsts = [vm.first for vm in self.cached.vms if vm.first is not None]
        lasts = [vm.last for vm in self.cached.vms if vm.last is not None]
        phase = Phase(WHOLE_RUN, min(firsts), max(lasts), "") if firsts and lasts else NO_PHASE
        return of_run(self.cached.run, key, value, formula, sources, note, phase=phase)


def _counted(figure: CacheFigure, key: str, having: Sequence[VmCache]) -> Sequence[VmCache]:
    """The VMs behind the run's figure."""
    if figure.over == "mean":
        return having
    return [(min if figure.over == "first" else max)(having, key=lambda vm: vm.taken[key].value)]


def _formula(figure: CacheFigure, vm: str) -> str:
    over = {"mean": "mean over VMs", "first": "minimum over VMs", "highest": "maximum over VMs"}
    formula = figure.formula if vm else f"{figure.formula}; {over[figure.over]}"
    return ". ".join(filter(None, (formula, figure.terms)))


def _weights(used: npt.NDArray[np.bool_], weight: float | None, count: int) -> npt.NDArray[np.float64] | None:
    return np.where(used, weight / count, 0.0) if count and weight is not None else None


def _words(gauge: Traced, used: npt.NDArray[np.bool_]) -> str:
    """The counter with its first and last sample: `cache RAM used: from 27.5 MB at 09:00:10 to 487 MB at 09:13`."""
    places = np.flatnonzero(used)
    name = part_words(gauge.parts[0].quantity) if gauge.parts else ""
    ends = dict.fromkeys((int(places[0]), int(places[-1]))) if places.size else ()
    rate = bool(gauge.parts) and gauge.parts[0].quantity not in _IN_MB
    words = " to ".join(_reading(gauge, end, rate) for end in ends)
    return f"{name}: {'from ' * (len(ends) > 1)}{words}" if words else name


def _reading(gauge: Traced, row: int, rate: bool) -> str:
    at = datetime.fromtimestamp(float(gauge.samples.end[row]), UTC)
    value = float(gauge.samples.values[row])
    shown = marked(f"{value:.6g}" if rate else f"{value / MB:.6g}")
    return f"{shown} at {at:%H:%M:%S}" if rate else f"{shown} MB at {at:%H:%M:%S}"


CACHE = "cache"


def cache_source(one: ConfigurationCache, figure: str, how: str = "") -> FigureSource | None:
    """The runs of a configuration with at least one VM that has this cache page value; None if there are none."""
    runs = tuple(run.run.folder for run in one.runs if any(figure in vm.taken for vm in run.vms))
    return FigureSource(runs, "", figure, answer=CACHE, how=how) if runs else None


def highest_disk_source(one: ConfigurationCache, how: str = "") -> FigureSource | None:
    """The run whose VM has the highest cache disk of a configuration."""
    known = [(run, peak) for run in one.runs if (peak := run.highest("cache_disk_used_mb_peak")) is not None]
    if not known:
        return None
    run, _ = max(known, key=lambda found: found[1])
    return FigureSource((run.run.folder,), "", "cache_disk_used_mb_peak_highest", answer=CACHE, how=how)


def vm_cache_source(run: RunCache, vm: VmCache, figure: str) -> FigureSource | None:
    """A figure of one VM of one run; None if the VM does not have it."""
    return FigureSource((run.run.folder,), "", figure, vm=vm.vm, answer=CACHE) if figure in vm.taken else None


def tier_source(group: Group, phase: str, figure: str, value: float | None) -> FigureSource | None:
    """The rate of a tier in a phase over the runs of a configuration; None if nothing was measured."""
    runs = tuple(run.run.folder for run in group.runs if run.phase(phase) is not None)
    return None if value is None else FigureSource(runs, phase, figure, answer=CACHE)
