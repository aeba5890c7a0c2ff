"""Where the rates by tier of the cache sweep come from: the reads and writes of the disks of a tier in a phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.answers.cache.sweep import split_of
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import RunFigures
from workbench.measures.rules import Total
from workbench.measures.sources import TracedUse, of_run, sources_of
from workbench.model.metric import Quantity, Tier
from workbench.model.phase import Phase
from workbench.model.recording import FileReport
from workbench.model.run import Run
from workbench.model.source import NO_PHASE, Explanation
from workbench.study.series.tiers import tier_rule, with_disk_tiers
from workbench.study.series.trace import traced

_HALVES = {
    "read": (Quantity.READ_IOPS,),
    "write": (Quantity.WRITE_IOPS,),
    "": (Quantity.READ_IOPS, Quantity.WRITE_IOPS),
}
_PARTS = {
    f"{tier}{'_' * bool(half)}{half}_iops": (of, half)
    for tier, of in (("shared", Tier.SHARED), ("cache_disk", Tier.CACHE_DISK))
    for half in _HALVES
}
PER_VM = "_per_vm"
TIER_FIGURES = (*_PARTS, *(name + PER_VM for name in _PARTS))


def explain_tier(figures: RunFigures, phase: str, figure: str, reports: Mapping[str, FileReport]) -> Explanation:
    """Where the rate of a tier in a phase comes from; `_per_vm` at the end of its name divides by the VMs."""
    run, row = figures.run, figures.phase(phase)
    if row is None:
        return _explanation(figures, NO_PHASE, figure, None, (), f"The run has no phase '{phase}'.")
    tier, half = _PARTS[figure.removesuffix(PER_VM)]
    divisor = row.phase.duration_s * (float(row.vms or 1) if figure.endswith(PER_VM) else 1.0)
    uses = [use for quantity in _HALVES[half] for use in _uses(run, row.phase, quantity, tier, divisor)]
    split = split_of(run, row)
    known = {
        (Tier.SHARED, "read"): split.shared_read,
        (Tier.SHARED, "write"): split.shared_write,
        (Tier.SHARED, ""): split.shared,
        (Tier.CACHE_DISK, "read"): split.cache_read,
        (Tier.CACHE_DISK, "write"): split.cache_write,
        (Tier.CACHE_DISK, ""): split.cache_disk,
    }[tier, half]
    value = None if known is None else known * row.phase.duration_s / divisor
    return _explanation(figures, row.phase, figure, value, uses if value is not None else (), _rule(figures), reports)


def _uses(run: Run, phase: Phase, quantity: Quantity, tier: Tier, divisor: float) -> list[TracedUse]:
    """The samples of the tier's disks, weighted by their seconds inside the phase / `divisor`."""
    by_vm = traced(with_disk_tiers(run), quantity, tier)
    samples = PhaseSamples(RunSamples(run, lambda _: {vm: samples.samples for vm, samples in by_vm.items()}), phase)
    uses = Total(quantity, (lambda _samples, _vms: divisor,)).uses(samples)
    return [TracedUse(use.vm, by_vm[use.vm], use.used, use.weights) for use in uses]


def _rule(figures: RunFigures) -> str:
    rule = tier_rule(figures.run.configuration)
    return f"Which disk is which tier is a rule, unless its counter says so: {rule}." if rule else ""


def _explanation(
    figures: RunFigures,
    phase: Phase,
    figure: str,
    value: float | None,
    uses: Sequence[TracedUse],
    note: str,
    reports: Mapping[str, FileReport] | None = None,
) -> Explanation:
    run = figures.run
    per_vm = " ÷ VMs" if figure.endswith(PER_VM) else ""
    formula = f"sum over VMs and samples of the tier's IOPS × seconds inside the phase ÷ duration{per_vm}"
    sources = sources_of(uses, reports or {})
    return of_run(run, phase, figure, value, formula, sources, bool(sources), note)
