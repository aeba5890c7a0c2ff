"""Pages at 1366 x 768, the smallest usual screen: no content is cut, no area is empty, and numbers are short."""

from __future__ import annotations

import re
from functools import partial

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, open_and_wait
from workbench.answers.registry import PAGES
from workbench.gui.pages.answer_cards import CardFrame
from workbench.gui.plot.axes.labels import labels
from workbench.gui.plot.ink import line_height
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable


def figure_of(window: MainWindow, qtbot: QtBot, page: str) -> FigureView:
    window.resize(1366, 768)
    after(window, qtbot, lambda: window.show_page(page))
    figure = window.page.figure
    assert figure is not None
    return figure


def test_that_every_row_of_the_overview_is_visible(opened: MainWindow, qtbot: QtBot) -> None:
    figure = figure_of(opened, qtbot, "overview")
    room = opened.page.make_whole().room
    assert figure.rows is not None
    assert len(figure.rows.names) == 5
    lowest = max(box.bottom() for box, _, _ in figure.rows.boxes())
    assert figure.mapTo(room, figure.rect().topLeft()).y() + lowest <= room.height()


def test_that_names_of_limits_are_not_rotated(opened: MainWindow, qtbot: QtBot) -> None:
    figure = figure_of(opened, qtbot, "limits")
    assert len(figure.seen) == 4
    turned = {panel.scales.panel.title: panel.place.names.turned for panel in figure.seen}
    assert set(turned.values()) == {False}
    assert all(text for panel in figure.seen for text in panel.place.names.lines)


@pytest.mark.parametrize("page", ["logons", "cache", "timeline"])
def test_that_plots_begin_under_their_title(opened: MainWindow, qtbot: QtBot, page: str) -> None:
    figure = figure_of(opened, qtbot, page)
    for panel in figure.seen:
        titles = [
            label.area.bottom()
            for label in labels(panel.place, figure._ink)
            if label.area.top() < panel.place.plot.top() - 4
        ]
        between = panel.place.plot.top() - max(area for area in titles if area <= panel.place.plot.top())
        assert between <= line_height(figure._ink.small), panel.scales.panel.title


def test_that_a_row_for_flags_appears_and_disappears_with_the_cursors(opened: MainWindow, qtbot: QtBot) -> None:
    figure = figure_of(opened, qtbot, "logons")
    before = figure.seen[0].place.plot.top()
    figure.set_cursor("A")
    assert figure.seen[0].place.plot.top() > before
    figure.cursors.clear()
    figure._fit_rows()
    assert figure.seen[0].place.plot.top() == before


def test_that_measured_values_have_four_digits_at_most(sample: MainWindow, qtbot: QtBot) -> None:
    figure_of(sample, qtbot, "benchmarks")
    shown = [label.text() for label in sample.page.findChildren(QLabel) if label.isVisible()]
    model = sample.page.tables[0].table.model()
    shown += [str(model.index(row, at).data()) for row in range(model.rowCount()) for at in range(model.columnCount())]
    numbers = [number for text in shown for number in re.findall(r"\d{1,3}(?:\u2009\d{3})+", text)]
    assert len(numbers) > 5
    digits = [re.sub("[^0-9]", "", number).strip("0") for number in numbers]
    assert [number for number in digits if len(number) > 4] == []


def test_that_a_rounded_number_has_all_its_digits_in_the_tooltip_and_in_the_copy(
    sample: MainWindow, qtbot: QtBot
) -> None:
    figure_of(sample, qtbot, "benchmarks")
    table = sample.page.tables[0].table
    model = table.model()
    large = [
        index
        for row in range(model.rowCount())
        for column in range(model.columnCount())
        if isinstance((index := model.index(row, column)).data(257 - 1), float) and index.data(256) > 10_000
    ]
    rounded = [index for index in large if index.data(256) % 10]
    assert rounded
    for index in rounded:
        assert re.sub("[^0-9.]", "", index.data(3) or index.data()).startswith(str(int(index.data(256))))
        assert table.cell_text(index).startswith(str(int(index.data(256))))


def test_that_the_verdicts_need_no_horizontal_scrolling(opened: MainWindow, qtbot: QtBot) -> None:
    figure_of(opened, qtbot, "compare")
    table = opened.page.tables[0].table
    assert table.horizontalScrollBar().maximum() == 0
    index = table.model().index(0, 1)
    assert len(index.data()) < len(index.data(11)), "a screen reader and the filter know the word of the sign"
    table.show_matching("worse")
    assert table.model().rowCount() == 1


@pytest.mark.parametrize("page", ["logons", "import-report"])
def test_that_long_tables_need_no_horizontal_scrolling(sample: MainWindow, qtbot: QtBot, page: str) -> None:
    sample.resize(1366, 768)
    spec, seen, wide = next(spec for spec in PAGES if spec.key == page), set(), []
    for study in sample.workspace.library.studies:
        for view, _ in spec.views:
            views = sample.workspace.state.with_page_view(page, view).page_views
            change = partial(sample.workspace.apply, page=page, page_views=views, study=study.folder)
            after(sample, qtbot, change)
            QApplication.processEvents()
            tables = [table for table in sample.page.findChildren(DataTable) if table.isVisible()]
            seen |= {table.name for table in tables}
            wide += [(view, table.name) for table in tables if table.horizontalScrollBar().maximum()]
    assert len(seen) >= 3
    assert wide == []


def test_that_files_of_one_folder_are_shown_without_the_folder(sample: MainWindow, qtbot: QtBot) -> None:
    after(sample, qtbot, lambda: sample.show_page("import-report"))
    table = next(table for table in sample.page.findChildren(DataTable) if table.name == "Files of this run")
    index = table.model().index(0, 0)
    assert "/" in table.cell_text(index)
    assert "/" not in index.data()
    assert table.cell_text(index).endswith(f"/{index.data()}")


def test_that_long_names_in_the_tree_take_two_lines(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 768)
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    tree = window.rail.tree
    heights = {}
    for label in ("PVS 256 MB", "PVS 256 MB bloated profile"):
        item = tree.configuration_item(label)
        assert item is not None
        heights[label] = tree.visualRect(item.index()).height()
    assert heights["PVS 256 MB bloated profile"] >= heights["PVS 256 MB"] + QFontMetrics(tree.font()).height()


def test_that_a_name_that_fits_in_the_tree_takes_one_line(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 768)
    open_and_wait(window, qtbot, SAMPLE / "damaged")
    tree, metrics = window.rail.tree, QFontMetrics(window.rail.tree.font())
    short = tree.configuration_item("Drift")
    assert short is not None
    one, seen = tree.visualRect(short.index()).height(), {True: 0, False: 0}
    left = max(tree.visualRect(short.index()).left(), 0)
    for group in window.workspace.library.groups(window.workspace.state):
        item = tree.configuration_item(group.label)
        assert item is not None
        # The box, with gaps of six pixels around it and the name.
        fits = left + 16 + 3 * 6 + metrics.horizontalAdvance(group.label) <= tree.columnWidth(0)
        if group.baseline_by is None:
            assert (tree.visualRect(item.index()).height() == one) is fits, group.label
            seen[fits] += 1
    assert min(seen.values()) >= 3


def test_that_the_baseline_box_has_enough_space_for_its_choice(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 768)
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    for page, key in (("compare", "compare.baseline"), ("sizing", "sizing.configuration")):
        after(window, qtbot, lambda page=page: window.show_page(page))
        fields = window.page.make_whole().inputs.fields
        assert key in fields, list(fields)
        box = fields[key]
        for row in range(box.count()):
            box.setCurrentIndex(row)
            assert box.shown_text() == box.currentText()


def test_that_speaker_notes_are_visible(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1366, 768)
    after(opened, qtbot, lambda: opened.show_page("storyboard"))
    board = opened.page.own
    assert board is not None
    notes = board.pane.notes
    room = notes.visibleRegion().boundingRect()
    assert room.height() >= 40
    assert room.height() == notes.height()


def test_that_the_questions_of_a_test_are_complete(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1366, 768)
    after(opened, qtbot, lambda: opened.show_page("prepare"))
    boxes = [box for box in opened.page.findChildren(QCheckBox) if box.isVisible()]
    assert len(boxes) == 9
    assert [box.text() for box in boxes if box.width() < box.sizeHint().width()] == []


def test_that_cards_of_many_configurations_have_enough_space_for_their_text(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "damaged")
    window.resize(1366, 768)
    narrow = []
    for spec in PAGES:
        for view, _ in spec.views or (("", ""),):
            views = window.workspace.state.with_page_view(spec.key, view).page_views
            after(window, qtbot, partial(window.workspace.apply, page=spec.key, page_views=views))
            cards = [card for card in window.page.findChildren(CardFrame) if card.isVisible()]
            narrow += [(spec.key, view, card.width()) for card in cards if card.width() < 140]
    assert narrow == []


def test_that_no_card_of_a_page_cuts_its_title_or_value(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1366, 768)
    cut, seen = set(), 0
    for spec in PAGES:
        for view, _ in spec.views or (("", ""),):
            views = opened.workspace.state.with_page_view(spec.key, view).page_views
            after(opened, qtbot, partial(opened.workspace.apply, page=spec.key, page_views=views))
            for card in filter(CardFrame.isVisible, opened.page.findChildren(CardFrame)):
                seen += 1
                cut |= {(spec.key, view, label.full) for label in (card.title, card.value) if label.cut}
    assert seen > 40
    assert cut == set()
