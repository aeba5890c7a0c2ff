"""Percentiles compared with those of numpy for equal intervals, and with samples cut into equal pieces for other
intervals."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, lcm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.sizing.measured import iops_percentile
from workbench.measures.percentile import Timed, ascending, over_time, percentile
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity

SHARES = (0.0, 1.0, 50.0, 95.0, 99.9, 100.0)


@pytest.mark.parametrize("share", SHARES)
@given(values=arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 1e6)))
def test_that_percentiles_equal_those_of_numpy(values: np.ndarray, share: float) -> None:
    assert percentile(Timed(values), share) == pytest.approx(float(np.percentile(values, share)), rel=1e-12)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", ["exponential", "sorted", "equal", "misleading"])
def test_that_the_partial_search_gives_the_same_result(kind: str, share: float) -> None:
    values = np.random.default_rng(7).exponential(30.0, 50_000)
    if kind == "sorted":
        values.sort()
    elif kind == "equal":
        values[:] = 4.0
    elif kind == "misleading":
        # The few values around the percentile are far above all others.
        values[::64] = 1e6
    assert percentile(Timed(values), share) == pytest.approx(float(np.percentile(values, share)), rel=1e-12)


def test_that_an_empty_array_has_no_percentile() -> None:
    assert percentile(Timed(np.empty(0)), 95) is None


FAST, SLOW = T0 + 5.0 * np.arange(0, 181), T0 + 60.0 * np.arange(0, 16)
STEADY = phase("steady", 0, 900)


def test_that_a_one_minute_sample_has_the_weight_of_twelve_five_second_samples(tmp_path: Path) -> None:
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


def test_that_a_one_minute_latency_has_the_weight_of_twelve_five_second_ones(tmp_path: Path) -> None:
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


# Usual lengths of intervals, and those of a faulty clock.
SPANS = st.sampled_from(("1", "5", "10", "15", "60", "7/2", "9.999", "10.003", "0.25", "14"))
SAMPLES = st.lists(st.tuples(st.integers(0, 1000).map(Fraction), SPANS.map(Fraction)), min_size=1, max_size=30)


def of_pieces(samples: list[tuple[Fraction, Fraction]], share: Fraction) -> Fraction:
    """The percentile in exact numbers: each sample is cut into pieces of a length that all intervals are multiples of,
    and the mean over the pieces of one shortest interval is taken."""
    piece = Fraction(1, lcm(*(span.denominator for _, span in samples)))
    pieces = [value for value, span in sorted(samples) for _ in range(int(span / piece))]
    together = int(min(span for _, span in samples) / piece)
    start = share / 100 * (len(pieces) - together)
    inside = range(floor(start), min(ceil(start + together), len(pieces)))
    shares = [(pieces[at], min(at + 1, start + together) - max(at, start)) for at in inside]
    return sum((value * held for value, held in shares), Fraction(0)) / together


def timed(samples: list[tuple[Fraction, Fraction]]) -> Timed:
    values, spans = (np.array([float(pair[place]) for pair in samples]) for place in (0, 1))
    return over_time([(values, spans)])


@given(samples=SAMPLES, share=st.sampled_from((0, 1, 50, 90, 95, 99, 100)))
def test_that_a_percentile_of_mixed_intervals_equals_that_of_equal_pieces(
    samples: list[tuple[Fraction, Fraction]], share: int
) -> None:
    expected = float(of_pieces(samples, Fraction(share)))
    assert percentile(timed(samples), share) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert ascending(timed(samples)).percentile(share) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(samples=SAMPLES, share=st.sampled_from((1, 50, 90, 95, 99)))
def test_that_a_percentile_is_the_value_not_exceeded_for_its_share_of_the_time_within_one_interval(
    samples: list[tuple[Fraction, Fraction]], share: int
) -> None:
    found = percentile(timed(samples), share)
    assert found is not None
    total, shortest = sum(span for _, span in samples), min(span for _, span in samples)
    at_or_below = sum(span for value, span in samples if value <= found + 1e-9)
    below = sum(span for value, span in samples if value < found - 1e-9)
    assert at_or_below >= Fraction(share, 100) * total - shortest
    assert below <= Fraction(share, 100) * total + shortest


@given(samples=SAMPLES, level=st.integers(0, 1000))
def test_that_shares_are_weighted_by_time(samples: list[tuple[Fraction, Fraction]], level: int) -> None:
    ordered, total = ascending(timed(samples)), sum(span for _, span in samples)
    at_or_below = sum((span for value, span in samples if value <= level), Fraction(0))
    below = sum((span for value, span in samples if value < level), Fraction(0))
    assert ordered.shares(np.array([level]))[0] == pytest.approx(float(100 * at_or_below / total), abs=1e-9)
    assert ordered.shares(np.array([level]), "left")[0] == pytest.approx(float(100 * below / total), abs=1e-9)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("longer", ["high", "low"])
def test_that_the_partial_search_gives_the_same_result_for_different_intervals(longer: str, share: float) -> None:
    rng = np.random.default_rng(7)
    values = rng.integers(0, 10_000, 60_000).astype(float)
    spans = np.where((values > 9000) == (longer == "high"), 15.0, 10.0)
    repeated = np.sort(np.repeat(values, np.where(spans == 15, 3, 2)))
    start = share / 100 * (repeated.size - 2)
    pieces = np.interp(
        np.linspace(start, start + 2, 2001), np.arange(repeated.size + 1), np.append(0, np.cumsum(repeated))
    )
    assert percentile(over_time([(values, spans)]), share) == pytest.approx((pieces[-1] - pieces[0]) / 2, abs=1e-4)


def test_that_two_collectors_with_10_and_15_seconds_are_weighted_by_time(tmp_path: Path) -> None:
    # 4.7 % of the time of both VMs is above 100, but 5.4 % if 15 s count as twice 10 s.
    fast = np.full(361, 10.0)
    slow = np.where(np.arange(241) % 32 < 3, 200.0, 12.0)
    files = (
        recording(tmp_path, "a.csv", T0 + 10.0 * np.arange(361), [(counter("A", Quantity.IOPS), fast)]),
        recording(tmp_path, "b.csv", T0 + 15.0 * np.arange(241), [(counter("B", Quantity.IOPS), slow)]),
    )
    row = run_figures(run(*files, stated_phases=(phase("steady", 0, 3600),))).phase("steady")
    assert row is not None
    assert row.p95_iops_per_vm == 12.0


def test_that_blank_samples_remove_their_time() -> None:
    values = np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, 7.0]])
    samples = over_time([(values, np.array([5.0, 10.0, 60.0]))])
    assert samples.seconds is not None
    assert list(zip(samples.values, samples.seconds, strict=True)) == [(1, 5), (3, 60), (5, 10), (7, 60)]


def test_that_rounded_timestamps_count_as_equal_intervals() -> None:
    times = 1_700_000_000.123 + 15.0 * np.arange(100)
    assert over_time([(np.arange(99.0), np.diff(times))]).seconds is None
