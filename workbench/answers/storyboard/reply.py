"""`vdiwb storyboard`: the slides in their order, with the summary."""

from __future__ import annotations

import argparse

from workbench.answers.common.alike import alike
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.reply import Block, Reply
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.document import storyboard_json, storyboard_rows
from workbench.answers.storyboard.shown import ShownStory
from workbench.answers.storyboard.tables import storyboard_table
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study


def storyboard(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The storyboard of the workspace file, else the default one."""
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    story = shown_story(library, options.state or Choices())
    return Reply(lambda: _text(story), lambda: storyboard_json(story), lambda: storyboard_rows(story))


def _text(story: ShownStory) -> list[list[Block]]:
    if not story.slides:
        return [list(story.summary), ["There is no slide: no finding has a chart, and no view is saved."]]
    return [list(story.summary), [storyboard_table(story), *alike(story.problems)]]
