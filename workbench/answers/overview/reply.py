"""`vdiwb summary`: the phase table and the sources of its figures."""

from __future__ import annotations

import argparse

from workbench.answers.common.document import summary_rows, summary_table
from workbench.answers.common.options import explained
from workbench.answers.common.reply import PhaseTable, Reply, with_sources
from workbench.measures.caches.use import all_problems
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study


def summary(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The phases of every run, with the problems of the files and of the figures."""
    figures = [run_figures(run) for study in studies for run in study.runs]
    problems = [problem for study in studies for problem in study.problems]
    problems += [problem for run in figures for problem in all_problems(run)]
    reply = Reply(
        lambda: [[PhaseTable(figures, problems)]],
        lambda: summary_table(figures, problems),
        lambda: summary_rows(figures),
    )
    return with_sources(reply, explained(options, figures, studies), below=True) if options.explain else reply
