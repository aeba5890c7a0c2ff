"""`vdiwb storyboard`: the slides in their order and the summary, as JSON and CSV."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from workbench.answers.common.causes import alike
from workbench.answers.common.choices import Choices
from workbench.answers.common.document import Table, problem_row
from workbench.answers.common.library import Library
from workbench.answers.common.reply import Block, Reply
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.answers.storyboard.tables import shows_words, storyboard_table
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study


def storyboard(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The storyboard of the workspace file, otherwise the default one."""
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    story = shown_story(library, options.state or Choices())
    return Reply(lambda: _text(story), lambda: storyboard_json(story), lambda: storyboard_rows(story))


def _text(story: ShownStory) -> list[list[Block]]:
    if not story.slides:
        return [list(story.summary), ["The storyboard has no slides: no finding has a chart, and no view is saved."]]
    return [list(story.summary), [storyboard_table(story), *alike(story.problems)]]


SCHEMA = "vdi-workbench/storyboard/1"


def storyboard_json(story: ShownStory) -> Table:
    """The schema `vdi-workbench/storyboard/1`: title, summary, slides in their order, problems."""
    return {
        "schema": SCHEMA,
        "title": story.storyboard.title or None,
        "own": story.own,
        "summary": list(story.summary),
        "slides": [_slide(place, shown) for place, shown in enumerate(story.slides, 1)],
        "problems": [problem_row(problem) for problem in story.problems],
    }


def storyboard_rows(story: ShownStory) -> list[Table]:
    """A row for each slide."""
    return [
        {
            "slide": place,
            "study": shown.study.name if shown.study else None,
            "sentence": shown.sentence or None,
            "shows": shows_words(shown),
            "strength": shown.findings[0].strength.value if shown.findings else None,
            "findings": len(shown.findings),
            "appendix": shown.slide.appendix,
            "notice": shown.notice or None,
        }
        for place, shown in enumerate(story.slides, 1)
    ]


def _slide(place: int, shown: ShownSlide) -> Table:
    slide, study = shown.slide, shown.study
    lead = shown.findings[0] if shown.findings else None
    return {
        "slide": place,
        "key": _named(slide.key, shown),
        "study": study.name if study else None,
        "kind": slide.kind,
        "sentence": shown.sentence or None,
        "edited": slide.words is not None,
        "also": list(shown.also),
        "findings": [_named(finding.key, shown) for finding in shown.findings],
        "strength": lead.strength.value if lead else None,
        "caveats": list(lead.caveats) if lead else [],
        "page": (lead.page if lead else shown.view.page if shown.view else slide.page) or None,
        "view": (lead.view if lead else slide.view or slide.page_view) or None,
        "phase": (lead.phase if lead else shown.view.phase if shown.view else "") or None,
        "notes": slide.notes,
        "switches": asdict(slide.switches),
        "appendix": slide.appendix,
        "notice": shown.notice or None,
    }


def _named(key: str, shown: ShownSlide) -> str:
    """The key with the study's name in place of its folder, so it does not depend on where the results are stored."""
    study = shown.study
    return key.replace(study.folder, study.name, 1) if study and study.folder and key.startswith(study.folder) else key
