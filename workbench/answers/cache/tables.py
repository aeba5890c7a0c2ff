"""The cache figures as tables: a row for each configuration, a row for each VM."""

from __future__ import annotations

from collections.abc import Callable

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache
from workbench.answers.cache.figure_sources import cache_source, highest_disk_source, tier_source, vm_cache_source
from workbench.answers.cache.sentences import overflow_words
from workbench.answers.cache.sweep import Sweep, SweepRow, ram_cost_gib
from workbench.answers.common.change_words import change_text, reason_words
from workbench.answers.common.looks import looks
from workbench.answers.common.sources.figure_sources import change_source, source_of
from workbench.charts.figure import Look, Source
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.words.numbers import MISSING, POINTS, THIN, duration, fixed, number, percent, points, signed

CONFIGURATIONS, VMS = "By configuration", "By VM"
_ESTIMATE = "an estimate from the nonpaged pool: an upper bound, for the pool holds more than the cache"


def cache_table(answer: CacheAnswer, desktops: float) -> TableData:
    """One row per configuration of the sweep: what is left by tier, and what its cache did."""
    shown = fixed(desktops, 0)
    columns = (
        Column("Configuration", numeric=False),
        Column("Size", "MB"),
        Column("Runs"),
        Column("All I/O", "IOPS"),
        Column("Change", "%", tip="of all I/O against the baseline"),
        Column("Writes", "change %"),
        Column("Shared", "IOPS", tip="reads and writes of the system disks"),
        Column("Cache disk", "IOPS"),
        Column("RAM", f"GiB for {shown}"),
        Column("Disk", f"GiB for {shown}", tip="cache disk, by the highest VM"),
        Column("Overflow", tip="first VM, since the first phase began; mean over runs"),
        Column("RAM used", "% of size", tip="highest reading of each VM, mean"),
        Column("Fill rate", "MB/min", tip="mean rate between 5 and 95 % of the way to full"),
        Column("Full", tip="95 % of the size used, since the first phase began"),
        Column("Disk peak", "MB/VM", tip="highest reading of each VM, mean"),
        Column("highest", "MB"),
        Column("Levels off", tip="growth over 5 minutes stays below 10 % of its steepest"),
        Column("CPU", "%"),
        Column("CPU change", POINTS, tip="percentage points, judged by their ratio"),
    )
    cached = {cache.label: cache for cache in answer.cached}
    look = looks([row.group for row in answer.sweep.rows])
    rows = tuple(
        (
            *_io_cells(answer.sweep, row, look[row.label]),
            *_cost_cells(row, cached.get(row.label), desktops),
            *_use_cells(cached.get(row.label)),
            *_cpu_cells(answer.sweep, row),
        )
        for row in answer.sweep.rows
    )
    return TableData(columns, rows, _legend(answer), CONFIGURATIONS)


def cache_vm_table(answer: CacheAnswer) -> TableData:
    """One row per run and VM that has cache counters."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Run", numeric=False),
        Column("VM", numeric=False),
        Column("Size", "MB"),
        Column("RAM used", "MB, peak"),
        Column("RAM used", "MB, end"),
        Column("RAM used", "%"),
        Column("Overflow", tip="since the first phase began"),
        Column("Fill rate", "MB/min"),
        Column("Full"),
        Column("Disk", "MB, peak"),
        Column("Disk", "MB, end"),
        Column("Levels off"),
        Column("at", "MB"),
        Column("Growth at end", "MB/min"),
        Column("Restarts"),
    )
    look = looks([cache.group for cache in answer.cached])
    rows = tuple(
        (Cell(cache.label, cache.label, look=look[cache.label]), Cell(run.run.name, run.run.name), *_vm_cells(run, vm))
        for cache in answer.cached
        for run in cache.runs
        for vm in run.vms
    )
    return TableData(columns, rows, _legend(answer), VMS)


def _io_cells(sweep: Sweep, row: SweepRow, look: Look) -> tuple[Cell, ...]:
    change, writes = row.total_change, row.write_change
    scope = "_per_vm" * sweep.per_vm
    total = source_of(row.group, sweep.phase, f"iops{scope}", row.total)
    return (
        Cell(row.label, row.label, look=look),
        _number(row.size_mb),
        Cell(str(row.n), row.n),
        _number(row.total, total),
        Cell("baseline")
        if row.baseline
        else _percent(
            None if change is None else change.percent,
            change_text(change, "IOPS", row.total),
            _against(sweep, row, f"iops{scope}", lambda row: row.total),
        ),
        _percent(
            None if writes is None else writes.percent,
            change_text(writes, "IOPS", row.write),
            _against(sweep, row, f"write_iops{scope}", lambda row: row.write),
        ),
        _number(row.split.shared, tier_source(row.group, sweep.phase, f"shared_iops{scope}", row.split.shared)),
        _number(
            row.split.cache_disk, tier_source(row.group, sweep.phase, f"cache_disk_iops{scope}", row.split.cache_disk)
        ),
    )


def _use_cells(cache: ConfigurationCache | None) -> tuple[Cell, ...]:
    if cache is None:
        return (Cell(MISSING),) * 7
    words = overflow_words(cache)
    return (
        Cell(
            words,
            cache.overflow_s,
            _ESTIMATE if cache.estimate else "",
            source=cache_source(cache, "overflow_start_s", lambda vm: vm.overflow_start),
        ),
        _starred(
            percent(cache.mean(lambda vm: vm.ram_percent)),
            cache.mean(lambda vm: vm.ram_percent),
            cache.estimate,
            cache_source(cache, "cache_ram_used_percent", lambda vm: vm.ram_percent),
        ),
        _starred_number(
            cache.mean(lambda vm: vm.filling.rate_mb_per_min if vm.filling else None),
            cache.estimate,
            cache_source(cache, "fill_rate_mb_per_min", lambda vm: vm.filling),
        ),
        _seconds(
            cache.mean(lambda vm: vm.time_to_full_s),
            cache_source(cache, "time_to_full_s", lambda vm: vm.time_to_full_s),
        ),
        _number(cache.disk_peak_mb, cache_source(cache, "cache_disk_used_mb_peak", lambda vm: vm.disk_peak_mb)),
        _number(cache.disk_highest_mb, highest_disk_source(cache)),
        _seconds(
            cache.level_s,
            None
            if cache.level_s is None
            else cache_source(cache, "cache_disk_levels_off_s", lambda vm: vm.disk_level and vm.disk_level.at),
        ),
    )


def _against(sweep: Sweep, row: SweepRow, figure: str, value: Callable[[SweepRow], float | None]) -> Source | None:
    """What a change against the sweep's baseline rests on, where both sides are the phase table's figure."""
    base = sweep.baseline
    if base is None or base is row:
        return None
    known = all(source_of(step.group, sweep.phase, figure, value(step)) for step in (base, row))
    return change_source(base.group, row.group, sweep.phase, figure) if known else None


def _cpu_cells(sweep: Sweep, row: SweepRow) -> tuple[Cell, ...]:
    source = source_of(row.group, sweep.phase, "cpu_percent", row.cpu_percent)
    if row.cpu_change is None or row.cpu_judgement is None:
        return _number(row.cpu_percent, source), Cell(MISSING)
    difference = row.cpu_change.difference
    words = f"{points(difference).removesuffix(f'{THIN}{POINTS}')} {row.cpu_judgement.verdict.value}"
    tip = f"{change_text(row.cpu_change, '%', row.cpu_percent, POINTS)}: {reason_words(row.cpu_judgement)}"
    against = _against(sweep, row, "cpu_percent", lambda row: row.cpu_percent)
    return _number(row.cpu_percent, source), Cell(words, difference, tip, source=against)


def _cost_cells(row: SweepRow, cache: ConfigurationCache | None, desktops: float) -> tuple[Cell, ...]:
    size = row.size_mb
    ram = None if size is None else ram_cost_gib(size, desktops)
    many = fixed(desktops, 0)
    how = f"The number is GiB for {many} VMs: MB × {many} ÷ 1,024."
    sized = None if cache is None else cache_source(cache, "ram_cache_mb", lambda vm: vm.size_mb, how)
    disk = None if cache is None else cache.disk_gib_for(desktops)[1]
    return _number(ram, sized), _number(disk, None if cache is None else highest_disk_source(cache, how))


def _vm_cells(run: RunCache, vm: VmCache) -> tuple[Cell, ...]:
    level = vm.disk_level

    def back(figure: str, value: float | None) -> Source | None:
        return vm_cache_source(run, vm, figure, value)

    overflow = {True: duration(run.since_zero(vm.overflow_start)), False: "none", None: "not known"}[vm.overflowed]
    rate = None if vm.filling is None else vm.filling.rate_mb_per_min
    level_mb, at_end = (None, None) if level is None else (level.mb, level.end_rate_mb_per_min)
    return (
        Cell(vm.vm, vm.vm),
        _number(vm.size_mb, back("ram_cache_mb", vm.size_mb)),
        _starred_number(vm.ram_peak_mb, vm.estimate, back("cache_ram_used_mb_peak", vm.ram_peak_mb)),
        _starred_number(vm.ram_end_mb, vm.estimate, back("cache_ram_used_mb_end", vm.ram_end_mb)),
        _starred(percent(vm.ram_percent), vm.ram_percent, vm.estimate, back("cache_ram_used_percent", vm.ram_percent)),
        Cell(overflow, run.since_zero(vm.overflow_start), source=back("overflow_start_s", vm.overflow_start)),
        _number(rate, back("fill_rate_mb_per_min", rate)),
        _seconds(vm.time_to_full_s, back("time_to_full_s", vm.time_to_full_s)),
        _number(vm.disk_peak_mb, back("cache_disk_used_mb_peak", vm.disk_peak_mb)),
        _number(vm.disk_end_mb, back("cache_disk_used_mb_end", vm.disk_end_mb)),
        _level_cell(run, vm, back("cache_disk_levels_off_s", None if level is None else level.at)),
        _number(level_mb, back("cache_disk_levels_off_mb", level_mb)),
        _number(at_end, back("cache_disk_growth_at_end_mb_per_min", at_end)),
        Cell(str(vm.restarts), vm.restarts, source=back("restarts", vm.restarts or None)),
    )


def _level_cell(run: RunCache, vm: VmCache, source: Source | None) -> Cell:
    if vm.disk_level is None:
        return Cell(MISSING)
    if vm.disk_level.at is None:
        return Cell("still growing")
    return _seconds(run.since_zero(vm.disk_level.at), source)


def _legend(answer: CacheAnswer) -> str:
    parts = [f"{MISSING} not available", "MB of 2²⁰, GiB of 2³⁰ bytes"]
    if any(cache.estimate for cache in answer.cached):
        parts.append(f"* {_ESTIMATE}")
    if any(row.total_change and row.total_change.basis == "single" for row in answer.sweep.rows):
        parts.append("changes from single runs have no uncertainty")
    return " · ".join(parts)


def _number(value: float | None, source: Source | None = None) -> Cell:
    return Cell(number(value), value, source=source)


def _percent(value: float | None, tip: str = "", source: Source | None = None) -> Cell:
    return Cell(MISSING) if value is None else Cell(signed(value, 1), value, tip, source=source)


def _seconds(value: float | None, source: Source | None = None) -> Cell:
    return Cell(duration(value), value, source=source)


def _starred(text: str, value: float | None, estimate: bool, source: Source | None) -> Cell:
    if value is None or not estimate:
        return Cell(text, value, source=source)
    return Cell(f"≤{THIN}{text}*", value, _ESTIMATE, source=source)


def _starred_number(value: float | None, estimate: bool, source: Source | None) -> Cell:
    if value is None or not estimate:
        return _number(value, source)
    return Cell(f"{number(value)}*", value, _ESTIMATE, source=source)
