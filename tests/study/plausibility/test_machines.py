"""Each desktop counts once, and a machine that may not be a desktop causes a question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv, perfmon_csv
from tests.study.plausibility.damaged import summary, told
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.edits import RunEdits
from workbench.study.overrides import edited
from workbench.study.store.column_store import Store

# Sixty samples of 15 s; all are in the phase.
PHASE = '\n[[phases]]\nname = "steady"\nstart = 2016-05-10T07:00:00Z\nend = 2016-05-10T09:00:00Z\n'
ROWS = 60
CODES = ("machine-two-names", "machine-no-desktop", "machine-unlike")
DESKTOPS = {"W10-001": 10.0, "W10-002": 20.0, "W10-003": 30.0}
OF_DESKTOPS = 15.0 * ROWS * 2 * sum(DESKTOPS.values())


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def log(run: Path, file: str, machine: str, rate: float) -> None:
    rates = [rate - 1.0 + 2.0 * (n % 2) for n in range(ROWS)]
    disk_csv(run / file, machine, rates, rates)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "lab" / "mcs"
    for vm, rate in DESKTOPS.items():
        log(folder, f"guest/{vm}.csv", vm, rate)
    state(folder)
    return folder


def state(run: Path, more: str = "", events: str = "") -> None:
    run.mkdir(parents=True, exist_ok=True)
    (run / "run.toml").write_text(f'configuration = "MCS"\n{more}\n{PHASE}', encoding="utf-8")
    if events:
        (run / "events.csv").write_text("time,event,vm,user,detail\n" + events, encoding="utf-8")


def answer(run: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], list[tuple[str, str]], float]:
    """The run's row, the codes and messages of its machines, and its total I/O."""
    found = summary(run.parent, capsys)
    problems = [(problem["code"], problem["message"]) for problem in told(found, *CODES)]
    return found["runs"][0], problems, found["runs"][0]["phases"][0]["total_io"]


def test_that_a_run_of_desktops_only_raises_no_question(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row, problems, total = answer(run, capsys)
    assert (row["vms"], problems, total) == (3, [], pytest.approx(OF_DESKTOPS))


def test_that_short_and_full_name_mean_one_machine(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log(run, "guest/again.csv", "w10-002.lab.local", 20.0)
    row, problems, total = answer(run, capsys)
    assert (row["vms"], total) == (3, pytest.approx(OF_DESKTOPS))
    assert [code for code, _ in problems] == ["machine-two-names"]
    assert "W10-002 is also w10-002.lab.local" in problems[0][1]


def test_that_machines_in_two_domains_cause_a_question(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for domain in ("lab.local", "test.local"):
        log(run, f"guest/{domain}.csv", f"W10-002.{domain}", 20.0)
    row, problems, _ = answer(run, capsys)
    assert row["vms"] == 5
    assert "Several domains" in problems[0][1]


def test_that_full_names_alone_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "lab" / "mcs"
    for vm in ("W10-001.lab.local", "W10-002.lab.local"):
        log(folder, f"{vm}.csv", vm, 10.0)
    state(folder)
    row, problems, _ = answer(folder, capsys)
    assert (row["vms"], problems) == (2, [])


def host_log(run: Path, hyper_v: bool, file: str) -> None:
    """The host's own disks, busier than all desktops; with Hyper-V's counters in a separate file."""
    log(run, file, "HV01", 75.0)
    if hyper_v:
        processor = r"\\HV01\Hyper-V Hypervisor Virtual Processor(W10-001:Hv VP 0)\% Guest Run Time"
        perfmon_csv(run / "hyper-v.csv", {processor: [20.0 + n % 3 for n in range(ROWS)]})


@pytest.mark.parametrize(
    ("hyper_v", "file", "more", "sure"),
    [
        (False, "HV01.csv", "", False),
        (False, "HV01.csv", "vms = 3", True),
        (True, "HV01.csv", "", True),
        (False, "host/HV01.csv", "", True),
        (False, "HV01.csv", 'leave_out = ["hv01"]', True),
    ],
)
def test_that_a_host_among_desktops_causes_a_question(
    run: Path, capsys: pytest.CaptureFixture[str], hyper_v: bool, file: str, more: str, sure: bool
) -> None:
    host_log(run, hyper_v, file)
    state(run, more)
    row, problems, total = answer(run, capsys)
    assert [code for code, _ in problems] == ["machine-no-desktop" if sure else "machine-unlike"]
    assert "HV01" in problems[0][1]
    assert total == pytest.approx(OF_DESKTOPS if sure else OF_DESKTOPS + 15.0 * ROWS * 2 * 75.0)
    assert row["vms"] == (3 if sure else 4)


def test_that_stated_vms_answer_the_question(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log(run, "GOLD.csv", "GOLD", 5.0)
    state(run, "vms = 4")
    row, problems, _ = answer(run, capsys)
    assert (row["vms"], problems) == (4, [])


@pytest.mark.parametrize("name", ["LAUNCHER01", "SQL2016", "lab-ddc1"])
def test_that_launchers_and_servers_cause_a_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, snapshot: SnapshotAssertion
) -> None:
    """The names of the desktops have no common part, so only the name of the server shows that it is one."""
    folder = tmp_path / "lab" / "mcs"
    for machine in ("ALICE-PC", "BOBS", "CAROL7", name):
        log(folder, f"{machine}.csv", machine, 10.0)
    state(folder)
    _, problems, _ = answer(folder, capsys)
    assert [code for code, _ in problems] == ["machine-unlike"]
    assert problems[0][1] == snapshot


def test_that_a_machine_without_events_causes_a_question(
    run: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    log(run, "guest/W10-099.csv", "W10-099", 5.0)
    state(run, events="".join(f"2016-05-10T08:00:0{n}Z,power_on,{vm},,\n" for n, vm in enumerate(DESKTOPS)))
    _, problems, _ = answer(run, capsys)
    assert [code for code, _ in problems] == ["machine-unlike"]
    assert problems[0][1] == snapshot


def test_that_two_kinds_of_desktops_raise_no_question(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for n in (1, 2):
        log(run, f"guest/W7-{n}.csv", f"W7-{n}", 10.0)
    assert answer(run, capsys)[1] == []


@pytest.mark.parametrize(("share", "told_of"), [(1.0, True), (0.9, True), (0.4, False)])
def test_that_a_host_named_like_its_desktops_causes_a_question(
    run: Path, capsys: pytest.CaptureFixture[str], share: float, told_of: bool
) -> None:
    """In each phase the host has the sum of all three desktops."""
    log(run, "guest/W10-004.csv", "W10-004", share * sum(DESKTOPS.values()))
    phases = PHASE.replace("09:00:00Z", "08:05:00Z") + PHASE.replace("07:00", "08:05").replace("steady", "boot")
    (run / "run.toml").write_text('configuration = "MCS"' + phases, encoding="utf-8")
    _, problems, _ = answer(run, capsys)
    assert [code for code, _ in problems] == ["machine-unlike"] * told_of
    assert [message.partition(" ")[0] for _, message in problems] == ["W10-004"] * told_of
    assert all("W10-004 may be a host" in message for _, message in problems)


def test_that_a_machine_excluded_by_hand_is_in_no_figure(run: Path, tmp_path: Path) -> None:
    log(run, "guest/W10-004.csv", "W10-004", 40.0)
    (study,) = load_studies([run.parent], Store(tmp_path / "kept"))
    read = study.runs[0]
    by_hand = edited(read, RunEdits(read.folder, left_out=("w10-004",)))
    (steady,) = run_figures(by_hand).phases
    assert (read.vms, by_hand.vms, by_hand.users) == (4, 3, 3)
    assert steady.total_io == pytest.approx(OF_DESKTOPS)
    assert edited(read, RunEdits(read.folder, left_out=("nobody",))).vms == 4
