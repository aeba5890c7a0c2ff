"""All slow suites within a budget, on two cores: `python -m tests.tools slow [SUITE…] [--minutes 45]`.

Each suite has a part of the time. The same command, run again, does the missing steps. Finished steps are in
`build/slow`, and count until the code that they depend on changes.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.tools.slow.runner import Row, Runner
from tests.tools.slow.suite import Suite, Work
from tests.tools.slow.suites import ROOT, SUITES

_TAIL = 15


def main(arguments: Sequence[str] | None = None, suites: Sequence[Suite] = SUITES) -> int:
    """Runs unfinished suites and prints the table; returns 1 if one failed."""
    parser = _options()
    options = parser.parse_args(arguments)
    place: Path = options.folder.absolute()
    names = [suite.name for suite in suites]
    if unknown := [name for name in options.suites if name not in names]:
        parser.error(f"no suite is called {', '.join(unknown)}; there are {', '.join(names)}")
    works = [Work(suite, place) for suite in suites if suite.name in (options.suites or [suite.name])]
    if options.list:
        rows = [Row(work) for work in works]
        print(_table(("suite", "minutes of 45", "done", "state"), [_listed(row) for row in rows]))
        return 0
    try:
        rows = Runner().run(works, options.minutes)
    except KeyboardInterrupt:
        print("Stopped; the same command goes on.", file=sys.stderr)
        return 130
    for row in rows:
        if row.work.failed and row.work.log.exists():
            print(f"\n{row.work.suite.name}, the end of {row.work.log}:")
            print("\n".join(row.work.log.read_text("utf-8", errors="replace").splitlines()[-_TAIL:]))
    print()
    print(_table(("suite", "this time", "in all", "minutes", "state"), [_shown(row) for row in rows]))
    return int(any(row.work.failed for row in rows))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.tools slow", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="only these (default: all; see --list)")
    parser.add_argument("--minutes", type=float, default=45.0, help="the time of all together (default: 45)")
    parser.add_argument("--list", action="store_true", help="show the suites, their part of the time and their state")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "slow", help="where everything is kept")
    return parser


def _shown(row: Row) -> tuple[str, ...]:
    more = f"{row.more:,}" if row.minutes else ""
    return row.work.suite.name, more, _in_all(row.work), f"{row.minutes:.1f}" if row.minutes else "", _state(row)


def _listed(row: Row) -> tuple[str, ...]:
    return row.work.suite.name, f"{row.work.suite.minutes:g}", _in_all(row.work), _state(row)


def _in_all(work: Work) -> str:
    count = work.count
    of = "" if count.of is None else f" of {count.of:,}"
    return f"{count.done:,}{of} {work.suite.what}, {count.wrong:,} wrong"


def _state(row: Row) -> str:
    if row.work.finished:
        return "finished" if row.minutes else "finished earlier"
    if row.work.failed:
        return f"FAILED: {', '.join(row.work.record.failed) or row.work.suite.what}"
    if not row.minutes and not row.work.count.done:
        return f"not begun{f': {row.why_not}' if row.why_not else ''}"
    return f"goes on next time{f': {row.why_not}' if row.why_not else ''}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = (heads, ["-" * width for width in widths], *rows)
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


if __name__ == "__main__":
    # The end of this command also ends the programs that it has started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
