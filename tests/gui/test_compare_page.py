"""The compare page in the real window: its answer, its baseline and margin with undo, excluded runs, and pages without
an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SAMPLE, after, open_and_wait, settle
from workbench.answers.common.names import BASELINE, MARGIN_PERCENT
from workbench.answers.compare.page import EQUAL
from workbench.charts.content import Content
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.moving import line_labels
from workbench.gui.shell.main_window import MainWindow
from workbench.model.metric import Quantity
from workbench.words.numbers import MINUS, THIN


def show(window: MainWindow, qtbot: QtBot, view: str = "metric") -> Content:
    window.workspace.apply(page="compare")
    window.workspace.apply(page_views=window.workspace.state.with_page_view("compare", view).page_views)
    settle(window, qtbot)
    return content(window)


def content(window: MainWindow) -> Content:
    found = window.page.content
    assert found is not None
    return found


def card(window: MainWindow, title: str) -> tuple[str, str]:
    """Value and note of the card of a configuration."""
    return next((one.value, one.note) for one in content(window).cards if one.title == title)


def test_that_the_answer_is_shown_in_cards_and_bars_and_tables(opened: MainWindow, qtbot: QtBot) -> None:
    shown = show(opened, qtbot)
    assert card(opened, "MCS") == ("105", "baseline, n = 3")
    value, note = card(opened, "MCSIO 4 GB")
    assert value == f"{MINUS}93.0{THIN}%"
    assert note.startswith("better · [")
    assert shown.figure is not None
    assert [panel.title for panel in shown.figure.panels] == ["Boot", "Logon", "Steady state"]
    assert [table.name for table in shown.tables] == ["Verdicts in steady state", "Values"]


@pytest.mark.parametrize("width", [1366, 1920])
def test_that_the_rule_under_the_verdicts_is_shown_completely(opened: MainWindow, qtbot: QtBot, width: int) -> None:
    opened.resize(width, 768)
    shown = show(opened, qtbot)
    line = opened.page.tables[0].legend
    assert line.whole.text() == shown.tables[0].legend
    if line.button.isVisible():
        line.button.click()
        QApplication.processEvents()
    assert any("Benjamini–Hochberg" in text for text in shown.tables[0].method)
    assert line.whole.height() >= line.whole.heightForWidth(line.whole.width())
    assert opened.page.tables[0].rect().contains(line.geometry())


def test_that_equal_columns_are_folded_and_can_be_unfolded(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    def column_names() -> list[str]:
        return [column.title for column in content(opened).tables[0].columns]

    table = show(opened, qtbot).tables[0]
    assert table.columns[1].title == "Total I/O per VM"
    assert table.columns[1].unit == snapshot
    assert table.columns[1].tip == snapshot
    assert column_names()[2] == "Read IOPS per VM"
    field = opened.page.make_whole().inputs.fields[EQUAL]
    assert isinstance(field, QComboBox)
    field.setCurrentText("separate")
    field.activated.emit(field.currentIndex())
    settle(opened, qtbot)
    every = content(opened).tables[0]
    assert column_names()[1:5] == ["Total I/O per VM", "IOPS per VM", "Total IOPS", "IOPS per user"]
    # Folded columns have the same value in every row.
    assert all(len({cell.text for cell in row[1:5]}) == 1 for row in every.rows)
    opened.workspace.undo()
    settle(opened, qtbot)
    assert column_names()[2] == "Read IOPS per VM"


def test_that_another_baseline_reverses_the_comparison_and_can_be_undone(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    field = opened.page.make_whole().inputs.fields[BASELINE]
    assert isinstance(field, QComboBox)
    field.setCurrentText("MCSIO 4 GB")
    field.activated.emit(field.currentIndex())
    settle(opened, qtbot)
    assert card(opened, "MCSIO 4 GB")[1] == "baseline, n = 3"
    assert card(opened, "MCS")[1].startswith("worse · [")
    opened.workspace.undo()
    settle(opened, qtbot)
    assert card(opened, "MCS")[1] == "baseline, n = 3"


def test_that_a_wider_margin_makes_a_small_change_the_same(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    assert card(opened, "MCSIO 256 MB")[1].startswith("better")
    field = opened.page.make_whole().inputs.fields[MARGIN_PERCENT]
    assert isinstance(field, QDoubleSpinBox)
    field.setValue(20.0)
    settle(opened, qtbot)
    assert card(opened, "MCSIO 256 MB")[1].startswith("same")
    assert "±20" in content(opened).caption


def test_that_the_page_follows_the_chosen_metric_phase_and_view(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    show(opened, qtbot)
    opened.workspace.apply(metric=Quantity.WRITE_IOPS, phase="boot")
    settle(opened, qtbot)
    assert content(opened).caption == snapshot
    shown = show(opened, qtbot, "duration")
    assert shown.figure is not None
    assert [panel.title for panel in shown.figure.panels] == ["Boot", "Logon"]
    assert card(opened, "MCSIO 256 MB")[0] == f"0.0{THIN}%"


def test_that_an_excluded_run_is_not_counted_and_is_listed(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    study = opened.workspace.library.with_runs[0]
    run = next(one for one in study.runs if one.name == "mcsio-4096-r1")
    state = opened.workspace.state
    edits = replace(state.edits_of(run.folder), excluded="the wrong image")
    opened.workspace.apply(edits=state.with_edits(edits).edits)
    settle(opened, qtbot)
    assert card(opened, "MCSIO 4 GB")[1].startswith("~ inconclusive · range")
    (table,) = [one for one in content(opened).tables if one.name.startswith("Excluded")]
    assert [cell.text for cell in table.rows[0]] == ["mcsio-4096-r1", "MCSIO 4 GB", "the wrong image"]


def test_that_a_study_of_one_configuration_says_what_to_do(opened: MainWindow, qtbot: QtBot) -> None:
    show(opened, qtbot)
    others = frozenset(group.label for group in opened.workspace.library.groups(opened.workspace.state)[1:])
    opened.workspace.apply(hidden=others)
    settle(opened, qtbot)
    assert "only one configuration" in content(opened).empty
    assert opened.page.empty.isVisible()


def test_that_a_study_without_metrics_leads_to_the_view_that_has_values(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "vdi-login-storm")
    assert "Phase durations" in show(window, qtbot, "estimation").caption
    assert not window.header.choosers["metric"].isVisible()
    assert "Phase durations" not in show(window, qtbot, "duration").caption


def test_that_the_line_of_the_baseline_touches_no_value(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1366, 768)
    views = opened.workspace.state.with_page_view("compare", "estimation").page_views
    after(opened, qtbot, lambda: opened.workspace.apply(page="compare", page_views=views))
    QApplication.processEvents()
    figure = opened.page.figure
    assert figure is not None
    panel = next(panel for panel in figure.seen if panel.main_lines)
    across = next(line for line in panel.main_lines if not line.label)
    level = panel.pixel(0.0, float(across.y[0])).y()
    found = line_labels(Ink("light"), panel)
    assert len(found) == len(opened.workspace.library.groups(opened.workspace.state))
    # One pixel for each half of the line, one for the halo.
    assert [text for area, text in found if area.top() - 2 < level < area.bottom() + 2] == []


def test_that_the_axis_touches_no_value(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 768)
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    views = window.workspace.state.with_page_view("compare", "estimation").page_views
    after(window, qtbot, lambda: window.workspace.apply(page="compare", page_views=views))
    QApplication.processEvents()
    figure = window.page.figure
    assert figure is not None
    panel = next(panel for panel in figure.seen if panel.main_lines)
    found = line_labels(Ink("light"), panel)
    assert "0.107" in {text for _, text in found}
    assert [text for area, text in found if area.bottom() + 2 > panel.place.plot.bottom()] == []
