"""Runs the benchmarks and prints their table, as in docs/benchmarks.md: `uv run python -m tests.benchmarks`.

Each row is a ratio of medians within one run on one machine: ours against the baseline it names.
Names as arguments run only those; `large` (files of 540 MB and 2 GB) runs by name alone.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

NAMES = ("reading", "folder", "reopen", "frame", "gap", "summary")


def main(names: list[str]) -> int:
    """Prints one Markdown row per measurement; 1 when a target was missed."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print("| what | ours | baseline | ratio | target | met |")
    print("|---|---:|---:|---:|---:|---|")
    missed = 0
    for name in names or NAMES:
        for row in importlib.import_module(f"tests.benchmarks.bench_{name}").run():
            met = row["ratio"] <= row["target"]
            missed += not met
            print(_line(row, met), flush=True)
    return 1 if missed else 0


def _line(row: dict[str, Any], met: bool) -> str:
    cells = [
        row["what"], _time(row, "ours"), _time(row, "baseline"), f"{row['ratio']:.2f}", f"≤ {row['target']:.4g}",
        "yes" if met else "**no**",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _time(row: dict[str, Any], who: str) -> str:
    if f"{who}_ms" in row:
        return f"{row[f'{who}_ms']:.1f} ms"
    return f"{row[f'{who}_s']:.3f} s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
