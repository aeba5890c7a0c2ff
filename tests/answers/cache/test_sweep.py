"""The cache sweep compared with the published reductions and with runs built from them."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from tests import samples
from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.compute import CacheAnswer, cache_answer
from workbench.answers.cache.sentences import advice_for, published_advice
from workbench.answers.cache.sweep import cache_sweep, ram_cost_gib
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.statistics import Verdict
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run, SessionType

SAMPLE = Path(__file__).parents[3] / "sample_data"
MB = 2**20
TIMES = T0 + 10.0 * np.arange(1, 61)
STEADY = (phase("steady", 0, 600),)
MCS = Configuration("MCS", Provisioning.MCS)


def mcsio(size: int) -> Configuration:
    return Configuration(f"MCSIO {size} MB", Provisioning.MCSIO, "device-ram-overflow", size)


def built(
    folder: Path,
    made: Configuration,
    disks: dict[str, tuple[float, float]],
    vms: int = 1,
    cache_mb: float | None = None,
    **facts: object,
) -> Run:
    """A run in which every VM has that many reads and writes per second on each disk."""
    columns = []
    for vm in (f"VM-{n}" for n in range(vms)):
        for disk, (reads, writes) in disks.items():
            columns.append((counter(vm, Quantity.READ_IOPS, instance=disk), np.full(60, reads)))
            columns.append((counter(vm, Quantity.WRITE_IOPS, instance=disk), np.full(60, writes)))
        columns.append((counter(vm, Quantity.CPU), np.full(60, 30.0)))
        if cache_mb is not None:
            columns.append((counter(vm, Quantity.CACHE_RAM_USED), np.linspace(0, 200, 60) * MB))
            columns.append((counter(vm, Quantity.CACHE_DISK_USED), np.linspace(0, cache_mb, 60) * MB))
    stated: dict[str, object] = {
        "configuration": made,
        "stated_phases": STEADY,
        "folder": str(folder),
        "name": folder.name,
    }
    return run(recording(folder, "guest.csv", TIMES, columns), **(stated | facts))


def groups(*runs: Run) -> tuple[Group, ...]:
    return group_runs(run_figures(one) for one in runs)


@pytest.fixture(scope="module")
def sample() -> CacheAnswer:
    figures = samples.sample("rds-mcsio-cache-sweep").figures or {}
    return cache_answer(group_runs(figures.values()), "steady")


@pytest.mark.parametrize(
    ("label", "everything", "writes"),
    [("MCSIO 256 MB", -7, -39), ("MCSIO 512 MB", -50, None), ("MCSIO 1 GB", -77, None), ("MCSIO 4 GB", -93, None)],
)
def test_that_the_published_reductions_are_found(
    sample: CacheAnswer, label: str, everything: float, writes: float | None
) -> None:
    row = sample.row(label)
    assert row is not None
    assert row.total_change is not None
    assert row.total_change.percent == pytest.approx(everything, abs=0.5)
    assert (row.total_change.basis, row.total_change.n) == ("interval", 3)
    assert row.total_change.low is not None
    assert row.total_change.high is not None
    assert row.total_change.low < 1 + everything / 100 + 0.005
    assert row.total_change.high > 1 + everything / 100 - 0.005
    if writes is not None:
        assert row.write_change is not None
        assert row.write_change.percent == pytest.approx(writes, abs=0.5)


def test_that_the_tiers_have_the_values_of_the_sample_generator(sample: CacheAnswer) -> None:
    with (SAMPLE / "truth.csv").open() as stream:
        truth = {(row["run"], row["phase"], row["quantity"]): float(row["value"]) for row in csv.DictReader(stream)}
    for folder, label in (
        ("mcs", "MCS"),
        ("mcsio-256", "MCSIO 256 MB"),
        ("mcsio-512", "MCSIO 512 MB"),
        ("mcsio-1024", "MCSIO 1 GB"),
        ("mcsio-4096", "MCSIO 4 GB"),
    ):
        row = sample.row(label)
        assert row is not None
        for tier, found in (("shared", row.split.shared), ("cache_disk", row.split.cache_disk)):
            key = [truth.get((f"{folder}-r{n}", "steady", f"{tier}_iops")) for n in (1, 2, 3)]
            if None not in key:
                assert found == pytest.approx(float(np.mean([value for value in key if value is not None])), rel=1e-4)
        assert row.total == pytest.approx(truth[folder, "steady", "mean_iops"], rel=1e-4)


def test_that_four_gigabytes_are_the_smallest_size_without_overflow_and_leave_the_cache_disk_unused(
    sample: CacheAnswer,
) -> None:
    row = sample.row("MCSIO 4 GB")
    assert row is not None
    assert row.split.cache_disk == 0
    (enough,) = sample.enough
    assert enough.smallest is not None
    assert enough.smallest.label == "MCSIO 4 GB"
    assert [one.label for one in enough.overflowing] == ["MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB"]
    assert (enough.smallest.disk_peak_mb, enough.smallest.overflow_runs) == (0, 0)


def test_that_larger_caches_overflow_later_and_use_less_disk(sample: CacheAnswer) -> None:
    over = [one for one in sample.cached if one.overflowed]
    starts = [one.overflow_s or 0 for one in over]
    peaks = [one.disk_peak_mb or 0 for one in over]
    assert starts == sorted(starts)
    assert peaks == sorted(peaks, reverse=True)
    # Levels off within steady state, which begins 2,160 s into the run.
    assert all(one.level_s is not None and 2160 < one.level_s < 3960 for one in over)
    # Its size at that moment is nearly the largest.
    for one in over:
        assert one.level_mb is not None
        assert one.disk_peak_mb is not None
        assert 0.7 * one.disk_peak_mb < one.level_mb <= one.disk_peak_mb


def test_that_cpu_is_the_same_across_the_sweep_with_its_interval(sample: CacheAnswer) -> None:
    for row in sample.sweep.rows[1:]:
        assert row.cpu_change is not None
        assert row.cpu_change.basis == "interval"
        assert row.cpu_judgement is not None
        assert row.cpu_judgement.verdict is Verdict.SAME


def test_that_vdi_falls_from_1339_to_20_iops(tmp_path: Path) -> None:
    base = [built(tmp_path / f"mcs-{n}", MCS, {"0 C:": (400.0 / 5, 939.0 / 5)}, 5) for n in range(3)]
    cache = [
        built(tmp_path / f"io-{n}", mcsio(256), {"0 C:": (0, 0), "1 D:": (8.0 / 5, 12.0 / 5)}, 5, 50) for n in range(3)
    ]
    sweep = cache_sweep(groups(*base, *cache), "steady")
    plain, small = sweep.rows
    assert (plain.total, small.total) == pytest.approx((1339, 20))
    assert small.total_change is not None
    assert round(small.total_change.percent) == -99
    assert (small.split.cache_read, small.split.cache_write) == pytest.approx((8, 12))
    assert small.split.shared == 0


def test_that_configurations_with_different_numbers_of_vms_are_compared_per_vm(tmp_path: Path) -> None:
    sweep = cache_sweep(
        groups(
            built(tmp_path / "a", MCS, {"0 C:": (2, 6)}, 5),
            built(tmp_path / "b", mcsio(256), {"0 C:": (1, 0), "1 D:": (0, 1)}, 11, 50),
        ),
        "steady",
    )
    assert sweep.per_vm
    assert [row.total for row in sweep.rows] == [pytest.approx(8), pytest.approx(2)]
    assert (sweep.rows[1].split.shared, sweep.rows[1].split.cache_disk) == pytest.approx((1, 1))
    change = sweep.rows[1].total_change
    assert change is not None
    assert (change.percent, change.low) == pytest.approx((-75, None))


def test_that_disks_logged_as_one_sum_are_not_split_and_are_reported(tmp_path: Path) -> None:
    answer = cache_answer(groups(built(tmp_path / "a", mcsio(512), {"_Total": (3, 5)}, cache_mb=0)), "steady")
    (row,) = answer.sweep.rows
    assert (row.split.unsplit_read, row.split.unsplit_write, row.split.shared) == pytest.approx((3, 5, None))
    assert "tiers-not-told" in [problem.code for problem in answer.problems]


def test_that_an_idle_vm_changes_no_sum(tmp_path: Path) -> None:
    one = built(tmp_path / "a", mcsio(512), {"0 C:": (3, 5), "1 D:": (1, 1)}, cache_mb=0)
    idle = [
        (counter("Z", half, instance=disk), np.zeros(60))
        for disk in ("0 C:", "1 D:")
        for half in (Quantity.READ_IOPS, Quantity.WRITE_IOPS)
    ]
    more = recording(tmp_path / "z", "z.csv", TIMES, idle)
    other = run(*one.recordings, more, configuration=one.configuration, stated_phases=STEADY)
    first, second = (cache_sweep(groups(made), "steady").rows[0] for made in (one, other))
    assert first.split == second.split
    assert first.total == pytest.approx(second.total)


def test_that_no_size_is_enough_if_all_overflow_or_no_counter_shows_it(tmp_path: Path) -> None:
    over = built(tmp_path / "a", mcsio(256), {"0 C:": (1, 1)}, cache_mb=50)
    untold = built(tmp_path / "b", mcsio(512), {"0 C:": (1, 1)})
    (enough,) = cache_answer(groups(over, untold), "steady").enough
    assert enough.smallest is None
    assert [one.label for one in enough.overflowing] == ["MCSIO 256 MB"]
    assert [one.label for one in enough.unknown] == ["MCSIO 512 MB"]


def test_that_a_size_below_one_that_overflowed_is_not_enough(tmp_path: Path) -> None:
    runs = [
        built(tmp_path / str(size), mcsio(size), {"0 C:": (1, 1)}, cache_mb=mb)
        for size, mb in ((256, 0), (512, 50), (1024, 0))
    ]
    (enough,) = cache_answer(groups(*runs), "steady").enough
    assert enough.smallest is not None
    assert enough.smallest.label == "MCSIO 1024 MB"
    assert [one.label for one in enough.contrary] == ["MCSIO 512 MB"]


def test_that_one_overflowing_run_marks_its_size_as_overflowing(tmp_path: Path) -> None:
    # Three tests, not copies of one: each has different I/O.
    runs = [built(tmp_path / str(n), mcsio(512), {"0 C:": (1 + n, 1)}, cache_mb=mb) for n, mb in enumerate((0, 0, 40))]
    (one,) = cache_answer(groups(*runs), "steady").cached
    assert (one.overflowed, one.overflow_runs, len(one.runs)) == (True, 1, 3)
    assert one.disk_highest_mb == pytest.approx(40)
    assert one.disk_peak_mb == pytest.approx(40 / 3)
    assert one.disk_gib_for(100) == pytest.approx((40 / 3 * 100 / 1024, 40 * 100 / 1024))


def test_that_total_cache_ram_is_size_times_number_of_vms() -> None:
    assert ram_cost_gib(512, 500) == 250


def test_that_a_phase_without_data_leaves_the_sweep_empty_and_other_parts_filled(tmp_path: Path) -> None:
    answer = cache_answer(groups(built(tmp_path / "a", mcsio(512), {"0 C:": (1, 1)}, cache_mb=0)), "av-scan")
    assert answer.sweep.rows == ()
    assert answer.enough[0].smallest is not None


def test_that_published_advice_has_sizes_and_a_source() -> None:
    assert [(one.session_type.value, one.least_mb) for one in published_advice()] == [
        ("vdi", 256),
        ("vdi", 512),
        ("rds", 2048),
        ("rds", 4096),
    ]
    assert all("Citrix" in one.source for one in published_advice())
    assert {one.least_mb for one in advice_for(frozenset({SessionType.RDS}))} == {2048, 4096}
