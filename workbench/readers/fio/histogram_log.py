"""fio's histogram logs: `*_clat_hist.N.log`, written with `write_hist_log`.

    time, direction, block size, bin 0, bin 1, …
    1001, 0, 16384, 0, 2, 1, …

`time` is milliseconds since the job started, at the end of an interval. A line counts the I/Os of that interval by
completion latency. The first 128 bins are 1 unit wide; each further group of 64 bins is twice as wide as the previous
one. 19 groups (1,216 bins) count microseconds (fio before 2.99), 29 groups (1,856 bins) nanoseconds;
`log_hist_coarseness` joins 2, 4, 8, … neighbouring bins.

A percentile is the middle of its bin, as in fio's own results. Its error is at most 0.8 %, or more with joined bins.
Source of the format: fio's HOWTO (`write_hist_log`, `log_hist_coarseness`) and the bins of its stat.h; checked with a
log of fio 2.17, and with the percentiles that fio printed for that test (the log is from one of its two jobs).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt

from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport, Recording, Series
from workbench.readers.common.row_problems import Problems
from workbench.readers.fio.log_rows import note_start_unknown

Counts = npt.NDArray[np.int64]
LINE = re.compile(r"[ \t]{0,3}[0-9]{1,20} {0,3}, {0,3}[012] {0,3}, {0,3}[0-9]{1,20}(?: {0,3}, {0,3}[0-9]{1,20}){60,}")
NAME = re.compile(r"_hist(?:\.\d+)?\.log$", re.IGNORECASE)
PERCENTILES = (50, 95, 99)
# Bins of a log without joined neighbours, and the number of their units per millisecond.
_PER_MS = {19 * 64: 1e3, 29 * 64: 1e6}
_MOST_JOINED = 6
_DIRECTIONS = ("read", "write", "trim")
_HEAD = 3
# fio 3.7 wrote some bins from uninitialised memory. No interval has more I/Os than this, and no test takes more
# milliseconds.
_LARGEST = 10**11
# `int` would also accept signs, underscores and the digits of other scripts.
_CELLS = re.compile(r"[ \t\r]*[0-9]{1,20}[ \t\r]*(?:,[ \t\r]*[0-9]{1,20}[ \t\r]*)+")
# The bins of a line that counted any I/O, and their counts: nearly all bins are empty.
_Filled = tuple[npt.NDArray[np.intp], Counts]


def bin_middles_ms(bins: int) -> npt.NDArray[np.float64] | None:
    """Returns the middle of each bin in ms, or None if fio writes no log with this number of bins."""
    for whole, per_ms in _PER_MS.items():
        for joined in range(_MOST_JOINED + 1):
            if bins << joined == whole:
                edges = np.array([_lower_edge(index << joined) for index in range(bins + 1)])
                # A bin of one unit is the value itself, as in fio.
                middles = np.where(np.diff(edges) > 1, (edges[:-1] + edges[1:]) / 2, edges[:-1])
                return middles / per_ms
    return None


def _lower_edge(index: int) -> float:
    group = index // 64 - 1
    return float(index) if group < 1 else float((64 + index % 64) << group)


def percentiles(counts: Counts, middles: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns the values of `PERCENTILES` for each row of counts, NaN for a row without I/O; shape (rows,
    percentiles)."""
    reached = counts.cumsum(axis=1)
    total = reached[:, -1]
    found = np.full((len(counts), len(PERCENTILES)), np.nan)
    for column, percent in enumerate(PERCENTILES):
        places = (reached * 100 >= total[:, None] * percent).argmax(axis=1)
        found[:, column] = np.where(total > 0, middles[places], np.nan)
    return found


def read_histograms(name: str, lines: Iterator[str], columns: Path, label: str, encoding: str) -> Reading:
    """Returns one series per direction and percentile, in ms. An invalid line is rejected with its number."""
    problems = Problems(name)
    rows: dict[tuple[int, int], list[_Filled]] = defaultdict(list)
    widths: Counter[int] = Counter()
    middles: npt.NDArray[np.float64] | None = None
    kept = rejected = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        cells = line.split(",")
        bins = len(cells) - _HEAD
        widths[bins] += 1
        if middles is None:
            middles = bin_middles_ms(bins)
        counts = _counts(line, cells)
        if middles is None or bins != len(middles) or counts is None:
            rejected += 1
            problems.warn(
                "row-width",
                f"Line {number} does not belong to this histogram, or has impossible counts.",
                "line rejected; check it in the file",
                number,
            )
            continue
        kept += 1
        filled = np.flatnonzero(counts)
        rows[int(cells[0]), int(cells[1])].append((filled, counts[filled]))
    report = FileReport(
        path=name, reader=label, recognised=True, encoding=encoding, delimiter=",", rejected_rows=rejected
    )
    if middles is None or not rows:
        refused = Problems(name)
        usual = max(next(iter(widths.most_common(1)), (0, 0))[0], 0)
        why = (
            f"This fio histogram log has {usual:,} bins per line, which is not supported."
            if middles is None
            else "No line of this histogram log could be read: all counts are impossible."
        )
        action = "file not imported; use the percentiles of fio's JSON result (--output-format=json)"
        refused.add(Severity.REFUSED, "fio-histogram", why, action)
        return Reading(report, refused.all())
    return _reading(name, rows, middles, columns, report, problems, kept)


def _counts(line: str, cells: list[str]) -> Counts | None:
    if len(cells) <= _HEAD or _CELLS.fullmatch(line) is None:
        return None
    at, direction, _size, *counts = map(int, cells)
    sensible = 0 <= at < _LARGEST and 0 <= direction < len(_DIRECTIONS)
    return np.array(counts, np.int64) if sensible and all(0 <= count < _LARGEST for count in counts) else None


def _percentiles_of(parts: list[_Filled], middles: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns the percentiles of all lines of one time and direction."""
    counts = np.zeros((1, len(middles)), np.int64)
    for filled, numbers in parts:
        counts[0, filled] += numbers
    found: npt.NDArray[np.float64] = percentiles(counts, middles)[0]
    return found


def _reading(
    name: str,
    rows: dict[tuple[int, int], list[_Filled]],
    middles: npt.NDArray[np.float64],
    columns: Path,
    report: FileReport,
    problems: Problems,
    kept: int,
) -> Reading:
    log = PurePosixPath(name)
    times = np.array(sorted({at for at, _ in rows}))
    table, series = [times * 1000.0], list[Series]()
    for direction, word in enumerate(_DIRECTIONS):
        own = [at for at in times.tolist() if (at, direction) in rows]
        if not own:
            continue
        found = np.array([_percentiles_of(rows[at, direction], middles) for at in own])
        for column, percent in enumerate(PERCENTILES):
            values = np.full(len(times), np.nan)
            values[np.searchsorted(times, own)] = found[:, column]
            counter = f"clat {word}, {percent}th percentile [ms]"
            series.append(Series(len(series), f"{log.name}: {counter}", "", "fio", log.stem, counter))
            table.append(values)
    with columns.open("wb") as stream:
        np.save(stream, np.array(table))
    note_start_unknown(problems)
    first, last = int(table[0][0]), int(table[0][-1])
    cells = len(times) * len(series)
    missing = int(np.isnan(np.array(table[1:])).sum())
    report = replace(report, rows=kept, columns=len(series), cells=cells, missing_cells=missing)
    return Reading(report, problems.all(), Recording(tuple(series), len(times), first, last, None, (), relative=True))
