"""A study on disk with numbers that use all digits of a double, so another order of addition changes the result."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.builders import perfmon_csv

ROWS = 24
PHASES = """
configuration = "{name}"
[[phases]]
name = "boot"
start = 2016-05-10T09:00:00+01:00
end = 2016-05-10T09:02:00+01:00
[[phases]]
name = "steady"
start = 2016-05-10T09:02:00+01:00
end = 2016-05-10T09:06:00+01:00
"""
# The machine and the quantity of each counter's samples.
COUNTERS = {
    "Disk Reads/sec": 31.7,
    "Disk Writes/sec": 83.3,
    "Disk Read Bytes/sec": 913_579.1,
    "Disk Write Bytes/sec": 1_135_797.3,
    "Avg. Disk sec/Read": 0.0091,
    "Avg. Disk sec/Write": 0.0047,
}


def irregular_study(folder: Path, seed: int = 1, vms: int = 13, runs: int = 3) -> Path:
    """Writes `runs` runs of two configurations of that many VMs, and returns the folder."""
    random = Random(seed)
    for name, load in (("MCS", 1.0), ("MCSIO 512 MB", 0.37)):
        for number in range(1, runs + 1):
            run = folder / f"{name} r{number}"
            for vm in range(vms):
                machine_csv(run / "guest" / f"vm-{vm:02}.csv", f"W10-{vm * 7 % vms:02}", load, random)
            (run / "run.toml").write_text(PHASES.format(name=name), encoding="utf-8")
    return folder


def machine_csv(path: Path, vm: str, load: float, random: Random) -> None:
    """The counters of one VM with two disks; one cell in fifty is blank."""
    perfmon_csv(
        path,
        {
            f"\\\\{vm}\\PhysicalDisk({disk})\\{counter}": _cells(load * about, random)
            for disk in ("0 C:", "1 D:")
            for counter, about in COUNTERS.items()
        }
        | {f"\\\\{vm}\\Processor(_Total)\\% Processor Time": _cells(41.0, random)},
    )


def _cells(about: float, random: Random) -> list[float | None]:
    return [about * random.lognormvariate(0, 0.6) if random.random() > 0.02 else None for _ in range(ROWS)]
