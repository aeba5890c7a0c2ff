"""The axes along which a study grows, and the studies at their points, written by the generators of the project."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.tools.benchmarks.many_runs import write_runs

_GENERATOR = Path(__file__).parents[4] / "sample_data" / "generate.py"
_REPEATS, _VMS_OF_A_RUN = 5, 3
_SAMPLES_OF_A_VM = 600
# Three runs of 150 VMs: megabytes of CSV for each sample of all VMs.
_MB_PER_SAMPLE = 2_083 / 146_000
# In addition to the files there are at most two column stores, each slightly smaller than the files.
_PLACE_SHARE, _SPARE_BYTES = 2.9, 4e9


@dataclass(frozen=True, slots=True)
class Axis:
    """A growing quantity: its name on the command line, the unit of a cost, and the points."""

    name: str
    unit: str
    units: str
    points: tuple[int, ...]
    short: tuple[int, ...]


AXES = (
    Axis("runs", "run", "runs", (1, 60, 1_000), (1, 60)),
    Axis("vms", "VM", "VMs", (10, 500, 2_000), (10, 500)),
    Axis("bytes", "MB", "MB", (10, 1_000, 10_000), (10, 100)),
)


def write_point(axis: Axis, point: int, folder: Path) -> None:
    """Writes the study of a point. Runs: 3 VMs each, five runs per configuration. VMs: one file each, divided between
    two runs. MB: three runs of 150 VMs, one file each; the files grow."""
    if axis.name == "runs":
        write_runs(folder, max(1, point // _REPEATS), min(point, _REPEATS), _VMS_OF_A_RUN)
    elif axis.name == "vms":
        _large(folder, 2, point // 2, _SAMPLES_OF_A_VM, "--files")
    else:
        _large(folder, 3, 150, round(point / _MB_PER_SAMPLE))


def write_least(folder: Path) -> None:
    """Writes a small study for the first run of each operation: four runs of two configurations."""
    write_runs(folder, 2, 2, 1)


def bytes_needed(axis: Axis, point: int) -> float:
    """Disk space that a point needs, with its column store."""
    per_unit = {"runs": 0.2e6, "vms": 0.05e6, "bytes": 1e6}[axis.name]
    return point * per_unit * _PLACE_SHARE


def has_place(axis: Axis, point: int, folder: Path) -> bool:
    """True if the disk has space for the point and remains usable."""
    return shutil.disk_usage(folder).free > bytes_needed(axis, point) + _SPARE_BYTES


def _large(folder: Path, runs: int, vms: int, samples: int, *further: str) -> None:
    size = ("--configurations", str(runs), "--vms", str(vms), "--samples", str(samples), *further)
    subprocess.run([sys.executable, str(_GENERATOR), "large", str(folder), *size], check=True, capture_output=True)
