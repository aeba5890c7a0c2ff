"""German texts are longer than English ones, but still fit on a laptop with 1366 x 768 pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, SAMPLE, after, in_light_theme, leave, open_and_wait, settle
from tests.gui.test_dialogs_fit import DIALOGS, ROOM, cut, dialog_of
from workbench.answers.registry import PAGES
from workbench.gui.pages.inputs_panel import ElidedBox
from workbench.gui.plot.ink import text_width
from workbench.gui.services import translation
from workbench.gui.services.translation import install
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.labels import ElidedLabel, FittedLabel, PartsLabel
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store
from workbench.words.translated import ENGLISH, texts_of

# The space of 1366 x 768 without the task bar.
_WIDE, _TALL = 1366, 728
# As wide as the laptop is at 125 %.
_SCALED = 1092, 560
_TURNS, _LOOK_MS = 20, 25
# Units, statistics and names are the same in every language.
_SAME = re.compile(r"([kKMG]i?)?B(/\w+)?|ms|s|min|pp|n|n = .*|p\d+|UTC|MCS|MCSIO|PVS|VSImax|.*\d.*|(MCS|PVS|XenApp) .*")
# Put together from names and figures of the study, or in German already.
_MADE = re.compile(
    r"Calculation steps for .*|Runs (to show|for the same within) .*|What do .* (desktops|users) need\?"
    r"|and .* more, the same|Die Dateien von .*"
)


class Asked(dict[str, str]):
    """The translations; they record each text without a translation."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__(texts)
        self.missing: set[str] = set()
        self._shown = set(texts.values())

    def get(self, text: str, other: str | None = None) -> str | None:  # type: ignore[override]
        if text not in self and text not in self._shown and re.search(r"[^\W\d]", text):
            self.missing |= {text} if not _SAME.fullmatch(text) and not _MADE.fullmatch(text) else set()
        return super().get(text, other)


@pytest.fixture
def german(qtbot: QtBot, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """The window in German, with the sample."""
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))
    install("de")
    english = translation._texts
    translation._texts = Asked(texts_of("de"))
    in_light_theme()
    window = MainWindow(store, State(), Settings(preferences={"decimals": "point"}), remembers=False)
    window.resize(_WIDE, _TALL)
    window.show()
    qtbot.waitUntil(lambda: not window.busy, timeout=LONG_MS)
    open_and_wait(window, qtbot, SAMPLE)
    yield window
    leave(window)
    window.deleteLater()
    translation._texts = english
    install(ENGLISH)


def untranslated() -> list[str]:
    """The fixed texts that the window looked up and that exist only in English."""
    asked = translation._texts
    assert isinstance(asked, Asked)
    return sorted(asked.missing)


def elided(top: QWidget, sentences: bool) -> list[str]:
    """Texts of buttons, boxes, tabs and labels that end in …, are cut or overlap others. `sentences`: also texts
    composed from results, which have a tooltip if they are cut."""
    labels = [label for label in top.findChildren(QLabel) if label.isVisible() and label.text()]
    numbers = [label for label in labels if isinstance(label, FittedLabel)]
    yielding = [label for label in labels if isinstance(label, ElidedLabel) and label not in numbers]
    ends = [label.full for label in yielding if sentences and label.text().endswith("…")]
    low = [label.full for label in yielding if 0 < label.height() < label.heightForWidth(label.width())]
    small = [label.full for label in numbers if label.cut]
    boxes = [
        box.currentText()
        for box in top.findChildren(QComboBox)
        # A long choice with file names ends in … at the end of its box.
        if box.isVisible() and not isinstance(box, ElidedBox) and box.width() < box.minimumSizeHint().width()
    ]
    bars = [bar for bar in top.findChildren(QTabBar) if bar.isVisible() and bar.width() < bar.sizeHint().width()]
    shown = {label.text() for label in (*numbers, *yielding)}
    plain = [text for text in cut(top) if text not in shown]
    return [*ends, *low, *small, *boxes, *(bar.accessibleName() for bar in bars), *plain]


@pytest.mark.parametrize(
    "size", [pytest.param((_WIDE, _TALL), marks=pytest.mark.slow, id="100 %"), pytest.param(_SCALED, id="125 %")]
)
def test_that_no_word_on_a_german_page_is_cut(german: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    german.resize(*size)
    settle(german, qtbot)
    short = {}
    for spec in PAGES:
        for view, _ in spec.views or (("", ""),):
            state = german.workspace.state
            views = (state.with_page_view(spec.key, view) if view else state).page_views
            german.workspace.apply(page=spec.key, page_views=views)
            settle(german, qtbot)
            # Layouts are final a few turns of the event loop after everything is shown.
            for _ in range(_TURNS):
                qtbot.wait(_LOOK_MS)
                if not (words := elided(german, size == (_WIDE, _TALL))):
                    break
            if words:
                short[spec.key, view] = words
    assert short == {}, short
    assert untranslated() == []


def test_that_no_word_in_a_german_dialog_is_cut(
    german: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.gui.services.layout.room_of", lambda _: ROOM)
    german.resize(*_SCALED)
    short = {}
    for name in DIALOGS:
        dialog = dialog_of(german, qtbot, name)
        if words := cut(dialog):
            short[name] = words
        if dialog.size().boundedTo(ROOM) != dialog.size():
            short[f"{name} is too large"] = [str(dialog.size())]
        dialog.close()
        settle(german, qtbot)
    assert short == {}, short
    assert untranslated() == []


def test_that_no_menu_of_the_german_window_is_wider_than_the_window(german: MainWindow) -> None:
    bar = german.menuBar()
    last = bar.actionGeometry(bar.actions()[-1])
    assert last.right() < german.finder.geometry().left()
    assert max(menu.sizeHint().width() for menu in german.menus.values()) < _SCALED[0] // 2


def test_that_lines_of_a_card_are_below_each_other_as_soon_as_the_page_is_visible(
    german: MainWindow, qtbot: QtBot
) -> None:
    german.resize(_WIDE, _TALL)
    settle(german, qtbot)
    for page, view in (("sizing", "plan"), ("sizing", "what-if"), ("cache", "over-time"), ("sizing", "what-if")):
        views = german.workspace.state.with_page_view(page, view).page_views
        after(german, qtbot, lambda page=page, views=views: german.workspace.apply(page=page, page_views=views))  # type: ignore[misc]
        labels = [label for label in german.page.make_whole().cards.findChildren(PartsLabel) if label.isVisible()]
        assert labels
        assert [label.full for label in labels if label.height() < label.heightForWidth(label.width())] == []


def test_that_the_headings_of_changes_and_intervals_do_not_touch(german: MainWindow, qtbot: QtBot) -> None:
    after(german, qtbot, lambda: german.show_page("overview"))
    figure = german.page.make_whole().figure
    assert figure is not None
    assert figure.rows is not None
    (left, change), (right, _) = figure.rows.heads(figure.rows.figure.panels[0])
    assert change == "Änderung"
    assert right - left >= text_width(figure.rows.ink.small, change) + 10


def test_that_cards_of_an_estimated_cache_cut_no_title(german: MainWindow, qtbot: QtBot) -> None:
    german.resize(_WIDE, _TALL)
    open_and_wait(german, qtbot, SAMPLE / "xenapp-pvs-ram-cache")
    views = german.workspace.state.with_page_view("cache", "what-if").page_views
    after(german, qtbot, lambda: german.workspace.apply(page="cache", page_views=views))
    cards = german.page.make_whole().cards
    titles = [label for label in cards.findChildren(FittedLabel) if label.isVisible()]
    assert len(titles) >= 5
    assert [label.full for label in titles if label.cut] == []


def test_that_the_badge_of_a_study_with_many_decisions_cuts_no_word(
    german: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    german.resize(_WIDE, _TALL)
    badge = german.rail.badge
    for warnings in (1, 27, 127):
        monkeypatch.setattr(type(german.workspace.library), "warnings", lambda _, warnings=warnings: warnings)
        after(german, qtbot, german.rail.refresh)
        qtbot.waitUntil(lambda: badge.isVisible() and badge.width() >= badge.sizeHint().width())
        assert str(warnings) in badge.text()
