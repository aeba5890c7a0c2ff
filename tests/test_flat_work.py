"""Work grows in proportion to a study: four times as many runs or configurations need about four times as many Python
instructions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tests.answers.compare.groups import MCS, groups, one
from workbench.answers.compare.compute import Comparison, compare
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures
from workbench.measures.significance.run_order import outlying_problems
from workbench.model.run import Configuration, Provisioning

# Some work does not grow with the number of runs; a factor above this means a nested loop.
TIMES, GROWTH = 4, 1.3


def steps_of(work: Callable[[], object]) -> int:
    """The number of Python instructions of some work; lines would not count a loop on one line."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def runs_of(label: str, count: int) -> list[RunFigures]:
    return [
        one(Configuration(label, Provisioning.MCS), n, figures={"iops_per_vm": 100.0 + n % 7, "total_io": 1e5 + n})
        for n in range(count)
    ]


def study(configurations: int, repeats: int) -> tuple[Group, ...]:
    runs = [run for number in range(configurations) for run in runs_of(f"Build {number:03}", repeats)]
    return groups(*runs)


@pytest.mark.parametrize("repeats", [4, 5])
def test_that_each_run_is_checked_once_for_separate_recordings(repeats: int) -> None:
    few, many = (study(count, repeats) for count in (10, 10 * TIMES))
    primary = {"steady": ("iops_per_vm",)}
    once, more = (steps_of(lambda: list(outlying_problems(members, primary))) for members in (few, many))  # noqa: B023
    assert once < more <= GROWTH * TIMES * once


def test_that_runs_are_grouped_into_configurations_in_one_pass() -> None:
    few, many = (runs_of("MCS", count) for count in (25, 25 * TIMES))
    once, more = (steps_of(lambda: group_runs(runs)) for runs in (few, many))  # noqa: B023
    assert once < more <= GROWTH * TIMES * once


def looked_up(comparison: Comparison) -> None:
    for row in comparison.differences:
        assert comparison.of(row.configuration, row.phase, row.measure.key) is row
        comparison.problems_of(row.configuration)


def test_that_differences_of_all_configurations_are_found_in_one_pass() -> None:
    few, many = (compare(study(count, 2)) for count in (5, 5 * TIMES))
    once, more = (steps_of(lambda: looked_up(comparison)) for comparison in (few, many))  # noqa: B023
    assert once < more <= GROWTH * (len(many.differences) / len(few.differences)) * once


def test_that_a_figure_without_comparison_has_no_result() -> None:
    comparison = compare(study(2, 2))
    assert comparison.of("Build 001", "steady", "no such figure") is None
    assert comparison.problems_of("no such configuration") == ()
    assert comparison.of(MCS.name, "steady", "iops_per_vm") is None
