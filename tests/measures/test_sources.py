"""From a figure to its rows: the contributions of the counters sum to it, and the rows are those of the files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.sources import FIGURES, UnknownFigureError, explain, explain_run
from workbench.model.metric import OF_SESSIONS, Quantity
from workbench.model.recording import FileReport, Recording, Series
from workbench.model.run import Configuration, Provisioning, SessionType
from workbench.model.source import Explanation

MB = 2**20
CPU_UTILITY, POWER = Quantity.CPU_UTILITY, Quantity.POWER
TIMES = T0 + np.arange(1.0, 121.0)
# Edges between samples: the first and the last count for a part of their interval.
PHASES = (phase("boot", 0, 30.5), phase("steady", 30.5, 119.25))
MCSIO = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
# The figures that are sums of the contributions of their sources.
SUMS = (
    "total_io",
    "total_io_per_vm",
    "iops",
    "iops_per_vm",
    "iops_per_user",
    "read_iops",
    "write_iops",
    "read_iops_per_vm",
    "write_iops_per_vm",
    "read_percent",
    "write_percent",
    "peak_iops_per_vm",
    "read_latency_ms",
    "write_latency_ms",
    "cache_ram_used_mb_end",
    "cache_ram_used_mb_peak",
    "cache_ram_used_percent",
    "cache_disk_used_mb_end",
    "cache_disk_used_mb_peak",
    "cpu_percent",
    "cpu_utility_percent",
    "input_delay_ms",
    "round_trip_ms",
    "bandwidth_udp_mbit_s",
    "frames_per_s",
    "power_w",
    "watts_per_user",
)


def columns(vm: str, seed: int, *, total: bool) -> list[tuple[Series, np.ndarray]]:
    """All counters of a VM; without `total` as two single disks, with blanks and a sample below zero."""
    rng = np.random.default_rng(seed)

    def rate(level: float) -> np.ndarray:
        values = rng.exponential(level, TIMES.size)
        values[rng.integers(0, TIMES.size, 5)] = np.nan
        return values

    instances = ("_Total",) if total else ("0 C:", "1 D:")
    found: list[tuple[Series, np.ndarray]] = []
    for instance in instances:
        for quantity, level in (
            (Quantity.READ_IOPS, 20.0),
            (Quantity.WRITE_IOPS, 30.0),
            (Quantity.READ_LATENCY, 0.004),
            (Quantity.WRITE_LATENCY, 0.002),
        ):
            found.append((counter(vm, quantity, instance=instance), rate(level)))
    found[0][1][60] = -5.0
    grown = np.maximum(0, np.arange(TIMES.size) - 50.0) * 0.4 * MB
    found.append((counter(vm, Quantity.CACHE_RAM_USED, instance=""), np.arange(TIMES.size) * MB * 1.0))
    found.append((counter(vm, Quantity.CACHE_DISK_USED, instance=""), grown))
    found.append((counter(vm, Quantity.CPU), rng.uniform(10, 90, TIMES.size)))
    return [*found, *((counter(vm, quantity), rate(3.0)) for quantity in (*OF_SESSIONS, CPU_UTILITY, POWER))]


@pytest.fixture
def figures(tmp_path: Path) -> RunFigures:
    """One VM by totals, one by single disks, one in two files that overlap, the second out of order."""
    first, second = slice(0, 70), slice(60, 120)
    shuffled = np.concatenate((np.arange(60, 120)[::2], np.arange(60, 120)[1::2]))
    split = columns("C", 3, total=True)
    files = (
        recording(tmp_path, "ab.csv", TIMES, [*columns("A", 1, total=True), *columns("B", 2, total=False)]),
        recording(tmp_path, "c-1.csv", TIMES[first], [(series, values[first]) for series, values in split]),
        recording(tmp_path, "c-2.csv", TIMES[shuffled], [(series, values[shuffled]) for series, values in split]),
    )
    assert second.start < first.stop
    one = run(*files, stated_phases=PHASES, configuration=MCSIO, session_type=SessionType.RDS, vms=3, users=45)
    return run_figures(one)


def summed(found: Explanation) -> float:
    return sum(source.contribution or 0.0 for source in found.sources)


@pytest.mark.parametrize("name", ["boot", "steady"])
@pytest.mark.parametrize("figure", SUMS)
def test_that_contributions_sum_to_the_figure_of_the_phase_table(figures: RunFigures, figure: str, name: str) -> None:
    found = explain(figures, name, figure)
    row = figures.phase(name)
    assert row is not None
    assert found.value == getattr(row, figure)
    assert found.value is not None
    assert found.adds_up
    assert summed(found) == pytest.approx(found.value, rel=1e-9)


def test_that_every_figure_of_the_table_can_be_explained(figures: RunFigures) -> None:
    for figure in FIGURES:
        found = explain(figures, "steady", figure)
        assert found.formula
        assert found.value is not None, figure


@pytest.mark.parametrize("figure", ["p95_iops_per_vm", "read_latency_p95_ms"])
def test_that_a_percentile_has_sources_without_contributions(figures: RunFigures, figure: str) -> None:
    found = explain(figures, "steady", figure)
    assert {source.vm for source in found.sources} == {"A", "B", "C"}
    assert {source.contribution for source in found.sources} == {None}
    assert not found.adds_up


def test_that_the_sources_are_file_rows_and_a_cut_sample_counts_partly(tmp_path: Path) -> None:
    values = np.arange(120.0)
    file = recording(
        tmp_path, "a.csv", TIMES, [(counter("A", Quantity.CPU), values), (counter("A", Quantity.IOPS), values)]
    )
    found = explain(run_figures(run(file, stated_phases=PHASES)), "steady", "total_io")
    (source,) = found.sources
    # The sample that ends at 31 s holds 30.5 to 31 s; row 31 is its value 30. The last ends at 120 s.
    assert (source.first_row, source.last_row, source.samples, source.missing) == (31, 120, 90, 0)
    by_hand = 0.5 * 30 + values[31:119].sum() + 0.25 * 119
    assert source.contribution == pytest.approx(by_hand)
    assert (source.file, source.vm, source.column, source.interval_s) == ("a.csv", "A", 3, 1.0)
    assert source.counter == "\\\\A\\PhysicalDisk(_Total)\\iops"


def one_file(folder: Path, peak: int) -> Recording:
    values = np.full(120, 1.0)
    values[peak] = 99.0
    return recording(folder, "a.csv", TIMES, [(counter("A", Quantity.IOPS), values)])


def test_that_the_line_of_a_peak_is_known_if_every_line_is_a_row(tmp_path: Path) -> None:
    ours = run_figures(run(one_file(tmp_path, 77), stated_phases=PHASES))
    report = FileReport("a.csv", reader="perfmon", recognised=True, rows=120)
    (source,) = explain(ours, "steady", "peak_iops_per_vm", {"a.csv": report}).sources
    # The 78th row is below the header.
    assert (source.first_row, source.first_line, source.last_line, source.contribution) == (78, 79, 79, 99.0)


def test_that_no_line_is_named_if_rows_were_skipped(tmp_path: Path) -> None:
    ours = run_figures(run(one_file(tmp_path, 77), stated_phases=PHASES))
    report = FileReport("a.csv", reader="perfmon", recognised=True, rows=120, rejected_rows=2)
    (source,) = explain(ours, "steady", "peak_iops_per_vm", {"a.csv": report}).sources
    assert (source.first_row, source.first_line) == (78, None)


def test_that_reads_and_writes_are_named_if_they_are_summed_to_iops(figures: RunFigures) -> None:
    ours = [source for source in explain(figures, "boot", "iops").sources if source.vm == "A"]
    assert [source.part for source in ours] == ["reads", "writes"]
    shared = explain(figures, "boot", "read_percent").sources
    assert {source.part for source in shared if source.contribution is None} == {"writes"}


def test_that_duplicate_rows_in_a_second_file_contribute_nothing(figures: RunFigures) -> None:
    ours = [source for source in explain(figures, "steady", "iops").sources if source.vm == "C"]
    first, second = (next(one for one in ours if one.file == name) for name in ("c-1.csv", "c-2.csv"))
    assert (first.last_row, first.samples + first.missing) == (70, 40)
    assert second.samples + second.missing == 50


def test_that_a_missing_sample_is_reported_with_its_count(figures: RunFigures) -> None:
    (cpu,) = [source for source in explain(figures, "steady", "cpu_percent").sources if source.vm == "A"]
    reads = next(source for source in explain(figures, "steady", "read_iops").sources if source.vm == "A")
    assert cpu.missing == 0
    assert reads.missing > 0
    assert reads.samples + reads.missing == 90


def test_that_a_sample_missing_on_one_disk_is_missing_in_the_sum(figures: RunFigures) -> None:
    disks = [source for source in explain(figures, "steady", "read_iops").sources if source.vm == "B"]
    assert len(disks) == 2
    assert disks[0].missing == disks[1].missing > 0


def test_that_all_figures_of_a_run_computed_together_equal_each_computed_alone(figures: RunFigures) -> None:
    together = {(one.phase.name, one.figure): one for one in explain_run(figures)}
    assert len(together) == 2 * len(FIGURES)
    for (name, figure), found in together.items():
        assert found == explain(figures, name, figure)


def test_that_the_source_of_the_overflow_is_the_row_at_which_it_began(figures: RunFigures) -> None:
    found = explain(figures, "steady", "overflow_start")
    (source, *others) = found.sources
    # 0.4 MB a row from row 51 on: more than 1 MB above the lowest at the 54th row.
    assert (source.first_row, source.last_row) == (54, 54)
    assert found.value == T0 + 54
    assert {other.first_row for other in others} <= {54}


def test_that_a_phase_without_samples_is_explained_in_a_sentence(tmp_path: Path) -> None:
    phases = (*PHASES, phase("patch", 5_000, 6_000))
    ours = run_figures(run(one_file(tmp_path, 3), stated_phases=phases))
    found = explain(ours, "patch", "iops")
    assert (found.value, found.sources) == (None, ())
    assert "Not available" in found.note
    assert explain(ours, "boot", "iops").value is not None


def test_that_a_vm_that_disappears_makes_the_figure_a_lower_bound_and_is_reported(tmp_path: Path) -> None:
    gone = np.full(120, 4.0)
    gone[60:] = np.nan
    file = recording(
        tmp_path, "a.csv", TIMES, [(counter("A", Quantity.IOPS), gone), (counter("B", Quantity.IOPS), np.ones(120))]
    )
    found = explain(run_figures(run(file, stated_phases=PHASES)), "steady", "iops")
    assert "lower bound" in found.note
    assert next(source for source in found.sources if source.vm == "A").missing == 60


def test_that_an_unknown_figure_or_phase_is_rejected_in_a_sentence(figures: RunFigures) -> None:
    with pytest.raises(UnknownFigureError, match=r"no phase 'lunch'\. Its phases: boot, steady"):
        explain(figures, "lunch", "iops")
    with pytest.raises(UnknownFigureError, match="There is no metric 'speed'"):
        explain(figures, "boot", "speed")
