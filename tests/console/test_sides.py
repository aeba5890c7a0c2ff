"""guest_counters of run.toml on the console: no saving between different sides of the cache, from files to JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from workbench.cli import main

PHASE = '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n'
Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """The JSON of a command on the study of `lab`."""
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))

    def asked(command: str, *options: str) -> dict[str, Any]:
        assert main([command, str(tmp_path / "lab"), *options, "--format", "json"]) == 0
        table: dict[str, Any] = json.loads(capsys.readouterr().out)
        return table

    return asked


def lab(folder: Path, side: str | None, runs: int = 3) -> None:
    """MCS at about 100 IOPS and MCSIO at 10, one VM; run.toml of MCSIO states the side."""
    stated = {"MCS": "", "MCSIO": "ram_cache_mb = 512\n" + (f'guest_counters = "{side}"\n' if side else "")}
    for kind, rate in (("MCS", 100.0), ("MCSIO", 10.0)):
        for n in range(runs):
            place = folder / "lab" / f"{kind.lower()}-r{n}"
            disk = r"\\W10-001\PhysicalDisk(_Total)\Disk Transfers/sec"
            perfmon_csv(place / "W10-001.csv", {disk: [rate * (1 + n / 100)] * 24})
            facts = f'configuration = "{kind}"\nprovisioning = "{kind}"\n{stated[kind]}'
            (place / "run.toml").write_text(facts + PHASE)


def iops(table: dict[str, Any]) -> dict[str, Any]:
    (row,) = [row for row in table["differences"] if row["metric"] == "iops_per_vm"]
    return dict(row)


@pytest.mark.parametrize("side", [None, "below-cache"])
def test_that_io_below_the_cache_is_compared_with_mcs(side: str | None, tmp_path: Path, ask: Ask) -> None:
    lab(tmp_path, side)
    row = iops(ask("compare"))
    assert (row["verdict"], row["objection"]) == ("better", None)
    assert {phase["side"] for run in ask("summary")["runs"] for phase in run["phases"]} == {None, side}


def test_that_io_above_the_cache_is_not_compared_with_mcs(tmp_path: Path, ask: Ask) -> None:
    lab(tmp_path, "above-cache")
    table = ask("compare")
    row = iops(table)
    reason = "different measuring points: only the I/O of MCSIO was measured above the cache"
    assert (row["verdict"], row["reason"], row["objection"]) == ("~", reason, reason)
    assert "compare-side" in {problem["code"] for problem in table["problems"]}
    phases = {run["configuration"]: run["phases"][0] for run in ask("summary")["runs"]}
    assert {name: phase["side"] for name, phase in phases.items()} == {"MCS": None, "MCSIO": "above-cache"}
    assert [tier["side"] for tier in phases["MCSIO"]["tiers"]] == ["above-cache", None]


@pytest.mark.parametrize("runs", [1, 2, 3])
def test_that_no_finding_or_sweep_reports_a_saving_for_any_number_of_runs(
    runs: int, tmp_path: Path, ask: Ask, snapshot: SnapshotAssertion
) -> None:
    lab(tmp_path, "above-cache", runs)
    findings = ask("findings")["findings"]
    (about_io,) = [one for one in findings if "IOPS" in one["text"] and one["kind"] != "prepare"]
    assert about_io["text"] == snapshot
    assert (about_io["strength"], about_io["n"], about_io["change_percent"]) == ("inconclusive", runs, None)
    rows = {row["configuration"]: row for row in ask("cache")["configurations"]}
    changes = {key: value for key, value in rows["MCSIO"].items() if key.startswith("iops_change")}
    assert changes
    assert set(changes.values()) == {None}
    assert "measured above" in rows["MCSIO"]["objection"]


def test_that_an_invalid_side_affects_only_its_key(tmp_path: Path, ask: Ask, snapshot: SnapshotAssertion) -> None:
    lab(tmp_path, "beside-cache")
    table = ask("inspect")
    (problem, *_) = [problem for problem in table["problems"] if problem["code"] == "manifest-key"]
    assert problem["message"] == snapshot
    assert iops(ask("compare"))["verdict"] == "better"


def test_that_a_side_stated_for_mcs_is_in_the_import_report(tmp_path: Path, ask: Ask) -> None:
    lab(tmp_path, "above-cache")
    toml = tmp_path / "lab" / "mcs-r0" / "run.toml"
    toml.write_text('guest_counters = "below-cache"\n' + toml.read_text())
    assert "side-without-cache" in {problem["code"] for problem in ask("inspect")["problems"]}
