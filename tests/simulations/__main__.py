"""How often we are wrong, by simulation: `python -m tests.simulations` writes the tables of docs/statistics.md.

Every study is seeded. What was computed stands in `build/simulations` and is not computed again by the same code, so an
interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.simulations import edges, largest, sizing, steady, verdicts, what_if
from tests.simulations.cells import ROOT, Cell, Job, TimeOverError, computed, mark_of
from tests.simulations.tables import agreement, same_table, verdict_table

PAGE = ROOT / "docs" / "statistics.md"
HERE = "tests/simulations"
MEASURES = "workbench/measures"
VERDICTS = (
    f"{MEASURES}/judging",
    *(f"{MEASURES}/{name}.py" for name in ("catalogue", "compared", "replicates", "statistics", "student")),
    "workbench/answers/compare",
    f"{HERE}/studies.py",
    f"{HERE}/verdicts.py",
)
STEADY = (f"{MEASURES}/steadiness", f"{MEASURES}/student.py", f"{HERE}/steady.py")
EDGES = ("workbench/phases", f"{HERE}/edges.py")
UNTESTED = "workbench/answers/cache/untested"
SIZING = (*VERDICTS, "workbench/answers/sizing", "workbench/answers/findings", f"{HERE}/sizing.py")
LARGEST = (f"{UNTESTED}/largest.py", f"{HERE}/largest.py")
WHAT_IF = (*(f"{UNTESTED}/{name}.py" for name in ("fill", "footprint", "predict")), f"{HERE}/what_if.py")
CODE = (VERDICTS, STEADY, EDGES, SIZING, LARGEST, WHAT_IF)


Cells = dict[str, Cell]


def written(page: str, name: str, lines: Iterable[str]) -> str:
    """The page with these lines between the marks of that name."""
    begin, end = f"<!-- simulated {name}: written by python -m tests.simulations -->\n", f"<!-- end of {name} -->\n"
    body = "".join(f"{line}\n" for line in lines)
    changed, count = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n{body}\n{end}", page, flags=re.DOTALL
    )
    assert count == 1, f"docs/statistics.md has no marks of {name}"
    return changed


def all_jobs(studies: int) -> tuple[Iterator[Job], ...]:
    """The cells of the verdicts, of steadiness, of the edges and of what is planned and predicted."""
    return (
        verdicts.jobs(studies),
        steady.jobs(2 * studies),
        edges.jobs(studies // 3),
        sizing.jobs(studies // 3),
        largest.jobs(2 * studies),
        what_if.jobs(studies),
    )


def predictions(studies: int, planned: Cells, most: Cells, untested: Cells) -> dict[str, Iterable[str]]:
    """The tables of sizing, of the largest VM and of untested sizes."""
    return {
        "sizing": (f"{studies // 3} studies in each cell.", "", *sizing.table(planned)),
        "largest": (f"{2 * studies} studies in each row.", "", *largest.table(most)),
        "what-if": (f"{studies} studies in each row.", "", *what_if.table(untested)),
    }


def main() -> int:
    """Computes what is missing and writes all tables; 1 where they were to be checked and the page has others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=300, help="studies in each cell of the verdicts")
    parser.add_argument("--print", action="store_true", help="print the tables; the page stays as it is")
    parser.add_argument("--check", action="store_true", help="say whether the page has these tables; it stays as it is")
    parser.add_argument("--predictions", action="store_true", help="only sizing, the largest VM and untested sizes")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no cell after so long")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "simulations", help="where cells are kept")
    options = parser.parse_args()
    kept, studies = options.keep / str(options.studies), options.studies
    end = time.monotonic() + 60 * options.minutes
    # Before the first cell: what is computed is the code of now, not of when its turn comes.
    marks = [mark_of(code) for code in CODE]
    chosen = slice(3, None) if options.predictions else slice(None)
    try:
        cells = [
            computed(jobs, kept, mark, end) for jobs, mark in [*zip(all_jobs(studies), marks, strict=True)][chosen]
        ]
    except TimeOverError:
        print("The time is over; the same command goes on from here.", file=sys.stderr)
        return 0
    tables = predictions(studies, *cells[-3:])
    if not options.predictions:
        judged, steady_runs, detected = cells[:3]
        tables |= {
            "verdicts": (f"{studies} studies in each cell.", "", *verdict_table(judged), "", agreement(judged)),
            "same": (f"{studies // 2} studies in each cell.", "", *same_table(judged)),
            "steadiness": (f"{2 * studies} runs in each cell.", "", *steady.table(steady_runs)),
            "edges": (f"{studies // 3} runs in each row.", "", *edges.table(detected)),
        }
    earlier = page = PAGE.read_text("utf-8")
    for name, lines in tables.items():
        rows = list(lines)
        print("", *rows, sep="\n")
        page = written(page, name, rows)
    if options.check:
        print(f"{PAGE.name} {'has' if page == earlier else 'does not have'} these tables.")
        return int(page != earlier)
    if not options.print:
        PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
