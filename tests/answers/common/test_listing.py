"""Many configurations: the listed rows, their order, the content of their sparklines, and the drawn configurations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.page import cache
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.listing import BUILD, BY_NAME, HIGHEST, LOWEST, MANY, Chosen, Figured, build_of, listed
from workbench.answers.common.looks import looks
from workbench.answers.common.names import DRAWN, EVERY, FILTER, GROUPED, SORTED
from workbench.answers.compare.page import answer as compare_page
from workbench.answers.overview.page import overview
from workbench.answers.per_vm.page import per_vm
from workbench.answers.sizing.page import sizing
from workbench.charts.figure import Bars, Line
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.recording import FileReport
from workbench.model.run import Configuration, Provisioning, Run, Study

STEP, SAMPLES = 30.0, 20
BUILDS = ("Windows 10", "Windows 11")
KEYS = {"filter": FILTER, "group": GROUPED, "sort": SORTED, "drawn": DRAWN}


def one_run(folder: Path, name: str, rate: float | None, place: int, guest_os: str | None = None) -> Run:
    """A run of one VM with that many IOPS for ten minutes of steady state; None: only CPU was logged."""
    times = T0 + STEP * np.arange(1, SAMPLES + 1)
    quantity = Quantity.CPU if rate is None else Quantity.IOPS
    columns = [(counter("A", quantity), np.full(SAMPLES, 50.0 if rate is None else rate))]
    kind = next(kind for kind in Provisioning if name.startswith(kind) or kind is Provisioning.OTHER)
    return run(
        recording(folder, f"{name}-{place}.csv", times, columns),
        name=f"{name} r{place}",
        folder=f"study/{name}-{place}",
        configuration=Configuration(name, kind),
        stated_phases=(phase("steady", 0, STEP * SAMPLES),),
        guest_os=guest_os,
    )


def many_runs(folder: Path, count: int = 14) -> list[Run]:
    """`MCS 1` at 11 and 13 IOPS, `MCS 2` at 21 and 23, …: two runs each, odd ones of Windows 10, even ones of 11."""
    return [
        one_run(folder, f"MCS {number}", 10.0 * number + 2 * place - 1, place, BUILDS[(number + 1) % 2])
        for number in range(1, count + 1)
        for place in (1, 2)
    ]


def groups_of(runs: list[Run]) -> tuple[Group, ...]:
    return group_runs(run_figures(one) for one in runs)


def library_of(runs: list[Run]) -> Library:
    files = (FileReport("a.csv", "perfmon", True, SAMPLES),)
    return Library((Study("study", "study", tuple(runs), files),), {one.folder: run_figures(one) for one in runs})


def chosen(groups: tuple[Group, ...], room: int = 6, **inputs: str) -> Chosen:
    choices = Choices(inputs=tuple((KEYS[name], value) for name, value in inputs.items()))
    rows = listed(groups, choices, [Figured("steady", MEASURES["iops_per_vm"])], "steady", room)
    assert rows is not None
    return rows


def labels(rows: Chosen) -> list[str]:
    return [row[0].text for row in rows.listing.table.rows]


@pytest.fixture
def groups(tmp_path: Path) -> tuple[Group, ...]:
    return groups_of(many_runs(tmp_path))


def test_that_a_list_is_shown_for_more_than_twelve_configurations_only(tmp_path: Path) -> None:
    runs = many_runs(tmp_path, MANY + 1)
    content = overview(library_of(runs[: 2 * MANY]), Choices())
    assert content.listing is None
    assert len(content.cards) == MANY
    assert content.figure is not None
    assert len(content.figure.panels[0].marks) == MANY
    assert overview(library_of(runs), Choices()).listing is not None


def test_that_a_filter_with_several_words_keeps_the_rows_with_all_of_them(groups: tuple[Group, ...]) -> None:
    even = [f"MCS {number}" for number in range(2, 15, 2)]
    assert labels(chosen(groups, filter=" 11  WINDOWS", sort=BY_NAME)) == even
    # Not every row with "Windows 1".
    assert labels(chosen(groups, filter="1 mcs", sort=BY_NAME)) == ["MCS 1", *(f"MCS 1{end}" for end in range(5))]
    assert labels(chosen(groups, filter="13")) == ["MCS 13"]


def test_that_numbers_in_names_are_ordered_as_numbers(groups: tuple[Group, ...]) -> None:
    assert labels(chosen(groups, sort=BY_NAME)) == [f"MCS {number}" for number in range(1, 15)]


def test_that_rows_are_in_order_of_their_means_and_missing_values_come_last(tmp_path: Path) -> None:
    runs = [*many_runs(tmp_path, 13), one_run(tmp_path, "MCS without", None, 1)]
    falling = [f"MCS {number}" for number in range(13, 0, -1)]
    assert labels(chosen(groups_of(runs), sort=HIGHEST)) == [*falling, "MCS without"]
    assert labels(chosen(groups_of(runs), sort=LOWEST)) == [*reversed(falling), "MCS without"]


def test_that_builds_are_headings_and_a_configuration_with_two_builds_has_a_separate_one(tmp_path: Path) -> None:
    runs = [*many_runs(tmp_path, 13), one_run(tmp_path, "MCS 1", 15.0, 3, "Windows 11")]
    groups = groups_of(runs)
    assert build_of(next(group for group in groups if group.label == "MCS 1")) == "Windows 10 + Windows 11"
    rows = chosen(groups, group=BUILD, sort=BY_NAME).listing.table.rows
    headings = [row[0].text for row in rows if row[0].heading]
    assert headings == [
        "Windows 10 + Windows 11: 1 configuration, 3 runs",
        "Windows 11: 6 configurations, 12 runs",
        "Windows 10: 6 configurations, 12 runs",
    ]
    assert [row[0].text for row in rows[:4]] == [headings[0], "MCS 1", headings[1], "MCS 2"]


def test_that_many_builds_of_a_configuration_are_shortened_to_the_first_and_last(tmp_path: Path) -> None:
    runs = [replace(one_run(tmp_path, "MCS", 10.0 + place, place), build=f"b{place:02d}") for place in range(1, 13)]
    (group,) = groups_of(runs)
    assert build_of(group) == "b01 + … + b12 (12 builds)"
    assert build_of(replace(group, runs=group.runs[:2])) == "b01 + b02"


def test_that_a_row_has_the_mean_of_its_runs_and_its_sparkline_shows_each_run(
    groups: tuple[Group, ...], snapshot: SnapshotAssertion
) -> None:
    (row,) = chosen(groups, filter="13").listing.table.rows
    cell = row[2]
    assert (cell.text, cell.value) == ("132", pytest.approx(132.0))
    assert cell.spark is not None
    assert cell.spark.values == pytest.approx((131.0, 133.0))
    # The scale is that of all configurations: 'MCS 14' reaches 143.
    assert cell.spark.top == pytest.approx(143.0)
    assert cell.tip == snapshot
    assert cell.source is not None
    assert cell.source.runs == ("study/MCS 13-1", "study/MCS 13-2")


def test_that_an_unmeasured_run_is_a_gap_and_not_zero(tmp_path: Path) -> None:
    runs = [*many_runs(tmp_path, 13), one_run(tmp_path, "MCS 1", None, 3, BUILDS[0])]
    (row,) = [row for row in chosen(groups_of(runs)).listing.table.rows if row[0].text == "MCS 1"]
    assert row[2].spark is not None
    assert row[2].spark.values == (pytest.approx(11.0), pytest.approx(13.0), None)
    assert row[2].value == pytest.approx(12.0)
    assert "11.0, 13.0, — (" in row[2].tip


def test_that_the_first_rows_are_drawn_until_the_user_ticks_others(groups: tuple[Group, ...]) -> None:
    by_name = chosen(groups, sort=BY_NAME)
    assert by_name.listing.drawn == tuple(f"MCS {number}" for number in range(1, 7))
    assert by_name.listing.table.legend.startswith("Shown: 6 of 14 configurations.")
    assert chosen(groups, sort=BY_NAME, drawn="MCS 13\nMCS 2").listing.drawn == ("MCS 2", "MCS 13")
    # The latest ticks come first; ticks above the limit are no longer drawn.
    assert chosen(groups, 2, sort=BY_NAME, drawn="MCS 13\nMCS 2\nMCS 5").listing.drawn == ("MCS 2", "MCS 13")
    # A ticked row that the filter hides is not drawn.
    assert chosen(groups, drawn="MCS 2", filter="13").listing.drawn == ("MCS 13",)


def test_that_a_filter_without_match_reports_how_many_rows_it_hides(
    groups: tuple[Group, ...], snapshot: SnapshotAssertion
) -> None:
    rows = chosen(groups, filter="vsan")
    assert (labels(rows), rows.groups) == ([], ())
    assert rows.listing.table.legend == snapshot


def test_that_bars_keep_their_colours_in_a_filtered_list(tmp_path: Path) -> None:
    runs = many_runs(tmp_path)
    content = overview(library_of(runs), Choices().with_input(FILTER, "13"))
    assert content.figure is not None
    (bar,) = content.figure.panels[0].marks
    assert isinstance(bar, Bars)
    own = looks(groups_of(runs))["MCS 13"]
    assert (bar.name, bar.look.hue, bar.look.tint) == ("MCS 13", own.hue, own.tint)
    assert content.figure.caption.startswith("Shown: 1 of 14 configurations")
    assert content.caption == content.figure.caption


@pytest.mark.parametrize("page", [overview, compare_page, per_vm, sizing])
def test_that_every_page_keeps_its_list_if_nothing_matches(page: object, tmp_path: Path) -> None:
    assert callable(page)
    content = page(library_of(many_runs(tmp_path)), Choices().with_input(FILTER, "vsan"))
    assert (content.figure, content.empty) == (None, "")
    assert content.question == page(library_of(many_runs(tmp_path)), Choices()).question
    assert content.listing is not None
    assert "No configuration matches" in content.listing.table.legend


def test_that_compare_lists_the_changes_of_all_configurations_except_the_baseline(tmp_path: Path) -> None:
    content = compare_page(library_of(many_runs(tmp_path)), Choices().with_input(SORTED, LOWEST))
    assert content.listing is not None
    rows = content.listing.table.rows
    assert len(rows) == content.listing.total == 13
    # 'MCS 2' with 21 and 23 IOPS, compared with the mean of 11 and 13 IOPS.
    assert rows[0][0].text == "MCS 2"
    assert rows[0][2].value == pytest.approx(100 * (22 / 12 - 1))


def test_that_per_vm_columns_follow_the_list_and_are_compared_only_with_the_baseline(tmp_path: Path) -> None:
    content = per_vm(library_of(many_runs(tmp_path)), Choices().with_input(DRAWN, "MCS 14\nMCS 9"))
    assert content.figure is not None
    assert [panel.title for panel in content.figure.panels if panel.title] == ["MCS 14", "MCS 9"]
    assert {panel.against for panel in content.figure.panels} == {None}
    assert "baseline" not in content.figure.summary


def test_that_data_files_contain_all_configurations(tmp_path: Path) -> None:
    content = overview(library_of(many_runs(tmp_path)), Choices().with_input(FILTER, "13").with_input(EVERY, 1.0))
    assert content.listing is None
    assert content.figure is not None
    assert len(content.figure.panels[0].marks) == 14


def cached_run(folder: Path, number: int) -> Run:
    """A run of one VM with a RAM cache of 512 MB, which fills at `number` MB a sample."""
    times = T0 + STEP * np.arange(1, SAMPLES + 1)
    used = 2**20 * number * np.arange(1.0, SAMPLES + 1)
    columns = [
        (counter("A", Quantity.IOPS), np.full(SAMPLES, 10.0)),
        (counter("A", Quantity.CACHE_RAM_USED), used),
        (counter("A", Quantity.CACHE_DISK_USED), np.zeros(SAMPLES)),
    ]
    return run(
        recording(folder, f"{number}.csv", times, columns),
        name=f"run {number}",
        folder=f"study/{number}",
        configuration=Configuration(f"MCSIO {number:02}", Provisioning.MCSIO, ram_cache_mb=512),
        stated_phases=(phase("steady", 0, STEP * SAMPLES),),
    )


@pytest.mark.parametrize("view", ["over-time", "filling"])
def test_that_the_cache_page_lists_configurations_with_a_cache_and_draws_five(view: str, tmp_path: Path) -> None:
    runs = [*(cached_run(tmp_path, number) for number in range(1, 14)), one_run(tmp_path, "MCS", 10.0, 1)]
    choices = Choices().with_page_view("cache", view).with_input(SORTED, HIGHEST)
    content = cache(library_of(runs), choices)
    assert (content.listing is not None, content.cards) == (True, ())
    assert content.listing is not None
    assert content.listing.total == 13
    # 13 MB a sample; the twentieth reading is at the end, which is after the phase.
    assert content.listing.table.rows[0][2].value == pytest.approx(19 * 13.0)
    assert content.figure is not None
    lines = [mark.name for mark in content.figure.panels[0].marks if isinstance(mark, Line)]
    assert lines == [f"MCSIO {number}" for number in (13, 12, 11, 10)] + ["MCSIO 09"]
    (table, *_) = content.tables
    assert len(table.rows) == 14
