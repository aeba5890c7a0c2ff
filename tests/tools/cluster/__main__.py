"""The import on a Dask cluster, measured: `python -m tests.tools cluster`; `--write-docs` writes the table of
docs/developing/reliability.md. Needs Dask (`uv sync --extra cluster`); the slow share needs Linux and a C compiler."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.tools.cluster import table
from tests.tools.cluster.cases import CASES, local, tried, write_lab


def main() -> int:
    """Prints the table; returns 1 if a store differs or a command failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=4.0, help="size of each of the 24 large files")
    parser.add_argument("--write-docs", action="store_true", help="write the table of docs/developing/reliability.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lab = write_lab(folder / "share" / "lab", megabytes=options.megabytes)
        own_s, expected = local(lab, folder / "own")
        results = []
        for number, case in enumerate(CASES):
            print(case.name, file=sys.stderr)
            results.append(tried(case, lab, expected, folder / f"case-{number}"))
    measured = table.Measured(lab.large, lab.megabytes, lab.small, own_s, tuple(results))
    print("\n".join(table.lines(measured)))
    for result in results:
        print(f"{result.case.name}: {table.functions(result)}")
        for problem in (*result.errors, *result.differing):
            print(f"{result.case.name}: {problem}", file=sys.stderr)
    if options.write_docs:
        table.write(measured)
    return int(any(result.errors or result.differing for result in results))


if __name__ == "__main__":
    sys.exit(main())
