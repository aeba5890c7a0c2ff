"""Workflows in the window, driven through its real widgets; results are read from models and figures."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, SAMPLE, after, open_and_wait, settle
from workbench.charts.figure import Heatmap
from workbench.gui.dialogs import questions as dialogs
from workbench.gui.dialogs.excerpt_window import ExcerptWindow
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable


def choose(window: MainWindow, qtbot: QtBot, box: QComboBox, words: str) -> None:
    """Selects an entry of a chooser, like a click."""
    place = box.findText(words)
    assert place >= 0, [box.itemText(at) for at in range(box.count())]
    box.setCurrentIndex(place)
    box.activated.emit(place)
    settle(window, qtbot)


def action(window: MainWindow, words: str) -> QAction:
    """The menu entry with these words."""
    plain = {entry.text().replace("&", ""): entry for menu in window.menus.values() for entry in menu.actions()}
    return plain[words]


def titles(window: MainWindow) -> list[str]:
    """The panel titles of the figure on the current page."""
    figure = window.page.content.figure
    return [panel.title for panel in figure.panels if panel.title]


def test_that_the_first_start_says_what_to_do(window: MainWindow) -> None:
    assert "Ctrl+O" in window.page.empty.text.text()
    assert window.page.empty.open.isVisible()
    assert window.page.empty.sample.isVisible()
    assert not window.page.make_whole().body.isVisible()


def test_that_the_first_start_offers_the_damaged_study(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        qtbot.mouseClick(window.page.empty.damaged, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    (study,) = window.workspace.library.studies
    assert study.name == "damaged"
    after(window, qtbot, lambda: window.show_page("import-report"))
    shown = " ".join(cell.text for row in window.page.content.tables[0].rows for cell in row)
    assert "10:10:20" in shown


def test_that_opening_a_folder_lists_its_configurations_baseline_first(opened: MainWindow) -> None:
    cards = opened.page.make_whole().cards.cards
    assert [card.title for card in cards] == ["MCS", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB"]
    assert "baseline" in cards[0].note
    assert "n = 3" in cards[1].note


def test_that_the_overview_cards_show_the_reductions_of_the_sample(opened: MainWindow) -> None:
    reductions = {card.title: card.note.split("%")[0] for card in opened.page.make_whole().cards.cards[1:]}
    # S4: −7 %, −50 %, −77 %, −93 % of read + write IOPS (sample_data/truth.csv).
    for title, published in (("MCSIO 256 MB", 7), ("MCSIO 512 MB", 50), ("MCSIO 1 GB", 77), ("MCSIO 4 GB", 93)):
        shown = float(reductions[title].replace("\u2212", "-").replace("\u2009", ""))
        assert shown == pytest.approx(-published, abs=0.6)


def test_that_choosing_a_phase_changes_the_figures(opened: MainWindow, qtbot: QtBot) -> None:
    steady = opened.page.make_whole().cards.cards[0].value
    choose(opened, qtbot, opened.header.choosers["phase"].box, "Boot")
    assert opened.workspace.state.phase == "boot"
    assert opened.page.make_whole().cards.cards[0].value != steady


def check_drawn(window: MainWindow) -> None:
    """The window has more than a few colours."""
    picture = window.grab().toImage()
    shades = {picture.pixelColor(x, y).name() for x in range(0, 1600, 40) for y in range(0, 900, 40)}
    assert len(shades) > 3, (window.workspace.state.theme, window.workspace.state.page)


def test_that_the_navigation_opens_the_pages_and_each_is_drawn_in_light_and_dark(
    opened: MainWindow, qtbot: QtBot
) -> None:
    seen = set()
    for pages in (opened.rail.pages, opened.rail.tools):
        for row in range(pages.count()):
            after(opened, qtbot, lambda pages=pages, row=row: pages.setCurrentRow(row))
            assert opened.pages.currentWidget() is opened.pages[opened.workspace.state.page]
            assert opened.header.question.text()
            check_drawn(opened)
            seen.add(opened.workspace.state.page)
    assert seen == set(opened.pages) - {"import-report"}
    after(opened, qtbot, lambda: opened.workspace.apply(page="import-report"))
    check_drawn(opened)
    for key in opened.pages:
        after(opened, qtbot, lambda key=key: opened.workspace.apply(theme="dark", page=key))
        check_drawn(opened)


def test_that_per_vm_panels_are_side_by_side_on_one_colour_scale(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("per-vm-iops"))
    figure = opened.page.content.figure
    maps = [mark for panel in figure.panels for mark in panel.marks if isinstance(mark, Heatmap)]
    assert len(maps) == 5
    assert {one.limits for one in maps} == {maps[0].limits}
    assert all(len(one.rows) == 12 for one in maps), "4 VMs x 3 runs, none merged"
    assert {panel.column for panel in figure.panels} == set(range(5))


def test_that_a_picked_vm_stays_highlighted_on_every_page(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("per-vm-iops"))
    vm = next(m for p in opened.page.content.figure.panels for m in p.marks if isinstance(m, Heatmap)).rows[0]
    after(opened, qtbot, lambda: opened.page.figure.vm_clicked.emit(vm))
    assert opened.workspace.state.lit_vm == vm
    after(opened, qtbot, lambda: opened.show_page("cache"))
    assert opened.workspace.state.lit_vm == vm


def test_that_hiding_a_configuration_removes_its_panel_and_undo_restores_it(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("per-vm-iops"))
    item = opened.rail.tree.configuration_item("MCSIO 1 GB")
    after(opened, qtbot, lambda: item.setCheckState(Qt.CheckState.Unchecked))
    assert "MCSIO 1 GB" not in titles(opened)
    after(opened, qtbot, lambda: action(opened, "Undo").trigger())
    assert "MCSIO 1 GB" in titles(opened)
    after(opened, qtbot, lambda: action(opened, "Redo").trigger())
    assert "MCSIO 1 GB" not in titles(opened)


def test_that_excluding_a_run_lowers_n_and_removes_the_interval(opened: MainWindow, qtbot: QtBot) -> None:
    run = next(run for run in opened.workspace.library.studies[0].runs if run.name == "mcsio-256-r2")
    after(opened, qtbot, lambda: opened.runs.exclude_with([run.folder], "fan broke"))
    card = next(card for card in opened.page.make_whole().cards.cards if card.title == "MCSIO 256 MB")
    assert "n = 2 vs. 3" in card.note
    assert "range" in card.note


def phase_table(window: MainWindow) -> DataTable:
    """The overview's phase table, its tab opened."""
    card = window.page.tables[0]
    card.tabs.setCurrentIndex([card.tabs.tabText(tab) for tab in range(card.tabs.count())].index("Phase table"))
    return card.table


def test_that_the_table_by_run_has_a_row_for_each_run(opened: MainWindow, qtbot: QtBot) -> None:
    by_configuration = len(phase_table(opened).source.table.rows)
    after(opened, qtbot, lambda: action(opened, "Group by run").trigger())
    assert len(phase_table(opened).source.table.rows) == 3 * by_configuration


def test_that_the_cache_page_shows_ram_and_disk_in_one_colour_per_configuration(
    opened: MainWindow, qtbot: QtBot
) -> None:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    assert titles(opened) == ["RAM used", "Cache disk used"]
    looks = {}
    for panel in opened.page.content.figure.panels:
        for mark in panel.marks:
            if getattr(mark, "prominent", False):
                looks.setdefault(mark.name, set()).add(mark.look)
    assert set(looks) == {"MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB"}
    assert all(len(seen) == 1 for seen in looks.values())


@pytest.mark.usefixtures("exports_here")
def test_that_file_export_writes_a_workbook(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_and_wait(window, qtbot, SAMPLE / "xenapp-pvs-ram-cache")
    target = tmp_path / "findings.xlsx"
    action(window, "Export…").trigger()
    dialog = window.exports.dialog
    assert dialog is not None
    dialog.form.place.setText(str(target))
    qtbot.waitUntil(dialog.export.isEnabled, timeout=LONG_MS)
    dialog.export.click()
    qtbot.waitUntil(lambda: not window.busy, timeout=LONG_MS)
    assert "findings.xlsx" in window.strip.message.full
    assert "Phase table" in openpyxl.load_workbook(BytesIO(target.read_bytes()), read_only=True).sheetnames


def test_that_a_rejected_file_does_not_stop_the_others(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "mcs-1vm"
    folder.mkdir()
    good = SAMPLE / "windows-7-mcs-and-pvs" / "mcs-1vm"
    for file in (*good.glob("*.csv"), *good.glob("*.toml"), *good.glob("guest/*")):
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "broken.csv").write_bytes(b'"(PDH-CSV 4.0) (GMT Standard Time)(0)","\\\\A\\Memory\\Available MBytes"\r\n')
    (folder / "notes.bin").write_bytes(bytes(range(256)))
    open_and_wait(window, qtbot, folder)
    assert "not imported" in window.strip.message.full
    after(window, qtbot, lambda: window.show_page("import-report"))
    problems = window.page.tables[0].table.source.table.rows
    assert [row[1].text for row in problems if row[0].text == "refused"] == ["broken.csv"]
    assert any(row[1].text == "notes.bin" for row in problems)
    assert window.workspace.library.with_runs


def test_that_cancel_keeps_the_window_usable_and_names_the_unread_files(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        # After files have been read; a second Cancel would abandon the import.
        window.importer.progressed.connect(window.strip.cancel.click, Qt.ConnectionType.SingleShotConnection)
        window.open_paths([_slow_study(tmp_path)])
    settle(window, qtbot)
    assert "Cancelled" in window.strip.message.full
    assert any(problem.code == "cancelled" for problem in window.workspace.library.problems)


def _slow_study(folder: Path) -> Path:
    """Files that are not in the store yet; more files than the workers read at once."""
    for number in range(30):
        run = folder / f"mcs-r{number}"
        run.mkdir()
        rows = "".join(f'"05/10/2016 09:{at // 60:02d}:{at % 60:02d}.000","{at}.{number}"\r\n' for at in range(3600))
        header = '"(PDH-CSV 4.0) (GMT Standard Time)(0)","\\\\W\\PhysicalDisk(_Total)\\Disk Transfers/sec"\r\n'
        (run / "counters.csv").write_text(header + rows, encoding="ascii")
    return folder


def test_that_a_time_zone_set_by_hand_moves_the_samples(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "mcs-1vm"
    run.mkdir()
    rows = "".join(f'"05/10/2016 09:00:{at:02d}.000","{10 + at}"\r\n' for at in range(0, 60, 5))
    header = '"(PDH-CSV 4.0) (RTZ 2 (","\\\\W\\PhysicalDisk(_Total)\\Disk Transfers/sec"\r\n'
    (run / "counters.csv").write_text(header + rows, encoding="ascii")
    (run / "run.toml").write_text(
        '[[phases]]\nname = "boot"\nstart = 2016-05-10T08:00:00Z\nend = 2016-05-10T08:00:50Z\n', encoding="utf-8"
    )
    open_and_wait(window, qtbot, tmp_path)
    assert any(problem.code == "time-zone-unknown" for problem in window.workspace.library.problems)
    figures = next(iter(window.workspace.library.figures.values()))
    assert figures.phases[0].total_io is None
    monkeypatch.setattr(dialogs, "ask_time_zone", lambda *_: "+01:00")
    after(window, qtbot, lambda: action(window, "Time zone…").trigger())
    figures = next(iter(window.workspace.library.figures.values()))
    # Rates 15, 20, … 60 over the 5 s ending 5 s … 50 s after the start.
    assert figures.phases[0].total_io == pytest.approx(5 * sum(range(15, 61, 5)))


def test_that_no_button_or_chooser_is_without_a_name(opened: MainWindow) -> None:
    for button in opened.findChildren(QAbstractButton):
        if button.isVisible() and type(button).__module__.startswith("workbench"):
            assert button.text() or button.accessibleName()
    for box in opened.findChildren(QComboBox):
        assert box.accessibleName()


def test_that_the_copied_table_has_numbers_and_empty_cells_for_missing_values(
    opened: MainWindow, snapshot: SnapshotAssertion
) -> None:
    lines = phase_table(opened).as_text().splitlines()
    header, first = lines[0].split("\t"), lines[1].split("\t")
    row = dict(zip(header, first, strict=True))
    assert row["Configuration"] == "MCS"
    assert np.isfinite(float(row["IOPS per VM"]))
    assert row["Cache RAM used at end, MB"] == snapshot


def test_that_the_import_report_is_filtered_and_opens_the_line(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    run = tmp_path / "mcs-1vm"
    run.mkdir()
    rows = [f'"05/10/2016 09:00:{at:02d}.000","{at}"' for at in range(0, 60, 5)]
    rows[4] = '"05/10/2016 09:00:20.000","20","too many"'
    header = '"(PDH-CSV 4.0) (GMT Standard Time)(0)","\\\\W\\PhysicalDisk(_Total)\\Disk Transfers/sec"'
    (run / "counters.csv").write_text("\r\n".join([header, *rows, ""]), encoding="ascii", newline="")
    (run / "notes.txt").write_text("nothing", encoding="ascii")
    open_and_wait(window, qtbot, tmp_path)
    after(window, qtbot, lambda: window.show_page("import-report"))
    problems = window.page.tables[0]
    everything = problems.table.model().rowCount()
    qtbot.keyClicks(problems.filter, "cells, but")
    assert problems.table.model().rowCount() == 1 < everything
    line = problems.table.row(0)[2].value
    assert line == 6
    after(window, qtbot, lambda: problems.table.activated.emit(problems.table.model().index(0, 0)))
    opened = window.findChild(ExcerptWindow)
    assert opened is not None
    assert "too many" in opened.text.marked
    opened.close()


def test_that_a_tick_set_with_the_mouse_excludes_a_run(opened: MainWindow, qtbot: QtBot) -> None:
    tree = opened.rail.tree
    item = tree.configuration_item("MCSIO 512 MB")
    box = tree.visualRect(item.index())
    # The tick box is at the left of the row, after the branch.
    for offset in range(4, 60, 4):
        qtbot.mouseClick(
            tree.viewport(), Qt.MouseButton.LeftButton, pos=box.topLeft() + QPoint(offset, box.height() // 2)
        )
        settle(opened, qtbot)
        if "MCSIO 512 MB" in opened.workspace.state.hidden:
            break
    assert opened.workspace.state.hidden == {"MCSIO 512 MB"}
    assert len(opened.page.make_whole().cards.cards) == 4
