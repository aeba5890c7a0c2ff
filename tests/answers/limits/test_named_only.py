"""A VM known only from events does not pass: it was part of the test, and has no samples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.limits.test_estimates import SECONDS, TIMES
from tests.answers.limits.test_watched import mcsio_run, overflow
from tests.builders import counter, event, recording
from workbench.answers.limits.compute import Check, checks
from workbench.answers.limits.limit import Limit
from workbench.measures.comparable import missing_vm_problems
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Guess, Run
from workbench.model.session import EventKind, Session

COUNTED = (Guess("vms", "2", "number of machines with counters in the recordings"),)


def logons(*vms: str) -> tuple[object, ...]:
    return tuple(event(EventKind.LOGON_START, 700.0 + place, vm, f"u{place}") for place, vm in enumerate(vms))


def three_with(folder: Path, **facts: object) -> Group:
    """Three runs with samples of A and B, and these further facts."""
    runs: list[Run] = [mcsio_run(folder, n, 3600).run for n in (1, 2, 3)]
    disks = [(counter(vm, Quantity.IOPS), np.full(SECONDS.size, 20.0)) for vm in ("A", "B")]
    runs = [
        replace(run, recordings=(*run.recordings, recording(folder / run.name, "disk.csv", TIMES, disks)))
        for run in runs
    ]
    changed = [run_figures(replace(run, **({"guesses": COUNTED} | facts))) for run in runs]  # type: ignore[arg-type]
    (group,) = group_runs(changed)
    return group


def gauge(group: Group) -> Check:
    (found,) = checks([group], [Limit("cache_ram_used_mb_peak", 400.0, phase="steady")])
    return found


def test_that_a_vm_without_samples_that_events_name_does_not_pass_and_is_named(tmp_path: Path) -> None:
    group = three_with(tmp_path, events=logons("A", "B", "C"))
    for found, lacking in (overflow(group), "C has no samples during boot"), (gauge(group), "C has no samples"):
        assert (found.verdict, lacking in found.reason, "'r1'" in found.reason) == ("inconclusive", True, True)


def test_that_a_vm_without_samples_that_sessions_name_does_not_pass(tmp_path: Path) -> None:
    found = overflow(three_with(tmp_path, sessions=(Session("u1", "a"), Session("u2", "C"))))
    assert (found.verdict, "C has no samples" in found.reason) == ("inconclusive", True)


@pytest.mark.parametrize(
    "facts",
    [
        {"events": logons("a", "B.lab.example")},
        {"events": logons("10.0.0.1", "10.0.0.2", "10.0.0.3")},
        {"events": logons("A", "B", "C"), "guesses": ()},
        {"events": logons("A", "B", "C"), "left_out": ("C",)},
    ],
    ids=["other spelling", "other names altogether", "run.toml states 2 VMs", "left out by hand"],
)
def test_that_events_add_no_vm_if_their_names_match_none(tmp_path: Path, facts: dict[str, object]) -> None:
    assert overflow(three_with(tmp_path, **facts)).verdict == "pass"


def test_that_compare_states_the_source_of_the_vm_name(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    problems = list(missing_vm_problems(three_with(tmp_path, events=logons("A", "B", "C"))))
    assert problems[0].message == snapshot
