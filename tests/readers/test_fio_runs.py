"""Jobs with one name in a fio result: which are clones, which are added, and which ran one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.fio_results import direction, job, read_result, read_text, result, text_of
from workbench.answers.benchmarks.compute import Measured, groups
from workbench.model.benchmark import Op
from workbench.model.reading import Reading

START = 1_795_226_182_120  # ms


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def at(
    group: int, seconds: float | None = None, *, iops: int = 1000, elapsed: int = 2, **options: str
) -> dict[str, Any]:
    """An entry of one second of a group. It started that many seconds after the first (fio 3.36), or its start is
    unknown (None)."""
    stated = {} if seconds is None else {"job_start": START + round(1000 * seconds)}
    own = {"name": "j", "rw": "randread", "bs": "4k", "direct": "1", **options}
    return job(groupid=group, elapsed=elapsed, read=direction(iops), **{"job options": own}, **stated)


def iops(reading: Reading) -> Measured | None:
    (group,) = groups(reading.benchmarks)
    return group.measured(Op.READ, "iops")


def long(group: int, elapsed: int, **options: str) -> dict[str, Any]:
    """An entry of ten seconds without a start."""
    entry = at(group, elapsed=elapsed, **options)
    return entry | {"read": direction(1000, runtime=10_000)}


def test_that_jobs_that_started_together_in_one_group_are_clones_and_added(tmp_path: Path) -> None:
    assert iops(read_result(tmp_path, result(at(0, 0.0), at(0, 0.002, iops=500)))) == Measured(1500.0, 1)
    old = read_result(tmp_path, result(at(0), at(0, iops=500)))
    assert (iops(old), codes(old)) == (Measured(1500.0, 1), [])


def test_that_a_group_that_started_when_the_one_before_had_ended_is_a_repeat(tmp_path: Path) -> None:
    # One second each, less than two seconds apart.
    reading = read_result(tmp_path, result(at(0, 0.0), at(1, 1.2, iops=500), at(2, 2.4, iops=600)))
    assert [row.run for row in reading.benchmarks] == [1, 2, 3]
    assert iops(reading).values == (1000.0, 500.0, 600.0)


def test_that_groups_that_overlapped_ran_together(tmp_path: Path) -> None:
    assert iops(read_result(tmp_path, result(at(0, 0.0), at(1, 0.9)))) == Measured(2000.0, 1)
    long_first = at(0, 0.0) | {"read": direction(1000, runtime=3000)}
    three = read_result(tmp_path, result(long_first, at(1, 0.1), at(2, 1.5)))
    assert [row.run for row in three.benchmarks] == [1, 1, 1]


@pytest.mark.parametrize("option", [{"stonewall": ""}, {"stonewall": "1"}, {"wait_for_previous": "1"}])
def test_that_waiting_groups_are_repeats_if_fio_gives_them_one_start(tmp_path: Path, option: dict[str, str]) -> None:
    reading = read_result(tmp_path, result(at(0), at(1, iops=500, **option)))
    assert (iops(reading), codes(reading)) == (Measured(750.0, 2, 500.0, 1000.0), [])


def test_that_clones_of_a_repeat_are_added_and_the_repeats_are_not(tmp_path: Path) -> None:
    entries = [at(0), at(0), at(1, stonewall=""), at(1, iops=500, stonewall="")]
    assert iops(read_result(tmp_path, result(*entries))) == Measured(1750.0, 2, 1500.0, 2000.0)


def test_that_an_old_fio_that_took_the_time_of_all_groups_ran_them_one_after_the_other(tmp_path: Path) -> None:
    reading = read_result(tmp_path, result(long(0, 21), long(1, 21)))
    assert (iops(reading), codes(reading)) == (Measured(1000.0, 2, 1000.0, 1000.0), ["runs-by-time"])


def test_that_an_old_fio_that_took_less_time_than_two_groups_ran_them_together(tmp_path: Path) -> None:
    reading = read_result(tmp_path, result(long(0, 11), long(1, 11)))
    assert (iops(reading), codes(reading)) == (Measured(2000.0, 1), [])


def test_that_time_that_another_job_may_have_used_decides_nothing(tmp_path: Path) -> None:
    other = long(2, 20) | {"jobname": "other"}
    reading = read_result(tmp_path, result(long(0, 20), long(1, 20), other))
    assert [row.run for row in reading.benchmarks] == [None, None, 1]
    assert codes(reading) == ["runs-not-known"]


def test_that_indistinguishable_jobs_are_not_added_or_averaged(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    # Two groups of one second in three seconds of fio, which include the start of fio.
    reading = read_result(tmp_path, result(at(0, elapsed=3), at(1, elapsed=3, stonewall="0")))
    assert (iops(reading), codes(reading)) == (None, ["runs-not-known"])
    assert reading.problems[0].message == snapshot
    delayed = read_result(tmp_path, result(at(0, elapsed=99), at(0, elapsed=99, startdelay="60")))
    assert (iops(delayed), codes(delayed)) == (None, ["runs-not-known"])


def test_that_groups_started_only_for_their_report_ran_together(tmp_path: Path) -> None:
    reading = read_result(tmp_path, result(at(0, elapsed=3), at(1, elapsed=3, new_group="")))
    assert (iops(reading), codes(reading)) == (Measured(2000.0, 1), [])


def test_that_two_calls_within_a_second_in_one_file_are_repeats(tmp_path: Path) -> None:
    second = text_of(result(at(0, 1.1, iops=500), timestamp=1600000011, timestamp_ms=1600000011500))
    reading = read_text(tmp_path, text_of(result(at(0, 0.0))) + second)
    assert iops(reading) == Measured(750.0, 2, 500.0, 1000.0)
