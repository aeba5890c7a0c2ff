"""Pages that are created when they are first shown."""

from __future__ import annotations

from threading import Event, current_thread, main_thread

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, SWEEP, after, open_and_wait
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.spec import PageSpec
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.gui.pages import page_view
from workbench.gui.pages.page_view import PageView
from workbench.gui.shell.main_window import MainWindow
from workbench.model.edits import RunEdits


def test_that_a_page_is_made_once_when_it_is_first_shown(window: MainWindow, qtbot: QtBot) -> None:
    met: list[PageView] = []
    window.pages.each(met.append)
    assert "sizing" not in [page.spec.key for page in window.pages.made]
    for _ in range(2):
        for spec in PAGES:
            after(window, qtbot, lambda key=spec.key: window.show_page(key))  # type: ignore[misc]
    assert sorted(page.spec.key for page in met) == sorted(spec.key for spec in PAGES)
    assert window.pages.count() == len(PAGES)


@pytest.fixture
def just_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of a program that has just started: the parts of pages are not loaded yet."""
    monkeypatch.setattr(page_view, "_loaded", Event())


@pytest.mark.usefixtures("just_started", "new_window")
class TestAnEmptyWindow:
    """Before the parts of its pages are loaded."""

    def test_that_the_page_of_a_new_answer_is_created_without_widgets_and_says_what_to_do(
        self, window: MainWindow
    ) -> None:
        page = window.page
        assert page.parts is None
        assert (page.figure, page.tables, page.filtered, page.own, page.causes) == (None, [], [], None, None)
        assert page.empty.sample.isVisible()

    def test_that_importing_a_page_module_creates_no_widgets(self, window: MainWindow) -> None:
        page = window.page
        names = [name for name, value in vars(PageView).items() if isinstance(value, property)]
        assert "figure" in names
        for name in names:
            getattr(page, name)
        window.inputs.reset()
        assert page.parts is None

    def test_that_commands_on_page_content_explain_why_they_are_disabled_and_create_no_widgets(
        self, window: MainWindow
    ) -> None:
        for act in (window.notes.here, window.findings.drop, window.findings.edit_text, window.tables.find):
            window.strip.tell("")
            act()
            assert window.strip.message.full
        window.toggle_theme()
        assert window.findings.chosen is None
        assert window.page.parts is None

    def test_that_widgets_are_created_on_the_window_thread_with_the_first_answer(
        self, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        met: list[PageView] = []
        window.pages.each(met.append)
        loaded: list[tuple[bool, bool]] = []
        load = page_view.load_parts

        def load_noticed() -> None:
            loaded.append((current_thread() is main_thread(), window.page.parts is not None))
            load()

        monkeypatch.setattr(page_view, "load_parts", load_noticed)
        open_and_wait(window, qtbot, SWEEP)
        assert loaded == [(True, False)]
        assert met == [window.page]
        assert window.page.parts is not None
        assert window.page.make_whole().cards.cards
        assert not window.page.empty.isVisible()

    def test_that_widgets_created_later_have_the_chosen_text_size(self, window: MainWindow, qtbot: QtBot) -> None:
        window.preferences.set("type_size", "125")
        after(window, qtbot, lambda: window.show_page("timeline"))
        assert window.page.parts is None
        open_and_wait(window, qtbot, SWEEP)
        assert window.page.figure is not None
        assert window.page.figure._ink.scale == 1.25


def test_that_the_badge_counts_the_warnings_that_the_import_report_lists(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE)
    after(window, qtbot, lambda: window.show_page("import-report"))
    rows = window.page.tables[0].table.source.table.rows
    counted = sum(row[0].text in {"warning", "refused"} for row in rows)
    storm = sum(row[0].text in {"warning", "refused"} and row[1].text in {"mcs", "mcsio-512"} for row in rows)
    assert window.rail.badge.text().split()[0] == str(counted)
    model = window.rail.tree.model()
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert f"vdi-login-storm  ·  {storm} !" in names


class ShownWindows(QObject):
    """Notes every widget that is shown as a separate window."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            # A page that is drawn into an image is not on the screen.
            if watched.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen):
                return False
            self.shown.append(type(watched).__name__)
        return False


def test_that_a_new_page_takes_the_focus_and_shows_no_window_outside_the_program(
    opened: MainWindow, qtbot: QtBot
) -> None:
    watch = ShownWindows()
    opened.application.installEventFilter(watch)
    for spec in PAGES:
        figure = opened.page.figure
        if figure is not None:
            figure.setFocus()
        after(opened, qtbot, lambda key=spec.key: opened.show_page(key))  # type: ignore[misc]
        assert QApplication.focusWidget() is not None, spec.key
    opened.application.removeEventFilter(watch)
    assert watch.shown == []
    assert opened.isActiveWindow()


def count_answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that gets the page each time that its answer is computed."""
    answered: list[str] = []
    answer = PageSpec.answer

    def noted(spec: PageSpec, library: Library, choices: Choices) -> Content:
        answered.append(spec.key)
        return answer(spec, library, choices)

    monkeypatch.setattr(PageSpec, "answer", noted)
    return answered


def test_that_a_page_is_computed_once_for_a_state_in_any_theme(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    after(opened, qtbot, lambda: opened.show_page("overview"))
    answered, content = count_answers(monkeypatch), opened.page.content
    after(opened, qtbot, opened.toggle_theme)
    after(opened, qtbot, lambda: opened.show_page("compare"))
    after(opened, qtbot, lambda: opened.show_page("overview"))
    assert not answered
    assert opened.page.content is content


def test_that_a_page_is_answered_again_after_an_edit_and_when_numbers_read_differently(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = count_answers(monkeypatch)
    run = opened.workspace.library.with_runs[0].runs[0].folder
    after(opened, qtbot, lambda: opened.workspace.apply(edits=(RunEdits(run, excluded="disk was full"),)))
    after(opened, qtbot, opened.history.undo)
    assert answered == ["overview", "overview"]
    after(opened, qtbot, lambda: opened.preferences.set("decimals", "comma"))
    assert answered == ["overview", "overview", "overview"]
    after(opened, qtbot, lambda: opened.preferences.set("decimals", "point"))


def test_that_a_page_that_failed_is_answered_again(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> Content:
        raise OSError("no store")

    with monkeypatch.context() as broken:
        broken.setattr("workbench.answers.compare.page.answer", fails)
        after(opened, qtbot, lambda: opened.show_page("compare"))
        assert opened.page.content is not None
        assert "cannot be shown" in opened.page.content.empty
    after(opened, qtbot, lambda: opened.show_page("overview"))
    after(opened, qtbot, lambda: opened.show_page("compare"))
    assert not opened.page.content.empty
