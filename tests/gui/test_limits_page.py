"""The limits in the real window: the page, the dialog that edits them, and files written only on request."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SWEEP, open_and_wait, settle, shared_window
from tests.gui.unsaved import lab
from workbench.answers.limits.file import FILE, TEXT, parse_limits
from workbench.charts.figure import Bars
from workbench.gui.dialogs.limits_dialog import LimitsDialog
from workbench.gui.plot.pointing.bar_reading import spot_words
from workbench.gui.services.actions import ACTIONS, keys_of_pages
from workbench.gui.shell.main_window import MainWindow

LIMIT = '[[limits]]\nmeasure = "iops_per_vm"\nphase = "steady"\nat_most = 900\n'


def shown(window: MainWindow, qtbot: QtBot) -> list[list[str]]:
    """The rows of the first table of the page."""
    window.show_page("limits")
    settle(window, qtbot)
    content = window.page.content
    assert content is not None
    return [[cell.text for cell in row] for table in content.tables[:1] for row in table.rows]


def asked(window: MainWindow, qtbot: QtBot) -> LimitsDialog:
    window.act("limits.edit")
    settle(window, qtbot)
    assert window.limits.dialog is not None
    return window.limits.dialog


def choose(box: object, data: object) -> None:
    box.setCurrentIndex(box.findData(data))  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample's cache sweep, which no test changes."""
    return Path(shutil.copytree(SWEEP, tmp_path_factory.mktemp("copied") / "sweep"))


@pytest.fixture
def sweep(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None, copied: Path) -> Path:
    """A copy of the folder, so a file written there by mistake does not change the sample."""
    shared_window(request, qtbot, "copied", lambda window: open_and_wait(window, qtbot, copied, unchanged=True))
    return copied


def test_that_the_page_shows_each_limit_of_each_configuration(
    sweep: Path, window: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    rows = shown(window, qtbot)
    assert rows[0][0] == snapshot
    assert [text.rpartition(" · ")[2] for text in rows[3][1:]] == ["pass"] * 5
    assert rows[0][3] == snapshot
    assert window.page.tables[0].isVisible()
    content = window.page.content
    assert content is not None
    assert content.question == snapshot
    assert [(card.title, card.value, card.note) for card in content.cards] == snapshot
    assert content.tables[0].legend == snapshot
    figures = content.tables[1]
    assert len(figures.rows) == 18
    assert figures.rows[0][3].source is not None


def test_that_a_hidden_configuration_has_no_row_and_is_still_compared_with(
    sweep: Path, window: MainWindow, qtbot: QtBot
) -> None:
    before = shown(window, qtbot)
    window.workspace.apply(hidden=frozenset(["MCS"]))
    after = shown(window, qtbot)
    assert [row[2:] for row in before[1:2]] == [row[1:] for row in after[1:2]]
    assert "'MCS'" in after[1][0]


def test_that_an_edited_limit_is_judged_and_can_be_undone(
    sweep: Path, window: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    before = shown(window, qtbot)
    dialog = asked(window, qtbot)
    assert [dialog.list.item(row).text() for row in range(dialog.list.count())] == [row[0] for row in before]
    assert before[1][0] == snapshot
    assert dialog.against.itemText(1) == snapshot
    dialog.add.click()
    choose(dialog.measure, "iops_per_vm")
    choose(dialog.phase, "boot")
    choose(dialog.against, "MCSIO 4 GB")
    choose(dialog.side, False)
    dialog.bound.setValue(-7.5)
    dialog.names.item(0).setCheckState(Qt.CheckState.Checked)
    dialog.name.setText("")
    qtbot.keyClicks(dialog.name, "Boot as before")
    assert dialog.bound.suffix() == " %"
    dialog.accept()
    after = shown(window, qtbot)
    assert [row[0] for row in after] == [
        *(row[0] for row in before),
        "Boot as before: IOPS per VM during boot, change from 'MCSIO 4 GB' ≥ −7.5\u2009%",
    ]
    (limit,) = parse_limits(str(window.workspace.state.input(TEXT, "")), "x").limits[-1:]
    assert (limit.measure, limit.phase, limit.against, limit.at_most, limit.bound, limit.configurations) == (
        "iops_per_vm",
        "boot",
        "MCSIO 4 GB",
        False,
        -7.5,
        ("MCS",),
    )
    window.act("history.undo")
    assert shown(window, qtbot) == before
    assert (sweep / "limits.toml").read_bytes() == (SWEEP / "limits.toml").read_bytes()


def test_that_choosing_a_metric_shows_and_hides_its_fields(sweep: Path, window: MainWindow, qtbot: QtBot) -> None:
    dialog = asked(window, qtbot)
    dialog.list.setCurrentRow(1)
    choose(dialog.measure, "overflow")
    assert (dialog.limits[1].bound, dialog.limits[1].against) == (None, "")
    dialog.list.setCurrentRow(0)
    assert (dialog.bound.minimum(), dialog.against.isEnabled()) == (0, False)
    choose(dialog.measure, "iops_per_vm")
    choose(dialog.against, "baseline")
    assert dialog.bound.minimum() == -100
    dialog.bound.setValue(-80)
    # An unchanged value is not below 0.
    choose(dialog.against, "")
    assert (dialog.limits[0].bound, dialog.bound.value(), dialog.bound.minimum()) == (100.0, 100.0, 0)
    dialog.list.setCurrentRow(1)
    assert not dialog.bound.isEnabled()
    choose(dialog.measure, "stuck_percent")
    assert (dialog.limits[1].bound, dialog.limits[1].phase) == (100.0, "")
    assert (dialog.phase.isEnabled(), dialog.against.isEnabled(), dialog.bound.isEnabled()) == (False, False, True)
    dialog.remove.click()
    assert dialog.list.count() == 3
    dialog.reject()
    assert not window.workspace.state.input(TEXT, "")


def test_that_a_limits_file_is_written_only_to_the_chosen_place(
    sweep: Path, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = asked(window, qtbot)
    dialog.remove.click()
    place = tmp_path / "agreed.toml"
    dialog.save_file(place)
    settle(window, qtbot)
    assert len(parse_limits(place.read_text(), "x").limits) == 3
    assert window.workspace.state.input(FILE, "") == str(place)
    dialog.reject()
    content = window.page.content
    assert content is not None
    assert "agreed.toml contains 3 limits" in content.method
    assert (sweep / "limits.toml").read_bytes() == (SWEEP / "limits.toml").read_bytes()
    (tmp_path / "taken").mkdir()
    window.limits.save((), tmp_path / "taken")
    assert window.workspace.state.input(FILE, "") == str(place)


def test_that_a_limits_file_is_opened_and_its_missing_metrics_are_reported(
    sweep: Path, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = asked(window, qtbot)
    other = tmp_path / "other.toml"
    other.write_text(LIMIT + LIMIT.replace("iops_per_vm", "iops_per_wm"))
    dialog.open_file(other)
    assert [limit.bound for limit in dialog.limits] == [900.0]
    assert "Did you mean 'iops_per_vm'" in dialog.unread.text()
    dialog.open_file(tmp_path / "absent.toml")
    assert [limit.bound for limit in dialog.limits] == [900.0]
    assert "cannot be read" in dialog.unread.text()
    dialog.accept()
    assert len(shown(window, qtbot)) == 1


def test_that_the_page_names_limits_that_cannot_be_read(
    window: MainWindow, qtbot: QtBot, sweep: Path, snapshot: SnapshotAssertion
) -> None:
    text = LIMIT + LIMIT.replace("iops_per_vm", "iops_per_wm")
    window.workspace.apply(inputs=window.workspace.state.with_input(TEXT, text).inputs)
    shown(window, qtbot)
    content = window.page.content
    assert content is not None
    assert content.tables[-1].name == snapshot
    assert content.caption == snapshot


def test_that_an_unknown_phase_is_named_on_the_page_and_kept_in_the_dialog(
    window: MainWindow, qtbot: QtBot, sweep: Path, snapshot: SnapshotAssertion
) -> None:
    text = LIMIT + LIMIT.replace("steady", "staedy")
    window.workspace.apply(inputs=window.workspace.state.with_input(TEXT, text).inputs)
    shown(window, qtbot)
    content = window.page.content
    assert content is not None
    assert content.caption == snapshot
    line, words = (cell.text for cell in content.tables[-1].rows[0][:2])
    assert line == "7"
    assert words == snapshot
    # It stays in the dialog, so the user can correct it.
    dialog = asked(window, qtbot)
    assert [limit.phase for limit in dialog.limits] == ["steady", "staedy"]
    dialog.reject()


def test_that_a_study_without_limits_offers_to_write_them(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    study = lab(tmp_path / "lab")
    (study / "limits.toml").write_text(LIMIT)
    open_and_wait(window, qtbot, study)
    assert len(shown(window, qtbot)) == 1
    (study / "limits.toml").unlink()
    window.folders.refresh()
    settle(window, qtbot)
    assert shown(window, qtbot) == []
    assert window.page.empty.offered.isVisible()
    window.page.empty.offered.click()
    settle(window, qtbot)
    dialog = window.limits.dialog
    assert dialog is not None
    dialog.add.click()
    dialog.accept()
    assert [row[0] for row in shown(window, qtbot)] == snapshot
    assert not window.page.empty.offered.isVisible()
    assert [button.text() for button in window.page.make_whole().links.buttons] == ["Edit limits…"]


def test_that_no_field_looks_enabled_without_a_limit(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_and_wait(window, qtbot, lab(tmp_path / "lab"))
    dialog = asked(window, qtbot)

    def grounds() -> list[QColor]:
        return [field.grab().toImage().pixelColor(field.width() - 8, field.height() - 8) for field in fields]

    fields = (dialog.name, dialog.measure, dialog.bound, dialog.names.viewport())
    off = grounds()
    assert len({colour.name() for colour in off}) == 1
    dialog.add.click()
    QApplication.processEvents()
    assert all(dark != light for dark, light in zip(off, grounds(), strict=True))


def test_that_a_double_click_on_a_limit_edits_it(sweep: Path, window: MainWindow, qtbot: QtBot) -> None:
    shown(window, qtbot)
    content = window.page.content
    assert content is not None
    window.page.row_opened.emit("Verdicts", content.tables[0].rows[2])
    settle(window, qtbot)
    dialog = window.limits.dialog
    assert dialog is not None
    assert dialog.at == 2
    dialog.reject()


@pytest.mark.parametrize(
    ("bound", "text"),
    [("0.125", "0.125"), ("0.004", "0.004"), ("-7.5", "\u22127.5"), ("900", "900"), ("1e13", "10 000 000 000 000")],
)
def test_that_a_typed_value_is_shown_as_it_is_checked(
    sweep: Path, window: MainWindow, qtbot: QtBot, bound: str, text: str
) -> None:
    stated = LIMIT.replace("900", bound) + ('against = "MCS"\n' if "-" in bound else "")
    window.workspace.apply(inputs=window.workspace.state.with_input(TEXT, stated).inputs)
    shown(window, qtbot)
    dialog = asked(window, qtbot)
    assert dialog.bound.text().removesuffix(dialog.bound.suffix()).replace("\u2009", " ") == text
    # Opening it and leaving the field do not change it.
    dialog.bound.setFocus()
    dialog.name.setFocus()
    dialog.bound.interpretText()
    assert dialog.limits[0].bound == float(bound)
    dialog.bound.selectAll()
    qtbot.keyClicks(dialog.bound, "0.0625")
    dialog.bound.interpretText()
    assert dialog.limits[0].bound == 0.0625
    dialog.reject()


@pytest.mark.parametrize("table", ["Verdicts", "Values"])
def test_that_a_double_click_opens_the_limit_of_these_configurations(
    sweep: Path, window: MainWindow, qtbot: QtBot, table: str
) -> None:
    names = ("MCS", "MCSIO 1 GB", "MCSIO 4 GB")
    text = "".join(f'{LIMIT}configurations = ["{name}"]\n' for name in names)
    window.workspace.apply(inputs=window.workspace.state.with_input(TEXT, text).inputs)
    shown(window, qtbot)
    content = window.page.content
    assert content is not None
    (rows,) = (each.rows for each in content.tables if each.name == table)
    for number, row in enumerate(rows):
        window.page.row_opened.emit(table, row)
        settle(window, qtbot)
        dialog = window.limits.dialog
        assert dialog is not None
        assert dialog.at == number
        assert dialog.limits[number].configurations == (names[number],)
        dialog.reject()


def test_that_the_other_pages_keep_their_shortcuts() -> None:
    keys = keys_of_pages()
    assert (keys["overview"], keys["storyboard"], keys["import-report"]) == ("Ctrl+1", "Ctrl+9", "Ctrl+0")
    assert keys["limits"] == "Ctrl+Shift+L"
    assert len({action.shortcut for action in ACTIONS if action.shortcut}) == sum(
        bool(action.shortcut) for action in ACTIONS
    )


def test_that_bars_and_table_show_a_value_in_the_same_words(opened: MainWindow, qtbot: QtBot) -> None:
    opened.show_page("limits")
    settle(opened, qtbot)
    content = opened.page.content
    assert content is not None
    assert content.figure is not None
    cells = {
        (row[0].text, column.title): cell
        for table in content.tables[:1]
        for row in table.rows
        for column, cell in zip(table.columns[1:], row[1:], strict=True)
    }
    drawn = {bar.words[0] for panel in content.figure.panels for bar in panel.marks if isinstance(bar, Bars)}
    assert any("%" in words for words in drawn)
    assert drawn <= {cell.brief or cell.text for cell in cells.values()}


def test_that_a_bar_is_read_with_the_digits_of_its_table(opened: MainWindow, qtbot: QtBot) -> None:
    rows = shown(opened, qtbot)
    figure = opened.page.figure
    assert figure is not None
    read = [spot_words(figure._ink, spot)[1][0].parts for spot in figure.spots if spot.panel.y.change]
    assert [parts[0][1] for parts in read] == ["−7.0\u2009%", "−50.0\u2009%", "−77.0\u2009%", "−93.0\u2009%"]
    told = " ".join(text for row in rows for text in row)
    assert all(parts[0][1] in told for parts in read)
    assert "−9.7 to −4.2" in read[0][-1][1]
