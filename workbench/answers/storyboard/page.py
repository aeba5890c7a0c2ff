"""The page of the storyboard: the slides in their order, as the window shows them and as a table."""

from __future__ import annotations

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.spec import QUESTION
from workbench.answers.storyboard.tables import counted_slides, storyboard_table
from workbench.charts.content import Content

NOTHING = "There are no findings and no saved views yet. Press Ctrl+B on a page to save its view."


def storyboard(library: Library, choices: Choices) -> Content:
    """The slides; `empty` states the reason if there are no slides."""
    story = shown_story(library, choices)
    if not story.slides and not story.own:
        return Content(QUESTION, empty=NOTHING)
    made = "your own order" if story.own else "the default order"
    method = (f"The presentation and exports use {made}",)
    return Content(QUESTION, counted_slides(story), tables=(storyboard_table(story),), story=story, method=method)
