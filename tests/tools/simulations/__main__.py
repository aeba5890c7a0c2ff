"""The share of wrong answers, by simulation: `python -m tests.tools simulations` writes the tables of
docs/statistics.md.

Every study is seeded. Results are in `build/simulations` and the same code does not compute them again, so an
interrupted run resumes.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.tools.simulations import edges, largest, orders, sizing, steady, trend, verdicts, what_if
from tests.tools.simulations.cells import ROOT, Cell, Job, TimeOverError, computed, mark_of
from tests.tools.simulations.tables import agreement, coverage, same_table, verdict_table

PAGE = ROOT / "docs" / "statistics.md"
HERE = "tests/tools/simulations"
MEASURES = "workbench/measures"
VERDICTS = (
    f"{MEASURES}/significance",
    *(f"{MEASURES}/{name}.py" for name in ("catalogue", "configurations", "statistics")),
    "workbench/answers/compare",
    f"{HERE}/studies.py",
    f"{HERE}/verdicts.py",
)
STEADY = (f"{MEASURES}/steadiness.py", f"{MEASURES}/statistics.py", f"{HERE}/steady.py")
TREND = (
    "workbench/answers/trend",
    f"{MEASURES}/statistics.py",
    f"{MEASURES}/significance/p_values.py",
    f"{HERE}/trend.py",
)
# Series in each cell of the trend without a change, for any number of studies; a quarter of them with a step.
SERIES = 400
EDGES = ("workbench/phases", f"{HERE}/edges.py")
UNTESTED = "workbench/answers/cache/untested"
SIZING = (*VERDICTS, "workbench/answers/sizing", "workbench/answers/findings", f"{HERE}/sizing.py")
ORDERS = (*VERDICTS, "workbench/answers/findings", f"{HERE}/orders.py")
LARGEST = (f"{UNTESTED}/footprint.py", f"{HERE}/largest.py")
WHAT_IF = (*(f"{UNTESTED}/{name}.py" for name in ("footprint", "predict", "shares")), f"{HERE}/what_if.py")
Cells = dict[str, Cell]
Tables = dict[str, Iterable[str]]


@dataclass(frozen=True)
class Part:
    """A group of cells: the code they depend on, how many studies each cell has for `--studies N`, the cells, and the
    tables of docs/statistics.md that they fill."""

    code: tuple[str, ...]
    count: Callable[[int], int]
    jobs: Callable[[int], Iterator[Job]]
    tables: Callable[[Cells, int], Tables]


def _verdict_tables(cells: Cells, studies: int) -> Tables:
    return {
        "verdicts": (
            f"Each cell is based on {studies} studies.",
            "",
            *verdict_table(cells),
            "",
            coverage(cells),
            agreement(cells),
        ),
        "same": (f"Each cell is based on {studies // 2} studies.", "", *same_table(cells)),
    }


def _trend_tables(cells: Cells, series: int) -> Tables:
    return {
        "trend": (f"Each cell is based on {series} series.", "", *trend.table_of_none(cells)),
        "steps": (f"Each cell is based on {series // 4} series.", "", *trend.table_of_steps(cells)),
    }


def _table(name: str, what: str, lines: Callable[[Cells], Iterable[str]]) -> Callable[[Cells, int], Tables]:
    return lambda cells, count: {name: (f"Each cell is based on {count} {what}.", "", *lines(cells))}


PARTS = {
    "verdicts": Part(VERDICTS, lambda n: n, verdicts.jobs, _verdict_tables),
    "orders": Part(ORDERS, lambda n: n // 3, orders.jobs, _table("orders", "studies", orders.table)),
    "steadiness": Part(STEADY, lambda n: 2 * n, steady.jobs, _table("steadiness", "runs", steady.table)),
    "edges": Part(EDGES, lambda n: n // 3, edges.jobs, _table("edges", "runs", edges.table)),
    "sizing": Part(SIZING, lambda n: n // 3, sizing.jobs, _table("sizing", "studies", sizing.table)),
    "largest": Part(LARGEST, lambda n: 2 * n, largest.jobs, _table("largest", "studies", largest.table)),
    "what-if": Part(WHAT_IF, lambda n: n, what_if.jobs, _table("what-if", "studies", what_if.table)),
    "trend": Part(TREND, lambda _: SERIES, trend.jobs, _trend_tables),
}


def written(page: str, name: str, lines: Iterable[str]) -> str:
    """The page with these lines between the marks of that name."""
    begin, end = (
        f"<!-- simulated {name}: written by python -m tests.tools simulations -->\n",
        f"<!-- end of {name} -->\n",
    )
    body = "".join(f"{line}\n" for line in lines)
    changed, count = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n{body}\n{end}", page, flags=re.DOTALL
    )
    assert count == 1, f"docs/statistics.md has no marks of {name}"
    return changed


def main() -> int:
    """Computes missing cells and writes all tables; returns 1 if the tables were only checked and the page has
    others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"only these: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--studies", type=int, default=300, help="studies in each cell of the verdicts")
    parser.add_argument("--print", action="store_true", help="print the tables; the page stays as it is")
    parser.add_argument("--check", action="store_true", help="say whether the page has these tables; it stays as it is")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no cell after so long")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "simulations", help="where cells are kept")
    options = parser.parse_args()
    studies, names = options.studies, options.parts or list(PARTS)
    kept, end = options.keep / str(studies), time.monotonic() + 60 * options.minutes
    # Before the first cell, because the loaded code computes the cells, not the code at a later time.
    marks = {name: mark_of(PARTS[name].code) for name in names}
    tables: Tables = {}
    try:
        for name in names:
            part, count = PARTS[name], PARTS[name].count(studies)
            tables |= part.tables(computed(part.jobs(count), kept, marks[name], end), count)
    except TimeOverError:
        print("The time is over; the same command goes on from here.", file=sys.stderr)
        return 0
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
