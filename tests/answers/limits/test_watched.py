"""The verdict "No overflow" needs gauges with samples throughout every phase of every run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.limits.test_estimates import BELOW, MB, PHASES, PVS, SECONDS, TIMES, pvs_run
from tests.builders import counter, recording, run
from workbench.answers.cache.compute import configuration_cache, smallest_sizes
from workbench.answers.cache.sentences import overflow_words
from workbench.answers.limits.compute import Check, checks
from workbench.answers.limits.limit import Limit
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

MCSIO = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
VMS = ("A", "B")


def mcsio_run(
    folder: Path, n: int, disk_until: float, *, ram_until: float = 3600.0, vms: int = 2, of: Configuration = MCSIO
) -> RunFigures:
    """A run without overflow in any sample. The samples of RAM and of the cache disk end at these seconds."""
    columns = []
    for place, vm in enumerate(VMS[:vms]):
        ram = np.where(ram_until >= SECONDS, np.minimum(SECONDS / 20, 150) + n + place, np.nan)
        disk = np.where(disk_until >= SECONDS, 0.0, np.nan)
        columns += [
            (counter(vm, Quantity.CACHE_RAM_USED), ram * MB),
            (counter(vm, Quantity.CACHE_DISK_USED), disk * MB),
        ]
    name = f"r{n}"
    file = recording(folder / name, "a.csv", TIMES, columns)
    facts = {"name": name, "folder": name, "configuration": of, "stated_phases": PHASES, "vms": vms}
    return run_figures(run(file, **facts))


def three(folder: Path, disk_until: float, *, ram_until: float = 3600.0, vms: int = 2) -> Group:
    runs = [mcsio_run(folder, n, disk_until, ram_until=ram_until, vms=vms) for n in (1, 2, 3)]
    (group,) = group_runs(runs)
    return group


def overflow(group: Group, phase: str = "") -> Check:
    (found,) = checks([group], [Limit("overflow", phase=phase)])
    return found


def test_that_gauges_with_samples_until_the_end_pass(tmp_path: Path) -> None:
    assert overflow(three(tmp_path, 3600)).verdict == "pass"


@pytest.mark.parametrize("ram_until", [590.0, 3600.0])
def test_that_a_phase_without_any_sample_does_not_pass(
    tmp_path: Path, ram_until: float, snapshot: SnapshotAssertion
) -> None:
    """The log ends with the boot, or only the cache disk has no samples afterwards."""
    found = overflow(three(tmp_path, 590, ram_until=ram_until))
    assert found.verdict == "inconclusive"
    assert found.reason == snapshot
    assert overflow(three(tmp_path / "boot", 590, ram_until=ram_until), "boot").verdict == "pass"


def test_that_each_phase_with_missing_samples_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = overflow(three(tmp_path, 300))
    assert found.reason == snapshot


def test_that_vms_without_samples_do_not_pass(tmp_path: Path) -> None:
    found = overflow(three(tmp_path, 3600, vms=4))
    assert (found.verdict, "2 of 4 VMs have no samples" in found.reason) == ("inconclusive", True)


def test_that_each_run_is_checked_with_its_own_gauge(tmp_path: Path) -> None:
    """One run has poolmon data. The cache disks of the other runs are checked too."""
    by_disk = [mcsio_run(tmp_path, n, 2000, vms=1, of=PVS) for n in (1, 2)]
    by_tag = pvs_run(tmp_path, "r3", BELOW, by_tag=True)
    (group,) = group_runs([*by_disk, by_tag])
    found = overflow(group)
    assert (found.verdict, "in run 'r1'" in found.reason or "in runs 'r1'" in found.reason) == ("inconclusive", True)
    assert "r3" not in found.reason


@pytest.mark.parametrize("ram_until", [590.0, 3600.0])
def test_that_a_cache_without_samples_until_the_end_is_not_reported_as_large_enough(
    tmp_path: Path, ram_until: float
) -> None:
    cache = configuration_cache(three(tmp_path, 590, ram_until=ram_until))
    assert overflow_words(cache) == "unknown"
    (enough,) = smallest_sizes([cache])
    assert (enough.smallest, enough.unknown) == (None, (cache,))
    codes = {problem.code for run in cache.runs for problem in run.problems}
    assert codes == {"overflow-unwatched"}
    whole = configuration_cache(three(tmp_path / "whole", 3600))
    assert (overflow_words(whole), [run.problems for run in whole.runs]) == ("none", [()] * 3)
