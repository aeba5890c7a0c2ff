"""The columns of the phase table: header, unit, value, and the formula that gives the value again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from workbench.exporters.workbook.cells import FIGURE, MOMENT, PERCENT, WHOLE, Value
from workbench.exporters.workbook.rows import Row
from workbench.measures.formulas import evaluate, keys
from workbench.words.metrics import phase_words


@dataclass(frozen=True, slots=True)
class Column:
    """`formula` is written with the keys of the columns it uses, for example `{total_io}/{duration_s}`.

    `part` is the band above the header; `mean` columns are averaged in the Configurations sheet under the
    field of PhaseFigures that `key` names.
    """

    key: str
    part: str
    header: str
    value: Callable[[Row], Value]
    number_format: str = ""
    formula: str = ""
    mean: bool = False
    width: float = 10

    @property
    def numeric(self) -> bool:
        """Numbers stand to the right."""
        return bool(self.number_format)


def _figure(
    key: str, part: str, header: str, number_format: str = FIGURE, formula: str = "", width: float = 10
) -> Column:
    return Column(
        key,
        part,
        header,
        lambda row: getattr(row.figures, key),
        number_format,
        formula,
        mean=True,
        width=width,
    )


def _amount(rate: str) -> Callable[[Row], Value]:
    """I/Os of a phase from their rate: what the rate's formula divides again."""

    def amount(row: Row) -> Value:
        found: float | None = getattr(row.figures, rate)
        return None if found is None else found * row.figures.phase.duration_s

    return amount


def utc(at: float | None) -> datetime | None:
    """Seconds since 1970 as a moment that Excel can show, to the millisecond."""
    return None if at is None else datetime.fromtimestamp(round(at, 3), UTC)


def _ram_basis(row: Row) -> Value:
    if row.figures.cache_ram_used_mb_peak is None:
        return None
    return "estimate: nonpaged pool" if row.figures.cache_ram_estimate else "cache counter"


COLUMNS: tuple[Column, ...] = (
    Column("set", "Run", "Set", lambda row: row.number, "0", width=6),
    Column("study", "Run", "Study", lambda row: row.study.name, width=24),
    Column("configuration", "Run", "Configuration", lambda row: row.group.label, width=22),
    Column("run", "Run", "Run", lambda row: row.run.run.name, width=18),
    Column("phase", "Run", "Phase", lambda row: phase_words(row.figures.phase.name), width=12),
    Column("excluded", "Run", "Excluded because", lambda row: row.run.run.excluded, width=16),
    Column("vms", "Measured", "VMs", lambda row: row.figures.vms, "0", mean=True, width=8),
    Column("users", "Measured", "Users", lambda row: row.figures.users, "0", mean=True, width=8),
    Column(
        "duration_s",
        "Measured",
        "Duration (s)",
        lambda row: row.figures.phase.duration_s,
        WHOLE,
        mean=True,
        width=11,
    ),
    Column("total_io", "Measured", "Total I/O", lambda row: row.figures.total_io, WHOLE, mean=True, width=11),
    Column("reads", "Measured", "Reads", _amount("read_iops"), WHOLE, width=11),
    Column("writes", "Measured", "Writes", _amount("write_iops"), WHOLE, width=11),
    _figure("total_io_per_vm", "I/O", "Total I/O per VM", WHOLE, "{total_io}/{vms}", 11),
    _figure("iops", "I/O", "IOPS (1/s)", formula="{total_io}/{duration_s}"),
    _figure("iops_per_vm", "I/O", "IOPS per VM (1/s)", formula="{iops}/{vms}"),
    _figure("iops_per_user", "I/O", "IOPS per user (1/s)", formula="{iops}/{users}"),
    _figure("read_iops_per_vm", "I/O", "Read IOPS per VM (1/s)", formula="{reads}/{duration_s}/{vms}"),
    _figure("write_iops_per_vm", "I/O", "Write IOPS per VM (1/s)", formula="{writes}/{duration_s}/{vms}"),
    _figure("read_percent", "I/O", "Reads (%)", PERCENT, "100*{reads}/({reads}+{writes})", 8),
    _figure("write_percent", "I/O", "Writes (%)", PERCENT, "100*{writes}/({reads}+{writes})", 8),
    _figure("p95_iops_per_vm", "I/O", "95th percentile of IOPS per VM (1/s)", width=13),
    _figure("peak_iops_per_vm", "I/O", "Peak IOPS of one VM (1/s)", width=13),
    _figure("read_latency_ms", "Latency", "Read latency (ms)"),
    _figure("read_latency_p95_ms", "Latency", "Read latency, 95th perc. (ms)", width=11),
    _figure("write_latency_ms", "Latency", "Write latency (ms)"),
    _figure("write_latency_p95_ms", "Latency", "Write latency, 95th perc. (ms)", width=11),
    Column(
        "ram_cache_mb",
        "Cache",
        "RAM cache size (MB)",
        lambda row: row.group.configuration.ram_cache_mb,
        WHOLE,
    ),
    _figure("cache_ram_used_mb_end", "Cache", "Cache RAM used at end, per VM (MB)", width=12),
    _figure("cache_ram_used_mb_peak", "Cache", "Cache RAM used, peak of one VM (MB)", width=12),
    _figure(
        "cache_ram_used_percent",
        "Cache",
        "Cache RAM peak (% of size)",
        PERCENT,
        "100*{cache_ram_used_mb_peak}/{ram_cache_mb}",
        11,
    ),
    Column("ram_basis", "Cache", "Cache RAM from", _ram_basis, width=20),
    _figure("cache_disk_used_mb_end", "Cache", "Cache disk used at end, per VM (MB)", width=12),
    _figure("cache_disk_used_mb_peak", "Cache", "Cache disk used, peak of one VM (MB)", width=12),
    Column(
        "overflow_start",
        "Cache",
        "Overflow starts (UTC)",
        lambda row: utc(row.figures.overflow_start),
        MOMENT,
        width=18,
    ),
    _figure("cpu_percent", "CPU", "CPU (%)", PERCENT, width=8),
    Column("vantage", "Evidence", "Measured in", lambda row: row.figures.vantage, width=11),
    Column(
        "start", "Evidence", "Phase start (UTC)", lambda row: utc(row.figures.phase.start), MOMENT, width=18
    ),
    Column("end", "Evidence", "Phase end (UTC)", lambda row: utc(row.figures.phase.end), MOMENT, width=18),
    Column("evidence", "Evidence", "Phase from", lambda row: row.figures.phase.evidence, width=11),
    Column("rule", "Evidence", "Phase rule", lambda row: row.figures.phase.rule, width=44),
    Column(
        "provisioning",
        "Set-up",
        "Provisioning",
        lambda row: row.group.configuration.provisioning.value,
        width=12,
    ),
    Column("write_cache", "Set-up", "Write cache", lambda row: row.group.configuration.write_cache, width=20),
    Column("session_type", "Set-up", "Session type", lambda row: row.group.session_type.value, width=9),
    Column("line", "Set-up", "Line", lambda row: row.line, "0", width=7),
)


def formula_of(column: Column, row: Row) -> str:
    """The formula that gives the column's value in this row; empty where none does.

    Where some VMs lack a counter, rates are over those that have it, and users are those of the measured VMs: the
    formula then counts these, and a share that no total gives is a plain number.
    """
    value = column.value(row)
    if not column.formula or not isinstance(value, int | float):
        return ""
    for formula in (column.formula, _partly(column.key, row)):
        found = evaluate(formula, {key: _number(key, row) for key in keys(formula)}) if formula else None
        if found is not None and math.isclose(found, value, rel_tol=1e-12, abs_tol=1e-300):
            return formula
    return ""


def _partly(key: str, row: Row) -> str:
    """The formula of a run of which only a part was measured."""
    figures, run = row.figures, row.run.run
    if key == "iops_per_user" and run.vms:
        return f"{{iops}}/({{users}}*{{vms}}/{run.vms})"
    for rate, amount in (("read_iops", "reads"), ("write_iops", "writes")):
        whole, each = getattr(figures, rate), getattr(figures, f"{rate}_per_vm")
        if key == f"{rate}_per_vm" and whole and each:
            return f"{{{amount}}}/{{duration_s}}/{round(whole / each)}"
    return ""


def _number(key: str, row: Row) -> float | None:
    value = COLUMNS[PLACES[key] - 1].value(row)
    return value if isinstance(value, int | float) else None


# Typed in by a measurement, and used by the formulas: what a reviewer may want to change.
INPUTS = frozenset(("vms", "users", "duration_s", "total_io", "reads", "writes", "ram_cache_mb"))
# Shown with a star where they are an estimate.
ESTIMATED = frozenset(("cache_ram_used_mb_end", "cache_ram_used_mb_peak", "cache_ram_used_percent"))
PLACES = {column.key: place for place, column in enumerate(COLUMNS, start=1)}
