"""Runs of several studies may share a name; each is checked separately."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.limits.test_watched import mcsio_run, overflow
from tests.builders import perfmon_csv
from workbench.answers.common.spec import OK
from workbench.answers.limits.compute import checks
from workbench.answers.limits.limit import Limit
from workbench.answers.limits.tables import check_source
from workbench.cli import main
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures, run_figures


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def named_alike(folder: Path) -> list[str]:
    """Four runs called `r`, each in a separate folder; the last has no read latency."""
    paths = []
    for number in (1, 2, 3, 4):
        run = folder / f"w{number}" / "r"
        disk = "\\\\V1\\PhysicalDisk(_Total)\\"
        columns = {f"{disk}Disk Reads/sec": [8.0 + number / 10] * 24, f"{disk}Disk Writes/sec": [16.0] * 24}
        if number < 4:
            columns[f"{disk}Avg. Disk sec/Read"] = [0.005 + number / 10_000] * 24
        perfmon_csv(run / "V1.csv", columns)
        (run / "run.toml").write_text(
            'configuration = "MCS"\n[[phases]]\nname = "steady"\n'
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n"
        )
        paths.append(str(run))
    return paths


def test_that_an_unmeasured_run_does_not_pass_because_another_has_the_same_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    limits = tmp_path / "own.toml"
    limits.write_text('[[limits]]\nmeasure = "read_latency_ms"\nphase = "steady"\nat_most = 20\n')
    assert main(["check", *named_alike(tmp_path / "lab"), "--limits", str(limits), "--format", "json"]) == OK
    (row,) = json.loads(capsys.readouterr().out)["checks"]
    assert (row["verdict"], row["reason"]) == snapshot
    assert [run["run"] for run in row["runs"]] == ["w1/r", "w2/r", "w3/r"]


def alike(*figures: RunFigures) -> Group:
    """The runs under one name, each in its folder."""
    (group,) = group_runs([run_figures(replace(run.run, name="r")) for run in figures])
    return group


def test_that_the_source_of_a_value_does_not_include_a_run_without_it(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    blank = replace(mcsio_run(tmp_path, 4, 3600, ram_until=0.0).run, name="r4")
    group = alike(*(mcsio_run(tmp_path, n, 3600) for n in (1, 2, 3)), run_figures(blank))
    (found,) = checks([group], [Limit("cache_ram_used_mb_peak", 400.0, phase="steady")])
    source = check_source(found, {group.label: group})
    assert (found.verdict, found.reason) == snapshot
    assert source is not None
    assert source.runs == ("r1", "r2", "r3")


def test_that_a_complete_run_does_not_get_the_gaps_of_a_run_with_the_same_name(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    group = alike(mcsio_run(tmp_path, 1, 3600), mcsio_run(tmp_path, 2, 300), mcsio_run(tmp_path, 3, 3600))
    found = overflow(group)
    assert found.verdict == "inconclusive"
    assert found.reason == snapshot
