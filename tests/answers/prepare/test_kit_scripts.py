"""The effect of a kit's scripts on the logs of a run, in Wine if it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.prepare.kits import kit, text
from tests.builders import perfmon_csv
from workbench.console.loading import load_studies
from workbench.study.store.column_store import Store


@pytest.mark.parametrize("place", ["guest", "hyper-v", "pvs-server"])
def test_that_the_stop_script_moves_all_logs_of_its_machine(place: str) -> None:
    """A copy of all logs would put those of earlier runs into every later run."""
    script = text(kit("PVS 512 MB"), f"{place}/stop.cmd")
    assert "xcopy" not in script
    assert f"%COMPUTERNAME%_{place}_*" in script
    assert "move " in script


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("wine") is None, reason="Wine runs the batch file")
def test_that_the_stop_script_moves_the_newest_log_alone(tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    environment = {**os.environ, "WINEPREFIX": str(prefix), "WINEDEBUG": "-all"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        words = ["wine", "cmd", "/c", *command]
        return subprocess.run(
            words, cwd=tmp_path, env=environment, check=False, timeout=300, capture_output=True, text=True
        )

    machine = run("echo %COMPUTERNAME%").stdout.strip()
    logs = prefix / "drive_c" / "PerfLogs" / "vdi-workbench"
    logs.mkdir(parents=True)
    old, new = (f"{machine}_guest_20260510_{time}.csv" for time in ("080000", "110000"))
    for name in (old, new, "MASTER_guest_20260509_080000.csv"):
        (logs / name).write_text(name)
    (tmp_path / "stop.cmd").write_text(text(kit("MCS"), "guest/stop.cmd").replace("\n", "\r\n"))
    stopped = run("stop.cmd", "my run")
    assert stopped.returncode == 0, stopped
    assert [path.name for path in (tmp_path / "my run").iterdir()] == [new]
    assert sorted(path.relative_to(logs).as_posix() for path in logs.rglob("*.csv")) == [
        "MASTER_guest_20260509_080000.csv",
        f"earlier/{old}",
    ]
    assert run("stop.cmd", "my run").returncode == 1


def test_that_no_collector_overwrites_the_log_of_an_earlier_run() -> None:
    made = kit("MCS")
    typeperf = text(made, "guest/typeperf.cmd")
    assert " -y" not in typeperf
    assert 'if exist "%COMPUTERNAME%_typeperf_%number%.csv"' in typeperf
    assert '> "$(hostname)_esxtop_$(date +%Y%m%d_%H%M%S).csv"' in text(made, "esxi/esxtop.sh")


def test_that_esxtop_always_has_an_interval_of_at_least_two_seconds() -> None:
    made = kit("MCS", interval_s=1)
    assert " -d 2 " in text(made, "esxi/esxtop.sh")
    assert "seconds / 2 + 1" in text(made, "esxi/esxtop.sh")
    assert text(made, "esxi/esxtop60rc").splitlines()[-1] == "2v"
    assert "<SampleInterval>1</SampleInterval>" in text(made, "hyper-v/hyper-v.xml")


def test_that_add_event_rejects_unknown_kinds_and_never_echoes_an_argument_outside_quotes() -> None:
    script = text(kit("MCS"), "events/add-event.cmd")
    assert "for %%k in (power_on" in script
    assert "if not defined kind" in script
    writing = [line for line in script.splitlines() if ">>" in line]
    assert writing
    assert not any("%~" in line for line in writing)
    assert "chcp 65001" in script


def test_that_a_collector_set_can_be_installed_twice_and_removed(snapshot: SnapshotAssertion) -> None:
    made = kit("MCS")
    install = text(made, "guest/install.cmd").splitlines()
    assert install.index("logman delete vdi-workbench-guest > nul 2>&1") < next(
        place for place, line in enumerate(install) if line.startswith("logman import")
    )
    assert text(made, "guest/uninstall.cmd") == snapshot
    assert "schtasks" not in text(made, "hyper-v/uninstall.cmd")
    assert "logman delete vdi-workbench-hyper-v" in text(made, "hyper-v/uninstall.cmd")
    assert "uninstall.cmd" in text(made, "README.txt")


def test_that_the_logon_script_accepts_every_interactive_logon_and_the_readme_explains_its_call() -> None:
    """Logon type 12 of Win32_LogonSession: remote, with cached credentials."""
    made = kit("MCS")
    assert "2, 10, 11, 12 -contains" in text(made, "events/logon-end.ps1")
    assert r"-ExecutionPolicy Bypass -File \\SERVER\SHARE\events\logon-end.ps1" in text(made, "README.txt")
    assert "as administrator" in text(kit("PVS"), "guest/poolmon.cmd")


def test_that_a_hyper_v_host_logs_its_own_processors() -> None:
    """The virtual processors alone do not show how busy the host is."""
    counters = text(kit("MCS", questions=("cpu",)), "hyper-v/counters.txt").splitlines()
    assert r"\Hyper-V Hypervisor Logical Processor(_Total)\% Total Run Time" in counters
    assert r"\Hyper-V Hypervisor Root Virtual Processor(_Total)\% Total Run Time" in counters
    assert "Root" not in text(kit("MCS", questions=("iops",)), "hyper-v/counters.txt")


def test_that_the_processors_of_a_host_log_are_not_read_as_a_vm(tmp_path: Path) -> None:
    counters = text(kit("MCS", questions=("cpu",)), "hyper-v/counters.txt").splitlines()
    named = [path.replace("(*)", "(W10-001:Hv VP 0)") for path in counters]
    perfmon_csv(tmp_path / "run" / "HOST01.csv", {rf"\\HOST01{path}": [20.0, 21.0, 22.0] for path in named})
    (study,) = load_studies([tmp_path], Store(tmp_path / "store"))
    vms = {series.vm for run in study.runs for recording in run.recordings for series in recording.series}
    assert vms - {None} == {"W10-001"}
