"""Cells of the tables: computed once for the same code, kept in a file, shown in percent with their intervals."""

from __future__ import annotations

import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from scipy import stats

# The count of each study, as a share: 0 or 1 if the study counts once.
Shares = list[float]
Cell = dict[str, Shares]
Job = tuple[str, Callable[[], Cell]]

ROOT = Path(__file__).parents[3]


class TimeOverError(Exception):
    """A cell is missing, and the time is over."""


def computed(jobs: Iterable[Job], kept: Path, mark: str, end: float = float("inf")) -> dict[str, Cell]:
    """The cells by name; cells that the folder has with this mark are not computed again. Raises TimeOverError if one
    is missing when the clock (`time.monotonic`) has reached `end`."""
    cells: dict[str, Cell] = {}
    for name, make in jobs:
        file = kept / f"{name} {mark}.json"
        if not file.exists():
            if time.monotonic() >= end:
                raise TimeOverError
            print(name, flush=True)
            kept.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(".part")
            part.write_text(json.dumps(make()), encoding="utf-8")
            part.replace(file)
        cells[name] = json.loads(file.read_text("utf-8"))
    return cells


def mark_of(code: Iterable[str]) -> str:
    """A mark that changes with these files, and the files of these folders; Python's caches are excluded."""
    every = (file for each in code for file in sorted([ROOT / each, *(ROOT / each).rglob("*")]))
    digest = hashlib.sha256()
    for file in every:
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def joined(cells: Iterable[Cell]) -> Cell:
    """The studies of several cells together."""
    every: Cell = defaultdict(list)
    for cell in cells:
        for name, shares in cell.items():
            every[name] += shares
    return every


def percent(shares: Shares) -> str:
    """The mean share in percent with its 95 % interval over the studies; a dash without studies.

    Studies that count once have the exact interval of a binomial share (Clopper and Pearson 1934). Others have the
    normal interval of their mean, because verdicts of one study depend on each other.
    """
    if not shares:
        return "—"
    values = np.array(shares)
    if set(shares) <= {0.0, 1.0}:
        low, high = stats.binomtest(int(values.sum()), values.size).proportion_ci()
    else:
        reach = 1.96 * values.std(ddof=1) / np.sqrt(values.size)
        low, high = max(0.0, values.mean() - reach), min(1.0, values.mean() + reach)
    return f"{100 * values.mean():.1f} % ({100 * low:.1f}–{100 * high:.1f} %)"


def heads(*names: str) -> Iterator[str]:
    """The first two lines of a table."""
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"


def line(*cells: str | Shares) -> str:
    """A line of a table: words unchanged, shares in percent."""
    return f"| {' | '.join(cell if isinstance(cell, str) else percent(cell) for cell in cells)} |"
