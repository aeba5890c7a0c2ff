"""From a number of the cache page back to the runs and machines that it is of."""

from __future__ import annotations

from workbench.answers.cache.compute import ConfigurationCache
from workbench.charts.figure import Source
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.measures.configurations import Group

CACHE = "cache"


def cache_source(one: ConfigurationCache, figure: str, how: str = "") -> Source | None:
    """The runs of a configuration of which any VM has a figure of the cache page; None where there is none."""
    runs = tuple(run.run.folder for run in one.runs if any(figure in vm.taken for vm in run.vms))
    return Source(runs, "", figure, answer=CACHE, how=how) if runs else None


def highest_disk_source(one: ConfigurationCache, how: str = "") -> Source | None:
    """The run whose VM has the highest cache disk of a configuration."""
    known = [(run, peak) for run in one.runs if (peak := run.highest("cache_disk_used_mb_peak")) is not None]
    if not known:
        return None
    run, _ = max(known, key=lambda found: found[1])
    return Source((run.run.folder,), "", "cache_disk_used_mb_peak_highest", answer=CACHE, how=how)


def vm_cache_source(run: RunCache, vm: VmCache, figure: str) -> Source | None:
    """A figure of one VM of one run; None where it has none."""
    return Source((run.run.folder,), "", figure, vm=vm.vm, answer=CACHE) if figure in vm.taken else None


def tier_source(group: Group, phase: str, figure: str, value: float | None) -> Source | None:
    """The rate of a tier in a phase over the runs of a configuration; None where nothing was measured."""
    runs = tuple(run.run.folder for run in group.runs if run.phase(phase) is not None)
    return None if value is None else Source(runs, phase, figure, answer=CACHE)
