"""Fewer points, the same picture: extremes and gaps stay."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from workbench.charts.decimate import band_in_view, block_means, line_in_view, min_max, row_peaks, straightened, visible
from workbench.charts.extremes import extremes

SAMPLES = hnp.arrays(np.float64, st.integers(1, 400), elements=st.one_of(st.floats(-1e6, 1e6), st.just(float("nan"))))


@given(SAMPLES, st.integers(3, 50))
def test_that_each_bucket_keeps_its_lowest_and_highest_value_and_its_gap(y: np.ndarray, per_bucket: int) -> None:
    x = np.arange(float(y.size))
    thin_x, thin_y = min_max(x, y, per_bucket)
    for start in range(0, y.size, per_bucket):
        whole = y[start : start + per_bucket]
        kept = thin_y[(thin_x >= start) & (thin_x < start + per_bucket)]
        assert np.isnan(kept).any() == np.isnan(whole).any()
        if np.isfinite(whole).any():
            assert np.nanmin(kept) == np.nanmin(whole)
            assert np.nanmax(kept) == np.nanmax(whole)


@given(SAMPLES, st.integers(3, 50))
def test_that_every_kept_point_is_a_sample_at_its_position_and_in_order(y: np.ndarray, per_bucket: int) -> None:
    x = np.arange(float(y.size))
    thin_x, thin_y = min_max(x, y, per_bucket)
    assert (np.diff(thin_x) >= 0).all()
    np.testing.assert_array_equal(thin_y, y[thin_x.astype(int)])


def test_that_a_gap_between_lowest_and_highest_value_stays_between_them() -> None:
    _, y = min_max(np.arange(7.0), np.array([1.0, np.nan, 9.0, 5.0, 1.0, 1.0, 1.0]), 6)
    np.testing.assert_array_equal(y[:3], [1.0, np.nan, 9.0])


def test_that_a_short_line_is_unchanged() -> None:
    x, y = np.arange(4_000.0), np.random.default_rng(1).normal(size=4_000)
    shown_x, shown_y = line_in_view(x, y, -1.0, 5_000.0)
    assert shown_x.size == 4_000
    assert shown_y is not y
    np.testing.assert_array_equal(shown_y, y)


@pytest.mark.parametrize("shift", [0, 1, 17, 333])
def test_that_scrolling_the_view_keeps_the_chosen_points(shift: int) -> None:
    x, y = np.arange(100_000.0), np.random.default_rng(1).normal(size=100_000)
    first_x, _ = line_in_view(x, y, 10_000.0, 60_000.0)
    moved_x, _ = line_in_view(x, y, 10_000.0 + shift, 60_000.0 + shift)
    shared = (first_x > 11_000) & (first_x < 59_000)
    assert np.isin(first_x[shared], moved_x).all()


def test_that_the_view_keeps_one_neighbour_on_each_side() -> None:
    assert visible(np.arange(10.0), 3.5, 5.5) == slice(3, 7)
    assert visible(np.arange(10.0), -5.0, 50.0) == slice(0, 10)


def test_that_a_thinned_band_covers_every_sample_and_keeps_its_length() -> None:
    random = np.random.default_rng(3)
    x = np.arange(5_000.0)
    low = random.normal(size=5_000)
    high = low + random.gamma(1.0, size=5_000)
    thin_x, thin_low, thin_high = band_in_view(x, low, high, -1.0, 6_000.0, buckets=500)
    assert (thin_x[0], thin_x[-1]) == (0.0, 4_999.0)
    np.testing.assert_array_equal(thin_low, low.reshape(500, 10).min(axis=1))
    np.testing.assert_array_equal(thin_high, high.reshape(500, 10).max(axis=1))


def test_that_a_stretch_without_samples_stays_a_gap_in_the_band() -> None:
    values = np.ones(4_000)
    values[1_000:2_000] = np.nan
    x, low, _ = band_in_view(np.arange(4_000.0), values, values + 1, -1.0, 5_000.0, buckets=400)
    assert np.isnan(low[(x > 1_010) & (x < 1_990)]).all()
    assert np.isfinite(low[(x < 990) | (x > 2_010)]).all()


def test_that_means_use_only_measured_samples() -> None:
    values = np.array([[1.0, 3.0, np.nan, 5.0, np.nan], [np.nan, np.nan, 0.0, 2.0, 7.0]])
    np.testing.assert_array_equal(block_means(values, 2), [[2.0, 5.0, np.nan], [np.nan, 1.0, 7.0]])
    np.testing.assert_array_equal(block_means(values[:, 3:4], 3), [[5.0], [2.0]])
    np.testing.assert_array_equal(block_means(np.arange(10.0).reshape(2, 5), 2), [[0.5, 2.5, 4.0], [5.5, 7.5, 9.0]])


def test_that_no_row_disappears_between_two_pixels() -> None:
    values = np.array([[1.0, np.nan], [9.0, np.nan], [2.0, 3.0]])
    np.testing.assert_array_equal(row_peaks(values, 2), [[9.0, np.nan], [2.0, 3.0]])


LONG_SAMPLES = st.integers(1, 6).flatmap(
    lambda scale: hnp.arrays(
        np.float64, st.integers(40, 400 * scale), elements=st.one_of(st.floats(-1e6, 1e6), st.just(float("nan")))
    )
)


def _joined_over_a_gap(y: np.ndarray, kept: np.ndarray) -> bool:
    """True if two kept samples that are adjacent in the drawing have a missing sample between them."""
    return any(np.isfinite(y[a]) and np.isfinite(y[b]) and np.isnan(y[a:b]).any() for a, b in itertools.pairwise(kept))


@given(SAMPLES, st.integers(3, 50))
def test_that_no_line_is_drawn_over_a_missing_sample(y: np.ndarray, per_bucket: int) -> None:
    kept, _ = min_max(np.arange(float(y.size)), y, per_bucket)
    assert not _joined_over_a_gap(y, kept.astype(int))


@given(LONG_SAMPLES, st.data())
def test_that_precomputed_extremes_keep_every_peak_and_gap(y: np.ndarray, data: st.DataObject) -> None:
    x = np.arange(float(y.size))
    low = data.draw(st.integers(0, y.size - 1))
    high = data.draw(st.integers(low, y.size - 1))
    buckets = data.draw(st.integers(1, 30))
    shown_x, shown_y = line_in_view(x, y, low, high, buckets=buckets, limit=0, known=extremes(y))
    kept = shown_x.astype(int)
    assert (np.diff(kept) >= 0).all()
    np.testing.assert_array_equal(shown_y, y[kept])
    assert not _joined_over_a_gap(y, kept)
    seen = y[low : high + 1]
    if np.isfinite(seen).any():
        assert np.nanmin(shown_y) <= np.nanmin(seen)
        assert np.nanmax(shown_y) >= np.nanmax(seen)
    inside = shown_y[(kept >= low) & (kept <= high)]
    if np.isnan(seen).all():
        assert not np.isfinite(inside).any()


def test_that_a_peak_of_one_sample_in_a_million_is_drawn_in_its_pixel() -> None:
    y = np.zeros(1_000_000)
    y[123_456] = 9.0
    y[700_000:700_003] = np.nan
    x, shown = line_in_view(np.arange(1e6), y, 0.0, 1e6, buckets=1_000, known=extremes(y))
    assert shown.size < 5_000
    assert x[np.nanargmax(shown)] == 123_456
    assert np.isnan(shown[(x >= 700_000) & (x < 700_003)]).any()


def test_that_a_peak_of_one_sample_is_drawn_at_every_zoom() -> None:
    y = np.random.default_rng(5).gamma(2.0, 1.0, 300_001)
    y[::977] = np.nan
    y[[77, 123_456, 299_990]] = 1_000.0
    x, known = np.arange(float(y.size)), extremes(y)
    for peak in (77, 123_456, 299_990):
        for width in np.geomspace(3.0, 600_000.0, 60):
            for share in (0.01, 0.5, 0.99):
                low = peak - share * width
                shown_x, shown = line_in_view(x, y, low, low + width, buckets=800, known=known)
                assert shown[shown_x == peak].tolist()[:1] == [1_000.0]
                assert shown.size <= 5_000


def test_that_a_straight_line_needs_few_points_and_all_samples_are_within_the_tolerance() -> None:
    dice = np.random.default_rng(5)
    x = np.sort(dice.uniform(0, 1_000, 2_001))
    for y in (2 * x + 3, 400 * np.sin(x / 90), dice.normal(size=x.size), np.cumsum(dice.uniform(size=x.size))):
        kept_x, kept_y = straightened(x, y, 0.1)
        assert np.isin(kept_x, x).all()
        assert np.abs(np.interp(x, kept_x, kept_y) - y).max() <= 3 * 0.1
        assert (kept_y.min(), kept_y.max(), kept_y[0], kept_y[-1]) == (y.min(), y.max(), y[0], y[-1])
    assert straightened(x, 2 * x + 3, 0.1)[0].size < x.size / 7


def test_that_turning_points_and_gaps_and_simultaneous_points_are_kept() -> None:
    x = np.array([0.0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8])
    y = np.array([0.0, 1, 0, 1.5, 2, np.nan, 4, 5, 6, 7, 7.001])
    kept_x, kept_y = straightened(x, y, 0.0)
    np.testing.assert_array_equal((kept_x, kept_y), (x, y))


@pytest.mark.parametrize("size", range(6))
def test_that_the_shortest_lines_keep_their_ends(size: int) -> None:
    x = np.arange(float(size))
    assert straightened(x, x, 0.1)[0][[0, -1] if size else []].tolist() == x[[0, -1] if size else []].tolist()
