"""run.toml: what each key gives, and what a key that cannot be used costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import T0
from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity
from workbench.study.manifest import Manifest, read_manifest

FULL = """
configuration = "MCSIO 512 MB"
provisioning  = "mcsio"
write_cache   = "device-ram-overflow"
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
[[phases]]
name = "boot"
start = 2016-05-10T09:00:00+01:00
end   = 2016-05-10T09:06:00+01:00
"""


def read(folder: Path, text: str | bytes) -> tuple[Manifest, list[Problem]]:
    path = folder / "run.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_manifest(path, "run.toml")


def test_that_every_key_of_the_contract_is_read(tmp_path: Path) -> None:
    manifest, problems = read(tmp_path, FULL)
    assert problems == []
    assert manifest.values == {
        "configuration": "MCSIO 512 MB", "provisioning": "MCSIO", "write_cache": "device-ram-overflow",
        "ram_cache_mb": 512, "session_type": "vdi", "vms": 5, "users": 6, "hypervisor": "Hyper-V 2012 R2",
        "guest_os": "Windows 10 x64", "workload": "Knowledge worker", "time_zone": "Europe/London",
        "baseline": True, "exclude": "vCenter failed over at 09:40",
    }  # fmt: skip
    assert manifest.phases == (Phase("boot", T0, T0 + 360, "run.toml", "stated in run.toml"),)


def test_that_an_empty_file_states_nothing_and_is_no_problem(tmp_path: Path) -> None:
    manifest, problems = read(tmp_path, "# nothing yet\n")
    assert (manifest.values, manifest.phases, problems) == ({}, (), [])


@pytest.mark.parametrize("line", [
    'vms = "five"', "vms = 5.0", "vms = true", "vms = 0", "vms = -3", "ram_cache_mb = -1", "users = -1",
    "baseline = 1", 'baseline = "yes"', "exclude = true", 'exclude = ""', 'configuration = " "', "configuration = 7",
    'provisioning = "Citrix"', 'session_type = "rdsh"', 'write_cache = "ramdisk"', 'time_zone = "Mars/Olympus"',
    'time_zone = ""', 'date_order = "ddmm"', "date_order = 1",
    'time_zone = "+99:00"', 'time_zone = "../UTC"', "phases = 3",
])  # fmt: skip
def test_that_a_key_of_no_use_costs_only_itself_and_is_named(tmp_path: Path, line: str) -> None:
    manifest, problems = read(tmp_path, f'{line}\nhypervisor = "ESXi 6.7"\n')
    key = line.partition(" ")[0]
    assert manifest.values == {"hypervisor": "ESXi 6.7"}
    assert [(problem.severity, problem.code, problem.action) for problem in problems] == [
        (Severity.WARNING, "manifest-key", "key left out")
    ]
    assert f"'{key}'" in problems[0].message


def test_that_an_unknown_key_is_named(tmp_path: Path) -> None:
    _, problems = read(tmp_path, 'ram_cache = 512\n[[phases]]\nname = "x"\nnote = "?"\n'
                       "start = 2016-05-10T09:00:00Z\nend = 2016-05-10T09:06:00Z\n")  # fmt: skip
    assert [problem.message for problem in problems] == [
        "'ram_cache' is not a key of run.toml.", "'phases entry 1: note' is not a key of a phase.",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["vms = ", "[[phases]", b'configuration = "\xff\xfe"', "vms = 1\nvms = 2"])
def test_that_broken_toml_is_refused_as_a_whole(tmp_path: Path, text: str | bytes) -> None:
    manifest, problems = read(tmp_path, text)
    assert manifest.values == {}
    assert [(problem.severity, problem.code) for problem in problems] == [
        (Severity.REFUSED, "manifest-unreadable")
    ]


def test_that_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    manifest, problems = read(tmp_path, b"\xef\xbb\xbfvms = 5\r\n")
    assert (manifest.values, problems) == ({"vms": 5}, [])


PHASE = '[[phases]]\nname = "{name}"\nstart = {start}\nend = {end}\n'


def test_that_times_without_an_offset_are_in_the_stated_zone(tmp_path: Path) -> None:
    text = PHASE.format(name="boot", start="2016-05-10T09:00:00", end='"2016-05-10 09:06"')
    manifest, problems = read(tmp_path, 'time_zone = "Europe/London"\n' + text)
    assert problems == []
    assert (manifest.phases[0].start, manifest.phases[0].end) == (T0, T0 + 360)


def test_that_times_without_an_offset_and_a_zone_are_left_out(tmp_path: Path) -> None:
    manifest, problems = read(
        tmp_path, PHASE.format(name="boot", start="2016-05-10T09:00:00", end="2016-05-10T09:06:00")
    )
    assert manifest.phases == ()
    assert "without an offset" in problems[0].message


@pytest.mark.parametrize(("start", "end", "why"), [
    ("2016-05-10T09:00:00Z", "2016-05-10T09:00:00Z", "does not end after it starts"),
    ("2016-05-10T09:00:00Z", "2016-05-10T08:00:00Z", "does not end after it starts"),
    ("2016-05-10", "2016-05-11", "no date-time"), ("09:00:00", "10:00:00", "no date-time"),
    ('"nine"', '"ten"', "'nine' as its start, which is no date-time"), ("1", "2", "no date-time"),
])  # fmt: skip
def test_that_a_phase_of_no_use_costs_only_itself(tmp_path: Path, start: str, end: str, why: str) -> None:
    good = PHASE.format(name="steady", start="2016-05-10T10:00:00Z", end="2016-05-10T11:00:00Z")
    manifest, problems = read(tmp_path, PHASE.format(name="boot", start=start, end=end) + good)
    assert [phase.name for phase in manifest.phases] == ["steady"]
    assert len(problems) == 1
    assert "phases entry 1" in problems[0].message
    assert why in problems[0].message


def test_that_a_phase_stated_twice_counts_once_and_is_reported(tmp_path: Path) -> None:
    one = PHASE.format(name="Boot", start="2016-05-10T09:00:00Z", end="2016-05-10T09:05:00Z")
    two = PHASE.format(name="boot", start="2016-05-10T10:00:00Z", end="2016-05-10T10:05:00Z")
    manifest, problems = read(tmp_path, one + two)
    assert [(phase.name, phase.duration_s) for phase in manifest.phases] == [("boot", 300)]
    assert "a second time" in problems[0].message


def test_that_a_phase_without_a_name_is_left_out(tmp_path: Path) -> None:
    manifest, problems = read(
        tmp_path, PHASE.format(name=" ", start="2016-05-10T09:00:00Z", end="2016-05-10T09:05:00Z")
    )
    assert manifest.phases == ()
    assert "has no name" in problems[0].message


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "vms = " + "9" * 5000])
def test_that_a_file_no_parser_takes_is_refused_with_a_sentence(tmp_path: Path, text: str) -> None:
    manifest, problems = read(tmp_path, text)
    assert (manifest.values, [problem.severity for problem in problems]) == ({}, [Severity.REFUSED])


def test_that_a_file_in_another_encoding_is_refused_with_what_to_do(tmp_path: Path) -> None:
    _, problems = read(tmp_path, "vms = 5\n".encode("utf-16"))
    assert [problem.message for problem in problems] == ["run.toml is not UTF-8 text: save it as UTF-8."]


@pytest.mark.parametrize("edges", [
    ("0001-01-01T00:00:00+14:00", "2016-05-10T09:00:00Z"), ("2016-05-10T09:00:00Z", "9999-12-31T23:59:59-12:00"),
])  # fmt: skip
def test_that_a_phase_in_an_impossible_year_is_left_out_and_told(
    tmp_path: Path, edges: tuple[str, str]
) -> None:
    start, end = edges
    manifest, problems = read(tmp_path, f'[[phases]]\nname = "boot"\nstart = {start}\nend = {end}\n')
    assert manifest.phases == ()
    assert "a year no test was run in" in problems[0].message
