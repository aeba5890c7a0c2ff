"""Latency histograms of different buckets, side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.answers.benchmarks.compute import groups
from workbench.answers.benchmarks.latency_figure import common_edges, histogram_of, regrouped, share_within
from workbench.model.benchmark import Benchmark, Op

WHOLE_MS = ((1.0, 50.0), (2.0, 30.0), (3.0, 10.0), (4.0, 10.0))
FIO = ((0.5, 0.0), (1.0, 20.0), (2.0, 20.0), (4.0, 60.0))
ROW = Benchmark(path="a", tool="sqlio", op=Op.READ, test="t", iops=100.0, histogram=WHOLE_MS)


def test_that_histograms_of_two_tools_use_the_bucket_edges_that_both_have() -> None:
    # 0.5 ms is inside the first bucket of whole milliseconds, 3 ms inside fio's last
    assert common_edges([WHOLE_MS, FIO]) == (1.0, 2.0, 4.0)
    assert regrouped(WHOLE_MS, (1.0, 2.0, 4.0)) == (50.0, 30.0, 20.0)
    assert regrouped(FIO, (1.0, 2.0, 4.0)) == (20.0, 20.0, 60.0)


def test_that_an_edge_inside_a_bucket_has_no_share_and_an_edge_after_the_last_bucket_has_the_full_share() -> None:
    assert share_within(FIO, 3.0) is None
    assert share_within(FIO, 9.0) == 100.0
    assert share_within(FIO, 0.2) == 0.0
    assert share_within(WHOLE_MS, 0.2) is None
    assert share_within((), 1.0) is None


def test_that_shares_are_relative_to_their_sum() -> None:
    assert share_within(((1.0, 49.0), (2.0, 49.0)), 1.0) == 50.0


def test_that_repeats_are_pooled_by_their_number_of_ios() -> None:
    other = replace(ROW, iops=300.0, histogram=((1.0, 90.0), (2.0, 10.0)))
    (group,) = groups([ROW, other])
    # the other run has no latency above 2 ms: 100 x 50 % and 300 x 90 % of 400 within 1 ms
    assert histogram_of(group) == ((1.0, 80.0), (2.0, 15.0), (3.0, 2.5), (4.0, 2.5))


def test_that_a_failed_run_and_a_test_without_histogram_are_not_drawn() -> None:
    assert histogram_of(groups([replace(ROW, error="broke")])[0]) == ()
    assert histogram_of(groups([replace(ROW, histogram=())])[0]) == ()


HISTOGRAMS = st.lists(
    st.tuples(st.sampled_from([0.5, 1.0, 2.0, 4.0, 8.0]), st.floats(0.1, 100.0)),
    min_size=1,
    max_size=5,
    unique_by=lambda bucket: bucket[0],
).map(lambda buckets: tuple(sorted(buckets)))


@given(st.lists(HISTOGRAMS, min_size=1, max_size=4))
def test_that_no_io_is_lost_where_buckets_meet(found: list[tuple[tuple[float, float], ...]]) -> None:
    edges = common_edges(found)
    assert max(edge for histogram in found for edge, _ in histogram) == edges[-1]
    for histogram in found:
        shares = regrouped(histogram, edges)
        assert sum(shares) == pytest.approx(100.0)
        assert min(shares) >= -1e-9
