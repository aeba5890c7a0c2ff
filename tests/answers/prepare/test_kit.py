"""The files of a kit: their content, and that the readers and the tools accept them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.answers.prepare.kit_logs import plan_of
from tests.answers.prepare.kits import kit, text
from workbench.answers.prepare.kit.mix import assumed_mix, diskspd_script, fio_job
from workbench.answers.prepare.kit.write import write_kit
from workbench.cli import main
from workbench.model.session import EventKind
from workbench.readers import events
from workbench.readers.diskspd.report import command_of
from workbench.study.discovery.manifest import read_manifest

SWEEP = str(Path(__file__).parents[3] / "sample_data" / "rds-mcsio-cache-sweep")
# MS-PLA 3.2.4.19, "Schema": the elements of a data collector set that hold text, and those of a counter collector.
SET = (
    "Status Keyword Duration Description DescriptionUnresolved DisplayName DisplayNameUnresolved SchedulesEnabled "
    "LatestOutputLocation Name OutputLocation RootPath Segment SegmentMaxDuration SegmentMaxSize SerialNumber Server "
    "Subdirectory SubdirectoryFormat SubdirectoryFormatPattern Task TaskRunAsSelf TaskArguments TaskUserTextArguments "
    "UserAccount Security StopOnCompletion PerformanceCounterDataCollector"
)
COLLECTOR = (
    "DataCollectorType Name FileName FileNameFormat FileNameFormatPattern LogAppend LogCircular LogOverwrite "
    "LatestOutputLocation DataSourceName SampleInterval SegmentMaxRecords LogFileFormat Counter "
    "CounterDisplayName"
)


@pytest.mark.parametrize("name", ["guest", "hyper-v", "pvs-server"])
def test_that_a_data_collector_set_has_the_documented_elements_in_order(name: str) -> None:
    made = kit("PVS 512 MB", interval_s=5)
    root = ElementTree.fromstring(text(made, f"{name}/{name}.xml"))
    assert root.tag == "DataCollectorSet"
    assert {element.tag for element in root} <= set(SET.split())
    collector = root.find("PerformanceCounterDataCollector")
    assert collector is not None
    assert {element.tag for element in collector} <= set(COLLECTOR.split())
    assert collector.findtext("SampleInterval") == "5"
    # FileFormat: 0 is text with commas, 3 binary, which also holds VMs and sessions that start later.
    assert collector.findtext("LogFileFormat") == "3"
    # In a pattern a backslash precedes every character that is not a code (MS-PLA 2.2.3.1).
    pattern = collector.findtext("FileNameFormatPattern") or ""
    assert re.fullmatch(r"(\\.|[DdMyhHmstzN])+", pattern)


def test_that_the_log_of_a_desktop_is_a_text_file_if_all_counters_exist_from_the_start() -> None:
    root = ElementTree.fromstring(text(kit("MCSIO 512 MB", questions=("iops", "cpu")), "guest/guest.xml"))
    assert root.findtext("PerformanceCounterDataCollector/LogFileFormat") == "0"


def test_that_counter_list_and_collector_set_have_the_same_counters() -> None:
    made = kit("MCSIO 512 MB")
    root = ElementTree.fromstring(text(made, "guest/guest.xml"))
    assert [element.text for element in root.iter("Counter")] == text(made, "guest/counters.txt").splitlines()


def test_that_a_kit_collects_the_counters_that_its_desktops_have() -> None:
    """Without PVS the kit has no poolmon and no PVS server. With PVS alone it has no counters of the MCSIO driver."""
    mcsio, pvs, unknown = kit("MCSIO 512 MB"), kit("PVS 512 MB"), kit("pilot")
    assert "guest/poolmon.cmd" not in {file.path for file in mcsio.files}
    assert "pvs-server/pvs-server.xml" not in {file.path for file in mcsio.files}
    assert "guest/poolmon.cmd" in {file.path for file in pvs.files}
    assert "Citrix MCS" not in text(pvs, "guest/guest.xml")
    assert "Citrix MCS" in text(unknown, "guest/guest.xml")
    assert "Pool Nonpaged Bytes" in text(unknown, "guest/guest.xml")


def test_that_a_kit_for_one_question_has_fewer_counters_than_for_all() -> None:
    made = kit("MCSIO 512 MB", questions=("cpu",))
    assert [line for line in text(made, "guest/counters.txt").splitlines() if "Processor" not in line] == [
        r"\Terminal Services\Active Sessions",
        r"\Energy Meter(*)\Power",
    ]
    assert not any(file.path.startswith("storage/") for file in made.files)


def test_that_the_log_of_a_host_names_its_vms_for_every_purpose() -> None:
    """The paths of virtual disks may not show their machine; the counters of processors do."""
    made = kit("MCS", questions=("iops",))
    assert (
        r"\Hyper-V Hypervisor Virtual Processor(*)\% Guest Run Time" in text(made, "hyper-v/counters.txt").splitlines()
    )


def test_that_the_readme_has_the_steps_for_the_files_of_the_kit_only() -> None:
    every, few = text(kit("PVS"), "README.txt"), text(kit("MCSIO 512 MB", questions=("cpu",)), "README.txt")
    for word in ("poolmon.cmd", "leave_out", "add-event.ps1", "fio --output", "Login VSI"):
        assert word in every
    assert not [word for word in ("poolmon", "leave_out", "fio", "Login VSI") if word in few]
    for made in (kit("PVS"), kit("MCS", questions=("logons",))):
        for file in made.files[1:]:
            assert file.path in text(made, "README.txt") or file.path.startswith("planned-runs/")


def test_that_esxtop_shows_only_the_displays_with_needed_counters() -> None:
    lines = text(kit("MCS"), "esxi/esxtop60rc").splitlines()
    assert len(lines) == 9
    assert [line for line in lines[:-1] if line.isupper()] == ["ABCDEFGHIJ", "ABCDEFGH"]
    assert lines[-1] == "15v"


def test_that_every_run_has_a_manifest_that_the_reader_accepts(tmp_path: Path) -> None:
    hostile = 'PVS 2 GB "pilot"\\ ../x'
    made = kit("MCSIO 512 MB", hostile, "pilot", runs=2)
    write_kit(tmp_path / "kit", made)
    rows = plan_of(tmp_path / "kit")
    assert [row["configuration"] for row in rows] == [
        "MCSIO 512 MB",
        hostile,
        "pilot",
        "pilot",
        hostile,
        "MCSIO 512 MB",
    ]
    for row in rows:
        path = tmp_path / "kit" / row["folder"] / "run.toml"
        manifest, problems = read_manifest(path, "run.toml")
        assert problems == []
        assert manifest.get("configuration") == row["configuration"]
        commented = tomllib.loads(re.sub(r"^# (?=\w+ = )", "", path.read_text("utf-8"), flags=re.MULTILINE))
        assert commented["vms"] == 5
    first, second = (read_manifest(tmp_path / "kit" / row["folder"] / "run.toml", "")[0] for row in rows[:2])
    assert (first.get("provisioning"), first.get("ram_cache_mb"), first.get("baseline")) == ("MCSIO", 512, True)
    assert (second.get("provisioning"), second.get("ram_cache_mb"), second.get("baseline")) == ("PVS", 2048, None)


def test_that_the_kit_for_further_runs_copies_the_settings_of_earlier_runs(tmp_path: Path) -> None:
    """The sample has MCS with one VM and with five: two folders, one name of the configuration."""
    study = str(Path(SWEEP).with_name("windows-7-mcs-and-pvs"))
    assert main(["kit", study, "--runs", "1", "-o", str(tmp_path / "kit")]) == 0
    rows = [row for row in plan_of(tmp_path / "kit") if row["configuration"].startswith("MCS,")]
    stated = [read_manifest(tmp_path / "kit" / row["folder"] / "run.toml", "run.toml") for row in rows]
    assert [problems for _, problems in stated] == [[], []]
    facts = {(each.get("configuration"), each.get("vms"), each.get("session_type")) for each, _ in stated}
    assert facts == {("MCS", 1, "vdi"), ("MCS", 5, "vdi")}


def test_that_a_line_break_in_a_name_adds_no_line_to_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    from dataclasses import replace

    mix = assumed_mix(10)
    hostile = replace(mix, iops=replace(mix.iops, source="a\ndel *.* & whoami | %~x"))
    script, job = diskspd_script(hostile), fio_job(hostile)
    (line,) = [line for line in script.splitlines() if "whoami" in line]
    assert line.startswith("rem ")
    assert not set("&|%<>^") & set(line)
    assert all(line.startswith(";") for line in job.splitlines() if "whoami" in line)


def test_that_the_event_scripts_cover_every_event_and_the_file_format(tmp_path: Path) -> None:
    made = kit("MCS")
    for kind in EventKind:
        assert kind in text(made, "events/add-event.ps1")
        assert kind in text(made, "events/add-event.cmd")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("wine") is None, reason="Wine runs the batch file")
def test_that_the_batch_file_writes_events_that_the_reader_accepts(tmp_path: Path) -> None:
    """Wine's wmic does not support /value, so a replacement prints the output of Windows."""
    (tmp_path / "add-event.cmd").write_text(text(kit("MCS"), "events/add-event.cmd").replace("\n", "\r\n"))
    environment = {**os.environ, "WINEPREFIX": str(tmp_path / "prefix"), "WINEDEBUG": "-all"}
    for stamp, words in (
        ("20160510090000.123000+060", ["power_on", "W10-001"]),
        ("20160510013512.500000-330", ["logon_end", "W10-001", "user1", "a & echo x> y, z"]),
    ):
        (tmp_path / "wmic.cmd").write_text(f"@echo off\r\necho.\r\necho LocalDateTime={stamp}\r\n")
        command = ["wine", "cmd", "/c", "add-event.cmd", *words]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=300, capture_output=True)
    (file,) = tmp_path.glob("events-*.csv")
    reading = events.read(file, file.name, tmp_path)
    assert [(event.kind, event.vm, event.user, event.has_offset) for event in reading.events] == [
        (EventKind.POWER_ON, "W10-001", "", True),
        (EventKind.LOGON_END, "W10-001", "user1", True),
    ]
    assert reading.events[1].detail == "a & echo x> y, z"
    assert not (tmp_path / "y").exists()
    assert [event.at - 1_462_867_200 for event in reading.events] == [0, -55 * 60 + 12 + 0]


def test_that_the_load_of_a_measured_phase_is_that_of_the_phase_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["kit", SWEEP, "--question", "storage-limit", "--desktops", "200", "--format", "json"]) == 0
    mixes = {mix["phase"]: mix for mix in json.loads(capsys.readouterr().out)["mix"]}
    assert main(["summary", SWEEP, "--format", "json"]) == 0
    runs = [run for run in json.loads(capsys.readouterr().out)["runs"] if run["configuration"] == "MCS"]
    rows = [phase for run in runs for phase in run["phases"] if phase["phase"] == "steady"]
    values = {value["name"]: value for value in mixes["steady"]["values"]}
    assert set(mixes) == {"boot", "logon", "steady"}
    mean = {key: sum(row[key] for row in rows) / len(rows) for key in ("iops_per_vm", "read_percent")}
    assert values["IOPS per desktop"]["value"] == pytest.approx(mean["iops_per_vm"])
    assert values["share of reads"]["value"] == pytest.approx(mean["read_percent"])
    # The load of a session host is that of all its users; few users are logged on while it boots.
    assert "session host" in values["IOPS per desktop"]["source"]
    assert values["share of reads"]["origin"] == "measured"
    # The sample logs no bytes of its disks.
    assert values["size of a read"]["origin"] == "assumed"
    little = sum(
        (row["read_iops_per_vm"] * row["read_latency_ms"] + row["write_iops_per_vm"] * row["write_latency_ms"]) / 1000
        for row in rows
    ) / len(rows)
    assert values["I/Os in flight per desktop"]["value"] == pytest.approx(little, rel=1e-3)


def test_that_without_a_study_every_number_of_the_load_is_assumed() -> None:
    (mix,) = kit("MCS").mixes
    assert {value.origin for value in mix.values} == {"assumed"}
    assert all(value.source for value in mix.values)


@pytest.mark.parametrize("desktops", [1, 100, 100_000])
def test_that_diskspd_and_fio_have_the_same_load_settings(desktops: int) -> None:
    mix = assumed_mix(desktops)
    first, *_ = [line for line in diskspd_script(mix).splitlines() if line.startswith("diskspd ")]
    asked = command_of(first.split(">")[0])
    assert asked is not None
    assert (asked.block_bytes, asked.read_percent, asked.pattern) == (8192, 35, "random")
    assert asked.threads is not None
    assert asked.outstanding is not None
    assert asked.threads * asked.outstanding >= mix.total_depth
    limit = int(re.search(r" -g(\d+) ", first)[1])  # type: ignore[index]
    assert limit * asked.threads * 1000 / 8192 == pytest.approx(mix.total_iops, rel=0.01)
    jobs = int(re.search(r"numjobs=(\d+)", fio_job(mix))[1])  # type: ignore[index]
    halves = re.search(r"rate_iops=(\d+),(\d+)", fio_job(mix))
    assert halves is not None
    # Each job has a whole number, so a job with few IOPS differs by at most 0.5.
    assert abs(jobs * (int(halves[1]) + int(halves[2])) - mix.total_iops) <= jobs


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio checks its own job")
@pytest.mark.parametrize("desktops", [1, 100, 100_000])
def test_that_fio_accepts_the_job_file(tmp_path: Path, desktops: int) -> None:
    job = tmp_path / "steady.fio"
    job.write_text(fio_job(assumed_mix(desktops)))
    outcome = subprocess.run(["fio", "--parse-only", str(job)], capture_output=True, text=True, check=False)
    assert (outcome.returncode, outcome.stderr) == (0, "")


def test_that_the_plan_equals_that_of_vdiwb_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", SWEEP, "--detect", "10%", "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert main(["plan", SWEEP, "--detect", "10%", "--format", "json"]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["plans"]
    assert made["order"] == plan["order"]
    assert made["runs"] == plan["runs"]
    assert made["runs_reason"].startswith(plan["text"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--question", "speed"], "There is no question 'speed'"),
        (["--interval", "0"], "The interval cannot be 0"),
        (["--interval", "30", "--question", "overflow", "--question", "cpu"], "cannot be answered: cpu (15 s)"),
        (["--runs", "99"], "The number of runs cannot be 99"),
        (["--detect", "x"], "'x' is not a percentage"),
        (["-o", "/nowhere/at/all"], "does not exist"),
    ],
)
def test_that_impossible_options_are_rejected(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["kit", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_that_scripts_are_plain_ascii(tmp_path: Path) -> None:
    """Windows PowerShell reads a script without a mark as the local code page."""
    for file in kit("MCS").files:
        if file.path.endswith((".ps1", ".cmd", ".sh")) and not file.path.startswith("storage/"):
            assert file.text.isascii(), file.path
