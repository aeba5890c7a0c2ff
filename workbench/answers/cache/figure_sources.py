"""From a number of the cache page back to the runs and machines that it is of."""

from __future__ import annotations

from collections.abc import Callable

from workbench.answers.cache.compute import ConfigurationCache
from workbench.charts.figure import Source
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.measures.configurations import Group

CACHE = "cache"


def cache_source(
    cache: ConfigurationCache, figure: str, has: Callable[[VmCache], object | None], how: str = ""
) -> Source | None:
    """The runs of a configuration of which any VM has a figure of the cache page; None where there is none."""
    runs = tuple(run.run.folder for run in cache.runs if any(has(vm) is not None for vm in run.vms))
    return Source(runs, "", figure, answer=CACHE, how=how) if runs else None


def highest_disk_source(cache: ConfigurationCache, how: str = "") -> Source | None:
    """The run whose VM has the highest cache disk of a configuration."""
    known = [(run, peak) for run in cache.runs if (peak := run.highest(lambda vm: vm.disk_peak_mb)) is not None]
    if not known:
        return None
    run, _ = max(known, key=lambda pair: pair[1])
    return Source((run.run.folder,), "", "cache_disk_used_mb_peak_highest", answer=CACHE, how=how)


def vm_cache_source(run: RunCache, vm: VmCache, figure: str, value: object | None) -> Source | None:
    """A figure of one VM of one run; None where it has none."""
    return None if value is None else Source((run.run.folder,), "", figure, vm=vm.vm, answer=CACHE)


def tier_source(group: Group, phase: str, figure: str, value: float | None) -> Source | None:
    """The rate of a tier in a phase over the runs of a configuration; None where nothing was measured."""
    runs = tuple(run.run.folder for run in group.runs if run.phase(phase) is not None)
    return None if value is None else Source(runs, phase, figure, answer=CACHE)
