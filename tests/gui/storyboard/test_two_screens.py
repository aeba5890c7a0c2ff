"""Slides on one screen, notes and the next slide on the other: with two screens of Qt's platform without a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.samples import shared_store

ROOT = Path(__file__).parents[3]
OWN, OTHER = ["one", 0, 0, 1366, 768], ["two", 1366, 0, 1920, 1080]
Steps = dict[str, dict[str, Any]]


def screen(name: str, x: int, y: int, width: int, height: int) -> dict[str, Any]:
    dots = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    return {"name": name, "x": x, "y": y, "width": width, "height": height, **dots}


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    """The screens of slides and notes after each step of a presentation."""
    folder = tmp_path_factory.mktemp("screens")
    screens = folder / "screens.json"
    screens.write_text(json.dumps({"screens": [screen(*OWN), screen(*OTHER)]}))
    environment = {
        **os.environ,
        # Qt splits at colons, and a path with a drive has one, so the file name is relative to its folder.
        "QT_QPA_PLATFORM": f"offscreen:configfile={screens.name}",
        "VDI_WORKBENCH_SETTINGS": str(folder / "settings.json"),
        "VDI_WORKBENCH_JOURNALS": str(folder / "journals"),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "tests.gui.storyboard.presented", str(shared_store())]
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stderr
    answered: Steps = json.loads(done.stdout.splitlines()[-1])
    return answered


def test_that_slides_fill_the_second_screen_and_notes_the_screen_of_the_window(steps: Steps) -> None:
    assert (steps["start"]["slides"], steps["start"]["notes"]) == (OTHER, OWN)


def test_that_notes_number_clock_and_the_next_slide_follow_the_slides(
    steps: Steps, snapshot: SnapshotAssertion
) -> None:
    assert (steps["start"]["number"], steps["next"]["number"]) == ("1 / 5", "2 / 5")
    assert steps["next"]["title"] != steps["start"]["title"]
    assert steps["next"]["said"] != steps["start"]["said"]
    assert ":" in steps["start"]["clock"]
    assert steps["start"]["drawn"] > 400
    assert (steps["start"]["next"], steps["last"]["next"]) == snapshot


def test_that_the_key_s_swaps_the_screens_and_swaps_them_back(steps: Steps) -> None:
    assert (steps["swapped"]["slides"], steps["swapped"]["notes"]) == (OWN, OTHER)
    assert (steps["swapped back"]["slides"], steps["swapped back"]["notes"]) == (OTHER, OWN)


def test_that_slides_continue_if_the_second_screen_is_disconnected(steps: Steps) -> None:
    assert steps["gone"]["slides"] == OWN
    assert "notes" not in steps["gone"]
    assert steps["gone"]["title"] == steps["next"]["title"]
    assert steps["next alone"]["place"] == 2


def test_that_a_new_screen_shows_the_slides_and_notes_return(steps: Steps) -> None:
    again = steps["there again"]
    assert (again["slides"], again["notes"], again["number"]) == (OTHER, OWN, "3 / 5")


def test_that_esc_on_the_notes_ends_slides_and_notes(steps: Steps) -> None:
    assert steps["ended"] == {"on": False, "place": steps["last"]["place"]}
