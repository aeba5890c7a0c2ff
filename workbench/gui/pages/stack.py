"""The window's pages. Each is created when it is first shown, because creating nine pages took half of the window's
start time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget

from workbench.answers.registry import PAGES
from workbench.gui.pages.page_view import PageView
from workbench.gui.services.workspace import Workspace

Listener = Callable[[PageView], None]


class Pages(QStackedWidget):
    """`pages[key]` is the page of a key, created if needed; `key in pages` is True if it exists. `drawn` is emitted
    when the current page has its content, and `turned` with a page just before it is shown. `asked` is emitted with the
    button pressed on an empty page (see `Welcome`)."""

    drawn = Signal()
    turned = Signal(object)
    asked = Signal(str)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._specs = {spec.key: spec for spec in PAGES}
        self._made: dict[str, PageView] = {}
        self._listeners: list[Listener] = []

    def __getitem__(self, key: str) -> PageView:
        if key not in self._made:
            page = self._made[key] = PageView(self._specs[key])
            self.addWidget(page)
            page.empty.asked.connect(self.asked)
            page.made_whole.connect(partial(self._made_whole, page))
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._specs

    def __iter__(self) -> Iterator[str]:
        """The keys of all pages in their order, created or not."""
        return iter(self._specs)

    @property
    def shown(self) -> PageView:
        """The current page."""
        return self[self._workspace.state.page]

    def turn(self) -> PageView:
        """Shows and returns the page that the state names."""
        page = self.shown
        page.make_whole_if_loaded()
        page.dress()
        self.turned.emit(page)
        if page is not self.currentWidget():
            self._leave()
        self.setCurrentWidget(page)
        return page

    def _leave(self) -> None:
        """Takes the keyboard focus from the page that is left, if a click gave it. Otherwise Qt would pass it on like
        the Tab key, and the focus frame would appear on the next page."""
        holder = self.focusWidget()
        if holder is not None and not QGuiApplication.keyboardModifiers() and not holder.property("ring"):
            holder.clearFocus()

    @property
    def made(self) -> tuple[PageView, ...]:
        """The pages created so far."""
        return tuple(self._made.values())

    def each(self, listener: Listener) -> None:
        """Calls this for every page: now for pages with parts, later for the others once they have parts."""
        self._listeners.append(listener)
        for page in self.made:
            if page.parts is not None:
                listener(page)

    def _made_whole(self, page: PageView) -> None:
        for listener in self._listeners:
            listener(page)
