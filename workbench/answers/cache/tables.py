"""The cache figures as tables: a row for each configuration, a row for each VM."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache
from workbench.answers.cache.sentences import gib_words, overflow_words, vm_overflow_words
from workbench.answers.cache.sources import cache_source, highest_disk_source, tier_source, vm_cache_source
from workbench.answers.cache.sweep import Sweep, SweepRow, ram_cost_gib
from workbench.answers.common.change_words import change_text, reason_words
from workbench.answers.common.looks import looks
from workbench.answers.common.sources import change_source, source_of
from workbench.charts.figure import FigureSource, Look
from workbench.charts.tables import Cell, Column, RowField, TableData, number_field, table_of, text_field
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.words.captions import MOST_IN_FOOTER, captioned
from workbench.words.numbers import MISSING, POINTS, THIN, duration, number, percent, plural, points, signed

CONFIGURATIONS, VMS = "By configuration", "By VM"
_ESTIMATE = "Estimate from the nonpaged pool: an upper bound, because the pool contains more than the cache"


def cache_table(answer: CacheAnswer, desktops: float) -> TableData:
    """One row per configuration of the sweep: the remaining I/O by tier, and the use of its cache."""
    columns = (
        Column("Configuration", numeric=False),
        Column("Size", "MB"),
        Column("Runs"),
        Column("All tiers", "IOPS"),
        Column("All tiers", "change %", tip="Change in total IOPS compared with the baseline"),
        Column("Writes", "change %"),
        Column("Shared storage", "IOPS", tip="Read and write IOPS on shared storage"),
        Column("Cache disk", "IOPS"),
        Column("RAM", f"GB for {plural(desktops, 'VM')}"),
        Column(
            "Cache disk",
            f"GB for {plural(desktops, 'VM')}",
            tip="Space for all VMs if each uses as much as the VM with the highest use",
        ),
        Column(
            "First overflow",
            "time after start",
            tip="Time from the start of the first phase to the first cache overflow. Mean over the runs",
        ),
        Column("RAM used", "% of size", tip="Peak use of the RAM cache: highest sample of each VM, mean over VMs"),
        Column(
            "Fill rate",
            "MB/min",
            tip="Mean rate at which the RAM cache fills, without the first and last 5 % of the rise",
        ),
        Column(
            "Cache full",
            "time after start",
            tip="Time from the start of the first phase until the cache is 95 % full. Mean over VMs and runs",
        ),
        Column("Cache disk", "peak MB/VM", tip="Peak use of the cache disk: highest sample of each VM, mean over VMs"),
        Column("Peak cache disk use of a VM", "MB"),
        Column(
            "Cache disk use levels off",
            "time after start",
            tip="Time from the start of the first phase until cache disk growth falls to 10 % of its maximum",
        ),
        Column("CPU", "%"),
        Column("CPU change", POINTS, tip="Change in CPU usage in percentage points. The verdict is based on the ratio"),
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
    legend, method = _legend(answer)
    return TableData(columns, rows, legend, CONFIGURATIONS, method=method)


class _VmRow(NamedTuple):
    cache: ConfigurationCache
    run: RunCache
    vm: VmCache

    def source(self, figure: str) -> FigureSource | None:
        return vm_cache_source(self.run, self.vm, figure)


def _vm_field(title: str, figure: str, unit: str = "", estimate: bool = False) -> RowField[_VmRow]:
    def cell(row: _VmRow) -> Cell:
        return _starred_number(row.vm.value(figure), estimate and row.vm.estimate, row.source(figure))

    return number_field(title, cell, unit=unit)


def _used_percent(row: _VmRow) -> Cell:
    source = row.source("cache_ram_used_percent")
    return _starred(percent(row.vm.ram_percent), row.vm.ram_percent, row.vm.estimate, source)


def _vm_overflow(row: _VmRow) -> Cell:
    figure = "overflow_start_s"
    return Cell(vm_overflow_words(row.run, row.vm), row.vm.value(figure), source=row.source(figure))


def _restarts(row: _VmRow) -> Cell:
    count = row.vm.restarts
    return Cell(str(count), count, source=row.source("restarts") if count else None)


_VM_FIELDS: tuple[RowField[_VmRow], ...] = (
    text_field("Configuration", lambda row: row.cache.label),
    text_field("Run", lambda row: row.run.run.name),
    text_field("VM", lambda row: row.vm.vm),
    _vm_field("Size", "ram_cache_mb", "MB"),
    _vm_field("RAM used", "cache_ram_used_mb_peak", "MB, peak", estimate=True),
    _vm_field("RAM used", "cache_ram_used_mb_end", "MB, end", estimate=True),
    number_field("RAM used", _used_percent, unit="%"),
    number_field(
        "Overflow",
        _vm_overflow,
        unit="time after start",
        tip="Time from the start of the first phase to the cache overflow",
    ),
    _vm_field("Fill rate", "fill_rate_mb_per_min", "MB/min"),
    number_field(
        "Cache full", lambda row: _seconds(row.vm.time_to_full_s, row.source("time_to_full_s")), unit="time after start"
    ),
    _vm_field("Cache disk", "cache_disk_used_mb_peak", "MB, peak"),
    _vm_field("Cache disk", "cache_disk_used_mb_end", "MB, end"),
    number_field(
        "Cache disk use levels off",
        lambda row: _level_cell(row.vm, row.source("cache_disk_levels_off_s")),
        unit="time after start",
    ),
    _vm_field("Cache disk use", "cache_disk_levels_off_mb", "MB, at the plateau"),
    _vm_field("Cache disk growth at end", "cache_disk_growth_at_end_mb_per_min", "MB/min"),
    number_field("Restarts", _restarts),
)


def cache_vm_table(answer: CacheAnswer) -> TableData:
    """One row per run and VM that has cache counters."""
    look = looks([cache.group for cache in answer.cached])
    rows = [_VmRow(cache, run, vm) for cache in answer.cached for run in cache.runs for vm in run.vms]
    legend, method = _legend(answer)
    return table_of(_VM_FIELDS, rows, None, lambda row: look[row.cache.label], legend=legend, name=VMS, method=method)


def _io_cells(sweep: Sweep, row: SweepRow, look: Look) -> tuple[Cell, ...]:
    change, writes = row.total_change, row.write_change
    refused = None if row.objection is None else Cell("~", None, row.objection)
    scope = "_per_vm" * sweep.per_vm
    total = source_of(row.group, sweep.phase, f"iops{scope}", row.total)
    return (
        Cell(row.label, row.label, look=look),
        _number(row.size_mb),
        Cell(str(row.n), row.n),
        _number(row.total, total),
        Cell("baseline")
        if row.baseline
        else refused
        or _percent(
            None if change is None else change.percent,
            change_text(change, "IOPS", row.total),
            _against(sweep, row, f"iops{scope}", lambda row: row.total),
        ),
        refused
        or _percent(
            None if writes is None else writes.percent,
            change_text(writes, "IOPS", row.write),
            _against(sweep, row, f"write_iops{scope}", lambda row: row.write),
        ),
        _number(row.split.shared, tier_source(row.group, sweep.phase, f"shared_iops{scope}", row.split.shared)),
        _number(
            row.split.cache_disk, tier_source(row.group, sweep.phase, f"cache_disk_iops{scope}", row.split.cache_disk)
        ),
    )


def _use_cells(one: ConfigurationCache | None) -> tuple[Cell, ...]:
    if one is None:
        return (Cell(MISSING),) * 7
    words = overflow_words(one)
    return (
        Cell(words, one.overflow_s, _ESTIMATE if one.estimate else "", source=cache_source(one, "overflow_start_s")),
        _starred(
            percent(one.mean("cache_ram_used_percent")),
            one.mean("cache_ram_used_percent"),
            one.estimate,
            cache_source(one, "cache_ram_used_percent"),
        ),
        _starred_number(one.mean("fill_rate_mb_per_min"), one.estimate, cache_source(one, "fill_rate_mb_per_min")),
        _seconds(one.mean("time_to_full_s"), cache_source(one, "time_to_full_s")),
        _number(one.disk_peak_mb, cache_source(one, "cache_disk_used_mb_peak")),
        _number(one.disk_highest_mb, highest_disk_source(one)),
        _seconds(one.level_s, None if one.level_s is None else cache_source(one, "cache_disk_levels_off_s")),
    )


def _against(
    sweep: Sweep, row: SweepRow, figure: str, value: Callable[[SweepRow], float | None]
) -> FigureSource | None:
    """The source of a change from the sweep's baseline, if both sides are figures of the phase table."""
    base = sweep.baseline
    if base is None or base is row:
        return None
    known = all(source_of(one.group, sweep.phase, figure, value(one)) for one in (base, row))
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


def _cost_cells(row: SweepRow, one: ConfigurationCache | None, desktops: float) -> tuple[Cell, ...]:
    size = row.size_mb
    ram = None if size is None else ram_cost_gib(size, desktops)
    how = gib_words(desktops)
    sized = None if one is None else cache_source(one, "ram_cache_mb", how)
    disk = None if one is None else one.disk_gib_for(desktops)[1]
    return _number(ram, sized), _number(disk, None if one is None else highest_disk_source(one, how))


def _level_cell(vm: VmCache, source: FigureSource | None) -> Cell:
    if vm.disk_level is None:
        return Cell(MISSING)
    if vm.disk_level.at is None:
        return Cell("still growing")
    return _seconds(vm.value("cache_disk_levels_off_s"), source)


def _legend(answer: CacheAnswer) -> tuple[str, tuple[str, ...]]:
    """The line under a table: the signs that occur in it, and the method."""
    estimate = any(cache.estimate for cache in answer.cached)
    single = any(row.total_change and row.total_change.basis == "single" for row in answer.sweep.rows)
    return captioned(
        ("* means estimated" * estimate, "Single runs have no 95 % interval" * single),
        (
            "Estimates are upper bounds: the nonpaged pool contains more than the cache" * estimate,
            "1 MB = 2²⁰ bytes, 1 GB = 2³⁰ bytes",
        ),
        MOST_IN_FOOTER,
    )


def _number(value: float | None, source: FigureSource | None = None) -> Cell:
    return Cell(number(value), value, source=source)


def _percent(value: float | None, tip: str = "", source: FigureSource | None = None) -> Cell:
    return Cell(MISSING) if value is None else Cell(signed(value, 1), value, tip, source=source)


def _seconds(value: float | None, source: FigureSource | None = None) -> Cell:
    return Cell(duration(value), value, source=source)


def _starred(text: str, value: float | None, estimate: bool, source: FigureSource | None) -> Cell:
    if value is None or not estimate:
        return Cell(text, value, source=source)
    return Cell(f"≤{THIN}{text}*", value, _ESTIMATE, source=source)


def _starred_number(value: float | None, estimate: bool, source: FigureSource | None) -> Cell:
    if value is None or not estimate:
        return _number(value, source)
    return Cell(f"{number(value)}*", value, _ESTIMATE, source=source)
