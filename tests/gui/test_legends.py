"""Legends in the real window: clicks and keys hide an entry, with undo, saved views and exports."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.gui.conftest import settle
from workbench.charts.figure import Line, Panel
from workbench.exporters.contents import shown_now
from workbench.gui.shell.main_window import MainWindow

LEFT, ALT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier


def show(window: MainWindow, qtbot: QtBot, page: str, view: str = "") -> None:
    window.workspace.apply(page=page)
    if view:
        window.workspace.apply(page_views=window.workspace.state.with_page_view(page, view).page_views)
    settle(window, qtbot)


def click(window: MainWindow, qtbot: QtBot, name: str, keys: Qt.KeyboardModifier = PLAIN) -> None:
    """A real click on the entry of a legend."""
    figure = window.page.figure
    assert figure is not None
    area = next(area for area, entry in figure._entries() if entry.name == name)
    at = QPoint(round(area.left() + 30), round(area.center().y()))
    qtbot.mouseClick(figure._canvas.viewport(), LEFT, keys, at)
    settle(window, qtbot)


def entries(window: MainWindow) -> dict[str, bool]:
    """The entries of the legends, and whether they are hidden."""
    figure = window.page.figure
    assert figure is not None
    return {entry.name: entry.hidden for _, entry in figure._entries()}


def panel(window: MainWindow) -> Panel:
    content = window.page.content
    assert content is not None
    assert content.figure is not None
    return content.figure.panels[0]


def drawn(window: MainWindow) -> list[str]:
    return [mark.name for mark in panel(window).marks if isinstance(mark, Line) and np.isfinite(mark.y).any()]


def test_that_a_click_hides_a_configuration_as_its_tick_in_the_tree_does(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot, "compare", "distribution")
    every = drawn(opened)
    click(opened, qtbot, "MCSIO 512 MB")
    assert opened.workspace.state.hidden == {"MCSIO 512 MB"}
    assert drawn(opened) == [name for name in every if name != "MCSIO 512 MB"]
    assert entries(opened)["MCSIO 512 MB"]
    click(opened, qtbot, "MCSIO 512 MB")
    assert opened.workspace.state.hidden == frozenset()
    assert drawn(opened) == every
    opened.workspace.undo()
    assert opened.workspace.state.hidden == {"MCSIO 512 MB"}


def test_that_alt_with_a_click_shows_one_entry_alone_and_a_second_click_shows_all(
    opened: MainWindow, qtbot: QtBot
) -> None:
    show(opened, qtbot, "compare", "distribution")
    every = drawn(opened)
    click(opened, qtbot, "MCS", ALT)
    assert drawn(opened) == ["MCS"]
    assert [name for name, hidden in entries(opened).items() if hidden] == every[1:]
    click(opened, qtbot, "MCS")
    assert drawn(opened) == ["MCS"], "the last configuration stays"
    click(opened, qtbot, "MCS", ALT)
    assert drawn(opened) == every


def test_that_keys_have_the_effect_of_clicks(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot, "compare", "distribution")
    figure = opened.page.figure
    assert figure is not None
    figure.setFocus()
    for key in (Qt.Key.Key_L, Qt.Key.Key_L, Qt.Key.Key_Space):
        qtbot.keyClick(figure, key)
    settle(opened, qtbot)
    assert opened.workspace.state.hidden == {"MCSIO 256 MB"}
    assert figure.accessibleDescription()
    qtbot.keyClick(figure, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(figure, Qt.Key.Key_Space, ALT)
    settle(opened, qtbot)
    assert drawn(opened) == ["MCS"]


def test_that_a_legend_entry_without_configuration_is_hidden_on_its_page_with_undo_and_views_and_exports(
    opened: MainWindow, qtbot: QtBot
) -> None:
    show(opened, qtbot, "timeline")
    name = next(iter(entries(opened)))
    assert name in drawn(opened)
    click(opened, qtbot, name)
    state = opened.workspace.state
    assert name not in drawn(opened)
    assert (state.hidden, state.hidden_entries("timeline")) == (frozenset(), {name})
    assert entries(opened)[name]
    assert name in opened.page.content.caption  # type: ignore[union-attr]
    (part,) = shown_now(opened.workspace.library, state).parts
    assert part.content.figure is not None
    assert name not in [mark.name for one in part.content.figure.panels for mark in one.marks]
    view = state.saved_view("seen")
    opened.workspace.undo()
    assert opened.workspace.state.hidden_entries("timeline") == frozenset()
    assert opened.workspace.state.looking_at(view).hidden_entries("timeline") == {name}
