"""The rows of a benchmark as tables of Markdown, and their place in docs/developing/benchmarks.md.

The name of a row ends in `(limit)` or in `(comparison: …)`. A name with a limit may begin with the measured value:
`Longest block: importing (limit)`.
"""

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
# The first column of every table on the page.
FIRST = "| operation |"
_UNITS = (("mb", "MB"), ("ms", "ms"), ("s", "s"))
_DIGITS = {"MB": 0, "ms": 1, "s": 3}
_LIBRARIES = ("polars", "PySide6-Essentials")


def line(row: dict[str, Any]) -> str:
    """A row for the command line: the measured operation, the program and the baseline with their units, and whether
    the target is met."""
    target, met = "—", "—"
    if row["target"] is not None:
        target, met = f"≤ {row['target']:.4g}", "no" if _missed(row) else "yes"
    unit = _unit(row)
    operation = row["what"].replace("(limit)", f"(limit {_limit(row)} {unit})")
    cells = [operation, f"{_own(row)} {unit}", f"{_baseline(row)} {unit}", f"{row['ratio']:.2f}", target, met]
    return f"| {' | '.join(cells)} |"


def marks(name: str) -> tuple[str, str]:
    """The lines of the page around the tables of a benchmark."""
    command = f"python -m tests.tools benchmarks {name} --write-docs"
    return f"<!-- benchmark {name}: written by {command} -->", f"<!-- end of {name} -->"


def load() -> float | None:
    """The number of processes that waited for a core in the last minute; None if the system does not report it
    (Windows)."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def write(name: str, rows: Sequence[dict[str, Any]], loads: Sequence[float | None], page: Path) -> None:
    """Puts the tables of a benchmark into the page, with the day, the load before and after, and the versions. Raises
    ValueError if the page has no place for them."""
    begin, end = marks(name)
    put_between(page, begin, end, "".join(f"{each}\n" for each in _lines(rows, loads)))


def tables(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A table for the rows of each unit with a limit, and one for those with a comparison; a blank line after each."""
    groups: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((_unit(row), row["what"].endswith("(limit)")), []).append(row)
    for (unit, limited), of_it in groups.items():
        yield from _limits(of_it, unit) if limited else _comparisons(of_it, unit)
        yield ""


def _lines(rows: Sequence[dict[str, Any]], loads: Sequence[float | None]) -> Iterator[str]:
    yield from tables(rows)
    versions = ", ".join((f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in _LIBRARIES)))
    waited = " to ".join(f"{each:.1f}" for each in sorted(each for each in loads if each is not None))
    machine = f"load {waited} on {os.cpu_count()} cores" if waited else f"{os.cpu_count()} cores"
    yield f"Measured on {today()}, {machine}, {versions}."


def _limits(rows: Sequence[dict[str, Any]], unit: str) -> Iterator[str]:
    """A row for each operation, and a column for each measured value with its limit."""
    cells: dict[str, dict[str, str]] = {}
    for row in rows:
        value, separator, operation = row["what"].removesuffix(" (limit)").rpartition(": ")
        named = value if separator else "Time" if unit != "MB" else "Memory"
        limit = "" if row["target"] is None else f", limit {_limit(row)}"
        column = f"{named[0].lower()}{named[1:]} ({unit}{limit})"
        cells.setdefault(f"{operation[0].upper()}{operation[1:]}", {})[column] = f"{_own(row)}{_mark(row)}"
    columns = list(dict.fromkeys(column for of_row in cells.values() for column in of_row))
    yield f"{FIRST} {' | '.join(columns)} |"
    yield f"|---|{'---:|' * len(columns)}"
    for operation, of_row in cells.items():
        yield f"| {operation} | {' | '.join(of_row.get(column, '—') for column in columns)} |"


def _comparisons(rows: Sequence[dict[str, Any]], unit: str) -> Iterator[str]:
    """A row for each operation. A comparison or target that all rows share is in the head."""
    names = [row["what"].rpartition(" (comparison: ") for row in rows]
    compared = {of_row[2].removesuffix(")") for of_row in names}
    targets = {row["target"] for row in rows}
    other = f"{next(iter(compared))} ({unit})" if len(compared) == 1 else f"comparison | comparison ({unit})"
    target = next(iter(targets)) if len(targets) == 1 else None
    ratio = "ratio" if target is None else f"ratio (target ≤ {target:.4g})"
    yield f"{FIRST} VDI Workbench ({unit}) | {other} | {ratio} |{' target |' if len(targets) > 1 else ''}"
    yield f"|---|---:|{'---|' if len(compared) > 1 else ''}---:|---:|{'---:|' if len(targets) > 1 else ''}"
    for row, (operation, _, basis) in zip(rows, names, strict=True):
        cells = [f"{operation[0].upper()}{operation[1:]}", _own(row)]
        cells += [basis.removesuffix(")")] if len(compared) > 1 else []
        cells += [_baseline(row), f"{row['ratio']:.2f}{_mark(row)}"]
        if len(targets) > 1:
            cells.append("none" if row["target"] is None else f"≤ {row['target']:.4g}")
        yield f"| {' | '.join(cells)} |"


def _missed(row: dict[str, Any]) -> bool:
    return row["target"] is not None and row["ratio"] > row["target"]


def _mark(row: dict[str, Any]) -> str:
    return " **missed**" if _missed(row) else ""


def _unit(row: dict[str, Any]) -> str:
    return next(name for key, name in _UNITS if f"ours_{key}" in row)


def _limit(row: dict[str, Any]) -> str:
    return f"{round(_value(row, 'baseline'), 1):,g}"


def _own(row: dict[str, Any]) -> str:
    return f"{_value(row, 'ours'):.{_DIGITS[_unit(row)]}f}"


def _baseline(row: dict[str, Any]) -> str:
    return f"{_value(row, 'baseline'):.{_DIGITS[_unit(row)]}f}"


def _value(row: dict[str, Any], who: str) -> float:
    return float(next(row[f"{who}_{key}"] for key, _ in _UNITS if f"{who}_{key}" in row))
