"""`vdi-workbench` with a simulated user: excludes a run, does the action of the first argument, prints `ready`, and
goes on.

`python -m tests.gui.driven_window WHAT FOLDER [OTHER]`; OTHER is added to the first folder and is read slowly.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer

from tests.gui.slow_reading import slow
from workbench.gui.services import importer
from workbench.gui.shell import app, start

_LOOK_MS = 20


class DrivenWindow(app.MainWindow):
    """The window, which checks regularly whether the next step is due."""

    def __init__(self, *told: object, **more: object) -> None:
        super().__init__(*told, **more)  # type: ignore[arg-type]
        self._steps = [self._left_out, *_STEPS[sys.argv[1]], _said]
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._look)
        self._clock.start(_LOOK_MS)
        self.files_done = 0
        self.importer.progressed.connect(self._count)

    def _count(self, progress: importer.Progress) -> None:
        self.files_done = progress.files_done

    def _look(self) -> None:
        if self._steps and self._steps[0](self):
            self._steps.pop(0)

    @staticmethod
    def _left_out(window: DrivenWindow) -> bool:
        if window.busy or not window.workspace.library.figures or window.importer.running:
            return False
        if "untouched" not in sys.argv[1]:
            window.runs.exclude_with([next(iter(window.workspace.library.figures))], "fan broke")
        return True


def _said(_: DrivenWindow) -> bool:
    print("ready", flush=True)
    return True


def _closes(window: DrivenWindow) -> bool:
    window.close()
    return window.guard.question is not None


def _asks_for_a_folder(window: DrivenWindow) -> bool:
    QTimer.singleShot(0, window.choose_folder)
    return True


def _waits_in_the_dialog(window: DrivenWindow) -> bool:
    return window.application.activeModalWidget() is not None


def _adds(window: DrivenWindow) -> bool:
    class Slow(importer.ImportJob):
        def __init__(self, *told: object, **more: object) -> None:
            super().__init__(*told, workers=2, read=slow, **more)  # type: ignore[arg-type]

    importer.ImportJob = Slow  # type: ignore[misc]
    window.files_done = 0
    window.folders.add([Path(sys.argv[3])])
    return window.importer.running


def _has_read_one(window: DrivenWindow) -> bool:
    return window.files_done >= 3


def _exports(window: DrivenWindow) -> bool:
    window.export_to(Path(sys.argv[3]))
    return window.exports.running


_STEPS = {
    "idle": (),
    "untouched": (),
    "question": (_closes,),
    "dialog": (_asks_for_a_folder, _waits_in_the_dialog),
    "import": (_adds, _has_read_one),
    "export": (_exports,),
}


if __name__ == "__main__":
    app.MainWindow = DrivenWindow  # type: ignore[misc]
    sys.exit(start.main([sys.argv[2]]))
