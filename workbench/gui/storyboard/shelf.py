"""The slides of the storyboard. They are computed in the background one after the other, and kept until the figures
change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from workbench.answers.common.choices import Choices, SavedView
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import StorySlide
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.exporters.document.document import Slide
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import slide_in_window_language
from workbench.gui.services.workspace import Workspace
from workbench.session.state import State

# The content of a slide: its part of the storyboard without notes and position, its sentence, its view, its study.
Shows = tuple[StorySlide, str, SavedView | None, bool]


def in_order(story: ShownStory) -> tuple[ShownSlide, ...]:
    """The slides in the order of their numbers: those of the story, then those of the appendix."""
    return tuple(sorted(story.slides, key=lambda shown: shown.slide.appendix))


class SlideShelf(QObject):
    """`arrived` reports the key of a slide that has been computed."""

    arrived = Signal(str)

    def __init__(self, parent: QObject, workspace: Workspace, tasks: Tasks) -> None:
        super().__init__(parent)
        self._workspace, self._tasks = workspace, tasks
        self._of: tuple[Library, State] | None = None
        self._slides: dict[Shows, Slide] = {}
        self._wanted: set[Shows] = set()

    @property
    def figures(self) -> object:
        """The inputs of the slides' values: a different object after they have changed."""
        self._look()
        return self._of

    def slide(self, shown: ShownSlide, several: bool = False) -> Slide | None:
        """The slide with its current notes; None while it is computed."""
        self._look()
        slide = self._slides.get(shows(shown, several))
        return None if slide is None else replace(slide, key=shown.slide.key)

    def want(self, slides: Iterable[ShownSlide], several: bool = False) -> None:
        """Computes the missing ones of these slides, in their order."""
        self._look()
        library, state = self._workspace.library, self._workspace.state
        for shown in slides:
            key = shows(shown, several)
            if key in self._slides or key in self._wanted:
                continue
            self._wanted.add(key)
            self._tasks.run(
                f"slide {hash(key)}",
                partial(made_slide, shown, library, state, several),
                partial(self._keep, key, shown.slide.key, self._of),
            )

    def _look(self) -> None:
        """Drops slides that were computed from other figures."""
        state = self._workspace.state
        looked_at = replace(
            state, page="", page_views=(), lit_vm=None, theme="light", storyboard=None, views=(), study=None
        )
        if self._of is None or self._of[0] is not self._workspace.library or self._of[1] != looked_at:
            self._of = self._workspace.library, looked_at
            self._slides.clear()
            self._wanted.clear()

    def _keep(self, key: Shows, slide_key: str, of: object, slide: Slide) -> None:
        if of is self._of:
            self._wanted.discard(key)
            self._slides[key] = slide
            self.arrived.emit(slide_key)


def shows(shown: ShownSlide, several: bool) -> Shows:
    """The content of a slide. Two slides with equal content look alike at any position."""
    return replace(shown.slide, key="", notes=None, appendix=False), shown.sentence, shown.view, several


def made_slide(shown: ShownSlide, library: Library, choices: Choices, several: bool) -> Slide:
    """The slide as it is exported. A slide without content shows the reason below its sentence."""
    from workbench.exporters.document.slides import slide_of

    figures = {figure.run.folder: figure for figure in library.as_seen(choices)}
    slide, why = slide_of(replace(shown, slide=replace(shown.slide, notes=None)), library, choices, figures, several)
    if slide is None:
        reason = shown.notice or (why[:1].upper() + why[1:])
        slide = Slide(shown.sentence or shown.slide.view, evidence=reason, switches=shown.slide.switches, of_story=True)
    return slide_in_window_language(slide)
