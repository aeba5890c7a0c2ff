"""Dialogs and messages about damaged files have no English words in the German window."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.builders import disk_csv
from tests.exporters.test_german import in_english
from tests.gui.conftest import SAMPLE, open_and_wait, settle
from tests.gui.shown_texts import texts_of
from tests.gui.test_dialogs_fit import DIALOGS, LONG, dialog_of
from tests.gui.test_german_fits import german  # noqa: F401
from workbench.answers.common.baselines import baseline_words
from workbench.charts.claim import BarClaim
from workbench.gui.services.translation import said
from workbench.gui.shell.main_window import MainWindow
from workbench.model.run import BaselineEvidence, Provisioning

_OTHERS: dict[str, Callable[[MainWindow], object]] = {
    key: lambda window, key=key: window.act(key)  # type: ignore[misc]
    for key in ("limits.edit", "past_runs.ask", "questions.about")
}
# Paths, names of columns and phases as they are written in run.toml, and names of configurations that are words.
_WRITTEN = re.compile(
    rf"/?{re.escape(LONG)}|[\w.-]*/\S+|.*: the cell cannot be read\. .*|\b(event|time|user|boot|logon|steady)\b"
    r"|(?<=Spalten sind unbekannt: ).*|leave_out|\b(code|vm|moment)\b|[a-z]+(_[a-z]+)+|Database server a(mong VMs|…)"
    r"|^.* provisioning$|[\w.-]+\.csv"
)


def shown(top: QWidget) -> set[str]:
    """Every text of a widget and its children, without names and paths."""
    texts = {text for widget in (top, *top.findChildren(QWidget)) for _, text in texts_of(widget) if text.strip()}
    return {_WRITTEN.sub("", text) for text in texts}


def test_that_no_dialog_of_the_german_window_has_english(german: MainWindow, qtbot: QtBot) -> None:  # noqa: F811
    found: dict[str, set[str]] = {}
    for name in (*DIALOGS, *_OTHERS):
        dialog = dialog_of(german, qtbot, name, DIALOGS | _OTHERS)
        texts = shown(dialog)
        assert texts
        found[name] = in_english(texts, german.workspace.library)
        dialog.close()
        settle(german, qtbot)
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_that_a_damaged_study_is_reported_in_german(german: MainWindow, qtbot: QtBot) -> None:  # noqa: F811
    open_and_wait(german, qtbot, SAMPLE / "damaged")
    german.workspace.apply(page="import-report")
    settle(german, qtbot)
    QApplication.processEvents()
    texts = shown(german)
    assert len(texts) > 100
    assert in_english(texts, german.workspace.library) == set()


def test_that_no_page_of_an_incomplete_study_has_english(german: MainWindow, qtbot: QtBot) -> None:  # noqa: F811
    open_and_wait(german, qtbot, SAMPLE / "damaged")
    found = {}
    for page in ("overview", "per-vm-iops", "logons", "compare", "sizing", "trend", "prepare"):
        german.workspace.apply(page=page)
        settle(german, qtbot)
        QApplication.processEvents()
        texts = shown(german.page) | {german.header.caption.text()}
        assert len(texts) > 10
        found[page] = in_english(texts, german.workspace.library)
    assert {page: texts for page, texts in found.items() if texts} == {}


def test_that_the_strip_and_the_menu_name_steps_in_german(german: MainWindow, qtbot: QtBot) -> None:  # noqa: F811
    open_and_wait(german, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    folder = next(iter(german.workspace.library.figures or {}))
    name = Path(folder).name
    said = []
    for act in (
        lambda: german.runs.rename_to([folder], "MCS neu"),
        lambda: german.runs.exclude_with([folder], "Pilot"),
        lambda: german.runs.leave_machines_out([folder], ("W7-001",)),
        german.history.undo,
        german.history.redo,
    ):
        act()
        settle(german, qtbot)
        said.append(german.strip.told)
    assert said[:2] == [f"Geändert: {name}. Rückgängig: Strg+Z.", f"{name} ausgeschlossen: Pilot. Rückgängig: Strg+Z."]
    assert said[3:] == [f"Rückgängig gemacht: {name}: ohne W7-001.", f"Wiederholt: {name}: ohne W7-001."]
    assert german.history.named("history.undo", "x") == f"x: {name}, ohne W7-001"
    assert in_english({text.replace(name, "") for text in said}, german.workspace.library) == set()


def test_that_the_end_of_an_import_is_reported_in_german(
    german: MainWindow,  # noqa: F811
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    for day in (10, 12):
        rows = "".join(f'"05/{day}/2016 10:0{minute}:00.000","1"\n' for minute in range(9))
        head = f'"(PDH-CSV 4.0) (UTC)(0)","\\\\VM-{day}\\PhysicalDisk(_Total)\\Disk Transfers/sec"\n'
        (tmp_path / f"VM-{day}.csv").write_text(head + rows, "utf-8")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 no archive")
    open_and_wait(german, qtbot, tmp_path)
    assert german.strip.told == "1 Datei wurde nicht importiert: siehe Importbericht."
    assert "Aufzeichnungen in diesem Ordner überschneiden sich zeitlich nie" in german.page.empty.text.text()


def test_that_problems_of_a_usual_log_are_in_german(
    german: MainWindow,  # noqa: F811
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    rows = "".join(f'"05/10/2016 10:0{minute}:00.000","1"\n' for minute in range(9))
    head = '"(PDH-CSV 4.0)","\\\\VM-1\\PhysicalDisk(_Total)\\Disk Transfers/sec"\n'
    (tmp_path / "VM-1.csv").write_text(head + rows, "utf-8")
    open_and_wait(german, qtbot, tmp_path)
    german.workspace.apply(page="import-report")
    settle(german, qtbot)
    texts = " ".join(shown(german))
    for words in ("Kopfzeile enthält keinen UTC-Versatz", "9 Zeilen", "Weder ein Ereignis noch eine andere Datei"):
        assert words in texts


def test_that_every_reason_of_a_baseline_is_in_german(german: MainWindow, qtbot: QtBot) -> None:  # noqa: F811
    open_and_wait(german, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    workspace = german.workspace
    groups = workspace.library.groups(workspace.state)
    assert {group.configuration.provisioning for group in groups} >= {Provisioning.MCS, Provisioning.PVS}
    reasons = {
        baseline_words(replace(group, baseline_by=evidence)) for group in groups for evidence in BaselineEvidence
    }
    # Every opening bracket has a closing one.
    assert [text for text in reasons if text.count("(") != text.count(")")] == []
    assert in_english({said(text) for text in reasons}, workspace.library) == set()
    other = next(group for group in groups if group.baseline_by is None)
    german.runs.compare_with(other.label)
    settle(german, qtbot)
    assert in_english({german.strip.told.replace(other.label, "")}, workspace.library) == set()


def test_that_ranges_of_two_runs_are_in_german(
    german: MainWindow,  # noqa: F811
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    for run, (kind, level) in enumerate((kind, level) for level in (30, 31) for kind in ("MCS", "PVS")):
        folder = tmp_path / f"{kind}-r{level}"
        reads = [float(level * (1 + (kind == "PVS")) + at % 5) for at in range(30)]
        disk_csv(folder / "guest" / "A.csv", "A", reads, [4.0 + run] * 30)
        (folder / "run.toml").write_text(
            f"configuration = '{kind}'\nprovisioning = '{kind}'\n[[phases]]\nname = 'steady'\n"
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:05:00+01:00\n"
        )
    open_and_wait(german, qtbot, tmp_path)
    for page in ("overview", "sizing", "compare"):
        german.workspace.apply(page=page)
        settle(german, qtbot)
        QApplication.processEvents()
        texts = shown(german.page)
        if page == "overview":
            claims = [frame.chart.claim for frame in german.page.make_whole().lead.frames]
            ends = {claim.ends for claim in claims if isinstance(claim, BarClaim)}
            assert any("Spanne" in text for text in ends), ends
            texts |= ends
        assert in_english(texts, german.workspace.library) == set(), page
