"""A folder with several studies: the first one shown, and the messages about all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.gui.conftest import SAMPLE, SWEEP, after, open_and_wait
from workbench.gui.shell.main_window import MainWindow
from workbench.measures.configurations import phase_names
from workbench.model.phase import BOOT, LOGON, STEADY

RATES = [10.0 + n % 2 for n in range(60)]


def fio(path: Path, iops: float) -> None:
    """A result of fio with one job."""
    path.parent.mkdir(parents=True, exist_ok=True)
    read = {"io_bytes": 4096_000, "bw": iops * 4, "iops": iops, "runtime": 1000, "total_ios": int(iops)}
    job = {"jobname": path.stem, "error": 0, "read": read, "job options": {"bs": "4k", "rw": "randread"}}
    path.write_text(json.dumps({"fio version": "fio-3.36", "timestamp": 1_600_000_000, "jobs": [job]}))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A run by itself next to a study of two configurations."""
    folder = tmp_path / "lab"
    disk_csv(folder / "a host" / "host.csv", "HV1", RATES, RATES, start="05/20/2016 07:00:00.000")
    for name, hour in (("mcs", 9), ("pvs", 11)):
        start = f"05/20/2016 {hour:02}:00:00.000"
        disk_csv(folder / "sweep" / name / "vm.csv", "W10-001", RATES, RATES, start=start)
    return folder


def test_that_the_study_with_something_to_compare_is_shown_first(window: MainWindow, qtbot: QtBot, lab: Path) -> None:
    open_and_wait(window, qtbot, lab)
    library, state = window.workspace.library, window.workspace.state
    assert [study.name for study in library.with_runs] == ["lab", "sweep"]
    assert state.study == str(lab / "sweep")
    assert [group.label for group in library.groups(state)] == ["MCS", "PVS"]
    assert window.strip.message.full.startswith("2 of 3 runs, 2 configurations")


def test_that_folders_of_benchmarks_alone_are_all_named(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for place, disk in enumerate(("hdd", "nvme", "ssd", "tape", "zfs")):
        fio(tmp_path / "disks" / disk / "read.json", 100.0 * (place + 1))
    open_and_wait(window, qtbot, tmp_path / "disks")
    shown = window.rail._study.text()
    assert [name for name in ("hdd", "nvme", "ssd", "tape", "zfs") if name in shown] == ["hdd", "nvme", "ssd"]
    assert "2 more" in shown


def test_that_the_report_of_an_import_makes_its_message_obsolete(
    window: MainWindow, qtbot: QtBot, lab: Path, tmp_path: Path
) -> None:
    (lab / "sweep" / "mcs" / "broken.csv").write_bytes(b'"(PDH-CSV 4.0) (GMT Standard Time)(0)","\\\\A\\M\\B"\r\n')
    open_and_wait(window, qtbot, lab)
    assert "1 file was not imported" in window.strip.message.full
    after(window, qtbot, lambda: window.show_page("compare"))
    assert "not imported" in window.strip.message.full
    after(window, qtbot, lambda: window.show_page("import-report"))
    after(window, qtbot, lambda: window.show_page("compare"))
    assert "not imported" not in window.strip.message.full


def test_that_a_renamed_configuration_stays_chosen_although_another_study_has_one_with_that_name(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    for name in ("mcs", "pvs"):
        disk_csv(lab / "later" / name / "vm.csv", "W10-001", RATES, RATES, start="05/21/2017 09:00:00.000")
    open_and_wait(window, qtbot, lab)
    after(window, qtbot, lambda: window.workspace.apply(study=str(lab / "sweep")))
    tree = window.rail.tree
    row = tree.configuration_item("PVS")
    assert row is not None
    tree.setCurrentIndex(row.index())
    tree.expand(row.index())
    after(window, qtbot, lambda: tree.renamed.emit([str(lab / "sweep" / "pvs")], "old cache"))
    now = tree.currentIndex()
    assert now.data() == "old cache"
    assert now == tree.configuration_item("old cache").index()
    assert tree.isExpanded(now)
    assert tree.selected_runs() == [str(lab / "sweep" / "pvs")]


def test_that_phase_and_search_of_a_study_do_not_carry_over_to_another(
    window: MainWindow, qtbot: QtBot, lab: Path
) -> None:
    open_and_wait(window, qtbot, SWEEP)
    after(window, qtbot, lambda: window.workspace.apply(page="compare", phase=BOOT))
    card = window.page.tables[0]
    card.filter.setText("MCSIO 4")
    assert 0 < card.table.model().rowCount() < len(card.table.source.table.rows)
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    assert BOOT in phase_names(window.workspace.library.groups(window.workspace.state))
    assert window.workspace.state.phase == STEADY
    assert [each.filter.text() for each in window.page.filtered] == [""] * len(window.page.filtered)
    card = window.page.tables[0]
    assert card.table.model().rowCount() == len(card.table.source.table.rows)


def test_that_phase_and_search_of_a_chosen_study_do_not_carry_over(sample: MainWindow, qtbot: QtBot) -> None:
    first, second, *_ = (study.folder for study in sample.workspace.library.with_runs)
    after(sample, qtbot, lambda: sample.workspace.apply(page="compare", study=first, phase=LOGON))
    sample.page.filtered[0].filter.setText("MCSIO 4")
    after(sample, qtbot, lambda: sample.workspace.apply(study=second))
    assert LOGON in phase_names(sample.workspace.library.groups(sample.workspace.state))
    assert sample.workspace.state.phase == STEADY
    assert [each.filter.text() for each in sample.page.filtered] == [""] * len(sample.page.filtered)
