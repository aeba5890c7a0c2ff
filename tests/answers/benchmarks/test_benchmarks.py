from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from workbench.answers.benchmarks.compute import (
    Family,
    Measured,
    benchmark_table,
    failed,
    families,
    groups,
    measured_of,
    runs_of_rows,
)
from workbench.answers.benchmarks.figures import benchmark_figures
from workbench.model.benchmark import Benchmark, LatencyKind, Op

ROW = Benchmark(
    path="a.json",
    tool="fio",
    op=Op.READ,
    test="a",
    job="j",
    host="vm-1",
    iops=100.0,
    mb_per_s=0.4,
    latency_mean_ms=2.0,
    block_bytes=4096,
    queue_depth=8,
    threads=1,
    read_percent=100.0,
    pattern="random",
    started="2020-01-01T10:00:00Z",
)


def test_that_the_table_puts_file_2_before_file_10_and_keeps_the_order_of_a_file() -> None:
    rows = [replace(ROW, path="t10.json"), replace(ROW, path="t2.json", op=Op.WRITE), replace(ROW, path="T2.json")]
    assert [(row.path, row.op.value) for row in benchmark_table(rows)] == [
        ("t2.json", "write"),
        ("T2.json", "read"),
        ("t10.json", "read"),
    ]


def test_that_tests_of_one_kind_are_listed_together_across_files() -> None:
    large = replace(ROW, block_bytes=65536)
    found = groups([ROW, large, replace(ROW, path="b.json"), replace(large, path="b.json")])
    assert [(group.kind.block_bytes, group.subject.path) for group in found] == [
        (4096, "a.json"),
        (4096, "b.json"),
        (65536, "a.json"),
        (65536, "b.json"),
    ]


@pytest.mark.parametrize("field", ["block_bytes", "queue_depth", "threads", "pattern", "read_percent", "host", "job"])
def test_that_rows_with_different_requested_settings_or_hosts_are_separate_groups(field: str) -> None:
    assert len(groups([ROW, replace(ROW, **{field: None})])) == 2


def test_that_rows_of_one_mix_form_one_kind_although_the_measured_shares_differ() -> None:
    rows = [replace(ROW, path=path, read_percent=share) for path, share in (("a", 49.96), ("b", 50.03))]
    assert {group.kind.read_percent for group in groups(rows)} == {50}


def test_that_the_directions_of_a_job_form_one_group_and_the_total_is_not_added_to_them() -> None:
    rows = [replace(ROW, op=Op.TOTAL, iops=150.0), ROW, replace(ROW, op=Op.WRITE, iops=50.0)]
    (group,) = groups(rows)
    assert group.ops == (Op.READ, Op.WRITE, Op.TOTAL)
    assert group.measured(Op.READ, "iops") == Measured(100.0, 1)
    assert group.measured(Op.TOTAL, "iops") == Measured(150.0, 1)
    assert group.measured(Op.TRIM, "iops") is None


def test_that_clones_of_a_job_are_added_and_their_latency_is_weighted_by_iops() -> None:
    slow = replace(ROW, iops=300.0, mb_per_s=1.2, latency_mean_ms=6.0, started="2020-01-01T10:00:01Z")
    (group,) = groups([ROW, slow])
    assert group.measured(Op.READ, "iops") == Measured(400.0, 1)
    assert group.measured(Op.READ, "mb_per_s") == Measured(pytest.approx(1.6), 1)
    assert group.measured(Op.READ, "latency_mean_ms") == Measured(pytest.approx((100 * 2 + 300 * 6) / 400), 1)


def test_that_a_figure_that_one_clone_lacks_is_missing_for_the_group() -> None:
    (group,) = groups([ROW, replace(ROW, latency_mean_ms=None)])
    assert group.measured(Op.READ, "latency_mean_ms") is None
    assert group.measured(Op.READ, "iops") == Measured(200.0, 1)


def test_that_one_run_has_no_uncertainty_and_two_have_a_range_and_three_an_interval() -> None:
    rows = [replace(ROW, iops=iops, started=f"2020-01-01T1{n}:00:00Z") for n, iops in enumerate((90.0, 100.0, 125.0))]
    (one,), (two,), (three,) = (groups(rows[:count]) for count in (1, 2, 3))
    assert one.measured(Op.READ, "iops") == Measured(90.0, 1)
    assert two.measured(Op.READ, "iops") == Measured(95.0, 2, 90.0, 100.0)
    # Student's t by its table: 4.302653 with 2 degrees of freedom; s = 18.0278
    found = three.measured(Op.READ, "iops")
    reach = 4.302653 * 18.0277564 / 3**0.5
    assert found == Measured(105.0, 3, pytest.approx(105 - reach), pytest.approx(105 + reach))
    assert (found.basis, found.values) == ("interval", (90.0, 100.0, 125.0))


@settings(deadline=None)  # the first call loads scipy
@given(st.lists(st.floats(1.0, 1e6), min_size=3, max_size=12))
def test_that_the_interval_of_repeats_agrees_with_scipy(values: list[float]) -> None:
    found = measured_of(values)
    assert found is not None
    spread = stats.sem(values)
    wanted = stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=spread) if spread else None
    if wanted is not None:
        assert (found.low, found.high) == (pytest.approx(wanted[0], abs=1e-6), pytest.approx(wanted[1], abs=1e-6))
    assert found.mean == pytest.approx(np.mean(values))


def test_that_percentiles_of_clones_are_not_combined() -> None:
    clone = replace(ROW, latency_p95_ms=4.0, started="2020-01-01T10:00:01Z")
    (group,) = groups([replace(ROW, latency_p95_ms=3.0), clone])
    assert group.measured(Op.READ, "latency_p95_ms") is None


def test_that_a_family_is_one_block_size_pattern_and_mix_and_the_largest_comes_first() -> None:
    rows = [ROW, replace(ROW, block_bytes=65536), replace(ROW, block_bytes=65536, queue_depth=1)]
    rows += [replace(ROW, read_percent=0.0, op=Op.WRITE), replace(ROW, pattern="sequential")]
    found = families(groups(rows))
    assert [len(members) for members in found.values()] == [2, 1, 1, 1]
    assert next(iter(found)) == Family(65536, "random", 100, None)


def test_that_without_a_known_mix_reads_and_writes_are_not_a_family() -> None:
    rows = [replace(ROW, read_percent=None), replace(ROW, read_percent=None, op=Op.WRITE, job="k")]
    assert [family.op for family in families(groups(rows))] == [Op.READ, Op.WRITE]


def test_that_rows_of_an_old_fio_without_a_clock_are_neither_added_nor_averaged() -> None:
    timeless = replace(ROW, started=None)
    (group,) = groups([timeless, timeless])
    assert group.measured(Op.READ, "iops") is None
    (single,) = groups([timeless])
    assert single.measured(Op.READ, "iops") == Measured(100.0, 1)


def test_that_rows_of_a_tool_that_lists_no_clones_are_repeats() -> None:
    other = replace(ROW, tool="sqlio", started=None)
    (group,) = groups([other, replace(other, iops=200.0)])
    assert group.measured(Op.READ, "iops") == Measured(150.0, 2, 100.0, 200.0)


def test_that_failed_jobs_are_named_once_and_give_no_figure() -> None:
    rows = [replace(ROW, error="broke", op=op) for op in (Op.READ, Op.WRITE)]
    assert len(failed([*rows, replace(ROW, job="good")])) == 1
    assert groups(rows)[0].measured(Op.READ, "iops") is None


def test_that_rows_without_test_settings_come_last() -> None:
    bare = Benchmark(path="0.json", tool="x", op=Op.READ, iops=1.0)
    assert [group.subject.path for group in groups([bare, ROW])] == ["a.json", "0.json"]


def test_that_clones_that_start_within_two_seconds_are_one_run_and_rows_without_a_start_are_not() -> None:
    starts = ("10:00:00", "10:00:02", "10:00:02.5", "10:00:04.5")
    rows = [replace(ROW, started=f"2020-01-01T{start}Z") for start in starts]
    assert runs_of_rows([rows[2], rows[0], rows[3], rows[1]]) == [rows[:2], rows[2:]]
    timeless = replace(ROW, started=None)
    assert runs_of_rows([rows[0], timeless]) == runs_of_rows([timeless, timeless]) == []
    assert runs_of_rows([timeless]) == [[timeless]]
    others = [replace(row, tool="sqlio") for row in rows[:2]]
    assert runs_of_rows(others) == [[row] for row in others]


def test_that_rows_that_the_reader_marks_as_another_run_are_not_clones() -> None:
    rows = [replace(ROW, run=run, iops=iops) for run, iops in ((1, 100.0), (2, 50.0), (1, 300.0))]
    assert [[row.iops for row in run] for run in runs_of_rows(rows)] == [[100.0, 300.0], [50.0]]
    assert runs_of_rows([ROW, replace(ROW, run=None)]) == []
    assert len(runs_of_rows([replace(ROW, run=None)])) == 1


def test_that_a_test_with_two_kinds_of_latency_reports_no_total() -> None:
    rows = [replace(ROW, latency_kind=kind) for kind in (LatencyKind.TOTAL, LatencyKind.COMPLETION)]
    assert groups(rows)[0].latency_kind(Op.READ) is None
    assert groups(rows[1:])[0].latency_kind(Op.READ) is LatencyKind.COMPLETION


@pytest.mark.parametrize(
    ("kinds", "label"),
    [
        ((LatencyKind.TOTAL, None), "Mean latency"),
        ((LatencyKind.COMPLETION,), "Mean completion latency"),
        ((LatencyKind.COMPLETION, LatencyKind.TOTAL), "Mean latency (some tests: completion latency)"),
    ],
)
def test_that_the_axis_names_completion_latency(kinds: tuple[LatencyKind | None, ...], label: str) -> None:
    rows = [
        replace(ROW, test=f"t{index}", job=f"j{index}", latency_mean_ms=1.0, latency_kind=kind)
        for index, kind in enumerate(kinds)
    ]
    assert [panel.y.label for panel in benchmark_figures(rows)[0].panels][-1] == label
