"""The operations at the points of an axis, each in a separate process; results are stored, so an interrupted run
resumes."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.tools.benchmarks.flat.axes import AXES, Axis, has_place, write_least, write_point
from tests.tools.benchmarks.flat.probe import MARK

OPERATIONS = ("import", "opening", "Overview", "Compare", "workbook")
ROUNDS = 3
# An operation that takes longer is measured once.
_ONCE_S = 45.0
_LOOK_S = 0.05
_PATIENCE_S = 1_800.0


@dataclass(frozen=True, slots=True)
class Measured:
    """The cost of an operation at a point: the medians of its rounds, and the largest peak of memory."""

    axis: str
    point: int
    operation: str
    processor_s: float
    clock_s: float
    memory_mb: float
    rounds: int


def kept(folder: Path) -> list[Measured]:
    """The stored measurements, in the order of axes, points and operations."""
    file = folder / "results.json"
    if not file.exists():
        return []
    known = [Measured(**row) for row in json.loads(file.read_text("utf-8"))]
    axes = [axis.name for axis in AXES]
    return sorted(known, key=lambda row: (axes.index(row.axis), row.point, OPERATIONS.index(row.operation)))


def measure(axes: tuple[Axis, ...], folder: Path, short: bool) -> Iterator[str]:
    """Measures missing points; yields a sentence for each operation at a point, and for a point without disk space."""
    folder.mkdir(parents=True, exist_ok=True)
    least = _least(folder)
    for axis in axes:
        for point in axis.short if short else axis.points:
            known = {row.operation for row in kept(folder) if (row.axis, row.point) == (axis.name, point)}
            missing = [name for name in OPERATIONS if name not in known]
            if not missing:
                continue
            if not has_place(axis, point, folder):
                yield f"{point:,} {axis.units}: not measured, the disk has too little free space"
                continue
            yield from _at_point(axis, point, missing, folder, least)


def _least(folder: Path) -> Path:
    least = folder / "least"
    if not least.exists():
        write_least(least / "study")
    return least


def _at_point(axis: Axis, point: int, missing: list[str], folder: Path, least: Path) -> Iterator[str]:
    place = folder / f"{axis.name}-{point}"
    try:
        if not (place / "written").exists():
            shutil.rmtree(place, ignore_errors=True)
            write_point(axis, point, place / "study")
            (place / "written").touch()
        # The first import fills the store that the others open.
        for name in missing if (place / "store").exists() else dict.fromkeys(("import", *missing)):
            measured = _rounds(axis, point, name, place, least)
            if name in missing:
                _keep(folder, measured)
            yield f"{point:,} {axis.units}, {name}: {measured.processor_s:.2f} s, {measured.memory_mb:.0f} MB"
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _rounds(axis: Axis, point: int, name: str, place: Path, least: Path) -> Measured:
    rounds: list[tuple[float, float, float]] = []
    while len(rounds) < ROUNDS and (not rounds or rounds[0][1] < _ONCE_S):
        rounds.append(_probed(name, place, least))
    processor, clock, memory = zip(*rounds, strict=True)
    middle = statistics.median
    return Measured(axis.name, point, name, middle(processor), middle(clock), max(memory), len(rounds))


def _probed(name: str, place: Path, least: Path) -> tuple[float, float, float]:
    """Processor seconds, elapsed seconds, and the peak of anonymous memory of the process and its workers in MB."""
    paths = [str(path / part) for path in (place, least) for part in ("study", "store")]
    command = [sys.executable, "-m", "tests.tools.benchmarks.flat.probe", name, *paths]
    log = place / "log.txt"
    with log.open("w", encoding="utf-8") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT)
        peak, give_up = 0.0, time.monotonic() + _PATIENCE_S
        while process.poll() is None:
            peak = max(peak, _memory_mb(process.pid))
            if time.monotonic() > give_up:
                process.kill()
            time.sleep(_LOOK_S)
    printed = log.read_text("utf-8")
    line = next((line for line in printed.splitlines() if line.startswith(MARK)), None)
    if line is None:
        raise RuntimeError(f"{name} ended with status {process.returncode}:\n{printed[-2_000:]}")
    spent = json.loads(line.removeprefix(MARK))
    return spent["processor_s"], spent["clock_s"], peak


def _memory_mb(process: int) -> float:
    """Anonymous memory, and its swapped part, of a process and its children."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = [(task / "children").read_text().split() for task in tasks]
    except OSError:  # the process has just ended
        return 0.0
    lines = (line.split() for line in status.splitlines() if line.startswith(("RssAnon:", "VmSwap:")))
    own = sum(int(cells[1]) for cells in lines) * 1024 / 1e6
    return own + sum(_memory_mb(int(child)) for names in children for child in names)


def _keep(folder: Path, measured: Measured) -> None:
    rows = [asdict(row) for row in (*kept(folder), measured)]
    unfinished = folder / "results.json.new"
    unfinished.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(folder / "results.json")
