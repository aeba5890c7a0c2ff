"""The boxes of the Export dialog and of the dialog of a bundle that replace names."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.anonymising.hostile_study import unpacked
from tests.gui.conftest import LONG_MS, SAMPLE, after, open_and_wait, settle
from workbench.gui.dialogs.export_dialog import ExportDialog
from workbench.gui.dialogs.session_dialogs import BundleDialog
from workbench.gui.shell.main_window import MainWindow


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The window with the smallest study of the sample: two VMs called XA-01 and XA-02."""
    open_and_wait(window, qtbot, SAMPLE / "xenapp-pvs-ram-cache")
    return window


def holds(file: Path, name: str) -> bool:
    return any(name.encode() in part.lower() for part in unpacked(file.name, file.read_bytes()))


def test_that_the_box_replaces_names_in_preview_and_export_and_writes_the_key(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    after(opened, qtbot, opened.exports.ask)
    dialog = opened.exports.dialog
    assert isinstance(dialog, ExportDialog)
    dialog.form.place.setText(str(tmp_path / "findings.html"))
    assert not dialog.form.names.place.isVisible(), "no key where no name is replaced"
    dialog.form.names.box.click()
    dialog.form.names.place.setText(str(tmp_path / "key.csv"))
    qtbot.waitUntil(lambda: not opened.busy and not dialog._timer.isActive(), timeout=LONG_MS)
    assert dialog.preview is not None
    figures = [entry.figure for entry in dialog.preview.entries if entry.figure is not None]
    assert figures
    assert all(figure.caption.startswith("Names are replaced.") for figure in figures)
    after(opened, qtbot, dialog.export.click)
    written = tmp_path / "findings.html"
    assert opened.strip.message.full.startswith("Wrote findings.html")
    assert not holds(written, "xa-01")
    assert holds(written, "vm-001")
    assert "VM-001,xa-01" in (tmp_path / "key.csv").read_text(encoding="utf-8-sig")
    assert opened.settings.export.anonymise, "the box is ticked again the next time"


@pytest.mark.parametrize("anonymise", [True, False])
def test_that_the_bundle_dialog_replaces_names_if_the_box_is_ticked(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, anonymise: bool
) -> None:
    opened.sessions.save_bundle_as()
    qtbot.waitUntil(lambda: bool(opened.findChildren(BundleDialog)), timeout=LONG_MS)
    (dialog,) = opened.findChildren(BundleDialog)
    dialog.place.setText(str(tmp_path / "review"))
    dialog.names.box.setChecked(anonymise)
    dialog.accept()
    file = tmp_path / "review.vdibundle"
    qtbot.waitUntil(file.is_file, timeout=LONG_MS)
    settle(opened, qtbot)
    assert holds(file, "xa-01") is not anonymise
    opened.open_paths([file])
    settle(opened, qtbot)
    assert ("Names are replaced in this bundle." in opened.strip.message.full) is anonymise
    assert [series.vm for series in opened.workspace.library.studies[0].runs[0].recordings[0].series][:1] == [
        "VM-001" if anonymise else "XA-01"
    ]
