"""The comparison as JSON and CSV, through the console."""

from __future__ import annotations

import csv
import io
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openpyxl import load_workbook
from scipy.stats import ttest_ind
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.cli import main
from workbench.measures.significance.method import METHOD

SAMPLE = Path(__file__).parents[2] / "sample_data"
RATES = {"mcs": (8.0, 8.2, 7.9), "mcsio-512": (2.0, 2.1, 2.05)}


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Three runs of two configurations, and one that is excluded."""
    folder = tmp_path / "lab"
    runs = [(f"{name}-r{n}", name, rate) for name, rates in RATES.items() for n, rate in enumerate(rates, 1)]
    for run, name, rate in [*runs, ("mcs-r4", "mcs", 900.0)]:
        disk_csv(folder / run / "guest" / "W10-001.csv", "W10-001", [rate] * 24, [2 * rate] * 24)
        excluded = 'exclude = "vCenter failed over"\n' if run == "mcs-r4" else ""
        (folder / run / "run.toml").write_text(
            f'configuration = "{name}"\n{excluded}[[phases]]\nname = "steady"\n'
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n"
        )
    return folder


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main([str(one) for one in ("compare", *arguments)]) == 0
    return capsys.readouterr().out


def row_of(table: dict[str, Any], metric: str) -> dict[str, Any]:
    return next(row for row in table["differences"] if row["metric"] == metric)


def test_that_json_has_the_difference_with_its_interval_verdict_and_runs(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = json.loads(said(capsys, lab, "--format", "json"))
    assert (table["schema"], table["margin_percent"]) == ("vdi-workbench/compare/1", 5.0)
    primary = {"boot": ["total_io_per_vm"], "logon": ["total_io_per_vm"], "steady": ["iops_per_vm"]}
    runs = ["mcs-r1", "mcs-r2", "mcs-r3"]
    by = dict.fromkeys(primary, "catalogue")
    expected = {"study": "lab", "baseline": "mcs", "runs": runs, "primary": primary, "primary_by": by}
    assert table["baselines"] == [expected | {"baseline_evidence": "only-mcs"}]
    row = row_of(table, "write_iops_per_vm")
    base, ours = (np.log([2 * rate for rate in rates]) for rates in RATES.values())
    interval = ttest_ind(ours, base, equal_var=False).confidence_interval(0.95)
    assert row["low_percent"] == pytest.approx(100 * (np.exp(interval.low) - 1))
    assert row["high_percent"] == pytest.approx(100 * (np.exp(interval.high) - 1))
    assert (row["verdict"], row["n"], row["n_baseline"], row["p_permutation"]) == ("better", 3, 3, None)
    assert row["difference"] == pytest.approx(2 * (np.mean(RATES["mcsio-512"]) - np.mean(RATES["mcs"])))
    assert [one["run"] for one in row["runs"]] == ["mcsio-512-r1", "mcsio-512-r2", "mcsio-512-r3"]
    assert table["excluded"] == [
        {"study": "lab", "configuration": "mcs", "run": "mcs-r4", "reason": "vCenter failed over"}
    ]


def test_that_csv_has_the_same_rows(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(said(capsys, lab, "--format", "json"))
    rows = list(csv.DictReader(io.StringIO(said(capsys, lab, "--format", "csv"))))
    assert [row["metric"] for row in rows] == [row["metric"] for row in table["differences"]]
    assert float(rows[0]["ratio"]) == pytest.approx(table["differences"][0]["ratio"])


def test_that_the_text_names_baseline_verdicts_and_excluded_runs(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, lab)
    assert "lab: compared with 'mcs' (3 runs)" in text
    assert "better" in text
    assert "excluded: mcs-r4 (mcs): vCenter failed over" in text


def test_that_the_options_baseline_and_margin_and_phase_are_used(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    table = json.loads(said(capsys, lab, "--format", "json", "--baseline", "mcsio-512", "--margin", "10"))
    row = row_of(table, "iops_per_vm")
    assert (row["configuration"], row["verdict"], table["margin_percent"]) == ("mcs", "worse", 10.0)
    assert main(["compare", str(lab), "--phase", "av-scan"]) == 2
    assert capsys.readouterr().err == snapshot


def test_that_an_unknown_baseline_is_a_usage_error_with_a_sentence(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["compare", str(lab), "--baseline", "PVS"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == snapshot


@pytest.mark.parametrize("margin", ["-1", "100", "nan"])
def test_that_an_impossible_margin_is_a_usage_error(lab: Path, margin: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(lab), "--margin", margin]) == 2
    assert "is not possible" in capsys.readouterr().err


def test_that_runs_named_one_by_one_are_compared_with_each_other(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(said(capsys, lab / "mcs-r1", lab / "mcsio-512-r1", "--format", "json"))
    row = row_of(table, "iops_per_vm")
    assert (row["configuration"], row["baseline"], row["basis"], row["verdict"]) == ("mcsio-512", "mcs", "single", "~")


def test_that_a_single_configuration_is_reported(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert said(capsys, lab / "mcs-r1") == snapshot


def test_that_the_sweep_gives_the_published_reductions_with_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(said(capsys, SAMPLE / "rds-mcsio-cache-sweep", "--phase", "steady", "--format", "json"))
    found = {(row["configuration"], row["metric"]): row for row in table["differences"]}
    for size, metric, published in (
        ("256 MB", "iops", -7),
        ("256 MB", "write_iops_per_vm", -39),
        ("512 MB", "iops", -50),
        ("1 GB", "iops", -77),
        ("4 GB", "iops", -93),
    ):
        row = found[f"MCSIO {size}", metric]
        assert row["change_percent"] == pytest.approx(published, abs=0.5)
        assert row["low_percent"] < row["change_percent"] < row["high_percent"]
        assert row["verdict"] == "better"
    for size in ("256 MB", "512 MB", "1 GB", "4 GB"):
        assert found[f"MCSIO {size}", "cpu_percent"]["verdict"] == "same"


def test_that_an_antivirus_scan_of_77_minutes_against_101_is_24_percent_shorter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, minutes in (("Without FAST Cache", 101), ("With FAST Cache", 77)):
        folder = tmp_path / "vnx" / name
        samples = [20.0] * (4 * minutes + 8)
        disk_csv(folder / "guest" / "W7-001.csv", "W7-001", samples, samples)
        end = f"{9 + minutes // 60:02d}:{minutes % 60:02d}"
        (folder / "run.toml").write_text(
            f'configuration = "{name}"\nbaseline = {str(minutes == 101).lower()}\n[[phases]]\nname = "av-scan"\n'
            f"start = 2016-05-10T09:00:00+01:00\nend = 2016-05-10T{end}:00+01:00\n"
        )
    table = json.loads(said(capsys, tmp_path / "vnx", "--format", "json"))
    row = row_of(table, "duration_s")
    assert (row["phase"], row["baseline"], row["configuration"]) == ("av-scan", "Without FAST Cache", "With FAST Cache")
    assert (row["baseline_value"], row["value"], row["difference"]) == (6060, 4620, -1440)
    assert round(row["change_percent"]) == -24
    assert row["verdict"] == "~"


def test_that_exports_state_the_version_of_the_method(lab: Path, tmp_path: Path) -> None:
    for name in ("report.html", "book.xlsx"):
        assert main(["export", str(lab), "-o", str(tmp_path / name)]) == 0
    assert f"statistical method version {METHOD}." in (tmp_path / "report.html").read_text("utf-8")
    sheet = load_workbook(BytesIO((tmp_path / "book.xlsx").read_bytes()), read_only=True)["Sources"]
    assert f"statistical method version {METHOD}, written" in str(sheet["A2"].value)
