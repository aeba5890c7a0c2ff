"""The tier of counters that do not name it, and a run as measured at one vantage.

The counters of the write cache's driver and of SMB shares name their tier. For a guest's single disks the rule below
gives it. The rule is an assumption about how desktops are built, and all results that use it say so:

- MCS without a cache: every disk is on shared storage.
- MCSIO: the disk with C: is on shared storage, every other disk is the temporary cache disk.
- PVS with its write cache on a disk of the device: every disk except the one with C: is the cache disk. The
Provisioning server streams C:, which is not a disk of shared storage.

If run.toml states that the guests' counters measure the I/O above the cache, those of C: do not show shared storage.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from operator import is_

import msgspec

from workbench.model.metric import Metric, Side, Tier, Vantage
from workbench.model.recording import Recording, Series
from workbench.model.run import Configuration, Provisioning, Run
from workbench.model.run_cache import kept_with_run
from workbench.study.series.chosen import kinds

_DISKS = frozenset(("physicaldisk", "logicaldisk"))
_TOTAL = "_total"
# `0 C:`, `C:` and, for a logical disk, the partition that Windows hides from its users.
_SYSTEM_DISK = re.compile(r"(^|\s)C:|^HarddiskVolume", re.IGNORECASE)
_ON_DEVICE_DISK = frozenset((None, "device-disk", "device-ram-overflow"))
_RULES = {
    Provisioning.MCS: "all disks are on shared storage, because MCS is used without a cache",
    Provisioning.MCSIO: "the disk with C: is on shared storage; all other disks are cache disks",
    Provisioning.PVS: "all disks except the disk with C: are cache disks",
}


def tier_rule(run: Run) -> str:
    """Returns the sentence that explains how the tier of single disks is known, empty if there is no rule."""
    return _RULES.get(Provisioning.PVS if _asked_for(run) else run.configuration.provisioning, "")


def tier_of_disk(configuration: Configuration, disk: Series) -> Tier | None:
    """Returns the tier of a guest's disk by the rule of the configuration, or None. The sum of its disks has a tier
    only without a cache."""
    if disk.object.casefold() not in _DISKS:
        return None
    system = is_system_disk(disk)
    if disk.instance.casefold() == _TOTAL and configuration.provisioning is not Provisioning.MCS:
        return None
    match configuration.provisioning:
        case Provisioning.MCS:
            return Tier.SHARED
        case Provisioning.MCSIO:
            return Tier.SHARED if system else Tier.CACHE_DISK
        case Provisioning.PVS if configuration.write_cache in _ON_DEVICE_DISK and not system:
            return Tier.CACHE_DISK
    return None


def is_system_disk(disk: Series) -> bool:
    """True if a counter of a guest's disks belongs to the one with C:."""
    return disk.object.casefold() in _DISKS and _SYSTEM_DISK.search(disk.instance) is not None


def with_disk_tiers(run: Run) -> Run:
    """Returns the run with the tier of its guests' disks in their series, so `samples_of` finds them.

    Without a cache `_Total` is shared storage too; otherwise only single disks have a tier. Returns the same object if
    no disk has one.
    """
    by_disk, metrics = _tiers_by_rule(run), dict[tuple[Metric, Tier], Metric]()
    return _mapped(run, lambda series: _tiered(by_disk, metrics, series)) if by_disk else run


def has_tiers_by_rule(run: Run) -> bool:
    """True if the rule of the run's configuration gives a tier to any of its guests' disks."""
    return bool(_tiers_by_rule(run))


def at_vantage(run: Run, vantage: Vantage) -> Run:
    """Returns the run with only the series of one vantage. Counters of a host or an array without a VM are used under
    its name if they name a tier and there are no counters of VMs. Returns the same object if the run has no other
    series."""
    ours = [
        series
        for recording in run.recordings
        for series in recording.series
        if series.metric is not None and series.metric.vantage is vantage
    ]
    of_vms = any(series.vm and series.metric is not None and series.metric.tier is None for series in ours)

    def kept(series: Series) -> Series | None:
        if series.metric is None or series.metric.vantage is not vantage:
            return None
        if series.vm or (series.metric.tier is None and of_vms):
            return series
        return _series(series, series.host or vantage.value, series.metric)

    return _mapped(run, kept)


def vantages(run: Run) -> tuple[Vantage, ...]:
    """Returns the vantages of all series with a metric, from the guest outwards."""
    seen = {kind.vantage for kind in kinds(run)}
    return tuple(vantage for vantage in Vantage if vantage in seen)


def _asked_for(run: Run) -> bool:
    """True if the guests' counters of C: show the I/O requested from the cache, not that of shared storage."""
    return run.guest_counters is Side.ABOVE and run.configuration.provisioning is Provisioning.MCSIO


def _tiers_by_rule(run: Run) -> dict[tuple[str, str], Tier]:
    """Returns the tier by object and instance of the guests' disks that the rule covers."""
    tiers = ((disk, tier_of_disk(run.configuration, disk)) for disk in _guest_disks(run))
    left_out = (None, Tier.SHARED) if _asked_for(run) else (None,)
    return {(disk.object, disk.instance): tier for disk, tier in tiers if tier is not None and tier not in left_out}


# Pages request it repeatedly, and the desktops of a run mostly have the same disks.
@kept_with_run
def _guest_disks(run: Run) -> tuple[Series, ...]:
    """Returns one counter for each object and instance that guests logged without a tier."""
    disks = {
        (series.object, series.instance): series
        for recording in run.recordings
        for series in recording.series
        if _without_tier(series)
    }
    return tuple(disks.values())


def _without_tier(series: Series) -> bool:
    metric = series.metric
    return metric is not None and metric.tier is None and metric.vantage is Vantage.GUEST


def _tiered(by_disk: dict[tuple[str, str], Tier], metrics: dict[tuple[Metric, Tier], Metric], series: Series) -> Series:
    """Returns the counter with its tier; `metrics` caches the metrics with a tier."""
    tier = by_disk.get((series.object, series.instance))
    if tier is None or not _without_tier(series):
        return series
    assert series.metric is not None
    key = series.metric, tier
    if key not in metrics:
        metrics[key] = replace(series.metric, tier=tier)
    return _series(series, series.vm, metrics[key])


def _mapped(run: Run, change: Callable[[Series], Series | None]) -> Run:
    recordings = tuple(_changed(recording, change) for recording in run.recordings)
    # Results computed for a run are cached with the run object; a copy would compute them again.
    if all(new is known for new, known in zip(recordings, run.recordings, strict=True)):
        return run
    return replace(run, recordings=recordings)


def _changed(recording: Recording, change: Callable[[Series], Series | None]) -> Recording:
    changed = list(map(change, recording.series))
    if all(map(is_, changed, recording.series)):
        return recording
    return replace(recording, series=tuple(series for series in changed if series is not None))


def _series(series: Series, vm: str | None, metric: Metric) -> Series:
    """Returns the counter as one of `vm` with that metric."""
    return msgspec.structs.replace(series, vm=vm, metric=metric)
