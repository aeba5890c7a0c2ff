"""`vdiwb logons`: the sample storm on the console."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from workbench.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_data"
STORM = str(SAMPLE / "vdi-login-storm")


@pytest.fixture(autouse=True)
def vsimax(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_VSIMAX", str(tmp_path / "none.toml"))


def test_that_json_has_times_and_stuck_sessions_and_both_vsimax_values_and_assumptions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["logons", STORM, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "vdi-workbench/logons/1"
    assert "weights.CPU" in found["model"]["assumed"]
    assert found["model"]["numbers"]["threshold.add_ms"]["origin"] == "documented"
    mcs, mcsio = found["studies"][0]["configurations"]
    assert (mcs["counts"]["launched"], mcs["counts"]["stuck"]) == (100, 2)
    (run,) = mcs["runs"]
    assert run["trend_s_per_100_logons"]["direction"] == "rising"
    assert (run["vsimax"]["vsimax"], run["analyzer"][0]["vsimax"]) == (95, 92.0)
    assert mcsio["runs"][0]["vsimax"]["reached"] is False
    assert mcsio["against_baseline"]["basis"] == "single"
    assert {app["application"] for app in mcs["applications"]} == {"Outlook", "WinWord1", "Excel1"}
    assert all(app["unit_assumed"] for app in mcs["applications"])


def test_that_csv_has_a_row_per_session_and_empty_cells_for_missing_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["logons", STORM, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 200
    assert [row["logon_s"] for row in rows if row["outcome"] == "never logged on"] == ["", ""]


def test_that_the_table_names_the_model_and_an_unknown_model_lists_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["logons", STORM, "--model", "vsimax 4.0"]) == 0
    assert "VSImax 4.0 (VDI Workbench)" in capsys.readouterr().out
    assert main(["logons", STORM, "--model", "VSImax 9"]) == 2
    assert "VSImax 4.1, VSImax 4.0, VSImax dynamic (v3)" in capsys.readouterr().err


def test_that_custom_models_are_read_and_an_invalid_file_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[[model]]\nname = "ours"\nthreshold.factor = 3\nindex.fixed = 5\nweights.NSLD = 1\n')
    assert main(["logons", STORM, "--models", str(file), "--model", "ours"]) == 0
    assert "ours: all values are documented or set by you." in capsys.readouterr().out
    file.write_text("nonsense")
    assert main(["logons", STORM, "--models", str(file)]) == 2
    assert "mine.toml" in capsys.readouterr().err
    assert main(["logons", STORM, "--models", str(tmp_path / "gone.toml")]) == 2
    assert "gone.toml" in capsys.readouterr().err


def test_that_results_without_logons_name_the_files_to_add(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["logons", str(SAMPLE / "storage-benchmarks")]) == 0
    assert "events.csv" in capsys.readouterr().out
