"""The use cases of the FAST Cache test (1,000 MCS desktops on an EMC VNX): boot storm, antivirus scan, patch.

Published: the host's peak response time without FAST Cache is about 3 times that with it in the boot storm and
about 2.5 times in the patch install; the scan takes 77 instead of 101 minutes (24 % less); 84 IOPS per desktop at the
peak of the boot storm, compared with 6 in steady state. The files are generated from these figures, one run of each.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import perfmon_csv
from workbench.cli import main

# Minutes from the start of the test to start and end of each phase.
PHASES = {
    "Without FAST Cache": {"boot": (0, 20), "av-scan": (30, 131), "patch": (140, 160), "steady": (160, 190)},
    "With FAST Cache": {"boot": (0, 20), "av-scan": (30, 107), "patch": (140, 160), "steady": (160, 190)},
}
IOPS = {"boot": 84.0, "av-scan": 24.0, "patch": 20.0, "steady": 6.0}
LATENCY_MS = {
    "Without FAST Cache": {"boot": 30.0, "av-scan": 12.0, "patch": 25.0, "steady": 5.0},
    "With FAST Cache": {"boot": 10.0, "av-scan": 12.0, "patch": 10.0, "steady": 5.0},
}


def at(minute: int) -> str:
    return f"2016-05-10T{9 + minute // 60:02d}:{minute % 60:02d}:00+01:00"


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four desktops under each configuration, a sample a minute."""
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    for name, phases in PHASES.items():
        folder = tmp_path / "lab" / name
        rates, waits = [], []
        for minute in range(191):
            # A sample averages over the minute that ends at its stamp.
            phase = next((p for p, (start, end) in phases.items() if start < minute <= end), None)
            rates.append(IOPS[phase] / 2 if phase else 0.0)
            waits.append(LATENCY_MS[name][phase] / 1000 if phase else 0.0)
        for vm in range(4):
            disk = f"\\\\VDI-{vm}\\PhysicalDisk(_Total)"
            perfmon_csv(
                folder / "guest" / f"VDI-{vm}.csv",
                {
                    f"{disk}\\Disk Reads/sec": rates,
                    f"{disk}\\Disk Writes/sec": rates,
                    f"{disk}\\Avg. Disk sec/Read": waits,
                    f"{disk}\\Avg. Disk sec/Write": waits,
                },
                start="05/10/2016 09:00:00.000",
                step_s=60.0,
            )
        stated = "".join(
            f'[[phases]]\nname = "{phase}"\nstart = {at(start)}\nend = {at(end)}\n'
            for phase, (start, end) in phases.items()
        )
        baseline = str(name.startswith("Without")).lower()
        (folder / "run.toml").write_text(f'configuration = "{name}"\nbaseline = {baseline}\n{stated}')
    return tmp_path / "lab"


def compared(lab: Path, capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, str], float]:
    assert main(["compare", str(lab), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["differences"]
    return {(row["phase"], row["metric"]): row["change_percent"] for row in rows if row["change_percent"] is not None}


def test_that_response_times_fall_by_the_published_factors(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = compared(lab, capsys)
    assert found["boot", "read_latency_ms"] == pytest.approx(100 * (1 / 3 - 1), abs=1e-6)
    assert found["patch", "read_latency_ms"] == pytest.approx(100 * (1 / 2.5 - 1), abs=1e-6)
    assert found["steady", "read_latency_ms"] == pytest.approx(0.0, abs=1e-6)


def test_that_the_virus_scan_is_a_quarter_shorter(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = compared(lab, capsys)
    assert round(found["av-scan", "duration_s"]) == -24
    assert found["av-scan", "total_io_per_vm"] == pytest.approx(100 * (77 / 101 - 1), abs=0.01)


def test_that_custom_phases_are_shown_next_to_boot_and_steady_state(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["summary", str(lab), "--format", "json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    for run in runs:
        iops = {phase["phase"]: phase["iops_per_vm"] for phase in run["phases"]}
        assert iops == pytest.approx(IOPS)
