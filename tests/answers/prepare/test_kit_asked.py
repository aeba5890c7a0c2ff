"""The inputs of a kit: names and paths are not confused, and window and console check the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.prepare.chosen import kit_form, names_of
from workbench.cli import main

SWEEP = str(Path(__file__).parents[3] / "sample_data" / "rds-mcsio-cache-sweep")


def test_that_result_paths_after_the_configuration_names_are_not_read_as_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["kit", "--configurations", "MCSIO 1 GB", "MCS", SWEEP]) == 2
    error = capsys.readouterr().err
    assert "is not a configuration name: a folder or file has that name" in error
    assert "before --configurations" in error
    assert main(["kit", SWEEP, "--configurations", "MCSIO 1 GB", "MCS"]) == 0


def test_that_a_kit_is_not_written_into_its_source_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its planned runs would count as runs of the study."""
    results = tmp_path / "results"
    shutil.copytree(Path(SWEEP) / "mcsio-512-r1", results / "mcsio-512-r1")
    assert main(["kit", str(results), "-o", str(results / "kit")]) == 2
    assert "would be imported as runs" in capsys.readouterr().err
    assert not (results / "kit").exists()


def test_that_spaces_around_a_name_create_no_second_configuration_or_line(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["MCSIO 512 MB", "MCSIO  512 MB", "MCSIO\t512 MB", "pilot\nring"]
    assert main(["kit", "--configurations", *names, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["configurations"] == ["MCSIO 512 MB", "pilot ring"]


@pytest.mark.parametrize("name", ["", "  "])
def test_that_a_configuration_without_a_name_is_not_in_the_plan(
    name: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["plan", SWEEP, "--add", name]) == 2
    assert capsys.readouterr().err == snapshot


@pytest.mark.parametrize("name", ["MCSIO 512 MB", "mcsio  512 mb"])
def test_that_a_configuration_with_runs_is_not_added_to_the_plan_and_the_reason_is_shown(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", SWEEP, "--add", name, "--format", "json"]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["plans"]
    assert len(set(plan["order"])) == 5
    assert main(["plan", SWEEP, "--add", name]) == 0
    assert "'MCSIO 512 MB' already has runs and is not added." in " ".join(capsys.readouterr().out.split())


def test_that_the_reason_for_the_number_of_runs_names_the_margin_and_the_existing_runs(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["kit", SWEEP, "--detect", "5%", "--format", "json"]) == 0
    reason = json.loads(capsys.readouterr().out)["runs_reason"]
    assert "set a smaller margin" in reason
    assert reason == snapshot


def test_that_window_and_console_reject_the_same_interval() -> None:
    choices = Choices(inputs=(("prepare.interval_s", 600.0),))
    form = kit_form(Library(()), choices)
    assert form.kit is None
    assert "overflow (60 s)" in form.refused


def test_that_an_existing_name_with_a_comma_is_not_split() -> None:
    assert names_of("MCS, 5 VMs, MCSIO 2 GB,MCS", ["MCS", "MCS, 5 VMs"]) == ("MCS, 5 VMs", "MCSIO 2 GB", "MCS")


def test_that_a_single_configuration_is_described_in_the_singular(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", "--configurations", "MCS", "--runs", "1"]) == 0
    assert "1 configuration with 1 run. You set this number of runs." in capsys.readouterr().out


SIZES = ("MCSIO 128 MB", "MCSIO 768 MB", "MCSIO 2 GB", "MCSIO 8 GB")
TESTED = ("MCS", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB")


def kit_of(capsys: pytest.CaptureFixture[str], *names: str) -> dict[str, Any]:
    assert main(["kit", SWEEP, "--format", "json", "--configurations", *names]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_that_untested_sizes_are_planned_as_vdiwb_plan_adds_them(capsys: pytest.CaptureFixture[str]) -> None:
    kit = kit_of(capsys, *TESTED, *SIZES)
    added = [part for size in SIZES for part in ("--add", size)]
    assert main(["plan", SWEEP, "--format", "json", *added]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["plans"]
    assert (kit["runs"], kit["order"]) == (plan["runs"], plan["order"])


def test_that_configurations_without_further_tests_need_no_runs(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """With fewer comparisons each has a higher significance level and needs fewer runs."""
    pair = kit_of(capsys, "mcs", "MCSIO 4 GB")
    assert pair["configurations"] == ["MCS", "MCSIO 4 GB"]
    assert pair["runs"] < kit_of(capsys, *TESTED)["runs"]
    assert pair["runs_reason"] == snapshot


def test_that_the_first_name_is_the_baseline_if_the_baseline_of_the_study_is_not_tested(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    kit = kit_of(capsys, "MCSIO 1 GB", "MCSIO 512 MB")
    assert kit["baseline"] == "MCSIO 1 GB"
    assert kit["runs_reason"] == snapshot
