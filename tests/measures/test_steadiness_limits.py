"""How steady a phase is, compared with scipy and at the limits of its rules."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, FloatArray, counter, phase, recording, run
from workbench.measures.phase_table import run_figures
from workbench.measures.steadiness import Shift, Steadiness, marked_words, of_means, steady_problems
from workbench.model.metric import Quantity
from workbench.model.problem import Severity

NOISE = np.array([0.3, -0.5, 0.4, 0.1, -0.4, 0.2, 0.5, -0.3, -0.2, 0.1, -0.1, 0.2])


def levels(before: float, after: float, cut: int) -> FloatArray:
    """Twelve batch means with a step between two of them."""
    return np.where(np.arange(12) < cut, before, after) + NOISE


def by_scipy(x: FloatArray, means: FloatArray) -> tuple[float, float, float, float, float]:
    """Percent, interval, p-value and autocorrelation of a regression of the means, as the module documents them."""
    line = stats.linregress(x, means)
    rest = means - line.intercept - line.slope * x
    seen = (rest[1:] * rest[:-1]).sum() / (rest**2).sum()
    alike = min(max(seen + (2 + 4 * seen) / means.size, 0), 0.9)
    wider = (1 + alike) / (1 - alike)
    freedom = max(means.size / wider - 2, 1)
    error = line.stderr * math.sqrt(wider)
    reach = stats.t.ppf(0.995, freedom) * error
    scale = 100 / means.mean()
    p = 2 * stats.t.sf(abs(line.slope) / error, freedom)
    return scale * line.slope, scale * (line.slope - reach), scale * (line.slope + reach), p, alike


@pytest.mark.parametrize("seed", range(8))
def test_that_drift_and_interval_and_p_value_equal_those_of_a_regression(seed: int) -> None:
    random = np.random.default_rng(seed)
    noise = random.standard_normal(15)
    for place in range(1, noise.size):
        noise[place] += 0.2 * seed * noise[place - 1]
    means = 50 + noise + 0.2 * np.arange(15)
    found = of_means(means, 100.0, 850.0)
    expected = by_scipy(np.arange(15) / 15, means)
    assert (*found.drift, found.autocorrelation) == pytest.approx(expected, rel=1e-6)
    assert (found.batches, found.batch_s) == (15, 50)
    assert (found.mean, found.lowest, found.highest) == pytest.approx((means.mean(), means.min(), means.max()))


@pytest.mark.parametrize("cut", [2, 4, 5, 8, 11])
def test_that_a_step_in_the_first_third_is_a_warm_up(cut: int) -> None:
    means = levels(20, 10, cut)
    found = of_means(means, 0.0, 1200.0)
    assert found.step is not None
    percent, low, high, p, _ = by_scipy((np.arange(12) >= cut).astype(np.float64), means)
    assert tuple(found.step) == pytest.approx((percent, low, high, 12 * p), rel=1e-6)
    assert (found.step_at, found.cause, found.unexplained) == (100 * cut, "step", True)
    assert found.shift is found.step
    if cut <= 4:
        share = 100 * (means[:cut].mean() / means[cut:].mean() - 1)
        assert (found.warm_up_s, found.warm_up_percent) == pytest.approx((100 * cut, share))
    else:
        assert (found.warm_up_s, found.warm_up_percent) == (0, 0)


@pytest.mark.parametrize(
    ("overflow", "named"),
    [(600.0, True), (649.0, True), (0.0, False), (1200.0, False), (1300.0, False), (100.0, False)],
)
def test_that_a_step_is_an_overflow_only_if_one_is_in_the_phase(overflow: float, named: bool) -> None:
    found = of_means(levels(20, 10, 6), 0.0, 1200.0, overflow)
    assert (found.overflow, found.cause) == ((True, "overflow") if named else (False, "step"))
    assert found.step_at == (overflow if named else 600)
    assert found.unexplained is not named


@pytest.mark.parametrize(("overflow", "cut", "named"), [(200.0, 2, True), (1000.0, 10, True), (1100.0, 11, False)])
def test_that_an_overflow_needs_two_batches_on_both_sides(overflow: float, cut: int, named: bool) -> None:
    assert of_means(levels(20, 10, cut), 0.0, 1200.0, overflow).overflow is named


@pytest.mark.parametrize(
    ("percent", "p", "counts"),
    [(10.0, 0.0, False), (10.01, 0.0099, True), (-10.01, 0.0099, True), (-10.0, 0.0, False), (50.0, 0.0101, False)],
)
def test_that_a_shift_counts_above_ten_percent_and_below_p_of_one_percent(
    percent: float, p: float, counts: bool
) -> None:
    assert Shift(percent, 0, 0, p).counts is counts


def test_that_levels_without_variation_are_judged_unchanged() -> None:
    flat = of_means(np.full(12, 7.0), 0.0, 1200.0)
    assert flat.drift == pytest.approx((0, 0, 0, 1), abs=1e-9)
    assert flat.cause is None
    line = of_means(10 + np.arange(12.0), 0.0, 1200.0)
    assert line.drift == pytest.approx((100 * 12 / 15.5,) * 3 + (0.0,))
    assert line.cause == "drift"
    step = of_means(np.repeat((10.0, 20.0), 6), 0.0, 1200.0)
    assert (step.cause, step.step_at) == ("step", 600)
    assert step.shift.percent == pytest.approx(100 * 10 / 15)


def test_that_work_that_ends_is_a_step_and_not_a_warm_up() -> None:
    found = of_means(np.repeat((10.0, 0.0), (3, 9)), 0.0, 1200.0)
    assert (found.cause, found.step_at, found.warm_up_s) == ("step", 300, 0)


def measured(folder: Path, *machines: tuple[float, FloatArray], length: float) -> Steadiness | None:
    """The steadiness of a phase from T0 on; each machine has its step in seconds and its rates."""
    files = [
        recording(
            folder, f"{n}.csv", T0 + step * np.arange(1, rate.size + 1), [(counter(f"VM{n}", Quantity.IOPS), rate)]
        )
        for n, (step, rate) in enumerate(machines)
    ]
    (row,) = run_figures(run(*files, stated_phases=(phase("steady", 0, length),))).phases
    return row.steadiness


@pytest.mark.parametrize(("count", "batches"), [(15, None), (16, 8), (17, 8), (30, 15), (39, 19), (40, 20), (90, 20)])
def test_that_each_batch_has_two_samples_and_there_are_eight_to_twenty_batches(
    tmp_path: Path, count: int, batches: int | None
) -> None:
    found = measured(tmp_path, (15.0, 5 + np.arange(count) % 3), length=15.0 * count)
    assert (None if found is None else found.batches) == batches
    if found is not None:
        assert found.batch_s == pytest.approx(15 * count / found.batches)


def test_that_the_slowest_machine_decides_and_all_have_equal_weight(tmp_path: Path) -> None:
    found = measured(tmp_path, (10.0, np.full(60, 8.0)), (30.0, np.full(20, 2.0)), length=600.0)
    assert found is not None
    assert (found.batches, found.mean) == (10, pytest.approx(5))
    assert measured(tmp_path, (15.0, np.zeros(40)), length=600.0) is None


def test_that_an_overflow_is_reported_as_a_note_and_a_drift_as_a_warning(snapshot: SnapshotAssertion) -> None:
    stretch = phase("steady", 0, 1200)
    step = of_means(levels(20, 10, 6), T0, T0 + 1200, T0 + 600)
    (note,) = steady_problems(run(), stretch, step)
    assert (note.severity, note.code) == (Severity.INFO, "step-at-overflow")
    assert note.message == snapshot
    rise = of_means(10 + np.arange(12) + NOISE, T0, T0 + 1200)
    (warning,) = steady_problems(run(), stretch, rise)
    assert (warning.severity, warning.code) == (Severity.WARNING, "not-steady")
    assert warning.message == snapshot
    assert "2016-05-10 08:00:00 and 08:20:00 (UTC)" in warning.message
    assert ("step" in marked_words(step), "drift" in marked_words(rise)) == (True, True)
    calm = replace(rise, drift=Shift(1, 0, 2, 0.5))
    assert (steady_problems(run(), stretch, calm), steady_problems(run(), stretch, None), marked_words(calm)) == (
        [],
        [],
        "",
    )
