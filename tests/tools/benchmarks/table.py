"""The rows of a benchmark as a table of Markdown, and its place in docs/developing/benchmarks.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.pages import put_between, today

PAGE = Path(__file__).parents[3] / "docs" / "developing" / "benchmarks.md"
HEAD = (
    "| operation | VDI Workbench | comparison | ratio | target ratio | target met |",
    "|---|---:|---:|---:|---:|---|",
)
_UNITS = (("mb", "MB"), ("ms", "ms"), ("s", "s"))
_LIBRARIES = ("polars", "PySide6-Essentials")


def line(row: dict[str, Any]) -> str:
    """A row of the table: the measured operation, the program and the baseline with their units, and whether the target
    is met."""
    target, met = "—", "—"
    if row["target"] is not None:
        target, met = f"≤ {row['target']:.4g}", "yes" if row["ratio"] <= row["target"] else "**no**"
    operation = row["what"].replace("(limit)", f"(limit {_limit(row)})")
    cells = [operation, _amount(row, "ours"), _amount(row, "baseline"), f"{row['ratio']:.2f}", target, met]
    return f"| {' | '.join(cells)} |"


def marks(name: str) -> tuple[str, str]:
    """The lines of the page around the table of a benchmark."""
    command = f"python -m tests.tools benchmarks {name} --write-docs"
    return f"<!-- benchmark {name}: written by {command} -->", f"<!-- end of {name} -->"


def load() -> float | None:
    """The number of processes that waited for a core in the last minute; None if the system does not report it
    (Windows)."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def write(name: str, rows: Sequence[dict[str, Any]], loads: Sequence[float | None], page: Path) -> None:
    """Puts the table of a benchmark into the page, with the day, the load before and after, and the versions. Raises
    ValueError if the page has no place for it."""
    begin, end = marks(name)
    put_between(page, begin, end, "".join(f"{each}\n" for each in _lines(rows, loads)))


def _lines(rows: Sequence[dict[str, Any]], loads: Sequence[float | None]) -> Iterator[str]:
    yield from HEAD
    yield from map(line, rows)
    yield ""
    versions = ", ".join((f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in _LIBRARIES)))
    waited = " to ".join(f"{each:.1f}" for each in sorted(each for each in loads if each is not None))
    machine = f"load {waited} on {os.cpu_count()} cores" if waited else f"{os.cpu_count()} cores"
    yield f"Measured on {today()}, {machine}, {versions}."


def _limit(row: dict[str, Any]) -> str:
    return next(f"{round(row[f'baseline_{unit}'], 1):,g} {name}" for unit, name in _UNITS if f"baseline_{unit}" in row)


def _amount(row: dict[str, Any], who: str) -> str:
    if f"{who}_mb" in row:
        return f"{row[f'{who}_mb']:.0f} MB"
    if f"{who}_ms" in row:
        return f"{row[f'{who}_ms']:.1f} ms"
    return f"{row[f'{who}_s']:.3f} s"
