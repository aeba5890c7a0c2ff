"""The cache counters of the MCS driver under their older and their newer names give the same answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from workbench.cli import OK, main

MB = 2.0**20
OLDER = (r"Citrix MCS Storage Driver({})\Cache memory used", r"Citrix MCS Storage Driver({})\Cache disk used")
NEWER = (r"Citrix MCS({})\RAM Cache Bytes", r"Citrix MCS({})\File Bytes")
WITNESS = "one-witness"
# 512 MB fill up in 100 rows, then the disk grows.
RAM = [min(512.0, 5.12 * row) * MB for row in range(240)]
DISK = [max(0.0, 4.0 * (row - 100)) * MB for row in range(240)]
Instances = dict[str, float]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def lay(lab: Path, names: tuple[str, ...], instances: Instances, stated: bool = True) -> Path:
    """Writes two runs of two VMs; each counter instance has a share of the cache."""
    for run in ("mcsio-r1", "mcsio-r2"):
        for vm in ("W10-1", "W10-2"):
            columns = {
                rf"\\{vm}\{name.format(instance)}": [share * value for value in values]
                for name, values in zip(names, (RAM, DISK) * 2, strict=False)
                for instance, share in instances.items()
            }
            disk = {rf"\\{vm}\PhysicalDisk(_Total)\Disk {op}/sec": [9.0] * 240 for op in ("Reads", "Writes")}
            perfmon_csv(lab / run / f"{vm}.csv", disk | columns)
        (lab / run / "run.toml").write_text(
            ('configuration = "C"\nprovisioning = "MCSIO"\nram_cache_mb = 512\n' if stated else "")
            + '[[phases]]\nname = "steady"\n'
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:50:00+01:00\n"
        )
    return lab


def answers(lab: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The problems that `vdiwb cache` and the import report show for the names."""
    assert main(["cache", str(lab), "--format", "json"]) == OK
    found = json.loads(capsys.readouterr().out)
    told = [one for one in found["problems"] if one["code"] == WITNESS]
    found["problems"] = [one for one in found["problems"] if one["code"] != WITNESS]
    return found, told


def page(lab: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The cache page as text, with the numbers behind its charts."""
    assert main(["export", str(lab), "-o", str(out), "--only", "cache"]) == OK
    assert main(["cache", str(lab), "--vms"]) == OK
    written = sorted(out.parent.glob(f"{out.stem}-*{out.suffix}"))
    assert len(written) == 5
    return "".join(file.read_text() for file in written) + capsys.readouterr().out


@pytest.mark.parametrize(
    "instances", [{"0": 1.0}, {"": 1.0}, {"0": 0.25, "1": 0.75}, {"_Total": 1.0}, {"0": 0.25, "1": 0.75, "_Total": 1.0}]
)
def test_that_the_newer_counter_names_mean_the_same_as_the_older_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], instances: Instances
) -> None:
    lab = tmp_path / "lab"
    older, nothing = answers(lay(lab, OLDER, {"": 1.0}), capsys)
    older_page = page(lab, tmp_path / "cache.csv", capsys)
    newer, told = answers(lay(lab, NEWER, instances), capsys)
    assert {vm["cache_ram_used_mb_peak"] for vm in newer["vms"]} == {512.0}
    assert {vm["overflowed"] for vm in newer["vms"]} == {True}
    assert newer == older
    assert page(lab, tmp_path / "cache.csv", capsys) == older_page
    assert nothing == []
    (one,) = told
    assert (one["severity"], one["file"]) == ("info", "lab")
    assert "'Citrix MCS\\RAM Cache Bytes' and 'Citrix MCS\\File Bytes'" in one["message"]
    assert "vda-checkcache.ps1, 2024" in one["message"]


def test_that_a_file_with_both_names_counts_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    older, _ = answers(lay(tmp_path / "lab", OLDER, {"": 1.0}), capsys)
    both, told = answers(lay(tmp_path / "lab", (*NEWER, *OLDER), {"0": 1.0}), capsys)
    assert both == older
    assert len(told) == 1


def test_that_the_newer_names_alone_identify_mcsio(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    lab = lay(tmp_path / "lab", NEWER, {"0": 1.0}, stated=False)
    for run in ("r1", "r2"):
        (lab / f"mcsio-{run}").rename(lab / run)
    found, _ = answers(lab, capsys)
    assert {one["provisioning"] for one in found["configurations"]} == {"MCSIO"}
    assert " ".join(one["message"] for one in found["problems"]) == snapshot


def test_that_every_command_shows_the_counter_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lab = lay(tmp_path / "lab", NEWER, {"0": 1.0})
    for command in ("inspect", "summary"):
        assert main([command, str(lab), "--format", "json"]) == OK
        codes = [one["code"] for one in json.loads(capsys.readouterr().out)["problems"]]
        assert codes.count(WITNESS) == 1, command
