"""Percentiles against numpy's own, where all values are looked at and where few are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.sizing.measured import iops_percentile
from workbench.measures.percentile import over_time, percentile
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity

SHARES = (0.0, 1.0, 50.0, 95.0, 99.9, 100.0)


@pytest.mark.parametrize("share", SHARES)
@given(values=arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 1e6)))
def test_that_percentiles_are_those_of_numpy(values: np.ndarray, share: float) -> None:
    assert percentile(values, share) == pytest.approx(float(np.percentile(values, share)), rel=1e-12)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", ["exponential", "sorted", "equal", "misleading"])
def test_that_looking_only_near_the_percentile_changes_nothing(kind: str, share: float) -> None:
    values = np.random.default_rng(7).exponential(30.0, 50_000)
    if kind == "sorted":
        values.sort()
    elif kind == "equal":
        values[:] = 4.0
    elif kind == "misleading":
        # The few that the limit is taken from are far above all others.
        values[::64] = 1e6
    assert percentile(values, share) == pytest.approx(float(np.percentile(values, share)), rel=1e-12)


def test_that_nothing_has_no_percentile() -> None:
    assert percentile(np.empty(0), 95) is None


FAST, SLOW = T0 + 5.0 * np.arange(0, 181), T0 + 60.0 * np.arange(0, 16)
STEADY = phase("steady", 0, 900)


def test_that_a_sample_of_a_minute_counts_as_twelve_of_five_seconds(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    fast, slow = rng.uniform(0, 100, FAST.size), rng.uniform(100, 300, SLOW.size)
    files = (
        recording(tmp_path, "a.csv", FAST, [(counter("A", Quantity.IOPS), fast)]),
        recording(tmp_path, "b.csv", SLOW, [(counter("B", Quantity.IOPS), slow)]),
    )
    figures = run_figures(run(*files, stated_phases=(STEADY,)))
    every_five_seconds = np.concatenate([fast[1:], np.repeat(slow[1:], 12)])
    for percent in (30.0, 50.0, 60.0, 95.0):
        assert iops_percentile(figures, "steady", percent) == pytest.approx(np.percentile(every_five_seconds, percent))


def test_that_the_latency_of_a_minute_counts_as_twelve_of_five_seconds(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    fast, slow = rng.uniform(0.001, 0.002, FAST.size), rng.uniform(0.008, 0.009, SLOW.size)
    files = tuple(
        recording(
            tmp_path,
            f"{vm}.csv",
            times,
            [
                (counter(vm, Quantity.READ_IOPS), np.full(times.size, 9.0)),
                (counter(vm, Quantity.READ_LATENCY), seconds),
            ],
        )
        for vm, times, seconds in (("A", FAST, fast), ("B", SLOW, slow))
    )
    row = run_figures(run(*files, stated_phases=(STEADY,))).phase("steady")
    assert row is not None
    every_five_seconds = np.concatenate([fast[1:], np.repeat(slow[1:], 12)])
    assert row.read_latency_p95_ms == pytest.approx(1e3 * np.percentile(every_five_seconds, 95))


def test_that_intervals_that_are_nearly_alike_count_once_each() -> None:
    values, spans = np.arange(100.0), np.random.default_rng(3).uniform(4.6, 5.6, 100)
    (kept,) = over_time([values], [spans])
    assert kept is values
