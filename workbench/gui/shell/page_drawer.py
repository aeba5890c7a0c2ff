"""Draws the state: the rail, the head and the page that is shown, whose answer is computed beside the window."""

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
from workbench.gui.commands.preferences import PreferenceKeeper
from workbench.gui.pages.page_view import PageView, reading, welcome
from workbench.gui.pages.stack import Pages
from workbench.gui.services.importer import Importer, Progress
from workbench.gui.services.places import existing
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.shell.header import PageHeader
from workbench.gui.shell.rail import Rail
from workbench.gui.shell.status_strip import StatusStrip, what_is_open
from workbench.session.state import State
from workbench.words.metrics import phase_words

# Rounds of the layout after a page was shown.
_ROUNDS = 3
# An answer that comes within this time replaces the earlier one without a frame in between.
_FLASH_MS = 60
_LOST = "This page cannot be shown. The saved import is missing or damaged. Open the folder again."


class PageDrawer(QObject):
    """`refresh` draws everything again; `went_wrong` says what failed. A page that was answered for the same state and
    library is drawn from that answer, whatever the theme; `forget` is for where an answer reads differently now.

    Where rail or head say something else than before, the page says *Computing…* until its answer is there: nothing of
    an earlier answer is painted under them. A page that is only refined (see `_subject`) keeps what it shows."""

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
        # By page what was answered last, and for which state and library.
        self._answered: dict[str, tuple[tuple[State, Library], Content]] = {}
        # What the page that is shown answers, and the questions by page and view.
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
        """Whether what was drawn or asked for last is of the state and the library at hand."""
        state, library = self._asked or (None, None)
        return state == self._workspace.state and library is self._workspace.library

    def refresh(self) -> None:
        """Draws the rail and the head at once, and the page when its answer is there."""
        state, library, page = self._workspace.state, self._workspace.library, self._pages.turn()
        self._asked = (state, library)
        self._rail.refresh()
        self._status.rest(what_is_open(library, state))
        self._header.show_page(page.spec.choosers, page.spec.views, of_files=page.spec.key == IMPORT_REPORT)
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
            # Figures of what was shown before must not stand for what was asked.
            show(Content(self._question(page, state), empty=_LOST))
            del self._answered[page.spec.key]
            self.went_wrong(error)

        def answer() -> Content:
            return known or self._preferences.worded(page.spec.answer(library, state))

        self._tasks.run("page", answer, arrived, failed)

    def _show_subject(self, page: PageView, state: State, library: Library, known: Content | None) -> None:
        """Makes the page say *Computing…* where what it shows is not what rail and head say now."""
        subject, same = _subject(page.spec, state, library), page.content is not None
        if same and (subject == self._subject or known is page.content):
            if known is not None:
                self._show_question(page, known)
        elif library.files or page.content is not None:
            page.wait(_of_what(page, state, library))
            # A caption without words keeps its line: the page below does not move.
            self._header.show_text(self._question(page, state), "\u00a0")
            if not self._flash.isActive():
                self._held.setUpdatesEnabled(False)
                self._flash.start()
        self._subject = subject

    @property
    def _held(self) -> QWidget:
        """Rail, head, page and status line: what is painted at once, or not at all."""
        return self._header.parentWidget() or self._header

    def _paint(self) -> None:
        self._flash.stop()
        self._held.setUpdatesEnabled(True)

    def _question(self, page: PageView, state: State) -> str:
        return self._questions.get((page.spec.key, state.page_view(state.page)), tr(page.spec.name))

    def forget(self) -> None:
        """Lets each page be answered again when it is drawn next."""
        self._answered.clear()

    def went_wrong(self, error: BaseException) -> None:
        """Says in the status line what failed."""
        self._status.tell(f"What went wrong: {_first_line(error)}")

    def _show(self, page: PageView, library: Library, theme: ThemeName, content: Content) -> None:
        reading = content.nothing_open and self._importer.running
        # The figure takes its places once it is as large as the rest of the page leaves it.
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
        # After the answer that was waited for: what is wrong with cache counters takes a while to find.
        if library is not self._counted:
            self._tasks.run("problems", lambda: library.all_problems, lambda _: self._count_problems(library))

    def _show_content(self, page: PageView, theme: ThemeName, content: Content) -> None:
        page.show_content(content, theme, self._workspace.state.lit_vm)
        # The window knows it while another window or a dialog is in front, too.
        holder = page.window().focusWidget()
        if page.isVisible() and (holder is None or not holder.isVisible()):
            # What had the keyboard before the answer came is hidden now, and without any no key would be heard.
            page.take_keyboard()

    def _show_question(self, page: PageView, content: Content) -> None:
        if content.nothing_open and (recent := self._settings.settings.recent):
            # Beside the window: a folder on a share may take its time to answer, or not answer at all.
            show_recent = partial(page.empty.show_ways, content.empty, True)
            self._tasks.look("recent", lambda: existing(recent), show_recent)
        caption = content.caption if content.lead is None else content.lead.caption
        caption += f"; {content.advice}" if content.advice else ""
        read = () if content.empty else page.spec.reading.get(self._view_of(page), ())
        self._header.reading.offer(read, content.whole_method, page.spec.docs)
        self._header.show_text(welcome() if content.nothing_open else content.question, caption)

    def _view_of(self, page: PageView) -> str:
        """The view that is shown; "" where the page has but one."""
        known = [key for key, _ in page.spec.views]
        asked = self._workspace.state.page_view(page.spec.key)
        return asked if asked in known else next(iter(known), "")

    def _note(self, progress: Progress | None) -> None:
        self._progress = progress
        self._show_reading()

    def _show_reading(self) -> None:
        """While nothing is open yet: what is being read, and how far that is."""
        page = self._pages.shown
        if page.content is not None and page.content.nothing_open and self._importer.running:
            self._header.show_text(tr("Reading results…"), "")
            page.empty.show_ways(reading(self._importer.names, self._progress), False, ())

    def _count_problems(self, library: Library) -> None:
        self._counted = library
        if library is self._workspace.library:
            self._rail.refresh()


def _subject(spec: PageSpec, state: State, library: Library) -> object:
    """What rail and head tell of: page, study and its runs, what the page's choosers say, what is hidden, left out,
    renamed or stated otherwise about runs. An edge of a phase, a slider, a note, a finding or a slide that is edited,
    and rows that a running test has written, refine what is shown."""
    edits = (replace(edit, phases=(), dropped=()) for edit in state.edits)
    return (
        (state.page, state.page_view(state.page), state.study),
        tuple(getattr(state, name) for name in sorted(spec.choosers)),
        state.hidden,
        frozenset(edit for edit in edits if not edit.nothing),
        state.input(BASELINE, ""),
        tuple((study.folder, tuple(run.folder for run in study.runs)) for study in library.studies),
    )


def _of_what(page: PageView, state: State, library: Library) -> str:
    """Page, phase and study, as far as the page depends on them."""
    study = None if page.spec.of_every_study else library.study(state.study)
    phase = phase_words(chosen_phase(library, state)).capitalize() if "phase" in page.spec.choosers and study else ""
    return "  ·  ".join(part for part in (tr(page.spec.name), tr(phase), study.name if study else "") if part)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__


def _lay_out() -> None:
    """Gives what was shown its place at once: Qt does it in several turns, and until then lines lie on others. A label
    that breaks at its new width is higher than its layout knew, so that it takes more than one round."""
    for _ in range(_ROUNDS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
