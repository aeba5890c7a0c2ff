"""`vdiwb findings`: the sample's sweep on the console, missing baselines, benchmarks alone."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.answers.findings.compute import MOST_SHOWN
from workbench.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_data"
SWEEP, BENCHMARKS = str(SAMPLE / "rds-mcsio-cache-sweep"), str(SAMPLE / "storage-benchmarks")


@pytest.fixture(autouse=True)
def vsimax(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_VSIMAX", str(tmp_path / "none.toml"))


def test_that_json_has_sentence_and_strength_and_evidence(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["findings", SWEEP, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "vdi-workbench/findings/1"
    first = found["findings"][0]
    assert first["text"] == snapshot
    assert (first["strength"], first["n"], first["basis"]) == ("strong", 3, "interval")
    assert first["change_percent"] == pytest.approx(-93, abs=0.05)
    assert (first["page"], first["phase"], first["metric"]) == ("compare", "steady", "iops_per_vm")
    assert len(first["runs"]) == 6
    assert [one["place"] for one in found["findings"]] == list(range(1, len(found["findings"]) + 1))
    assert sum(one["shown"] for one in found["findings"]) == MOST_SHOWN
    assert len({one["key"] for one in found["findings"]}) == len(found["findings"])


def _is_null(one: dict[str, Any]) -> bool:
    return one["kind"] == "no change" or (one["kind"] == "logons" and one["relevance"] == 0)


def test_that_effects_are_sorted_by_strength_and_size_and_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["findings", SWEEP, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    leading = [one for one in found if one["evidence_of"] is None]
    assert [one["rank"] for one in leading] == list(range(1, len(leading) + 1))
    order = ["strong", "indicative", "inconclusive"]
    kinds = [(one["strength"] == "inconclusive", _is_null(one), order.index(one["strength"])) for one in leading]
    assert kinds == sorted(kinds)
    cuts = [one["change_percent"] for one in leading if one["strength"] == "strong" and one["kind"] == "compare"]
    assert len(cuts) > 3
    assert cuts == sorted(cuts)
    by_key = {one["key"]: one for one in found}
    evidence = [one for one in found if one["evidence_of"] is not None]
    assert evidence
    for one in evidence:
        lead = by_key[one["evidence_of"]]
        assert (one["phase"], one["runs"], one["rank"]) == (lead["phase"], lead["runs"], lead["rank"])
        assert order.index(lead["strength"]) <= order.index(one["strength"])
        assert not one["shown"]
    effects = [one for one in leading if one["kind"] == "compare" and one["strength"] != "inconclusive"]
    io = [one for one in effects if one["metric"].endswith("iops_per_vm")]
    told = [(one["configuration"], one["phase"], one["change_percent"] < 0) for one in io]
    assert len(set(told)) == len(told)
    assert {one["order"] for one in effects} == {"interleaved"}


def test_that_runs_in_blocks_give_no_strong_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["findings", str(SAMPLE / "simulated-cache-sweep"), "--format", "json"]) == 0
    found = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["kind"] == "compare"]
    assert found
    assert {one["order"] for one in found} == {"blocked"}
    assert not [one["key"] for one in found if one["strength"] == "strong"]


def test_that_csv_and_table_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["findings", SWEEP, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert main(["findings", SWEEP]) == 0
    shown = capsys.readouterr().out
    first = [row["text"] for row in rows if row["shown"].lower() == "true"]
    assert len(first) == MOST_SHOWN
    assert all(text in shown for text in first)
    assert rows[-1]["text"] not in shown
    undecided = sum(row["strength"] == "inconclusive" for row in rows)
    assert f"{undecided} findings are inconclusive. To list them, use --all." in shown
    assert f"{len(rows) - MOST_SHOWN - undecided} more findings" in shown
    assert main(["findings", SWEEP, "--all"]) == 0
    assert all(row["text"] in capsys.readouterr().out for row in rows[-1:])


def test_that_the_requested_baseline_is_used_and_an_unknown_one_is_named(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["findings", SWEEP, "--baseline", "mcsio 4 gb", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {one["baseline"] for one in found if one["kind"] == "compare"} == {"MCSIO 4 GB"}
    assert main(["findings", SWEEP, "--baseline", "nope"]) == 2
    assert capsys.readouterr().err == snapshot


def test_that_benchmarks_alone_have_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["findings", BENCHMARKS]) == 0
    shown = capsys.readouterr().out
    assert "Throughput levels off at queue depth 16" in shown
    assert "Only storage benchmarks were found, no runs of VMs." in shown


def test_that_single_run_paths_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(path) for path in sorted((SAMPLE / "xenapp-pvs-ram-cache").iterdir())]
    assert main(["findings", *paths, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert any(one["baseline"] == "PVS 1 GB" and one["configuration"] == "PVS 3 GB" for one in found)
