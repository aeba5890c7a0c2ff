"""The timeline in the real window: counters are found, drawn, dropped, pinned and removed; notes and edges."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, SAMPLE, after, open_and_wait, settle
from tests.gui.test_phase_edges import drag
from workbench.charts.figure import Line
from workbench.gui.commands.notes import NoteDialog
from workbench.gui.pages.counter_model import PINNED
from workbench.gui.plot.view import FigureView
from workbench.gui.shell.main_window import MainWindow
from workbench.model.edits import RunEdits
from workbench.model.phase import Phase
from workbench.model.recording import SeriesKey
from workbench.session.document import SessionDocument, decode, encode

STUDY = SAMPLE / "windows-7-mcs-and-pvs"
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def chart(window: MainWindow) -> FigureView:
    assert window.page.figure is not None
    return window.page.figure


def lines(window: MainWindow) -> list[str]:
    return [m.name for panel in chart(window).figure.panels for m in panel.marks if isinstance(m, Line)]


def search(window: MainWindow, qtbot: QtBot, typed: str) -> None:
    panel = window.counters.panel
    panel.field.setText(typed)
    qtbot.waitUntil(lambda: not panel.searching and not window.busy, timeout=LONG_MS)


def leaves(window: MainWindow, under: QModelIndex | None = None) -> list[tuple[str, ...]]:
    """The names from the top to each counter that the tree shows."""
    model = window.counters.panel.tree.counters
    found: list[tuple[str, ...]] = []
    for place in range(model.rowCount(under)):
        index = model.index(place, 0, under)
        name = str(model.data(index))
        found += [(name, *rest) for rest in leaves(window, index)] if model.hasChildren(index) else [(name,)]
    return found


def steady(window: MainWindow) -> dict[str, Phase]:
    """For each run, its steady state."""
    figures = (window.workspace.library.figures or {}).items()
    return {folder: row.phase for folder, run in figures if (row := run.phase("steady")) is not None}


def chosen(window: MainWindow) -> SeriesKey:
    """The counter that is selected in the tree."""
    (key,) = window.counters.panel.tree.selected()
    return key


def test_that_the_page_shows_io_and_cpu_of_the_first_run_at_once(timeline: MainWindow) -> None:
    assert [panel.y.unit for panel in chart(timeline).figure.panels] == ["IOPS", "%"]
    assert lines(timeline)[0] == "Disk Transfers/sec · W7-001"
    assert timeline.counters.panel.drawn.count() == 6
    assert timeline.page.content is not None
    assert "The chart shows 6 counters of run 'mcs-5vm'" in timeline.page.content.whole_method


def test_that_a_typing_error_still_finds_the_counter(timeline: MainWindow, qtbot: QtBot) -> None:
    total = len(leaves(timeline))
    search(timeline, qtbot, "pvs-256 w7-002 procesor")
    found = leaves(timeline)
    assert 0 < len(found) < total
    assert all(names[0].startswith("pvs-256") and names[1] == "W7-002" for names in found)
    assert any("Processor" in name for names in found for name in names[2:])
    search(timeline, qtbot, "no such thing")
    assert leaves(timeline) == []
    search(timeline, qtbot, "")
    assert len(leaves(timeline)) == total


def test_that_return_in_the_search_draws_the_best_match(timeline: MainWindow, qtbot: QtBot) -> None:
    search(timeline, qtbot, "pvs-256 w7-003 nonpaged")
    after(timeline, qtbot, lambda: QTest.keyClick(timeline.counters.panel.field, Qt.Key.Key_Return))
    assert [panel.y.unit for panel in chart(timeline).figure.panels] == ["IOPS", "%", "MB"]
    assert lines(timeline)[-1].startswith("Pool Nonpaged Bytes")
    assert timeline.workspace.state.timeline is not None
    assert timeline.workspace.state.timeline[-1].path.endswith("Pool Nonpaged Bytes")


def test_that_a_double_click_draws_a_counter_and_undo_removes_it(timeline: MainWindow, qtbot: QtBot) -> None:
    before = lines(timeline)
    search(timeline, qtbot, "mcs-1vm disk reads/sec")
    tree = timeline.counters.panel.tree
    key, place = chosen(timeline), tree.visualRect(tree.currentIndex()).center()
    # A tree recognises a double-click only after a click there.
    QTest.mouseClick(tree.viewport(), LEFT, NONE, place)
    QTest.mouseDClick(tree.viewport(), LEFT, NONE, place)
    settle(timeline, qtbot)
    assert timeline.counters.shown[-1] == key
    assert len(lines(timeline)) == len(before) + 1
    after(timeline, qtbot, timeline.history.undo)
    assert lines(timeline) == before


def test_that_a_counter_dropped_on_the_page_is_drawn(timeline: MainWindow, qtbot: QtBot) -> None:
    search(timeline, qtbot, "mcs-1vm processor time")
    tree, page = timeline.counters.panel.tree, timeline.page
    key = chosen(timeline)
    data = tree.counters.mimeData([tree.currentIndex()])
    actions = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(600, 300), actions, data, LEFT, NONE)
    QApplication.sendEvent(page, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(600, 300), actions, data, LEFT, NONE)
    after(timeline, qtbot, lambda: QApplication.sendEvent(page, drop))
    assert drop.isAccepted()
    assert timeline.counters.shown[-1] == key
    assert timeline.counters.panel.drawn.count() == 7


def test_that_ticking_a_box_in_the_tree_draws_a_counter_and_unticking_removes_it(
    timeline: MainWindow, qtbot: QtBot
) -> None:
    search(timeline, qtbot, "mcs-1vm processor time")
    model, tree = timeline.counters.panel.tree.counters, timeline.counters.panel.tree
    role = Qt.ItemDataRole.CheckStateRole
    key = chosen(timeline)
    for state in (Qt.CheckState.Checked, Qt.CheckState.Unchecked):
        model.setData(tree.currentIndex(), state.value, role)
        settle(timeline, qtbot)
        assert (key in timeline.counters.shown) is (state is Qt.CheckState.Checked)
        assert model.data(tree.currentIndex(), role) == state


def test_that_the_list_removes_counters_until_the_page_says_what_to_do(timeline: MainWindow, qtbot: QtBot) -> None:
    panel = timeline.counters.panel
    gone = lines(timeline)[0]
    panel.drawn.setCurrentRow(0)
    after(timeline, qtbot, lambda: QTest.keyClick(panel.drawn, Qt.Key.Key_Delete))
    assert gone not in lines(timeline)
    after(timeline, qtbot, lambda: timeline.counters.remove(timeline.counters.shown))
    assert timeline.page.empty.isVisible()
    assert "double-click" in timeline.page.empty.text.text()
    assert panel.isVisible()
    after(timeline, qtbot, panel.clear.click)
    assert gone in lines(timeline)


def test_that_pinned_counters_are_above_the_tree(timeline: MainWindow, qtbot: QtBot) -> None:
    search(timeline, qtbot, "pvs-256 w7-003 nonpaged")
    key = chosen(timeline)
    after(timeline, qtbot, lambda: timeline.counters.pin((key,), on=True))
    search(timeline, qtbot, "")
    assert leaves(timeline)[0][0] == PINNED
    assert "Pool Nonpaged Bytes" in leaves(timeline)[0][1]
    after(timeline, qtbot, timeline.history.undo)
    settle(timeline, qtbot)
    assert leaves(timeline)[0][0] != PINNED


def test_that_a_counter_is_drawn_from_every_run_each_in_its_colour(timeline: MainWindow, qtbot: QtBot) -> None:
    first = timeline.counters.shown[0]
    after(timeline, qtbot, lambda: timeline.workspace.apply(timeline=(first,)))
    after(timeline, qtbot, lambda: timeline.counters.add(timeline.counters.twins(first)))
    (panel,) = chart(timeline).figure.panels
    looks = [mark.look for mark in panel.marks if isinstance(mark, Line)]
    assert len(looks) == 4
    assert len({look.hue for look in looks}) == 4


def test_that_too_many_counters_at_once_are_rejected_with_a_sentence(
    timeline: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    model = timeline.counters.panel.tree.counters
    before = timeline.counters.shown
    after(timeline, qtbot, lambda: timeline.counters.add(model.keys(model.index(0, 0)) * 2))
    after(timeline, qtbot, lambda: timeline.counters.add(model.keys(model.index(1, 0))))
    assert timeline.counters.shown[: len(before)] == before
    assert timeline.strip.message.full == snapshot


def test_that_an_edge_dragged_on_the_timeline_moves_only_the_phase_of_that_run(
    timeline: MainWindow, qtbot: QtBot
) -> None:
    view = chart(timeline)
    one = view._panels[0]
    before = steady(timeline)
    region = next(r for r in one.scales.panel.regions if r.name == "steady")
    y = one.place.plot.center().y()
    edge, inward = (QPointF(one.pixel(x, 0).x(), y) for x in (region.end, region.end - 600))
    drag(view, edge, inward, NONE)
    settle(timeline, qtbot)
    now = steady(timeline)
    changed = [folder for folder in now if now[folder] != before[folder]]
    assert changed == [region.run]
    per_pixel = (one.span[1] - one.span[0]) / one.place.plot.width()
    assert abs(before[region.run].end - now[region.run].end - 600) <= 2 * per_pixel
    assert "mcs-5vm was moved by" in timeline.strip.message.full
    after(timeline, qtbot, timeline.history.undo)
    assert steady(timeline) == before


def write_note(window: MainWindow, qtbot: QtBot, text: str) -> None:
    QTest.keyClick(chart(window), Qt.Key.Key_N)
    dialog = window.findChild(NoteDialog)
    assert dialog is not None
    dialog.text.setPlainText(text)
    after(window, qtbot, dialog.accept)


def test_that_a_note_is_added_at_the_pointer_and_shown_on_every_chart(timeline: MainWindow, qtbot: QtBot) -> None:
    view = chart(timeline)
    one = view._panels[0]
    view._point(QPointF(one.pixel(300.0, 0).x(), one.place.plot.center().y()))
    write_note(timeline, qtbot, "vCenter failed over")
    (note,) = timeline.workspace.state.notes
    run = (timeline.workspace.library.figures or {})[note.run]
    row = run.phase("steady")
    assert row is not None
    assert note.at == pytest.approx(row.phase.start + 300.0, abs=10)
    (flag,) = chart(timeline).figure.panels[0].notes
    assert (flag.number, flag.text) == (1, "vCenter failed over")
    assert flag.x == pytest.approx(note.at - row.phase.start)
    after(timeline, qtbot, lambda: timeline.workspace.apply(page="per-vm-iops", phase="steady"))
    noted = {panel.column: panel.notes for panel in chart(timeline).figure.panels}
    assert [len(flags) for flags in noted.values()] == [1, 0, 0, 0]
    after(timeline, qtbot, timeline.history.undo)
    assert not any(panel.notes for panel in chart(timeline).figure.panels)


def test_that_a_double_click_on_a_flag_opens_its_note_and_no_text_deletes_it(
    timeline: MainWindow, qtbot: QtBot
) -> None:
    write_note(timeline, qtbot, "here")
    view = chart(timeline)
    flag = view.figure.panels[0].notes[0]
    at = view._panels[0].pixel(flag.x - view._panels[0].scales.origin, 0)
    view._double_click(QPointF(at.x() + 2, view._panels[0].place.plot.center().y()))
    dialogs = [one for one in timeline.findChildren(NoteDialog) if one.isVisible()]
    assert [one.text.toPlainText() for one in dialogs] == ["here"]
    assert dialogs[0].delete is not None
    after(timeline, qtbot, dialogs[0].delete.click)
    assert timeline.workspace.state.notes == ()


def test_that_a_saved_view_and_a_workspace_file_keep_the_counters(timeline: MainWindow, qtbot: QtBot) -> None:
    kept = timeline.counters.shown[:2]
    after(timeline, qtbot, lambda: timeline.counters.remove(timeline.counters.shown[2:]))
    placed = ((kept[1], 1),)
    after(timeline, qtbot, lambda: timeline.workspace.apply(placed=placed))
    timeline.saved_views.save("two counters")
    after(timeline, qtbot, timeline.counters.reset)
    assert len(lines(timeline)) == 6
    after(timeline, qtbot, lambda: timeline.saved_views.show_named("two counters"))
    assert timeline.counters.shown == kept
    state = timeline.workspace.state
    assert state.placed == placed
    read = decode(encode(SessionDocument(state=state)), "session").state
    assert (read.timeline, read.views[0].counters, read.views[0].placed) == (kept, kept, placed)


def test_that_logs_of_a_benchmark_without_any_run_are_found_and_drawn(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for kind in ("iops", "clat"):
        (tmp_path / f"nvme_{kind}.1.log").write_text("1000, 700, 0, 0\n2000, 720, 0, 0\n")
    open_and_wait(window, qtbot, tmp_path)
    after(window, qtbot, lambda: window.workspace.apply(page="timeline"))
    assert lines(window) == ["iops read (nvme_iops.1)"]
    search(window, qtbot, "clat")
    window.counters.panel.tree.setFocus()
    after(window, qtbot, lambda: window.counters.add((chosen(window),)))
    assert [panel.y.unit for panel in chart(window).figure.panels] == ["IOPS", "ms"]


def test_that_the_heading_mentions_vms_that_are_not_shown_and_where_to_choose_more(
    timeline: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    assert timeline.header.caption.full == snapshot
    assert timeline.page.content is not None
    assert "on the left" not in timeline.page.content.caption, "an export has nothing on its left"


def test_that_counters_of_excluded_runs_can_still_be_chosen(timeline: MainWindow, qtbot: QtBot) -> None:
    edits = tuple(RunEdits(run, excluded="pilot") for run in timeline.workspace.library.figures or {})
    after(timeline, qtbot, lambda: timeline.workspace.apply(edits=edits))
    assert "double-click" in timeline.page.empty.text.text()
