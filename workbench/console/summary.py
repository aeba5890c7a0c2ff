"""`vdiwb summary`: the phase table, and where its figures come from."""

from __future__ import annotations

import argparse

from workbench.answers.common.document import summary_rows, summary_table, to_csv, to_json
from workbench.answers.common.explain_document import explain_rows, explain_table
from workbench.console.command import Command
from workbench.console.explain import check_explain, explain_options, explain_text, explained
from workbench.console.tables import summary_text
from workbench.measures.caches.use import all_problems
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study


def _run(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    figures = [run_figures(run) for study in studies for run in study.runs]
    problems = [p for study in studies for p in study.problems] + [
        p for one in figures for p in all_problems(one)
    ]
    explanations = explained(options, figures, studies)
    if options.format == "json":
        table = summary_table(figures, problems)
        if options.explain:
            table["explain"] = [explain_table(found) for found in explanations]
        return to_json(table)
    if options.format == "csv":
        return to_csv(explain_rows(explanations) if options.explain else summary_rows(figures))
    text = summary_text(figures, problems)
    return f"{text}\n\n{explain_text(explanations)}" if explanations else text


COMMAND = Command(
    "summary",
    "the phase table",
    "vdiwb summary sample_data --format json",
    _run,
    ("table", "json", "csv"),
    options=explain_options,
    check=check_explain,
)
