"""`uv run python -m tests.tools benchmarks` runs the benchmarks and prints their table, as in
docs/developing/benchmarks.md.

Each row is a ratio of medians within one run on one machine: the program compared with the named baseline.
With names as arguments, only these benchmarks run; `large` (files of 540 MB and 2 GB, a window with 2 GB), `hundred` (a
hundred million
samples) and `many` (a window with 1,000 runs) run only by name. `--write-docs` puts the table of each one that ran
into the page, with its day and the load of the machine. A row without a target is only for comparison. `flat` has
tables,
points and options: `uv run python -m tests.tools benchmarks flat --help`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from tests.tools.benchmarks.table import HEAD, PAGE, line, load, write

NAMES = (
    "reading",
    "long",
    "vms",
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
    "formats",
)
ALL = (*NAMES, "large", "hundred", "many")


def main(arguments: list[str]) -> int:
    """Runs the benchmarks with Python's bytecode cache; returns 1 if a target was missed."""
    return _with_bytecode(arguments) if sys.flags.dont_write_bytecode else run(arguments)


def run(arguments: list[str]) -> int:
    """Prints one Markdown row per measurement; returns 1 if a target was missed."""
    if arguments[:1] == ["flat"]:
        from tests.tools.benchmarks.flat.command import main as flat

        return flat(arguments[1:])
    options = _options().parse_args(arguments)
    names = options.names or NAMES
    if unknown := [name for name in names if name not in ALL]:
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(ALL)}.", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(*HEAD, sep="\n")
    missed = 0
    for name in names:
        before, rows = load(), list(_printed(name))
        missed += sum(row["target"] is not None and row["ratio"] > row["target"] for row in rows)
        if options.write_docs and rows:
            write(name, rows, (before, load()), PAGE)
    return 1 if missed else 0


def _printed(name: str) -> Iterator[dict[str, Any]]:
    """Yields the rows of a benchmark; each is printed as soon as it is known."""
    for row in importlib.import_module(f"tests.tools.benchmarks.bench_{name}").run():
        if "note" in row:
            print(row["note"], file=sys.stderr)
            continue
        print(line(row), flush=True)
        yield row


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.tools benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(ALL)}")
    parser.add_argument("--write-docs", action="store_true", help="write the tables of docs/developing/benchmarks.md")
    return parser


def _with_bytecode(arguments: list[str]) -> int:
    """Runs with Python's bytecode cache, like every installed program: otherwise each worker process compiles its
    libraries again."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        command = [sys.executable, "-m", "tests.tools.benchmarks", *arguments]
        return subprocess.run(command, env=kept | {"PYTHONPYCACHEPREFIX": folder}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
