"""The part of docs/developing/reliability.md on the soak, and its picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from tests.pages import put_between, today
from tests.tools.soak.judge import Course, courses, settled
from tests.tools.soak.watch import Reading
from workbench.charts.figure import Axis, Figure, Line, Look, Panel
from workbench.gui.pictures.files import paint_file

DOCS = Path(__file__).parents[3] / "docs"
_PICTURE = "pictures/soak.png"
_BEGIN, _END = "<!-- soak: written by python -m tests.tools soak --write-docs -->", "<!-- end of soak -->"
_SHOWN = {
    "memory_mb": "anonymous memory (MB)",
    "in_use_mb": "anonymous memory in use by the C library (MB)",
    "threads": "threads",
    "handles": "open handles",
    "children": "child processes",
    "files": "temporary files",
    "widgets": "Qt widgets",
}


def lines(readings: Sequence[Reading]) -> Iterator[str]:
    """The measured objects."""
    yield (
        "| counted after each round | median, first third | median, last third | growth | allowed growth "
        "| growth per round (95 % interval) | allowed growth per round | result |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---|"
    for course in courses(readings):
        yield f"| {_SHOWN[course.name]} | {_cells(course)} | {'flat' if course.flat else '**grows**'} |"
    yield ""
    warm = len(readings) - len(settled(readings))
    yield f"The table omits the warm-up: {warm} of {len(readings):,} rounds. Measured on {today()}."
    yield ""
    yield f"![Anonymous memory after each round](../{_PICTURE})"


def write(readings: Sequence[Reading]) -> None:
    """Puts the table into the page, and the curve next to it."""
    put_between(DOCS / "developing" / "reliability.md", _BEGIN, _END, "".join(f"{line}\n" for line in lines(readings)))
    paint_file(figure(readings), DOCS / _PICTURE, (900, 320), 2.0)


def figure(readings: Sequence[Reading]) -> Figure:
    """Memory over the rounds."""
    rounds, memory = (np.array([getattr(one, name) for one in readings], float) for name in ("round", "memory_mb"))
    panel = Panel("", Axis("round"), Axis("anonymous memory", "MB"), (Line("memory", rounds, memory, Look("MCS")),))
    return Figure("soak", "Does memory grow while the window is used?", "Anonymous memory after each round", (panel,))


def _cells(course: Course) -> str:
    whole = [f"{value:,.1f}" for value in (course.first, course.last, course.growth, course.allowed)]
    low, slope, high = (f"{round(value, 2) + 0.0:+.2f}" for value in course.a_round)
    most = "not limited" if course.allowed_a_round is None else f"{course.allowed_a_round:.2f}"
    return " | ".join((*whole, f"{slope} ({low} to {high})", most))
