"""Presenting: full screen, large type, nothing but question, answer and chart; arrows step through views, findings."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from workbench.answers.common.choices import SavedView
from workbench.answers.common.names import TIMELINE
from workbench.answers.findings.compute import MOST_SHOWN, Finding
from workbench.answers.registry import PAGES
from workbench.gui.commands.findings import FindingCommands
from workbench.gui.commands.preferences import PreferenceKeeper
from workbench.gui.commands.saved_views import SavedViews
from workbench.gui.pages.stack import Pages
from workbench.gui.services.stage import Stage
from workbench.gui.services.workspace import Workspace
from workbench.session.state import State

# Type of a presentation against that of the desk, on a screen of this size. A wall shows every screen at one size:
# smaller ones get smaller type, or nothing else has room, and finer ones larger, or nobody can read it.
SCALE, _SCREEN = 1.6, (1920, 1080)
_LEAST, _MOST = 1.25, 3.2
# What a finding's page is set to for the room is one step of undo, and taken back at the end.
_MERGE = "presenting"
_KEYS = {1: ("Right", "Down", "PgDown", "Space"), -1: ("Left", "Up", "PgUp", "Backspace")}


class Presenter(QObject):
    """The commands of the action table that begin with `presenter.`; `redraw_wanted` is emitted when the page has
    another size of type."""

    redraw_wanted = Signal()

    def __init__(
        self,
        parent: QWidget,
        workspace: Workspace,
        pages: Pages,
        stage: Stage,
        preferences: PreferenceKeeper,
        saved_views: SavedViews,
        findings: FindingCommands,
    ) -> None:
        super().__init__(parent)
        self._parent, self._workspace, self._pages, self._stage = parent, workspace, pages, stage
        self._preferences, self._saved_views, self._findings = preferences, saved_views, findings
        self._before: State | None = None
        self._shortcuts: list[QShortcut] = []
        self.place = 0
        self._title = ""
        pages.drawn.connect(self._entitle)

    @property
    def on(self) -> bool:
        """Whether the window presents."""
        return self._before is not None

    @property
    def scale(self) -> float:
        """The size of type: that of the room, or the one preferred at the desk."""
        if not self.on:
            return self._preferences.type_scale
        return room_scale(*self._stage.screen_size)

    @property
    def views(self) -> tuple[SavedView, ...]:
        """What is stepped through: the saved views, else the pages with the present choices."""
        state = self._workspace.state
        if state.views:
            return state.views
        pages = [page.key for page in PAGES if page.presented]
        return tuple(state.looking_at(_at(state, key)).saved_view(key) for key in pages)

    @property
    def steps(self) -> tuple[SavedView | Finding, ...]:
        """All that is stepped through: the views, then the findings as the user keeps them."""
        return (*self.views, *self._findings.kept[:MOST_SHOWN])

    def toggle(self) -> None:
        """Starts, or ends."""
        if self.on:
            self.stop()
        else:
            self.start()

    def start(self) -> None:
        """Shows the page at hand to the room."""
        state = self._workspace.state
        self._before = state
        self.place = next((at for at, view in enumerate(self.views) if _same(view, state)), 0)
        self._dress()
        for step, keys in _KEYS.items():
            for key in keys:
                self._listen(key, lambda step=step: self.step(step))
        self._listen("Home", lambda: self.show(0))
        self._listen("End", lambda: self.show(len(self.steps) - 1))
        self._listen("Esc", self.stop)
        self._stage.fill_screen()
        if state.views:
            self.show(self.place)

    def stop(self) -> None:
        """Back to the desk, at the page that was looked at before."""
        if self._before is None:
            return
        before, self._before, self._title = self._before, None, ""
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)
            shortcut.deleteLater()
        self._shortcuts.clear()
        self._dress()
        self._stage.leave_full_screen()
        self._workspace.apply(
            page=before.page,
            phase=before.phase,
            metric=before.metric,
            alignment=before.alignment,
            scale=before.scale,
            study=before.study,
            page_views=before.page_views,
            timeline=before.timeline,
            inputs=before.inputs,
            lit_vm=before.lit_vm,
            merge=_MERGE,
        )

    def step(self, by: int) -> None:
        """The next view or finding, or the one before; the first and the last stay."""
        self.show(min(max(self.place + by, 0), len(self.steps) - 1))

    def show(self, index: int) -> None:
        """Shows one of the views, or the evidence of a finding with its sentence as the title."""
        step = self.steps[index]
        self.place = index
        self._title = step.text if isinstance(step, Finding) else ""
        if isinstance(step, Finding):
            if step.page:
                self._findings.go_to(step, merge=_MERGE)
            # Where the page stays the same nothing is drawn, and nobody else says the title.
            self._entitle()
        else:
            self._saved_views.show(step)

    def _entitle(self) -> None:
        """The sentence of a finding stands where the page's question stood."""
        content = self._pages.shown.content
        if self.on and self._title:
            self._stage.entitle(self._title, content.caption if content else "")

    def _dress(self) -> None:
        """Type and what stands around the answer, for the room or for the desk."""
        self._stage.dress(self._workspace.state.theme, self.scale)
        self._stage.clear(self.on)
        self.redraw_wanted.emit()

    def _listen(self, key: str, act: object) -> None:
        shortcut = QShortcut(QKeySequence(key), self._parent)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(act)
        self._shortcuts.append(shortcut)


def room_scale(width: int, height: int) -> float:
    """The scale of type on a screen of so many pixels."""
    return min(max(SCALE * min(width / _SCREEN[0], height / _SCREEN[1]), _LEAST), _MOST)


def _at(state: State, page: str) -> SavedView:
    view = state.saved_view(page)
    return SavedView(
        page,
        view.study,
        page,
        view.phase,
        view.metric,
        view.alignment,
        view.scale,
        state.page_view(page),
        view.lit_vm,
        view.hidden,
        counters=state.timeline if page == TIMELINE else None,
        listed=view.listed,
    )


def _same(view: SavedView, state: State) -> bool:
    return (view.page, view.page_view) == (state.page, state.page_view(state.page))
