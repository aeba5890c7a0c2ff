"""The words of the cache answers, and published advice on RAM cache sizes.

The texts name sizes, overflows, the answer and the exclusions. The advice is from `resources/cache_advice.toml`: it is
a reference, never a measured answer.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache, Enough, VmDip
from workbench.answers.cache.overflow_dip import Dip, NoDip
from workbench.answers.cache.sweep import Sweep
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.model.resources import resource
from workbench.model.run import SessionType
from workbench.words import captions
from workbench.words.metrics import in_phase
from workbench.words.numbers import MISSING, THIN, duration, fixed, marked, number, percent, plural

# "Before" if the time is the latest possible one.
AT_MOST = f"≤{THIN}"
_BEGINS_FULL = "the log begins with a full cache"
_BEGINS_HELD = "the cache disk contained data when the log began"


def size_words(mb: float | None) -> str:
    """A cache size as the vendors' consoles write it (2^20 and 2^30 bytes): `512 MB`, `4 GB`."""
    if mb is None:
        return MISSING
    if mb >= 1024:
        return marked(f"{mb / 1024:.3g}") + f"{THIN}GB"
    return marked(f"{mb:.4g}") + f"{THIN}MB"


def mb_words(mb: float | None) -> str:
    """`2 694 MB`: for pages that show all sizes in one unit."""
    return MISSING if mb is None else marked(f"{mb:,.1f}".removesuffix(".0")) + f"{THIN}MB"


def enough_words(enough: Enough) -> str:
    """The answer as a sentence."""
    what = f"{enough.provisioning.value} on {enough.session_type.value.upper()}"
    if enough.smallest is not None:
        runs = len(enough.smallest.runs)
        held = f"{what}: {size_words(enough.smallest.size_mb)} is the smallest tested RAM cache that did not overflow"
        return f"{held} ({plural(runs, 'run')})."
    if enough.overflowing and not enough.unknown:
        largest = max(cache.size_mb or 0 for cache in enough.overflowing)
        return f"{what}: all tested RAM caches up to {size_words(largest)} overflowed."
    if enough.unknown:
        names = ", ".join(captions.named(cache.label) for cache in enough.unknown)
        return (
            f"{what}: no size is confirmed as large enough. No counter shows whether the cache of {names} overflowed."
        )
    return f"{what}: no size was tested."


def enough_short(enough: Enough, *, named: bool) -> str:
    """The answer for a caption; with the kind of cache if `named`."""
    kind = f" of {enough.provisioning.value} on {enough.session_type.value.upper()}" if named else ""
    if enough.smallest is not None:
        return f"{size_words(enough.smallest.size_mb)} is the smallest tested size{kind} without overflow"
    if enough.overflowing and not enough.unknown:
        largest = max(cache.size_mb or 0 for cache in enough.overflowing)
        return f"All tested sizes{kind} up to {size_words(largest)} overflowed"
    return f"The smallest size{kind} without overflow is unknown" if enough.unknown else f"No size{kind} was tested"


def vm_overflow_words(run: RunCache, vm: VmCache) -> str:
    """The text on whether and when a VM overflowed."""
    if vm.overflowed:
        return f"{AT_MOST * vm.begins_full}{duration(run.since_zero(vm.overflow_start))}"
    if vm.overflowed is None and vm.begins_full:
        if vm.begins_percent is None:
            return f"unknown: its cache disk held {mb_words(vm.begins_disk_mb)} when the log began"
        return f"unknown: {percent(vm.begins_percent)} of the cache was full when the log began"
    return "unknown" if vm.overflowed is None else "none"


def overflow_words(cache: ConfigurationCache, longest: float = 0.0) -> str:
    """The text on whether and when a configuration overflowed, and in how many of its runs. The time has the unit of
    the `longest` one next to it."""
    if cache.overflowed is None:
        why = _BEGINS_HELD if cache.begins_by_disk else _BEGINS_FULL
        return f"unknown: {why}" if cache.begins_full else "unknown"
    if not cache.overflowed:
        return "none"
    words = f"{'estimated ' * cache.estimate}{AT_MOST * cache.begins_full}{duration(cache.overflow_s, longest)}"
    return (
        words
        if cache.overflow_runs == len(cache.runs)
        else f"{words}, {cache.overflow_runs} of {plural(len(cache.runs), 'run')}"
    )


def first_overflow_words(cache: ConfigurationCache, longest: float = 0.0) -> str:
    """The first overflow as a clause: `first cache overflow after an estimated 13:39 min`."""
    if not cache.overflowed:
        return f"cache overflow {overflow_words(cache)}" if cache.overflowed is None else "no cache overflow"
    return f"first cache overflow after {'an ' * cache.estimate}{overflow_words(cache, longest)}"


def scope_words(sweep: Sweep) -> str:
    """The scope of the IOPS as text: `IOPS, all VMs`, or `IOPS per VM` if the configurations have different numbers of
    VMs.
    """
    return "IOPS per VM" if sweep.per_vm else "IOPS of all VMs"


def dip_words(dips: Sequence[VmDip]) -> str:
    """The number of dips and their depth, or why there is none."""
    if not dips:
        return "No overflow was found, so there is no IOPS dip to show."
    deep = [(dip, dip.found) for dip in dips if isinstance(dip.found, Dip)]
    none = [dip.found for dip in dips if isinstance(dip.found, NoDip)]
    if not deep and all(dip.uneven for dip in none):
        return unknown_dip_words(dips)
    if not deep:
        return f"No IOPS dip was found at {plural(len(dips), 'overflow')}: {_reasons(none)}."
    whose, deepest = max(deep, key=lambda pair: pair[1].fall_percent)
    words = (
        f"Dip at {len(deep)} of {plural(len(dips), 'overflow')}; the deepest from {number(deepest.before)} to "
        f"{number(deepest.trough)} IOPS (−{percent(deepest.fall_percent)}), {_recovery(deepest)}"
    )
    if whose.latency_ms is not None:
        before, highest = whose.latency_ms
        words += f", response time {number(before)} → {number(highest)}{THIN}ms"
    return words + (f"; elsewhere {_reasons(none)}." if none else ".")


def dip_short(dips: Sequence[VmDip]) -> str:
    """The number of overflows with a dip."""
    deep = sum(isinstance(dip.found, Dip) for dip in dips)
    overflows = plural(len(dips), "overflow")
    return f"Dip at {deep} of {overflows}" if deep else f"No dip was found at {overflows}"


def unknown_dip_words(dips: Sequence[VmDip]) -> str:
    """The number of overflows at which the load hides whether there was a dip; empty if there is none."""
    uneven = sum(isinstance(dip.found, NoDip) and dip.found.uneven for dip in dips)
    if not uneven:
        return ""
    where = f"{uneven} of " * (uneven < len(dips)) + plural(len(dips), "overflow")
    return f"No IOPS dip can be detected at {where}: the load was too uneven."


def gib_words(desktops: float) -> str:
    """How GB for that many VMs are computed from MB per VM, for the source of a number."""
    return f"The number is GB for {plural(desktops, 'VM')}: MB × {fixed(desktops, 0)} ÷ 1,024."


def planned_words(answer: CacheAnswer, desktops: float, assumed: bool) -> str:
    """The words for N in a plan: VMs. `vdiwb sizing` counts users instead for session hosts."""
    count = plural(desktops, "VM")
    if not any(cache.group.session_type is SessionType.RDS for cache in answer.cached):
        return f"{count} are assumed. Set your number with --desktops N." if assumed else f"GB values are for {count}."
    words = f"GB values are for {count}{' (assumed)' * assumed}, not users."
    return f"{words} In 'vdiwb sizing', --desktops N means N users."


def sweep_words(answer: CacheAnswer) -> str:
    """The sweep in words, for screen readers."""
    sweep = answer.sweep
    parts = [
        f"{captions.named(row.label)}: {'not measured' if row.total is None else number(row.total)}"
        for row in sweep.rows
    ]
    held = " ".join(enough_words(enough) for enough in answer.enough)
    return f"{scope_words(sweep)} {in_phase(sweep.phase)}. {'; '.join(parts)}. {held}".strip()


# The rate of a dip stays below 90 % of the rate before it until the samples end.
NOT_BACK = f"still below 90{THIN}% at the end"


def _recovery(dip: Dip) -> str:
    if dip.duration_s is None:
        return NOT_BACK
    return f"back at 90{THIN}% after {duration(dip.duration_s)}"


def _reasons(none: Sequence[NoDip]) -> str:
    uneven = sum(dip.uneven for dip in none)
    steady = Counter("IOPS did not fall" if "stayed" in dip.reason else dip.reason for dip in none if not dip.uneven)
    parts = [f"load too uneven to see a dip ({uneven})"] if uneven else []
    parts += [f"{reason} ({count})" for reason, count in steady.items()]
    if len(parts) == 1:
        # One reason holds for all of them.
        return parts[0].rpartition(" (")[0]
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice of a source: `least_mb` (2^20 bytes) or more for a kind of `machine`, quoted in `words`."""

    session_type: SessionType
    machine: str
    least_mb: int
    words: str
    source: str


@cache
def published_advice() -> tuple[Advice, ...]:
    """Every row of the shipped table, in its order."""
    table = tomllib.loads(resource("cache_advice.toml").read_text(encoding="utf-8"))
    return tuple(
        Advice(SessionType(row["session_type"]), row["machine"], row["least_mb"], row["words"], table["source"])
        for row in table["advice"]
    )


def advice_for(session_types: frozenset[SessionType]) -> tuple[Advice, ...]:
    """The advice for these session types."""
    return tuple(advice for advice in published_advice() if advice.session_type in session_types)
