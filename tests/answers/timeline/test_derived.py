"""Computed curves of the timeline, and plots that curves are moved to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.answers.timeline.test_timeline import CPU, IOPS, PHASES, RAM, TIMES, drawn, grouped, keys, made
from tests.builders import T0, counter, recording, run
from workbench.answers.common.choices import Derived
from workbench.answers.common.traces.traces import Alignment, View
from workbench.answers.timeline.curves import curves
from workbench.answers.timeline.page import Plot, timeline_figure, timeline_table
from workbench.charts.figure import Line, Panel
from workbench.model.metric import Quantity
from workbench.model.recording import SeriesKey

SUM, DIFFERENCE, CHANGE = (SeriesKey("r1", f"={rule}") for rule in ("sum", "difference", "derivative"))
READS, WRITES = (counter("A", quantity) for quantity in (Quantity.READ_IOPS, Quantity.WRITE_IOPS))
MB = 2**20


def test_that_sum_and_difference_equal_those_of_the_samples(tmp_path: Path) -> None:
    generator = np.random.default_rng(7)
    reads, writes = generator.uniform(0, 900, (2, 60))
    reads[11], writes[30] = np.nan, np.nan
    one = recording(tmp_path, "r1.csv", TIMES, [(READS, reads), (WRITES, writes)])
    groups = grouped(run(one, name="r1", folder="r1", stated_phases=PHASES))
    parts = tuple(keys("r1", READS, WRITES))
    recipes = (Derived(SUM, "sum", parts), Derived(DIFFERENCE, "difference", parts))
    total, less = curves(groups, (SUM, DIFFERENCE), recipes)
    np.testing.assert_allclose(total.samples.values, reads + writes)
    np.testing.assert_allclose(less.samples.values, reads - writes)
    assert np.isnan(total.samples.values[[11, 30]]).all(), "missing is not zero"
    assert {total.unit.unit, less.unit.unit} == {"IOPS"}
    assert all(part.counter in total.name for part in (READS, WRITES))
    assert total.name != less.name
    (row,) = timeline_table((total,), View("steady")).rows
    inside = (TIMES > T0 + 100) & (TIMES <= T0 + 400)
    assert row[5].value == pytest.approx(np.nanmean((reads + writes)[inside]), rel=1e-9)


def test_that_counters_with_different_times_are_read_between_their_samples(tmp_path: Path) -> None:
    slow = T0 + 20.0 * np.arange(1, 21)
    one = recording(tmp_path, "r1.csv", TIMES, [(READS, TIMES - T0)])
    two = recording(tmp_path, "r2.csv", slow, [(WRITES, 3.0 * (slow - T0))])
    groups = grouped(run(one, two, name="r1", folder="r1", stated_phases=PHASES))
    (total,) = curves(groups, (SUM,), (Derived(SUM, "sum", tuple(keys("r1", READS, WRITES))),))
    at = total.samples.end - T0
    expected = np.where((at >= 20) & (at <= 400), 4.0 * at, np.nan)
    np.testing.assert_allclose(total.samples.values[1:], expected[1:])


def test_that_the_change_is_per_minute_and_missing_across_a_gap(tmp_path: Path) -> None:
    groups = grouped(made(tmp_path))
    recipes = (Derived(CHANGE, "derivative", tuple(keys("r1", CPU))),)
    cpu, change = curves(groups, (*keys("r1", CPU), CHANGE), recipes)
    # The builder's CPU rises by 1 % each 10 s.
    assert change.unit.unit == "%/min"
    gaps = cpu.samples.span[1:] == 0
    np.testing.assert_allclose(change.samples.values[~gaps], 6.0)
    assert np.isnan(change.samples.values[gaps]).all()
    assert gaps.sum() == 1
    assert "cpu" in change.name


def test_that_computed_curves_use_the_displayed_unit_and_earlier_computed_curves(tmp_path: Path) -> None:
    groups = grouped(made(tmp_path))
    (ram,) = keys("r1", RAM)
    recipes = (Derived(SUM, "sum", (ram, ram)), Derived(CHANGE, "derivative", (SUM,)))
    total, change = curves(groups, (SUM, CHANGE), recipes)
    assert set(total.samples.values * total.unit.factor) == {600.0}, "MB, not bytes"
    assert (total.unit.unit, change.unit.unit) == ("MB", "MB/min")
    assert change.of == (ram,)


@pytest.mark.parametrize(
    ("rule", "parts"),
    [
        ("sum", (*keys("r1", CPU), *keys("r1", IOPS))),
        ("difference", tuple(keys("r1", CPU))),
        ("derivative", tuple(keys("r1", CPU, CPU))),
        ("sum", (*keys("r1", CPU), *keys("r2", CPU))),
        ("sum", (*keys("r1", CPU), SeriesKey("r1", "no such counter"))),
        ("derivative", (SUM,)),
    ],
)
def test_that_incompatible_counters_are_not_computed(tmp_path: Path, rule: str, parts: tuple[SeriesKey, ...]) -> None:
    groups = grouped(made(tmp_path), made(tmp_path, "r2", 9_000.0))
    assert curves(groups, (SUM,), (Derived(SUM, rule, parts),)) == ()  # type: ignore[arg-type]


def names(panel: Panel) -> list[str]:
    return [mark.name for mark in panel.marks]


def test_that_plots_with_the_same_unit_are_adjacent_and_contain_moved_curves(tmp_path: Path) -> None:
    groups = grouped(made(tmp_path), made(tmp_path, "r2"))
    some = (*keys("r1", CPU), *keys("r1", IOPS), *keys("r2", CPU))
    found = curves(groups, some)
    together = timeline_figure(found, View("steady"))
    assert [panel.key for panel in together.panels] == [Plot("%", 0).key, Plot("IOPS", 0).key]
    apart = timeline_figure(found, View("steady"), {some[2]: 3})
    assert [panel.key for panel in apart.panels] == [Plot("%", 0).key, Plot("%", 3).key, Plot("IOPS", 0).key]
    assert [names(panel) for panel in apart.panels] == [["cpu · r1"], ["cpu · r2"], ["disk transfers · r1"]] or (
        len({name for panel in apart.panels for name in names(panel)}) == 3
    )
    assert {line.look for panel in drawn(together) for line in panel} == {
        line.look for panel in drawn(apart) for line in panel
    }, "a curve keeps its colour when it moves"


def test_that_the_second_axis_row_shows_the_clock_or_minutes_of_each_phase(tmp_path: Path) -> None:
    found = curves(grouped(made(tmp_path)), keys("r1", CPU))
    under_minutes = timeline_figure(found, View("steady")).panels[0].time_row
    assert under_minutes is not None
    assert under_minutes.clock
    ((start, _, zero),) = under_minutes.stretches
    assert start - zero == pytest.approx(TIMES[0])
    under_clock = timeline_figure(found, View("steady", alignment=Alignment.CLOCK)).panels[0].time_row
    assert under_clock is not None
    assert not under_clock.clock
    zeros = [zero for _, _, zero in under_clock.stretches]
    assert zeros == [T0 % 86_400, T0 % 86_400 + 100], "seconds of the day, like the axis"


def test_that_the_clock_is_that_of_the_result_files(tmp_path: Path) -> None:
    one = recording(tmp_path, "r1.csv", TIMES, [(CPU, np.arange(60.0))], offset_minutes=60)
    groups = grouped(run(one, name="r1", folder="r1", stated_phases=PHASES))
    row = timeline_figure(curves(groups, keys("r1", CPU)), View("steady")).panels[0].time_row
    assert row is not None
    ((start, _, zero),) = row.stretches
    assert start - zero == pytest.approx(TIMES[0] + 3600)
    assert "+01:00" in row.label
    (on_clock, *_) = timeline_figure(curves(groups, keys("r1", CPU)), View("steady", alignment=Alignment.CLOCK)).panels
    assert on_clock.x.label.endswith("UTC+01:00")
    (line,) = (mark for mark in on_clock.marks if isinstance(mark, Line))
    assert line.x[0] == pytest.approx((TIMES[0] + 3600) % 86_400), "hours of the clock, not of UTC"
