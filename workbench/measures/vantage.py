"""The same I/O seen from the guest, the host and the array, by tier, and by how much the vantages disagree.

For each phase, vantage and tier: IOPS = sum over machines of the integral of their IOPS / duration of the phase;
MB/s the same over throughput, of 10^6 bytes. "All" is what the vantage's own totals say, else the sum of its tiers.
Disagreement in percent = 100 x (this - guest) / guest, over the machines that both measured; a vantage that
names no machine of the guests' (LUNs of an array, a host's shares) is compared in total. What an array sees is
compared with the guests' I/O to shared storage where that is known. Tiers come from the counters that name one,
else from the rule in `study.tiers`, which is an assumption and marked so. What a RAM cache took is measured only
where a counter says so; no rule stands in for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.metric import Quantity, Side, Tier, Vantage
from workbench.model.phase import Phase
from workbench.model.run import Provisioning, Run
from workbench.model.run_cache import kept_with_run
from workbench.phases.integral import Integral, integrate_all
from workbench.study.series.chosen import kinds
from workbench.study.series.sides import distinct_places, has_sides, side_of_tier, side_words
from workbench.study.series.tiers import at_vantage, has_tiers_by_rule, tier_rule, vantages, with_disk_tiers
from workbench.study.series.vm_series import BySeries, samples_of

MB = 1e6
Basis = Literal["measured", "assumed", "not measured"]

_READ_WRITE = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)
_BYTES = (Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT)
_QUANTITIES = (Quantity.IOPS, *_READ_WRITE, *_BYTES)
_GUESTS = "guest, all tiers"
_ASKED_FOR = "guest, all tiers, above the cache"
_Key = tuple[Vantage, Tier | None]


@dataclass(frozen=True, slots=True)
class TierFigures:
    """What one vantage measured of one tier (None: all tiers) in one phase; None is not available.

    `machines` are the VMs, LUNs or hosts measured. `difference_percent` is against `compared_with` over
    `compared_machines` machines (None: in total). `basis` says whether a counter names the tier or `rule` does;
    `estimate` marks counters that do not say that they are rates. `side` is the side of the write cache that it was
    counted on, as in `study.series.sides`.
    """

    vantage: Vantage
    tier: Tier | None
    machines: int
    iops: float | None = None
    read_iops: float | None = None
    write_iops: float | None = None
    read_mb_per_s: float | None = None
    write_mb_per_s: float | None = None
    measured_percent: float | None = None
    difference_percent: float | None = None
    compared_with: str = ""
    compared_machines: int | None = None
    basis: Basis = "measured"
    rule: str = ""
    estimate: bool = False
    side: str | None = None


@dataclass(frozen=True, eq=False)
class _Seen:
    """The samples of one vantage and tier."""

    vantage: Vantage
    tier: Tier | None
    columns: dict[Quantity, BySeries]
    basis: Basis
    rule: str = ""
    side: str | None = None

    @property
    def estimate(self) -> bool:
        return any(samples.estimate for by_vm in self.columns.values() for samples in by_vm.values())


@kept_with_run
def tiers_of(figures: RunFigures) -> dict[str, tuple[TierFigures, ...]]:
    """For each phase of a run the figures by vantage, from the guest outwards, and tier, all first. A vantage
    or a tier that nothing was measured of has no row, but for the RAM of a run that has a RAM cache: its row
    says that no counter shows what the cache took."""
    run = figures.run
    if _one_vantage_no_tiers(run):
        return {row.phase.name: _from_phase_table(run, row) for row in figures.phases}
    if (whole := _whole_by_table(figures)) is not None:
        tiers = _tiers(run, whole.vantage)
        more = _unmeasured_ram(run, tiers)
        return {row.phase.name: _ordered((whole.of(row), *_rows(tiers, row.phase)), more) for row in figures.phases}
    seen = [seen for vantage in vantages(run) for seen in _seen(run, vantage)]
    more = _unmeasured_ram(run, seen)
    return {row.phase.name: _ordered(_rows(seen, row.phase), more) for row in figures.phases}


@dataclass(frozen=True, slots=True)
class _Table:
    """The one vantage of a run, of which the phase table says what was measured over all tiers."""

    vantage: Vantage
    side: str | None

    def of(self, row: PhaseFigures) -> TierFigures:
        """The figures of a phase, which `_row` would form of the same integrals."""
        extents, seconds = [row.extent(quantity) for quantity in _QUANTITIES], row.phase.duration_s
        longest = max((extent for extent in extents if extent is not None), key=lambda extent: len(extent.vms))
        iops, reads, writes, read_bytes, write_bytes = (
            None if extent is None else extent.total / seconds for extent in extents
        )
        return TierFigures(
            self.vantage,
            None,
            len(longest.vms),
            iops,
            reads,
            writes,
            None if read_bytes is None else read_bytes / MB,
            None if write_bytes is None else write_bytes / MB,
            100 * (longest.covered_s / len(longest.vms) / seconds),
            side=self.side,
        )


def _whole_by_table(figures: RunFigures) -> _Table | None:
    """What is known of the run's one vantage, so that no sample need be read again; None where there are several, where
    one is of no VM or an estimate, and where the phase table lacks a quantity that was logged."""
    run = figures.run
    seen = kinds(run)
    of_io = {kind.quantity for kind in seen if kind.tier is None and kind.quantity in _QUANTITIES}
    whole = len({kind.vantage for kind in seen}) == 1 and all(kind.of_vm and not kind.estimate for kind in seen)
    if not whole or not of_io:
        return None
    of_io |= {Quantity.IOPS} if of_io.issuperset(_READ_WRITE) else set()
    if any(row.extent(quantity) is None for row in figures.phases for quantity in of_io):
        return None
    (vantage,) = {kind.vantage for kind in seen}
    return _Table(vantage, _side_of_all(run, vantage))


def _unmeasured_ram(run: Run, seen: list[_Seen]) -> tuple[TierFigures, ...]:
    if not run.configuration.ram_cache_mb or any(tier.tier is Tier.RAM for tier in seen):
        return ()
    message = "no counter of this run shows what the RAM cache took"
    return (TierFigures(Vantage.GUEST, Tier.RAM, 0, basis="not measured", rule=message),)


def _ordered(rows: tuple[TierFigures, ...], more: tuple[TierFigures, ...]) -> tuple[TierFigures, ...]:
    places = list(Vantage)
    return tuple(sorted((*rows, *more), key=lambda row: places.index(row.vantage))) if rows else ()


def _one_vantage_no_tiers(run: Run) -> bool:
    """Whether the phase table says it all, so that no sample need be read again."""
    if run.configuration.ram_cache_mb or (not _all_shared(run) and has_tiers_by_rule(run)):
        return False
    seen = [kind for kind in kinds(run) if kind.quantity in _QUANTITIES]
    plain = all(kind.tier is None and kind.quantity not in _BYTES for kind in seen)
    return plain and len({kind.vantage for kind in seen}) == 1


def _all_shared(run: Run) -> bool:
    return run.configuration.provisioning is Provisioning.MCS


def _from_phase_table(run: Run, row: PhaseFigures) -> tuple[TierFigures, ...]:
    if row.iops is None or row.vantage is None:
        return ()
    whole = TierFigures(
        Vantage(row.vantage),
        None,
        row.vms or 0,
        row.iops,
        row.read_iops,
        row.write_iops,
        measured_percent=row.measured_percent,
        side=row.side,
    )
    if not _all_shared(run) or whole.vantage is not Vantage.GUEST:
        return (whole,)
    return whole, replace(whole, tier=Tier.SHARED, basis="assumed", rule=tier_rule(run))


def _seen(run: Run, vantage: Vantage) -> list[_Seen]:
    """What a vantage measured: everything, and each tier; named tiers go before the rule's."""
    view = at_vantage(run, vantage)
    whole = _Seen(vantage, None, samples_of(view, _QUANTITIES), "measured", side=_side_of_all(run, vantage))
    known = _tiers(view, vantage)
    if not any(whole.columns.values()):
        whole = _sum_of(known, vantage)
    return [samples for samples in (whole, *known) if any(samples.columns.values())]


def _tiers(view: Run, vantage: Vantage) -> list[_Seen]:
    """The tiers that a vantage measured."""
    tiers = [_of_tier(view, vantage, tier) for tier in Tier]
    return [tier for tier in tiers if any(tier.columns.values())]


def _of_tier(view: Run, vantage: Vantage, tier: Tier) -> _Seen:
    """Each quantity from the counters that name the tier, else from single disks by the rule."""
    named = samples_of(view, _QUANTITIES, tier)
    rates = named[Quantity.IOPS] or named[Quantity.READ_IOPS] or named[Quantity.WRITE_IOPS]
    by_counter = _Seen(vantage, tier, named, "measured", side=side_of_tier(view, vantage, tier, assumed=False))
    if rates or vantage is not Vantage.GUEST:
        return by_counter
    tiered = with_disk_tiers(view)
    if tiered is view:
        return by_counter
    by_rule = samples_of(tiered, _QUANTITIES, tier)
    if not any(by_rule[quantity] for quantity in (Quantity.IOPS, *_READ_WRITE)):
        return by_counter
    # Bytes that a counter names the tier of stand beside I/Os that the rule does.
    columns = by_rule | {quantity: named[quantity] for quantity in _BYTES if named[quantity]}
    return _Seen(vantage, tier, columns, "assumed", tier_rule(view), side_of_tier(view, vantage, tier, assumed=True))


def _sum_of(tiers: list[_Seen], vantage: Vantage) -> _Seen:
    """All tiers together, machine and tier side by side, where the vantage has no total of its own."""
    columns: dict[Quantity, BySeries] = {quantity: {} for quantity in _QUANTITIES}
    for tier in tiers:
        for quantity, by_vm in tier.columns.items():
            columns[quantity] |= {f"{vm} ({tier.tier})": samples for vm, samples in by_vm.items()}
    sides = {tier.side for tier in tiers}
    return _Seen(vantage, None, columns, "measured", "sum of the tiers", sides.pop() if len(sides) == 1 else None)


def _side_of_all(run: Run, vantage: Vantage) -> str | None:
    """The side of a vantage's rates over all tiers, joined where VMs differ."""
    if vantage is not Vantage.GUEST:
        return Side.BELOW if has_sides(run) else None
    seen = (place for quantity in (Quantity.IOPS, *_READ_WRITE) for place in distinct_places(run)[quantity])
    return side_words(place for place in seen if place.vantage is Vantage.GUEST)


def _rows(seen: list[_Seen], phase: Phase) -> tuple[TierFigures, ...]:
    sums = {
        (tier.vantage, tier.tier): {q: integrate_all(by_vm, phase) for q, by_vm in tier.columns.items()}
        for tier in seen
    }
    rates = {key: columns[Quantity.IOPS] for key, columns in sums.items()}
    rows = tuple(
        _row(tier, sums[tier.vantage, tier.tier], rates, phase)
        for tier in seen
        if any(sums[tier.vantage, tier.tier].values())
    )
    asked_for = any((row.vantage, row.tier, row.side) == (Vantage.GUEST, None, Side.ABOVE) for row in rows)
    return tuple(map(_against_asked_for, rows)) if asked_for else rows


def _against_asked_for(row: TierFigures) -> TierFigures:
    """The row; what the guests asked of the cache differs from it by what the cache took, and it says so."""
    return replace(row, compared_with=_ASKED_FOR) if row.compared_with == _GUESTS else row


def _row(
    seen: _Seen, columns: dict[Quantity, dict[str, Integral]], rates: dict[_Key, dict[str, Integral]], phase: Phase
) -> TierFigures:
    seconds = phase.duration_s
    iops, reads, writes, read_bytes, write_bytes = (_over(columns[q].values(), seconds) for q in _QUANTITIES)
    machines = max(len(by_vm) for by_vm in columns.values())
    difference, compared, count = _difference(seen, rates, iops)
    longest = max(columns.values(), key=len)
    measured = sum(integral.covered_s for integral in longest.values()) / len(longest) / seconds
    return TierFigures(
        seen.vantage,
        seen.tier,
        machines,
        iops,
        reads,
        writes,
        None if read_bytes is None else read_bytes / MB,
        None if write_bytes is None else write_bytes / MB,
        100 * measured,
        difference,
        compared,
        count,
        seen.basis,
        seen.rule,
        seen.estimate,
        seen.side,
    )


def _difference(
    seen: _Seen, rates: dict[_Key, dict[str, Integral]], iops: float | None
) -> tuple[float | None, str, int | None]:
    """Percent, what it is compared with, and over how many machines (None: in total)."""
    key = _reference(seen, rates)
    if key is None or iops is None:
        return None, "", None
    # Guests and hosts spell the same machine in different case.
    guest = {vm.casefold(): integral.total for vm, integral in rates[key].items()}
    ours = {vm.casefold(): integral.total for vm, integral in rates[seen.vantage, seen.tier].items()}
    both = guest.keys() & ours.keys()
    mine = sum(ours[vm] for vm in both or ours)
    theirs = sum(guest[vm] for vm in both or guest)
    percent = 100 * (mine - theirs) / theirs if theirs > 0 else None
    return percent, f"guest, {key[1]}" if key[1] else _GUESTS, len(both) or None


def _reference(seen: _Seen, rates: dict[_Key, dict[str, Integral]]) -> _Key | None:
    """What the guests measured of the same: of the same tier; an array as a whole is shared storage."""
    if seen.vantage is Vantage.GUEST:
        return None
    keys: list[_Key] = [(Vantage.GUEST, seen.tier)]
    if seen.vantage is Vantage.ARRAY and seen.tier is None:
        keys.insert(0, (Vantage.GUEST, Tier.SHARED))
    return next((key for key in keys if rates.get(key)), None)


def _over(integrals: Iterable[Integral], seconds: float) -> float | None:
    totals = [integral.total for integral in integrals]
    return sum(totals) / seconds if totals else None
