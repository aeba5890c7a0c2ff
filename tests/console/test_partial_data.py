"""`vdiwb compare` and `vdiwb findings` on files: three runs with stopped collectors show no saving."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.cli import main

ROWS = 164
# Steady state is rows 4 to 163, 09:01 to 09:41: its last 22.5 % are 36 rows.
DEAD_FROM = 128
TOML = """vms = 3
[[phases]]
name = "steady"
start = 2016-05-10T09:01:00+01:00
end = 2016-05-10T09:40:45+01:00
"""


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def study(folder: Path, level: float, dead: dict[int, int], kind: str = "blank") -> str:
    """Three runs each of three VMs; `dead` gives the row from which a VM of the second configuration has no samples."""
    draw = np.random.default_rng(3)
    for name, mean in (("mcs", 8.0), ("mcsio-512", level)):
        for place in range(3):
            own = mean * (1 + 0.01 * (place - 1))
            for vm in range(3):
                values: list[float | None] = list(own * (1 + 0.05 * draw.standard_normal(ROWS)))
                last = dead.get(vm, ROWS) if name == "mcsio-512" else ROWS
                values = values[:last] + [None] * (ROWS - last) * (kind == "blank")
                path = folder / f"{name}-r{place + 1}" / "guest" / f"W10-00{vm}.csv"
                if values:
                    disk_csv(path, f"W10-00{vm}", values, values)
            (folder / f"{name}-r{place + 1}" / "run.toml").write_text(f'configuration = "{name}"\n{TOML}')
    return str(folder)


def console(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("kind", ["blank", "cut short"])
def test_that_stopped_collectors_show_no_saving(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    folder = study(tmp_path / "lab", 8.0, dict.fromkeys(range(3), DEAD_FROM), kind)
    rows = console(capsys, "compare", folder)["differences"]
    iops = {row["metric"]: row for row in rows if row["phase"] == "steady"}
    assert iops["iops_per_vm"]["change_percent"] == pytest.approx(-22.5, abs=1)
    for metric in ("iops_per_vm", "total_io_per_vm", "read_iops_per_vm", "write_iops_per_vm"):
        assert iops[metric]["verdict"] == "~", metric
        assert iops[metric]["objection"] == iops[metric]["reason"]
    assert {row["verdict"] for row in rows} == {"~"}
    findings = console(capsys, "findings", folder)["findings"]
    assert findings
    assert [one["text"] for one in findings if one["strength"] != "inconclusive"] == []
    assert not any(" cuts " in finding["text"] for finding in findings)


def test_that_a_vm_without_samples_shows_no_saving(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder = study(tmp_path / "lab", 7.4, {2: 0}, "cut short")
    found = console(capsys, "compare", folder)
    (row,) = (row for row in found["differences"] if row["metric"] == "total_io_per_vm")
    # 7.4 is 7.5 % below 8. If a third VM equals the busiest run's, the difference is 7.2 %.
    assert row["unmeasured"] == snapshot
    messages = [one["message"] for one in found["problems"] if one["code"] == "compare-vm-missing"]
    assert messages == [f"In steady state, run 'mcsio-512-r{n}' has samples of 2 of its 3 VMs." for n in (1, 2, 3)]


def test_that_a_saving_of_half_the_io_stays_with_a_gap_of_five_percent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = study(tmp_path / "lab", 4.0, dict.fromkeys(range(3), ROWS - 8))
    rows = console(capsys, "compare", folder)["differences"]
    (row,) = (row for row in rows if row["metric"] == "iops_per_vm")
    assert (row["verdict"], row["objection"]) == ("better", None)
    assert all(f"'mcsio-512-r{n}'" in row["unmeasured"] for n in (1, 2, 3))
