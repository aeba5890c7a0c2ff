"""No old figures under a new title: until an answer is ready, the page says that it is being computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, SAMPLE, SWEEP, after, open_and_wait, settle
from tests.gui.shown_texts import texts_of
from tests.gui.test_live_edges import LEFT, NONE, Hand, cards
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.spec import PageSpec
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.charts.palette import HUES
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.storyboard.board import BoardView
from workbench.model.metric import Quantity

KEYS = [spec.key for spec in PAGES]


class Gate:
    """Delays the answers of pages while it is closed; each answer waits for a separate event."""

    def __init__(self) -> None:
        self.closed = False
        self.waiting: list[tuple[str, Event]] = []

    def pass_through(self, key: str) -> None:
        if self.closed:
            self.waiting.append((key, event := Event()))
            assert event.wait(LONG_MS / 1000)

    def open(self) -> None:
        self.closed = False
        for _, event in self.waiting:
            event.set()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    real, gate = PageSpec.answer, Gate()

    def answer(spec: PageSpec, library: Library, choices: Choices) -> Content:
        gate.pass_through(spec.key)
        return real(spec, library, choices)

    monkeypatch.setattr(PageSpec, "answer", answer)
    yield gate
    gate.open()


@contextmanager
def held(window: MainWindow, qtbot: QtBot, gate: Gate, act: Callable[[], object]) -> Iterator[None]:
    """Performs an action, and stops when the answer is requested and not ready."""
    gate.closed = True
    act()
    qtbot.waitUntil(lambda: bool(gate.waiting), timeout=LONG_MS)
    yield
    gate.open()
    gate.waiting.clear()
    settle(window, qtbot)


def seen(widget: QWidget) -> set[str]:
    """The texts that are visible in a widget, without its tooltips."""
    inside = [part for part in (widget, *widget.findChildren(QWidget)) if part.isVisible()]
    return {text for part in inside for where, text in texts_of(part) if text and not where.startswith("tip")}


def drawn(widget: QWidget) -> set[str]:
    """The colours of configurations that occur in the pixels of a widget."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    found = np.frombuffer(image.constBits(), np.uint32)
    return {hue for hue in ("MCS", "MCSIO", "PVS") if (found == QColor(HUES["light"][hue]).rgb()).any()}


def waits(window: MainWindow) -> None:
    """True if the page shows only that it computes."""
    page = window.page
    assert page.waiting.isVisible()
    assert page.content is None
    assert seen(page) <= {page.waiting.text.text(), page.waiting.of_what.text(), page.waiting.accessibleName()}
    assert not drawn(page)
    assert not window.header.caption.text().strip()


def rename(window: MainWindow) -> None:
    window.runs.rename_to([run.folder for run in window.workspace.library.with_runs[0].runs[:3]], "Renamed")


def exclude(window: MainWindow) -> None:
    window.runs.exclude_with([window.workspace.library.with_runs[0].runs[-1].folder], "disk was full")


def hide(window: MainWindow) -> None:
    window.workspace.apply(hidden=frozenset({window.rail.tree.configurations()[-1][0]}))


ACTS: dict[str, tuple[str, Callable[[MainWindow], object]]] = {
    "phase": ("per-vm-iops", lambda window: window.workspace.apply(phase="boot")),
    "metric": ("per-vm-iops", lambda window: window.workspace.apply(metric=Quantity.WRITE_IOPS)),
    "hide": ("overview", hide),
    "exclude": ("compare", exclude),
    "rename": ("overview", rename),
    "baseline": (
        "compare",
        lambda window: window.inputs.set("compare.baseline", window.rail.tree.configurations()[-1][0]),
    ),
    "page": ("overview", lambda window: window.show_page("per-vm-iops")),
}


@pytest.mark.parametrize("act", ACTS)
def test_that_a_page_hides_the_old_answer_while_a_new_one_is_computed(
    opened: MainWindow, qtbot: QtBot, gate: Gate, act: str
) -> None:
    page, do = ACTS[act]
    after(opened, qtbot, lambda: opened.show_page(page))
    before = seen(opened.page)
    assert drawn(opened.page)
    with held(opened, qtbot, gate, lambda: do(opened)):
        waits(opened)
        assert opened.workspace.library.with_runs[0].name in opened.page.waiting.of_what.text()
    assert not opened.page.waiting.isVisible()
    assert seen(opened.page) != before
    assert drawn(opened.page)


@pytest.mark.parametrize("key", KEYS)
def test_that_no_page_shows_an_answer_of_another_study(opened: MainWindow, qtbot: QtBot, gate: Gate, key: str) -> None:
    after(opened, qtbot, lambda: opened.show_page(key))
    with held(opened, qtbot, gate, lambda: opened.open_paths([SAMPLE / "windows-7-mcs-and-pvs"])):
        qtbot.waitUntil(lambda: opened.workspace.library.with_runs[0].name != SWEEP.name, timeout=LONG_MS)
        waits(opened)
    assert opened.page.content is not None


def test_that_a_study_chosen_in_the_tree_is_named_while_it_is_computed(
    window: MainWindow, qtbot: QtBot, gate: Gate
) -> None:
    open_and_wait(window, qtbot, SWEEP, SAMPLE / "windows-7-mcs-and-pvs")
    other = window.workspace.library.with_runs[1]
    with held(window, qtbot, gate, lambda: window.workspace.apply(study=other.folder, hidden=frozenset())):
        waits(window)
        assert other.name in window.page.waiting.of_what.text()


def test_that_undo_hides_the_previous_answer(opened: MainWindow, qtbot: QtBot, gate: Gate) -> None:
    after(opened, qtbot, lambda: rename(opened))
    with held(opened, qtbot, gate, opened.history.undo):
        waits(opened)
    assert "Renamed" not in " ".join(seen(opened.page))


def test_that_a_late_answer_of_a_superseded_request_is_not_shown(opened: MainWindow, qtbot: QtBot, gate: Gate) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    gate.closed = True
    opened.show_page("per-vm-iops")
    qtbot.waitUntil(lambda: len(gate.waiting) == 1, timeout=LONG_MS)
    opened.show_page("logons")
    qtbot.waitUntil(lambda: len(gate.waiting) == 2, timeout=LONG_MS)
    (_, early), (_, late) = gate.waiting
    early.set()
    qtbot.wait(100)
    waits(opened)
    late.set()
    settle(opened, qtbot)
    assert opened.page.spec.key == "logons"
    assert opened.page.content is not None
    assert not opened.page.waiting.isVisible()
    assert opened.pages["per-vm-iops"].content is None


def test_that_a_page_with_its_answer_is_never_under_the_title_of_another(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    question, caption = opened.header.question.text(), opened.header.caption.text()
    after(opened, qtbot, lambda: opened.show_page("overview"))
    opened.show_page("compare")
    # At once, without another turn of the event loop.
    assert opened.page.content is not None
    assert (opened.header.question.text(), opened.header.caption.text()) == (question, caption)
    settle(opened, qtbot)
    assert (opened.header.question.text(), opened.header.caption.text()) == (question, caption)


def test_that_the_focused_widget_has_focus_again_after_the_answer(opened: MainWindow, qtbot: QtBot, gate: Gate) -> None:
    table = opened.page.tables[0].table
    table.setFocus()
    with held(opened, qtbot, gate, lambda: hide(opened)):
        assert opened.page.isAncestorOf(opened.focusWidget())
    assert opened.focusWidget() is table


def test_that_live_figures_stay_after_an_edge_is_released_until_they_are_computed_again(
    window: MainWindow, qtbot: QtBot, gate: Gate
) -> None:
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    after(window, qtbot, lambda: window.workspace.apply(page="per-vm-iops", phase="steady"))
    before = cards(window)
    hand = Hand(window, qtbot)
    hand.move(-300)
    live = cards(window)
    assert live != before
    gate.closed = True
    hand._send(QEvent.Type.MouseButtonRelease, LEFT, NONE)
    qtbot.waitUntil(lambda: bool(gate.waiting), timeout=LONG_MS)
    assert not window.page.waiting.isVisible()
    assert cards(window) == live
    gate.open()
    settle(window, qtbot)
    assert cards(window) == live


def test_that_a_page_stays_visible_after_an_input_until_it_is_computed_again(
    opened: MainWindow, qtbot: QtBot, gate: Gate
) -> None:
    after(opened, qtbot, lambda: opened.show_page("sizing"))
    shown = opened.page.content
    with held(opened, qtbot, gate, lambda: opened.inputs.set("sizing.desktops", 250.0)):
        assert opened.page.content is shown
        assert not opened.page.waiting.isVisible()
    assert opened.page.content is not shown


def test_that_thumbnails_are_drawn_again_for_other_figures(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("storyboard"))
    board = opened.page.own
    assert isinstance(board, BoardView)
    qtbot.waitUntil(lambda: bool(board._drawn) and not board.drawing and not opened.busy, timeout=LONG_MS)
    pictures = {picture.cacheKey() for picture in board._drawn.values()}
    after(opened, qtbot, lambda: hide(opened))
    qtbot.waitUntil(lambda: bool(board._drawn) and not board.drawing and not opened.busy, timeout=LONG_MS)
    assert pictures.isdisjoint(picture.cacheKey() for picture in board._drawn.values())


def test_that_a_presentation_shows_no_slide_of_a_study_that_is_closed(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    after(opened, qtbot, opened.presenter.start)
    room = opened.presenter.room
    assert room is not None
    assert room.slide is not None
    asked, answers = Event(), Event()
    from workbench.answers.storyboard import compute

    real = compute.shown_story

    def shown_story(*told: object) -> object:
        asked.set()
        assert answers.wait(LONG_MS / 1000)
        return real(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(compute, "shown_story", shown_story)
    opened.open_paths([SAMPLE / "windows-7-mcs-and-pvs"])
    qtbot.waitUntil(
        lambda: asked.is_set() and opened.workspace.library.with_runs[0].name != SWEEP.name, timeout=LONG_MS
    )
    assert room.slide is None
    opened.presenter.step(1)
    assert room.slide is None
    answers.set()
    settle(opened, qtbot)
    qtbot.waitUntil(lambda: room.slide is not None, timeout=LONG_MS)
    opened.presenter.stop()


def test_that_a_presented_slide_never_shows_new_figures_under_an_old_sentence(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, opened.presenter.start)
    presenter = opened.presenter
    story = presenter.slides
    hide(opened)
    presenter.step(1)
    settle(opened, qtbot)
    presenter.step(1)
    settle(opened, qtbot)
    assert presenter.slides is not story
    presenter.stop()


def test_that_counters_of_another_study_are_hidden_while_the_counters_are_loaded(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    after(opened, qtbot, lambda: opened.show_page("timeline"))
    panel = opened.counters.panel
    assert panel.tree.model().rowCount()
    asked, answers = Event(), Event()
    from workbench.gui.commands import counters

    real = counters.catalogue

    def catalogue(*told: object) -> object:
        asked.set()
        assert answers.wait(LONG_MS / 1000)
        return real(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(counters, "catalogue", catalogue)
    opened.open_paths([SAMPLE / "windows-7-mcs-and-pvs"])
    qtbot.waitUntil(asked.is_set, timeout=LONG_MS)
    assert not panel.tree.model().rowCount()
    assert not panel.count.text()
    answers.set()
    settle(opened, qtbot)
    assert panel.tree.model().rowCount()


def test_that_a_message_about_another_page_is_removed_with_it(opened: MainWindow, qtbot: QtBot) -> None:
    opened.strip.tell("The chart highlights the finding.")
    after(opened, qtbot, lambda: opened.show_page("cache"))
    assert opened.strip.told == ""
    opened.strip.warn("The disk is full.")
    after(opened, qtbot, lambda: opened.show_page("compare"))
    assert opened.strip.told == "The disk is full."


def test_that_the_status_strip_keeps_its_place_and_shows_one_message_at_a_time(
    opened: MainWindow, qtbot: QtBot
) -> None:
    strip, page = opened.strip, opened.page
    places = strip.geometry(), page.geometry()
    at_rest = strip.message.full
    assert "15 runs" in at_rest
    strip.begin("Reading")
    strip.read("MCS: 105 IOPS")
    assert (strip.message.full, strip.bar.isVisible()) == ("Reading", True)
    strip.tell("Saved.")
    assert (strip.message.full, strip.bar.isVisible()) == ("MCS: 105 IOPS", False), "what the pointer reads comes first"
    strip.read("")
    assert strip.message.full == "Saved."
    strip.forget()
    assert strip.message.full == at_rest
    assert (strip.geometry(), page.geometry()) == places


def test_that_a_fast_answer_is_shown_without_an_intermediate_frame(opened: MainWindow, qtbot: QtBot) -> None:
    opened.show_page("compare")
    assert not opened.header.updatesEnabled()
    assert not opened.rail.updatesEnabled()
    assert not opened.page.updatesEnabled()
    settle(opened, qtbot)
    assert opened.header.updatesEnabled()
