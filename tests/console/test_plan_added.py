"""`vdiwb plan --add`: configurations without runs are in the plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli import main

SWEEP = str(Path(__file__).parents[2] / "sample_data" / "rds-mcsio-cache-sweep")
ADDED = "MCSIO 2694 MB"


def test_that_an_untested_size_is_planned_like_tested_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", SWEEP, "--add", ADDED, "--add", "MCS", "--format", "json"]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["plans"]
    # Each round runs every configuration once; a tested one is not listed twice.
    assert plan["order"].count(ADDED) == plan["order"].count("MCS") == plan["runs"]
    needs = [need for need in plan["needs"] if need["configuration"] == ADDED]
    assert {need["phase"] for need in needs} == {"boot", "logon", "steady"}
    assert all((need["runs_there"], need["assumed"]) == (0, True) for need in needs)
    others = [need for need in plan["needs"] if need["phase"] == "steady" and need["configuration"] != ADDED]
    steady = next(need for need in needs if need["phase"] == "steady")
    # Its variation is unknown: the largest known variation is assumed, so it needs at least as many runs.
    assert steady["runs"] >= max(need["runs"] for need in others)


def test_that_no_size_is_added_without_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", SWEEP, "--format", "json"]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["plans"]
    assert len(set(plan["order"])) == 5
