"""The long run: `python -m tests.tools fuzz [format…] [--cases 10000] [--minutes 60]` tries cases that were not tried
yet.

The progress of each format is in `build/fuzz`: delete that folder to begin from the start. Found cases are kept in
`tests/tools/fuzz/corpus`, which the suite reads in every run. `--write-docs` writes the table of
docs/developing/reliability.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.tools.fuzz import table
from tests.tools.fuzz.formats import formats
from tests.tools.fuzz.sweep import ROOT, progress_of, swept


def main() -> int:
    """Tries cases; returns 1 if one is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("formats", nargs="*", metavar="format", help="only these (default: all, by turns)")
    parser.add_argument("--cases", type=int, default=10_000, help="so many of each format (default: 10,000)")
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so long; the next run goes on")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "fuzz", help="where the progress is kept")
    parser.add_argument("--write-docs", action="store_true", help="write the table of docs/developing/reliability.md")
    options = parser.parse_args()
    names = options.formats or list(formats())
    if unknown := sorted(set(names) - set(formats())):
        parser.error(f"no format is called {', '.join(unknown)}; there are {', '.join(formats())}")
    wrong = 0
    for file, case, reasons in swept(options.folder, names, options.cases, options.minutes):
        wrong += 1
        print(f"{file}: {case.kind} in {case.name}: {'; '.join(reasons)[:600]}", flush=True)
    progress = {name: progress_of(options.folder, name) for name in names}
    tried = sum(of_format.tried for of_format in progress.values())
    print(f"{tried:,} cases of {len(names)} formats, {wrong} new kinds of wrong")
    if options.write_docs:
        table.write({name: progress_of(options.folder, name) for name in formats()})
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
