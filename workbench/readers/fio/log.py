"""fio's time series: `*_iops.N.log`, `*_bw.N.log`, `*_lat.N.log`, `*_clat.N.log`, `*_slat.N.log`.

    time, value, direction, block size[, offset][, priority][, issue time]
    250, 40144, 0, 0, 0

`time` is milliseconds since the job started; direction 0 reads, 1 writes, 2 trims; the block size is in bytes (0 if
samples are averages, `log_avg_msec`). With `log_window_value=both` the largest value follows the mean. Only the file
name shows the measured quantity: I/Os per second, KiB/s, or a latency. Latencies are nanoseconds since fio 2.99 and
microseconds before, and the file does not state its fio version. Nanoseconds are assumed and reported, unless the file
name holds a version (`fio-2.16_x_lat.1.log`) or a result next to the log states one (`beside`). The file does not
contain the date of the start: the recording's times are relative. `histogram_log` reads histogram logs (`*_clat_hist`).
Source of the format: fio's HOWTO, "Log File Formats"; checked with logs of fio 2.16 to 3.42.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from workbench import disk_arrays
from workbench.model.metric import Metric, Quantity
from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport, Recording, Series
from workbench.readers.common.row_problems import Problems, none_of
from workbench.readers.fio import histogram_log
from workbench.readers.fio.log_rows import (
    LINE,
    LogRows,
    Numbers,
    cells_of,
    decoded,
    filled,
    is_direction,
    note_start_unknown,
    pieces_of,
    rows_of,
)
from workbench.readers.fio.options import counts_nanoseconds

LABEL = "fio-log"
UNIT = "fio-log-unit"
ASSUMED = "assumed ns (fio ≥ 2.99)"


def with_unit(reading: Reading, nanoseconds: bool) -> Reading:
    """Returns the reading of a log with the unit that fio's own result states, if the unit was assumed; otherwise the
    reading unchanged."""
    recording = reading.recording
    if recording is None or not any(ASSUMED in series.path for series in recording.series):
        return reading
    unit, scale = ("ns", 1e-9) if nanoseconds else ("µs", 1e-6)
    series = tuple(_in_unit(each, unit, scale) for each in recording.series)
    problems = tuple(problem for problem in reading.problems if problem.code != UNIT)
    return replace(reading, recording=replace(recording, series=series), problems=problems)


def _in_unit(series: Series, unit: str, scale: float) -> Series:
    known = "" if series.metric is not None else f" [{unit}]"
    return msgspec.structs.replace(
        series,
        path=series.path.replace(ASSUMED, unit),
        counter=series.counter.replace(f" [{ASSUMED}]", known),
        metric=series.metric and replace(series.metric, scale=scale),
    )


_KIND = re.compile(r"(?:^|[_.-])(iops|bw|lat|clat|slat)(?:\.\d+)?\.log(?:\.\w+)?$", re.IGNORECASE)
_VERSION = re.compile(r"fio[-_]?v?(\d+)\.(\d+)", re.IGNORECASE)
_LINES = 20
_MAX_BYTES = 1 << 30
_DIRECTIONS = ("read", "write", "trim")
_IOPS = (Quantity.READ_IOPS, Quantity.WRITE_IOPS, None)
_THROUGHPUT = (Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT, None)
_LATENCY = (Quantity.READ_LATENCY, Quantity.WRITE_LATENCY, None)
_KIB = 1024.0
_CERTAIN = frozenset(("1/s", "KiB/s", "ns", "µs"))
# A log exactly as fio writes it, in all checked lines.
_PLAIN = re.compile(rf"(?:\d{{1,20}}, \d{{1,20}}, [012](?:, \d{{1,20}}){{1,5}}\r?\n){{{_LINES}}}")
# Samples of a long log that are processed at once.
_TOGETHER = 1 << 20


@dataclass(frozen=True, slots=True)
class _Kind:
    """The measured quantity of the log: word and unit to display, quantity by direction, factor to the unit of the
    quantity.
    """

    word: str
    unit: str
    quantities: tuple[Quantity | None, ...]
    scale: float = 1.0
    assumed: str = ""


def identify(head: bytes, name: str) -> float:
    """Returns 1.0 if the first lines are those of a log and its name gives the kind, 0.9 if most lines are, 0.4 without
    a kind in the name."""
    text = decoded(head)[0]
    if _PLAIN.match(text) and _KIND.search(name):
        return 1.0
    lines = filled(text, _LINES)
    if not lines:
        return 0.0
    if histogram_log.LINE.match(lines[0]):
        return 0.9
    fitting = sum(LINE.fullmatch(line) is not None and _has_direction(line) for line in lines)
    # The last line of the head may be cut off.
    if fitting < max(1, 0.6 * (len(lines) - 1)):
        return 0.0
    if _KIND.search(name):
        return 1.0 if fitting == len(lines) else 0.9
    return 0.4 if len(lines) >= 3 else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns one series per direction, over time since the start. An invalid line is rejected with its number."""
    problems = Problems(name)
    if path.stat().st_size > _MAX_BYTES:
        return _refused(
            name,
            problems,
            "too-large",
            "The log is larger than 1 GB.",
            "file not imported; let fio log averages (log_avg_msec=1000)",
        )
    pieces, encoding = pieces_of(path)
    head = next(pieces, "")
    first = next(iter(filled(head, 1)), "")
    if histogram_log.NAME.search(name) or histogram_log.LINE.match(first):
        lines = (line for text in chain((head,), pieces) for line in text.splitlines())
        return histogram_log.read_histograms(name, lines, columns, LABEL, encoding)
    rows = rows_of(chain((head,), pieces), problems)
    if not rows.times.size:
        return _refused(
            name,
            problems,
            "no-rows",
            f"{none_of(rows.rejected, 'line')} could be read.",
            "file not imported; record the log again",
            rows.rejected,
        )
    if not rows.ended:
        problems.info(
            "no-line-end",
            "The last line has no line break: the log may have been cut off there.",
            "file imported; compare its end with the source",
        )
    kind = _kind(PurePosixPath(name).name, problems)
    return _reading(name, kind, rows, columns, problems, encoding)


READER = Reader(LABEL, identify, read, by_name=True)


def _has_direction(line: str) -> bool:
    cells = cells_of(line)
    return is_direction(cells[2]) or is_direction(cells[3])


def _kind(name: str, problems: Problems) -> _Kind:
    match = _KIND.search(name)
    if match is None:
        problems.warn(
            "fio-log-kind",
            "The file name does not show what was measured (iops, bw, lat, clat or slat).",
            "values kept without a unit; name the file as fio does, such as job_iops.1.log",
        )
        return _Kind("value", "", (None, None, None))
    word = match[1].lower()
    if word == "iops":
        return _Kind(word, "1/s", _IOPS)
    if word == "bw":
        return _Kind(word, "KiB/s", _THROUGHPUT, _KIB)
    # Submission latency is a part of the latency, not a latency of the storage.
    quantities = (None, None, None) if word == "slat" else _LATENCY
    version = _VERSION.search(name)
    if version is None:
        problems.info(
            UNIT,
            "The unit of latencies (ns or µs) is unknown.",
            "latencies treated as ns (fio ≥ 2.99); "
            "for an older fio, put its version in the file name: fio-2.16_x_lat.1.log",
        )
        return _Kind(word, ASSUMED, quantities, 1e-9)
    old = counts_nanoseconds(version[0]) is False
    unit = "µs" if old else "ns"
    problems.info(
        UNIT,
        f"The file name contains '{version[0]}', a version that logs latencies in {unit}.",
        f"latencies imported as {unit}",
    )
    return _Kind(word, unit, quantities, 1e-6 if old else 1e-9)


def _reading(name: str, kind: _Kind, rows: LogRows, columns: Path, problems: Problems, encoding: str) -> Reading:
    """Returns the reading of a log, with its samples in `columns`: one row per moment. Several samples of one direction
    at one moment get separate rows."""
    if (rows.times[1:] < rows.times[:-1]).any():
        problems.info(
            "clock-back",
            "The timestamps are not in ascending order. This is normal for logs of single I/Os.",
            "samples sorted by time",
        )
    note_start_unknown(problems)
    places, times = _places(rows)
    sorts, log = _sorts(rows), PurePosixPath(name)
    series = tuple(_series(index, kind, *sort, log) for index, sort in enumerate(sorts))
    with columns.open("wb") as stream:
        stream.write(_head(1 + len(series), len(times)))
        times *= 1000.0
        stream.write(times.data)
        for sort in sorts:
            stream.write(_column(rows, *sort, places, len(times)).data)
    kept = len(rows.times)
    report = FileReport(
        path=name,
        reader=LABEL,
        recognised=True,
        rows=kept,
        columns=len(series),
        first=None,
        last=None,
        encoding=encoding,
        delimiter=",",
        cells=kept * (2 if rows.largest.size else 1),
        rejected_rows=rows.rejected,
    )
    first, last = (int(times[place]) for place in (0, -1))
    recording = Recording(series, len(times), first, last, None, (), relative=True)
    return Reading(report, problems.all(), recording)


def _sorts(rows: LogRows) -> list[tuple[int, bool]]:
    """Returns the directions in the log, each also with its largest values if the log has these."""
    there = [direction for direction in range(len(_DIRECTIONS)) if (rows.directions == direction).any()]
    return [(direction, largest) for direction in there for largest in (False, True)[: 1 + bool(rows.largest.size)]]


def _column(rows: LogRows, direction: int, largest: bool, places: npt.NDArray[np.intp], count: int) -> Numbers:
    """Returns the values of a series in a table of `count` rows, NaN in rows without a sample."""
    numbers, column = rows.largest if largest else rows.values, disk_arrays.empty(count, np.float64)
    column.fill(np.nan)
    for part in _parts(len(numbers)):
        its = rows.directions[part] == direction
        column[places[part][its]] = numbers[part][its]
    return column


@lru_cache(maxsize=256)
def _head(columns: int, rows: int) -> bytes:
    """Returns the bytes before the numbers of an array file. Cached: NumPy takes longer to make them than to write a
    short log."""
    stream = BytesIO()
    npy.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (columns, rows)})
    return stream.getvalue()


def _places(rows: LogRows) -> tuple[npt.NDArray[np.intp], Numbers]:
    """Returns the table row of each sample, and the times of the rows. The n-th samples of all directions at one time
    share a row."""
    count = len(rows.times)
    keys = np.multiply(rows.times, len(_DIRECTIONS), out=disk_arrays.empty(count, np.float64))
    keys += rows.directions
    begins, places = np.ones(count, bool), disk_arrays.empty(count, np.intp)
    if (keys[1:] > keys[:-1]).all():
        # fio's normal order: ascending times, one sample per direction at a time.
        np.greater(rows.times[1:], rows.times[:-1], out=begins[1:])
        for part, numbers in _counted(begins):
            places[part] = numbers
        return places, _where(begins, rows.times)
    order = _ordered(rows.directions, rows.times)
    begins[1:] = _changes(keys, order)
    nth = disk_arrays.empty(count, np.intp)
    for part, numbers in _within(begins):
        nth[order[part]] = numbers
    order = _ordered(nth, rows.times)
    begins[1:] = _changes(rows.times, order) | _changes(nth, order)
    for part, numbers in _counted(begins):
        places[order[part]] = numbers
    return places, _where(begins, _taken(rows.times, order))


def _ordered(second: npt.NDArray[Any], first: Numbers) -> npt.NDArray[np.intp]:
    order = np.lexsort((second, first))
    # A long array is kept on disk, not in memory.
    kept: npt.NDArray[np.intp] = disk_arrays.empty(order.size, np.intp)
    kept[...] = order
    return kept


def _taken(values: npt.NDArray[Any], order: npt.NDArray[np.intp]) -> npt.NDArray[Any]:
    return np.take(values, order, out=disk_arrays.empty(order.size, values.dtype))


def _changes(values: npt.NDArray[Any], order: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """Returns a mask of the values, in this order, that differ from the previous one."""
    ordered = _taken(values, order)
    changes: npt.NDArray[np.bool_] = ordered[1:] != ordered[:-1]
    return changes


def _counted(begins: npt.NDArray[np.bool_]) -> Iterator[tuple[slice, npt.NDArray[np.intp]]]:
    """Yields, for a slice of rows at a time, the number of the last group that began, counted from 0."""
    last = -1
    for part in _parts(begins.size):
        numbers = np.cumsum(begins[part]) + last
        last = int(numbers[-1])
        yield part, numbers


def _within(begins: npt.NDArray[np.bool_]) -> Iterator[tuple[slice, npt.NDArray[np.intp]]]:
    """Yields, for a slice of rows at a time, the distance of each row from the beginning of its group."""
    last = 0
    for part in _parts(begins.size):
        rows = np.arange(part.start, part.start + begins[part].size)
        starts = np.maximum.accumulate(np.where(begins[part], rows, last))
        last = int(starts[-1])
        yield part, rows - starts


def _where(chosen: npt.NDArray[np.bool_], values: Numbers) -> Numbers:
    found, end = disk_arrays.empty(int(np.count_nonzero(chosen)), np.float64), 0
    for part in _parts(values.size):
        some = values[part][chosen[part]]
        found[end : end + some.size] = some
        end += some.size
    return found


def _parts(count: int) -> Iterator[slice]:
    return (slice(start, start + _TOGETHER) for start in range(0, count, _TOGETHER))


def _series(index: int, kind: _Kind, direction: int, largest: bool, name: PurePosixPath) -> Series:
    quantity = None if largest else kind.quantities[direction]
    word = f"{kind.word} {_DIRECTIONS[direction]}{' (largest)' if largest else ''}"
    message = f"{word} [{kind.unit}]" if kind.unit else word
    metric = None if quantity is None else Metric(quantity, scale=kind.scale)
    # A known unit is shown as that of its quantity: the file's own unit next to it would contradict the axis.
    counter = word if metric is not None and kind.unit in _CERTAIN else message
    return Series(index, f"{name.name}: {message}", "", "fio", name.stem, counter, None, metric)


def _refused(name: str, problems: Problems, code: str, message: str, action: str, rejected: int = 0) -> Reading:
    problems.add(Severity.REFUSED, code, message, action)
    report = FileReport(
        path=name, reader=LABEL, recognised=True, encoding="ascii", delimiter=",", rejected_rows=rejected
    )
    return Reading(report, problems.all())
