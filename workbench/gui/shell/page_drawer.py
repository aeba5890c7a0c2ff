"""Draws the state: the navigation list, the header and the current page. The page's answer is computed in the
background.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from workbench.answers.common.chosen import chosen_phase
from workbench.answers.common.library import Library
from workbench.answers.common.names import BASELINE, IMPORT_REPORT
from workbench.answers.common.spec import PageSpec
from workbench.charts.content import Content
from workbench.charts.palette import ThemeName
from workbench.charts.short_names import with_short_rows
from workbench.gui.commands.preferences import PreferenceKeeper
from workbench.gui.pages.page_view import PageView, reading, welcome
from workbench.gui.pages.stack import Pages
from workbench.gui.services.importer import Importer, Progress
from workbench.gui.services.places import existing
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import in_window_language, keep_names, said, tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.shell.header import PageHeader
from workbench.gui.shell.rail import Rail
from workbench.gui.shell.status_strip import StatusStrip, what_is_open
from workbench.session.state import State
from workbench.words.metrics import phase_words

# Layout rounds after a page was shown.
_ROUNDS = 3
# An answer that arrives within this time replaces the earlier one directly, without *Calculating…* in between.
_FLASH_MS = 60
_LOST = "This page cannot be shown. The saved import is missing or damaged. Open the folder again."


class PageDrawer(QObject):
    """`refresh` draws everything again, `went_wrong` reports an error. A page with an answer for the current state and
    library is drawn from it, in any theme. `forget` is for changes that change the text of an answer.

    If rail or head show something new, the page shows *Calculating…* until its answer arrives: an old answer is never
    painted under a new header. A page that is only refined (see `_subject`) keeps its content.
    """

    def __init__(
        self,
        parent: QObject,
        workspace: Workspace,
        tasks: Tasks,
        status: StatusStrip,
        settings: SettingsKeeper,
        pages: Pages,
        rail: Rail,
        header: PageHeader,
        preferences: PreferenceKeeper,
        importer: Importer,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._tasks, self._status = workspace, tasks, status
        self._settings, self._pages, self._preferences = settings, pages, preferences
        self._rail, self._header = rail, header
        self._importer = importer
        self._counted: Library | None = None
        self._asked: tuple[State, Library] | None = None
        # The last answer of each page, with its state and library.
        self._answered: dict[str, tuple[tuple[State, Library], Content]] = {}
        # The answers of the current page, and the questions by page and view.
        self._subject: object = None
        self._questions: dict[tuple[str, str], str] = {}
        self._flash = QTimer(self, singleShot=True, interval=_FLASH_MS)
        self._flash.timeout.connect(self._paint)
        self._progress: Progress | None = None
        importer.started.connect(lambda: self._note(None))
        importer.progressed.connect(self._note)
        importer.failed.connect(self.refresh)

    @property
    def current(self) -> bool:
        """True if the last drawing or request belongs to the current state and library."""
        state, library = self._asked or (None, None)
        return state == self._workspace.state and library is self._workspace.library

    def refresh(self) -> None:
        """Draws rail and head at once, and the page when its answer arrives."""
        state, library, page = self._workspace.state, self._workspace.library, self._pages.turn()
        if self._asked is None or self._asked[1] is not library:
            keep_names(library.studies)
        if self._asked is not None and self._asked[0].study != state.study:
            # A search in the previous study would hide rows of this one.
            for card in (card for made in self._pages.made for card in made.filtered):
                card.filter.clear()
        self._asked = (state, library)
        self._rail.refresh()
        self._status.rest(said(what_is_open(library, state)))
        self._header.show_page(page.spec, of_files=page.spec.key == IMPORT_REPORT)
        self._header.refresh()
        answers = replace(state, theme="light"), library
        before = self._answered.get(page.spec.key)
        known = before[1] if before is not None and before[0] == answers else None
        self._show_subject(page, state, library, known)

        def show(content: Content) -> None:
            self._answered[page.spec.key] = answers, content
            self._questions[page.spec.key, state.page_view(state.page)] = content.question
            self._show(page, library, state.theme, content)

        def arrived(content: Content) -> None:
            if page.prepare(content):
                self._tasks.run("page", lambda: content, show, failed)
            else:
                show(content)

        def failed(error: Exception) -> None:
            # Values of the previous content must not be shown for a new question.
            show(Content(self._question(page, state), empty=_LOST))
            del self._answered[page.spec.key]
            self.went_wrong(error)

        def answer() -> Content:
            if known:
                return known
            content = self._preferences.worded(page.spec.answer(library, state))
            return in_window_language(with_short_rows(content, [group.label for group in library.groups(state)]))

        self._tasks.run("page", answer, arrived, failed)

    def _show_subject(self, page: PageView, state: State, library: Library, known: Content | None) -> None:
        """Shows *Calculating…* on the page if its content does not match rail and head."""
        subject, same = _subject(page.spec, state, library), page.content is not None
        if same and (subject == self._subject or known is page.content):
            if known is not None:
                self._show_question(page, known)
        elif library.files or page.content is not None:
            page.wait(_of_what(page, state, library))
            # An empty caption keeps its line, so the page below does not move.
            self._header.show_text(self._question(page, state), "\u00a0")
            if not self._flash.isActive():
                self._held.setUpdatesEnabled(False)
                self._flash.start()
        self._subject = subject

    @property
    def _held(self) -> QWidget:
        """Delays painting of rail, head, page and status line, so they change together."""
        return self._header.parentWidget() or self._header

    def _paint(self) -> None:
        self._flash.stop()
        self._held.setUpdatesEnabled(True)

    def _question(self, page: PageView, state: State) -> str:
        return self._questions.get((page.spec.key, state.page_view(state.page)), tr(page.spec.name))

    def forget(self) -> None:
        """Drops the stored answers, so each page is computed again when it is drawn next."""
        self._answered.clear()

    def went_wrong(self, error: BaseException) -> None:
        """Reports in the status line which work failed."""
        self._status.tell(f"What went wrong: {_first_line(error)}")

    def _show(self, page: PageView, library: Library, theme: ThemeName, content: Content) -> None:
        reading = content.nothing_open and self._importer.running
        # The figure is arranged once it has its final size in the page.
        with page.arranged_once():
            self._show_content(page, theme, content)
            if reading:
                self._show_reading()
            else:
                self._show_question(page, content)
                _lay_out()
        self._pages.drawn.emit()
        self._paint()
        if reading:
            return
        _lay_out()
        # After the requested answer, because finding problems of cache counters takes a while.
        if library is not self._counted:
            self._tasks.run("problems", lambda: library.all_problems, lambda _: self._count_problems(library))

    def _show_content(self, page: PageView, theme: ThemeName, content: Content) -> None:
        page.show_content(content, theme, self._workspace.state.lit_vm)
        # Also works while another window or a dialog is in front.
        holder = page.window().focusWidget()
        if page.isVisible() and (holder is None or not holder.isVisible()):
            # The widget that had the keyboard focus is hidden now. Without a focus, no key would work.
            page.take_keyboard()

    def _show_question(self, page: PageView, content: Content) -> None:
        if content.nothing_open and (recent := self._settings.settings.recent):
            # In the background, because a folder on a share may respond late or never.
            show_recent = partial(page.empty.show_ways, content.empty, True)
            self._tasks.look("recent", lambda: existing(recent), show_recent)
        caption = content.caption if content.lead is None else content.lead.caption
        caption += f"; {content.advice}" if content.advice else ""
        read = () if content.empty else page.spec.reading.get(self._view_of(page), ())
        self._header.reading.offer(read, content.whole_method, page.spec.docs)
        self._header.show_text(welcome() if content.nothing_open else content.question, caption)

    def _view_of(self, page: PageView) -> str:
        """The current view; "" if the page has only one."""
        known = [key for key, _ in page.spec.views]
        asked = self._workspace.state.page_view(page.spec.key)
        return asked if asked in known else next(iter(known), "")

    def _note(self, progress: Progress | None) -> None:
        self._progress = progress
        self._show_reading()

    def _show_reading(self) -> None:
        """Shows the content being read and the progress, while nothing is open yet."""
        page = self._pages.shown
        if page.content is not None and page.content.nothing_open and self._importer.running:
            self._header.show_text(tr("Reading results…"), "")
            page.empty.show_ways(reading(self._importer.names, self._progress), False, ())

    def _count_problems(self, library: Library) -> None:
        self._counted = library
        if library is self._workspace.library:
            self._rail.refresh()


def _subject(spec: PageSpec, state: State, library: Library) -> object:
    """The subject of navigation list and header: page, study and its runs, the page's choosers, and the hiding,
    exclusion, renaming and statements of runs. These changes only refine the page: a moved edge of a phase or a slider,
    an edited note, finding or slide, and new rows of a running test."""
    edits = (replace(edit, phases=(), dropped=()) for edit in state.edits)
    return (
        (state.page, state.page_view(state.page), state.study, spec.chosen_study(library, state)),
        tuple(getattr(state, name) for name in sorted(spec.choosers)),
        state.hidden,
        frozenset(edit for edit in edits if not edit.nothing),
        state.input(BASELINE, ""),
        tuple((study.folder, tuple(run.folder for run in study.runs)) for study in library.studies),
    )


def _of_what(page: PageView, state: State, library: Library) -> tuple[str, ...]:
    """Page, phase and study, as far as the page depends on them."""
    study = None if page.spec.of_every_study else library.study(state.study)
    phase = phase_words(chosen_phase(library, state)).capitalize() if "phase" in page.spec.choosers and study else ""
    return tuple(part for part in (tr(page.spec.name), tr(phase), study.name if study else "") if part)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__


def _lay_out() -> None:
    """Arranges the visible widgets at once. Qt alone would need several turns of the event loop, with overlapping lines
    until then. A label that wraps at its new width is higher than its layout expected, so this takes more than one
    round.
    """
    for _ in range(_ROUNDS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
