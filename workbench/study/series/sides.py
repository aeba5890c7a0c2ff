"""The side of a write cache that each VM's storage counters measure: above it the requested I/O, below it the I/O that
reached disks.

MCSIO and PVS put a driver into the desktop. Its RAM takes I/O that no disk then gets. The evidence for the side:

- Host and array are outside the desktop, so they are below the cache.
- `guest_counters` of run.toml decides for the disk counters of the guests.
- Counters of the driver that name a tier, and single disks that the rule of `study.series.tiers` assigns to the cache
disk, are below. The rule is an assumption about how desktops are built.
- For PVS, the disk with C: alone is above, because that disk belongs to the driver, not to storage.

The disk with C: of an MCSIO desktop, `_Total` and the sum of several disks do not show the side: the position of
MCSIO's driver in the storage stack of Windows is not documented. MCS without a cache has no sides: all requested I/O
reached the disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from workbench.model.metric import Quantity, Side, Tier, Vantage
from workbench.model.recording import Series
from workbench.model.run import Provisioning, Run
from workbench.model.run_cache import kept_with_run
from workbench.study.series.chosen import Parts, chosen_parts, spellings
from workbench.study.series.tiers import is_system_disk, tier_of_disk

# The quantities of storage I/O that metrics use.
STORAGE_IO = (
    Quantity.IOPS,
    Quantity.READ_IOPS,
    Quantity.WRITE_IOPS,
    Quantity.LATENCY,
    Quantity.READ_LATENCY,
    Quantity.WRITE_LATENCY,
)
_UNKNOWN = "unknown"


class CacheSide(NamedTuple):
    """The place where the I/O of a VM was counted. `side` is None if there is no cache, or if the side is unknown."""

    vantage: Vantage
    side: Side | None


def places(run: Run) -> Mapping[Quantity, Mapping[str, CacheSide]]:
    """Returns, for each quantity of storage I/O and VM (its name in lower case), where the counters of its metrics were
    measured. Reads no sample."""
    chosen = chosen_parts(run, STORAGE_IO)
    of_all = {quantity: _places(run, chosen.whole[quantity]) for quantity in STORAGE_IO}
    for halves in chosen.halves.values():
        of_all[Quantity.IOPS] |= _places(run, halves)
    return of_all


@kept_with_run
def distinct_places(run: Run) -> Mapping[Quantity, frozenset[CacheSide]]:
    """Returns the distinct places at which the VMs of a run were measured; there are few even with many VMs."""
    return {quantity: frozenset(by_vm.values()) for quantity, by_vm in places(run).items()}


def side_words(seen: Iterable[CacheSide]) -> str | None:
    """Returns `above-cache`, `below-cache`, or several joined by ` + `; None if no side is known."""
    sides = {place.side for place in seen}
    return " + ".join(sorted(side or _UNKNOWN for side in sides)) if sides - {None} else None


def mixed_vms(run: Run) -> tuple[list[str], list[str]]:
    """Returns the VMs whose IOPS were counted above the cache, and the others; both empty unless there are both."""
    if len({place.side for place in distinct_places(run)[Quantity.IOPS]}) < 2:
        return [], []
    by_vm, names = places(run)[Quantity.IOPS], spellings(run)
    above = sorted(names[vm] for vm, place in by_vm.items() if place.side is Side.ABOVE)
    others = sorted(names[vm] for vm, place in by_vm.items() if place.side is not Side.ABOVE)
    return (above, others) if above and others else ([], [])


def side_of_tier(run: Run, vantage: Vantage, tier: Tier, *, assumed: bool) -> Side | None:
    """Returns the side on which the I/O of a tier was counted. `assumed`: the rule of `study.series.tiers` gives the
    tier."""
    if not has_sides(run) or tier is Tier.RAM:
        return None
    # The rule assumes that C: shows the I/O of shared storage; no counter confirms it.
    if assumed and vantage is Vantage.GUEST and tier is Tier.SHARED:
        return run.guest_counters
    return Side.BELOW


def has_sides(run: Run) -> bool:
    """True if a driver in the desktop may keep I/O from its disks."""
    kind = run.configuration.provisioning
    return kind in (Provisioning.MCSIO, Provisioning.PVS) or (kind is Provisioning.OTHER and bool(run.guest_counters))


def _places(run: Run, parts: Parts) -> dict[str, CacheSide]:
    # The desktops of a run mostly have the same disks.
    known: dict[tuple[object, ...], CacheSide] = {}
    by_vm: dict[str, CacheSide] = {}
    for vm, of_vm in parts.items():
        metric = of_vm[0].series.metric
        assert metric is not None
        disks = (metric.vantage, *[(part.series.object, part.series.instance) for part in of_vm])
        if disks not in known:
            known[disks] = _place(run, [part.series for part in of_vm])
        by_vm[vm] = known[disks]
    return by_vm


def _place(run: Run, counters: Sequence[Series]) -> CacheSide:
    metric = counters[0].metric
    assert metric is not None
    if not has_sides(run):
        return CacheSide(metric.vantage, None)
    if metric.vantage is not Vantage.GUEST:
        return CacheSide(metric.vantage, Side.BELOW)
    if run.guest_counters:
        return CacheSide(metric.vantage, run.guest_counters)
    of_disks = {_side_of_disk(run, counter) for counter in counters}
    return CacheSide(metric.vantage, of_disks.pop() if len(of_disks) == 1 else None)


def _side_of_disk(run: Run, counter: Series) -> Side | None:
    if tier_of_disk(run.configuration, counter) is Tier.CACHE_DISK:
        return Side.BELOW
    streamed = run.configuration.provisioning is Provisioning.PVS and is_system_disk(counter)
    return Side.ABOVE if streamed else None
