"""The page: a bar and a row for each configuration."""

from __future__ import annotations

import numpy as np

from tests.toy_answer.compute import runs_table
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.charts.content import Content
from workbench.charts.figure import Axis, Bars, Figure, Look, Panel

QUESTION = "How many runs has each configuration?"


def answer(library: Library, choices: Choices) -> Content:
    """The content of the page."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    runs = np.array([float(len(group.runs)) for group in groups])
    panel = Panel(
        "Runs",
        Axis("", categories=tuple(group.label for group in groups)),
        Axis("Runs", "runs"),
        (Bars("Runs", runs, Look("quiet")),),
    )
    figure = Figure("toy-runs", QUESTION, "Runs that count", (panel,), summary="Runs of each configuration.")
    return Content(QUESTION, figure.caption, figure=figure, tables=(runs_table(groups),))
