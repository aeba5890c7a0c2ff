"""The sources of numbers in tables and charts: their samples sum to the numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.compute import cache_answer
from workbench.answers.cache.tables import cache_table
from workbench.answers.common.sources import source_of
from workbench.answers.common.traces.trace_figure import per_vm_figure
from workbench.answers.common.traces.traces import View
from workbench.answers.compare.compute import compare
from workbench.answers.compare.figures import compare_figure
from workbench.answers.compare.tables import difference_table, verdict_table
from workbench.answers.overview.tables import tier_table, worst_vm_table
from workbench.charts.figure import Bars, FigureSource
from workbench.charts.tables import Cell, TableData
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.sources import explain
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

MCS = Configuration("MCS", Provisioning.MCS)
CACHED = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
TIMES = T0 + np.arange(1.0, 121.0)
# Its edges cut samples in two.
STEADY = phase("steady", 30.5, 110.25)


def member(folder: Path, configuration: Configuration, seed: int, vms: int = 2) -> RunFigures:
    """A run of some VMs with reads, writes, and the CPU of each VM."""
    rng = np.random.default_rng(seed)
    columns = [
        (counter(f"VM{place}", quantity, instance=instance), rng.exponential(level, TIMES.size))
        for place in range(vms)
        for quantity, level, instance in (
            (Quantity.READ_IOPS, 20.0, "_Total"),
            (Quantity.WRITE_IOPS, 30.0, "_Total"),
            (Quantity.CPU, 40.0, ""),
        )
    ]
    one = recording(folder, "a.csv", TIMES, columns)
    stated = {"name": folder.name, "folder": folder.name, "configuration": configuration, "vms": vms}
    return run_figures(run(one, stated_phases=(STEADY,), **stated))


@pytest.fixture
def groups(tmp_path: Path) -> tuple[Group, ...]:
    made = [("mcs-r1", MCS), ("mcs-r2", MCS), ("io-r1", CACHED), ("io-r2", CACHED), ("io-r3", CACHED)]
    return group_runs(member(tmp_path / name, one, seed) for seed, (name, one) in enumerate(made))


def added_up(groups: tuple[Group, ...], runs: tuple[str, ...], source: FigureSource) -> float:
    """The mean over runs of the sums of the contributions of each run's counters."""
    every = {one.run.folder: one for group in groups for one in group.runs}
    found = [explain(every[folder], source.phase, source.figure) for folder in runs]
    assert all(one.adds_up for one in found)
    return float(np.mean([sum(source.contribution or 0.0 for source in one.sources) for one in found]))


def cells(table: TableData, title: str, unit: str = "") -> list[Cell]:
    at = next(place for place, one in enumerate(table.columns) if (one.title, one.unit) == (title, unit))
    return [row[at] for row in table.rows]


def test_that_value_and_baseline_of_a_comparison_equal_the_sums_of_their_runs(groups: tuple[Group, ...]) -> None:
    table = difference_table(compare(groups), groups)
    sides = {"Value": ("io-r1", "io-r2", "io-r3"), "Baseline": ("mcs-r1", "mcs-r2")}
    for title, runs in sides.items():
        shown = [one for one in cells(table, title) if one.source and one.source.figure != "p95_iops_per_vm"]
        assert {"iops_per_vm", "total_io_per_vm", "read_percent", "cpu_percent"} <= {
            one.source.figure for one in shown if one.source
        }
        for one in shown:
            assert one.source is not None
            assert one.source.runs == runs
            assert added_up(groups, one.source.runs, one.source) == pytest.approx(one.value)


def test_that_the_source_of_a_difference_names_both_sides(groups: tuple[Group, ...]) -> None:
    table = difference_table(compare(groups), groups)
    place = next(at for at, row in enumerate(table.rows) if row[2].text == "IOPS per VM")
    one = cells(table, "Difference")[place]
    assert one.source is not None
    sides = (added_up(groups, runs, one.source) for runs in (one.source.runs, one.source.against))
    assert next(sides) - next(sides) == pytest.approx(one.value)
    assert cells(table, "Verdict")[place].source is None


def test_that_the_sources_of_verdicts_and_bars_name_the_runs_of_both_sides(groups: tuple[Group, ...]) -> None:
    comparison = compare(groups)
    (verdict,) = cells(verdict_table(comparison, groups, "steady"), "IOPS per VM")
    (panel,) = compare_figure(comparison, groups, "iops_per_vm").panels
    (bars,) = (mark for mark in panel.marks if isinstance(mark, Bars))
    wanted = FigureSource(("io-r1", "io-r2", "io-r3"), "steady", "iops_per_vm", ("mcs-r1", "mcs-r2"))
    assert verdict.source == wanted
    assert bars.sources == (wanted,)


def test_that_a_figure_without_runs_has_no_source(groups: tuple[Group, ...]) -> None:
    assert source_of(groups[0], "steady", "cache_disk_used_mb_end") is None
    assert source_of(groups[0], "boot", "iops_per_vm") is None
    known = groups[0].mean("steady", "iops_per_vm")
    assert known is not None
    assert source_of(groups[0], "steady", "iops_per_vm", known) is not None
    assert source_of(groups[0], "steady", "iops_per_vm", 1.01 * known) is None


def test_that_rates_and_cpu_of_the_cache_table_equal_the_sums_of_their_sources(groups: tuple[Group, ...]) -> None:
    table = cache_table(cache_answer(groups, "steady"), 100)
    for title, unit in (("All tiers", "IOPS"), ("CPU", "%")):
        for one in cells(table, title, unit):
            assert one.source is not None
            assert added_up(groups, one.source.runs, one.source) == pytest.approx(one.value)
    _, changed = cells(table, "All tiers", "change %")
    assert changed.source is not None
    assert changed.source.against == ("mcs-r1", "mcs-r2")
    # The result of a tier rule is not a metric of the phase table, and the size of a configuration is not a sample.
    assert {one.source.answer for one in cells(table, "Shared storage", "IOPS") if one.source} == {"cache"}
    assert all(one.source is None for one in cells(table, "Size", "MB"))


def test_that_rates_by_vantage_equal_the_sums_over_all_tiers(groups: tuple[Group, ...]) -> None:
    table = tier_table(groups)
    for title, unit in (("IOPS", "all machines"), ("Read", "IOPS"), ("Write", "IOPS")):
        shown = cells(table, title, unit)
        tiers = [row[4].text for row in table.rows]
        assert {tier for one, tier in zip(shown, tiers, strict=True) if one.source} == {"all"}
        for one in shown:
            if one.source is not None:
                assert added_up(groups, one.source.runs, one.source) == pytest.approx(one.value)


def test_that_the_source_of_the_highest_sample_is_its_row(groups: tuple[Group, ...]) -> None:
    table = worst_vm_table(groups, "steady")
    shown = [(row[1].text, row[4]) for row in table.rows if row[4].source]
    # One VM of each run has the highest sample.
    assert len(shown) == 5
    for vm, one in shown:
        assert one.source is not None
        assert one.source.vm == vm
        assert added_up(groups, one.source.runs, one.source) == pytest.approx(one.value)
    assert all(row[3].source is None for row in table.rows)


def test_that_the_source_of_a_trace_shows_its_run_and_vm_first(groups: tuple[Group, ...]) -> None:
    band, heatmap, *_ = per_vm_figure(groups, View("steady")).panels
    assert band.sources == heatmap.sources
    assert band.sources[""] == FigureSource(("mcs-r1", "mcs-r2"), "steady", "iops_per_vm")
    second = FigureSource(("mcs-r2", "mcs-r1"), "steady", "iops_per_vm", vm="VM1")
    assert band.sources["VM1 · r2"] == second
    mean = groups[0].mean("steady", "iops_per_vm")
    assert added_up(groups, second.runs, second) == pytest.approx(mean)


def test_that_the_source_of_a_read_trace_is_the_reads_and_a_whole_run_has_no_source(groups: tuple[Group, ...]) -> None:
    reads = per_vm_figure(groups, View("steady", Quantity.READ_IOPS)).panels[0]
    assert reads.sources["VM0 · r1"].figure == "read_iops_per_vm"
    assert per_vm_figure(groups, View("whole run")).panels[0].sources == {}
