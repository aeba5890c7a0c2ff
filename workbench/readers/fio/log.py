"""fio's time series: `*_iops.N.log`, `*_bw.N.log`, `*_lat.N.log`, `*_clat.N.log`, `*_slat.N.log`.

    time, value, direction, block size[, offset][, priority][, issue time]
    250, 40144, 0, 0, 0

`time` is milliseconds since the job started; direction 0 reads, 1 writes, 2 trims; the block size is in bytes
(0 where samples are averages, `log_avg_msec`). With `log_window_value=both` the mean is followed by the
largest value. What is measured follows from the file's name alone: I/Os per second, KiB/s, or a latency, which
is in nanoseconds since fio 2.99 and was in microseconds before; the file does not say by which fio it was
written, so nanoseconds are assumed and reported, unless the file's name holds a version (`fio-2.16_x_lat.1.log`) or a
result beside the log states one (`beside`).
The date of the start is nowhere in the file: the recording's times are relative. Histogram logs (`*_clat_hist`)
are refused by name.
Source of the format: fio's HOWTO, "Log File Formats"; checked against logs of fio 2.16 to 3.42.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import islice
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from workbench.model.metric import Metric, Quantity
from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport, Recording, Series
from workbench.readers.common.row_problems import Problems
from workbench.readers.fio.log_units import ASSUMED, LABEL, UNIT
from workbench.readers.fio.options import counts_nanoseconds
from workbench.readers.text.encodings import utf16_encoding

Numbers = npt.NDArray[np.float64]
_CELL = r"(?:[0-9]{1,20}|0x[0-9a-fA-F]{1,8})"
_LINE = re.compile(rf"\s*[0-9]{{1,20}}(?:\s*,\s*{_CELL}){{3,7}}\s*(?:,\s*)?")
_HISTOGRAM = re.compile(r"\s*[0-9]{1,20}\s*,\s*[012]\s*,\s*[0-9]{1,20}\s*(?:,\s*[0-9]{1,20}\s*){60,}")
_KIND = re.compile(r"(?:^|[_.-])(iops|bw|lat|clat|slat)(?:\.\d+)?\.log(?:\.\w+)?$", re.IGNORECASE)
_HIST_NAME = re.compile(r"_hist(?:\.\d+)?\.log$", re.IGNORECASE)
_VERSION = re.compile(r"fio[-_]?v?(\d+)\.(\d+)", re.IGNORECASE)
_LINES = 20
_MAX_BYTES = 1 << 30
_DIRECTIONS = ("read", "write", "trim")
_IOPS = (Quantity.READ_IOPS, Quantity.WRITE_IOPS, None)
_THROUGHPUT = (Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT, None)
_LATENCY = (Quantity.READ_LATENCY, Quantity.WRITE_LATENCY, None)
_KIB = 1024.0
_CERTAIN = frozenset(("1/s", "KiB/s", "ns", "µs"))
_BREAK = re.compile(r"\r\n|\r|\n")
# So many lines tell which cell of a log is which.
_LOOKED_AT = 200
# A log that begins as fio writes it, in all the lines that are looked at.
_PLAIN = re.compile(rf"(?:\d{{1,20}}, \d{{1,20}}, [012](?:, \d{{1,20}}){{1,5}}\r?\n){{{_LINES}}}")
# Whole logs whose lines have so many cells each. A float holds any number of 15 digits.
_REGULAR = {
    width: re.compile(rf"(?: *+\d{{1,15}}(?:, *+\d{{1,15}}){{{width - 1}}} *+\r?\n)++") for width in range(4, 9)
}
# Times beyond a year of milliseconds are no times of a job.
_MAX_MS = 366 * 86_400_000


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the values are: word and unit for the reader's eye, quantity by direction, factor to its unit."""

    word: str
    unit: str
    quantities: tuple[Quantity | None, ...]
    scale: float = 1.0
    assumed: str = ""


@dataclass(slots=True)
class _Rows:
    """The samples in the order of their lines: times in ms, values, the largest values (where the log has them) and
    directions; and how many lines were rejected."""

    times: Numbers
    values: Numbers
    largest: Numbers
    directions: Numbers
    rejected: int = 0


def identify(head: bytes, name: str) -> float:
    """1.0 where the first lines are a log's and the name tells which, 0.9 where most are, 0.4 without the name."""
    text = _decode(head)[0]
    if _PLAIN.match(text) and _KIND.search(name):
        return 1.0
    lines = _filled(text, _LINES)
    if not lines:
        return 0.0
    if _HISTOGRAM.match(lines[0]):
        return 0.9
    fitting = sum(_LINE.fullmatch(line) is not None and _has_direction(line) for line in lines)
    # The last line of the head may be cut.
    if fitting < max(1, 0.6 * (len(lines) - 1)):
        return 0.0
    if _KIND.search(name):
        return 1.0 if fitting == len(lines) else 0.9
    return 0.4 if len(lines) >= 3 else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """One series for each direction, over time since the start; a line that is none is rejected by number."""
    problems = Problems(name)
    if path.stat().st_size > _MAX_BYTES:
        return _refused(name, problems, "too-large", "The log is larger than 1 GB.", "log averages: log_avg_msec=1000")
    text, encoding = _decode(path.read_bytes())
    first = next(iter(_filled(text, 1)), "")
    if _HIST_NAME.search(name) or _HISTOGRAM.match(first):
        return _refused(
            name,
            problems,
            "fio-histogram",
            "This is fio's histogram log: counts by latency, and no values.",
            "file left out; the percentiles stand in fio's JSON result (--output-format=json)",
            len(_filled(text)),
        )
    rows = _regular_rows(text) or _rows(text, problems)
    if not rows.times.size:
        return _refused(
            name,
            problems,
            "no-rows",
            f"None of the {rows.rejected} lines could be read.",
            "file left out; record again",
            rows.rejected,
        )
    if text.rstrip("\0\x1a")[-1:] not in ("\r", "\n"):
        problems.info(
            "no-line-end",
            "The last line has no line end: the log may have been cut off there.",
            "read as it stands; compare it with the source",
        )
    kind = _kind(PurePosixPath(name).name, problems)
    return _reading(name, kind, rows, columns, problems, encoding)


READER = Reader(LABEL, identify, read, by_name=True)


def _decode(data: bytes) -> tuple[str, str]:
    """Text and encoding: fio writes ASCII, editors and shells make UTF-16 of it."""
    utf16 = utf16_encoding(data)
    if utf16 is None:
        return data.decode("ascii", errors="replace"), "ascii"
    return data.decode(utf16, errors="replace").removeprefix("\ufeff"), "utf-16"


def _filled(text: str, at_most: int = 0) -> list[str]:
    """The lines that are not blank; the first so many of them."""
    filled = (line for line in _BREAK.split(text, 2 * at_most) if line.strip(" \t\0\x1a"))
    return list(islice(filled, at_most or None))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().rstrip(",").split(",")]


def _has_direction(line: str) -> bool:
    cells = _cells(line)
    return cells[2] in ("0", "1", "2") or cells[3] in ("0", "1", "2")


def _has_largest(text: str) -> bool:
    """Whether each mean is followed by the largest value: then the direction is the fourth cell."""
    lines = [_cells(line) for line in _filled(text[:65_536], _LOOKED_AT) if _LINE.fullmatch(line)]
    third = sum(cells[2] in ("0", "1", "2") for cells in lines)
    fourth = sum(len(cells) > 4 and cells[3] in ("0", "1", "2") for cells in lines)
    # A block size of 0 passes for a direction as well: the third cell decides wherever it can.
    return fourth > third and 2 * third < len(lines)


def _regular_rows(text: str) -> _Rows | None:
    """The samples of a log whose lines are all alike, parsed at once; None for any other, which is read by lines."""
    text = text if text.endswith("\n") else f"{text}\n"
    width = text.count(",", 0, text.find("\n")) + 1
    regular = _REGULAR.get(width)
    if regular is None or not regular.fullmatch(text):
        return None
    # As whole numbers: that takes an eighth of the time.
    cells = np.fromstring(text.replace(",", " "), np.int64, sep=" ").astype(np.float64).reshape(-1, width)
    # Whole numbers without a sign: a direction is one up to 2.
    index = 2 if cells[:, 2].max() <= 2 else _direction_at(cells[:_LOOKED_AT])
    if cells[:, index].max() > 2 or cells[:, 0].max() > _MAX_MS:
        return None
    largest = cells[:, 2] if index == 3 else cells[:0, 2]
    return _Rows(cells[:, 0], cells[:, 1], largest, cells[:, index])


def _direction_at(first: Numbers) -> int:
    """The place of the directions in the first rows of a log, in which some third cell is none."""
    third, fourth = (int((first[:, at] <= 2).sum()) if at < first.shape[1] - 1 else 0 for at in (2, 3))
    return 3 if fourth > third and 2 * third < len(first) else 2


def _rows(text: str, problems: Problems) -> _Rows:
    """The samples by lines, with a problem for each that is none."""
    kept: list[tuple[int, int, int, int]] = []
    both, rejected = _has_largest(text), 0
    index = 3 if both else 2
    widths = Counter(len(_cells(line)) for line in _filled(text[:65_536], _LOOKED_AT) if _LINE.fullmatch(line))
    width = widths.most_common(1)[0][0] if widths else 0
    for number, line in enumerate(_BREAK.split(text), start=1):
        if not line.strip(" \t"):
            continue
        why = _reason_against(line, index, width)
        if why:
            rejected += 1
            problems.warn("row-width", f"Line {number} {why}.", "line left out", number)
            continue
        cells = _cells(line)
        kept.append((int(cells[0]), int(cells[1]), int(cells[2]), int(cells[index])))
    times, values, largest, directions = np.array(kept, np.float64).reshape(-1, 4).T
    return _Rows(times, values, largest if both else largest[:0], directions, rejected)


def _reason_against(line: str, index: int, width: int) -> str:
    """The end of the sentence that says why a line is no sample; empty where it is one."""
    if not _LINE.fullmatch(line):
        return f"is no sample of a fio log: '{line.strip()[:60]}'"
    cells = _cells(line)
    if len(cells) != width:
        return f"has {len(cells)} cells where the others have {width}"
    if cells[index] not in ("0", "1", "2"):
        return f"has the direction {cells[index]}, which is none of 0, 1 and 2"
    if not cells[1].isdigit() or (index == 3 and not cells[2].isdigit()):
        return f"has the value '{cells[1]}', which is no number"
    if int(cells[0]) > _MAX_MS:
        return f"has the time {cells[0]} ms, which is more than a year"
    return ""


def _kind(name: str, problems: Problems) -> _Kind:
    match = _KIND.search(name)
    if match is None:
        problems.warn(
            "fio-log-kind",
            "The file's name does not say what was measured (iops, bw, lat, clat or slat).",
            "values kept without a unit; name the file as fio does, such as job_iops.1.log",
        )
        return _Kind("value", "", (None, None, None))
    word = match[1].lower()
    if word == "iops":
        return _Kind(word, "1/s", _IOPS)
    if word == "bw":
        return _Kind(word, "KiB/s", _THROUGHPUT, _KIB)
    # Submission latency is a part of the latency, no latency of the storage.
    quantities = (None, None, None) if word == "slat" else _LATENCY
    version = _VERSION.search(name)
    if version is None:
        problems.info(
            UNIT,
            "The log does not say whether its latencies are in nanoseconds or microseconds.",
            "assumed ns (fio ≥ 2.99); for an older fio put its version in the file's name: fio-2.16_x_lat.1.log",
        )
        return _Kind(word, ASSUMED, quantities, 1e-9)
    old = counts_nanoseconds(version[0]) is False
    unit = "µs" if old else "ns"
    problems.info(UNIT, f"The file's name says {version[0]}, whose logs have latencies in {unit}.", f"read as {unit}")
    return _Kind(word, unit, quantities, 1e-6 if old else 1e-9)


def _reading(name: str, kind: _Kind, rows: _Rows, columns: Path, problems: Problems, encoding: str) -> Reading:
    """Writes one row for each moment; several samples of one direction at one moment get rows of their own."""
    if (rows.times[1:] < rows.times[:-1]).any():
        problems.info(
            "clock-back", "The times are not in order, as in logs of single I/Os.", "samples put in order of time"
        )
    problems.info(
        "relative-time",
        "The log counts time from the start of its job and does not say when that was.",
        "kept as a time series of its own, with time 0 at the start; it takes no part in phases",
    )
    series, table = _series_of(rows, kind, PurePosixPath(name))
    columns.write_bytes(_head(*table.shape) + table.tobytes())
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
    times = table[0]
    recording = Recording(series, len(times), int(times[0]), int(times[-1]), None, (), relative=True)
    return Reading(report, problems.all(), recording)


def _series_of(rows: _Rows, kind: _Kind, name: PurePosixPath) -> tuple[tuple[Series, ...], Numbers]:
    """A series for each direction, and one for its largest values where the log has them; their table, in which the
    times in microseconds stand first."""
    sorts = (rows.values, rows.largest) if rows.largest.size else (rows.values,)
    places, times = _places(rows)
    series: list[Series] = []
    table = [times * 1000.0]
    for direction in range(len(_DIRECTIONS)):
        its = rows.directions == direction
        if not its.any():
            continue
        for largest, numbers in enumerate(sorts):
            column = np.full(len(times), np.nan)
            column[places[its]] = numbers[its]
            table.append(column)
            series.append(_series(len(series), kind, direction, bool(largest), name))
    return tuple(series), np.array(table)


@lru_cache(maxsize=256)
def _head(columns: int, rows: int) -> bytes:
    """What stands in an array's file before its numbers. NumPy takes longer over it than over those of a short log."""
    stream = BytesIO()
    npy.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (columns, rows)})
    return stream.getvalue()


def _places(rows: _Rows) -> tuple[npt.NDArray[np.intp], Numbers]:
    """The row of each sample in the table, and the times of its rows: the n-th samples of all directions at one time
    share a row."""
    keys = rows.times * len(_DIRECTIONS) + rows.directions
    if (keys[1:] > keys[:-1]).all():
        # As fio writes it: in order, and of each direction one at a time.
        begins = np.concatenate(([True], rows.times[1:] > rows.times[:-1]))
        return np.cumsum(begins) - 1, rows.times[begins]
    count = len(rows.times)
    order = np.lexsort((rows.directions, rows.times))
    begins = np.ones(count, bool)
    begins[1:] = (np.diff(rows.times[order]) != 0) | (np.diff(rows.directions[order]) != 0)
    starts = np.flatnonzero(begins)
    nth = np.empty(count, np.intp)
    nth[order] = np.arange(count) - np.repeat(starts, np.diff(np.append(starts, count)))
    order = np.lexsort((nth, rows.times))
    begins[1:] = (np.diff(rows.times[order]) != 0) | (np.diff(nth[order]) != 0)
    places = np.empty(count, np.intp)
    places[order] = np.cumsum(begins) - 1
    return places, rows.times[order][begins]


def _series(index: int, kind: _Kind, direction: int, largest: bool, name: PurePosixPath) -> Series:
    quantity = None if largest else kind.quantities[direction]
    word = f"{kind.word} {_DIRECTIONS[direction]}{' (largest)' if largest else ''}"
    message = f"{word} [{kind.unit}]" if kind.unit else word
    metric = None if quantity is None else Metric(quantity, scale=kind.scale)
    # What is known is shown in the unit of its quantity: the file's own beside it would contradict the axis.
    counter = word if metric is not None and kind.unit in _CERTAIN else message
    return Series(index, f"{name.name}: {message}", "", "fio", name.stem, counter, None, metric)


def _refused(name: str, problems: Problems, code: str, message: str, action: str, rejected: int = 0) -> Reading:
    problems.add(Severity.REFUSED, code, message, action)
    report = FileReport(
        path=name, reader=LABEL, recognised=True, encoding="ascii", delimiter=",", rejected_rows=rejected
    )
    return Reading(report, problems.all())
