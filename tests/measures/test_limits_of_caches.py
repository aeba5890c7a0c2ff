"""Cache figures at the edges: a run without phases, an overflow at a phase's edge, filling and levelling off computed
by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, FloatArray, counter, phase, recording, run
from workbench.answers.findings.compute import Finding, Strength, beyond, effect_size, strength_of_rise
from workbench.measures.caches.gauges import MB, GaugeReadings, fill, full_at, level, plateau_at, stretches
from workbench.measures.caches.use import RunCache, run_cache
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.statistics import Change
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

MCSIO = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)


def readings(*mb: float, step: float = 10.0) -> GaugeReadings:
    return GaugeReadings(T0 + step * np.arange(1, len(mb) + 1), np.array(mb))


def figures(folder: Path, disk: FloatArray, *phases: tuple[str, float, float]) -> RunFigures:
    """One VM with this cache disk use in MB, a value every 10 s; the phases are in seconds since T0."""
    times = T0 + 10.0 * np.arange(1, disk.size + 1)
    columns = [
        (counter("A", Quantity.CACHE_RAM_USED), np.full(disk.size, 100.0 * MB)),
        (counter("A", Quantity.CACHE_DISK_USED), disk * MB),
    ]
    stated = tuple(phase(*each) for each in phases)
    return run_figures(run(recording(folder, "a.csv", times, columns), configuration=MCSIO, stated_phases=stated))


def cached(folder: Path, disk: FloatArray, *phases: tuple[str, float, float]) -> RunCache:
    return run_cache(figures(folder, disk, *phases))


def test_that_time_starts_at_the_first_phase_or_else_the_first_sample(tmp_path: Path) -> None:
    disk = np.concatenate((np.zeros(10), np.arange(2.0, 22.0)))
    stated = cached(tmp_path / "a", disk, ("steady", 40, 200), ("boot", 20, 30))
    assert (stated.zero, stated.end) == (T0 + 20, T0 + 200)
    assert stated.since_zero(stated.overflow_start) == 90
    late = recording(tmp_path / "c", "b.csv", [T0 + 500, T0 + 510], [(counter("B", Quantity.CACHE_RAM_USED), [MB, MB])])
    alone = figures(tmp_path / "b", disk).run
    without = run_cache(run_figures(replace(alone, recordings=(*alone.recordings, late))))
    assert (without.zero, without.end) == (T0 + 10, None)
    assert without.since_zero(without.overflow_start) == 100
    assert without.since_zero(None) is None


def test_that_an_overflow_belongs_to_the_phase_that_starts_at_that_moment(tmp_path: Path) -> None:
    disk = np.concatenate((np.zeros(10), np.arange(2.0, 22.0)))
    found = figures(tmp_path, disk, ("boot", 0, 110), ("steady", 110, 300))
    boot, steady = found.phases
    assert (boot.overflow_start, steady.overflow_start) == (None, T0 + 110)


@pytest.mark.parametrize(
    ("mb", "parts"),
    [
        # Emptied: at least 8 MB above the lowest, and later less than a fifth of that.
        ([0, 8, 1.5, 5], [2, 2]),
        ([0, 8, 1.6, 5], [4]),
        ([0, 7.9, 0, 5], [4]),
        ([10, 18, 11.5, 20], [2, 2]),
        ([0, 50, 0, 60, 1], [2, 2, 1]),
        ([5], [1]),
    ],
)
def test_that_a_gauge_counts_as_emptied_below_a_fifth_of_at_least_eight_megabytes(
    mb: list[float], parts: list[int]
) -> None:
    assert [len(part) for part in stretches(readings(*mb))] == parts
    assert stretches(readings()) == ()


def test_that_the_fill_time_is_from_5_to_95_percent() -> None:
    found = fill(readings(10, 10, 30, 50, 70, 90, 110, 110))
    assert found is not None
    # 15 MB are passed a quarter of the way from 20 to 30 s, 105 MB three quarters from 60 to 70 s.
    assert (found.start - T0, found.end - T0) == pytest.approx((22.5, 67.5))
    assert found.rate_mb_per_min == pytest.approx(60 * 90 / 45)
    assert found.span == (1, 6)
    to_full = fill(readings(10, 10, 30, 50, 70, 90, 110, 110), 50.0)
    assert to_full is not None
    assert (to_full.start - T0, to_full.end - T0) == pytest.approx((21, 39))
    assert to_full.span == (1, 3)


@pytest.mark.parametrize(("mb", "fills"), [([5, 6], True), ([5, 5.99], False), ([5], False), ([9, 5, 6], False)])
def test_that_a_gauge_counts_as_filling_from_one_megabyte_of_growth(mb: list[float], fills: bool) -> None:
    assert (fill(readings(*mb)) is not None) is fills


def test_that_a_cache_is_full_at_the_first_sample_with_its_size() -> None:
    assert full_at(readings(1, 4, 5, 5, 6), 5.0) == 2
    assert full_at(readings(1, 4), 5.0) is None


def test_that_a_gauge_levels_off_when_a_window_grows_by_a_tenth_of_the_steepest() -> None:
    # 100 readings over 990 s: the window is 99 s. 2 MB in 10 s to 300 s, then 0.1.
    mb = np.concatenate((2.0 * np.arange(30), 58 + 0.1 * np.arange(1, 71)))
    found = level(readings(*mb))
    assert found is not None
    at = 10.0 * np.arange(1, 101)
    grown = {t: np.interp(t, at, mb) - np.interp(t - 99, at, mb) for t in at if t >= 10 + 99}
    last = max(t for t, growth in grown.items() if growth > 0.1 * max(grown.values()))
    assert (found.at, found.mb) == (T0 + last + 10, pytest.approx(np.interp(last + 10, at, mb)))
    assert found.steepest_mb_per_min == pytest.approx(max(grown.values()) * 60 / 99)
    assert found.end_rate_mb_per_min == pytest.approx(0.6)
    assert found.span == (int(last / 10), int(last / 10))
    assert level(readings(*(mb / 58 / 20))) is None
    assert level(readings(0, 50)) is None


@pytest.mark.parametrize(
    ("mb", "at"),
    [
        ([1, 5, 99, 100, 100, 99, 99], 30),
        ([1, 5, 98.9, 100, 100, 99, 99], 40),
        ([1, 5, 99, 100, 100, 98.9, 99], None),
        ([1, 99, 50, 50, 100, 100, 100], 20),
        ([100, 100, 100, 100, 100], None),
        ([100, 100, 100, 100, 100, 100], 10),
    ],
)
def test_that_a_pool_is_level_within_a_hundredth_for_a_third_of_the_time(mb: list[float], at: float | None) -> None:
    assert plateau_at(readings(*mb)) == (None if at is None else T0 + at)


@pytest.mark.parametrize(
    ("low", "high", "margin", "expected"),
    [
        (0.8, 0.94, 0.05, True),
        (0.8, 0.95, 0.05, False),
        (1.06, 1.2, 0.05, True),
        (1.05, 1.2, 0.05, False),
        (0.9, 1.2, 0.05, False),
        (None, None, 0.05, False),
    ],
)
def test_that_a_change_is_strong_only_if_its_whole_interval_exceeds_the_margin(
    low: float | None, high: float | None, margin: float, expected: bool
) -> None:
    assert beyond(Change(1.0, 0.0, low, high, "interval", 3, 3), margin) is expected


@pytest.mark.parametrize(
    ("strength", "relevance"),
    [(Strength.STRONG, 0.25), (Strength.INDICATIVE, 0.15), (Strength.SINGLE, 0.1), (Strength.INCONCLUSIVE, 0.025)],
)
def test_that_relevance_is_size_times_weight_times_strength(strength: Strength, relevance: float) -> None:
    finding = Finding("key", "text", "kind", strength, size=0.5, weight=0.5)
    assert finding.relevance == pytest.approx(relevance)
    assert not finding.own
    assert not finding.edited


def test_that_the_strength_of_a_rise_from_zero_depends_on_the_number_of_runs() -> None:
    assert strength_of_rise([1.0], [0.0]) is Strength.SINGLE
    assert strength_of_rise([1.0, 2.0], [0.0, 0.0]) is Strength.RANGE
    assert strength_of_rise([1.0, 2.0, 3.0], [0.0] * 3) is Strength.INDICATIVE
    assert strength_of_rise([1.0, 0.0, 3.0], [0.0] * 3) is Strength.INCONCLUSIVE
    assert strength_of_rise([1.0, 2.0, 3.0], [0.0, 0.1, 0.0]) is Strength.INCONCLUSIVE
    assert strength_of_rise([1.0, 0.0], [0.0] * 3) is Strength.INCONCLUSIVE
    assert effect_size(0.0) == effect_size(-1.0) == 1.0
