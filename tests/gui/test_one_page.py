"""A page of the window that fails shows a message with the next step in its place; other pages are shown."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import after
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.spec import PageSpec
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.gui.shell.main_window import MainWindow


def test_that_a_failed_page_reports_it_and_others_are_unaffected(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    real, failing = PageSpec.answer, [""]

    def answer(spec: PageSpec, library: Library, choices: Choices) -> Content:
        if spec.key == failing[0]:
            raise ZeroDivisionError("division by zero")
        return real(spec, library, choices)

    monkeypatch.setattr(PageSpec, "answer", answer)
    keys = [spec.key for spec in PAGES]
    for key, other in zip(keys, [*keys[1:], keys[0]], strict=True):
        failing[0] = key
        # An earlier answer is drawn from that answer.
        opened._drawer.forget()
        after(opened, qtbot, lambda key=key: opened.show_page(key))  # type: ignore[misc]
        after(opened, qtbot, opened.refresh)
        assert opened.page.empty.text.text() == snapshot
        assert "Open the folder again" in opened.page.empty.text.text()
        assert opened.strip.message.full == snapshot
        failing[0] = ""
        after(opened, qtbot, lambda other=other: opened.show_page(other))  # type: ignore[misc]
        assert opened.page.content is not None
        assert not opened.page.content.empty.startswith("This page cannot be shown")
