"""The start of the console: the help compared with an empty Python program, and a whole import of one small file
compared with importing polars and numpy.

Processor time of whole processes, the workers of the import included; measured in turns, because other work on the
machine makes every process slower.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.builders import disk_csv

HELP_TARGET, IMPORT_TARGET = 6.0, 2.0
_ROUNDS = 11
_NOTHING, _LIBRARIES = "pass", "import polars, numpy"
_CONSOLE = "import sys; from workbench.vdiwb import main; sys.exit(main())"


def run() -> list[dict[str, Any]]:
    """A row for the help, and one for the import."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = os.environ | {"VDI_WORKBENCH_STORE": str(folder / "store")}
        # Python keeps its bytecode, as for an installed program.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        disk_csv(folder / "lab" / "mcs" / "W10-001.csv", "W10-001", [1.0] * 20, [2.0] * 20)
        help_row = _row(
            "Start of `vdiwb --help` (comparison: the start of Python)",
            [_CONSOLE, "--help"],
            [_NOTHING],
            HELP_TARGET,
            environment,
        )
        # Each import fills a separate store, so every file is new.
        stores = (str(folder / f"store{number}") for number in range(2 * _ROUNDS))
        import_row = _row(
            "`vdiwb import` of one file of 1 kB (comparison: loading polars and NumPy)",
            [_CONSOLE, "import", str(folder / "lab"), "--store"],
            [_LIBRARIES],
            IMPORT_TARGET,
            environment,
            stores,
        )
    return [help_row, import_row]


def _row(
    what: str,
    ours: list[str],
    theirs: list[str],
    target: float,
    environment: dict[str, str],
    stores: Iterator[str] | None = None,
) -> dict[str, Any]:
    """The medians of both, measured in turns after one round that writes the bytecode."""
    pairs = []
    for _ in range(_ROUNDS + 1):
        last = [next(stores)] if stores is not None else []
        pairs.append((_processor_s([*ours, *last], environment), _processor_s(theirs, environment)))
    mine, base = (statistics.median(pair[who] for pair in pairs[1:]) for who in (0, 1))
    return {"what": what, "ours_s": mine, "baseline_s": base, "ratio": mine / base, "target": target}


def _processor_s(code: list[str], environment: dict[str, str]) -> float:
    """Processor seconds of the process and of its child processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", *code], env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
