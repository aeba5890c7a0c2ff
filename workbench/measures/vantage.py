"""The I/O measured in the guest, on the host and on the array, by tier, and how much the measuring points disagree.

For each phase, measuring point and tier: IOPS = sum over machines of the integral of their IOPS / duration of the
phase; MB/s likewise from throughput, in 10^6 bytes. "All" is the total that the measuring point reports, otherwise the
sum of its tiers. Disagreement in percent = 100 x (this - guest) / guest, over the machines that both measured. If a
measuring point has no machine of the guests (LUNs of an array, shares of a host), the totals are compared. An array is
compared with the guests' I/O to shared storage if that is known. Tiers come from counters that name one, otherwise from
the rule in `study.series.tiers`, which is an assumption and marked as such. Only counters measure the I/O that a RAM
cache took; no rule can replace them.
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
    """The values of one measuring point for one tier (None: all tiers) in one phase; None if not available.

    `machines` counts the VMs, LUNs or hosts measured. `difference_percent` is relative to `compared_with` over
    `compared_machines` machines (None: in total). `basis` says if a counter or `rule` determines the tier. `estimate`
    marks counters that do not say that they are rates. `side` is the side of the write cache, as in
    `study.series.sides`.
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
    """The samples of one measuring point and tier."""

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
    """The values of each phase of a run by measuring point (from the guest outwards) and tier, all tiers first.

    A measuring point or tier without measurements has no row. Exception: the RAM of a run with a RAM cache has a row
    that says that no counter shows the I/O that the cache took.
    """
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
    """The only measuring point of a run, whose values over all tiers are in the phase table."""

    vantage: Vantage
    side: str | None

    def of(self, row: PhaseFigures) -> TierFigures:
        """The values of a phase, equal to the result of `_row` from the same integrals."""
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
    """The only measuring point of the run, so no samples need to be read again. None if there are several, if one of
    its counters is not from a VM or is an estimate, or if the phase table lacks a recorded quantity."""
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
    message = "no counter of this run shows how much I/O the RAM cache absorbed"
    return (TierFigures(Vantage.GUEST, Tier.RAM, 0, basis="not measured", rule=message),)


def _ordered(rows: tuple[TierFigures, ...], more: tuple[TierFigures, ...]) -> tuple[TierFigures, ...]:
    places = list(Vantage)
    return tuple(sorted((*rows, *more), key=lambda row: places.index(row.vantage))) if rows else ()


def _one_vantage_no_tiers(run: Run) -> bool:
    """True if the phase table has all values, so no samples need to be read again."""
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
    """The samples of a measuring point: all tiers, and each tier. Counters that name a tier take precedence over the
    rule."""
    view = at_vantage(run, vantage)
    whole = _Seen(vantage, None, samples_of(view, _QUANTITIES), "measured", side=_side_of_all(run, vantage))
    known = _tiers(view, vantage)
    if not any(whole.columns.values()):
        whole = _sum_of(known, vantage)
    return [samples for samples in (whole, *known) if any(samples.columns.values())]


def _tiers(view: Run, vantage: Vantage) -> list[_Seen]:
    """The samples of a measuring point by tier, for tiers that have any."""
    tiers = [_of_tier(view, vantage, tier) for tier in Tier]
    return [tier for tier in tiers if any(tier.columns.values())]


def _of_tier(view: Run, vantage: Vantage, tier: Tier) -> _Seen:
    """Each quantity from counters that name the tier, otherwise from single disks by the rule."""
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
    # Bytes with a tier from a counter, combined with I/Os with a tier from the rule.
    columns = by_rule | {quantity: named[quantity] for quantity in _BYTES if named[quantity]}
    return _Seen(vantage, tier, columns, "assumed", tier_rule(view), side_of_tier(view, vantage, tier, assumed=True))


def _sum_of(tiers: list[_Seen], vantage: Vantage) -> _Seen:
    """The samples of all tiers together, one entry per machine and tier, if the measuring point has no total."""
    columns: dict[Quantity, BySeries] = {quantity: {} for quantity in _QUANTITIES}
    for tier in tiers:
        for quantity, by_vm in tier.columns.items():
            of_tier = {f"{vm} ({tier.tier})": samples for vm, samples in by_vm.items()}
            columns[quantity] = {**columns[quantity], **of_tier}
    sides = {tier.side for tier in tiers}
    return _Seen(vantage, None, columns, "measured", "sum of the tiers", sides.pop() if len(sides) == 1 else None)


def _side_of_all(run: Run, vantage: Vantage) -> str | None:
    """The cache side of a measuring point's rates over all tiers, joined if VMs differ."""
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
    """The row, marked as compared with the requests to the cache: the difference is the I/O that the cache took."""
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
    """The difference in percent, its reference, and the number of machines compared (None: in total)."""
    key = _reference(seen, rates)
    if key is None or iops is None:
        return None, "", None
    # Guests and hosts may write a machine name in different case.
    guest = {vm.casefold(): integral.total for vm, integral in rates[key].items()}
    ours = {vm.casefold(): integral.total for vm, integral in rates[seen.vantage, seen.tier].items()}
    both = guest.keys() & ours.keys()
    mine = sum(ours[vm] for vm in both or ours)
    theirs = sum(guest[vm] for vm in both or guest)
    percent = 100 * (mine - theirs) / theirs if theirs > 0 else None
    return percent, f"guest, {key[1]}" if key[1] else _GUESTS, len(both) or None


def _reference(seen: _Seen, rates: dict[_Key, dict[str, Integral]]) -> _Key | None:
    """The guest rates to compare with: those of this tier, but shared storage for an array as a whole."""
    if seen.vantage is Vantage.GUEST:
        return None
    keys: list[_Key] = [(Vantage.GUEST, seen.tier)]
    if seen.vantage is Vantage.ARRAY and seen.tier is None:
        keys.insert(0, (Vantage.GUEST, Tier.SHARED))
    return next((key for key in keys if rates.get(key)), None)


def _over(integrals: Iterable[Integral], seconds: float) -> float | None:
    totals = [integral.total for integral in integrals]
    return sum(totals) / seconds if totals else None
