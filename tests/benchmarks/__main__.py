"""Runs the benchmarks and prints their table, as in docs/benchmarks.md: `uv run python -m tests.benchmarks`.

Each row is a ratio of medians within one run on one machine: ours against the baseline it names.
Names as arguments run only those; `large` (files of 540 MB and 2 GB, a window with 2 GB) and `many` (a
window with 1,000 runs) run by name alone. A row without a target is there for scale. `flat` has tables, points and
options of its own: `uv run python -m tests.benchmarks flat --help`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from typing import Any

NAMES = (
    "reading",
    "long",
    "folder",
    "fio",
    "reopen",
    "history",
    "console",
    "peer",
    "start",
    "open",
    "frame",
    "pages",
    "timeline",
    "switch",
    "window",
    "edges",
    "gap",
    "summary",
    "deck",
    "page",
    "workbook",
)


def main(names: list[str]) -> int:
    """Prints one Markdown row per measurement; 1 when a target was missed."""
    if sys.flags.dont_write_bytecode:
        return _with_bytecode(names)
    if names[:1] == ["flat"]:
        from tests.benchmarks.flat.command import main as flat

        return flat(names[1:])
    if unknown := [name for name in names if importlib.util.find_spec(f"tests.benchmarks.bench_{name}") is None]:
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print("| what | ours | baseline | ratio | target | met |")
    print("|---|---:|---:|---:|---:|---|")
    missed = 0
    for name in names or NAMES:
        for row in importlib.import_module(f"tests.benchmarks.bench_{name}").run():
            if "note" in row:
                print(row["note"], file=sys.stderr)
                continue
            missed += row["target"] is not None and row["ratio"] > row["target"]
            print(_line(row), flush=True)
    return 1 if missed else 0


def _with_bytecode(names: list[str]) -> int:
    """The same where Python may keep its bytecode, as it does for every installed program: without it each worker
    process compiles its libraries again."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        command = [sys.executable, "-m", "tests.benchmarks", *names]
        return subprocess.run(command, env=kept | {"PYTHONPYCACHEPREFIX": folder}, check=False).returncode


def _line(row: dict[str, Any]) -> str:
    target, met = "—", "—"
    if row["target"] is not None:
        target, met = f"≤ {row['target']:.4g}", "yes" if row["ratio"] <= row["target"] else "**no**"
    cells = [row["what"], _time(row, "ours"), _time(row, "baseline"), f"{row['ratio']:.2f}", target, met]
    return f"| {' | '.join(cells)} |"


def _time(row: dict[str, Any], who: str) -> str:
    if f"{who}_mb" in row:
        return f"{row[f'{who}_mb']:.0f} MB"
    if f"{who}_ms" in row:
        return f"{row[f'{who}_ms']:.1f} ms"
    return f"{row[f'{who}_s']:.3f} s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
