"""The head of a page: its choosers match the page, and choosers without effect are hidden."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SAMPLE, after, open_and_wait
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.exporters.contents import page_part
from workbench.gui.commands.palette import CommandPalette
from workbench.gui.shell.main_window import MainWindow


def visible(window: MainWindow) -> set[str]:
    return {name for name, chooser in window.header.choosers.items() if chooser.isVisible()}


def right_of(window: MainWindow, name: str) -> int:
    chooser = window.header.choosers[name]
    return chooser.mapTo(window, chooser.rect().topRight()).x()


def look_at(window: MainWindow, qtbot: QtBot, page: str, view: str) -> None:
    pages = window.workspace.state.with_page_view(page, view).page_views
    after(window, qtbot, lambda: window.workspace.apply(page=page, page_views=pages))


def test_that_choosers_without_effect_on_a_view_are_hidden(opened: MainWindow, qtbot: QtBot) -> None:
    look_at(opened, qtbot, "cache", "over-time")
    assert visible(opened) == {"phase", "alignment", "view"}
    place = right_of(opened, "view")
    look_at(opened, qtbot, "cache", "sweep")
    assert visible(opened) == {"phase", "view"}
    assert right_of(opened, "view") == place
    look_at(opened, qtbot, "compare", "duration")
    assert visible(opened) == {"phase", "view"}


def test_that_unmeasured_metrics_are_not_offered(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "vdi-login-storm")
    look_at(window, qtbot, "compare", "metric")
    assert visible(window) == {"phase", "view"}


def test_that_runs_without_a_phase_have_no_empty_chooser_of_phases(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    points = [{"x": "00:00:00", "y": 10.0}, {"x": "00:00:30", "y": 20.0}]
    chart = {"title": "CPU", "subTitle": "", "series": [{"serie": "A", "data": points}], "unit": "%"}
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "host-cpu.json").write_text(json.dumps(chart), encoding="utf-8")
    open_and_wait(window, qtbot, tmp_path / "study")
    look_at(window, qtbot, "timeline", "")
    assert "phase" not in visible(window)
    assert all(window.header.choosers[name].box.count() for name in visible(window))


def test_that_a_study_without_phases_offers_no_phase_and_no_start_of_one(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rows = "".join(f'"05/10/2016 10:0{minute}:00.000","5"\n' for minute in range(9))
    head = '"(PDH-CSV 4.0) (UTC)(0)","\\\\VM-1\\Processor(_Total)\\% Processor Time"\n'
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "VM-1.csv").write_text(head + rows, "utf-8")
    open_and_wait(window, qtbot, tmp_path / "study")
    assert window.workspace.library.with_runs
    for page in ("timeline", "per-vm-iops"):
        look_at(window, qtbot, page, "")
        assert "phase" not in visible(window)
        assert all(window.header.choosers[name].box.currentText() for name in visible(window))
        box = window.header.choosers["alignment"].box
        assert [box.itemText(at) for at in range(box.count())] == ["Run start", "Clock"]


def test_that_the_phase_chooser_says_what_the_page_shows(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.workspace.apply(page="per-vm-iops", phase=WHOLE_RUN))
    box = opened.header.choosers["phase"].box
    assert box.currentText() == "Whole run"
    after(opened, qtbot, lambda: opened.show_page("overview"))
    assert box.currentText() == "Steady state"
    assert box.findData(WHOLE_RUN) == -1
    after(opened, qtbot, lambda: opened.show_page("per-vm-iops"))
    assert box.currentText() == "Whole run"


def test_that_every_page_without_results_asks_what_to_open(
    window: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    for page in ("overview", "sizing", "benchmarks", "import-report"):
        after(window, qtbot, lambda page=page: window.show_page(page))  # type: ignore[misc]
        assert window.header.question.text() == snapshot
        assert window.page.empty.open.isVisible()


def test_that_the_navigation_names_the_open_study_although_it_has_no_runs(window: MainWindow, qtbot: QtBot) -> None:
    names = {label.text() for label in window.rail.findChildren(QLabel)}
    assert "No study is open" in names
    open_and_wait(window, qtbot, SAMPLE / "storage-benchmarks")
    names = {label.text() for label in window.rail.findChildren(QLabel)}
    assert "storage-benchmarks" in names
    assert "No study is open" not in names


# 1366 x 768, and the space at 125 %.
@pytest.mark.parametrize("size", [pytest.param((1366, 768), marks=pytest.mark.slow), (1092, 614)])
def test_that_the_question_keeps_one_line_and_its_caption_two(
    opened: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    opened.resize(*size)
    header = opened.header
    for spec in PAGES:
        for view, _ in spec.views or (("", ""),):
            look_at(opened, qtbot, spec.key, view)
            QApplication.processEvents()
            assert opened.width() == size[0], "nothing makes the window wider"
            assert header.question.lines(header.question.width()) == 1, (spec.key, view)
            assert header.caption.lines(header.caption.width()) <= 2, (spec.key, view)
            qtbot.waitUntil(lambda: header.caption.height() >= header.caption.heightForWidth(header.caption.width()))
            areas = [header.question.geometry(), header.caption.geometry(), header._bar.geometry()]
            shown = areas if header._bar.isVisible() else areas[:2]
            assert not any(one.intersects(other) for one in shown for other in shown if one is not other), spec.key
            for name in visible(opened):
                box = header.choosers[name].box
                qtbot.waitUntil(lambda box=box: box.width() >= box.sizeHint().width())


def test_that_the_label_of_a_chooser_is_inside_it(opened: MainWindow, qtbot: QtBot) -> None:
    look_at(opened, qtbot, "overview", "")
    box = opened.header.choosers["phase"].box
    words = box.fontMetrics().horizontalAdvance("PhaseSteady state")
    assert box.width() > words
    short = box.sizeHint().width()
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot"))
    assert box.currentText() == "Boot"
    assert box.sizeHint().width() < short


def test_that_the_field_in_the_menu_bar_opens_the_palette_with_keys_in_a_separate_column(
    opened: MainWindow, qtbot: QtBot
) -> None:
    finder = opened.finder
    assert finder.mapTo(opened, QPoint(finder.width(), 0)).x() > opened.width() - 40
    qtbot.mouseClick(finder, Qt.MouseButton.LeftButton)
    palette = opened.findChild(CommandPalette)
    assert palette is not None
    palette.field.setText("present")
    assert palette.list.item(0).text() == "View: Present"
    palette.close()


def test_that_the_text_below_a_table_wraps(opened: MainWindow, qtbot: QtBot) -> None:
    opened.resize(1092, 614)
    look_at(opened, qtbot, "overview", "")
    line = opened.page.tables[0].legend
    line.show_text("Every word of this sentence is read, however narrow the window is. " * 6)
    line.shorten(False)
    legend = line.whole
    QApplication.processEvents()
    qtbot.waitUntil(lambda: legend.height() >= legend.heightForWidth(legend.width()))
    assert legend.lines(legend.width()) >= 2
    assert "…" not in legend.text()


def studies_in(part: Content) -> set[str]:
    """The studies that the last table of a page names."""
    table = part.tables[-1]
    at = next(at for at, column in enumerate(table.columns) if column.title == "Study")
    return {row[at].text for row in table.rows}


def choose_study(window: MainWindow, qtbot: QtBot, place: int) -> str:
    box = window.header.choosers["study"].box
    box.setCurrentIndex(place)
    after(window, qtbot, lambda: box.activated.emit(place))
    return str(box.currentData())


def test_that_a_page_of_all_studies_says_so_and_can_show_a_single_one(sample: MainWindow, qtbot: QtBot) -> None:
    after(sample, qtbot, lambda: sample.show_page("trend"))
    chooser = sample.header.choosers["study"]
    assert chooser.isVisible()
    assert chooser.box.currentData() == sample.workspace.library.study(sample.workspace.state.study).name
    with_runs = {study.name for study in sample.workspace.library.with_runs}
    assert {chooser.box.itemData(place) for place in range(chooser.box.count())} == with_runs | {""}
    choose_study(sample, qtbot, 0)
    assert sample.page.content is not None
    every = studies_in(sample.page.content)
    assert len(every) > 1
    place = next(place for place in range(chooser.box.count()) if chooser.box.itemData(place) in every)
    name = choose_study(sample, qtbot, place)
    assert studies_in(sample.page.content) == {name}
    written = page_part(sample.workspace.library, sample.workspace.state, "trend", "")
    assert written is not None
    assert studies_in(written.content) == {name}
    after(sample, qtbot, lambda: sample.show_page("overview"))
    assert not chooser.isVisible()
    after(sample, qtbot, lambda: sample.show_page("trend"))
    assert chooser.box.currentData() == name
    choose_study(sample, qtbot, 0)
    assert studies_in(sample.page.content) == every


def test_that_the_choice_of_a_study_ends_when_its_folder_is_closed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        copytree(SAMPLE / "storage-benchmarks", tmp_path / "all" / name)
    open_and_wait(window, qtbot, tmp_path / "all" / "one", tmp_path / "all" / "two")
    after(window, qtbot, lambda: window.show_page("benchmarks"))
    box = window.header.choosers["study"].box
    rows = len(window.workspace.library.benchmarks)
    assert window.page.content is not None
    assert choose_study(window, qtbot, 1) == "one"
    alone = sum(len(table.rows) for table in window.page.content.tables)
    assert 0 < alone < rows
    open_and_wait(window, qtbot, tmp_path / "all" / "two")
    assert not box.isVisible()
    assert sum(len(table.rows) for table in window.page.content.tables) == alone
