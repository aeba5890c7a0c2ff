"""A sentence that is edited on the page Present reaches every document."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from pptx import Presentation
from pypdf import PdfReader
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, SAMPLE, after, settle, window_with
from workbench.exporters.wanted import Wanted
from workbench.gui.storyboard.board import BoardView

WORDS = "Buy four gigabytes for every host"


def slides(file: Path) -> str:
    shapes = (shape for slide in Presentation(str(file)).slides for shape in slide.shapes)
    return " ".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)


def sheets(file: Path) -> str:
    with zipfile.ZipFile(file) as parts:
        return " ".join(parts.read(name).decode() for name in parts.namelist() if name.endswith(".xml"))


def report(file: Path) -> str:
    return " ".join(page.extract_text() for page in PdfReader(file).pages)


def written(file: Path) -> str:
    return file.read_text("utf-8")


def test_that_an_edited_sentence_reaches_every_document(
    request: pytest.FixtureRequest, qtbot: QtBot, own_files: None, tmp_path: Path
) -> None:
    opened = window_with(request, qtbot, SAMPLE / "xenapp-pvs-ram-cache")
    after(opened, qtbot, lambda: opened.show_page("storyboard"))
    board = opened.page.own
    assert isinstance(board, BoardView)
    qtbot.keyClick(board.strip, Qt.Key.Key_F2)
    settle(opened, qtbot)
    board.pane.sentence.setPlainText(WORDS)
    qtbot.keyClick(board.pane.sentence, Qt.Key.Key_Return)
    settle(opened, qtbot)
    readers = {"html": written, "md": written, "pdf": report, "pptx": slides, "xlsx": sheets}
    missing = []
    for ending, read in readers.items():
        file = tmp_path / f"findings.{ending}"
        opened.exports.to(Wanted(file))
        qtbot.waitUntil(lambda file=file: file.exists() and not opened.exports.running, timeout=LONG_MS)  # type: ignore[misc]
        missing += [] if WORDS in " ".join(read(file).split()) else [ending]
    assert missing == []
