"""`--explain`: from the console's numbers back to the cells of the files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.cli import main

PHASES = """
configuration = "{name}"
[[phases]]
name = "steady"
start = 2016-05-10T09:01:00+01:00
end = 2016-05-10T09:04:00+01:00
"""


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    for name, rate in (("MCS", 8.0), ("MCSIO 512 MB", 2.0)):
        reads = [rate] * 24
        reads[9] = 55.0
        disk_csv(folder / name / "guest" / "W10-001.csv", "W10-001", reads, [2 * rate] * 24)
        (folder / name / "run.toml").write_text(PHASES.format(name=name))
    return folder


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed(capsys, *arguments, "--format", "json"))["explain"]
    return found


def test_that_the_source_of_a_peak_is_the_line_and_cell_with_its_value(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = explained(capsys, "summary", str(lab), "--explain", "--figure", "peak_iops_per_vm")
    (peak,) = [one for one in found if one["configuration"] == "MCS"]
    assert peak["value"] == 55.0 + 16.0
    cells = {}
    for source in peak["sources"]:
        line = (lab / source["file"]).read_text().splitlines()[source["first_line"] - 1]
        cells[source["part"]] = float(next(csv.reader([line]))[source["column"] - 1])
    assert cells == {"reads": 55.0, "writes": 16.0}


def test_that_contributions_in_json_sum_to_the_phase_table(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(printed(capsys, "summary", str(lab), "--explain", "--format", "json"))
    rows = {run["run"]: run["phases"][0] for run in table["runs"]}
    sums = [one for one in table["explain"] if one["adds_up"]]
    assert {one["figure"] for one in sums} >= {"total_io", "iops_per_vm", "read_percent", "write_iops"}
    for one in sums:
        total = sum(source["contribution"] or 0.0 for source in one["sources"])
        assert one["value"] == rows[one["run"]][one["figure"]] == pytest.approx(total)


def test_that_the_table_lists_formula_and_phase_and_counters(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "summary", str(lab), "--explain")
    assert "Formula: (IOPS × seconds of the sample within the phase" in text
    assert "Phase: steady state, 2016-05-10 08:01:00 to 2016-05-10 08:04:00 UTC" in text
    assert "Disk Reads/sec" in text


def test_that_the_csv_has_a_row_for_each_source(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("summary", str(lab), "--explain", "--figure", "iops", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *arguments))))
    assert [(row["run"], row["part"]) for row in rows] == [
        ("MCS", "reads"),
        ("MCS", "writes"),
        ("MCSIO 512 MB", "reads"),
        ("MCSIO 512 MB", "writes"),
    ]


def test_that_the_source_of_a_comparison_is_the_runs_of_both_sides(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = explained(capsys, "compare", str(lab), "--explain", "--figure", "write_iops_per_vm")
    assert {(one["run"], one["value"]) for one in found} == {("MCS", 16.0), ("MCSIO 512 MB", 4.0)}


def test_that_the_explanation_is_empty_without_the_option(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "explain" not in json.loads(printed(capsys, "summary", str(lab), "--format", "json"))


def test_that_an_unknown_figure_is_rejected_and_the_error_lists_the_known_ones(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["summary", str(lab), "--explain", "--figure", "speed"]) == 2
    assert capsys.readouterr().err == snapshot


def test_that_tiers_and_worst_vms_are_in_the_summary(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(printed(capsys, "summary", str(lab), "--format", "json"))
    mcs = next(run for run in table["runs"] if run["run"] == "MCS")["phases"][0]
    assert [(row["vantage"], row["tier"], row["basis"]) for row in mcs["tiers"]] == [
        ("guest", "all", "measured"),
        ("guest", "shared", "assumed"),
    ]
    assert mcs["tiers"][0]["iops"] == mcs["iops"]
    alone = {"vm": "W10-001", "mean_iops": pytest.approx(mcs["iops_per_vm"]), "peak_iops": 71.0, "times_others": None}
    alone["largest_share"] = pytest.approx(100 * 71 / 335)
    assert mcs["worst_vms"] == [alone]
