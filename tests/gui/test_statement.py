"""If nothing can be compared, the Overview starts with one statement and buttons for the next steps."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.answers.findings.test_not_comparable import compared, unrelated
from tests.gui.conftest import after, open_and_wait
from workbench.gui.shell.main_window import MainWindow


def test_that_a_warning_replaces_the_cards_and_disappears_again(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, unrelated(tmp_path / "lab"))
    lead = window.page.make_whole().lead
    frame = lead.statement
    assert frame is not None
    assert frame.isVisible()
    assert not any(card.isVisible() for card in lead.frames)
    after(window, qtbot, frame.check.click)
    assert window.page.spec.key == "import-report"
    after(window, qtbot, lambda: window.show_page("overview"))
    after(window, qtbot, frame.prepare.click)
    assert window.page.spec.key == "prepare"
    open_and_wait(window, qtbot, compared(tmp_path / "other"))
    after(window, qtbot, lambda: window.show_page("overview"))
    assert not frame.isVisible()
    assert any(card.isVisible() for card in lead.frames)
