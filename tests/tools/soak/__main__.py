"""The soak: `python -m tests.tools soak --minutes 60` uses the window round after round, and reports whether memory,
threads, handles, processes, temporary files and widgets stay flat; `--write-docs` writes the result into
docs/developing/reliability.md.

The readings of each round are in `build/soak/readings.jsonl`. A soak always begins from the start, because one process
is watched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[3]
KEPT = "readings.jsonl"


def main() -> int:
    """Runs the rounds; returns 1 if a quantity grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after the round that goes beyond it")
    parser.add_argument("--rounds", type=int, default=sys.maxsize, help="stop after so many rounds")
    parser.add_argument("--least-rounds", type=int, default=0, help="so many rounds, even beyond the minutes")
    parser.add_argument("--short", action="store_true", help="short rounds: one study, two pages, no documents")
    parser.add_argument("--seed", type=int, default=19, help="the order of what is done")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "soak", help="where everything lies")
    parser.add_argument("--write-docs", action="store_true", help="write the part of docs/developing/reliability.md")
    options = parser.parse_args()
    if sys.platform != "linux":
        sys.exit("Nothing was tried: what a process holds is read from Linux' /proc.")
    folder: Path = options.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    temporary = folder / "temporary"
    temporary.mkdir(parents=True)
    os.environ |= {"TMPDIR": str(temporary), "QT_QPA_PLATFORM": "offscreen"}
    tempfile.tempdir = str(temporary)
    return _soak(folder, temporary, options)


def _soak(folder: Path, temporary: Path, options: argparse.Namespace) -> int:
    # Imported here because Qt reads its platform when it is loaded.
    from PySide6.QtWidgets import QApplication

    from workbench.gui.shell.start import read_no_sources

    # As in the program: otherwise the sources of modules loaded in later rounds would count as growth.
    read_no_sources()
    from tests.tools.soak import table
    from tests.tools.soak.day import Day
    from tests.tools.soak.judge import courses
    from tests.tools.soak.kept_by_numpy import fill_all
    from tests.tools.soak.watch import Reading, reading
    from workbench.gui.services.theme import apply_theme
    from workbench.gui.shell.app import Collector

    application = QApplication(sys.argv[:1])
    apply_theme(application, "light")
    # A full cache does not grow any more.
    fill_all()
    collector, day = Collector(), Day(folder, options.seed, options.short)
    readings: list[Reading] = []
    end = time.monotonic() + 60 * options.minutes
    with (folder / KEPT).open("ab") as stream:
        while len(readings) < options.rounds and (time.monotonic() < end or len(readings) < options.least_rounds):
            day.round()
            readings.append(reading(len(readings) + 1, temporary))
            stream.write(msgspec.json.encode(readings[-1]) + b"\n")
            stream.flush()
    collector.stop()
    try:
        all_courses = courses(readings)
    except ValueError as error:
        sys.exit(f"Nothing can be said: {error}.")
    grown = [course for course in all_courses if not course.flat]
    for course in grown:
        low, slope, high = course.a_round
        print(
            f"{course.name} grows: {course.first:,.1f} at first, {course.last:,.1f} at last, "
            f"{slope:+.2f} ({low:+.2f} to {high:+.2f}) a round",
            flush=True,
        )
    print(f"{len(readings)} rounds, {len(grown)} of {len(all_courses)} grow: {dict(sorted(day.done.items()))}")
    if options.write_docs:
        table.write(readings)
    return int(bool(grown))


if __name__ == "__main__":
    sys.exit(main())
