"""Where the rates by tier of the cache sweep come from: the reads and writes of the disks of a tier in a phase."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.answers.cache.sweep import split_of
from workbench.measures.phase_table import RunFigures
from workbench.measures.source_ways import Use, in_phase, seconds_in
from workbench.measures.sources import of_run, sources_of
from workbench.model.metric import Quantity, Tier
from workbench.model.phase import Phase
from workbench.model.recording import FileReport
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
_WORDS = {Quantity.READ_IOPS: "reads", Quantity.WRITE_IOPS: "writes"}


def explain_tier(
    figures: RunFigures, phase: str, figure: str, reports: Mapping[str, FileReport]
) -> Explanation:
    """Where the rate of a tier in a phase comes from; `_per_vm` at the end of its name divides by the VMs."""
    run, row = figures.run, figures.phase(phase)
    if row is None:
        return _explanation(figures, NO_PHASE, figure, None, (), f"The run has no phase '{phase}'.")
    tier, half = _PARTS[figure.removesuffix(PER_VM)]
    divisor = row.phase.duration_s * (float(row.vms or 1) if figure.endswith(PER_VM) else 1.0)
    uses: list[Use] = []
    for quantity in _HALVES[half]:
        by_vm = traced(with_disk_tiers(run), quantity, tier)
        for vm, held in in_phase(by_vm, row.phase).items():
            inside = seconds_in(by_vm[vm].samples, row.phase) > 0
            uses.append(Use(vm, by_vm[vm], inside, held / divisor, _WORDS[quantity]))
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
    return _explanation(
        figures, row.phase, figure, value, uses if value is not None else (), _rule(figures), reports
    )


def _rule(figures: RunFigures) -> str:
    rule = tier_rule(figures.run.configuration)
    return f"Which disk is which tier is a rule, unless its counter says so: {rule}." if rule else ""


def _explanation(
    figures: RunFigures,
    phase: Phase,
    figure: str,
    value: float | None,
    uses: tuple[Use, ...] | list[Use],
    note: str,
    reports: Mapping[str, FileReport] | None = None,
) -> Explanation:
    run = figures.run
    per_vm = " ÷ VMs" if figure.endswith(PER_VM) else ""
    formula = f"sum over VMs and samples of the tier's IOPS × seconds inside the phase ÷ duration{per_vm}"
    sources = sources_of(uses, reports or {})
    return of_run(run, phase, figure, value, formula, sources, bool(sources), note)
