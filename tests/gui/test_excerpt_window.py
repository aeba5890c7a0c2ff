"""The text around a problem: read in the encoding that the import reported, opened at the line and the cell."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.builders import perfmon_csv
from tests.gui.conftest import after, open_and_wait
from workbench.gui.dialogs.excerpt_window import ExcerptWindow
from workbench.gui.shell.main_window import MainWindow
from workbench.study.discovery.excerpt import FilePlace, excerpt


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "utf-8-sig"])
def test_that_a_problem_opens_its_cell_in_the_encoding_of_the_file(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, encoding: str
) -> None:
    disk = r"\\VM-Größe-1\PhysicalDisk(_Total)\Disk Reads/sec"
    more = {rf"\\VM-Größe-1\Thing({number})\Zähler": [1.0] * 40 for number in range(200)}
    file = perfmon_csv(tmp_path / "mcs-1vm" / "a.csv", {disk: [5.0] * 40, **more})
    lines = file.read_text(encoding="utf-8").split("\n")
    cells = lines[20].split(",")
    cells[150] = '"oops"'
    lines[20] = ",".join(cells)
    file.write_bytes("\n".join(lines).encode(encoding))
    open_and_wait(window, qtbot, tmp_path)
    after(window, qtbot, lambda: window.show_page("import-report"))
    table = window.page.tables[0].table
    rows = [number for number in range(table.model().rowCount()) if table.row(number)[3].value is not None]
    assert [(table.row(number)[2].value, table.row(number)[3].value) for number in rows] == [(21, 151)]
    after(window, qtbot, lambda: table.activated.emit(table.model().index(rows[0], 0)))
    dialog = window.findChild(ExcerptWindow)
    assert dialog is not None
    assert dialog.text.textCursor().selectedText() == "oops"
    assert dialog.text.viewport().rect().contains(dialog.text.cursorRect())
    first = excerpt(file, FilePlace(1, encoding=encoding))
    assert "VM-Größe-1" in first.lines[0]


@pytest.mark.parametrize(
    ("line", "cell", "marked"),
    [("1,\U0001f600\U0001f600,oops,4", 3, "oops"), ("1,,3", 2, ","), ("1,2", 9, ">  1  1,2")],
)
def test_that_the_highlight_covers_the_cell(qtbot: QtBot, tmp_path: Path, line: str, cell: int, marked: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text(line + "\n" + "x\n" * 9, encoding="utf-8")
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = excerpt(file, FilePlace(1, cell, "utf-8", ","), reach=100)
    dialog = ExcerptWindow(parent, "a.csv", "why", 1, shown)
    dialog.show()
    assert dialog.text.textCursor().selectedText() == marked
