"""Where the rates by tier of the cache sweep come from: the reads and writes of the disks of a tier in a phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workbench.answers.cache.sweep import Split, split_of
from workbench.measures.phase_table import RunFigures
from workbench.measures.rules import Total
from workbench.measures.sources import TracedRun, of_run, sources_of
from workbench.model.metric import Quantity, Tier
from workbench.model.recording import FileReport
from workbench.model.source import Explanation
from workbench.study.series.tiers import tier_rule, with_disk_tiers

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
_FORMULA = "sum over VMs and samples of the tier's IOPS × seconds inside the phase ÷ duration"


def explain_tier(
    figures: RunFigures, phase: str, figure: str, reports: Mapping[str, FileReport], known: dict[Tier, TracedRun]
) -> Explanation:
    """Where the rate of a tier in a phase comes from; `_per_vm` at the end of its name divides by the VMs.

    `known` keeps the samples of each tier of this run for its next figure.
    """
    run, row, per_vm = figures.run, figures.phase(phase), figure.endswith(PER_VM)
    formula = f"{_FORMULA} ÷ VMs" if per_vm else _FORMULA
    if row is None:
        return of_run(run, figure, None, formula, note=f"The run has no phase '{phase}'.")
    tier, halves, rate_of = _RATES[figure.removesuffix(PER_VM)]
    rate, seconds = rate_of(split_of(run, row)), row.phase.duration_s
    rule = tier_rule(run)
    note = f"Which disk is which tier is a rule, unless its counter says so: {rule}." if rule else ""
    if rate is None:
        return of_run(run, figure, None, formula, note=note, phase=row.phase)
    divisor = seconds * (float(row.vms or 1) if per_vm else 1.0)
    if tier not in known:
        known[tier] = TracedRun(with_disk_tiers(run), tier)
    traced = known[tier]
    rules = [Total(half, (lambda _samples, _vms: divisor,)) for half in halves]
    sources = sources_of((use for total in rules for use in traced.uses(row.phase, total)), reports)
    return of_run(run, figure, rate * seconds / divisor, formula, sources, note, phase=row.phase)
