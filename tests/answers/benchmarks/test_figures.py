from __future__ import annotations

from dataclasses import replace

import numpy as np
from syrupy.assertion import SnapshotAssertion

from workbench.answers.benchmarks.figures import MAX_GROUPS, benchmark_figures, family_figure, side_by_side
from workbench.answers.benchmarks.raw_disk import raw_disk
from workbench.charts.figure import Bars, Figure
from workbench.model.benchmark import Benchmark, Op

ROW = Benchmark(
    path="a.json",
    tool="fio",
    tool_version="3.19",
    op=Op.READ,
    test="a",
    job="j",
    iops=100.0,
    mb_per_s=0.4096,
    latency_mean_ms=2.0,
    block_bytes=4096,
    queue_depth=8,
    threads=1,
    read_percent=100.0,
    pattern="random",
    started="2020-01-01T10:00:00Z",
)


def of_files(*names: str) -> list[Benchmark]:
    return [replace(ROW, path=f"{name}.json", test=name) for name in names]


def bars(figure: Figure, panel: int) -> dict[str, Bars]:
    marks = figure.panels[panel].marks
    assert all(isinstance(mark, Bars) for mark in marks)
    return {mark.name: mark for mark in marks if isinstance(mark, Bars)}


def test_that_an_empty_figure_names_the_tools_whose_results_it_can_show() -> None:
    figure = benchmark_figures([])[0]
    assert figure.panels == ()
    assert "The study has no benchmark results" in figure.empty


def test_that_the_three_quantities_are_side_by_side_with_their_units() -> None:
    figure = benchmark_figures([ROW])[0]
    assert [(panel.column, panel.y.unit) for panel in figure.panels] == [(0, "IOPS"), (0, "MB/s"), (0, "ms")]
    assert [bars(figure, column)["read"].values.tolist() for column in range(3)] == [[100.0], [0.4096], [2.0]]
    assert figure.empty == ""
    assert not figure.share_y
    assert "100 IOPS" in figure.summary


def test_that_what_was_not_measured_is_nan_and_never_zero() -> None:
    write = replace(ROW, path="b.json", test="b", op=Op.WRITE, latency_mean_ms=None, read_percent=100.0)
    figure = benchmark_figures([ROW, write])[0]
    np.testing.assert_array_equal(bars(figure, 0)["read"].values, [100.0, np.nan])
    np.testing.assert_array_equal(bars(figure, 0)["write"].values, [np.nan, 100.0])
    np.testing.assert_array_equal(bars(figure, 2)["write"].values, [np.nan, np.nan])


def test_that_each_direction_looks_different_in_more_than_colour() -> None:
    rows = [replace(ROW, op=op) for op in Op]
    looks = [mark.look for mark in bars(benchmark_figures(rows)[0], 0).values()]
    assert len(looks) == 5
    assert len({(look.dash, look.tint) for look in looks}) >= 4
    assert len({(look.hue, look.tint) for look in looks}) == 5


def test_that_names_are_short_and_unique() -> None:
    labels = benchmark_figures(of_files("one", "two"))[0].panels[0].x.categories
    assert labels == ("one", "two")
    two_jobs = [ROW, replace(ROW, job="k")]
    assert benchmark_figures(two_jobs)[0].panels[0].x.categories == ("j", "k")
    long = of_files("x" * 60 + "-randread", "x" * 60 + "-randwrite")
    labels = benchmark_figures(long)[0].panels[0].x.categories
    assert len(set(labels)) == 2
    assert max(map(len, labels)) <= 40


def test_that_tests_with_equal_settings_are_numbered() -> None:
    same = [replace(ROW, path="x" * 50 + f"{n}" + "y" * 50, test=None, job=None) for n in range(2)]
    assert len(set(benchmark_figures(same)[0].panels[0].x.categories)) == 2


def test_that_shared_settings_are_named_once_and_different_settings_per_test() -> None:
    assert benchmark_figures(of_files("a", "b"))[0].panels[0].subtitle == "4\u2009KiB random reads, QD8"
    figure = benchmark_figures([ROW, replace(ROW, path="b.json", test="b", threads=4)])[0]
    assert figure.panels[0].subtitle == "4\u2009KiB random reads, QD8"
    assert figure.panels[0].x.categories == ("a", "b (×4)")


def test_that_other_block_sizes_patterns_and_mixes_never_share_an_axis(snapshot: SnapshotAssertion) -> None:
    others = [{"block_bytes": 65536}, {"pattern": "sequential"}, {"read_percent": 70.0}]
    rows = of_files("a", "b")
    for place, other in enumerate(others):
        rows.append(replace(ROW, path=f"o{place}.json", test=f"o{place}", **other))  # type: ignore[arg-type]
    every = list(side_by_side(rows))
    assert benchmark_figures(rows)[0].panels[0].x.categories == ("a", "b")
    assert benchmark_figures(rows)[0].caption == snapshot
    shown = [family_figure(rows, side_by_side(rows), family).panels[0] for family in every]
    assert [panel.subtitle for panel in shown[1:]] == [
        "4\u2009KiB sequential reads, QD8",
        "4\u2009KiB random, 70\u2009% reads, QD8",
        "64\u2009KiB random reads, QD8",
    ]
    assert len(benchmark_figures(rows)) == 4


def test_that_names_state_the_ratio_to_the_raw_disk() -> None:
    rows = [replace(ROW, path="r.json", test="raw"), replace(ROW, path="c.json", test="cache", iops=387.0)]
    (tests,) = side_by_side(rows).values()
    figure = family_figure(rows, side_by_side(rows), raw=raw_disk(tests))
    assert figure.panels[0].x.categories == ("cache (3.87 × raw disk)", "raw (raw disk)")


def test_that_a_sweep_is_drawn_as_its_best_step_next_to_other_tests() -> None:
    sweep = [
        replace(ROW, queue_depth=depth, iops=iops, started=None, tool="sqlio")
        for depth, iops in ((1, 50.0), (2, 90.0), (4, 80.0))
    ]
    figure = benchmark_figures([*of_files("b"), *sweep])[0]
    assert figure.panels[0].x.categories == ("a (QD2)", "b (QD8)")


def test_that_at_most_twelve_tests_are_drawn_and_the_caption_reports_it(snapshot: SnapshotAssertion) -> None:
    figure = benchmark_figures(of_files(*(f"t{n}" for n in range(30))))[0]
    assert bars(figure, 0)["read"].values.shape == (MAX_GROUPS,)
    assert figure.panels[0].x.categories[:3] == ("t0", "t1", "t2")
    assert figure.caption == snapshot


def test_that_the_caption_names_tools_files_and_units(snapshot: SnapshotAssertion) -> None:
    rows = [*of_files("a", "b"), replace(ROW, path="c.json", tool_version="3.6"), replace(ROW, path="d", tool="sqlio")]
    figure = benchmark_figures(rows)[0]
    assert (figure.caption, figure.method) == snapshot
    assert any("1 MB = 10⁶ bytes" in line for line in figure.method)


def test_that_failed_jobs_have_no_bar_and_are_named_in_the_caption(snapshot: SnapshotAssertion) -> None:
    bad = replace(ROW, path="bad.json", test="bad", error="fio error 28: “full”")
    figure = benchmark_figures([ROW, bad])[0]
    assert figure.panels[0].x.categories == ("a",)
    assert figure.caption == snapshot
    only = benchmark_figures([bad])[0]
    assert np.isnan(bars(only, 0)["read"].values).all()
    assert "none with measured I/O" in only.summary


def test_that_repeats_are_drawn_with_their_range_and_the_caption_gives_their_number() -> None:
    again = replace(ROW, iops=200.0, started="2020-01-01T11:00:00Z")
    figure = benchmark_figures([ROW, again])[0]
    read = bars(figure, 0)["read"]
    assert (read.values.tolist(), read.low.tolist(), read.high.tolist()) == ([150.0], [100.0], [200.0])
    assert any("up to n = 2" in line for line in figure.method)
    assert bars(benchmark_figures([ROW])[0], 0)["read"].low.size == 0
