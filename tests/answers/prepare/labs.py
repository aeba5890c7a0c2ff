"""Logs that answer every question about desktops, and the same with something taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.builders import perfmon_csv
from workbench.answers.common.library import Library
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.study.store.column_store import Store

START = datetime(2016, 5, 10, 8, tzinfo=UTC)
VMS = ("W10-001", "W10-002", "W10-003")
MB = 2**20
ROWS = 60
# The counters of each desktop, and their values by row.
COUNTERS: dict[str, Callable[[int], float]] = {
    r"PhysicalDisk(_Total)\Disk Reads/sec": lambda row: 4.0 + row % 3,
    r"PhysicalDisk(_Total)\Disk Writes/sec": lambda row: 6.0 + row % 4,
    r"PhysicalDisk(_Total)\Disk Transfers/sec": lambda row: 10.0 + row % 3 + row % 4,
    r"PhysicalDisk(_Total)\Avg. Disk sec/Read": lambda row: 0.004,
    r"PhysicalDisk(_Total)\Avg. Disk sec/Write": lambda row: 0.006,
    r"Processor(_Total)\% Processor Time": lambda row: 20.0 + row % 5,
    r"Memory\Available MBytes": lambda row: 2000.0,
    r"Citrix MCS Storage Driver(_Total)\Cache memory used": lambda row: MB * min(512.0, 10.0 * row),
    r"Citrix MCS Storage Driver(_Total)\Cache disk used": lambda row: MB * max(0.0, 10.0 * row - 512),
}
_PHASES = (("boot", 0, 200), ("logon", 200, 500), ("steady", 500, 880))


def lab(
    folder: Path,
    without: Sequence[str] = (),
    *,
    of: Sequence[str] = VMS,
    step_s: float = 15.0,
    rows: int = ROWS,
    manifest: bool = True,
    events: bool = True,
) -> Path:
    """A study with one run of MCSIO 512 MB: counters that end in any of `without` are not logged by the VMs `of`."""
    run = folder / "lab" / "mcsio-512"
    for vm in VMS:
        columns = {
            rf"\\{vm}\{name}": [value(row) for row in range(rows)]
            for name, value in COUNTERS.items()
            if vm not in of or not any(name.endswith(end) for end in without)
        }
        perfmon_csv(run / "guest" / f"{vm}.csv", columns, step_s=step_s)
    if manifest:
        facts = 'configuration = "MCSIO 512 MB"\nprovisioning = "MCSIO"\nram_cache_mb = 512\nvms = 3\n'
        (run / "run.toml").write_text(facts + "".join(_phase(*each) for each in _PHASES))
    if events:
        lines = ["time,event,vm,user"]
        for place, vm in enumerate(VMS):
            for at, kind in ((210 + 30 * place, "logon_start"), (225 + 30 * place, "logon_end"), (870, "logoff")):
                lines.append(f"{_moment(at)},{kind},{vm},user{place}")
        (run / "events.csv").write_text("\n".join(lines) + "\n")
    return folder / "lab"


def opened(store: Path, *paths: Path) -> Library:
    """The studies in these folders with their figures."""
    studies = load_studies(list(paths), Store(store))
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def _phase(name: str, start: float, end: float) -> str:
    return f'[[phases]]\nname = "{name}"\nstart = {_moment(start)}\nend = {_moment(end)}\n'


def _moment(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
