"""The application: the window on a display, or one page drawn into a picture."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from workbench.gui.main_window import MainWindow
from workbench.gui.theme import apply_theme
from workbench.model.phase import STEADY
from workbench.session.settings import load_settings
from workbench.session.state import State
from workbench.study.column_store import default_store

OK, FAILED = 0, 1


def run(options: argparse.Namespace) -> int:
    """Runs the program as the command line says."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    settings = load_settings()
    dark = options.dark or (settings.theme == "dark" and options.screenshot is None)
    state = State(page=options.page, theme="dark" if dark else "light", phase=options.phase or STEADY)
    apply_theme(application, state.theme)
    window = MainWindow(default_store(), state, settings)
    window.resize(*options.size)
    window.show()
    if options.paths:
        window.open_paths(options.paths)
    if options.screenshot is None:
        return application.exec()
    return _screenshot(application, window, options.screenshot, options.study)


def _screenshot(application: QApplication, window: MainWindow, file: Path, study: str | None) -> int:
    """Waits until everything is read and drawn, then grabs the window."""

    def grab() -> None:
        if not window.busy:
            application.quit()

    if study is not None:
        window.workspace.library_changed.connect(lambda: _look_at(window, study))
    window.settled.connect(lambda: QTimer.singleShot(200, grab))
    if not window.busy:
        QTimer.singleShot(200, grab)
    application.exec()
    written = window.grab().save(str(file))
    window.close()
    if not written:
        print(f"The picture {file} could not be written; check its folder and ending.", file=sys.stderr)
    return OK if written else FAILED


def _look_at(window: MainWindow, name: str) -> None:
    folder = next((study.folder for study in window.workspace.library.with_runs if study.name == name), None)
    if folder is not None:
        window.workspace.apply(study=folder)
