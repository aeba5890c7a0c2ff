"""The results of the measurements: the cost of a unit, its growth, and their part of docs/developing/benchmarks.md."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.pages import put_between, today
from tests.tools.benchmarks.flat.axes import AXES, Axis
from tests.tools.benchmarks.flat.measured import OPERATIONS, Measured

GROWTH, MEMORY_MB = 1.3, 1_000.0
# A shorter processor time is too short to compute the cost of a unit.
LEAST_S = 0.02
# The cost of a further unit is judged over a range with at least this cost.
_LEAST_STRETCH_S = 0.05
_SHOWN = {
    "import": "Importing the folder",
    "opening": "Opening the stored study",
    "Overview": "Computing *Overview*",
    "Compare": "Computing *Compare*",
    "workbook": "Writing the workbook",
}
PAGE = Path(__file__).parents[4] / "docs" / "developing" / "benchmarks.md"
PICTURES = ("flat-cost-light.png", "flat-memory-light.png")


@dataclass(frozen=True, slots=True)
class Curve:
    """One operation along one axis. `growth` is the largest cost of a unit relative to that at the smallest point.
    `further` is the cost of the units after a point relative to the units before it. None if there is nothing to
    compare."""

    axis: Axis
    operation: str
    points: tuple[Measured, ...]

    @property
    def counted(self) -> tuple[Measured, ...]:
        """The points that take long enough to be compared."""
        return tuple(point for point in self.points if point.processor_s >= LEAST_S)

    @property
    def growth(self) -> float | None:
        """The largest cost of a unit, as a multiple of its cost at the smallest point."""
        costs = [point.processor_s / point.point for point in self.counted]
        return max(costs[1:]) / costs[0] if len(costs) > 1 else None

    @property
    def further(self) -> float | None:
        """The cost of a unit after the last point but one, as a multiple of the cost of a unit before it. Neither
        contains the fixed costs of every study."""
        stretches = list(pairwise(self.points))
        if len(stretches) < 2 or self.growth is None:
            return None
        before, beyond = (last.processor_s - first.processor_s for first, last in stretches[-2:])
        units, further_units = (last.point - first.point for first, last in stretches[-2:])
        return (beyond / further_units) / (max(before, _LEAST_STRETCH_S) / units)

    @property
    def memory_mb(self) -> float:
        """The largest peak of anonymous memory."""
        return max(point.memory_mb for point in self.points)

    @property
    def met(self) -> bool:
        """True if cost and memory meet the targets."""
        costs = [ratio for ratio in (self.growth, self.further) if ratio is not None]
        return all(ratio <= GROWTH for ratio in costs) and self.memory_mb <= MEMORY_MB


def curves(measured: Sequence[Measured]) -> list[Curve]:
    """Every operation along every axis with two measured points or more."""
    found = []
    for axis in AXES:
        for operation in OPERATIONS:
            points = tuple(row for row in measured if (row.axis, row.operation) == (axis.name, operation))
            if len(points) > 1:
                found.append(Curve(axis, operation, points))
    return found


def lines(measured: Sequence[Measured]) -> Iterator[str]:
    """A table for each axis."""
    known = curves(measured)
    for axis in AXES:
        of_it = [curve for curve in known if curve.axis is axis]
        if not of_it:
            continue
        points = list(dict.fromkeys(point.point for curve in of_it for point in curve.points))
        sizes = (f"{point:,} {axis.unit if point == 1 else axis.units}" for point in points)
        heads = [f"{size}: processor / elapsed (s)" for size in sizes]
        units = axis.unit, f"added {axis.unit}"
        costs = " | ".join(f"growth of the cost per {unit} (target ≤ {GROWTH})" for unit in units)
        memory = f"peak memory (MB, limit {MEMORY_MB:,.0f})"
        yield f"| operation | {' | '.join(heads)} | {costs} | {memory} | targets |"
        yield f"|---|{'---:|' * len(points)}---:|---:|---:|---|"
        yield from (_row(curve, points) for curve in of_it)
        yield ""


def _row(curve: Curve, points: Sequence[int]) -> str:
    by_point = {point.point: point for point in curve.points}
    cells = [_cell(by_point[point]) if point in by_point else "—" for point in points]
    ratios = ["—" if ratio is None else f"{ratio:.2f}" for ratio in (curve.growth, curve.further)]
    met = "met" if curve.met else "**missed**"
    return f"| {_SHOWN[curve.operation]} | {' | '.join((*cells, *ratios))} | {curve.memory_mb:,.0f} | {met} |"


def _cell(point: Measured) -> str:
    """Processor time and elapsed time in seconds."""
    return f"{_seconds(point.processor_s)} / {_seconds(point.clock_s)}"


def _seconds(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def write(measured: Sequence[Measured]) -> None:
    """Puts the tables of the measured axes into the page, each with the day."""
    for axis in AXES:
        if table := "".join(f"{line}\n" for line in lines([row for row in measured if row.axis == axis.name])):
            put_between(PAGE, *marks(axis), f"{table}Measured on {today()}, {os.cpu_count()} cores.\n")


def marks(axis: Axis) -> tuple[str, str]:
    """The lines of the page around the table of an axis."""
    command = f"python -m tests.tools benchmarks flat {axis.name} --write-docs"
    return f"<!-- flat {axis.name}: written by {command} -->", f"<!-- end of flat {axis.name} -->"
