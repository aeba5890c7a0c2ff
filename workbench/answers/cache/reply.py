"""`vdiwb cache`: the RAM cache size that is enough, the I/O that it leaves, and its cost.

JSON and CSV rows have the schema vdi-workbench/cache/1: keys may be added, never renamed or removed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache, Enough, VmDip, cache_answer
from workbench.answers.cache.overflow_dip import Dip
from workbench.answers.cache.sentences import advice_for, dip_words, enough_words, planned_words, scope_words
from workbench.answers.cache.sources import explain_cache_run
from workbench.answers.cache.sweep import SweepRow, ram_cost_gib, sweep_phase
from workbench.answers.cache.sweep_figure import advice_words
from workbench.answers.cache.tables import cache_table, cache_vm_table
from workbench.answers.cache.untested.page import planned_name
from workbench.answers.cache.untested.predict import Untested, untested
from workbench.answers.cache.untested.sentences import prediction_words
from workbench.answers.cache.untested.tables import left_out_table, predicted_row, predicted_table
from workbench.answers.common.baselines import evidence_of_baseline, guess_notes, own_baseline, with_option
from workbench.answers.common.causes import alike
from workbench.answers.common.document import Table, attributes, iso, problem_row
from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.common.options import phase_called
from workbench.answers.common.reply import Block, Reply, nothing_counts, with_sources
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.measures.configurations import group_runs, phase_names
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import reports_of
from workbench.measures.statistics import Change
from workbench.model.problem import Problem
from workbench.model.run import Study
from workbench.model.source import Explanation
from workbench.words.metrics import in_phase

CACHE_SCHEMA = "vdi-workbench/cache/1"
# Keys, and the attributes that they are.
_TIERS = (("shared", "shared"), ("cache_disk", "cache"), ("unsplit", "unsplit"))
_SPLIT = {f"{name}_{way}_iops": f"{tier}_{way}" for name, tier in _TIERS for way in ("read", "write")}
_MEANS = ("cache_ram_used_mb_peak", "cache_ram_used_mb_peak_low", "cache_ram_used_percent")


@dataclass(frozen=True, eq=False)
class Answered:
    """A study by name with its cache answer."""

    study: str
    answer: CacheAnswer


def cache(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The cache sweep of every study. Raises UsageError for a phase that no study has."""
    figures = {study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs}
    groups, unknown = with_option({name: group_runs(runs) for name, runs in figures.items()}, options.baseline)
    every = [group for members in groups.values() for group in members]
    phase = None if options.phase is None else phase_called(options.phase, phase_names(every))
    answered = [
        Answered(name, cache_answer(members, phase or sweep_phase(members)))
        for name, members in groups.items()
        if any(group.runs for group in members)
    ]
    desktops = float(ASSUMED_DESKTOPS if options.desktops is None else options.desktops)
    problems = [*own_baseline(unknown), *(problem for study in studies for problem in study.problems)]
    problems += [problem for runs in figures.values() for run in runs for problem in run.problems]
    reply = Reply(
        lambda: [_text(study, desktops, options) for study in answered] or [[nothing_counts(every)]],
        lambda: cache_json(answered, desktops, options.desktops is None, problems, options.size or ()),
        lambda: cache_rows(answered, desktops),
        complaints=own_baseline(unknown),
        notes=guess_notes(groups),
    )
    return with_sources(reply, _explained(answered, studies), below=True) if options.explain else reply


def _explained(answered: Sequence[Answered], studies: tuple[Study, ...]) -> list[Explanation]:
    """Every figure of every run that counts; the rates by tier are those of the phase of the sweep."""
    reports = reports_of(studies)
    return [
        explanation
        for study in answered
        for row in study.answer.sweep.rows
        for run in row.group.runs
        for explanation in explain_cache_run(run, study.answer.sweep.phase, reports)
    ]


def _text(study: Answered, desktops: float, options: argparse.Namespace) -> list[Block]:
    answer = study.answer
    if not answer.cached:
        return [f"{study.study}: no configuration has a RAM cache."]
    name = f"{study.study}: {scope_words(answer.sweep)} {in_phase(answer.sweep.phase)}"
    kinds = frozenset(use.group.session_type for use in answer.cached)
    blocks: list[Block] = [replace(cache_table(answer, desktops), name=name)]
    if options.vms:
        blocks.append(cache_vm_table(answer))
    blocks += [enough_words(enough) for enough in answer.enough]
    blocks += _predictions(answer, desktops, options.size or ())
    blocks += [dip_words(answer.dips), advice_words(advice_for(kinds)) + "."]
    blocks.append(planned_words(answer, desktops, options.desktops is None))
    return [*blocks, *alike(answer.problems)]


def _predictions(answer: CacheAnswer, desktops: float, sizes: Sequence[float]) -> list[Block]:
    """The predictions for sizes that were not tested, their data, and how reliable they are."""
    kinds = untested(answer)
    predicted = [kind for kind in kinds if isinstance(kind, Untested)]
    tables: list[Block] = [predicted_table(predicted, desktops, sizes), left_out_table(predicted)] if predicted else []
    sentences = [sentence for kind in kinds for sentence in prediction_words(kind, desktops)]
    return [*tables, *sentences, *(_to_test(kind, desktops) for kind in predicted if kind.knee_mb is not None)]


def _to_test(kind: Untested, desktops: float) -> str:
    name = planned_name(kind, ceil(kind.bound_mb(desktops) or kind.knee_mb or 0.0))
    how = f" To plan runs, use 'vdiwb plan PATH --add \"{name}\"'." if name else ""
    return f"Predictions do not change verdicts. Test the chosen size.{how}"


def cache_json(
    answered: Sequence[Answered],
    desktops: float,
    assumed: bool,
    problems: Sequence[Problem] = (),
    sizes: Sequence[float] = (),
) -> Table:
    """`vdiwb cache --format json` as a value: MB are 2^20 bytes, null = not available, times ISO-8601 UTC.

    `assumed`: the number of VMs is the default, not the user's. `problems` are the problems of the studies. `sizes` in
    MB are the sizes to predict.
    """
    own = [problem for study in answered for problem in study.answer.problems]
    kinds = frozenset(row.group.session_type for study in answered for row in study.answer.sweep.rows)
    return {
        "schema": CACHE_SCHEMA,
        "desktops": desktops,
        "desktops_origin": "assumed" if assumed else "yours",
        "smallest_without_overflow": [_enough(enough, study) for study in answered for enough in study.answer.enough],
        "configurations": [row for study in answered for row in _configurations(study, desktops)],
        "vms": [row for study in answered for row in _vms(study)],
        "predicted": [
            predicted_row(kind, study.study, desktops, sizes) for study in answered for kind in untested(study.answer)
        ],
        "dips": [_dip(dip, study) for study in answered for dip in study.answer.dips],
        "published_advice": [
            attributes(advice, "session_type", "machine", "least_mb", "words", "source") for advice in advice_for(kinds)
        ],
        "problems": [problem_row(problem) for problem in (*own, *problems)],
    }


def cache_rows(answered: Sequence[Answered], desktops: float) -> list[Table]:
    """The sweep flat: one row per study and configuration."""
    return [row for study in answered for row in _configurations(study, desktops)]


def _configurations(answered: Answered, desktops: float) -> list[Table]:
    cached = {cache.label: cache for cache in answered.answer.cached}
    return [_configuration(row, cached.get(row.label), answered, desktops) for row in answered.answer.sweep.rows]


def _configuration(row: SweepRow, cache: ConfigurationCache | None, answered: Answered, desktops: float) -> Table:
    sweep = answered.answer.sweep
    judgement = row.cpu_judgement
    return {
        "study": answered.study,
        "configuration": row.label,
        "phase": sweep.phase,
        "provisioning": row.group.configuration.provisioning.value,
        "session_type": row.group.session_type.value,
        **attributes(row, baseline="baseline", runs="n", ram_cache_mb="size_mb"),
        "iops_scope": "per_vm" if sweep.per_vm else "all_vms",
        **attributes(row, iops="total", write_iops="write"),
        **attributes(row.split, **_SPLIT),
        **_change("iops", row.total_change),
        **_change("write_iops", row.write_change),
        **_change("shared_iops", row.shared_change),
        "cpu_percent": row.cpu_percent,
        **_change("cpu", row.cpu_change),
        "cpu_verdict": None if judgement is None else judgement.verdict.value,
        "ram_gib_for_desktops": None if row.size_mb is None else ram_cost_gib(row.size_mb, desktops),
        **_use(cache, desktops),
        "objection": row.objection,
        "baseline_evidence": evidence_of_baseline([row.group]) if row.baseline else None,
    }


def _use(cache: ConfigurationCache | None, desktops: float) -> Table:
    mean, highest = (None, None) if cache is None else cache.disk_gib_for(desktops)
    return {
        **attributes(
            cache, "overflowed", "overflow_runs", overflow_start_s="overflow_s", log_begins_full="begins_full"
        ),
        **attributes(cache, cache_ram_estimate="estimate"),
        **{figure: cache and cache.mean(figure) for figure in (*_MEANS, "fill_rate_mb_per_min", "time_to_full_s")},
        **attributes(
            cache, cache_disk_used_mb_peak_mean="disk_peak_mb", cache_disk_used_mb_peak_highest="disk_highest_mb"
        ),
        **attributes(cache, cache_disk_levels_off_s="level_s", cache_disk_levels_off_mb="level_mb"),
        "cache_disk_gib_for_desktops_mean": mean,
        "cache_disk_gib_for_desktops_highest": highest,
    }


def _vms(answered: Answered) -> list[Table]:
    return [
        _vm(vm, run, cache, answered.study) for cache in answered.answer.cached for run in cache.runs for vm in run.vms
    ]


def _vm(vm: VmCache, run: RunCache, cache: ConfigurationCache, study: str) -> Table:
    level = vm.disk_level
    return {
        "study": study,
        "configuration": cache.label,
        "run": run.run.name,
        **attributes(
            vm, "vm", ram_cache_mb="size_mb", ram_cache_size_from="size_from", cache_ram_used_mb_end="ram_end_mb"
        ),
        **attributes(vm, cache_ram_used_mb_peak="ram_peak_mb", cache_ram_used_mb_peak_low="ram_low_mb"),
        **attributes(
            vm, cache_ram_used_percent="ram_percent", cache_ram_estimate="estimate", cache_ram_from="ram_from"
        ),
        "fill_start": _iso(None if vm.filling is None else vm.filling.start),
        "fill_end": _iso(None if vm.filling is None else vm.filling.end),
        **attributes(vm.filling, fill_rate_mb_per_min="rate_mb_per_min"),
        "full_at": _iso(vm.full_at),
        "time_to_full_s": vm.time_to_full_s,
        "overflowed": vm.overflowed,
        "overflow_start": _iso(vm.overflow_start),
        **attributes(vm, log_begins_percent="begins_percent", log_begins_full="begins_full"),
        **attributes(vm, cache_disk_used_mb_end="disk_end_mb", cache_disk_used_mb_peak="disk_peak_mb"),
        "cache_disk_size_mb": vm.disk_size_mb,
        "cache_disk_levels_off": _iso(None if level is None else level.at),
        **attributes(level, cache_disk_levels_off_mb="mb", cache_disk_growth_at_end_mb_per_min="end_rate_mb_per_min"),
        "restarts": vm.restarts,
    }


def _enough(enough: Enough, answered: Answered) -> Table:
    smallest = enough.smallest
    return {
        "study": answered.study,
        "provisioning": enough.provisioning.value,
        "session_type": enough.session_type.value,
        **attributes(smallest, configuration="label", ram_cache_mb="size_mb"),
        "runs": None if smallest is None else len(smallest.runs),
        "overflowed": [cache.label for cache in enough.overflowing],
        "unknown": [cache.label for cache in enough.unknown],
    }


def _dip(dip: VmDip, answered: Answered) -> Table:
    details = dip.found if isinstance(dip.found, Dip) else None
    before, highest = (None, None) if dip.latency_ms is None else dip.latency_ms
    return {
        "study": answered.study,
        **attributes(dip, "run", "vm"),
        "found": details is not None,
        "reason": None if isinstance(dip.found, Dip) else dip.found.reason,
        **attributes(details, iops_before="before", iops_trough="trough", fall_percent="fall_percent"),
        "start": _iso(None if details is None else details.start),
        "trough_at": _iso(None if details is None else details.trough_at),
        "recovered_at": _iso(None if details is None else details.recovered_at),
        "duration_s": details and details.duration_s,
        "latency_ms_before": before,
        "latency_ms_highest": highest,
    }


def _change(name: str, change: Change | None) -> Table:
    low, high = (None, None) if change is None else change.percent_ends
    return {
        f"{name}_change_percent": None if change is None else change.percent,
        f"{name}_change_percent_low": low,
        f"{name}_change_percent_high": high,
        f"{name}_change_basis": None if change is None else change.basis,
    }


def _iso(moment: float | None) -> str | None:
    return None if moment is None else iso(moment)
