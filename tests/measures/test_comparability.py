"""Which configurations cannot be compared, and the reasons as data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.comparability import CODES, comparability, why_apart
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, SessionType


def group(name: str, *lengths: tuple[str, float], runs: int = 1, **facts: object) -> Group:
    """A configuration of runs with phases of these lengths in seconds; facts of its rows begin with `row_`."""
    rows = {key.removeprefix("row_"): value for key, value in facts.items() if key.startswith("row_")}
    stated = {key: value for key, value in facts.items() if not key.startswith("row_")}
    evidence = str(rows.pop("evidence", "run.toml"))
    configuration = Configuration(name, stated.pop("kind", Provisioning.MCS))  # type: ignore[arg-type]
    told: dict[str, object] = {"configuration": configuration, "vms": 5, "date": "2024-03-01"} | stated
    phases = tuple(
        PhaseFigures(phase(of, 0, seconds, evidence), **({"iops_per_vm": 10.0, "vantage": "guest"} | rows))  # type: ignore[arg-type]
        for of, seconds in lengths or (("steady", 600.0),)
    )
    every = [
        RunFigures(run(name=f"{name}-{number}", folder=f"lab/{name}-{number}", **told), phases, ())
        for number in range(runs)
    ]
    (made,) = group_runs(every)
    return made


BASE = group("MCS", ("boot", 300), ("steady", 600))
CASES = {
    "no-common-phase": group("PVS", ("logon", 300)),
    "session-type": group("PVS", session_type=SessionType.RDS),
    "vms": group("PVS", vms=51),
    "no-common-metric": group("PVS", row_iops_per_vm=None, row_cpu_percent=40.0),
    "years-apart": group("PVS", date="2019-03-01"),
    "vantage": group("PVS", row_vantage="array"),
    "coverage": group("PVS", row_measured_percent=49.0),
    "length": group("PVS", ("steady", 6001)),
}


@pytest.mark.parametrize("code", CASES)
def test_that_each_reason_has_its_code(code: str) -> None:
    base = group("MCS", ("steady", 600)) if code != "no-common-phase" else BASE
    reason = why_apart(base, CASES[code])
    assert reason is not None
    assert (reason.code, reason.configuration, reason.baseline) == (code, "PVS", "MCS")
    assert reason.text.endswith(".")
    assert reason.next_step.endswith(".")
    assert code in CODES


def test_that_runs_with_different_stated_workloads_are_unrelated() -> None:
    reason = why_apart(group("MCS", workload="Office"), group("PVS", workload="Knowledge"))
    assert reason is not None
    assert reason.code == "workload"
    assert why_apart(group("MCS", workload="Office"), group("PVS")) is None


@pytest.mark.parametrize(
    "other",
    [
        group("PVS"),
        group("PVS", vms=50),
        group("PVS", row_measured_percent=50.0),
        group("PVS", ("steady", 6000)),
        group("PVS", date="2025-03-01"),
        # One common phase is enough, for any other phases.
        group("PVS", ("steady", 600), ("boot", 9000)),
    ],
)
def test_that_differences_up_to_the_limits_keep_a_comparison(other: Group) -> None:
    assert why_apart(BASE, other) is None


def test_that_years_between_repeated_runs_do_not_prevent_a_comparison() -> None:
    assert why_apart(group("MCS", runs=2), group("PVS", runs=2, date="2019-03-01")) is None


def test_that_runs_with_detected_phases_on_unknown_machines_are_unrelated(tmp_path: Path) -> None:
    def detected(name: str, vm: str, kind: Provisioning = Provisioning.OTHER) -> Group:
        log = recording(tmp_path, f"{name}.csv", [T0, T0 + 60], [(counter(vm, Quantity.IOPS), [1.0, 2.0])])
        return group(name, row_evidence="activity", kind=kind, recordings=(log,))

    reason = why_apart(detected("a", "HOST-1"), detected("b", "HOST-2"))
    assert reason is not None
    assert reason.code == "unrelated"
    assert why_apart(detected("a", "HOST-1"), detected("b", "host-1")) is None
    assert why_apart(detected("a", "HOST-1", Provisioning.MCS), detected("b", "HOST-2", Provisioning.PVS)) is None


def test_that_a_study_is_comparable_with_one_comparable_pair() -> None:
    fine, odd = group("PVS"), replace(CASES["vms"], label="Large")
    found = comparability([BASE, fine, odd], BASE)
    assert found.comparable
    assert found.apart == {"Large"}
    assert not comparability([BASE, odd], BASE).comparable


@pytest.mark.parametrize(
    ("groups", "code"),
    [([], "no-runs"), ([replace(BASE, runs=(), excluded=BASE.runs)], "none-counts"), ([BASE], "one-configuration")],
)
def test_that_a_study_without_a_comparable_pair_says_why(groups: list[Group], code: str) -> None:
    base = groups[0] if groups and groups[0].runs else None
    found = comparability(groups, base)
    assert not found.comparable
    assert [(reason.code, reason.configuration) for reason in found.reasons] == [(code, "")]
