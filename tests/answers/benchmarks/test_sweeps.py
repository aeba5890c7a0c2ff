"""Sweeps: which rows belong together, and where more stops to pay."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.answers.benchmarks.compute import groups
from workbench.answers.benchmarks.sweeps import gains, knee, sweeps, without_steps
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


def test_that_rows_of_rising_queue_depth_are_a_sweep_in_the_order_of_depth() -> None:
    (sweep,) = sweeps(of_depths((4, 300.0), (1, 100.0), (2, 200.0)))
    assert (sweep.varies, sweep.holds, sweep.held, sweep.at) == ("queue_depth", "threads", 1, (1, 2, 4))
    assert [step.iops.mean for step in sweep.steps] == [100.0, 200.0, 300.0]
    assert [step.outstanding for step in sweep.steps] == [1, 2, 4]


def test_that_two_steps_are_no_sweep() -> None:
    assert sweeps(of_depths((1, 100.0), (2, 200.0))) == ()


@pytest.mark.parametrize(
    "other", [{"block_bytes": 4096}, {"pattern": "sequential"}, {"host": "h"}, {"tool": "fio"}, {"job": "Y:"}]
)
def test_that_rows_of_another_test_are_no_step(other: dict[str, object]) -> None:
    rows = [*of_depths((1, 100.0), (2, 200.0)), *of_depths((4, 300.0), **other)]
    assert sweeps(rows) == ()


def test_that_files_named_by_their_depth_are_one_sweep_and_other_numbers_keep_them_apart() -> None:
    rows = [
        replace(ROW, path=f"{size}k-qd{depth}.json", test=f"{size}k-qd{depth}", queue_depth=depth)
        for depth in (4, 8, 16)
        for size in (4, 64)
    ]
    found = sweeps(rows)
    assert [(sweep.name, sweep.at) for sweep in found] == [("4k-qdN", (4, 8, 16)), ("64k-qdN", (4, 8, 16))]


def test_that_threads_are_swept_at_a_constant_depth_else_at_constant_outstanding() -> None:
    constant_depth = [replace(ROW, threads=threads, queue_depth=4) for threads in (1, 2, 4)]
    (sweep,) = sweeps(constant_depth)
    assert (sweep.varies, sweep.holds, sweep.held) == ("threads", "queue_depth", 4)
    constant_outstanding = [replace(ROW, threads=threads, queue_depth=8 // threads) for threads in (1, 2, 4)]
    (sweep,) = sweeps(constant_outstanding)
    assert (sweep.varies, sweep.holds, sweep.held, sweep.at) == ("threads", "outstanding", 8, (1, 2, 4))


def test_that_a_whole_grid_gives_each_line_of_it_and_no_diagonals() -> None:
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


def test_that_a_failed_step_is_left_out() -> None:
    rows = of_depths((1, 100.0), (2, 200.0), (4, 300.0), (8, 400.0))
    rows[2] = replace(rows[2], error="full")
    (sweep,) = sweeps(rows)
    assert sweep.at == (1, 2, 8)


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ([100.0], 0),
        ([100.0, 105.0], 1),
        ([100.0, 104.99], 0),
        ([100.0, 150.0, 151.0, 149.0], 1),
        # what the fourth step loses the fifth recovers: it buys nothing
        ([100.0, 150.0, 160.0, 120.0, 161.0], 2),
        ([0.0, 0.0], 0),
        ([200.0, 100.0], 0),
    ],
)
def test_that_the_knee_is_the_last_step_that_buys_five_percent_over_the_best_before(
    values: list[float], place: int
) -> None:
    assert knee(values) == place


def test_that_an_empty_sweep_has_no_knee() -> None:
    with pytest.raises(ValueError, match="at least one step"):
        knee([])


@given(st.lists(st.floats(1.0, 1e6), min_size=1, max_size=20), st.floats(0.01, 100.0))
def test_that_scaling_all_figures_moves_no_knee_and_nothing_after_it_buys_much(
    values: list[float], factor: float
) -> None:
    found = knee(values)
    # A step that lies on the threshold to the last bit may round to either side.
    near = any(abs(value / (1.05 * max(values[:place])) - 1) < 1e-9 for place, value in enumerate(values) if place)
    assert near or knee([value * factor for value in values]) == found
    assert all(values[place] < 1.05 * max(values[:place]) for place in range(found + 1, len(values)))


@given(st.permutations(of_depths((1, 100.0), (2, 150.0), (4, 200.0), (8, 201.0))))
def test_that_the_order_of_the_rows_changes_nothing(rows: list[Benchmark]) -> None:
    (sweep,) = sweeps(rows)
    assert (sweep.at, sweep.knee, sweep.best) == ((1, 2, 4, 8), 2, 3)
    assert not sweep.open_ended
    assert gains(sweep) == (None, pytest.approx(50.0), pytest.approx(100 / 3), pytest.approx(0.5))


def test_that_a_sweep_that_still_rises_says_so() -> None:
    (sweep,) = sweeps(of_depths((1, 100.0), (2, 200.0), (4, 300.0)))
    assert sweep.open_ended


def test_that_side_by_side_a_sweep_is_its_best_step() -> None:
    rows = [*of_depths((1, 100.0), (2, 300.0), (4, 200.0)), replace(ROW, path="other.txt", test="other")]
    shown = without_steps(groups(rows), sweeps(rows))
    assert [(group.name, group.kind.queue_depth) for group in shown] == [("other", 1), ("s", 2)]
