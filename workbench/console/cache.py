"""`vdiwb cache`: how much RAM cache is enough, what it leaves of the I/O, what it costs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.answer_sources import sweep_phase
from workbench.answers.cache import document as rows
from workbench.answers.cache.advice import advice_for
from workbench.answers.cache.compute import cache_answer
from workbench.answers.cache.document import Answered
from workbench.answers.cache.sentences import dip_words, enough_words, scope_words
from workbench.answers.cache.sources import explain_cache_run
from workbench.answers.cache.sweep_figure import advice_words
from workbench.answers.cache.tables import cache_table, cache_vm_table
from workbench.answers.common.document import to_csv, to_json
from workbench.answers.common.explain_document import explain_rows
from workbench.console.command import Command, UsageError
from workbench.console.explain import explain_key, explain_option, explain_text
from workbench.console.phases import phase_called
from workbench.console.tables import nothing_counts, printable, problem_line, table_text
from workbench.measures.configurations import group_runs, phase_names
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import reports_of
from workbench.model.run import Study
from workbench.model.source import Explanation
from workbench.words.metrics import phase_words

ASSUMED_DESKTOPS = 100.0


def _run(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    figures = {study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs}
    groups = {name: group_runs(found) for name, found in figures.items()}
    every = phase_names([group for found in groups.values() for group in found])
    wanted = None if options.phase is None else phase_called(options.phase, every)
    answered = [
        Answered(name, cache_answer(found, wanted or sweep_phase(found)))
        for name, found in groups.items()
        if any(group.runs for group in found)
    ]
    desktops = ASSUMED_DESKTOPS if options.desktops is None else float(options.desktops)
    explanations = _explained(answered, studies) if options.explain else []
    if options.format == "json":
        problems = [p for study in studies for p in study.problems]
        problems += [p for found in figures.values() for one in found for p in one.problems]
        table = rows.cache_table(answered, desktops, options.desktops is None, problems)
        return to_json(table | explain_key(options, explanations))
    if options.format == "csv":
        return to_csv(explain_rows(explanations) if options.explain else rows.cache_rows(answered, desktops))
    if not answered:
        return nothing_counts([group for found in groups.values() for group in found])
    text = "\n\n".join(_text(one, desktops, options) for one in answered)
    return f"{text}\n\n{explain_text(explanations)}" if explanations else text


def _explained(answered: Sequence[Answered], studies: tuple[Study, ...]) -> list[Explanation]:
    """Every figure of every run that counts, the rates by tier in the phase of the sweep."""
    reports = reports_of(studies)
    return [
        found
        for one in answered
        for row in one.answer.sweep.rows
        for run in row.group.runs
        for found in explain_cache_run(run, one.answer.sweep.phase, reports)
    ]


def _text(one: Answered, desktops: float, options: argparse.Namespace) -> str:
    answer = one.answer
    if not answer.cached:
        return f"{printable(one.study)}: no configuration has a RAM cache."
    name = f"{one.study}: {scope_words(answer.sweep)} in {phase_words(answer.sweep.phase)}"
    kinds = frozenset(found.group.session_type for found in answer.cached)
    lines = [table_text(replace(cache_table(answer, desktops), name=name))]
    if options.vms:
        lines.append(table_text(cache_vm_table(answer)))
    lines += [printable(enough_words(enough)) for enough in answer.enough]
    lines += [printable(dip_words(answer.dips)), advice_words(advice_for(kinds)) + "."]
    if options.desktops is None:
        lines.append(f"{desktops:g} VMs are assumed; --desktops N plans for yours.")
    lines += [problem_line(problem) for problem in answer.problems]
    return "\n".join(lines)


def _check(options: argparse.Namespace) -> None:
    if options.desktops is not None and not 1 <= options.desktops <= 10_000_000:
        raise UsageError(f"{options.desktops:g} VMs cannot be planned. Enter 1 to 10,000,000 VMs.")


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--desktops",
        type=int,
        metavar="N",
        help="VMs (desktops or RDS servers) to plan for (default: 100, assumed)",
    )
    parser.add_argument("--phase", metavar="PHASE", help="the phase of the sweep (default: steady)")
    explain_option(parser)
    parser.add_argument("--vms", action="store_true", help="a row for each VM as well (table only)")


COMMAND = Command(
    "cache",
    "cache use, overflow, and how much RAM cache is enough",
    "vdiwb cache sample_data --desktops 500",
    _run,
    ("table", "json", "csv"),
    options=_options,
    check=_check,
)
