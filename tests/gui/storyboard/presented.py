"""Presents the sample on the screens of its platform and prints the positions of slides and notes after each step.

`python -m tests.gui.storyboard.presented STORE`, with QT_QPA_PLATFORM naming a configuration of two screens.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from workbench.answers.storyboard.compute import shown_story
from workbench.gui.services.theme import apply_theme
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[3] / "sample_data" / "vdi-login-storm"


def settle(window: MainWindow) -> None:
    quiet = 0
    while quiet < 5:
        QTest.qWait(20)
        quiet = 0 if window.busy or window.importer.running else quiet + 1


def place(widget: QWidget) -> list[Any]:
    area = widget.geometry()
    return [widget.screen().name(), area.x(), area.y(), area.width(), area.height()]


def state_of(window: MainWindow) -> dict[str, Any]:
    room, speaker = window.presenter.room, window.presenter.speaker
    words: dict[str, Any] = {"on": window.presenter.on, "place": window.presenter.place}
    if room is not None:
        words |= {"slides": place(room), "title": room.slide.title if room.slide else ""}
    if speaker is not None:
        words |= {"notes": place(speaker), "number": speaker.number.text(), "said": speaker.notes.toPlainText()}
        words |= {"clock": speaker.clock.text(), "next": speaker.next_title.text()}
        words |= {"drawn": speaker.next_slide.pixmap().width()}
    return words


def main(store: Path) -> None:
    application = QApplication(sys.argv[:1])
    apply_theme(application, "light")
    window = MainWindow(Store(store), State(), Settings(), remembers=False)
    window.resize(1000, 700)
    window.show()
    window.open_paths([SAMPLE])
    settle(window)
    steps: dict[str, dict[str, Any]] = {}

    def step(name: str, key: Qt.Key | None = None) -> None:
        if key is not None:
            QTest.keyClick(window.presenter.speaker or window.presenter.room, key)
        settle(window)
        steps[name] = state_of(window)

    # A storyboard of the user: an unchanged copy of the default one.
    made = shown_story(window.workspace.library, window.workspace.state).storyboard
    window.workspace.apply(storyboard=made)
    settle(window)
    window.presenter.start()
    step("start")
    step("next", Qt.Key.Key_Right)
    step("swapped", Qt.Key.Key_S)
    step("swapped back", Qt.Key.Key_S)
    both, own = window.presenter.screens, window.screen()
    window.presenter.screens = lambda: [own]
    application.screenRemoved.emit(own)
    step("gone")
    step("next alone", Qt.Key.Key_Right)
    window.presenter.screens = both
    application.screenAdded.emit(own)
    step("there again")
    step("last", Qt.Key.Key_End)
    step("ended", Qt.Key.Key_Escape)
    print(json.dumps(steps))
    window.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
