"""The sample study from its text files to its figures, compared with the generated values."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from workbench.cli import main

SAMPLE = Path(__file__).parents[1] / "sample_data"
# Names of the file truth that differ from those of the phase table.
NAMES = {
    "cache_memory_used_mib_end_per_vm": "cache_ram_used_mb_end",
    "cache_disk_used_mib_end_per_vm": "cache_disk_used_mb_end",
}
# Studies that are opened alone have their own tests (tests/sample_data).
ALONE = {path.parent.name for path in SAMPLE.glob("*/.vdi-*")}
STUDIES = sorted({path.parents[1].name for path in SAMPLE.glob("*/*/run.toml")} - ALONE)


@pytest.fixture(scope="module")
def truth() -> dict[tuple[str, str, str], float]:
    with (SAMPLE / "truth.csv").open() as stream:
        return {
            (row["run"], row["phase"], NAMES.get(row["quantity"], row["quantity"])): float(row["value"])
            for row in csv.DictReader(stream)
        }


@pytest.mark.parametrize("study", STUDIES)
def test_that_the_figures_equal_the_generated_values(
    study: str, truth: dict[tuple[str, str, str], float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["summary", str(SAMPLE / study), "--format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)
    compared = 0
    for run in table["runs"]:
        for phase in run["phases"]:
            for quantity in (
                "duration_s",
                "total_io",
                "total_io_per_vm",
                "iops",
                "read_iops",
                "write_iops",
                "cache_ram_used_mb_end",
                "cache_disk_used_mb_end",
                "cpu_percent",
            ):
                stated = truth.get((run["run"], phase["phase"], quantity))
                if stated is None:
                    continue
                # Samples have six digits; CPU was drawn around its mean.
                near = 5e-3 if quantity == "cpu_percent" else 1e-4
                assert phase[quantity] == pytest.approx(stated, rel=near), (run["run"], phase["phase"], quantity)
                compared += 1
    assert compared >= 12 * len(table["runs"])
    assert [p for p in table["problems"] if p["severity"] != "info" and p["code"] != "phases-detected"] == []


def test_that_reading_the_files_twice_gives_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path))
    answers = []
    for _ in range(2):
        assert main(["summary", str(SAMPLE / STUDIES[-1]), "--format", "json"]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]


def test_that_no_sample_file_is_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(SAMPLE)]) == 0
    assert "refused:" not in capsys.readouterr().err


@pytest.mark.parametrize(("study", "assumed"), [("xenapp-pvs-ram-cache", True), ("rds-mcsio-cache-sweep", False)])
def test_that_an_estimated_overflow_is_described_as_probable(
    study: str, assumed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["findings", str(SAMPLE / study), "--format", "json"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    overflows = [one for one in findings if "/cache/overflow/" in one["key"] or "/cache/enough/" in one["key"]]
    assert len(overflows) >= 3
    assert {"probably" in one["text"] for one in overflows} == {assumed}
