"""Small windows: content without enough space is scrolled or wrapped, and not squeezed or cut."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, SWEEP, after, open_and_wait
from workbench.gui.pages.page_parts import least_height
from workbench.gui.plot.axes.labels import under_plot
from workbench.gui.plot.geometry import x_label
from workbench.gui.plot.ink import Ink, text_width
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.boxes import CaptionedBox
from workbench.gui.widgets.labels import FittedLabel, PartsLabel


def test_that_stacked_panels_keep_their_height_and_the_table_is_scrolled_to(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    open_and_wait(window, qtbot, SAMPLE / "storage-benchmarks")
    after(window, qtbot, lambda: window.show_page("benchmarks"))
    page = window.page
    assert page.figure is not None
    figure = page.figure.figure
    assert max(sum(p.column == q.column for q in figure.panels) for p in figure.panels) >= 3
    qtbot.waitUntil(lambda: page.figure is not None and page.figure.height() >= least_height(figure))
    qtbot.waitUntil(lambda: page.make_whole().body.height() > page.height() - page.make_whole().cards.height())
    # At least four rows of the table after it is shown.
    table = page.tables[0].table
    assert table.viewport().height() >= 4 * table.rowHeight(0)


def test_that_a_note_wraps_between_its_parts(qtbot: QtBot) -> None:
    label = PartsLabel("quiet")
    qtbot.addWidget(label)
    text = "−50.0 % [−51.5, −48.5], n = 3"
    width = QFontMetrics(label.font()).horizontalAdvance(text)
    label.resize(width + 20, 20)
    label.show_text(text)
    assert label.text() == text
    label.resize(width - 10, 20)
    label.show_text(text)
    assert label.text() == "−50.0 % [−51.5, −48.5],\nn = 3"
    assert label.toolTip()


def test_that_an_interval_stays_on_one_line(qtbot: QtBot) -> None:
    label = PartsLabel("quiet")
    qtbot.addWidget(label)
    text = "better · [−51.5, −48.5] % · n = 3"
    label.resize(QFontMetrics(label.font()).horizontalAdvance(text) - 40, 20)
    label.show_text(text)
    assert "[−51.5, −48.5]" in label.text()
    assert label.text() != text


def has_room(label: PartsLabel) -> bool:
    # Before its first layout a label has no meaningful width.
    lines = label.text().count("\n") + 1
    return label.width() > 100 and label.height() >= lines * QFontMetrics(label.font()).height()


def test_that_notes_with_two_lines_do_not_overlap(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    open_and_wait(window, qtbot, SWEEP)
    broken = 0
    for page in ("per-vm-iops", "compare", "cache"):
        after(window, qtbot, lambda page=page: window.show_page(page))  # type: ignore[misc]
        notes = [label for label in window.page.make_whole().cards.findChildren(PartsLabel) if label.isVisible()]
        qtbot.waitUntil(lambda notes=notes: all(has_room(label) for label in notes))  # type: ignore[misc]
        broken += sum("\n" in label.text() for label in notes)
    assert broken >= 4


def test_that_the_title_of_an_axis_stays_in_its_card(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    open_and_wait(window, qtbot, SWEEP)
    after(window, qtbot, lambda: window.workspace.apply(page="per-vm-iops", scale="own"))
    figure = window.page.figure
    assert figure is not None
    ink = Ink("light")
    places = [place for panel in figure._panels if (place := panel.place).shows_x]
    assert len(places) == 5
    for place in places:
        label = x_label(place.scales)
        assert text_width(ink.small, label) > place.plot.width()
        area = under_plot(place, ink, label, QRectF(place.plot))
        assert text_width(ink.small, label) <= area.width()
        assert place.card.left() < area.left() < area.right() < place.card.right()


def test_that_charts_side_by_side_keep_enough_space_for_their_curves(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    views = window.workspace.state.with_page_view("sizing", "what-if").page_views
    for page in ("sizing", "overview"):
        after(window, qtbot, lambda page=page: window.workspace.apply(page=page, page_views=views))  # type: ignore[misc]
        figure = window.page.figure
        assert figure is not None
        qtbot.waitUntil(lambda figure=figure: figure.height() >= least_height(figure.figure))  # type: ignore[misc]
        assert all(panel.place.plot.height() >= 40 for panel in figure._panels)


def test_that_the_plots_over_a_slider_are_high_enough_to_read(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 768)
    open_and_wait(window, qtbot, SWEEP)
    views = window.workspace.state.with_page_view("cache", "what-if").page_views
    after(window, qtbot, lambda: window.workspace.apply(page="cache", page_views=views))
    figure = window.page.figure
    assert figure is not None
    qtbot.waitUntil(lambda: figure.height() >= least_height(figure.figure))
    heights = [panel.place.plot.height() for panel in figure._panels]
    assert len(heights) == 2
    assert min(heights) >= 110


def test_that_a_chooser_and_a_filter_have_enough_space_as_soon_as_the_view_is_visible(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1366, 768)
    open_and_wait(window, qtbot, SAMPLE)
    views = (
        ("import-report", "causes"),
        ("import-report", "files"),
        ("compare", "metric"),
        ("compare", "distribution"),
        ("timeline", ""),
        ("benchmarks", "sweeps"),
        ("import-report", "files"),
    )
    for page, view in views:
        state = window.workspace.state
        chosen = state.with_page_view(page, view).page_views if view else state.page_views
        after(window, qtbot, lambda page=page, chosen=chosen: window.workspace.apply(page=page, page_views=chosen))  # type: ignore[misc]
        for box in window.findChildren(CaptionedBox):
            if box.isVisible():
                assert box.width() >= box.sizeHint().width(), (page, view, box.currentText())
        for card in window.page.filtered:
            if card.filter.isVisible():
                assert card.filter.mapTo(window, card.filter.rect().topRight()).x() < window.width() - 10
                assert card.filter.geometry().right() < card.width(), (page, view)


def test_that_a_note_takes_as_many_lines_as_it_needs(qtbot: QtBot) -> None:
    label = PartsLabel("quiet")
    qtbot.addWidget(label)
    text = "117 per VM in 4:00 min · 28 080 I/O each · 3 978 IOPS if all start at once"
    width = QFontMetrics(label.font()).horizontalAdvance("28 080 I/O each") + 4
    label.resize(width, 20)
    label.show_text(text)
    lines = label.text().split("\n")
    assert " ".join(lines).replace(" · ", " ") == text.replace(" · ", " ")
    assert max(QFontMetrics(label.font()).horizontalAdvance(line) for line in lines) <= width
    assert label.heightForWidth(width) >= len(lines) * QFontMetrics(label.font()).height()


def test_that_cards_of_a_laptop_cut_nothing_and_have_titles_of_one_size(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1366, 768)
    smaller = 0
    for page, view in (("sizing", "what-if"), ("sizing", "plan"), ("cache", "what-if")):
        views = opened.workspace.state.with_page_view(page, view).page_views
        after(opened, qtbot, lambda page=page, views=views: opened.workspace.apply(page=page, page_views=views))  # type: ignore[misc]
        cards = opened.page.make_whole().cards
        notes = [label for label in cards.findChildren(PartsLabel) if label.isVisible()]
        assert [label.full for label in notes if "…" in label.text()] == []
        qtbot.waitUntil(lambda notes=notes: all(has_room(label) for label in notes))  # type: ignore[misc]
        titles = [label for label in cards.findChildren(FittedLabel) if label.property("role") == "heading"]
        assert len({label.share for label in titles}) == 1
        smaller += titles[0].share < 1.0
    assert smaller >= 2
