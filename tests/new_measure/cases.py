"""The toy queue, from perfmon's counter to every place that shows a metric: only its entry names it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook
from pytestqt.qtbot import QtBot

from tests.builders import perfmon_csv
from tests.gui.conftest import after, open_and_wait, settle
from tests.new_measure.entry import KEY, NAME
from workbench.charts.content import Content
from workbench.cli import OK, main
from workbench.gui.shell.main_window import MainWindow
from workbench.model.metric import Quantity
from workbench.readers.common.counters import metric_of

pytest_plugins = ("tests.gui.conftest",)

VMS = ("W10-001", "W10-002")
COUNTER = "Avg. Disk Queue Length"
# Row k is written at 09:00 + 15 s x k; the phase is 09:01 to 09:04.
ROWS, INSIDE = 24, slice(5, 17)
PHASE = '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n'


def counters(vm: str, load: float) -> dict[str, np.ndarray]:
    """Reads and writes with their latencies, and the resulting queue by Little's law."""
    rng = np.random.default_rng(VMS.index(vm))
    reads, writes = (rng.uniform(5, 50, ROWS) * load for _ in range(2))
    per_read, per_write = (rng.uniform(0.002, 0.02, ROWS) for _ in range(2))
    return {
        "Disk Reads/sec": reads,
        "Disk Writes/sec": writes,
        "Avg. Disk sec/Read": per_read,
        "Avg. Disk sec/Write": per_write,
        COUNTER: reads * per_read + writes * per_write,
    }


RUNS = {"mcs": 1.0, "mcsio-512": 0.25}


def expected(run: str) -> float:
    """The mean over VMs and samples, from the numbers that were written."""
    return float(np.mean([counters(vm, RUNS[run])[COUNTER][INSIDE].mean() for vm in VMS]))


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study") / "lab"
    for run, load in RUNS.items():
        for vm in VMS:
            columns = {
                f"\\\\{vm}\\PhysicalDisk(_Total)\\{name}": values.tolist()
                for name, values in counters(vm, load).items()
            }
            perfmon_csv(folder / run / "guest" / f"{vm}.csv", columns)
        (folder / run / "run.toml").write_text(PHASE)
    return folder


@pytest.fixture(autouse=True)
def _store_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def content(window: MainWindow) -> Content:
    shown = window.page.content
    assert shown is not None
    return shown


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(one) for one in arguments]) == OK
    return capsys.readouterr().out


def test_that_the_counter_is_mapped() -> None:
    metric = metric_of("PhysicalDisk", "_Total", COUNTER)
    assert metric is not None
    assert metric.quantity is Quantity.QUEUE_DEPTH


def test_that_json_has_its_value(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = json.loads(said(capsys, "summary", lab, "--format", "json"))["runs"]
    found = {run["run"]: run["phases"][0][KEY] for run in runs}
    assert found == pytest.approx({run: expected(run) for run in RUNS}, rel=1e-12)


def test_that_csv_has_its_column(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = csv.DictReader(io.StringIO(said(capsys, "summary", lab, "--format", "csv")))
    found = {row["run"]: float(row[KEY]) for row in rows}
    assert found == pytest.approx({run: expected(run) for run in RUNS}, rel=1e-12)


def test_that_the_table_of_the_console_has_its_column(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "summary", lab)
    assert set(NAME.split()) <= set(text.split("─")[0].split())
    assert f"{expected('mcs'):.3g}" in text


def test_that_explain_names_the_counter_and_adds_up(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(said(capsys, "summary", lab, "--format", "json", "--explain", "--figure", KEY))
    found = {one["run"]: one for one in table["explain"]}
    for run in RUNS:
        sources = found[run]["sources"]
        assert {source["vm"] for source in sources} == set(VMS)
        assert all(source["counter"].endswith(COUNTER) for source in sources)
        assert sum(source["contribution"] for source in sources) == pytest.approx(expected(run), rel=1e-12)
        assert found[run]["formula"] == "mean over the measured time of the phase, then over VMs"


def test_that_compare_has_the_metric(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(said(capsys, "compare", lab, "--format", "json"))["differences"]
    (row,) = [one for one in rows if one["metric"] == KEY]
    assert row["name"] == NAME
    assert row["ratio"] == pytest.approx(expected("mcsio-512") / expected("mcs"), rel=1e-12)


def test_that_the_workbook_has_its_column_with_the_formula(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "book.xlsx"
    said(capsys, "export", lab, "-o", file)
    formulas, values = load_workbook(file), load_workbook(file, data_only=True)["Phase table"]
    table, means = formulas["Phase table"], formulas["Configurations"]
    places = {cell.value: cell.column for cell in table[5]}
    rows = {values.cell(row, places["Run"]).value: row for row in (6, 7)}
    found = {run: values.cell(row, places[NAME]).value for run, row in rows.items()}
    assert found == pytest.approx({run: expected(run) for run in RUNS}, rel=1e-9)
    row, cell = rows["mcs"], table.cell
    reads, writes = (
        f"{cell(row, places[f'{half} IOPS per VM']).coordinate}*{cell(row, places[f'{half} latency (ms)']).coordinate}"
        for half in ("Read", "Write")
    )
    assert f"({reads}+{writes})/1000" in cell(row, places[NAME]).value
    place = next(cell.column for cell in means[4] if cell.value == NAME)
    assert "AVERAGEIFS" in means.cell(5, place).value


def test_that_the_window_shows_the_metric_in_table_chooser_and_compare(
    lab: Path, window: MainWindow, qtbot: QtBot
) -> None:
    open_and_wait(window, qtbot, lab)
    table = next(one for one in content(window).tables if one.name == "Phase table")
    place = [column.title for column in table.columns].index(NAME)
    found = {row[0].text: row[place].value for row in table.rows}
    assert found == pytest.approx({"MCS": expected("mcs"), "MCSIO 512 MB": expected("mcsio-512")}, rel=1e-12)
    after(window, qtbot, lambda: window.show_page("per-vm-iops"))
    chooser = window.header.choosers["metric"].box
    chooser.setCurrentIndex(chooser.findText(NAME))
    chooser.activated.emit(chooser.currentIndex())
    settle(window, qtbot)
    figure = content(window).figure
    assert figure is not None
    assert {panel.y.label for panel in figure.panels} == {NAME, "VM"}
    after(window, qtbot, lambda: window.show_page("compare"))
    compared = content(window)
    assert compared.figure is not None
    assert compared.figure.panels[0].y.label == NAME
    verdicts = next(one for one in compared.tables if one.name.startswith("Verdicts"))
    # Identical columns are folded into one; its tooltip names them.
    assert any(NAME in f"{column.title} {column.tip}" for column in verdicts.columns)
