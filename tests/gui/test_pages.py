"""Pages that are made when they are first shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, open_and_wait
from workbench.answers.registry import PAGES
from workbench.gui.pages.page_view import PageView
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.side_note import NOTE


def test_that_a_page_is_made_once_when_it_is_first_shown(window: MainWindow, qtbot: QtBot) -> None:
    met: list[PageView] = []
    window.pages.each(met.append)
    assert "sizing" not in [page.spec.key for page in window.pages.made]
    for _ in range(2):
        for spec in PAGES:
            after(window, qtbot, lambda key=spec.key: window.show_page(key))  # type: ignore[misc]
    assert sorted(page.spec.key for page in met) == sorted(spec.key for spec in PAGES)
    assert window.pages.count() == len(PAGES)


def test_that_the_keyboard_goes_along_to_a_page_that_is_new(opened: MainWindow, qtbot: QtBot) -> None:
    for spec in PAGES:
        figure = opened.page.figure
        if figure is not None:
            figure.setFocus()
        after(opened, qtbot, lambda key=spec.key: opened.show_page(key))  # type: ignore[misc]
        assert QApplication.focusWidget() is not None, spec.key


def test_that_the_rail_counts_the_warnings_that_the_import_report_lists(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE)
    after(window, qtbot, lambda: window.show_page("import-report"))
    rows = window.page.tables[0].table.source.table.rows
    counted = sum(row[0].text in {"warning", "refused"} for row in rows)
    storm = sum(row[0].text in {"warning", "refused"} and row[1].text in {"mcs", "mcsio-512"} for row in rows)
    at = [spec.key for spec in PAGES].index("import-report")
    assert counted == storm == 3
    assert window.rail.pages.item(at).text() == "Import report"
    assert window.rail.pages.item(at).data(NOTE) == str(counted)
    model = window.rail.tree.model()
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert f"vdi-login-storm  ·  {storm} !" in names


class ShownWindows(QObject):
    """Notes every widget that is shown as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


def test_that_making_a_page_shows_no_window_beside_the_program(opened: MainWindow, qtbot: QtBot) -> None:
    watch = ShownWindows()
    opened.application.installEventFilter(watch)
    for spec in PAGES:
        after(opened, qtbot, lambda key=spec.key: opened.show_page(key))  # type: ignore[misc]
    opened.application.removeEventFilter(watch)
    assert watch.shown == []
    assert opened.isActiveWindow()
