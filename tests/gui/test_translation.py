"""The window in another language: every fixed text, and no text from files."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SWEEP, open_and_wait, settle
from tests.samples import shared_store
from workbench.charts.tables import Column, TableData
from workbench.console.loading import load_studies
from workbench.gui.dialogs.changes_window import ChangesWindow
from workbench.gui.services import translation
from workbench.gui.services.translation import install, key_words, language_of, tr, tr_line
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store
from workbench.words.translated import ENGLISH, LANGUAGES, texts_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def german() -> Iterator[None]:
    """Sets the language to German while the test runs."""
    install("de")
    yield
    install(ENGLISH)


@pytest.fixture(scope="module")
def collector() -> ModuleType:
    """The module packaging/translations.py, which is not part of a package."""
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # It reads the sample into a store for this one time.
    module.load_studies = lambda paths, _store: load_studies(paths, Store(shared_store()))
    return module


@pytest.fixture(scope="module")
def fixed_texts(collector: ModuleType) -> list[str]:
    """Every text that needs a translation."""
    found: list[str] = collector.fixed_texts()
    return found


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != ENGLISH])
def test_that_every_fixed_text_has_a_translation(fixed_texts: list[str], language: str) -> None:
    missing = [text for text in fixed_texts if text not in texts_of(language)]
    assert missing == [], "run packaging/translations.py and translate what it adds"


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != ENGLISH])
def test_that_a_translation_keeps_the_ellipsis_and_one_mnemonic(language: str) -> None:
    for source, translated in texts_of(language).items():
        assert source.endswith("…") == translated.endswith("…"), source
        assert translated.count("&") <= 1, source
        assert source.endswith("?") == translated.endswith("?"), source


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_each_letter_of_a_menu_leads_to_one_entry(
    store: Store, qtbot: QtBot, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    install(language)
    window = MainWindow(store, State(), Settings(), remembers=False)
    qtbot.addWidget(window)
    menus = [[menu.title() for menu in window.menus.values()]]
    menus += [[entry.text() for entry in menu.actions()] for menu in window.menus.values()]
    install(ENGLISH)
    for words in menus:
        letters = [text[text.index("&") + 1].lower() for text in words if "&" in text]
        assert sorted(letters) == sorted(set(letters)), words


def test_that_keys_are_named_as_on_the_keyboard_of_the_language(german: None) -> None:
    assert key_words("Ctrl+K") == "Strg K"
    install(ENGLISH)
    assert key_words("Ctrl+K") == "Ctrl K"


def test_that_the_window_is_german_and_names_stay_unchanged(
    german: None, store: Store, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    window = MainWindow(store, State(), Settings(), remembers=False)
    window.resize(1400, 900)
    window.show()
    open_and_wait(window, qtbot, SWEEP)
    assert [menu.title() for menu in window.menus.values()][:2] == ["&Datei", "&Bearbeiten"]
    assert window.rail.pages.item(0).text() == "Überblick"
    assert window.header.question.text() == snapshot
    assert window.header.choosers["phase"].box.currentText() == "Steady State"
    titles = {card.title for card in window.page.make_whole().cards.cards}
    assert "MCSIO 256 MB" in titles
    window.workspace.apply(page="import-report")
    settle(window, qtbot)
    assert window.page.tables[0].title.text() == tr("Problems")
    window.close()
    window.deleteLater()


def test_that_english_returns_after_another_language_is_removed(german: None) -> None:
    assert tr("Overview") == "Überblick"
    install(ENGLISH)
    assert tr("Overview") == "Overview"


def test_that_an_unknown_language_is_english() -> None:
    install("tlh")
    assert tr("Overview") == "Overview"
    assert language_of("tlh") == ENGLISH


def test_that_a_file_of_translations_cannot_include_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = '<?xml version="1.0"?><!DOCTYPE TS [<!ENTITY x SYSTEM "file:///etc/passwd">]><TS><a>&x;</a></TS>'
    (tmp_path / "xx.ts").write_text(evil)
    monkeypatch.setattr("workbench.model.resources.resource", lambda *parts: tmp_path / parts[-1])
    with pytest.raises(Exception, match="Entit"):
        texts_of("xx")


def test_that_words_in_table_headings_are_german_and_units_stay(german: None, qtbot: QtBot) -> None:
    table = DataTable("Files")
    qtbot.addWidget(table)
    titles = (("Rank", "by mean"), ("Writes", "change %"), ("Cell", ""), ("Line", ""), ("p95", "MB/s"))
    columns = tuple(Column(title, unit) for title, unit in titles)
    table.show_data(TableData(columns, ()), "light")
    heads = [
        str(table.source.headerData(place, Qt.Orientation.Horizontal)).split("\n") for place in range(len(columns))
    ]
    assert [head[1] for head in heads] == ["nach Mittel", "Änderung %", "", "", "MB/s"]
    # Zeile and Zelle are read as the same word.
    assert (heads[2][0], heads[3][0]) == ("Feld", "Zeile")


def test_that_strength_caveats_and_slides_are_reported_in_the_language_of_the_window(
    monkeypatch: pytest.MonkeyPatch, fixed_texts: list[str]
) -> None:
    words = {"strong": "stark", "caveat": "Vorbehalt", "slides": "Folien", "more findings": "weitere Befunde"}
    monkeypatch.setattr(translation, "_texts", words)
    assert tr_line("strong · 1 caveat · n = 3") == "stark · 1 Vorbehalt · n = 3"
    assert tr_line("12 slides") == "12 Folien"
    assert tr_line("76 more findings") == "76 weitere Befunde"
    assert set(words) <= set(fixed_texts)


def test_that_changes_are_reported_in_german(german: None, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChangesWindow(parent)
    dialog.offer(("As opened", "As saved at 14:02"))
    assert [dialog.since.itemText(at) for at in range(2)] == ["Beim Öffnen", "Beim Speichern um 14:02"]
    for headline in (
        "None of 3105 values changed since the study was opened; none of 265 verdicts changed.",
        "12 of 3105 values changed since the last refresh; 3 of 265 verdicts changed. 2 findings have a new text.",
    ):
        dialog.show_changes(headline, (), (), "light")
        assert not {"of", "changed", "since", "have"} & set(dialog.headline.text().split())
    dialog.close()
