"""Questions for the user on the sheet *Check detected runs*: machines that may count twice, folders that mix runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.gui.conftest import after, open_and_wait, settle
from workbench.cli import main
from workbench.gui.runs.found_sheet import FoundSheet
from workbench.gui.runs.runs_tree import RowKind
from workbench.gui.shell.main_window import MainWindow

ROWS = 60
RATES = {"W10-001": 10.0, "W10-002": 20.0, "W10-003": 30.0}
STEADY = '\n[[phases]]\nname = "steady"\nstart = 2016-05-10T07:00:00Z\nend = 2016-05-10T10:00:00Z\n'
HOST, HOST_RATE = "HV01", 75.0
# Reads and writes, of 15 s each.
OF_DESKTOPS = 15.0 * ROWS * 2 * sum(RATES.values())
WITH_HOST = OF_DESKTOPS + 15.0 * ROWS * 2 * HOST_RATE


def log(run: Path, file: str, machine: str, rate: float, start: str = "05/10/2016 09:00:00.000") -> None:
    rates = [rate - 1.0 + 2.0 * (n % 2) for n in range(ROWS)]
    disk_csv(run / file, machine, rates, rates, start=start)


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Two runs of three desktops, each with its host next to them."""
    for name in ("mcs-1", "mcs-2"):
        run = tmp_path / "lab" / name
        for machine, rate in (RATES | {HOST: HOST_RATE}).items():
            log(run, f"{machine}.csv", machine, rate)
        (run / "run.toml").write_text(f'configuration = "MCS"\n{STEADY}', encoding="utf-8")
    return tmp_path / "lab"


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with recordings of two hosts on one day, and of one of them on the next."""
    run = tmp_path / "lab" / "mcs"
    log(run, "a.csv", "A", 10.0)
    log(run, "b.csv", "B", 20.0, "05/10/2016 12:00:00.000")
    log(run, "later.csv", "A", 40.0, "05/11/2016 09:00:00.000")
    return tmp_path / "lab"


def opened_sheet(window: MainWindow) -> FoundSheet:
    window.found.show()
    sheet = window.found._sheet
    assert sheet is not None
    return sheet


def leave_out(window: MainWindow, qtbot: QtBot) -> None:
    """Ticks the box of the host on the sheet, and applies it."""
    sheet = opened_sheet(window)
    ((question, box),) = sheet.machines
    assert question.machines == (HOST,)
    box.setChecked(True)
    after(window, qtbot, lambda: QTest.mouseClick(sheet.apply, Qt.MouseButton.LeftButton))


def split_all(window: MainWindow, qtbot: QtBot) -> None:
    """Ticks every run that mixes several, and splits it."""
    sheet = opened_sheet(window)
    for at, row in enumerate(sheet.rows):
        if row.mixed:
            sheet.table.item(at, 0).setCheckState(Qt.CheckState.Checked)
    QTest.mouseClick(sheet.split, Qt.MouseButton.LeftButton)
    after(window, qtbot, lambda: QTest.mouseClick(sheet.apply, Qt.MouseButton.LeftButton))


def asked(window: MainWindow) -> bool:
    """True if opening the study now would show the sheet."""
    sheet = opened_sheet(window)
    asks = any(row.asks for row in sheet.rows)
    sheet.reject()
    return asks


def totals(window: MainWindow) -> list[float | None]:
    return [row.total_io for run in window.workspace.library.figures.values() for row in run.phases]


def told(window: MainWindow, qtbot: QtBot, *codes: str) -> list[tuple[str, str]]:
    """Severity and sentence of these problems, from the table of the import report. Returns to the overview, because
    the causes on the report also ask the question."""
    after(window, qtbot, lambda: window.show_page("import-report"))
    wanted = {problem.message for problem in window.workspace.library.problems if problem.code in codes}
    table = window.page.tables[0].table
    rows = [table.row(at) for at in range(table.model().rowCount())]
    texts = [(cells[0].text, cells[4].text) for cells in rows if cells[4].text in wanted]
    after(window, qtbot, lambda: window.show_page("overview"))
    return texts


def test_that_a_host_among_desktops_is_asked_about_once_and_excluded_from_both_runs(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    open_and_wait(window, qtbot, lab)
    assert totals(window) == [pytest.approx(WITH_HOST)] * 2
    assert asked(window)
    leave_out(window, qtbot)
    assert totals(window) == [pytest.approx(OF_DESKTOPS)] * 2
    assert not asked(window)
    assert told(window, qtbot, "machine-unlike") == []
    assert told(window, qtbot, "machine-no-desktop") == [
        ("info", f"You excluded {HOST} from the VMs.") for _ in range(2)
    ]
    after(window, qtbot, window.history.undo)
    assert totals(window) == [pytest.approx(WITH_HOST)] * 2
    assert asked(window)


def test_that_a_machine_counted_as_a_desktop_is_not_asked_about_again(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    open_and_wait(window, qtbot, lab)
    folders = [run.folder for run in window.workspace.library.studies[0].runs]
    after(window, qtbot, lambda: window.runs.count_as_desktops(folders, (HOST,)))
    assert totals(window) == [pytest.approx(WITH_HOST)] * 2
    assert not asked(window)
    assert {severity for severity, _ in told(window, qtbot, "machine-unlike")} == {"info"}
    after(window, qtbot, lambda: window.runs.count_machines(folders[0]))
    assert asked(window), "what is no longer decided is asked again"


def test_that_the_tree_answers_the_question_too(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    open_and_wait(window, qtbot, lab)
    after(window, qtbot, lambda: window.runs.leave_machine_out(HOST))
    assert not asked(window)
    assert told(window, qtbot, "machine-unlike") == []


def test_that_a_row_of_the_import_report_answers_too(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    open_and_wait(window, qtbot, lab)
    after(window, qtbot, lambda: window.show_page("import-report"))
    table = window.page.tables[0].table
    rows = [table.row(at) for at in range(table.model().rowCount())]
    cells = next(cells for cells in rows if HOST in cells[4].text)
    menu = QMenu(window)
    window.report.show_menu("Problems", cells, menu)
    action = next(action for action in menu.actions() if action.text() == f"Exclude {HOST}")
    after(window, qtbot, action.trigger)
    assert sorted(totals(window)) == [pytest.approx(OF_DESKTOPS), pytest.approx(WITH_HOST)], "of the run of that row"


def test_that_cancel_decides_nothing_and_the_report_still_warns(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    open_and_wait(window, qtbot, lab)
    sheet = opened_sheet(window)
    sheet.machines[0][1].setChecked(True)
    after(window, qtbot, lambda: QTest.mouseClick(sheet.cancel, Qt.MouseButton.LeftButton))
    assert totals(window) == [pytest.approx(WITH_HOST)] * 2
    assert {severity for severity, _ in told(window, qtbot, "machine-unlike")} == {"warning"}


def test_that_a_mixed_folder_is_split_into_runs_and_joined_again(window: MainWindow, qtbot: QtBot, mixed: Path) -> None:
    open_and_wait(window, qtbot, mixed)
    (whole,) = window.workspace.library.studies[0].runs
    assert whole.excluded
    split_all(window, qtbot)
    runs = window.workspace.library.studies[0].runs
    assert [(run.name, [recording.file for recording in run.recordings]) for run in runs] == [
        ("mcs 2016-05-10 08.00.00", ["mcs/a.csv"]),
        ("mcs 2016-05-10 11.00.00", ["mcs/b.csv"]),
        ("mcs 2016-05-11 08.00.00", ["mcs/later.csv"]),
    ]
    assert [(run.excluded, run.vms, run.users) for run in runs] == [(None, 1, 1)] * 3
    assert {severity for severity, _ in told(window, qtbot, "runs-mixed")} == {"info"}
    assert not asked(window)
    assert window.workspace.settled
    menu = window.runs.menu(RowKind.RUN, runs[1].folder)
    again = next(action for action in menu.actions() if action.text() == "Undo folder split")
    after(window, qtbot, again.trigger)
    assert [run.name for run in window.workspace.library.studies[0].runs] == ["mcs"]
    assert asked(window)
    after(window, qtbot, window.history.undo)
    assert len(window.workspace.library.studies[0].runs) == 3
    after(window, qtbot, window.history.undo)
    assert [run.name for run in window.workspace.library.studies[0].runs] == ["mcs"]


def test_that_split_runs_are_edited_like_other_runs(window: MainWindow, qtbot: QtBot, mixed: Path) -> None:
    open_and_wait(window, qtbot, mixed)
    after(window, qtbot, lambda: window.runs.rename_to([window.workspace.library.studies[0].runs[0].folder], "Pilot"))
    split_all(window, qtbot)
    runs = window.workspace.library.studies[0].runs
    assert [run.configuration.name for run in runs] == ["Pilot"] * 3, (
        "what was stated of the folder holds for its parts"
    )
    after(window, qtbot, lambda: window.runs.rename_to([runs[2].folder], "PVS"))
    assert [run.configuration.name for run in window.workspace.library.studies[0].runs] == ["Pilot", "Pilot", "PVS"]
    window.runs.edit(runs[2].folder)


@pytest.fixture
def answered(window: MainWindow, qtbot: QtBot, mixed: Path, lab: Path) -> Path:
    """A workspace file in which all questions are answered."""
    open_and_wait(window, qtbot, lab)
    split_all(window, qtbot)
    leave_out(window, qtbot)
    saved = lab.parent / "answered.vdiwb"
    after(window, qtbot, lambda: window.sessions.save_to(saved))
    return saved


def test_that_answers_are_saved_and_count_on_the_console_too(
    window: MainWindow,
    qtbot: QtBot,
    answered: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [run.name for run in window.workspace.library.studies[0].runs]
    assert len(names) == 5
    open_and_wait(window, qtbot, answered)
    settle(window, qtbot)
    assert [run.name for run in window.workspace.library.studies[0].runs] == names
    assert not asked(window)
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(answered.parent / "store"))
    assert main(["summary", str(answered), "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [run["run"] for run in answer["runs"]] == names
    of_mcs = [row["total_io"] for run in answer["runs"] for row in run["phases"] if run["run"] in ("mcs-1", "mcs-2")]
    assert of_mcs == [pytest.approx(OF_DESKTOPS)] * 2
