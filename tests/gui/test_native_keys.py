"""Hints name keys as the keyboards of the system do."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.gui.dialogs import shortcut_sheet
from workbench.gui.services import translation as keys
from workbench.gui.services.translation import install, native_keys, tr
from workbench.gui.shell.main_window import MainWindow


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_MAC", True)


@pytest.mark.parametrize(
    ("text", "on_macos"),
    [
        ("Excluded r1. Undo: Ctrl+Z.", "Excluded r1. Undo: ⌘Z."),
        ("Open a result folder (Ctrl+O) or drop one here.", "Open a result folder (⌘O) or drop one here."),
        ("Ctrl+Shift+Z, Ctrl+,", "⇧⌘Z, ⌘,"),
        ("More configurations: Shift+wheel, Ctrl+Left and Ctrl+Right", "More configurations: ⇧wheel, ⌘← and ⌘→"),
        ("Strg+Eingabe, Umschalt+Klick", "⌘↩, ⇧Klick"),
        ("MCSIO+512 and Alternative+1", "MCSIO+512 and Alternative+1"),
    ],
)
def test_that_macos_shows_its_key_names_and_other_systems_show_theirs(
    text: str, on_macos: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "_MAC", False)
    assert native_keys(text) == text
    monkeypatch.setattr(keys, "_MAC", True)
    assert native_keys(text) == on_macos


@pytest.mark.usefixtures("mac")
def test_that_messages_and_the_sheet_of_keys_name_the_keys_of_macos(
    window: MainWindow, snapshot: SnapshotAssertion
) -> None:
    window.strip.tell("Changed r1. Undo: Ctrl+Z.")
    assert window.strip.message.full == snapshot
    gestures = [key for lines in shortcut_sheet.rows().values() for key, _ in lines]
    assert "⌘click or ⇧click" in gestures
    assert "⌘↩" in gestures


@pytest.mark.usefixtures("mac")
def test_that_german_hints_name_the_keys_of_macos_too(snapshot: SnapshotAssertion) -> None:
    install("de")
    try:
        assert tr("Ctrl+Enter") == "⌘↩"
        assert tr("Open a result folder (Ctrl+O) or drop one here.") == snapshot
    finally:
        install("en")
