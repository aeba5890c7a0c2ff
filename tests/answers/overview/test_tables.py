"""The overview's tables: user-named phases with their duration, means with intervals, tiers, worst VMs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.overview.tables import phase_table, tier_table, worst_vm_table
from workbench.charts.tables import Cell, TableData
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, SessionType

PLAIN = Configuration("without FAST Cache", Provisioning.MCS)
CACHED = Configuration("FAST Cache", Provisioning.OTHER)
STEP = 30.0


def groups(folder: Path, *tests: tuple[Configuration, float, float]) -> tuple[Group, ...]:
    """Runs of two VMs with an antivirus scan of that many minutes at that many IOPS per VM."""
    runs = []
    for place, (configuration, minutes, rate) in enumerate(tests):
        times = T0 + STEP * np.arange(1, int(minutes * 60 / STEP) + 1)
        columns = [
            (counter(vm, Quantity.IOPS), np.full(times.size, rate * scale)) for vm, scale in (("A", 0.5), ("B", 1.5))
        ]
        file = recording(folder, f"{place}.csv", times, columns)
        scan = phase("av-scan", 0, minutes * 60)
        runs.append(
            run(
                file,
                name=f"run-{place}",
                folder=f"study/{place}",
                configuration=configuration,
                stated_phases=(scan,),
                session_type=SessionType.VDI,
            )
        )
    return group_runs(run_figures(one) for one in runs)


def cell(table: TableData, configuration: str, title: str, unit: str = "") -> Cell:
    at = next(place for place, one in enumerate(table.columns) if (one.title, one.unit) == (title, unit))
    (row,) = (row for row in table.rows if (row[0].text, row[1].text) == (configuration, "av-scan"))
    return row[at]


def test_that_a_scan_of_77_against_101_minutes_is_24_percent_shorter(tmp_path: Path) -> None:
    table = phase_table(groups(tmp_path, (PLAIN, 101, 8.0), (CACHED, 77, 8.0)))
    found = cell(table, "FAST Cache", "Change", "in duration")
    assert round(found.value) == -24
    assert found.text == "−23.8\u2009%"
    assert cell(table, "without FAST Cache", "Change", "in duration").text == "baseline"


def test_that_the_mean_over_three_runs_is_shown_with_half_of_its_interval(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    tests = [(PLAIN, 10, rate) for rate in (9.0, 10.0, 11.0)]
    found = cell(phase_table(groups(tmp_path, *tests)), "without FAST Cache", "IOPS", "per VM")
    # t(0.975, 2) = 4.303; 4.303 x 1 / sqrt(3) = 2.484
    assert found.value == pytest.approx(10.0)
    assert found.text == "10.0\u2009±\u20092.5"
    assert found.tip == snapshot


def test_that_two_runs_have_a_range_and_one_has_only_its_mean(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    table = phase_table(groups(tmp_path, (PLAIN, 10, 9.0), (PLAIN, 10, 11.0), (CACHED, 10, 4.0)))
    two, one = (cell(table, name, "IOPS", "per VM") for name in ("without FAST Cache", "FAST Cache"))
    assert (two.text, two.tip) == snapshot
    assert (one.text, one.tip) == ("4.00", "")


def test_that_a_number_links_to_the_runs_of_its_mean(tmp_path: Path) -> None:
    several = groups(tmp_path, (PLAIN, 10, 9.0), (PLAIN, 10, 11.0))
    source = cell(phase_table(several), "without FAST Cache", "IOPS", "per VM").source
    assert source is not None
    assert (source.runs, source.phase, source.figure) == (("study/0", "study/1"), "av-scan", "iops_per_vm")
    first = next(row for row in phase_table(several, per_run=True).rows if row[1].text == "av-scan")
    assert {one.source.runs for one in first if one.source} == {("study/0",)}


def test_that_columns_without_data_are_named_in_the_legend(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    table = phase_table(groups(tmp_path, (PLAIN, 10, 9.0)))
    assert "Overflow start" not in {column.title for column in table.columns}
    assert table.method == snapshot
    assert any("Overflow start" in line for line in table.method)


def test_that_tiers_are_adjacent_columns_and_an_assumed_tier_is_marked(tmp_path: Path) -> None:
    table = tier_table(groups(tmp_path, (PLAIN, 10, 9.0), (PLAIN, 10, 11.0)))
    rows = [row for row in table.rows if row[1].text == "av-scan"]
    assert [row[4].text for row in rows] == ["all", "shared storage (assumed)"]
    assert [row[7].value for row in rows] == pytest.approx([20.0, 20.0])
    assert rows[1][-1].text.startswith("assumed: ")


def test_that_the_worst_vm_of_all_runs_comes_first_with_its_run(tmp_path: Path) -> None:
    table = worst_vm_table(groups(tmp_path, (PLAIN, 10, 9.0), (PLAIN, 10, 11.0)), "av-scan")
    first = table.rows[0]
    assert [one.text for one in first[1:3]] == ["B", "run-1"]
    assert first[3].value == pytest.approx(16.5)
    assert first[5].value == pytest.approx(3.0)
