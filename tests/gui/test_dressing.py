"""A window looks the same with a theme and text size chosen later and with these from the start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect
from PySide6.QtGui import QCursor, QImage
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SWEEP, after, leave, open_and_wait, settle
from tests.gui.kept_window import KeptWindow
from workbench.charts.palette import THEMES
from workbench.gui.dialogs.shortcut_sheet import ShortcutSheet
from workbench.gui.services.theme import apply_theme, running_application
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

PAGES = ("overview", "compare", "sizing", "timeline")
_MOST_PICTURES, _BETWEEN_MS = 20, 50


def test_that_a_theme_changed_later_looks_like_one_from_the_start(
    opened: MainWindow, kept_window: KeptWindow, store: Store, qtbot: QtBot
) -> None:
    # Every page is shown in the light theme first, and all but the overview are hidden while the theme changes.
    for key in (*PAGES, "overview"):
        after(opened, qtbot, lambda key=key: opened.show_page(key))  # type: ignore[misc]
    after(opened, qtbot, opened.toggle_theme)
    changed = _pictures(opened, qtbot)
    # Otherwise this window would get the theme of the next one, too.
    kept_window.end()
    with _started_dark(store, qtbot) as dark:
        different = {page: _difference(picture, changed[page]) for page, picture in _pictures(dark, qtbot).items()}
    assert {page: area for page, area in different.items() if not area.isEmpty()} == {}


@pytest.mark.parametrize("page", PAGES)
def test_that_a_page_looks_the_same_after_a_presentation(opened: MainWindow, qtbot: QtBot, page: str) -> None:
    after(opened, qtbot, lambda: opened.show_page(page))
    before = _picture(opened, qtbot)
    after(opened, qtbot, opened.presenter.start)
    after(opened, qtbot, opened.presenter.stop)
    # The window has the focus again.
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    assert opened.workspace.state.page == page
    qtbot.waitUntil(lambda: _picture(opened, qtbot) == before)


def test_that_a_menu_of_a_window_has_the_current_theme(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, opened.toggle_theme)
    menu = QMenu(opened)
    menu.addAction("Copy")
    menu.ensurePolished()
    shown = menu.grab().toImage()
    assert shown.pixelColor(shown.width() - 12, shown.height() // 2).name() == THEMES["dark"].card
    menu.deleteLater()


@contextmanager
def _started_dark(store: Store, qtbot: QtBot) -> Iterator[MainWindow]:
    apply_theme(running_application(), "dark")
    window = MainWindow(store, State(theme="dark"), Settings(preferences={"decimals": "point"}))
    window.resize(1600, 900)
    window.show()
    settle(window, qtbot)
    open_and_wait(window, qtbot, SWEEP)
    yield window
    leave(window)
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _difference(first: QImage, second: QImage) -> QRect:
    """The area in which two images differ; empty if they are equal."""
    if first.size() != second.size():
        return first.rect().united(second.rect())
    width, height = first.width(), first.height()
    pixels = [np.frombuffer(image.constBits(), np.uint32).reshape(height, width) for image in (first, second)]
    rows, columns = np.nonzero(pixels[0] != pixels[1])
    if not rows.size:
        return QRect()
    return QRect(QPoint(int(columns.min()), int(rows.min())), QPoint(int(columns.max()), int(rows.max())))


def _picture(window: MainWindow, qtbot: QtBot) -> QImage:
    """The painted window without focus and with the pointer outside, once it does not change any more."""
    # A window that closes over this one passes the pointer to it, and a plot would show its readout.
    QCursor.setPos(window.mapToGlobal(window.rect().bottomRight() + QPoint(200, 200)))
    if (focused := QApplication.focusWidget()) is not None:
        focused.clearFocus()
    picture = QImage()
    # A page that is shown again may lay out its content some event loop turns later.
    for _ in range(_MOST_PICTURES):
        for _ in range(3):
            QApplication.processEvents()
            settle(window, qtbot)
        before, picture = picture, window.grab().toImage()
        if picture == before:
            break
        qtbot.wait(_BETWEEN_MS)
    return picture


def _pictures(window: MainWindow, qtbot: QtBot) -> dict[str, QImage]:
    """Each page, and the sheet of keys over the last."""
    found = {}
    for page in PAGES:
        after(window, qtbot, lambda page=page: window.show_page(page))  # type: ignore[misc]
        found[page] = _picture(window, qtbot)
    return found | {"sheet of keys": _sheet_of_keys(window, qtbot)}


def _sheet_of_keys(window: MainWindow, qtbot: QtBot) -> QImage:
    sheet = ShortcutSheet(window)
    sheet.show()
    settle(window, qtbot)
    QApplication.processEvents()
    image = sheet.grab().toImage()
    sheet.close()
    return image
