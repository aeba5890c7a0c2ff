"""Whether the page of a question shows its answer for a run: asked of what the pages themselves show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.answers.logons.compute import logon_figures
from workbench.answers.logons.session_logons import session_logons
from workbench.answers.logons.vsimax import run_vsimax
from workbench.answers.logons.vsimax_models import load_models
from workbench.answers.prepare.questions import Question
from workbench.measures.caches.use import has_ram_cache, run_cache
from workbench.measures.catalogue import MEASURES
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.benchmark import Benchmark
from workbench.model.metric import Quantity

_POOL = "the nonpaged pool holds more than the RAM cache, and does not show whether the cache overflowed"
_ESTIMATED = "the RAM cache is estimated by the nonpaged pool: assumed to be the cache, though it holds more"
_NO_GAUGE = "no counter shows whether the RAM cache overflowed"
_NO_LOGONS = "no file has the beginning and the end of logons"
_NO_RESPONSES = "no file has timer samples of Login VSI, or a load generator's own verdict"


@dataclass(frozen=True, slots=True)
class Shown:
    """Whether a page shows an answer, and in a few words what it lacks: of an answer that it shows, in part. `better`
    is what would show it. `seen`: it rests on something that happened, which holds whatever was not measured."""

    shown: bool
    lacks: str = ""
    better: tuple[Quantity, ...] = ()
    seen: bool = False


def shown_in_phase(question: Question, row: PhaseFigures) -> Shown:
    """The answer to a question that is put to each phase."""
    measures = [MEASURES[key] for key in question.measures]
    missing = [measure for measure in measures if getattr(row, measure.key) is None]
    if not missing:
        return Shown(True)
    words = " and ".join(measure.within for measure in missing)
    return Shown(len(missing) < len(measures), f"no value of {words}")


def shown_of_run(question: str, figures: RunFigures, benchmarks: Sequence[Benchmark] = ()) -> Shown:
    """The answer to a question that is put to the whole run; `benchmarks` are those of its study."""
    return OF_RUN[question](figures, benchmarks)


def _overflow(figures: RunFigures, _benchmarks: Sequence[Benchmark]) -> Shown:
    if not has_ram_cache(figures.run):
        return Shown(False, "no counter shows a RAM cache")
    cache = run_cache(figures)
    unknown = [vm.vm for vm in cache.vms if vm.overflowed is None]
    if cache.overflowed is None:
        estimated = any(vm.estimate for vm in cache.vms)
        return Shown(False, _POOL, (Quantity.CACHE_RAM_USED,)) if estimated else Shown(False, _NO_GAUGE)
    if cache.estimate:
        return Shown(True, _ESTIMATED, (Quantity.CACHE_RAM_USED,), seen=cache.overflowed)
    lacks = f"not known of {len(unknown)} of {len(cache.vms)} VMs" if unknown else ""
    return Shown(True, lacks, seen=cache.overflowed)


def _cache_size(figures: RunFigures, benchmarks: Sequence[Benchmark]) -> Shown:
    overflow, vms = _overflow(figures, benchmarks), run_cache(figures).vms
    if not overflow.shown and any(vm.estimate and vm.ram_peak_mb is not None for vm in vms):
        # The page Cache predicts from the pool, whether or not an overflow is seen in it.
        overflow = Shown(True, _ESTIMATED, (Quantity.CACHE_RAM_USED,))
    if not overflow.shown:
        return overflow
    size = figures.run.configuration.ram_cache_mb or next((vm.size_mb for vm in vms if vm.size_mb), None)
    if size is None:
        return Shown(False, "the size of the RAM cache is not known")
    if all(vm.ram_peak_mb is None for vm in vms):
        return Shown(False, "no counter shows how much RAM the cache uses")
    return overflow


def _logons(figures: RunFigures, _benchmarks: Sequence[Benchmark]) -> Shown:
    logons = logon_figures(figures.run, trends=False)
    if logons is None or logons.spread is None:
        return Shown(False, _NO_LOGONS)
    unknown = logons.counts.not_recorded
    return Shown(True, f"{unknown} of {logons.counts.launched} sessions have no end of their logon" if unknown else "")


def _vsimax(figures: RunFigures, _benchmarks: Sequence[Benchmark]) -> Shown:
    # The model that the page begins with: which model is meant changes the number, not what it needs.
    model = next(iter(load_models(shipped_only=True).values()))
    shown = run_vsimax(figures.run, model, session_logons(figures.run).logons)
    reported = [summary.vsimax for summary in shown.summaries]
    reported += [summary.vsimax for summary in shown.eux_summaries]
    if any(value is not None for value in reported):
        return Shown(True)
    if shown.figures is None:
        return Shown(False, _NO_RESPONSES)
    return Shown(True) if shown.figures.reached is not None else Shown(False, shown.figures.why.rstrip("."))


def _storage_limit(_figures: RunFigures, benchmarks: Sequence[Benchmark]) -> Shown:
    return storage_limit(benchmarks)


def storage_limit(benchmarks: Sequence[Benchmark]) -> Shown:
    """The answer of the results of fio, DiskSpd and the like of a study."""
    measured = any(row.iops is not None for row in benchmarks)
    return Shown(measured, "" if measured else "no results of fio or DiskSpd in the study")


OF_RUN: dict[str, Callable[[RunFigures, Sequence[Benchmark]], Shown]] = {
    "overflow": _overflow,
    "cache-size": _cache_size,
    "logons": _logons,
    "vsimax": _vsimax,
    "storage-limit": _storage_limit,
}
