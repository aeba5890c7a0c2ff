"""The window at 100 %, 150 % and 200 %, and from 1280 x 720 to 3840 x 2160, each in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.gui.conftest import LONG_MS, SAMPLE, SWEEP

# Every large number on the cards of these pages, and those that are smaller than 60 % of the font size or cut.
_LARGE = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench.gui.widgets.labels import FittedLabel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.services.theme import apply_theme
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import default_store

application = QApplication([])
apply_theme(application, "light")
window = MainWindow(default_store(), State(), Settings(), remembers=False)
window.resize(1280, 720)
window.show()
window.open_paths([Path(sys.argv[1])])
pages = ["overview", "per-vm-iops", "cache", "compare", "sizing", "cache:sweep"]
seen = 0

def look():
    global seen
    if window.busy:
        return
    for label in window.page.make_whole().cards.findChildren(FittedLabel):
        if label.isVisible() and label.property("role") == "big":
            seen += 1
            if label.fitted()[1] <= 0.6 or label.fitted()[0] not in (label.full, label.short):
                print("cut:", window.page.spec.key, label.full)
    if pages:
        page, _, view = pages.pop(0).partition(":")
        state = window.workspace.state.with_page_view(page, view)
        window.workspace.apply(page=page, page_views=state.page_views)
    else:
        print("seen", seen)
        window.close()
        application.quit()

timer = QTimer()
timer.timeout.connect(look)
timer.start(20)
application.exec()
"""


def _run(arguments: list[str], folder: Path, factor: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "QT_SCALE_FACTOR": factor,
        "QT_QPA_PLATFORM": "offscreen",
        "VDI_WORKBENCH_SETTINGS": str(folder / "settings.json"),
    }
    return subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=2 * LONG_MS / 1000
    )


@pytest.mark.parametrize(
    ("factor", "size", "pixels"),
    [
        ("1.5", "1280x720", (1920, 1080)),
        pytest.param("2", "1920x1080", (3840, 2160), marks=pytest.mark.slow),
        pytest.param("1", "3840x2160", (3840, 2160), marks=pytest.mark.slow),
    ],
)
def test_that_an_image_has_the_requested_pixels_and_content_in_every_region(
    tmp_path: Path, factor: str, size: str, pixels: tuple[int, int]
) -> None:
    picture = tmp_path / "page.png"
    study = SAMPLE / "windows-7-mcs-and-pvs"
    command = ["-m", "workbench.gui.shell.start", str(study), "--page", "per-vm-iops", "--screenshot", str(picture)]
    done = _run([*command, "--size", size], tmp_path, factor)
    assert done.returncode == 0, done.stderr
    image = QImage(str(picture))
    assert (image.width(), image.height()) == pixels
    # Header, cards and charts fill the picture: no quarter of it has a single colour.
    for left in (0, 1):
        for top in (0, 1):
            assert len(_colours(image, left, top)) > 5


def _colours(image: QImage, left: int, top: int) -> set[int]:
    wide, high = image.width() // 2, image.height() // 2
    return {
        image.pixel(left * wide + x, top * high + y)
        for x in range(0, wide, max(1, wide // 150))
        for y in range(0, high, max(1, high // 150))
    }


@pytest.mark.parametrize("factor", ["2", *(pytest.param(factor, marks=pytest.mark.slow) for factor in ("1", "1.5"))])
def test_that_no_large_number_is_cut_in_the_smallest_window(tmp_path: Path, factor: str) -> None:
    done = _run(["-c", _LARGE, str(SWEEP)], tmp_path, factor)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[:-1] == []
    assert int(said[-1].split()[1]) >= 18
