"""Load curves: response time over IOPS, the knee, and the curves excluded from comparisons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from workbench.answers.benchmarks.figures import side_by_side
from workbench.answers.benchmarks.load import load_curves, load_figure, load_table, load_words
from workbench.answers.benchmarks.tables import slices_table, telling_slices
from workbench.charts.figure import Line
from workbench.model.benchmark import Benchmark, Op

POINTS = ((10.0, 80.0, 1.5), (50.0, 400.0, 1.25), (70.0, 560.0, 1.3), (90.0, 720.0, 9.0), (None, 800.0, 40.0))


def point(percent: float | None, iops: float, latency: float, name: str = "oltp") -> Benchmark:
    job = name if percent is None else f"{name}_({percent:g}%)"
    shared = Benchmark("out/flatfile.html", "vdbench", Op.READ, test="out", job=job, curve=name)
    return replace(shared, iops=iops, latency_mean_ms=latency, load_percent=percent)


ROWS = [point(*values) for values in reversed(POINTS)]


def test_that_the_points_of_a_curve_are_in_order_of_load_with_full_speed_last() -> None:
    (curve,) = load_curves(ROWS)
    assert [(each.percent, each.iops.mean, each.latency_ms.mean) for each in curve.points] == list(POINTS)
    assert curve.name == "out · oltp"


def test_that_the_knee_is_where_iops_per_millisecond_are_highest() -> None:
    (curve,) = load_curves(ROWS)
    by_hand = [iops / latency for _, iops, latency in POINTS]
    assert curve.knee == by_hand.index(max(by_hand)) == 2
    assert "Knee at 70" in load_words(curve)
    assert "800 IOPS" in load_words(curve)


@given(st.floats(0.001, 1000), st.floats(0.001, 1000))
def test_that_units_of_rate_and_time_do_not_move_the_knee(rate: float, time: float) -> None:
    scaled = [
        replace(row, iops=(row.iops or 0) * rate, latency_mean_ms=(row.latency_mean_ms or 0) * time) for row in ROWS
    ]
    assert load_curves(scaled)[0].knee == 2


def test_that_a_curve_that_never_slows_down_has_no_knee(snapshot: SnapshotAssertion) -> None:
    (curve,) = load_curves([point(percent, iops, 1.0) for percent, iops, _ in POINTS])
    assert curve.open_ended
    assert load_words(curve) == snapshot
    assert load_figure(curve).panels[0].regions == ()
    assert [row[-1].text for row in load_table(curve).rows] == [""] * 5


def test_that_a_point_that_was_slow_at_little_load_is_named(snapshot: SnapshotAssertion) -> None:
    (curve,) = load_curves([*ROWS, point(30.0, 240.0, 75.0)])
    assert curve.points[curve.knee].percent == 70.0
    assert load_words(curve) == snapshot
    assert "at less load" not in load_words(load_curves(ROWS)[0])


def test_that_the_figure_draws_response_time_over_iops_and_shades_what_is_beyond_the_knee() -> None:
    (curve,) = load_curves(ROWS)
    (panel,) = load_figure(curve).panels
    (line,) = panel.marks
    assert isinstance(line, Line)
    assert list(zip(line.x, line.y, strict=True)) == [(iops, latency) for _, iops, latency in POINTS]
    assert [(region.start, region.end) for region in panel.regions] == [(560.0, 800.0)]
    assert [row[-1].text for row in load_table(curve).rows] == ["", "", "knee", "", ""]


@pytest.mark.parametrize("rows", [ROWS[:2], [replace(row, iops=None) for row in ROWS], []])
def test_that_two_points_or_unmeasured_ones_are_not_a_curve(rows: list[Benchmark]) -> None:
    assert load_curves(rows) == ()


def test_that_curves_of_one_folder_stay_separate() -> None:
    other = [point(*values, name="web") for values in POINTS]
    assert [curve.name for curve in load_curves([*ROWS, *other])] == ["out · oltp", "out · web"]


def test_that_a_curve_is_drawn_as_its_run_at_full_speed_next_to_other_tests() -> None:
    (shown,) = side_by_side(ROWS).values()
    assert [group.subject.job for group in shown] == ["oltp"]
    (shown,) = side_by_side(ROWS[1:]).values()
    assert len(shown) == 4


def slices(kind: str, count: int) -> tuple[Benchmark, ...]:
    return tuple(replace(ROWS[0], part=f"{kind} {number}", iops=800.0 / count) for number in range(count))


def test_that_slices_are_shown_if_they_add_to_their_run() -> None:
    row = replace(ROWS[0], slices=(*slices("host", 2), *slices("slave", 2), *slices("sd", 1)))
    assert [part.part for part in telling_slices(row)] == ["host 0", "host 1"]
    assert [part.part for part in telling_slices(replace(row, slices=(*slices("host", 1), *slices("slave", 2))))] == [
        "slave 0",
        "slave 1",
    ]
    table = slices_table([row])
    assert [[cell.text for cell in cells[1:5]] for cells in table.rows] == [
        ["host 0", "read", "400", "50"],
        ["host 1", "read", "400", "50"],
    ]
    assert slices_table(ROWS).rows == ()
