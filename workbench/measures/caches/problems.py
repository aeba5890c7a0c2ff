"""Problems that affect the cache metrics: restarts, vanished machines, missing or contradictory sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from workbench.measures.caches.gauges import LEAST_MB
from workbench.measures.caches.vm_cache import VmCache
from workbench.model.problem import Problem, Severity, begun, few_named
from workbench.model.run import Provisioning, Run
from workbench.study.plausibility.rules import WRONG_UNIT_SHARE
from workbench.words.numbers import number

# A VM has vanished if its last sample is earlier than the end of the run by more than this share of the run.
VANISHED_SHARE = 0.02
# Tolerated difference between the measured size and the stated size, as a share.
SIZE_NEAR = 0.02
DISK_FULL_SHARE = 0.95


def cache_problems(run: Run, vms: Sequence[VmCache], end: float | None) -> tuple[Problem, ...]:
    """The problems of a run's cache counters that users must know to read its metrics."""
    if not vms:
        return (_no_counters(run),)
    ways: tuple[Callable[[], Problem | None], ...] = (
        lambda: _estimated(run, vms),
        lambda: _measured(run, vms),
        lambda: _emptied(run, vms),
        lambda: _vanished(run, vms, end),
        lambda: _fewer(run, vms),
        lambda: _no_size(run, vms),
        lambda: _other_size(run, vms),
        lambda: _wrong_unit(run, vms),
        lambda: _disk_full(run, vms),
        lambda: _begins_full(run, vms),
        lambda: _disk_empty(run, vms),
        lambda: _untold(run, vms),
        lambda: _unwatched(run, vms, end),
    )
    return tuple(problem for way in ways if (problem := way()) is not None)


def _no_counters(run: Run) -> Problem:
    counter = (
        "'Memory\\Pool Nonpaged Bytes'"
        if run.configuration.provisioning is Provisioning.PVS
        else "the 'Citrix MCS Storage Driver' (or 'Citrix MCS') counters"
    )
    return _problem(
        run,
        "no-cache-counters",
        "This run has no cache counters.",
        f"cache metrics are empty; log {counter} in the VMs",
    )


def _estimated(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    if not any(vm.estimate for vm in vms):
        return None
    return _problem(
        run,
        "cache-estimate",
        "The RAM cache of PVS has no counter.",
        "RAM use estimated from the nonpaged pool, as an upper bound; measure the cache with poolmon",
        Severity.INFO,
    )


def _measured(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    measured = [vm.vm for vm in vms if vm.ram_from == "poolmon"]
    if not measured:
        return None
    if run.configuration.provisioning is Provisioning.MCSIO:
        return _problem(
            run,
            "cache-measured",
            f"The RAM cache of {few_named(measured)} was measured with poolmon's tag VhdR, which is documented for "
            "PVS only.",
            "values kept; to check them, also log the Citrix MCS counters",
            Severity.WARNING,
        )
    return _problem(
        run,
        "cache-measured",
        f"The RAM cache of {few_named(measured)} was measured with poolmon (tag VhdR).",
        "poolmon is used instead of the nonpaged pool; the cache may have been fuller between snapshots",
        Severity.INFO,
    )


def _emptied(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    struck = [vm.vm for vm in vms if vm.restarts]
    if not struck:
        return None
    return _problem(
        run,
        "cache-emptied",
        f"The cache of {few_named(struck)} was emptied during the run.",
        "treated as a restart, and fill metrics use the time when it was fullest; repeat the run without restarts",
    )


def _vanished(run: Run, vms: Sequence[VmCache], end: float | None) -> Problem | None:
    lasts = [vm.last for vm in vms if vm.last is not None]
    firsts = [vm.first for vm in vms if vm.first is not None]
    if not lasts:
        return None
    # Phases may end before the recordings, or after them if they are stated by hand.
    until = max(lasts) if end is None else min(end, max(lasts))
    slack = VANISHED_SHARE * (until - min(firsts))
    gone = {vm.vm: until - vm.last for vm in vms if vm.last is not None and vm.last < until - slack}
    if not gone:
        return None
    early = max(gone.values()) / 60
    return _problem(
        run,
        "cache-vm-vanished",
        f"Cache samples of {few_named(list(gone))} stopped {'up to ' * (len(gone) > 1)}{early:.0f} min before the "
        "run ended.",
        "peaks may be too low; log the cache until the test ends",
    )


def _fewer(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    if run.vms is None or len(vms) >= run.vms:
        return None
    return _problem(
        run,
        "cache-vms-missing",
        f"Only {len(vms)} of {run.vms} VMs {'has' if len(vms) == 1 else 'have'} cache counters.",
        "cache metrics exclude VMs without cache counters; log these counters in every VM",
    )


def _no_size(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    without = [vm.vm for vm in vms if vm.size_mb is None]
    if not without:
        return None
    return _problem(
        run,
        "cache-size-unknown",
        f"The RAM cache size of {few_named(without)} is unknown.",
        "percentages and the time until the cache is full are empty; set ram_cache_mb in run.toml",
    )


def _other_size(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    stated = run.configuration.ram_cache_mb
    if not stated:
        return None
    other = {
        vm.vm: vm.size_mb
        for vm in vms
        if vm.size_from == "counter" and vm.size_mb and abs(vm.size_mb / stated - 1) > SIZE_NEAR
    }
    if not other:
        return None
    size = next(iter(other.values()))
    return _problem(
        run,
        "cache-size-differs",
        f"run.toml states a RAM cache of {stated:,} MB, but the counter of {few_named(list(other))} shows "
        f"{size:,g} MB.",
        "metrics use the measured size, and comparisons by size use the stated one; correct ram_cache_mb",
    )


def _wrong_unit(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    odd = [vm for vm in vms if _next_to_nothing(vm)]
    if not odd:
        return None
    worst = max(odd, key=lambda vm: vm.ram_peak_mb or 0.0)
    counters = (
        f"counter of {odd[0].vm} shows" if len(odd) == 1 else f"counters of {few_named([vm.vm for vm in odd], 2)} show"
    )
    return _problem(
        run,
        "cache-unit",
        f"The RAM cache {counters} only {number(worst.ram_peak_mb or 0.0, 2)} MB despite an overflow.",
        "values kept, but unreliable; check the unit of the counter",
    )


def _next_to_nothing(vm: VmCache) -> bool:
    """True if almost no RAM was used although the VM overflowed: the counter probably does not count bytes."""
    if not vm.overflowed or vm.estimate or vm.ram_peak_mb is None or not vm.size_mb:
        return False
    return vm.ram_peak_mb <= WRONG_UNIT_SHARE * vm.size_mb


def other_unit(run: Run, vm: VmCache) -> bool:
    """True if the cache counters of a VM probably do not count bytes.

    Either almost no RAM is used while the cache disk grows, or the measured size and the stated size differ by a factor
    of about a thousand.
    """
    stated = run.configuration.ram_cache_mb
    if stated and vm.size_mb and vm.size_from == "counter":
        ratio = vm.size_mb / stated
        if not WRONG_UNIT_SHARE < ratio < 1 / WRONG_UNIT_SHARE:
            return True
    return _next_to_nothing(vm)


def _disk_full(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    full = [
        vm.vm
        for vm in vms
        if vm.disk_peak_mb and vm.disk_size_mb and vm.disk_peak_mb >= DISK_FULL_SHARE * vm.disk_size_mb
    ]
    if not full:
        return None
    return _problem(
        run,
        "cache-disk-full",
        f"The cache disk of {few_named(full)} was at least 95 % full.",
        "values kept; a VM stops when its cache disk is full, so use a larger disk",
    )


def _begins_full(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    full = {vm.vm: vm.begins_percent for vm in vms if vm.begins_full and vm.begins_percent is not None}
    held = {vm.vm: vm.begins_disk_mb for vm in vms if vm.begins_full and vm.begins_disk_mb is not None}
    parts = []
    if full:
        parts.append(
            f"the cache of {few_named(list(full))} was {'' if held else 'already '}{max(full.values()):.0f} % full"
        )
    if held:
        parts.append(_held_words(held))
    if not parts:
        return None
    return _problem(
        run,
        "overflow-before-log",
        f"{begun(' and '.join(parts))} when the log began.",
        "earlier overflows are unknown; start logging before you start the VMs",
    )


def _disk_empty(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    held = {
        vm.vm: vm.begins_disk_mb
        for vm in vms
        if not vm.begins_full and vm.begins_disk_mb is not None and vm.begins_disk_mb > LEAST_MB
    }
    if not held:
        return None
    return _problem(
        run,
        "cache-disk-empty",
        f"{begun(_held_words(held))} when the log began, like an empty difference disk.",
        "disk assumed empty; growth of more than 1 MB counts as an overflow",
        Severity.INFO,
    )


def _held_words(held: Mapping[str, float]) -> str:
    one = len(held) == 1
    disks = f"cache disk{'' if one else 's'} of {few_named(list(held))}"
    return f"the {disks} contained {'' if one else 'up to '}{max(held.values()):,.0f} MB"


def _untold(run: Run, vms: Sequence[VmCache]) -> Problem | None:
    unknown = [vm.vm for vm in vms if vm.overflowed is None and not vm.unwatched and not vm.begins_full]
    if not unknown:
        return None
    names = few_named(unknown)
    message = (
        f"The nonpaged pool of {names} does not show whether the cache overflowed."
        if any(vm.estimate for vm in vms)
        else f"{names} {'has' if len(unknown) == 1 else 'have'} no usable cache disk counters."
    )
    advice = "" if any(vm.estimate for vm in vms) else "; log the cache disk counters in every VM"
    return _problem(run, "overflow-unknown", message, f"overflow shown as unknown{advice}", Severity.INFO)


def _unwatched(run: Run, vms: Sequence[VmCache], end: float | None) -> Problem | None:
    lasts = {vm.vm: vm.watched_until for vm in vms if vm.unwatched and vm.watched_until is not None}
    if not lasts:
        return None
    until = max(vm.last for vm in vms if vm.last is not None) if end is None else end
    early = (until - min(lasts.values())) / 60
    return _problem(
        run,
        "overflow-unwatched",
        f"Cache disk samples of {few_named(list(lasts))} stopped {'up to ' * (len(lasts) > 1)}{early:.0f} min before "
        "the run ended.",
        "overflow shown as unknown; log the cache disk until the test ends",
    )


def _problem(run: Run, code: str, message: str, action: str, severity: Severity = Severity.WARNING) -> Problem:
    return Problem(severity, run.name, code, message, action)
