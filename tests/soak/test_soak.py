"""A short soak in every run of the tests, and what its judgement is worth."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.processes import ROOT
from tests.soak.judge import courses
from tests.soak.watch import Reading

ROUNDS = 30


def _readings(memory_mb: float = 0.0, handles: float = 0.0, widgets: float = 0.0) -> list[Reading]:
    """Rounds that hold so much more each time, among the noise of a machine."""
    dice = random.Random(19)
    return [
        Reading(
            number,
            300 + 20 * min(number, 8) + dice.gauss(0, 3) + memory_mb * number,
            12 + dice.randrange(2),
            60 + dice.randrange(3) + round(handles * number),
            2,
            0,
            1 + round(widgets * number),
        )
        for number in range(1, ROUNDS + 1)
    ]


def _growing(readings: list[Reading]) -> list[str]:
    return [course.name for course in courses(readings) if not course.flat]


def test_that_what_is_held_is_flat_after_the_warm_up_however_much_that_takes() -> None:
    assert _growing(_readings()) == []


@pytest.mark.parametrize(("name", "each"), [("memory_mb", 3.0), ("handles", 0.5), ("widgets", 1.0)])
def test_that_a_leak_of_every_round_is_seen(name: str, each: float) -> None:
    assert _growing(_readings(**{name: each})) == [name]


def test_that_single_outliers_are_no_growth() -> None:
    readings = _readings()
    readings[-2] = msgspec.structs.replace(readings[-2], memory_mb=2000.0, handles=500)
    assert _growing(readings) == []


def test_that_too_few_rounds_say_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        courses(_readings()[:7])


@pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is read from Linux' /proc")
def test_that_a_window_in_use_holds_no_more_with_every_round(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.soak", "--short", "--rounds", "9", "--folder", str(tmp_path / "soak")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=3600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "9 rounds, 0 of 6 grow" in ended.stdout
