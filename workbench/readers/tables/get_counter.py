r"""Output of PowerShell's Get-Counter, copied from the console or written by `Export-Csv`.

    Timestamp                 CounterSamples
    ---------                 --------------
    6/18/2019 14:39:56        \\Computer01\processor(_total)\% processor time :
                              20.7144271584086

`Get-Counter | Export-Csv` writes one row per timestamp, with the paths and values in the cell `Readings`: each path on
a separate line that ends in ` :`, with the value below it. Times and numbers have the format of the machine's region,
and times have no offset. Sources: Get-Counter in Microsoft's PowerShell documentation; the property Readings in the
GetEvent types of github.com/PowerShell/PowerShell.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl

from workbench.model.mapping import TimeFormat
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import Problems, row_rejected
from workbench.readers.tables.layouts import Style, series_of
from workbench.readers.tables.rows import Roles, TableRows, add
from workbench.readers.tables.stored import TableSource, store
from workbench.readers.tables.timed import ORDERS, decided_format, guessed_format, split_cells, trimmed
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.numbers import COMMA, Evidence, Seen
from workbench.readers.text.rows import records, row_fault, split_lines

LABEL = "get-counter"
_MAX_BYTES = 256 * 1024 * 1024
_CONSOLE = re.compile(r"^[ \t]*Timestamp[ \t]+CounterSamples[ \t]*\r?\n[ \t]*-{3,}[ \t]+-{3,}[ \t]*\r?$", re.MULTILINE)
_RULE = re.compile(r"\s*(?:Timestamp\s+CounterSamples|-{3,}\s+-{3,})\s*")
# A time in the first column, before the path.
_STAMPED = re.compile(r"\s{0,8}(\d[^\\]{5,40}?)\s+(\\\\.*)")
# The list form: `Timestamp : 6/18/2019 14:39:56`, `Readings  : \\Computer01\…`.
_LISTED_TIME = re.compile(r"Timestamp {0,20}: {0,3}(\d.{5,40})")
_LISTED = re.compile(r"^Timestamp {0,20}: {0,3}\d.{5,40}\r?\nReadings {0,20}: {0,3}\\\\", re.MULTILINE)
_READINGS = re.compile(r"Readings {0,20}: {0,3}(\\\\.*)")
_DELIMITERS = (",", ";", "\t")
_NAMES = ("Timestamp", "Path", "Value")


class _Sample(NamedTuple):
    line: int
    time: str
    path: str
    value: str


def identify(head: bytes, _name: str) -> float:
    """Returns 0.8 for a console copy or an exported table of sample sets."""
    text, _ = decode_text(head, whole=False)
    console = _CONSOLE.search(text) is not None or _LISTED.search(text) is not None
    return 0.8 if console or _exported(text) is not None else 0.0


def read(path: Path, name: str, columns: Path, order: str = "") -> Reading:
    """Returns a recording with one series per counter path; `order` is the order that the run states for its dates."""
    problems = Problems(name)
    if path.stat().st_size > _MAX_BYTES:
        source = TableSource(name, LABEL, columns, "", "", str)
        advice = "file not imported; export the samples with Export-Counter, or split it by time"
        return source.refused(problems, "too-large", "The file is larger than 256 MB.", advice)
    text, encoding = decode_text(path.read_bytes())
    problems.tell_open_end(None if not text or text[-1] in "\r\n" else text.count("\n") + 1)
    delimiter = _exported(text)
    source = TableSource(name, LABEL, columns, encoding, delimiter or "", str)
    rows = TableRows()
    samples = list(_of_export(text, delimiter, rows, problems) if delimiter else _of_console(text, rows, problems))
    if not samples:
        return source.refused(
            problems,
            "no-rows",
            "No sample could be read.",
            "file not imported; export the samples again",
            rows.rejected,
        )
    frame = _frame(samples)
    evidence = Evidence(delimiter or "")
    evidence.add_column(frame["c2"], frame["line"], 3)
    decided = evidence.decided()
    if isinstance(decided, Seen):
        return source.undecided(decided, replace(rows, rejected=rows.rejected + len(samples)), problems)
    times = [sample.time for sample in samples]
    guess, form = None, decided_format(times, order)
    if form is None:
        guess = guessed_format(times, decided.decimal == COMMA)
        if guess is None:
            message = f"The date '{samples[0].time}' may have the month first or the day first."
            advice = 'file not imported; set date_order = "mdy" or "dmy" in run.toml'
            return source.refused(problems, "ambiguous-date", message, advice, len(samples), samples[0].line)
        form = ORDERS[guess.order]
    evidence.tell(decided, problems)
    rows.notation = decided
    roles = Roles(_NAMES, "\t", 0, (2,), (1,), TimeFormat(form))
    add(frame, roles, rows, problems, lambda cells: cells)
    describe = partial(series_of, list(rows.keys), ("counter",), Style.PATH, problems)
    return store(source, rows, roles, describe, lambda _seconds: None, problems, guess)


READER = Reader(LABEL, identify, read, read_dated=read)


def _frame(samples: Sequence[_Sample]) -> pl.DataFrame:
    """Returns the samples as lines that are already split."""
    columns = zip(*samples, strict=True)
    kinds = (pl.UInt32, pl.String, pl.String, pl.String)
    names = ("line", "c0", "c1", "c2")
    return pl.DataFrame([pl.Series(*column) for column in zip(names, columns, kinds, strict=True)])


def _exported(text: str) -> str | None:
    """Returns the delimiter of a table of sample sets, or None for any other text."""
    lines = [line for line in split_lines(text[:4_000])[:4] if line.strip() and not line.startswith("#TYPE")]
    for delimiter in _DELIMITERS:
        if lines and _is_header(lines[0], delimiter):
            return delimiter
    return None


def _of_export(text: str, delimiter: str, rows: TableRows, problems: Problems) -> Iterator[_Sample]:
    # A cell holds all counters of one time: thousands of them exceed the default cell size of csv.
    limit = csv.field_size_limit(_MAX_BYTES)
    try:
        yield from _of_rows(split_lines(text), delimiter, rows, problems)
    finally:
        csv.field_size_limit(limit)


def _of_rows(lines: list[str], delimiter: str, rows: TableRows, problems: Problems) -> Iterator[_Sample]:
    header = next(at for at, line in enumerate(lines) if _is_header(line, delimiter))
    names = [name.casefold() for name in trimmed(split_cells(lines[header], delimiter))]
    time, readings = names.index("timestamp"), names.index("readings")
    for number, _, cells in records(lines, header + 1, delimiter, len(names), longest=len(lines)):
        fault = row_fault(cells, len(names))
        if cells is None or fault is not None:
            assert fault is not None
            rows.rejected += 1
            problems.warn(fault.code, f"Line {number} {fault.why}.", row_rejected(fault.code), number)
        else:
            yield from _readings(cells[readings], cells[time], number)


def _is_header(line: str, delimiter: str) -> bool:
    return {"timestamp", "readings"} <= {name.casefold() for name in split_cells(line, delimiter)}


def _readings(text: str, time: str, first: int) -> Iterator[_Sample]:
    path = ""
    for number, line in enumerate(split_lines(text), first):
        if line.lstrip().startswith("\\\\"):
            path = line.strip().removesuffix(":").rstrip()
        elif line.strip() and path:
            yield _Sample(number, time, path, line.strip())
            path = ""


def _of_console(text: str, rows: TableRows, problems: Problems) -> Iterator[_Sample]:
    """Returns the samples of a console copy. A path broken by the console continues in the next line, up to its `
    :`."""
    time, path, opened = "", "", False
    for number, line in enumerate(split_lines(text), 1):
        if not line.strip() or _RULE.fullmatch(line):
            continue
        if (listed := _LISTED_TIME.fullmatch(line)) is not None:
            time = listed[1].strip()
            continue
        if (listed := _READINGS.fullmatch(line)) is not None:
            line = listed[1]
        if (stamped := _STAMPED.fullmatch(line)) is not None:
            time, line = stamped[1], stamped[2]
        content = line.strip()
        if content.startswith("\\\\"):
            path, opened = content, True
        elif opened and path:
            path = f"{path} {content}"
        elif path and time:
            yield _Sample(number, time, path, content)
            path = ""
            continue
        elif time:
            rows.rejected += 1
            problems.warn(
                "stray-line",
                f"Line {number} does not belong to a counter: '{content[:40]}'.",
                "line rejected; check it in the file",
                number,
            )
        if opened and path.endswith(":"):
            path, opened = path.removesuffix(":").rstrip(), False
    if path:
        rows.rejected += 1
        problems.warn(
            "truncated", f"The file ends before the value of '{path[:80]}'.", "counter ignored; copy the file again"
        )
