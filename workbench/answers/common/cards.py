"""Answer cards: one large number per configuration, with its change from the baseline and its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.change_words import change_text
from workbench.answers.common.looks import looks
from workbench.answers.common.sources import source_of
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.charts.content import Card
from workbench.measures.comparability import why_apart
from workbench.measures.configurations import Group, baseline_of, change_from
from workbench.measures.measure import Measure, value_words
from workbench.measures.phase_table import PhaseFigures
from workbench.measures.significance.missing_data_check import IN_PART, unmeasured
from workbench.measures.significance.objections import objection
from workbench.measures.steadiness import marked_words
from workbench.measures.traced import TRACED
from workbench.model.metric import Quantity
from workbench.words.captions import named
from workbench.words.metrics import in_phase
from workbench.words.numbers import MISSING, THIN, duration, number, percent


def metric_cards(groups: Sequence[Group], phase: str, quantity: Quantity) -> tuple[Card, ...]:
    """The mean of the metric in a phase for each configuration with runs."""
    look = looks(groups)
    used = [group for group in groups if group.runs]
    base = baseline_of(groups)
    measure = TRACED[quantity]
    return tuple(
        Card(
            group.label,
            look[group.label],
            *_metric_value(group, base, phase, measure),
            source=source_of(group, phase, measure.key),
            spoken=named(group.label),
        )
        for group in used
    )


def card_measures(quantity: Quantity) -> tuple[str, ...]:
    """The keys of the metrics that `metric_cards` shows."""
    return (TRACED[quantity].key, *(("read_percent", "p95_iops_per_vm") if quantity is Quantity.IOPS else ()))


def cache_cards(groups: Sequence[Group], phase: str) -> tuple[Card, ...]:
    """Cache RAM used at the end of the phase for each configuration that has the value, with its share and overflow."""
    look = looks(groups)
    return tuple(
        Card(
            group.label,
            look[group.label],
            *_cache_value(group, phase),
            source=source_of(group, phase, "cache_ram_used_mb_end"),
            spoken=named(group.label),
        )
        for group in groups
        if group.values(phase, "cache_ram_used_mb_end") or group.values(phase, "cache_disk_used_mb_end")
    )


def _metric_value(group: Group, base: Group | None, phase: str, measure: Measure) -> tuple[str, str, str, str]:
    key, unit = measure.key, measure.unit
    value = group.mean(phase, key)
    if phase == WHOLE_RUN:
        return MISSING, "", "choose a phase to see its value", ""
    if value is None:
        return MISSING, "", f"not measured {in_phase(phase)}", ""
    detail = _detail(group, phase, measure)
    # With the digits of tables and sentences; the unit is next to it.
    text = value_words(value, unit).removesuffix(f"{THIN}{unit}")
    if base is group or base is None:
        return text, unit, f"baseline, n = {len(group.values(phase, key))}", detail
    if (reason := objection(base, group, phase, measure)) is not None:
        return text, unit, f"~ {reason}", detail
    if why_apart(base, group) is not None:
        return text, unit, "~ cannot be compared yet", detail
    change = change_from(base, group, phase, key)
    note = change_text(change, unit, base.mean(phase, key), measure.change_unit)
    return text, unit, f"{note}, {IN_PART}" if unmeasured((base, group), phase, measure) else note, detail


def _detail(group: Group, phase: str, measure: Measure) -> str:
    """Further values that a reviewer needs: the read share and the 95th percentile."""
    caveats = [*_running(group), *_caveats(group.phase(phase))]
    if measure.trace is not Quantity.IOPS:
        return " · ".join(caveats)
    read = group.mean(phase, "read_percent")
    p95 = group.mean(phase, "p95_iops_per_vm")
    parts = [
        *caveats,
        f"{percent(read)} reads" if read is not None else "",
        f"p95 {number(p95)}{THIN}IOPS" if p95 is not None else "",
    ]
    return " · ".join(part for part in parts if part)


def _running(group: Group) -> list[str]:
    return ["running: not final"] if any(run.run.running for run in group.runs) else []


def _caveats(rows: Sequence[PhaseFigures]) -> list[str]:
    """Facts that a user must know before quoting the number."""
    names = []
    if any(row.lower_bound for row in rows):
        shares = [row.measured_percent for row in rows if row.measured_percent is not None]
        names.append(f"lower bound: samples cover {percent(sum(shares) / len(shares))} of the phase")
    if any(row.phase.evidence == "activity" for row in rows):
        names.append("phase detected from activity")
    unsteady = [row.steadiness for row in rows if row.steadiness is not None and row.steadiness.unexplained]
    if unsteady:
        names.append(marked_words(unsteady[0]) if len(rows) == 1 else f"{len(unsteady)} of {len(rows)} runs not steady")
    if any(row.phase.doubt for row in rows):
        names.append("phase doubtful")
    return names


def _cache_value(group: Group, phase: str) -> tuple[str, str, str, str]:
    rows = group.phase(phase)
    ram = group.mean(phase, "cache_ram_used_mb_end")
    share = group.mean(phase, "cache_ram_used_percent")
    disk = group.mean(phase, "cache_disk_used_mb_end")
    estimate = any(row.cache_ram_estimate for row in rows)
    size = group.configuration.ram_cache_mb
    note = ""
    if estimate:
        note = "estimate from the nonpaged pool"
    elif share is not None and size:
        note = f"VM with the highest use: {percent(share)} of {number(size)}{THIN}MB"
    parts = [
        *_running(group),
        "cache disk not measured" if disk is None else f"{number(disk)}{THIN}MB on cache disk per VM",
    ]
    parts.append(_overflow_words(rows, disk))
    return number(ram), "MB of RAM", note, " · ".join(part for part in parts if part)


def _overflow_words(rows: Sequence[PhaseFigures], disk: float | None) -> str:
    starts = [row.overflow_start - row.phase.start for row in rows if row.overflow_start is not None]
    if starts:
        return f"overflow {duration(sum(starts) / len(starts))} into the phase"
    return "no overflow" if disk == 0 else ""
