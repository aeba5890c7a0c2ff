"""The What-if view of the Cache page: the slider under the chart, its keys, and its effects."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.conftest import settle
from workbench.answers.cache.spec import KEY, WHAT_IF
from workbench.answers.cache.untested.page import ADD, REMOVE, SIZE
from workbench.charts.inputs import Input
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.axis_slider import AxisSlider


@pytest.fixture
def what_if(opened: MainWindow, qtbot: QtBot) -> MainWindow:
    study = next(study for study in opened.workspace.library.studies if study.name == "rds-mcsio-cache-sweep")
    opened.workspace.apply(page=KEY, study=study.folder)
    opened.workspace.apply(page_views=opened.workspace.state.with_page_view(KEY, WHAT_IF).page_views)
    settle(opened, qtbot)
    return opened


def slider(window: MainWindow) -> AxisSlider:
    shown = window.pages.shown.make_whole().slider
    assert shown is not None
    assert shown.isVisible()
    return shown


def overflow_card(window: MainWindow) -> str:
    content = window.pages.shown.content
    assert content is not None
    return content.cards[1].value


def test_that_the_slider_shares_the_x_axis_of_the_plots_over_it(what_if: MainWindow) -> None:
    figure = what_if.pages.shown.figure
    assert figure is not None
    for panel in figure.seen:
        for size in (256.0, 1024.0, 4096.0):
            at = panel.pixel(size - panel.scales.origin, 0).x()
            assert slider(what_if).pixel_of(size) == pytest.approx(at, abs=1)


def test_that_a_click_on_the_slider_predicts_that_size_and_one_undo_restores_it(
    what_if: MainWindow, qtbot: QtBot
) -> None:
    bar = slider(what_if)
    assert (bar.value(), overflow_card(what_if)) == (2694, "none")
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(round(bar.pixel_of(2000)), 14))
    for size in (1800, 1500, 1030):  # near the tick of 1 GB the knob snaps to it
        QTest.mouseMove(bar, QPoint(round(bar.pixel_of(size)), 14))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(round(bar.pixel_of(1030)), 14))
    settle(what_if, qtbot)
    assert bar.value() == 1024
    assert what_if.workspace.state.input(SIZE, 0.0) == 1024
    assert overflow_card(what_if) == "17:11"
    what_if.workspace.undo()
    settle(what_if, qtbot)
    assert (bar.value(), overflow_card(what_if)) == (2694, "none")


def test_that_keys_move_the_slider_by_64_mb_and_with_shift_by_256(what_if: MainWindow, qtbot: QtBot) -> None:
    bar = slider(what_if)
    QTest.keyClick(bar, Qt.Key.Key_Left)
    assert bar.value() == 2688
    QTest.keyClick(bar, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert bar.value() == 2688 - 256
    QTest.keyClick(bar, Qt.Key.Key_Home)
    assert bar.value() == 1
    settle(what_if, qtbot)
    assert what_if.workspace.state.input(SIZE, 0.0) == 1


def test_that_the_knob_snaps_to_the_ring_of_a_size_without_overflow(what_if: MainWindow, qtbot: QtBot) -> None:
    bar = slider(what_if)
    content = what_if.pages.shown.content
    assert content is not None
    ring = next(field.ring for field in content.inputs if field.key == SIZE)
    assert ring == pytest.approx(2693.6, abs=0.9)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(round(bar.pixel_of(ring)) + 3, 14))
    settle(what_if, qtbot)
    assert bar.value() == math.ceil(ring)
    assert overflow_card(what_if) == "none"


def test_that_the_knob_snaps_to_the_nearest_of_tick_and_ring(qtbot: QtBot) -> None:
    bar = AxisSlider()
    qtbot.addWidget(bar)
    field = Input(SIZE, "RAM cache", 500.0, minimum=1, maximum=1000, step=64, ticks=((512.0, "512 MB"),), ring=515.0)
    bar.show_input(field)
    bar.align((0.0, 1000.0), (0.0, 1000.0))
    for pixel, size in ((513, 512), (516, 515)):
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(pixel, 14))
        assert bar.value() == size


def test_that_a_typed_size_moves_the_slider(what_if: MainWindow, qtbot: QtBot) -> None:
    field = what_if.pages.shown.make_whole().inputs.fields[SIZE]
    field.setValue(700.0)  # type: ignore[union-attr]
    settle(what_if, qtbot)
    assert slider(what_if).value() == 700
    content = what_if.pages.shown.content
    assert content is not None
    assert content.cards[0].title.startswith("Remaining writes with 700")


def test_that_other_views_have_no_slider(what_if: MainWindow, qtbot: QtBot) -> None:
    what_if.workspace.apply(page_views=what_if.workspace.state.with_page_view(KEY, "sweep").page_views)
    settle(what_if, qtbot)
    shown = what_if.pages.shown.make_whole().slider
    assert shown is not None
    assert not shown.isVisible()


def row_colour(window: MainWindow, number: int) -> str:
    """The colour at the right of the row of the read-out over a panel."""
    figure = window.pages.shown.figure
    assert figure is not None
    at = figure.seen[number].place.read
    picture = figure.grab()
    ratio = picture.devicePixelRatio()
    return picture.toImage().pixelColor(int(ratio * (at.right() - 8)), int(ratio * at.center().y())).name()


def test_that_a_row_of_the_readout_has_a_background_only_if_it_has_text(what_if: MainWindow) -> None:
    figure = what_if.pages.shown.figure
    assert figure is not None
    assert len(figure.seen) == 2
    first, empty = row_colour(what_if, 0), row_colour(what_if, 1)
    assert first == empty
    figure._point(figure.seen[1].place.plot.center())
    assert row_colour(what_if, 1) != empty


def order(window: MainWindow) -> list[str]:
    content = window.pages.shown.content
    assert content is not None
    return [row[2].text for row in content.tables[1].rows]


def test_that_the_size_is_added_to_the_run_plan_and_removed(what_if: MainWindow, qtbot: QtBot) -> None:
    page = what_if.pages.shown
    assert page.content is not None
    assert page.content.offers == ADD
    page._follow(ADD[1])
    settle(what_if, qtbot)
    assert (what_if.workspace.state.page, what_if.workspace.state.page_view("compare")) == ("compare", "plan")
    assert order(what_if).count("MCSIO 2694 MB") == order(what_if).count("MCS") > 0
    what_if.workspace.apply(page=KEY)
    settle(what_if, qtbot)
    page = what_if.pages.shown
    assert page.content is not None
    assert page.content.offers == REMOVE
    page._follow(REMOVE[1])
    settle(what_if, qtbot)
    assert what_if.workspace.state.page == KEY
    what_if.workspace.apply(page="compare")
    settle(what_if, qtbot)
    assert "MCSIO 2694 MB" not in order(what_if)


def test_that_a_tested_size_is_not_offered_for_the_plan(what_if: MainWindow, qtbot: QtBot) -> None:
    what_if.pages.shown.make_whole().inputs.fields[SIZE].setValue(1024.0)  # type: ignore[union-attr]
    settle(what_if, qtbot)
    content = what_if.pages.shown.content
    assert content is not None
    assert content.offers is None


def test_that_a_large_screen_shows_more_of_the_table(what_if: MainWindow, qtbot: QtBot) -> None:
    def rows() -> int:
        table = what_if.page.make_whole().tables[0].table
        return table.viewport().height() // table.rowHeight(0)

    what_if.resize(3840, 2160)
    settle(what_if, qtbot)
    qtbot.waitUntil(lambda: rows() >= 10)
    assert what_if.page.figure is not None
    assert what_if.page.figure.height() > 1.5 * what_if.page.make_whole().tables[0].height()
