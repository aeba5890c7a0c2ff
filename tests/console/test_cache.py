"""`vdiwb cache`: the sample sweep on the console."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_data"
SWEEP = str(SAMPLE / "rds-mcsio-cache-sweep")


def test_that_json_has_the_published_sweep_and_its_cost_and_the_assumptions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", SWEEP, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["desktops"], found["desktops_origin"]) == ("vdi-workbench/cache/1", 100, "assumed")
    (enough,) = found["smallest_without_overflow"]
    assert (enough["ram_cache_mb"], enough["runs"]) == (4096, 3)
    changes = {row["configuration"]: round(row["iops_change_percent"] or 0) for row in found["configurations"]}
    assert changes == {"MCS": 0, "MCSIO 256 MB": -7, "MCSIO 512 MB": -50, "MCSIO 1 GB": -77, "MCSIO 4 GB": -93}
    largest = found["configurations"][-1]
    assert (largest["overflowed"], largest["cache_disk_used_mb_peak_highest"]) == (False, 0)
    assert (largest["ram_gib_for_desktops"], largest["cpu_verdict"]) == (400, "same")
    assert found["configurations"][0]["overflowed"] is None
    assert len(found["vms"]) == 48
    assert all(vm["overflow_start"].endswith("Z") for vm in found["vms"] if vm["overflowed"])
    assert {one["least_mb"] for one in found["published_advice"]} == {2048, 4096}
    assert not any(dip["found"] for dip in found["dips"])
    assert all(dip["reason"] for dip in found["dips"])


def test_that_csv_has_a_row_per_configuration_and_empty_cells_for_missing_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cache", SWEEP, "--format", "csv", "--desktops", "500"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["ram_gib_for_desktops"] for row in rows] == ["", "125.0", "250.0", "500.0", "2000.0"]


def test_that_pvs_figures_are_called_estimates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", str(SAMPLE / "xenapp-pvs-ram-cache")]) == 0
    said = capsys.readouterr().out
    assert "all tested RAM caches up to 3\u2009GB" in said
    assert "estimated from the nonpaged pool" in said
    assert "GB values are for 100 VMs (assumed), not users." in said
    assert "In 'vdiwb sizing', --desktops N means N users." in said


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--desktops", "0"], "0 VMs cannot be planned"), (["--phase", "lunch"], "There is no phase 'lunch'")],
)
def test_that_unanswerable_questions_are_reported(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", SWEEP, *options]) == 2
    assert words in capsys.readouterr().err


def test_that_a_study_without_any_cache_says_so(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["cache", str(SAMPLE / "windows-7-mcs-and-pvs" / "mcs-5vm")]) == 0
    assert capsys.readouterr().out == snapshot
