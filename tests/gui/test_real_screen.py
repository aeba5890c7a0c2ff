"""A real window on a real (virtual) screen: a window system can fail although the offscreen platform works."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

ROOT = Path(__file__).parents[2]
_PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.services.theme import apply_theme
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import default_store

if __name__ == "__main__":
    application = QApplication(sys.argv[:1])
    apply_theme(application, "light")
    window = MainWindow(default_store(), State(), Settings(), remembers=False)
    window.show()
    window.try_sample()

    def look():
        if window.busy or not window.workspace.library.studies:
            return
        timer.stop()
        window.screen().grabWindow(window.winId()).save(sys.argv[1])
        print(application.platformName(), window.page.content.question, flush=True)
        window.close()
        application.quit()

    timer = QTimer(interval=100)
    timer.timeout.connect(look)
    timer.start()
    sys.exit(application.exec())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")
@pytest.mark.skipif(
    shutil.which("xvfb-run") is None or shutil.which("xauth") is None, reason="xvfb-run is not installed here"
)
def test_that_the_window_opens_on_a_screen_shows_the_sample_and_closes(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    program, picture = tmp_path / "window.py", tmp_path / "screen.png"
    program.write_text(_PROGRAM)
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "xcb",
        "VDI_WORKBENCH_STORE": str(tmp_path / "store"),
        "VDI_WORKBENCH_SETTINGS": str(tmp_path / "settings.json"),
        "PYTHONPATH": str(ROOT),
    }
    screen = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1600x900x24"]
    done = subprocess.run(
        [*screen, sys.executable, str(program), str(picture)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == snapshot
    assert picture.stat().st_size > 20_000, "the screen is empty"
