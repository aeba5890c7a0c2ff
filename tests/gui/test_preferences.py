"""The preferences dialog: found by a search, applied at once, reset one by one, kept for the next start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SWEEP, after, settle
from workbench.cli import main
from workbench.gui.commands.preferences import with_preferred
from workbench.gui.dialogs.preferences import PreferencesDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.session.preferences import PREFERENCES, value_of, with_value
from workbench.session.settings import Settings, load_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store
from workbench.words.numbers import THIN, decimal_mark


@pytest.fixture
def dialog(opened: MainWindow) -> PreferencesDialog:
    opened.act("preferences.show")
    (found,) = opened.findChildren(PreferencesDialog)
    assert not found.isModal()
    return found


def choose(window: MainWindow, qtbot: QtBot, dialog: PreferencesDialog, key: str, words: str) -> None:
    box = dialog.entries[key].field
    assert isinstance(box, QComboBox)
    box.setCurrentText(words)
    box.activated.emit(box.currentIndex())
    settle(window, qtbot)


def test_that_every_preference_has_its_named_field(dialog: PreferencesDialog) -> None:
    assert list(dialog.entries) == [one.key for one in PREFERENCES]
    for entry in dialog.entries.values():
        assert entry.field.accessibleName() == entry.one.title
        assert entry.reset.accessibleName() == f"Reset: {entry.one.title}"
    set_now = [key for key, entry in dialog.entries.items() if entry.reset.isEnabled()]
    assert set_now == ["decimals"], "the tests' window is told to write a point, nothing else is set"


def test_that_no_field_cuts_a_choice(dialog: PreferencesDialog) -> None:
    fields = [entry.field for entry in dialog.entries.values()]
    assert all(field.width() >= field.sizeHint().width() for field in fields)
    assert len({field.width() for field in fields}) == 1
    assert all(field.geometry().right() < field.parentWidget().width() for field in fields)


def test_that_the_search_shows_matching_preferences(dialog: PreferencesDialog) -> None:
    QTest.keyClicks(dialog.search, "mib")
    assert dialog.shown() == ["units"]
    assert [name for name, card in dialog.groups.items() if not card.isHidden()] == ["Numbers"]
    dialog.search.setText("xyzzy")
    assert dialog.shown() == []
    assert not dialog.nothing.isHidden()


def test_that_units_change_at_once_and_are_reset(opened: MainWindow, dialog: PreferencesDialog, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("cache"))

    def units() -> set[str]:
        return {column.unit for column in opened.page.tables[0].table.source.table.columns}

    assert "MB" in units()
    choose(opened, qtbot, dialog, "units", "MiB (2²⁰ bytes)")
    assert "MB" not in units()
    assert "MiB" in units()
    assert {group.label for group in opened.workspace.library.groups(opened.workspace.state)} >= {"MCSIO 512 MB"}
    assert value_of(load_settings(), "units") == "MiB", "kept for the next start"
    QTest.mouseClick(dialog.entries["units"].reset, Qt.MouseButton.LeftButton)
    settle(opened, qtbot)
    assert "MB" in units()
    assert not dialog.entries["units"].reset.isEnabled()


def test_that_numbers_get_a_decimal_comma_on_screen(
    opened: MainWindow, dialog: PreferencesDialog, qtbot: QtBot
) -> None:
    assert "." in opened.page.make_whole().cards.cards[-1].value
    choose(opened, qtbot, dialog, "decimals", "1 234,5")
    assert decimal_mark() == ","
    assert "," in opened.page.make_whole().cards.cards[-1].value
    spin = QDoubleSpinBox()
    qtbot.addWidget(spin)
    spin.setValue(2.5)
    assert spin.text() == "2,50", "where numbers are typed, too"
    after(opened, qtbot, lambda: opened.show_page("cache"))
    assert f"99,2{THIN}%" in opened.page.make_whole().cards.cards[0].note
    after(opened, qtbot, lambda: opened.show_page("overview"))
    choose(opened, qtbot, dialog, "decimals", "1 234.5")
    assert "." in opened.page.make_whole().cards.cards[-1].value


def test_that_the_margin_is_that_of_the_compare_page_and_can_be_undone(
    opened: MainWindow, dialog: PreferencesDialog, qtbot: QtBot
) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    spin = dialog.entries["margin"].field
    assert isinstance(spin, QDoubleSpinBox)
    spin.setValue(12.5)
    settle(opened, qtbot)
    assert opened.page.make_whole().inputs.fields["compare.margin"].value() == 12.5
    after(opened, qtbot, opened.history.undo)
    assert opened.page.make_whole().inputs.fields["compare.margin"].value() == 5.0


def test_that_text_grows_in_the_window_and_shrinks_again(
    opened: MainWindow, dialog: PreferencesDialog, qtbot: QtBot
) -> None:
    small = opened.header.question.fontMetrics().height()
    choose(opened, qtbot, dialog, "type_size", "150 %")
    assert opened.header.question.fontMetrics().height() > 1.3 * small
    choose(opened, qtbot, dialog, "type_size", "100 %")
    assert opened.header.question.fontMetrics().height() == small


def test_that_the_theme_follows_the_choice_and_ctrl_d_is_saved_too(
    opened: MainWindow, dialog: PreferencesDialog, qtbot: QtBot
) -> None:
    choose(opened, qtbot, dialog, "theme", "dark")
    assert opened.workspace.state.theme == "dark"
    after(opened, qtbot, opened.toggle_theme)
    assert value_of(opened.settings, "theme") == "light"


def test_that_the_store_gets_its_size_limit(opened: MainWindow, dialog: PreferencesDialog, qtbot: QtBot) -> None:
    spin = dialog.entries["store_cap_gib"].field
    assert isinstance(spin, QDoubleSpinBox)
    spin.setValue(3)
    settle(opened, qtbot)
    assert opened.importer.store.cap_bytes == 3 * 2**30


def test_that_a_primary_measure_is_chosen_printed_and_undone(
    opened: MainWindow, dialog: PreferencesDialog, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    after(opened, qtbot, lambda: opened.show_page("compare"))
    assert printed(opened) == snapshot
    choose(opened, qtbot, dialog, "primary_steady", "Read latency")
    assert printed(opened) == snapshot
    after(opened, qtbot, opened.history.undo)
    assert printed(opened) == snapshot


def printed(window: MainWindow) -> str:
    """The rule below the comparison."""
    content = window.page.content
    assert content is not None
    return content.tables[0].whole_legend.replace(",. ", ", ").replace(":. ", ": ")


def test_that_a_new_workspace_has_the_preferred_primary_measures() -> None:
    settings = with_value(Settings(), "primary_boot", "duration_s")
    assert with_preferred(settings, State()).preferred == (("boot", ("duration_s",)),)
    assert with_preferred(Settings(), State()) == State()


def test_that_a_workspace_file_gives_its_primary_measures_to_the_console(
    opened: MainWindow,
    dialog: PreferencesDialog,
    qtbot: QtBot,
    tmp_path: Path,
    store: Store,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose(opened, qtbot, dialog, "primary_steady", "Read latency")
    saved = tmp_path / "judged.vdiwb"
    opened.sessions.save_to(saved)
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(store.root))
    of_file, of_folder = (compared(path, capsys) for path in (saved, SWEEP))
    assert (of_file["primary"]["steady"], of_file["primary_by"]["steady"]) == (["read_latency_ms"], "preferences")
    assert (of_folder["primary"]["steady"], of_folder["primary_by"]["steady"]) == (["iops_per_vm"], "catalogue")


def compared(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The baseline in the output of `vdiwb compare`."""
    assert main(["compare", str(path), "--format", "json"]) == 0
    baseline: dict[str, Any] = json.loads(capsys.readouterr().out)["baselines"][0]
    return baseline
