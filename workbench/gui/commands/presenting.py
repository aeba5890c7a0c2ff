"""Presenting (F5): the slides of the storyboard in full screen; notes and the next slide on a second screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import StorySlide
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.exporters.document.document import Slide
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.theme import running_application
from workbench.gui.services.translation import language_of, tr
from workbench.gui.storyboard.room import PresentingRoom, SpeakerWindow
from workbench.gui.storyboard.shelf import SlideShelf, in_order
from workbench.gui.storyboard.slide_painter import SlidePlace
from workbench.session.settings import load_settings
from workbench.session.state import State


class Presenter(Commands):
    """The commands for presenting. The window below does not change: actions during a presentation change neither the
    page nor a saved view."""

    _shelf: SlideShelf

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        # The key of the first slide.
        self.start_at: Callable[[], str] = lambda: ""
        self.slides: tuple[ShownSlide, ...] = ()
        # Slides of a brief by their keys, computed in advance.
        self._made: dict[str, Slide] = {}
        # The inputs of their values (see `SlideShelf.figures`), and the studies.
        self._of: object = None
        self._studies: tuple[str, ...] = ()
        self.place = 0
        self.room: PresentingRoom | None = None
        self.speaker: SpeakerWindow | None = None
        self.screens: Callable[[], Sequence[QScreen]] = QGuiApplication.screens
        self._several = self._swapped = False
        self._shelf.arrived.connect(self._arrived)
        self._workspace.library_changed.connect(self._ask)
        application = running_application()
        for changed in (application.screenAdded, application.screenRemoved):
            # Done later, because then Qt has already moved the windows of a removed screen.
            changed.connect(self._screens_changed, Qt.ConnectionType.QueuedConnection)

    @property
    def on(self) -> bool:
        """True while the window presents."""
        return self.room is not None

    @property
    def story_length(self) -> int:
        """The number of slides that the arrow keys go through. The slides of the appendix come after them."""
        return sum(not shown.slide.appendix for shown in self.slides)

    @command("&View", "&Present", "F5", place=210)
    def toggle(self) -> None:
        """Starts or ends the presentation."""
        if self.on:
            self.stop()
        else:
            self.start()

    def start(self) -> None:
        """Shows the storyboard from the slide selected on its page, otherwise from the first. If the user has never
        edited the storyboard, the brief is shown instead."""
        if not self._workspace.library.files:
            self._status.tell(tr("Open a result folder first."))
            return
        self.slides, self._made, self._studies, self.place, self._swapped = (), {}, (), 0, False
        room = self.room = PresentingRoom(self._parent)
        room.stepped.connect(self.step)
        room.number_typed.connect(lambda number: self.show(number - 1))
        room.end_wanted.connect(lambda last: self.show(self.story_length - 1 if last else 0))
        room.left.connect(self.stop)
        room.swap_wanted.connect(self._swap)
        self._place_windows()
        room.activateWindow()
        room.setFocus()
        self._ask()

    def stop(self) -> None:
        """Ends the presentation; the window is unchanged."""
        for widget in (self.speaker, self.room):
            if widget is not None:
                _leave(widget)
        self.room = self.speaker = None
        self.slides = ()
        self._parent.activateWindow()

    def step(self, by: int) -> None:
        """Shows the next or previous slide of the story; stays at the first and last. Appendix slides are reached by
        number only; one step back from the first of them returns to the story."""
        length = len(self.slides) if self.place >= self.story_length else self.story_length
        self.show(min(max(self.place + by, 0), length - 1))

    def show(self, index: int) -> None:
        """Shows the slide at a position counted from 0; does nothing beyond the last."""
        if self.room is None or not 0 <= index < len(self.slides):
            return
        self.place = index
        if self._of is not self._shelf.figures:
            # The sentences of these slides contain other values than a newly computed slide.
            self._ask()
            return
        shown, following = self.slides[index], self._following
        wanted = (shown, *([] if following is None else [following]))
        self._want(wanted)
        theme = self._workspace.state.theme
        place = SlidePlace(index + 1, len(self.slides))
        slide = self._slide(shown)
        self.room.show_slide(slide, place, theme)
        if self.speaker is not None:
            coming = None if following is None else self._slide(following)
            self.speaker.tell(slide, shown.slide.notes or "", place, coming, theme)

    @property
    def _following(self) -> ShownSlide | None:
        """The slide that → shows next; None at an end."""
        if self.place + 1 in (self.story_length, len(self.slides)):
            return None
        return self.slides[self.place + 1] if self.place + 1 < len(self.slides) else None

    def _ask(self) -> None:
        """Requests the current storyboard if the widget waits for it."""
        if self.room is None:
            return
        library, state, of = self._workspace.library, self._workspace.state, self._shelf.figures
        studies = tuple(study.folder for study in library.studies)
        if studies != self._studies:
            # Content of another study must not stay on the screen.
            self._studies, self.slides = studies, ()
            self.room.show_slide(None, SlidePlace(1, 1), state.theme)
        language = language_of(load_settings().language)
        self._tasks.run("storyboard", lambda: _story(library, state, language), partial(self._show_story, of))

    def _show_story(self, of: object, asked: tuple[ShownStory, tuple[Slide, ...]]) -> None:
        if self.room is None:
            return
        if of is not self._shelf.figures:
            self._ask()
            return
        self._of = of
        known = self.slides[self.place].slide.key if self.slides else self.start_at()
        story, brief = asked
        self._made = {slide.key: slide for slide in brief}
        of_brief = tuple(ShownSlide(StorySlide(slide.key), slide.title) for slide in brief)
        self.slides, self._several = of_brief or in_order(story), len(story.studies) > 1
        if not self.slides:
            self.stop()
            self._status.tell(tr("The storyboard has no slides yet. Open results that have findings, or save a view."))
            return
        keys = [shown.slide.key for shown in self.slides]
        self.show(keys.index(known) if known in keys else 0)
        # In advance, in the order of presentation.
        self._want((*self.slides[self.place :], *self.slides[: self.place]))

    def _slide(self, shown: ShownSlide) -> Slide | None:
        return self._made.get(shown.slide.key) or self._shelf.slide(shown, self._several)

    def _want(self, slides: Iterable[ShownSlide]) -> None:
        self._shelf.want((shown for shown in slides if shown.slide.key not in self._made), self._several)

    def _arrived(self, key: str) -> None:
        """Handles a slide that has been computed."""
        if not self.on or not self.slides:
            return
        following = self._following
        if key in (self.slides[self.place].slide.key, following.slide.key if following is not None else ""):
            self.show(self.place)

    def _swap(self) -> None:
        """Swaps the screens of slides and notes."""
        self._swapped = not self._swapped
        self._place_windows()

    def _screens_changed(self) -> None:
        """Continues on the remaining screens after one was connected or removed."""
        if self.on:
            self._place_windows()
            self.show(self.place)

    def _place_windows(self) -> None:
        """Moves the slides to a second screen if there is one, and the notes to the window's screen."""
        if self.room is None:
            return
        here = self._parent.screen()
        others = [screen for screen in self.screens() if screen is not here]
        if others:
            own, room = (others[0], here) if self._swapped else (here, others[0])
            if self.speaker is None:
                self.speaker = SpeakerWindow(self._parent, self.room)
            _fill(self.speaker, own)
        else:
            room = here
            if self.speaker is not None:
                _leave(self.speaker)
                self.speaker = None
                self.room.activateWindow()
        _fill(self.room, room)


def _leave(widget: QWidget) -> None:
    widget.close()
    widget.deleteLater()


def _fill(widget: QWidget, screen: QScreen) -> None:
    """Fills a screen with a window."""
    if widget.isVisible():
        widget.showNormal()
    # A full-screen window stays on its screen when it is moved, unless the new screen is set in Qt first.
    widget.setScreen(screen)
    widget.setGeometry(screen.geometry())
    widget.showFullScreen()


# The window starts without the code that computes findings.


def _story(library: Library, state: State, language: str) -> tuple[ShownStory, tuple[Slide, ...]]:
    """The storyboard, and the brief for a storyboard that was not edited: without edits and saved views."""
    from workbench.answers.storyboard.compute import shown_story
    from workbench.exporters.document.making import presented_brief

    story = shown_story(library, state)
    return story, () if story.own or state.views else presented_brief(story, library, state, language)
