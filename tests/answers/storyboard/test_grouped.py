"""Repeated caveats and problems are one line with a count."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from workbench.answers.storyboard.grouped import caveat_lines, problem_lines
from workbench.model.problem import Cause, CauseGroup


def cause(group: CauseGroup, title: str, count: int, noun: str, done: str = "") -> Cause:
    return Cause(f"{group}/{title}", group, title, done, (), count, noun)


def test_that_caveats_that_differ_only_in_the_machine_are_one_line(snapshot: SnapshotAssertion) -> None:
    caveats = [f"No file of W10-{at:03} has cache counters." for at in range(28)]
    assert caveat_lines([*caveats, "Assumed: RAID 5."], "VM") == snapshot


def test_that_a_repeated_caveat_is_one_unchanged_line() -> None:
    assert caveat_lines(["One lab.", "One lab."]) == ("2 findings have this caveat: One lab.",)


def test_that_problems_are_grouped_by_cause_with_the_worst_first_and_notes_are_only_counted(
    snapshot: SnapshotAssertion,
) -> None:
    listed = [
        cause(CauseGroup.NOTE, "A file of no known format", 3, "files", "left out"),
        cause(CauseGroup.MENDED, "Cells that are no numbers", 1200, "cells", "left empty"),
        cause(CauseGroup.REFUSED, "A damaged archive.", 1, "file"),
    ]
    assert problem_lines(listed) == snapshot
