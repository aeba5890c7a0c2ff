"""The sweep of faults: `python -m tests.tools faults` tries the faults that were not tried yet; `--write-docs` writes
the table of docs/developing/reliability.md.

Results are in `build/faults`, and successful faults are not repeated: delete that folder to begin from the start.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.tools.faults import table
from tests.tools.faults.points import Outcome
from tests.tools.faults.shim import CONTROL, preloaded, why_not
from tests.tools.faults.sweep import KEPT, SHORT, SHORTLY, WHOLE, latest, swept, timed

ROOT = Path(__file__).parents[3]
# The two halves take about the same time.
HALVES = (
    ["import", "pptx", "csv", "svg", "pdf", "kit", "junit", "template", "limits", "mapping"],
    [
        *("workspace", "xlsx", "settings", "bundle", "html", "png", "md", "parquet", "history", "journal"),
        *("anonymous", "anonymous-bundle"),
    ],
)


def main() -> int:
    """Tries missing faults; returns 1 if one is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operations", nargs="*", help="only these (default: all, two at a time)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "faults", help="where everything lies")
    parser.add_argument("--short", action="store_true", help="two faults of each way of writing, and no disks")
    parser.add_argument("--one-in", type=int, default=1, help="fail only one in so many of these calls (default: 1)")
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so long; the next run goes on")
    parser.add_argument("--write-docs", action="store_true", help="write the table of docs/developing/reliability.md")
    options = parser.parse_args()
    if options.write_docs and (options.operations or options.short or options.one_in > 1):
        parser.error("--write-docs writes the table of the whole sweep: leave out the names, --short and --one-in")
    folder: Path = options.folder.absolute()
    if CONTROL in os.environ:
        ends, between, kills = (number // options.one_in for number in WHOLE)
        many = SHORT if options.short else (ends, between, kills)
        for outcome in timed(swept(folder, options.operations, many, not options.short), options.minutes):
            _tell(outcome)
        return 0
    if reason := why_not():
        sys.exit(f"Nothing was tried: {reason}.")
    halves = [options.operations] if options.operations else [list(SHORTLY)] if options.short else list(HALVES)
    further = ["--minutes", str(options.minutes), "--one-in", str(options.one_in)]
    further += ["--short"] if options.short else []
    ended = [program.wait() for program in [_started(folder, names, further) for names in halves]]
    outcomes = [outcome for names in halves for outcome in latest(_place(folder, names) / KEPT)]
    wrong = sum(bool(outcome.wrong) for outcome in outcomes)
    print(f"{len(outcomes):,} faults, {wrong} wrong")
    if options.write_docs:
        table.write(outcomes)
    return int(any((*ended, wrong)))


def _started(folder: Path, names: list[str], further: list[str]) -> subprocess.Popen[bytes]:
    place = _place(folder, names)
    place.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.tools.faults", *names, "--folder", str(place), *further]
    quiet = os.environ | preloaded(place) | {"QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen(command, env=quiet, cwd=ROOT)


def _place(folder: Path, names: list[str]) -> Path:
    return folder / "-".join(names)


def _tell(outcome: Outcome) -> None:
    if outcome.wrong:
        print(f"{outcome.point.key}: {outcome.call}, status {outcome.status}: {'; '.join(outcome.wrong)}", flush=True)
        print(outcome.words, flush=True)


if __name__ == "__main__":
    sys.exit(main())
