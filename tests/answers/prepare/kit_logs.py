"""Logs with exactly the counters of a kit, as perfmon writes them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from tests.builders import perfmon_csv
from workbench.answers.prepare.kit.collectors import HEADER, TIME_FORMAT

START = datetime(2016, 5, 10, 8, tzinfo=UTC)
VMS = ("W10-001", "W10-002", "W10-003")
STEP_S, ROWS = 15, 120
MB = 2**20
_ROW = np.arange(ROWS)
# Values by the end of a counter's path; every other counter is a rate of this size.
_VALUES = {
    "Cache memory used": np.minimum(512.0, 8.0 * _ROW) * MB,
    "RAM Cache Bytes": np.minimum(512.0, 8.0 * _ROW) * MB,
    "Cache memory target size": np.full(ROWS, 512.0 * MB),
    "Cache disk used": np.maximum(0.0, 8.0 * _ROW - 512.0) * MB,
    "File Bytes": np.maximum(0.0, 8.0 * _ROW - 512.0) * MB,
    "Pool Nonpaged Bytes": (80.0 + 8.0 * _ROW) * MB,
    "sec/Read": np.full(ROWS, 0.004),
    "sec/Write": np.full(ROWS, 0.006),
    "Transfers/sec": 12.0 + _ROW % 5 + _ROW % 3,
    "Reads/sec": 4.0 + _ROW % 5,
    "Writes/sec": 8.0 + _ROW % 3,
    "Read Bytes/sec": 16384.0 * (4.0 + _ROW % 5),
    "Write Bytes/sec": 8192.0 * (8.0 + _ROW % 3),
    "Queue Length": np.full(ROWS, 0.25),
    "Active Sessions": np.minimum(1.0, _ROW // 24),
}


def counters_of_set(xml: Path) -> list[str]:
    """The paths in a data collector set."""
    return [element.text or "" for element in ElementTree.parse(xml).iter("Counter")]


def log_run(folder: Path, counters: Sequence[str], events: bool = True) -> None:
    """The logs of a run with these counters, one file for each desktop, and the lines of the event scripts."""
    for vm in VMS:
        columns = {rf"\\{vm}{path.replace('(*)', '(_Total)')}": list(_values(path)) for path in counters}
        perfmon_csv(folder / "guest" / f"{vm}_guest_20160510_080000.csv", columns, step_s=float(STEP_S))
    if events:
        (folder / "events-LAUNCHER.csv").write_text("\n".join(event_lines()) + "\n", "utf-8-sig")


def event_lines() -> list[str]:
    """The events that add-event.ps1 writes for a boot, three logons and the end of the run."""
    lines = [HEADER]
    for place, vm in enumerate(VMS):
        lines.append(_line(5 + place, "power_on", vm))
        lines.append(_line(240 + place, "registered", vm))
        lines.append(_line(300 + 60 * place, "logon_start", vm, f"user{place}"))
        lines.append(_line(320 + 60 * place, "logon_end", vm, f"user{place}"))
    return [*lines, _line(STEP_S * (ROWS - 1), "run_end", "")]


def _line(seconds: float, kind: str, vm: str, user: str = "") -> str:
    at = (START + timedelta(seconds=seconds)).astimezone()
    # The format of the script, by Python's names for its parts.
    assert TIME_FORMAT == "yyyy-MM-dd'T'HH:mm:sszzz"
    offset = f"{at:%z}"
    return f"{at:%Y-%m-%dT%H:%M:%S}{offset[:3]}:{offset[3:5]},{kind},{vm},{user},"


def _values(path: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return next((values for end, values in _VALUES.items() if path.endswith(end)), np.full(ROWS, 20.0))


def plan_of(kit: Path) -> list[dict[str, str]]:
    """The rows of run-plan.csv."""
    with (kit / "run-plan.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))
