"""`vdiwb sizing` and `vdiwb what-if`: the published example on the console, and messages for bad input."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.answers.sizing.constants import constants
from workbench.answers.sizing.steps import RULES
from workbench.cli import main

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "sample_data" / "windows-7-mcs-and-pvs"
# The published example with the default constants, except for the values of one desktop.
EXAMPLE = (
    "--set",
    "iops_per_vm=30",
    "--set",
    "io_size_kib=64",
    "--set",
    "write_penalty=1",
    "--set",
    "storms=none",
    "--set",
    "cache_ram_mb=0",
)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def one_plan(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    found = answer(capsys, "sizing", str(STUDY), "--desktops", "500", "--configuration", "MCS, 5 VMs", *more)
    assert found["schema"] == "vdi-workbench/sizing/1"
    assert len(found["plans"]) == 1
    plan: dict[str, Any] = found["plans"][0]
    return plan


def test_that_the_units_of_the_json_do_not_depend_on_the_words_of_pages(capsys: pytest.CaptureFixture[str]) -> None:
    plan = one_plan(capsys, *EXAMPLE)
    units = {row.get("name") or row.get("step"): row["unit"] for row in (*plan["inputs"], *plan["steps"])}
    assert [units[key] for key in ("disk_gb", "vm_disk_gb", "host_ram_gib", "cache_ram_gib", "ram_per_vm")] == [
        *("GB", "GB", "GiB", "GiB", "GiB")
    ]
    assert [units[key] for key in ("vm_vcpus", "ram_price_per_gib", "iops_percentile")] == ["vCPU", "per GiB", "%"]


def test_that_the_console_reproduces_the_published_example(capsys: pytest.CaptureFixture[str]) -> None:
    plan = one_plan(capsys, *EXAMPLE)
    steps = {step["step"]: step for step in plan["steps"]}
    both = {
        key: (round(steps[key]["value"], 1), steps[key]["rounded"])
        for key in ("disks_by_iops", "disks_by_capacity", "enclosures", "vms_per_host_full", "vms_per_host")
    }
    assert both == {
        "disks_by_iops": (107.1, 108),
        "disks_by_capacity": (55.6, 56),
        "enclosures": (1.8, 2),
        "vms_per_host_full": (64.0, 64),
        "vms_per_host": (50.0, 50),
    }
    results = plan["results"]
    assert (results["hosts"], results["hosts_with_spare"]) == (10, 11)
    assert (results["network_ports"], results["network_ports_with_spare"]) == (1, 2)
    assert results["throughput_mib_per_s"] == 937.5
    assert round(results["vcpu_ratio"], 1) == 3.1
    assert plan["bottlenecks"] == {
        "disks": "disk IOPS",
        "hosts": "host RAM",
        "path": "the network port",
        "iops": "working load",
    }


def test_that_the_plan_uses_measured_figures_and_labels_assumptions(capsys: pytest.CaptureFixture[str]) -> None:
    plan = one_plan(capsys, "--set", "iops_figure=mean")
    inputs = {one["name"]: one for one in plan["inputs"]}
    # Published for five MCS desktops: 20,009 I/Os in 2,700 s of steady state, 25,272 to boot.
    assert inputs["iops_per_vm"]["value"] == pytest.approx(20_009 / 2_700, rel=1e-4)
    assert inputs["boot_io_per_vm"]["value"] == pytest.approx(25_272, rel=1e-4)
    assert {inputs[name]["origin"] for name in ("iops_per_vm", "boot_io_per_vm", "read_percent")} == {"measured"}
    assert inputs["io_size_kib"]["origin"] == "assumed"
    steps = {step["step"]: step for step in plan["steps"]}
    assert "io_size_kib" in steps["network_ports"]["assumed"]
    assert plan["results"]["iops_total"] == pytest.approx(500 * 20_009 / 2_700 + 500 * 4_249 / (56 * 60), rel=1e-4)
    assert inputs["cache_disk_mb"] == inputs["cache_disk_mb"] | {"value": None, "origin": None}
    assert steps["cache_disk_gib"]["value"] is None
    assert steps["cache_disk_gib"]["missing"] == ["cache_disk_mb"]


def test_that_a_constants_file_is_used_and_set_overrides_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('disk_iops = {value = 210, source = "quote of May"}\ndisks_per_enclosure = 24\n')
    plan = one_plan(capsys, *EXAMPLE, "--constants", str(path), "--set", "disks_per_enclosure=12")
    inputs = {one["name"]: one for one in plan["inputs"]}
    assert (inputs["disk_iops"]["value"], inputs["disk_iops"]["source"]) == (210, "quote of May")
    assert plan["results"]["disks_by_iops"] == 72
    assert plan["results"]["enclosures"] == 6


def test_that_every_configuration_is_planned_and_the_table_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sizing", str(STUDY), "--desktops", "500"]) == 0
    out = capsys.readouterr().out
    assert out.count("PVS 256 MB bloated") == 1
    assert "\\u" not in out
    assert "Calculation steps for 'MCS, 5 VMs'" in out
    assert main(["sizing", str(STUDY), "--desktops", "500", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 4 * len(RULES)
    assert {row["configuration"] for row in rows} >= {"MCS, 5 VMs", "PVS 256 MB"}


def test_that_a_vm_larger_than_a_host_has_no_plan_and_the_reason_is_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    fits = one_plan(capsys)
    assert fits["problem"] is None
    plan = one_plan(capsys, "--set", "vm_ram_gib=500")
    assert plan["results"].keys() == fits["results"].keys()
    assert set(plan["results"].values()) == {None}
    assert {end for ends in plan["intervals"].values() for end in ends.values()} == {None}
    assert set(plan["bottlenecks"].values()) == {None}
    assert "500" in plan["problem"]
    assert plan["problem"] in plan["remarks"]
    assert main(["sizing", str(STUDY), "--desktops", "10", "--set", "vm_ram_gib=500"]) == 0
    said = capsys.readouterr().out
    assert said.count(plan["problem"].partition("Raise")[0].strip()) >= 1
    assert main(["sizing", str(STUDY), "--desktops", "10", "--set", "vm_ram_gib=500", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["rounded"] or row["value"] for row in rows if row["step"] in ("hosts", "hosts_with_spare")} == {""}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--desktops", "0"), "--desktops = 0 is out of range"),
        (("--desktops", "-3"), "desktops = -3 is out of range"),
        (("--desktops", "1e99"), "out of range"),
        (("--desktops", "many"), "is not a number"),
        (("--desktops", "5", "--set", "disk_iops=0"), "out of range"),
        (("--desktops", "5", "--set", "disk_iop=1"), "Did you mean disk_iops"),
        (("--desktops", "5", "--set", "disk_iops"), "is not NAME=VALUE"),
        (("--desktops", "5", "--constants", "nowhere.toml"), "cannot be read"),
        (("--desktops", "5", "--configuration", "MCSIO"), "No configuration is called 'MCSIO'"),
        (("--desktops", "5", "--phase", "av-scan"), "There is no phase 'av-scan'"),
        (("--desktops", "5", "--set", "host_ram_gib=20"), "leaves no RAM for VMs"),
    ],
)
def test_that_invalid_input_ends_with_2_and_a_message(
    more: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sizing", str(STUDY), *more]) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["sizing", "x"],
        ["what-if", "x", "--desktops", "5"],
        ["what-if", "x", "--minutes", "4"],
        ["what-if", "x", "--desktops", "5", "--minutes", "soon"],
    ],
)
def test_that_a_missing_number_is_a_usage_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: vdiwb" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["sizing", "what-if"])
def test_that_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert f"example: vdiwb {command} " in " ".join(capsys.readouterr().out.split())


def test_that_the_what_if_answers_for_boots_and_logons(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("what-if", str(STUDY), "--desktops", "500", "--minutes", "4", "--configuration", "MCS, 5 VMs")
    boot = answer(capsys, *arguments)["configurations"][0]
    assert boot["iops_per_start"] == pytest.approx(25_272 / 240, rel=1e-4)
    assert boot["iops_all_at_once"] == pytest.approx(500 * 25_272 / 240, rel=1e-4)
    assert boot["iops_spread"] == pytest.approx(500 * 25_272 / 3600, rel=1e-4)
    logon = answer(capsys, *arguments, "--phase", "logon", "--window", "0")["configurations"][0]
    assert logon["iops_spread"] == logon["iops_all_at_once"] == pytest.approx(500 * 4_249 / 240, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "value"),
    [("--minutes", "0"), ("--minutes", "-1"), ("--minutes", "nan"), ("--window", "-1"), ("--window", "inf")],
)
def test_that_invalid_times_are_reported(name: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    times = {"--minutes": "4", "--window": "60"} | {name: value}
    arguments = [f"{key}={text}" for key, text in times.items()]
    assert main(["what-if", str(STUDY), "--desktops", "5", *arguments]) == 2
    assert "is not possible. Enter" in capsys.readouterr().err


def test_that_the_documentation_lists_every_constant_and_step() -> None:
    text = (ROOT / "docs" / "answers" / "sizing.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)`", text))
    assert set(constants()) <= named
    assert {rule.key for rule in RULES} <= named


@pytest.mark.parametrize("command", [("sizing",), ("what-if", "--minutes", "4"), ("cache",)])
def test_that_a_study_with_excluded_runs_only_is_reported(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    disk_csv(tmp_path / "lab" / "run" / "A.csv", "A", [1.0] * 9, [2.0] * 9)
    (tmp_path / "lab" / "run" / "run.toml").write_text('exclude = "failed over"\n')
    assert main([command[0], str(tmp_path / "lab"), "--desktops", "5", *command[1:]]) == 0
    assert capsys.readouterr().out == snapshot


def test_that_the_number_of_desktops_is_reported_once(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["sizing", str(STUDY), "--desktops", "100", "--set", "desktops=5"]) == 2
    assert capsys.readouterr().err == snapshot


def test_that_configurations_with_the_same_name_are_distinguished_by_study(capsys: pytest.CaptureFixture[str]) -> None:
    def planned(*more: str) -> list[str]:
        assert main(["sizing", str(ROOT / "sample_data"), "--desktops", "500", *more, "--format", "json"]) == 0
        return [one["configuration"] for one in json.loads(capsys.readouterr().out)["plans"]]

    names = planned()
    assert len(names) == len(set(names))
    assert "vdi-login-storm: MCS" in names
    both = planned("--configuration", "MCS")
    assert both == ["rds-mcsio-cache-sweep: MCS", "vdi-login-storm: MCS"]
