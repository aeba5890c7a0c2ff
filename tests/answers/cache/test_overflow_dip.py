"""The dip at the overflow, from the published test: 68,938 IOPS that fell to 31,405 and came back gradually."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import T0, counter, phase, recording, run, samples
from workbench.answers.cache.compute import run_dips
from workbench.answers.cache.overflow_dip import Dip, NoDip, overflow_dip
from workbench.answers.cache.sentences import dip_words
from workbench.measures.caches.use import run_cache
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning
from workbench.study.series.vm_series import Samples

STEP, OVERFLOW = 5.0, 900.0
AT = STEP * np.arange(1, 361)
TROUGH, STEADY = 31_405.0, 70_000.0


def published(seed: int = 1, trough: float = TROUGH) -> npt.NDArray[np.float64]:
    """Half an hour of Iometer: steady within 1 %, a fall at 900 s, and a linear recovery over two minutes."""
    rng = np.random.default_rng(seed)
    rate = STEADY * (1 + 0.01 * rng.standard_normal(AT.size))
    dip = (AT > OVERFLOW) & (AT <= OVERFLOW + 120)
    rate[dip] = trough + (STEADY - trough) * (AT[dip] - OVERFLOW - STEP) / 120
    return rate


def rated(rate: npt.ArrayLike) -> Samples:
    return samples(AT.tolist(), np.asarray(rate, dtype=np.float64).tolist())


def test_that_the_published_dip_is_found_with_trough_duration_and_recovery() -> None:
    found = overflow_dip(rated(published()), T0 + OVERFLOW + STEP)
    assert isinstance(found, Dip)
    assert found.before == pytest.approx(STEADY, rel=0.01)
    assert (found.trough, found.trough_at) == pytest.approx((TROUGH, T0 + OVERFLOW + STEP))
    assert found.fall_percent == pytest.approx(100 * (1 - TROUGH / STEADY), abs=1)
    assert found.start == T0 + OVERFLOW
    # 63,000 (90 %) is 81.9 % of the way back: 98.2 s after the first low sample at 905 s.
    assert found.recovered_at == pytest.approx(T0 + 1005, abs=STEP)
    assert found.duration_s == pytest.approx(105, abs=STEP)


def test_that_the_dip_is_found_without_knowing_the_overflow() -> None:
    found = overflow_dip(rated(published()))
    assert isinstance(found, Dip)
    assert (found.trough_at, found.overflow) == (T0 + OVERFLOW + STEP, None)


def test_that_a_steady_rate_has_no_dip_and_this_is_reported() -> None:
    found = overflow_dip(rated(published(trough=0.97 * STEADY)), T0 + OVERFLOW)
    assert isinstance(found, NoDip)
    assert "no dip found" in found.reason
    assert not found.uneven


def test_that_an_uneven_load_is_not_counted_as_a_dip() -> None:
    rate = np.random.default_rng(3).exponential(20, AT.size)
    found = overflow_dip(rated(rate), T0 + OVERFLOW)
    assert isinstance(found, NoDip)
    assert found.uneven
    assert "uneven" in found.reason
    # One sample may already contain a part of the flush, so the time before ends with the last sample but one before
    # the overflow.
    last = int(np.argmax(AT >= OVERFLOW)) - 1
    after = rate[(AT[last] <= AT) & (AT[last + 1] + 600 >= AT)]
    before = rate[(AT[last] - 300 <= AT) & (AT[last] > AT)]
    assert found.around == pytest.approx((np.median(before), np.median(after)))


def test_that_a_dip_that_lasts_to_the_end_has_no_recovery() -> None:
    rate = np.where(AT > OVERFLOW, 20_000.0, STEADY)
    found = overflow_dip(rated(rate), T0 + OVERFLOW)
    assert isinstance(found, Dip)
    assert (found.recovered_at, found.duration_s) == (None, None)


def test_that_a_single_good_sample_is_not_a_recovery() -> None:
    rate = published()
    rate[int((OVERFLOW + 30) / STEP)] = STEADY
    found = overflow_dip(rated(rate), T0 + OVERFLOW)
    assert isinstance(found, Dip)
    assert found.recovered_at is not None
    assert found.recovered_at > T0 + OVERFLOW + 60


@pytest.mark.parametrize(
    ("rate", "overflow", "reason"),
    [
        (np.full(360, np.nan), 900.0, "too few samples"),
        (np.zeros(360), 900.0, "no I/O before"),
        (np.full(360, 5.0), 10.0, "too few samples before"),
        (np.full(360, 5.0), 9e9, "no samples after"),
    ],
)
def test_that_each_missing_value_of_a_dip_has_a_reason(rate: list[float], overflow: float, reason: str) -> None:
    found = overflow_dip(rated(rate), T0 + overflow)
    assert isinstance(found, NoDip)
    assert reason in found.reason


def test_that_the_dip_of_the_published_pvs_test_is_found_with_its_response_time(tmp_path: Path) -> None:
    # 10 GB of RAM cache under Iometer: the pool grows to the size and stays, then the driver flushes.
    pool = 60.0 + np.minimum(AT * 10_240 / OVERFLOW, 10_240)
    rate = published()
    # The longest response time is after the trough.
    waits = np.where((AT > OVERFLOW + 85) & (AT <= OVERFLOW + 100), 0.0021, 0.00092)
    waits[AT > OVERFLOW + 300] = 0.005
    columns = [
        (counter("PVS", Quantity.IOPS, instance="0 C:"), rate),
        (counter("PVS", Quantity.LATENCY, instance="0 C:"), waits),
        (counter("PVS", Quantity.POOL_NONPAGED, estimate=True), pool * 2**20),
    ]
    made = Configuration("PVS 10 GB", Provisioning.PVS, "device-ram-overflow", 10_240)
    one = run(
        recording(tmp_path, "a.csv", T0 + AT, columns), configuration=made, stated_phases=(phase("steady", 0, 1800),)
    )
    (dip,) = run_dips(run_cache(run_figures(one)))
    assert isinstance(dip.found, Dip)
    assert dip.found.trough == pytest.approx(TROUGH)
    assert dip.found.before == pytest.approx(STEADY, rel=0.01)
    assert dip.found.duration_s == pytest.approx(105, abs=STEP)
    # The long response time after the recovery does not belong to the overflow.
    assert dip.latency_ms == pytest.approx((0.92, 2.1))
    assert "response time 0.920 → 2.10" in dip_words((dip,))


@given(st.floats(0.001, 1000), st.integers(0, 50), st.sampled_from([0.2, 0.45, 0.9, 0.99]))
def test_that_scaling_the_rate_scales_the_depth_of_the_dip_and_keeps_its_times(
    factor: float, seed: int, depth: float
) -> None:
    rate = published(seed, depth * STEADY)
    one, other = (overflow_dip(rated(rate * by), T0 + OVERFLOW) for by in (1.0, factor))
    assert type(one) is type(other)
    if isinstance(one, Dip) and isinstance(other, Dip):
        assert other.trough == pytest.approx(factor * one.trough)
        assert (other.start, other.recovered_at) == (one.start, one.recovered_at)
        assert one.fall_percent == pytest.approx(other.fall_percent)
