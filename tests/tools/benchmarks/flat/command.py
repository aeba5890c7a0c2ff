"""`python -m tests.tools benchmarks flat [AXIS…]`: the cost of import, opening, pages and workbook as a study grows.

Results are in `build/flat` and are not measured again: delete that folder to begin from the start.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.tools.benchmarks.flat.axes import AXES
from tests.tools.benchmarks.flat.measured import kept, measure
from tests.tools.benchmarks.flat.table import curves, lines, write

_FOLDER = Path(__file__).parents[4] / "build" / "flat"


def main(arguments: list[str]) -> int:
    """Measures missing points and prints the tables; returns 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools benchmarks flat", description=__doc__)
    names = ", ".join(axis.name for axis in AXES)
    parser.add_argument("axes", nargs="*", metavar="AXIS", help=f"only these: {names}")
    parser.add_argument("--short", action="store_true", help="two points of each axis, at most 100 MB; 5 minutes")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="begin nothing after so long; the next run does"
    )
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="where studies and results lie")
    parser.add_argument(
        "--write-docs",
        action="store_true",
        help="write the tables of docs/developing/benchmarks.md, of all axes also the curves",
    )
    options = parser.parse_args(arguments)
    known = {axis.name: axis for axis in AXES}
    if unknown := [name for name in options.axes if name not in known]:
        parser.error(f"there is no axis {', '.join(unknown)}")
    if not Path("/proc/self/status").exists():
        sys.exit("Nothing was measured: the memory of a process is read from /proc, which this system does not have.")
    folder: Path = (options.folder / "short" if options.short else options.folder).absolute()
    end = time.monotonic() + 60 * options.minutes
    for sentence in measure(tuple(known[name] for name in options.axes or known), folder, options.short):
        print(sentence, file=sys.stderr, flush=True)
        if time.monotonic() >= end:
            break
    measured = kept(folder)
    print("\n".join(lines(measured)))
    if options.write_docs:
        from tests.tools.benchmarks.flat.pictures import draw

        write(measured)
        if {curve.axis for curve in curves(measured)} == set(AXES):
            draw(measured)
        else:
            print("The pictures were not drawn: they need all axes.", file=sys.stderr)
    return int(not all(curve.met for curve in curves(measured)))
