"""The timeline: panels by unit, gaps, alignment, the report of a phase, notes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from tests.samples import sample
from workbench.answers.common.traces.marks import flags, with_notes
from workbench.answers.common.traces.traces import WHOLE_RUN, Alignment, View
from workbench.answers.timeline.curves import MAX_CURVES, curves, default_keys
from workbench.answers.timeline.page import MAX_PANELS, UNRECORDED, report, timeline, timeline_figure, timeline_table
from workbench.charts.decimate import LONG
from workbench.charts.figure import Figure, Line
from workbench.charts.palette import THEMES, colour, contrast
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.edits import Note
from workbench.model.metric import Quantity
from workbench.model.recording import Series, SeriesKey, series_key
from workbench.model.run import Configuration, Provisioning, Run
from workbench.session.state import State
from workbench.words.metrics import unit_of

MB = 2**20
TIMES = T0 + 10.0 * np.arange(1, 61)
PHASES = (phase("boot", 0, 100), phase("steady", 100, 400))
CPU = counter("A", Quantity.CPU)
IOPS = counter("A", Quantity.IOPS)
RAM = counter("A", Quantity.CACHE_RAM_USED)
OTHER = Series(0, "\\\\A\\Odd(x)\\Things", "A", "Odd", "x", "Things")


def made(folder: Path, name: str = "r1", shift: float = 0.0, **facts: object) -> Run:
    """CPU counts up, IOPS are 5, the cache is 300 MB, 2 other counters; ten minutes with a gap of two minutes."""
    count = np.arange(60.0)
    columns = [(CPU, count), (IOPS, np.full(60, 5.0)), (RAM, np.full(60, 300.0 * MB)), (OTHER, np.full(60, 2.0))]
    keep = (TIMES <= T0 + 420) | (TIMES > T0 + 540)
    one = recording(folder, f"{name}.csv", TIMES[keep] + shift, [(s, v[keep]) for s, v in columns])
    stated = tuple(phase(p.name, p.start - T0 + shift, p.end - T0 + shift) for p in PHASES)
    return run(one, **({"name": name, "folder": name, "stated_phases": stated} | facts))


def grouped(*runs: Run) -> tuple[Group, ...]:
    return group_runs([run_figures(one) for one in runs])


def keys(name: str, *wanted: Series) -> list[SeriesKey]:
    return [series_key(name, f"{name}.csv", one.path) for one in wanted]


def drawn(figure: Figure) -> list[list[Line]]:
    return [[mark for mark in panel.marks if isinstance(mark, Line)] for panel in figure.panels]


def test_that_each_unit_gets_one_panel_in_the_order_of_its_first_counter(tmp_path: Path) -> None:
    groups = grouped(made(tmp_path))
    figure = timeline_figure(curves(groups, keys("r1", RAM, CPU, OTHER, IOPS)), View("steady"))
    assert [(p.y.label, p.y.unit) for p in figure.panels] == [
        ("Memory and cache", "MB"),
        ("CPU", "%"),
        ("Things", ""),
        ("Storage I/O", "IOPS"),
    ]
    (ram,) = drawn(figure)[0]
    assert np.nanmax(ram.y) == pytest.approx(300.0)
    assert {p.x.limits for p in figure.panels} == {(-90.0, 500.0)}


def test_that_unrecorded_samples_are_a_gap_and_not_a_line(tmp_path: Path) -> None:
    (curve,) = curves(grouped(made(tmp_path)), keys("r1", CPU))
    ((line,),) = drawn(timeline_figure([curve], View("steady", alignment=Alignment.RUN_START)))
    place = int(np.flatnonzero(np.isnan(line.y))[0])
    assert line.x[place - 1 : place + 2].tolist() == [420.0, 485.0, 550.0]
    assert np.isnan(line.y).sum() == 1


@pytest.mark.parametrize(
    ("alignment", "first"),
    [(Alignment.PHASE_START, -90.0), (Alignment.RUN_START, 10.0), (Alignment.CLOCK, 8 * 3600 + 10.0)],
)
def test_that_x_counts_from_the_chosen_alignment(tmp_path: Path, alignment: Alignment, first: float) -> None:
    found = curves(grouped(made(tmp_path)), keys("r1", CPU))
    ((line,),) = drawn(timeline_figure(found, View("steady", alignment=alignment)))
    assert line.x[0] == pytest.approx(first)


def test_that_files_from_different_years_in_a_run_count_from_the_first_shown_sample(tmp_path: Path) -> None:
    early = recording(tmp_path, "early.csv", TIMES - 6_000 * 86_400, [(CPU, np.arange(60.0))])
    late = recording(tmp_path, "late.csv", TIMES, [(RAM, np.arange(60.0)), (OTHER, np.arange(60.0))])
    groups = grouped(run(early, late, name="mixed", folder="mixed"))
    found = curves(groups, [series_key("mixed", "late.csv", one.path) for one in (RAM, OTHER)])
    for alignment in (Alignment.PHASE_START, Alignment.RUN_START):
        figure = timeline_figure(found, View(WHOLE_RUN, alignment=alignment))
        assert {line.x[0] for panel in drawn(figure) for line in panel} == {0.0}
        assert {panel.x.limits for panel in figure.panels} == {(0.0, 590.0)}
        assert {panel.x.label for panel in figure.panels} == {"Time since recording start"}
        # The clock in the second row stays that of the samples.
        (row,) = {panel.time_row for panel in figure.panels}
        assert row is not None
        assert row.stretches[0][2] == -(T0 + 10.0)


def test_that_a_counter_of_two_runs_overlaps_itself_when_aligned(tmp_path: Path) -> None:
    mcsio = Configuration("MCSIO 512 MB", Provisioning.MCSIO, None, 512)
    groups = grouped(made(tmp_path), made(tmp_path, "r2", 86_400 + 777.0, configuration=mcsio))
    found = curves(groups, [*keys("r1", CPU), *keys("r2", CPU)])
    ((one, two),) = drawn(timeline_figure(found, View("steady")))
    np.testing.assert_allclose(one.x, two.x)
    assert (one.look.hue, two.look.hue) == ("curve 1", "curve 2")
    assert (one.name, two.name) == ("cpu · r1", "cpu · r2")


def test_that_phases_belong_to_the_run_of_the_first_counters_and_name_it(tmp_path: Path) -> None:
    groups = grouped(made(tmp_path), made(tmp_path, "r2", 500.0))
    figure = timeline_figure(curves(groups, [*keys("r2", CPU), *keys("r1", CPU)]), View("steady"))
    assert {region.run for region in figure.panels[0].regions} == {"r2"}
    assert any("phases of r2" in line for line in figure.method)


def test_that_the_report_of_a_phase_equals_the_numpy_statistics_of_its_samples(tmp_path: Path) -> None:
    (curve,) = curves(grouped(made(tmp_path)), keys("r1", CPU))
    found = report(curve, "steady")
    assert found is not None
    # Each sample covers the ten seconds before it: the samples at 110 to 400 s have the values 10 to 39.
    inside = np.arange(10.0, 40.0)
    assert (found.low, found.high, found.last, found.samples) == (10.0, 39.0, 39.0, 30)
    assert found.mean == pytest.approx(inside.mean())
    # A gauge applies at its moment: in [100, 400) the last reading is the one at 390 s.
    (ram,) = curves(grouped(made(tmp_path)), keys("r1", OTHER))
    gauge = report(ram, "steady")
    assert gauge is not None
    assert gauge.samples == 30
    whole = report(curve, WHOLE_RUN)
    assert whole is not None
    assert (whole.low, whole.high, whole.samples) == (0.0, 59.0, 48)


def test_that_a_phase_that_the_run_lacks_is_unavailable_and_not_zero(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    found = curves(grouped(made(tmp_path)), keys("r1", CPU))
    assert report(found[0], "logon") is None
    table = timeline_table(found, View("logon"))
    assert [cell.text for cell in table.rows[0][5:]] == ["—"] * 5
    assert timeline_figure(found, View("logon")).caption == snapshot


def test_that_the_report_has_a_row_and_a_key_for_every_counter(tmp_path: Path) -> None:
    wanted = keys("r1", RAM, OTHER)
    table = timeline_table(curves(grouped(made(tmp_path)), wanted), View("steady"))
    assert table.keys == tuple(wanted)
    assert [(row[0].text, row[4].text, row[5].value) for row in table.rows] == [
        (RAM.counter, "MB", pytest.approx(300.0)),
        ("Things", "—", pytest.approx(2.0)),
    ]


def test_that_an_empty_timeline_says_what_to_do(tmp_path: Path) -> None:
    assert curves(grouped(made(tmp_path)), [SeriesKey("elsewhere", "\\\\x")]) == ()
    assert "double-click" in timeline_figure((), View("steady")).empty


def test_that_runs_without_counters_do_not_ask_to_find_one() -> None:
    assert timeline(sample("vdi-login-storm"), State()).empty == UNRECORDED
    assert timeline(sample("xenapp-pvs-ram-cache"), State()).empty == ""


def test_that_a_file_without_a_clock_is_shown_from_the_start_of_its_run_only(tmp_path: Path) -> None:
    one = made(tmp_path)
    other = msgspec.structs.replace(OTHER, path="iops", metric=None)
    late = recording(tmp_path, "fio.log", [1.0, 2.0, 3.0], [(other, [4, 5, 6])])
    whole = replace(one, recordings=(*one.recordings, replace(late, relative=True)))
    found = curves(grouped(whole), [series_key("r1", "fio.log", "iops")])
    assert "Align at run start" in timeline_figure(found, View("steady")).empty
    ((line,),) = drawn(timeline_figure(found, View("steady", alignment=Alignment.RUN_START)))
    assert line.x.tolist() == [1.0, 2.0, 3.0]
    assert report(found[0], "steady") is None


def test_that_the_page_begins_with_io_and_cpu_of_the_first_run_with_data(tmp_path: Path) -> None:
    found = default_keys(grouped(made(tmp_path)))
    assert list(found) == keys("r1", IOPS, CPU)
    assert default_keys(()) == ()


def test_that_counters_above_the_limit_are_not_drawn_and_are_reported(tmp_path: Path) -> None:
    odd = [Series(0, f"\\\\A\\Odd(x)\\Thing {n}", "A", "Odd", "x", f"Thing {n}") for n in range(MAX_CURVES + 2)]
    one = recording(tmp_path, "o.csv", TIMES, [(s, np.ones(60)) for s in odd])
    groups = grouped(run(one, name="r1", folder="r1", stated_phases=PHASES))
    found = curves(groups, [series_key("r1", "o.csv", s.path) for s in odd])
    assert len(found) == MAX_CURVES
    figure = timeline_figure(found, View("steady"))
    assert len(figure.panels) == MAX_PANELS
    assert f"{MAX_CURVES - MAX_PANELS} counters are not shown" in figure.caption


def of_vms(folder: Path, name: str, vms: str, provisioning: Provisioning, size: int | None = None) -> Run:
    """A run of the machines named by letters, with CPU and IOPS each."""
    series = [counter(vm, quantity) for vm in vms for quantity in (Quantity.CPU, Quantity.IOPS)]
    one = recording(folder, f"{name}.csv", TIMES, [(s, np.full(60, 5.0)) for s in series])
    configuration = Configuration(name, provisioning, ram_cache_mb=size)
    return run(one, name=name, folder=name, stated_phases=PHASES, configuration=configuration)


def all_keys(one: Run, quantities: tuple[Quantity, ...] = (Quantity.CPU, Quantity.IOPS)) -> list[SeriesKey]:
    (recorded,) = one.recordings
    wanted = [s for s in recorded.series if s.metric is not None and s.metric.quantity in quantities]
    return [series_key(one.folder, recorded.file, s.path) for s in wanted]


def test_that_each_curve_has_a_colour_and_repeated_colours_have_a_different_dash(tmp_path: Path) -> None:
    one = of_vms(tmp_path, "MCS", "ABCDEFGHIJKLMNOP", Provisioning.MCS)
    shown = curves(grouped(one), all_keys(one))
    assert len({curve.look for curve in shown}) == len(shown) == 32
    assert len({curve.look.hue for curve in shown[:10]}) == 10
    for left, right in itertools.pairwise(shown):
        assert left.look.hue != right.look.hue
        assert left.look.marker != right.look.marker
    for theme in THEMES:
        for curve in shown[:10]:
            assert contrast(colour(curve.look, theme), THEMES[theme].card) >= 3


def test_that_a_selection_without_some_vms_reports_it(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    runs = [of_vms(tmp_path, "MCS", "ABCD", Provisioning.MCS), of_vms(tmp_path, "PVS", "ABCDEF", Provisioning.PVS)]
    groups = grouped(*runs)
    some = [key for one in runs for key in all_keys(one)[:4]]
    assert timeline_figure(curves(groups, some), View("steady")).caption == snapshot
    one_run = all_keys(runs[0])
    assert timeline_figure(curves(groups, one_run[:2]), View("steady")).caption == snapshot
    assert "VMs" not in timeline_figure(curves(groups, one_run), View("steady")).caption, "all of the run are drawn"


def test_that_a_long_line_is_reduced_to_its_extremes_and_a_short_one_is_not(tmp_path: Path) -> None:
    times = T0 + np.arange(1.0, LONG + 10)
    long = recording(tmp_path, "l.csv", times, [(CPU, np.ones(times.size))])
    figure = timeline_figure(
        curves(grouped(run(long, name="r1", folder="r1", stated_phases=PHASES)), keys("r1", CPU)), View("steady")
    )
    ((line,),) = drawn(figure)
    assert line.extremes is not None
    ((short,),) = drawn(timeline_figure(curves(grouped(made(tmp_path)), keys("r1", CPU)), View("steady")))
    assert short.extremes is None


@pytest.mark.parametrize(
    ("name", "unit", "shown"),
    [
        ("% Disk Time", "%", 40.0),
        ("Context Switches/sec", "1/s", 40.0),
        ("Disk Bytes/sec", "MB/s", 40 / 1e6),
        ("Avg. Disk sec/Transfer", "ms", 40_000.0),
        ("Available MBytes", "MB", 40.0),
        ("Committed Bytes", "MB", 40 / MB),
        ("Avg. Disk Bytes/Read", "KB", 40 / 1024),
        ("Threads", "", 40.0),
        ("slat read [assumed ns (fio ≥ 2.99)]", "ms", 4e-5),
        ("slat read [µs]", "ms", 0.04),
        ("bw trim [KiB/s]", "MB/s", 0.04096),
        ("iops trim [1/s]", "IOPS", 40.0),
    ],
)
def test_that_a_counter_without_a_known_meaning_takes_its_unit_from_its_name(
    name: str, unit: str, shown: float
) -> None:
    found = unit_of(Series(0, name, "A", "Odd", "", name))
    assert found.unit == unit
    assert 40.0 * found.factor == pytest.approx(shown)


def test_that_a_note_is_at_its_moment_in_its_run_and_in_the_same_phase_of_all_runs(tmp_path: Path) -> None:
    (group,) = grouped(made(tmp_path), made(tmp_path, "r2", 1_000.0))
    notes = (Note("a", "one run", T0 + 1_250, run="r2"), Note("b", "every run", 30.0, phase="steady"))
    found = flags(notes, group.runs, View("steady"))
    assert [(flag.number, round(flag.x, 3), flag.text) for flag in found] == [
        (1, 150.0, "one run"),
        (2, 30.0, "every run"),
    ]
    clock = flags(notes[1:], group.runs, View("steady", alignment=Alignment.CLOCK))
    assert [round(flag.x, 3) for flag in clock] == [8 * 3600 + 130, 8 * 3600 + 1130]
    assert flags((Note("c", "x", 1.0, phase="logon"),), group.runs, View("steady")) == ()


def test_that_notes_are_drawn_in_the_columns_of_their_runs(tmp_path: Path) -> None:
    groups = grouped(made(tmp_path))
    figure = timeline_figure(curves(groups, keys("r1", CPU, RAM)), View("steady"))
    noted = with_notes(figure, (Note("a", "x", T0 + 200, run="r1"),), View("steady"), {0: groups[0].runs})
    assert [len(panel.notes) for panel in noted.panels] == [1, 1]
