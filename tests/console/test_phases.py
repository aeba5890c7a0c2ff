"""Phases on the console: names in upper or lower case, as in the files or in the tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.answers.common.options import phase_called
from workbench.answers.common.spec import UsageError
from workbench.cli import OK, USAGE, main

SWEEP = Path(__file__).parents[2] / "sample_data/rds-mcsio-cache-sweep"


@pytest.mark.parametrize("wanted", ["steady", "Steady", "STEADY", "steady state", " Steady State "])
def test_that_phase_names_ignore_case(wanted: str) -> None:
    assert phase_called(wanted, ("boot", "steady")) == "steady"


def test_that_an_exact_phase_name_takes_precedence_over_one_in_another_case() -> None:
    assert phase_called("Patch", ("patch", "Patch")) == "Patch"


def test_that_an_unknown_phase_is_reported_with_the_existing_phases() -> None:
    with pytest.raises(UsageError, match=r"There is no phase 'lunch'\. Valid phases: boot, steady\."):
        phase_called("lunch", ("boot", "steady"))


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--phase", "Steady"),
        ("cache", "--phase", "STEADY"),
        ("sizing", "--desktops", "50", "--phase", "Steady"),
    ],
)
def test_that_all_commands_ignore_the_case_of_phases(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    name, *options = command
    runs = [str(SWEEP / run) for run in ("mcs-r1", "mcsio-256-r1")]
    assert main([name, *runs, *options, "--format", "json"]) == OK
    assert json.loads(capsys.readouterr().out)
    assert main([name, *runs, *options[:-1], "lunch"]) == USAGE
    assert capsys.readouterr().err == snapshot
