"""One day with the window, driven with its real widgets: from the first start to the same view next morning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, after, settle
from tests.gui.test_phase_edges import drag
from tests.gui.test_pictures import unlike
from workbench.gui.commands.notes import NoteDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

WINDOWS_7 = "windows-7-mcs-and-pvs"


def look_at(window: MainWindow, qtbot: QtBot, **changes: object) -> None:
    window.workspace.apply(**changes)
    settle(window, qtbot)


def without_keyboard(window: MainWindow) -> QImage:
    """The painted window without focus."""
    if (focused := window.focusWidget()) is not None:
        focused.clearFocus()
    return window.grab().toImage()


def test_that_a_day_of_work_is_restored_as_saved(
    store: Store, new_window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = new_window
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))
    # First run: the welcome offers the sample.
    assert window.page.empty.sample.isVisible()
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        qtbot.mouseClick(window.page.empty.sample, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    study = next(one for one in window.workspace.library.studies if one.name == WINDOWS_7)
    look_at(window, qtbot, study=study.folder, page="per-vm-iops", phase="steady")

    # Per-VM: the odd VM is picked on the heatmap and stays highlighted.
    figure = window.page.figure
    assert figure is not None
    heat = next(panel for panel in figure._panels if panel.scales.heatmap is not None)
    rows = heat.scales.heatmap.rows
    worst = int(np.nanargmax(np.nanmean(heat.scales.heatmap.values, axis=1)))
    plot = heat.place.plot
    at = QPointF(plot.center().x(), plot.top() + (worst + 0.5) * plot.height() / len(rows))
    qtbot.mouseClick(figure._canvas.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())
    settle(window, qtbot)
    assert window.workspace.state.lit_vm == rows[worst]

    # The end of steady state is dragged ten minutes earlier.
    panel = figure._panels[0]
    label = window.workspace.library.shown(window.workspace.state)[0].label
    region = next(one for one in panel.scales.panel.regions if one.name == "steady")
    middle = panel.place.plot.center().y()
    start, end = (QPointF(panel.pixel(x, 0).x(), middle) for x in (region.end, region.end - 600))
    drag(figure, start, end, Qt.KeyboardModifier.NoModifier)
    settle(window, qtbot)
    shortened = window.workspace.library.shown(window.workspace.state)[0].phase("steady")[0]
    assert shortened.phase.evidence == "edited"

    # A run is excluded, with a reason.
    other = next(run for run in study.runs if run.name == "mcs-1vm")
    after(window, qtbot, lambda: window.runs.exclude_with([other.folder], "fan broke"))
    assert window.workspace.state.excluded[other.folder] == "fan broke"

    # Compare shows the others relative to the baseline, with the edited phase.
    look_at(window, qtbot, page="compare")
    assert window.page.content is not None
    assert set(window.page.content.figure.panels[0].x.of) >= {label, "PVS 256 MB"}

    # A note is pinned to a moment of the chart.
    look_at(window, qtbot, page="per-vm-iops")
    window.notes.write(label, 1200.0)
    dialog = window.findChild(NoteDialog)
    assert dialog is not None
    dialog.findChild(QPlainTextEdit).setPlainText("W7-003 installs updates")
    dialog.accept()
    settle(window, qtbot)
    assert [note.text for note in window.workspace.state.notes] == ["W7-003 installs updates"]

    # The view is saved and presented, and the workspace is saved.
    window.saved_views.save("The odd one")
    window.presenter.start()
    settle(window, qtbot)
    assert window.presenter.room is not None
    qtbot.keyClick(window.presenter.room, Qt.Key.Key_Escape)
    settle(window, qtbot)
    window.sessions.save_to(tmp_path / "day.vdiwb")
    window.strip.tell("")
    qtbot.wait(200)
    left, seen = window.workspace.state, without_keyboard(window)

    # Next morning, in another window.
    morning = MainWindow(store, State(), Settings(preferences={"decimals": "point"}), remembers=False)
    morning.resize(window.size())
    morning.show()
    with qtbot.waitSignal(morning.importer.opened, timeout=LONG_MS):
        morning.open_paths([tmp_path / "day.vdiwb"])
    settle(morning, qtbot)
    # The file contains the verdicts of the evening with the edits.
    assert morning.workspace.state.verdicts
    assert replace(morning.workspace.state, verdicts=(), method=0) == left
    again = morning.workspace.library.shown(morning.workspace.state)[0].phase("steady")[0]
    assert again == shortened
    morning.resize(window.size())
    settle(morning, qtbot)
    morning.strip.tell("")
    qtbot.wait(200)
    difference, likeness = unlike(without_keyboard(morning), seen)
    assert difference < 2.0
    assert likeness > 0.98
    morning.close()
    morning.deleteLater()
