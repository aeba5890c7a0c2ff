"""run.toml: the effect of each key, and of an unusable key."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, disk_csv
from tests.study.manifests import read
from workbench.cancellation import Cancelled, cancelled_by
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.model.phase import Phase
from workbench.model.problem import Severity
from workbench.option_files import option_bytes
from workbench.study.discovery import folders
from workbench.study.discovery.folders import find_sources
from workbench.study.discovery.manifest import Stated, read_manifest
from workbench.study.store.column_store import Store

FULL = """
configuration = "MCSIO 512 MB"
provisioning  = "mcsio"
write_cache   = "device-ram-overflow"
guest_counters = "Below-Cache"
ram_cache_mb  = 512
session_type  = "vdi"
vms = 5
users = 6
hypervisor = "Hyper-V 2012 R2"
guest_os   = "Windows 10 x64"
workload   = "Knowledge worker"
time_zone  = "Europe/London"
baseline   = true
exclude    = "vCenter failed over at 09:40"
build      = "22H2-19045.3803"
date       = 2016-05-10
[[phases]]
name = "boot"
start = 2016-05-10T09:00:00+01:00
end   = 2016-05-10T09:06:00+01:00
"""


def test_that_every_key_of_the_contract_is_read(tmp_path: Path) -> None:
    manifest, problems = read(tmp_path, FULL)
    assert problems == []
    assert manifest.values == {
        "configuration": "MCSIO 512 MB",
        "provisioning": "MCSIO",
        "write_cache": "device-ram-overflow",
        "guest_counters": "below-cache",
        "ram_cache_mb": 512,
        "session_type": "vdi",
        "vms": 5,
        "users": 6,
        "hypervisor": "Hyper-V 2012 R2",
        "guest_os": "Windows 10 x64",
        "workload": "Knowledge worker",
        "time_zone": "Europe/London",
        "baseline": True,
        "exclude": "vCenter failed over at 09:40",
        "build": "22H2-19045.3803",
        "date": "2016-05-10",
    }
    assert manifest.phases == (Phase("boot", T0, T0 + 360, "run.toml", "stated in run.toml"),)


def test_that_an_empty_file_is_valid_and_states_no_values(tmp_path: Path) -> None:
    manifest, problems = read(tmp_path, "# nothing yet\n")
    assert (manifest.values, manifest.phases, problems) == ({}, (), [])


@pytest.mark.parametrize(
    "line",
    [
        'vms = "five"',
        "vms = 5.0",
        "vms = true",
        "vms = 0",
        "vms = -3",
        "ram_cache_mb = -1",
        "users = -1",
        "baseline = 1",
        'baseline = "yes"',
        "exclude = true",
        'exclude = ""',
        'configuration = " "',
        "configuration = 7",
        'provisioning = "Citrix"',
        'session_type = "rdsh"',
        'write_cache = "ramdisk"',
        'time_zone = "Mars/Olympus"',
        'time_zone = ""',
        'date_order = "ddmm"',
        "date_order = 1",
        'time_zone = "+99:00"',
        'time_zone = "../UTC"',
        "phases = 3",
        'build = ""',
        "build = 19045.38",
        "build = true",
        "date = 9",
        'date = "last week"',
        "date = 09:30:00",
        "date = 1601-01-01",
        'date = "2016-02-31"',
    ],
)
def test_that_an_unusable_key_is_named_and_affects_no_other(tmp_path: Path, line: str) -> None:
    manifest, problems = read(tmp_path, f'{line}\nhypervisor = "ESXi 6.7"\n')
    key = line.partition(" ")[0]
    assert manifest.values == {"hypervisor": "ESXi 6.7"}
    assert [(problem.severity, problem.code, problem.action.partition(";")[0]) for problem in problems] == [
        (Severity.WARNING, "manifest-key", "key ignored")
    ]
    assert f"'{key}'" in problems[0].message


def test_that_an_unknown_key_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    _, problems = read(
        tmp_path,
        'ram_cache = 512\n[[phases]]\nname = "x"\nnote = "?"\n'
        "start = 2016-05-10T09:00:00Z\nend = 2016-05-10T09:06:00Z\n",
    )
    assert [problem.message for problem in problems] == snapshot


@pytest.mark.parametrize("text", ["vms = ", "[[phases]", b'configuration = "\xff\xfe"', "vms = 1\nvms = 2"])
def test_that_invalid_toml_is_rejected_completely(tmp_path: Path, text: str | bytes) -> None:
    manifest, problems = read(tmp_path, text)
    assert manifest.values == {}
    assert [(problem.severity, problem.code) for problem in problems] == [(Severity.REFUSED, "manifest-unreadable")]


def test_that_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    manifest, problems = read(tmp_path, b"\xef\xbb\xbfvms = 5\r\n")
    assert (manifest.values, problems) == ({"vms": 5}, [])


PHASE = '[[phases]]\nname = "{name}"\nstart = {start}\nend = {end}\n'


def test_that_times_without_an_offset_use_the_stated_zone(tmp_path: Path) -> None:
    text = PHASE.format(name="boot", start="2016-05-10T09:00:00", end='"2016-05-10 09:06"')
    manifest, problems = read(tmp_path, 'time_zone = "Europe/London"\n' + text)
    assert problems == []
    assert (manifest.phases[0].start, manifest.phases[0].end) == (T0, T0 + 360)


def test_that_times_without_an_offset_and_a_zone_are_ignored(tmp_path: Path) -> None:
    manifest, problems = read(
        tmp_path, PHASE.format(name="boot", start="2016-05-10T09:00:00", end="2016-05-10T09:06:00")
    )
    assert manifest.phases == ()
    assert "without a UTC offset" in problems[0].message


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ("2016-05-10T09:00:00Z", "2016-05-10T09:00:00Z", "does not end after its start"),
        ("2016-05-10T09:00:00Z", "2016-05-10T08:00:00Z", "does not end after its start"),
        ("2016-05-10", "2016-05-11", "needs a date and time"),
        ("09:00:00", "10:00:00", "needs a date and time"),
        ('"nine"', '"ten"', "the invalid start 'nine'"),
        ("1", "2", "needs a date and time"),
    ],
)
def test_that_an_unusable_phase_affects_no_other(tmp_path: Path, start: str, end: str, why: str) -> None:
    good = PHASE.format(name="steady", start="2016-05-10T10:00:00Z", end="2016-05-10T11:00:00Z")
    manifest, problems = read(tmp_path, PHASE.format(name="boot", start=start, end=end) + good)
    assert [phase.name for phase in manifest.phases] == ["steady"]
    assert len(problems) == 1
    assert "Entry 1 of [[phases]]" in problems[0].message
    assert why in problems[0].message


def test_that_a_repeated_phase_counts_once_and_is_reported(tmp_path: Path) -> None:
    one = PHASE.format(name="Boot", start="2016-05-10T09:00:00Z", end="2016-05-10T09:05:00Z")
    two = PHASE.format(name="boot", start="2016-05-10T10:00:00Z", end="2016-05-10T10:05:00Z")
    manifest, problems = read(tmp_path, one + two)
    assert [(phase.name, phase.duration_s) for phase in manifest.phases] == [("boot", 300)]
    assert "again" in problems[0].message


def test_that_a_phase_without_a_name_is_ignored(tmp_path: Path) -> None:
    manifest, problems = read(
        tmp_path, PHASE.format(name=" ", start="2016-05-10T09:00:00Z", end="2016-05-10T09:05:00Z")
    )
    assert manifest.phases == ()
    assert "has no name" in problems[0].message


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "vms = " + "9" * 5000])
def test_that_an_invalid_file_is_rejected_with_a_sentence(tmp_path: Path, text: str) -> None:
    manifest, problems = read(tmp_path, text)
    assert (manifest.values, [problem.severity for problem in problems]) == ({}, [Severity.REFUSED])


def test_that_a_file_in_another_encoding_is_rejected_with_advice(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    _, problems = read(tmp_path, "vms = 5\n".encode("utf-16"))
    assert [problem.message for problem in problems] == snapshot


@pytest.mark.parametrize(
    "edges",
    [("0001-01-01T00:00:00+14:00", "2016-05-10T09:00:00Z"), ("2016-05-10T09:00:00Z", "9999-12-31T23:59:59-12:00")],
)
def test_that_a_phase_in_an_impossible_year_is_ignored_and_reported(
    tmp_path: Path, edges: tuple[str, str], snapshot: SnapshotAssertion
) -> None:
    start, end = edges
    manifest, problems = read(tmp_path, f'[[phases]]\nname = "boot"\nstart = {start}\nend = {end}\n')
    assert manifest.phases == ()
    assert problems[0].message == snapshot


HUGE = "0x" + "f" * 40_000


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"vms = {HUGE}", "but the maximum is 1,000,000"),
        (f"users = {HUGE}", "a number with thousands of digits"),
        (f"ram_cache_mb = {HUGE}", "but the maximum is"),
        (f"ram_cache_mb = -{HUGE[2:].replace('f', '9')[:4000]}", "but the minimum is 0"),
        ("vms = 1_000_001", "is 1000001, but the maximum is"),
        ("vms = 9223372036854775808", "but the maximum is"),
        ("vms = 1e400", "not inf"),
        ("vms = nan", "not nan"),
        ("vms = 5e0", "not 5.0"),
        ("ram_cache_mb = -inf", "not -inf"),
        (f"vms = [{HUGE}]", "not a list"),
        ("users = 2016-05-10", "must be a whole number, not 2016-05-10"),
        (f'provisioning = "{"x" * 50_000}"', "which is invalid"),
        (f'time_zone = "{"x" * 50_000}"', "xxx"),
        (f"baseline = {HUGE}", "must be true or false"),
        (f"configuration = {HUGE}", "must be text in quotation marks"),
        (f"{'k' * 50_000} = 1", "is not a valid key of run.toml"),
    ],
)
def test_that_an_impossible_value_removes_its_key_and_is_reported_with_its_line(
    tmp_path: Path, line: str, told: str
) -> None:
    manifest, problems = read(tmp_path, f'# a run\nhypervisor = "ESXi 6.7"\n\n{line}\n[[phases]]\n')
    assert manifest.values == {"hypervisor": "ESXi 6.7"}
    problem = problems[0]
    assert (problem.severity, problem.code, problem.line) == (Severity.WARNING, "manifest-key", 4)
    assert told in problem.message
    assert len(problem.message) < 400


def test_that_values_at_the_limits_are_accepted(tmp_path: Path) -> None:
    manifest, problems = read(tmp_path, "vms = 1_000_000\nusers = 0\nram_cache_mb = 0xf4240\n")
    assert problems == []
    assert manifest.values == {"vms": 1_000_000, "users": 0, "ram_cache_mb": 1_000_000}


def test_that_a_phase_that_lasts_decades_is_ignored_and_reported_with_its_line(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    good = PHASE.format(name="soak", start="2016-05-10T10:00:00Z", end="2017-05-10T10:00:00Z")
    bad = PHASE.format(name="boot", start="1999-05-10T09:00:00Z", end="2016-05-10T09:00:00Z")
    manifest, problems = read(tmp_path, "vms = 5\n" + good + bad)
    assert [phase.name for phase in manifest.phases] == ["soak"]
    assert [(problem.line, problem.code) for problem in problems] == [(6, "manifest-key")]
    assert problems[0].message == snapshot


def test_that_cancel_stops_the_reading_of_many_run_toml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (tmp_path / f"r{number}").mkdir()
        (tmp_path / f"r{number}" / "run.toml").write_text("vms = 5\n")
    asked, read = threading.Event(), list[str]()

    def reading(place: Path | bytes, name: str) -> Stated:
        read.append(name)
        if len(read) == 2:
            asked.set()
        return read_manifest(place, name)

    monkeypatch.setattr(folders, "read_manifest", reading)
    with cancelled_by(asked), pytest.raises(Cancelled):
        find_sources([tmp_path], Store(tmp_path / "store"))
    assert read == ["r0/run.toml", "r1/run.toml"]


def test_that_a_run_toml_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mcs").mkdir()
    (tmp_path / "mcs" / "run.toml").write_text("vms = 5\n")
    opened: list[Path] = []
    taken = option_bytes

    def noted(path: Path, *args: Any) -> bytes:
        opened.append(path)
        return taken(path, *args)

    monkeypatch.setattr("workbench.study.discovery.manifest.option_bytes", noted)
    (study,) = load_studies([tmp_path], Store(tmp_path / "store"))
    assert study.runs[0].vms == 5
    assert [path.name for path in opened].count("run.toml") == 1


def test_that_a_huge_number_in_run_toml_does_not_stop_the_study(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    for name in ("mcs", "pvs"):
        disk_csv(lab / name / "W10-001.csv", "W10-001", [8.0] * 24, [16.0] * 24)
    (lab / "mcs" / "run.toml").write_text(f"users = 3\nvms = {HUGE}\n")
    (study,) = load_studies([lab], Store(tmp_path / "store"))
    assert [(run.name, run.vms) for run in study.runs] == [("mcs", 1), ("pvs", 1)]
    (told,) = [one for one in study.problems if one.code == "manifest-key"]
    assert (told.file, told.line) == ("mcs/run.toml", 2)
    assert main(["summary", str(lab), "--format", "json"]) == 0
