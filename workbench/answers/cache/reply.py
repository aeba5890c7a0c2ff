"""`vdiwb cache`: the RAM cache size that is enough, the I/O that it leaves, and its cost."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from workbench.answers.cache import document
from workbench.answers.cache.compute import CacheAnswer, cache_answer
from workbench.answers.cache.document import Answered
from workbench.answers.cache.sentences import advice_for, dip_words, enough_words, planned_words, scope_words
from workbench.answers.cache.sources import explain_cache_run
from workbench.answers.cache.sweep import sweep_phase
from workbench.answers.cache.sweep_figure import advice_words
from workbench.answers.cache.tables import cache_table, cache_vm_table
from workbench.answers.cache.untested.page import planned_name
from workbench.answers.cache.untested.predict import Untested, untested
from workbench.answers.cache.untested.sentences import prediction_words
from workbench.answers.cache.untested.tables import left_out_table, predicted_table
from workbench.answers.common.baselines import guess_notes, own_baseline, with_option
from workbench.answers.common.causes import alike
from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.common.options import phase_called
from workbench.answers.common.reply import Block, Reply, nothing_counts, with_sources
from workbench.measures.configurations import group_runs, phase_names
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import reports_of
from workbench.model.run import Study
from workbench.model.source import Explanation
from workbench.words.metrics import phase_words


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
        lambda: document.cache_table(answered, desktops, options.desktops is None, problems, options.size or ()),
        lambda: document.cache_rows(answered, desktops),
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
    name = f"{study.study}: {scope_words(answer.sweep)} in {phase_words(answer.sweep.phase)}"
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
    """For sizes that were not tested: the prediction, its data, and how reliable it is."""
    kinds = untested(answer)
    predicted = [kind for kind in kinds if isinstance(kind, Untested)]
    tables: list[Block] = [predicted_table(predicted, desktops, sizes), left_out_table(predicted)] if predicted else []
    sentences = [sentence for kind in kinds for sentence in prediction_words(kind, desktops)]
    return [*tables, *sentences, *(_to_test(kind, desktops) for kind in predicted if kind.knee_mb is not None)]


def _to_test(kind: Untested, desktops: float) -> str:
    name = planned_name(kind, ceil(kind.bound_mb(desktops) or kind.knee_mb or 0.0))
    how = f" 'vdiwb plan PATH --add \"{name}\"' adds that size to the run plan." if name else ""
    return f"Predictions do not change verdicts. Test the size you choose.{how}"
