"""The figures, cards and tables of sweeps, repeats and latencies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.answers.benchmarks.compute import families, groups
from workbench.answers.benchmarks.figures import benchmark_figures
from workbench.answers.benchmarks.latency_figure import latency_figure
from workbench.answers.benchmarks.names import labels
from workbench.answers.benchmarks.page import benchmarks, latency_cards, repeats_cards, side_by_side_cards, sweep_cards
from workbench.answers.benchmarks.raw_disk import raw_disk
from workbench.answers.benchmarks.repeats_figure import repeated, repeats_figure
from workbench.answers.benchmarks.sweep_figure import knee_words, sweep_figure
from workbench.answers.benchmarks.sweeps import DepthSweep, sweeps
from workbench.answers.benchmarks.tables import figures, histogram_table, latency_table, results_table
from workbench.answers.common.library import Library
from workbench.charts.content import Card
from workbench.charts.figure import Bars, Line, Points
from workbench.model.benchmark import Benchmark, Op
from workbench.model.run import Study
from workbench.session.state import State
from workbench.words.numbers import MISSING, THIN

ROW = Benchmark(
    path="a.txt",
    tool="sqlio",
    op=Op.READ,
    test="a",
    iops=1000.0,
    mb_per_s=8.192,
    latency_mean_ms=0.0,
    block_bytes=8192,
    queue_depth=1,
    threads=2,
    read_percent=100.0,
    pattern="random",
)


def sweep_of(*figures: tuple[int, float], **changes: object) -> DepthSweep:
    rows = [replace(ROW, queue_depth=depth, iops=iops, **changes) for depth, iops in figures]  # type: ignore[arg-type]
    (found,) = sweeps(rows)
    return found


BENT = ((1, 1000.0), (2, 1900.0), (4, 3000.0), (8, 3050.0))


def test_that_latency_is_drawn_below_iops_and_the_range_after_the_knee_is_shaded() -> None:
    figure = sweep_figure(sweep_of(*BENT, tool="vdbench", latency_mean_ms=1.5))
    iops, latency = figure.panels
    assert (iops.y.unit, latency.y.unit, iops.x) == ("IOPS", "ms", latency.x)
    assert iops.x.categories == ("QD1", "QD2", "QD4", "QD8")
    assert [(region.start, region.end) for region in iops.regions] == [(2.0, 3.0)]
    assert "queue depth 4" in figure.summary


def test_that_rounded_latencies_of_sqlio_are_shown_next_to_those_of_littles_law() -> None:
    lines = {mark.name: mark for mark in sweep_figure(sweep_of(*BENT)).panels[1].marks if isinstance(mark, Line)}
    # 2 threads x queue depth 4 / 3,000 IOPS
    assert lines["outstanding I/Os ÷ IOPS"].y[2] == pytest.approx(1000 * 8 / 3000)
    assert "mean (rounded down to ms)" in lines
    unknown = sweep_figure(sweep_of(*BENT, threads=None)).panels[1]
    assert [mark.name for mark in unknown.marks] == ["mean (rounded down to ms)"]


def test_that_a_sweep_without_latencies_has_no_latency_panel() -> None:
    assert len(sweep_figure(sweep_of(*BENT, latency_mean_ms=None)).panels) == 1


def test_that_many_steps_are_drawn_to_scale() -> None:
    figure = sweep_figure(sweep_of(*((depth, 1000.0 + depth) for depth in range(1, 40))))
    assert figure.panels[0].x.categories == ()
    assert isinstance(figure.panels[0].marks[0], Line)
    assert figure.panels[0].marks[0].x.tolist() == [float(depth) for depth in range(1, 40)]


@pytest.mark.parametrize(
    ("figures", "words", "note"),
    [
        (BENT, "The knee is at queue depth 4", "+1.7"),
        ((*BENT[:3], (8, 6000.0)), "IOPS still rise at the last step", "still rise"),
        (((1, 1000.0), (2, 1010.0), (4, 990.0)), "The first step is enough", "no doubling of the load raises"),
    ],
)
def test_that_caption_and_cards_say_how_the_sweep_ends(
    figures: tuple[tuple[int, float], ...], words: str, note: str
) -> None:
    sweep = sweep_of(*figures)
    assert words in knee_words(sweep)
    assert note in sweep_cards(sweep)[0].note


def test_that_repeats_are_drawn_as_dots_with_mean_and_interval_and_the_axis_break_is_visible(
    snapshot: SnapshotAssertion,
) -> None:
    rows = [replace(ROW, iops=iops) for iops in (1000.0, 1010.0, 1020.0)]
    (group,) = repeated(rows)
    figure = repeats_figure(group)
    (panel,) = figure.panels
    band, mean, dots = panel.marks
    assert isinstance(dots, Points)
    assert (dots.x.tolist(), dots.y.tolist()) == ([0.0, 1.0, 2.0], [1000.0, 1010.0, 1020.0])
    assert isinstance(mean, Line)
    assert set(mean.y) == {1010.0}
    assert band.name == snapshot
    assert figure.caption == snapshot
    assert panel.y.limits is not None
    assert panel.y.limits[0] > 0
    card, spread = repeats_cards(group)
    assert "95 % interval [985, 1" in card.note.replace(THIN, "")
    assert spread.value == "2.0"


def test_that_two_runs_have_a_range_and_single_runs_are_not_listed() -> None:
    rows = [ROW, replace(ROW, iops=1100.0), replace(ROW, test="once", path="b.txt")]
    (group,) = repeated(rows)
    assert repeats_figure(group).panels[0].marks[0].name == "range of the two runs"


def test_that_percentiles_and_histograms_are_side_by_side() -> None:
    rows = [
        replace(ROW, tool="fio", latency_p50_ms=1.0, latency_p99_ms=4.0, histogram=((1.0, 40.0), (2.0, 60.0))),
        replace(ROW, path="b.txt", test="b", histogram=((1.0, 90.0), (2.0, 9.0), (3.0, 1.0))),
    ]
    shown = groups(rows)
    percentiles, histogram = latency_figure(shown).panels
    assert (percentiles.column, histogram.column) == (0, 1)
    p50, p95, p99 = (mark for mark in percentiles.marks if isinstance(mark, Bars))
    assert (p50.values.tolist(), p99.values.tolist()) == ([1.0], [4.0])
    assert np.isnan(p95.values).all()
    assert [mark.name for mark in histogram.marks] == ["a", "b"]
    table = histogram_table(shown)
    assert [[cell.text for cell in row] for row in table.rows] == [
        [f"<{THIN}1", "40.0", "90.0"],
        ["1–2", "60.0", "9.0"],
        ["2–3", "0.0", "1.0"],
    ]
    assert latency_cards(shown)[0].value == "4.00"
    assert [card.value for card in latency_cards(shown[1:])] == ["90"]


def test_that_tests_without_percentiles_and_histograms_are_reported() -> None:
    assert "No percentiles or histograms" in latency_figure(groups([ROW])).empty


def test_that_cards_name_the_highest_and_lowest_test_and_the_raw_disk(snapshot: SnapshotAssertion) -> None:
    rows = [ROW, replace(ROW, path="r.txt", test="raw disk", iops=500.0)]
    shown = groups(rows)
    cards = side_by_side_cards(shown, raw_disk(shown))
    assert [(card.title, card.value) for card in cards] == [
        ("Highest IOPS", f"1{THIN}000"),
        ("Lowest IOPS", "500"),
        ("Raw disk", "500"),
    ]
    assert cards[0].detail == snapshot
    assert cards[2].detail == "guessed from its name"


def test_that_cards_of_tests_with_different_depths_name_no_highest_and_lowest() -> None:
    deep = replace(ROW, path="d.txt", test="deep", queue_depth=32, iops=9000.0)
    shown = groups([ROW, deep, replace(ROW, path="r.txt", test="raw disk", iops=500.0)])
    assert [card.title for card in side_by_side_cards(shown, raw_disk(shown))] == ["Raw disk"]
    words = benchmark_figures([ROW, deep])[0].summary
    assert "9" not in words.replace(THIN, "")
    alike = benchmark_figures([ROW, replace(deep, queue_depth=ROW.queue_depth)])[0].summary
    assert f"9{THIN}000" in alike


def test_that_cards_of_tests_with_unknown_block_size_name_no_highest_and_lowest() -> None:
    rows = [
        replace(ROW, job=job, iops=iops, block_bytes=None) for job, iops in (("4K reads", 900.0), ("1M reads", 9.0))
    ]
    assert side_by_side_cards(groups(rows), None) == ()
    alike = [replace(row, job="reads", path=f"{place}.txt", test=f"{place}") for place, row in enumerate(rows)]
    assert [card.value for card in side_by_side_cards(groups(alike), None)] == ["900", "9.00"]


def test_that_tests_of_an_unknown_block_size_come_last() -> None:
    unknown = [replace(ROW, job=f"{job}", block_bytes=None) for job in range(3)]
    assert [family.block_bytes for family in families(groups([*unknown, ROW]))] == [8192, None]


def test_that_cards_distinguish_tests_with_the_same_name() -> None:
    rows = [replace(ROW, path=f"{disk}/a.txt", iops=iops) for disk, iops in (("ssd", 900.0), ("hdd", 9.0))]
    most, least = side_by_side_cards(groups(rows), None)
    assert ("ssd" in most.note, "hdd" in least.note) == (True, True)


def swept_steps(folder: str, iops: float, limit: int = 4, **more: Any) -> list[Benchmark]:
    """A sweep of at least three queue depths that levels off at the second."""
    depths = [1, 2, 4, 8][: limit.bit_length()]
    return [
        replace(ROW, path=f"{folder}/qd{depth}.txt", test="t", queue_depth=depth, iops=most, **more)
        for depth, most in zip(depths, (iops / 4, iops, 1.01 * iops, 1.02 * iops), strict=False)
    ]


def cards_of(*rows: Benchmark) -> dict[str, Card]:
    """The cards of the page, by their title."""
    content = benchmarks(Library((Study("s", "s", (), benchmarks=rows),), {}, {}), State())
    return {card.title: card for card in content.cards}


def test_that_the_cards_of_a_sweep_cover_the_tests_that_are_drawn() -> None:
    reads = [
        replace(ROW, test=f"{name}", path=f"{name}.txt", queue_depth=depth, read_percent=None, job="x")
        for name, depth in (("p", 1), ("q", 2), ("r", 2), ("s", 2))
    ]
    elsewhere = swept_steps("other", 9000.0, op=Op.WRITE, read_percent=None)
    assert cards_of(*reads, *elsewhere) == {}
    several = cards_of(*swept_steps("slow", 800.0, limit=8), *swept_steps("fast", 8000.0))
    assert several["Highest IOPS"].value == f"8{THIN}080"
    assert "fast" in several["Highest IOPS"].detail


def test_that_the_rows_of_the_shown_family_come_first_and_only_they_have_ratios() -> None:
    other = replace(ROW, path="0.txt", test="other", block_bytes=4096)
    raw = replace(ROW, path="r.txt", test="raw", iops=500.0)
    rows = [other, ROW, raw]
    family = next(family for family in families(groups(rows)) if family.block_bytes == 8192)
    disk = raw_disk(families(groups(rows))[family])
    table = results_table(rows, family, disk)
    assert [(row[0].text, row[3].text) for row in table.rows] == [
        ("a", "2.00"),
        ("raw", "raw disk"),
        ("other", MISSING),
    ]
    assert [row[0].text for row in latency_table(rows, family).rows] == ["a", "raw", "other"]


def test_that_all_cells_of_a_column_have_the_decimals_of_the_most_precise_one() -> None:
    assert [cell.text for cell in figures([1.1, 0.89, None])] == ["1.10", "0.89", MISSING]
    assert [cell.text for cell in figures([18412.0, 71299.0])] == [f"18{THIN}412", f"71{THIN}299"]
    assert [cell.text for cell in figures([0.12345], 3)] == ["0.123"]
    assert figures([]) == []
    # In the window: at most four significant digits.
    brief = [cell.brief for cell in figures([233.628, 60.35, 6.851, 0.826, 1672.4, 71299.0])]
    assert brief == ["233.6", "60.35", "6.85", "0.83", f"1{THIN}672", f"71{THIN}300"]


def test_that_file_labels_omit_words_that_all_files_share() -> None:
    names = ("ram_randwrite-4k_qd16x4", "raw_randwrite-4k_qd16x4", "raw_randwrite-4k_qd16x4_old")
    rows = [replace(ROW, path=f"{name}.json", test=name) for name in names]
    assert labels(groups(rows)) == ("ram", "raw", "raw_old")
