"""The storage test of a kit: it finds a limit, and its load equals the measured one."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import cast

import pytest

from tests.answers.prepare.kits import kit, text
from workbench.answers.prepare.kit.mix import _in_flight, _over_runs, _size_of, assumed_mix, diskspd_script, fio_job
from workbench.measures.configurations import Group
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.phase import Phase
from workbench.phases.integral import Integral


def test_that_the_storage_test_tries_queue_depths_far_above_that_of_the_desktops() -> None:
    """Ten assumed desktops have one I/O in flight. Four I/Os in flight do not reach the limit of a storage system."""
    mix = assumed_mix(10)
    job = fio_job(mix)
    depths = [int(depth) for depth in re.findall(r"full-speed-\d+\]\nstonewall\niodepth=(\d+)", job)]
    assert depths == sorted(set(depths))
    assert len(depths) == 3
    assert depths[-1] >= 256 * mix.total_depth
    assert job.count("rate_iops=") == 2


def test_that_the_size_of_the_test_file_grows_with_the_number_of_desktops() -> None:
    assert "size=20G" in fio_job(assumed_mix(10))
    assert "size=500G" in fio_job(assumed_mix(500))
    assert " -c500G " in diskspd_script(assumed_mix(500))


def test_that_the_test_data_cannot_be_compressed_by_storage() -> None:
    mix = assumed_mix(10)
    assert "refill_buffers=1" in fio_job(mix)
    assert all(" -Z1M " in line for line in diskspd_script(mix).splitlines() if line.startswith("diskspd "))


def test_that_the_readme_counts_the_steps() -> None:
    assert "Each test has five steps" in text(kit("MCS"), "README.txt")


def figures(**values: float) -> PhaseFigures:
    """A row of the phase table with only these figures."""
    return PhaseFigures(Phase("steady", 0.0, 60.0, "run.toml"), **values)  # type: ignore[arg-type]


def test_that_a_direction_without_io_has_queue_depth_zero() -> None:
    """Without I/O there is no latency, but the queue depth is known: it is zero."""
    row = figures(read_iops_per_vm=0.0, write_iops_per_vm=50.0, write_latency_ms=4.0)
    assert _in_flight(cast(RunFigures, None), row) == pytest.approx(0.2)
    assert _in_flight(cast(RunFigures, None), figures(read_iops_per_vm=5.0, write_iops_per_vm=50.0)) is None


def test_that_bytes_logged_for_half_a_phase_do_not_halve_the_io_size() -> None:
    whole, half = {"a": Integral(6000.0, 60.0)}, {"a": Integral(3000.0 * 8192, 30.0)}
    assert _size_of(half, whole) is None
    assert _size_of({"a": Integral(6000.0 * 8192, 60.0)}, whole) == 8.0


def test_that_the_number_of_runs_behind_a_size_counts_runs_with_bytes() -> None:
    group = SimpleNamespace(runs=[SimpleNamespace(phase=lambda _: figures()) for _ in range(5)])
    sizes = iter([None, 8.0, 16.0, None, None])
    assert _over_runs(cast(Group, group), "steady", lambda _run, _row: next(sizes)) == (12.0, 2)
    assert _over_runs(cast(Group, group), "steady", lambda _run, _row: None) is None
