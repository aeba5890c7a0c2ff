"""The reply of the command."""

from __future__ import annotations

import argparse

from tests.toy_answer.compute import runs_table
from workbench.answers.common.reply import Reply
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Study


def reply(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """A row for each configuration."""
    groups = group_runs(RunFigures(run, (), ()) for study in studies for run in study.runs)
    groups = tuple(group for group in groups if len(group.runs) >= options.least)
    rows = [{"configuration": group.label, "runs": len(group.runs)} for group in groups]
    return Reply(lambda: [[runs_table(groups)]], lambda: {"configurations": rows}, lambda: rows)
