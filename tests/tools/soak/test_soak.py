"""The reliability of a soak's judgement, and a short soak."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.processes import ROOT
from tests.tools.soak.judge import courses
from tests.tools.soak.watch import Reading, children

ROUNDS = 30
# Memory of nine short rounds (`python -m tests.tools soak --short --rounds 9`). The counts were equal throughout.
MEMORY_MB = {
    19: (170.4, 172.5, 173.9, 174.9, 175.5, 177.0, 177.3, 178.0, 178.5),
    20: (170.4, 172.7, 174.3, 175.6, 176.5, 178.0, 178.6, 179.4, 179.5),
}
# Variation of full rounds around their slope, in MB: the maximum of 22 rounds.
SCATTER_MB, SCATTER_IN_USE_MB = 1.0, 0.3
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is read from Linux' /proc")


def _readings(
    memory_mb: float = 0.0, handles: float = 0.0, widgets: float = 0.0, in_use_mb: float = 0.0, rounds: int = ROUNDS
) -> list[Reading]:
    """Rounds with this much growth each, and the noise of a machine."""
    dice = random.Random(19)
    return [
        Reading(
            number,
            300 + 20 * min(number, 8) + dice.gauss(0, SCATTER_MB) + memory_mb * number,
            12 + dice.randrange(2),
            60 + dice.randrange(3) + round(handles * number),
            2,
            0,
            1 + round(widgets * number),
            40 + dice.gauss(0, SCATTER_IN_USE_MB) + in_use_mb * number,
        )
        for number in range(1, rounds + 1)
    ]


def _growing(readings: list[Reading]) -> list[str]:
    return [course.name for course in courses(readings) if not course.flat]


def test_that_memory_is_constant_after_any_warm_up() -> None:
    assert _growing(_readings()) == []


@pytest.mark.parametrize(("name", "leak"), [("memory_mb", 3.0), ("in_use_mb", 1.0), ("handles", 0.5), ("widgets", 1.0)])
def test_that_a_leak_in_every_round_is_detected(name: str, leak: float) -> None:
    assert _growing(_readings(**{name: leak})) == [name]


@pytest.mark.parametrize("name", ["memory_mb", "in_use_mb"])
@pytest.mark.parametrize("leak", [0.2, 0.45])
def test_that_an_hour_reveals_a_small_leak(name: str, leak: float) -> None:
    assert _growing(_readings(rounds=60, **{name: leak})) == [name]


def test_that_the_tolerance_for_few_rounds_would_hide_a_small_leak() -> None:
    memory = courses(_readings(rounds=60, memory_mb=0.2))[0]
    assert max(memory.growth, memory.last - memory.first) <= memory.allowed
    assert not memory.flat


def test_that_an_hour_of_settling_rounds_counts_as_constant() -> None:
    assert _growing(_readings(rounds=60, memory_mb=0.05, in_use_mb=0.03)) == []


def _nine(seed: int, **more: float) -> list[Reading]:
    """The nine recorded rounds with this much extra growth each."""
    rounds = [Reading(number, memory, 5, 11, 1, 0, 0, 40.0) for number, memory in enumerate(MEMORY_MB[seed], 1)]
    return [
        msgspec.structs.replace(
            reading, **{name: getattr(reading, name) + step * reading.round for name, step in more.items()}
        )
        for reading in rounds
    ]


@pytest.mark.parametrize("seed", MEMORY_MB)
def test_that_nine_real_rounds_count_as_constant(seed: int) -> None:
    assert _growing(_nine(seed)) == []


@pytest.mark.parametrize("seed", MEMORY_MB)
@pytest.mark.parametrize(
    ("name", "leak"),
    [
        ("memory_mb", 3.0),
        ("in_use_mb", 3.0),
        ("handles", 1),
        ("threads", 1),
        ("widgets", 1),
        ("children", 1),
        ("files", 1),
    ],
)
def test_that_one_more_object_per_round_is_detected_in_nine(seed: int, name: str, leak: float) -> None:
    assert _growing(_nine(seed, **{name: leak})) == [name]


def test_that_three_more_megabytes_are_detected_if_nothing_else_grows() -> None:
    flat = [Reading(number, 180.0 + 3.0 * number, 5, 11, 1, 0, 0, 40.0) for number in range(1, 10)]
    assert _growing(flat) == ["memory_mb"]


@pytest.mark.parametrize("outlier", range(9))
def test_that_one_outlier_in_nine_rounds_is_not_growth(outlier: int) -> None:
    readings = _nine(19)
    readings[outlier] = msgspec.structs.replace(readings[outlier], memory_mb=400.0, handles=60, threads=9, children=3)
    assert _growing(readings) == []


def test_that_single_outliers_are_not_growth() -> None:
    readings = _readings()
    readings[-2] = msgspec.structs.replace(readings[-2], memory_mb=2000.0, handles=500)
    assert _growing(readings) == []


def test_that_too_few_rounds_give_no_result() -> None:
    with pytest.raises(ValueError, match="too few"):
        courses(_readings()[:7])


@needs_linux
def test_that_a_thread_that_ends_during_the_count_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    living, gone = children(os.getpid()), Path("/proc/self/task/0")
    tasks = [gone, *Path("/proc/self/task").iterdir()]
    monkeypatch.setattr(Path, "iterdir", lambda _: iter(tasks))
    assert children(os.getpid()) == living


# `python -m tests.tools soak --minutes 60` shows more than these rounds.
@pytest.mark.slow
@needs_linux
def test_that_a_window_in_use_needs_no_more_memory_with_each_round(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.tools.soak", "--short", "--rounds", "9", "--folder", str(tmp_path / "soak")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=3600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "9 rounds, 0 of 7 grow" in ended.stdout
