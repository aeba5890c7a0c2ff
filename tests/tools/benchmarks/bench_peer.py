"""`vdiwb import` of 100 MB from its start to its end, compared with PlotJuggler's parser on the same bytes.

VDI_WORKBENCH_PLOTJUGGLER names a checkout of PlotJuggler (github.com/facontidavide/PlotJuggler), and its parser
(`plotjuggler_plugins/DataLoadCSV`) is compiled with g++ and Qt 5; without it the rows are omitted. The parser keeps
all samples in memory and ends; VDI Workbench describes them, checks their plausibility and stores them.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.bench_reading import write_perfmon

TARGET = 1.0
CHECKOUT = "VDI_WORKBENCH_PLOTJUGGLER"
_COUNTERS, _MEGABYTES, _ROUNDS = 500, 100.0, 7
_PARSER = Path("plotjuggler_plugins", "DataLoadCSV")
_DATES = Path("3rdparty", "date-3.0.4", "include")
_CONSOLE = "import sys; from workbench.vdiwb import main; sys.exit(main())"
_MAIN = """
#include <fstream>
#include "csv_parser.h"
int main(int, char** names) {
    std::ifstream stream(names[1]);
    PJ::CSV::CsvParseConfig config;
    config.time_column_index = 0;
    const auto result = PJ::CSV::ParseCsvData(stream, config);
    return result.success && result.lines_processed > 0 ? 0 : 1;
}
"""
Times = tuple[float, float]


def run() -> list[dict[str, Any]]:
    """A row for elapsed time and one for processor time, or a note on a missing program."""
    checkout = os.environ.get(CHECKOUT)
    if checkout is None or shutil.which("g++") is None:
        return [{"note": f"PlotJuggler is left out: name a checkout of it in {CHECKOUT}, and have g++ and Qt 5."}]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lab").mkdir()
        file = folder / "lab" / "lab.csv"
        write_perfmon(file, _COUNTERS, _MEGABYTES)
        parser = _compiled(Path(checkout), folder)
        environment = dict(os.environ)
        # Python keeps its bytecode, as for an installed program.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def ours() -> Times:
            store = folder / "store"
            shutil.rmtree(store, ignore_errors=True)
            command = [sys.executable, "-c", _CONSOLE, "import", str(folder / "lab"), "--store", str(store)]
            return _timed(command, environment)

        rounds = _in_turns(ours, lambda: _timed([str(parser), str(file)], environment))
    return [_row(what, place, rounds) for place, what in enumerate(("", ", processor time"))]


def _in_turns(ours: Callable[[], Times], theirs: Callable[[], Times]) -> list[tuple[Times, Times]]:
    """The times of both, measured in turns after a round that writes the bytecode."""
    return [(ours(), theirs()) for _ in range(_ROUNDS + 1)][1:]


def _row(what: str, place: int, rounds: list[tuple[Times, Times]]) -> dict[str, Any]:
    mine, base = (statistics.median(pair[who][place] for pair in rounds) for who in (0, 1))
    return {
        "what": f"`vdiwb import` of {_MEGABYTES:.0f} MB{what} (comparison: PlotJuggler's parser)",
        "ours_s": mine,
        "baseline_s": base,
        "ratio": mine / base,
        "target": TARGET,
    }


def _compiled(checkout: Path, folder: Path) -> Path:
    """The parser as a program that reads one file."""
    main, program, source = folder / "main.cpp", folder / "parser", checkout / _PARSER
    main.write_text(_MAIN, encoding="ascii")
    asked = ["pkg-config", "--cflags", "--libs", "Qt5Core"]
    flags = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()
    sources = [main, source / "csv_parser.cpp", source / "timestamp_parsing.cpp"]
    options = ["-O3", "-DNDEBUG", "-std=c++17", "-fPIC", f"-I{source}", f"-I{checkout / _DATES}"]
    subprocess.run(["g++", *options, *map(str, sources), "-o", str(program), *flags], check=True)
    return program


def _timed(command: list[str], environment: dict[str, str]) -> Times:
    """Elapsed seconds, and processor seconds of all processes."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    taken, after = time.perf_counter() - start, os.times()
    return taken, after[2] + after[3] - before[2] - before[3]
