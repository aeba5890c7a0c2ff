"""Sweeps: which rows form one, and at which step doubling stops adding IOPS."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import sample
from workbench.answers.benchmarks.compute import groups
from workbench.answers.benchmarks.sweeps import doubling_gains, gains, knee, sweeps, without_steps
from workbench.answers.benchmarks.tables import sweep_table
from workbench.model.benchmark import Benchmark, Op

ROW = Benchmark(
    path="s.txt",
    tool="sqlio",
    op=Op.READ,
    test="s",
    job="X:",
    iops=100.0,
    latency_mean_ms=1.0,
    block_bytes=8192,
    queue_depth=1,
    threads=1,
    read_percent=100.0,
    pattern="random",
)


def of_depths(*figures: tuple[int, float], **changes: object) -> list[Benchmark]:
    return [replace(ROW, queue_depth=depth, iops=iops, **changes) for depth, iops in figures]  # type: ignore[arg-type]


def test_that_rows_of_different_queue_depths_form_a_sweep_in_order_of_depth() -> None:
    (sweep,) = sweeps(of_depths((4, 300.0), (1, 100.0), (2, 200.0)))
    assert (sweep.varies, sweep.holds, sweep.held, sweep.at) == ("queue_depth", "threads", 1, (1, 2, 4))
    assert [step.iops.mean for step in sweep.steps] == [100.0, 200.0, 300.0]
    assert [step.outstanding for step in sweep.steps] == [1, 2, 4]


def test_that_two_steps_are_not_a_sweep() -> None:
    assert sweeps(of_depths((1, 100.0), (2, 200.0))) == ()


@pytest.mark.parametrize(
    "other", [{"block_bytes": 4096}, {"pattern": "sequential"}, {"host": "h"}, {"tool": "fio"}, {"job": "Y:"}]
)
def test_that_rows_of_another_test_are_not_a_step(other: dict[str, object]) -> None:
    rows = [*of_depths((1, 100.0), (2, 200.0)), *of_depths((4, 300.0), **other)]
    assert sweeps(rows) == ()


def test_that_files_named_by_their_depth_form_one_sweep_and_other_numbers_separate_them() -> None:
    rows = [
        replace(ROW, path=f"{size}k-qd{depth}.json", test=f"{size}k-qd{depth}", queue_depth=depth)
        for depth in (4, 8, 16)
        for size in (4, 64)
    ]
    found = sweeps(rows)
    assert [(sweep.name, sweep.at) for sweep in found] == [("4k-qdN", (4, 8, 16)), ("64k-qdN", (4, 8, 16))]


def test_that_threads_are_swept_at_constant_depth_or_else_at_constant_outstanding_ios() -> None:
    constant_depth = [replace(ROW, threads=threads, queue_depth=4) for threads in (1, 2, 4)]
    (sweep,) = sweeps(constant_depth)
    assert (sweep.varies, sweep.holds, sweep.held) == ("threads", "queue_depth", 4)
    constant_outstanding = [replace(ROW, threads=threads, queue_depth=8 // threads) for threads in (1, 2, 4)]
    (sweep,) = sweeps(constant_outstanding)
    assert (sweep.varies, sweep.holds, sweep.held, sweep.at) == ("threads", "outstanding", 8, (1, 2, 4))


def test_that_a_grid_gives_one_sweep_per_row_and_column_and_no_diagonals() -> None:
    rows = [replace(ROW, threads=t, queue_depth=d) for t in (1, 2, 4) for d in (1, 2, 4)]
    assert [(sweep.varies, sweep.held) for sweep in sweeps(rows)] == [
        ("queue_depth", 1),
        ("queue_depth", 2),
        ("queue_depth", 4),
        ("threads", 1),
        ("threads", 2),
        ("threads", 4),
    ]


def test_that_a_mixed_job_is_swept_by_its_total() -> None:
    rows = [
        replace(ROW, op=op, queue_depth=depth, iops=iops * depth, read_percent=50.0)
        for depth in (1, 2, 3)
        for op, iops in ((Op.READ, 1.0), (Op.WRITE, 2.0), (Op.TOTAL, 3.0))
    ]
    (sweep,) = sweeps(rows)
    assert (sweep.op, [step.iops.mean for step in sweep.steps]) == (Op.TOTAL, [3.0, 6.0, 9.0])


def test_that_a_failed_step_is_excluded() -> None:
    rows = of_depths((1, 100.0), (2, 200.0), (4, 300.0), (8, 400.0))
    rows[2] = replace(rows[2], error="full")
    (sweep,) = sweeps(rows)
    assert sweep.at == (1, 2, 8)


@pytest.mark.parametrize(
    ("doublings", "place"),
    [
        ([9.99], 0),
        ([10.0], 0),
        ([10.0, None], 1),
        ([50.0, 10.0, 9.99, None], 2),
        ([50.0, 9.0, 12.0, 1.0, None], 1),
        # it rises again until the end
        ([50.0, 9.0, 12.0, None], 3),
        ([50.0, 30.0, 20.0, None], 3),
        ([None, None], 0),
    ],
)
def test_that_the_knee_is_the_first_step_whose_doubling_gains_less_than_ten_percent(
    doublings: list[float | None], place: int
) -> None:
    assert knee(doublings) == place


def doublings(*steps: tuple[int, float]) -> list[float | None]:
    (sweep,) = sweeps(of_depths(*steps))
    return [None if gain is None else round(gain, 3) for gain in doubling_gains(sweep)]


def test_that_the_gain_of_a_doubling_compares_the_best_step_before_with_the_best_up_to_twice_the_depth() -> None:
    assert doublings((1, 100.0), (2, 150.0), (4, 180.0), (8, 189.0)) == [50.0, 20.0, 5.0, None]
    # the fourth step recovers the loss of the third: 152 / 150
    assert doublings((1, 100.0), (2, 150.0), (4, 120.0), (8, 152.0)) == [50.0, 0.0, 1.333, None]


def test_that_uneven_steps_are_compared_with_twice_their_depth() -> None:
    # 3 is log2(1.5) = 0.585 of the way from 2 to 4, and 6 of the way from 4 to 8; from 3 to 6: 258.496 / 193.985
    steps = (1, 100.0), (2, 150.0), (3, 193.985), (4, 200.0), (8, 300.0)
    assert doublings(*steps) == [50.0, 33.333, pytest.approx(33.256, abs=0.002), 50.0, None]
    # 12 to 18 is log2(1.5) of a doubling: 1.1 ** (1 / 0.585) = 1.177; from 16 to 18 is too short to decide
    assert doublings((8, 100.0), (12, 100.0), (16, 105.0), (18, 110.0))[1:] == [17.696, None, None]


def test_that_a_sweep_without_io_has_a_knee_at_its_first_step() -> None:
    (sweep,) = sweeps(of_depths((1, 0.0), (2, 0.0), (4, 0.0)))
    assert (doubling_gains(sweep), sweep.knee, sweep.open_ended) == ((None, None, None), 0, False)


@given(st.lists(st.floats(1.0, 1e6), min_size=3, max_size=20), st.floats(0.01, 100.0))
def test_that_scaling_all_figures_does_not_move_the_knee(values: list[float], factor: float) -> None:
    (sweep,) = sweeps(of_depths(*enumerate(values, start=1)))
    (scaled,) = sweeps(of_depths(*enumerate((value * factor for value in values), start=1)))
    # A value exactly at the threshold may round to either side.
    near = any(gain is not None and abs(gain - 10.0) < 1e-9 for gain in doubling_gains(sweep))
    assert near or scaled.knee == sweep.knee


@given(st.permutations(of_depths((1, 100.0), (2, 150.0), (4, 200.0), (8, 201.0))))
def test_that_the_order_of_the_rows_changes_nothing(rows: list[Benchmark]) -> None:
    (sweep,) = sweeps(rows)
    assert (sweep.at, sweep.knee, sweep.best) == ((1, 2, 4, 8), 2, 3)
    assert not sweep.open_ended
    assert gains(sweep) == (None, pytest.approx(50.0), pytest.approx(100 / 3), pytest.approx(0.5))


def test_that_a_sweep_that_still_rises_is_reported() -> None:
    (sweep,) = sweeps(of_depths((1, 100.0), (2, 200.0), (4, 300.0)))
    assert sweep.open_ended


def test_that_a_sweep_is_drawn_as_its_best_step_next_to_other_tests() -> None:
    rows = [*of_depths((1, 100.0), (2, 300.0), (4, 200.0)), replace(ROW, path="other.txt", test="other")]
    shown = without_steps(groups(rows), sweeps(rows))
    assert [(group.name, group.kind.queue_depth) for group in shown] == [("other", 1), ("s", 2)]


def test_that_every_column_of_the_steps_has_a_title() -> None:
    found = sweeps(sample("storage-benchmarks").benchmarks)
    assert found
    assert [column.title for sweep in found for column in sweep_table(sweep).columns if not column.title] == []
