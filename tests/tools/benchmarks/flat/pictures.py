"""The curves as pictures, drawn by the program as it draws its own charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tests.tools.benchmarks.flat.axes import AXES
from tests.tools.benchmarks.flat.measured import OPERATIONS, Measured
from tests.tools.benchmarks.flat.table import GROWTH, LEAST_S, MEMORY_MB, PICTURES, Curve, curves
from workbench.charts.figure import Axis, Dash, Figure, Line, Look, Marker, Panel
from workbench.gui.pictures.files import paint_file
from workbench.gui.pictures.painter import load_painter

FOLDER = Path(__file__).parents[4] / "docs" / "pictures"
_SIZE = (1600, 620)
_LOOKS: tuple[tuple[str, Dash, Marker], ...] = (
    ("MCS", "solid", "circle"),
    ("MCSIO", "dash", "square"),
    ("PVS", "dot", "triangle"),
    ("other", "dash-dot", "diamond"),
    ("quiet", "solid", "cross"),
)
Values = Callable[[Curve], tuple[list[int], list[float]]]


def draw(measured: Sequence[Measured]) -> tuple[Path, ...]:
    """Writes both pictures; returns their files."""
    load_painter()
    known = curves(measured)
    drawn = (
        _figure(
            "cost",
            "Does a unit cost the same in a study that is larger?",
            f"Processor time of a unit, as a multiple of its smallest point · target: at most {GROWTH}",
            Axis("Cost of a unit, against its smallest point", "", "linear"),
            known,
            _growth,
            GROWTH,
        ),
        _figure(
            "memory",
            "Does memory stay below 1 GB in a study that is larger?",
            "Peak of anonymous memory of the program with its workers · target: at most 1,000 MB",
            Axis("Memory", "MB", "linear"),
            known,
            lambda curve: ([row.point for row in curve.points], [row.memory_mb for row in curve.points]),
            MEMORY_MB,
        ),
    )
    files = tuple(FOLDER / name for name in PICTURES)
    for figure, file in zip(drawn, files, strict=True):
        paint_file(figure, file, _SIZE)
    return files


def _growth(curve: Curve) -> tuple[list[int], list[float]]:
    """The cost of a unit compared with the smallest measurable point; no values if only one point is measurable."""
    points = [row for row in curve.points if row.processor_s >= LEAST_S]
    if len(points) < 2:
        return [], []
    first = points[0].processor_s / points[0].point
    return [row.point for row in points], [row.processor_s / row.point / first for row in points]


def _figure(
    key: str, question: str, caption: str, y: Axis, known: Sequence[Curve], values: Values, target: float
) -> Figure:
    panels = []
    for column, axis in enumerate(AXES):
        marks = [_line(curve, values) for curve in known if curve.axis is axis]
        marks = [line for line in marks if line.x.size]
        if marks:
            ends = np.array([axis.points[0], axis.points[-1]], dtype=np.float64)
            marks.append(Line("target", ends, np.full(2, target), Look("accent", dash="dot"), prominent=False))
            size = Axis("Size of the study", axis.units, "log")
            panels.append(Panel(f"by {axis.units}", size, y, tuple(marks), column))
    return Figure(key, question, caption, tuple(panels))


def _line(curve: Curve, values: Values) -> Line:
    x, y = values(curve)
    hue, dash, marker = _LOOKS[OPERATIONS.index(curve.operation)]
    look = Look(hue, dash=dash, marker=marker)
    return Line(curve.operation, np.array(x, dtype=np.float64), np.array(y, dtype=np.float64), look)
