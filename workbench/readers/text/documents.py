"""Shared functions of the readers of benchmark tools: a file as text, its numbers, its rows and its problems.

Console output is redirected (PowerShell: UTF-16), copied (ANSI code page) and pasted into notes, so the text is decoded
like perfmon's (`encodings`). Tools call 2^20 bytes MB: `MIB` converts such a value to 10^6 bytes.

One reader reads a file. A script may append the results of several tools to one file: results of another tool next to a
report of a storage benchmark are named with their line, because they are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path, PurePosixPath

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.readers.common.row_problems import Problems, acted, quoted
from workbench.readers.text.encodings import decode_header, utf16_encoding
from workbench.readers.text.json import Broken, Documents, Json, decode_json, read_documents
from workbench.readers.text.numbers import ADVICE, COMMA, Evidence, Seen

MIB = 1.048576
MAX_BYTES = 256 * 1024 * 1024
# The limit for exports of a whole test run.
RUN_BYTES = 512 * 1024 * 1024
_NUMBER = re.compile(r"\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,3})?|\.\d{1,30}")
_SIZE = re.compile(r"(\d{1,15})\s*(?:([KMGT])(?:i?B)?|B|bytes)?", re.IGNORECASE)
_MISSING = ("", "n/a")
# Digits separated by more than a decimal point.
_MARKED = re.compile("[0-9][,'\u2019 \u00a0\u2009\u202f][0-9]")
_UTC = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2}) (\d{1,2}):(\d{2}):(\d{2}) UTC")


@dataclass(frozen=True, slots=True)
class LoadedText:
    """A file as text with `\\n` line ends, and the encoding it had."""

    text: str
    encoding: str

    @property
    def open_line(self) -> int | None:
        """Returns the number of the last line if it has no line end; None if it has one, or is blank."""
        return self.text.count("\n") + 1 if self.text.rpartition("\n")[2].strip() else None


@dataclass(frozen=True, slots=True)
class Figures:
    """The measured values of one direction: MB/s of 10^6 bytes, latencies in milliseconds. None: not measured."""

    iops: float | None = None
    mb_per_s: float | None = None
    mean_ms: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None


def load(path: Path, name: str, label: str) -> LoadedText | Reading:
    """Returns the file as text, or the refusal of a file that cannot be opened or is too large for a benchmark."""
    data = load_bytes(path, name, label)
    return data if isinstance(data, Reading) else decode(data)


def load_json(path: Path, name: str, label: str, what: str, advice: str) -> tuple[Json, LoadedText] | Reading:
    """Returns the first JSON document of the file, or the refusal of a file without one. `what` describes the file in a
    sentence."""
    loaded = load(path, name, label)
    if isinstance(loaded, Reading):
        return loaded
    document = decode_json(loaded.text)
    if isinstance(document, Broken):
        message = f"The {what} cannot be read: {document.reason}."
        return refused(label, name, document.code, message, advice, document.line, loaded.encoding, 1)
    return document, loaded


def repeated_keys(document: Json, name: str) -> list[Problem]:
    """Returns the problem of keys that a document repeats with different values, if there are any."""
    if not document.repeated:
        return []
    keys = few_named([f"“{key[:80]}”" for key in document.repeated])
    message = f"The file repeats the key{'s' * (len(document.repeated) > 1)} {keys} with different values."
    return [warning(name, "repeated-key", message, "the last value was imported; check the values in the file")]


def load_bytes(path: Path, name: str, label: str, most: int = 0) -> bytes | Reading:
    """Returns the bytes of the file, or its refusal; by default it may have `MAX_BYTES`."""
    most = most or MAX_BYTES
    try:
        if path.stat().st_size > most:
            message = f"The file is larger than {most >> 20} MB, the maximum for this format."
            return refused(label, name, "too-large", message, "split the file by run")
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        return refused(
            label,
            name,
            "unreadable",
            f"The file cannot be read: {reason}.",
            "close the program that uses it, and reload the folder",
        )


def load_documents(path: Path, name: str, label: str, advice: str, problems: Problems) -> Documents | Reading:
    """Returns the JSON documents of an export, or its refusal if there is none."""
    data = load_bytes(path, name, label, RUN_BYTES)
    return data if isinstance(data, Reading) else documents_of(data, name, label, advice, problems)


def documents_of(data: bytes, name: str, label: str, advice: str, problems: Problems) -> Documents | Reading:
    """Returns the JSON documents of a file, or its refusal if there is none."""
    documents = read_documents(data, problems)
    if documents.found:
        return documents
    fault = documents.fault or Broken("no-json", "it contains no JSON document", 1)
    message = f"The file cannot be read: {fault.reason}."
    return refused(label, name, fault.code, message, advice, fault.line, rejected=1)


def decode(data: bytes) -> LoadedText:
    """Returns the text of UTF-16, UTF-8, otherwise of the most probable code page; line ends become `
    `."""
    utf16 = utf16_encoding(data)
    if utf16 is not None:
        text, encoding = data.decode(utf16, errors="replace").removeprefix("\ufeff"), "utf-16"
    else:
        text, encoding = decode_header(data)
    return LoadedText(text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\0"), encoding)


def load_report(
    path: Path, name: str, label: str, cells: re.Pattern[str]
) -> tuple[LoadedText, list[Problem]] | Reading:
    """Returns the file as text like `load`, with decimal points like `with_points`."""
    loaded = load(path, name, label)
    return loaded if isinstance(loaded, Reading) else with_points(loaded, name, label, cells)


def with_points(
    loaded: LoadedText, name: str, label: str, cells: re.Pattern[str]
) -> tuple[LoadedText, list[Problem]] | Reading:
    """Returns the report with decimal points in the numbers that the group `n` of `cells` finds, without changing their
    width, and the notes. Returns its refusal if the numbers are ambiguous. `cells` matches within one line."""
    found = [match.span("n") for match in cells.finditer(loaded.text)] if _MARKED.search(loaded.text) else []
    if not any(_MARKED.search(loaded.text, *span) for span in found):
        return loaded, []
    # In a report with points a decimal comma is damage: it is not read.
    evidence, line, at = Evidence(COMMA), 1, 0
    for start, end in found:
        line, at = line + loaded.text.count("\n", at, start), start
        evidence.add(loaded.text[start:end], line)
    decided = evidence.decided()
    if isinstance(decided, Seen):
        place = f"Line {decided.line}: {decided.question}"
        return refused(label, name, "ambiguous-number", place, ADVICE, decided.line, loaded.encoding)
    pieces, behind = list[str](), 0
    for start, end in found:
        text = loaded.text[start:end]
        pieces += [loaded.text[behind:start], (decided.plain(text) or text).rjust(end - start)]
        behind = end
    problems = Problems(name)
    evidence.tell(decided, problems)
    return replace(loaded, text="".join([*pieces, loaded.text[behind:]])), list(problems.all())


@lru_cache(maxsize=2)
def head_text(head: bytes) -> str:
    """Returns the first bytes as text. Every reader checks the same first bytes, so they are decoded once."""
    return decode(head).text


def open_end(loaded: LoadedText, name: str, problems: Iterable[Problem]) -> list[Problem]:
    """Returns the problem of a last line without a line end: tools end their lines, so the file may have been cut off
    there. None if a cut was already reported."""
    if loaded.open_line is None or any(problem.code == "truncated" for problem in problems):
        return []
    message = "The last line has no line break: the file may be cut off, and lines may be missing."
    return [info(name, "no-line-end", message, "file imported; compare its end with the source", loaded.open_line)]


def number(text: str | None) -> float | None:
    """Returns a finite number that is not negative, with a decimal point; None for anything else."""
    if text is None or not text.isascii() or not _NUMBER.fullmatch(text.strip()):
        return None
    value = float(text)
    return value if value < float("inf") else None


def whole(text: str | None) -> int | None:
    """Returns a count of up to 18 digits, or None for anything else."""
    if text is None:
        return None
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


def unreadable(cells: Iterable[tuple[str, str | None]]) -> list[str]:
    """Returns the names of the cells that are neither blank nor numbers."""
    return [
        name
        for name, text in cells
        if text is not None and text.strip().lower() not in _MISSING and number(text) is None
    ]


def left_empty(name: str, what: str, wrong: Sequence[str], line: int | None = None) -> list[Problem]:
    """Returns the problem of values that are not numbers, if there are any."""
    if not wrong:
        return []
    message = f"{what} contains no number for {few_named(quoted(wrong))}."
    return [warning(name, "not-a-number", message, acted("value left empty; check it in the file", len(wrong)), line)]


def size_bytes(text: str) -> int | None:
    """Returns the bytes of `4096`, `64KiB`, `8KB`, `1M`: these tools count in 1024. None if it is not a size."""
    match = _SIZE.fullmatch(text.strip())
    if not match or not text.isascii():
        return None
    unit = match[2]
    return int(match[1]) * 1024 ** (" KMGT".index(unit.upper()) if unit else 0) or None


def utc_start(text: str | None) -> str | None:
    """Returns `2018/10/18 21:39:04 UTC` as ISO-8601; None for anything else."""
    match = _UTC.fullmatch(text.strip()) if text else None
    if not match:
        return None
    try:
        year, month, day, hour, minute, second = (int(part) for part in match.groups())
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None


def share_of_reads(stated: float | None, reads: float, writes: float) -> float | None:
    """Returns the percentage of reads: the stated mix if both directions ran, otherwise the measured one."""
    if reads and writes and stated is not None and 0 < stated < 100:
        return stated
    # A quotient of two equal numbers, times 100, may round to more than 100.
    return min(100.0, 100.0 * reads / (reads + writes)) if reads + writes else stated


def only(values: Iterable[int | str | float | None]) -> int | str | float | None:
    """Returns the value that all share, or None if they differ or there is none."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def direction_rows(
    shared: Benchmark, read: Figures | None, write: Figures | None, total: Figures | None
) -> list[Benchmark]:
    """Returns the rows of one test: each direction that ran, and `total` if both ran or only it is listed."""
    listed = [(op, figures) for op, figures in ((Op.READ, read), (Op.WRITE, write)) if figures is not None]
    if len(listed) != 1 and total is not None:
        listed.append((Op.TOTAL, total))
    return [with_figures(shared, op, figures) for op, figures in listed]


def with_figures(shared: Benchmark, op: Op, figures: Figures) -> Benchmark:
    """Returns the row of one direction with its values."""
    return replace(
        shared,
        op=op,
        iops=figures.iops,
        mb_per_s=figures.mb_per_s,
        latency_mean_ms=figures.mean_ms,
        latency_p50_ms=figures.p50_ms,
        latency_p95_ms=figures.p95_ms,
        latency_p99_ms=figures.p99_ms,
    )


def file_stem(name: str) -> str | None:
    """Returns the file's name without folder and ending: the name of a test if the file states none."""
    return PurePosixPath(name.replace("\\", "/")).stem or None


def info(name: str, code: str, message: str, action: str, line: int | None = None) -> Problem:
    """Returns a problem that loses no data."""
    return Problem(Severity.INFO, name, code, message, action, line=line)


def warning(
    name: str, code: str, message: str, action: str, line: int | None = None, column: int | None = None
) -> Problem:
    """Returns a problem that loses some data."""
    return Problem(Severity.WARNING, name, code, message, action, line=line, column=column)


def refused(
    label: str,
    name: str,
    code: str,
    message: str,
    advice: str,
    line: int | None = None,
    encoding: str | None = None,
    rejected: int = 0,
) -> Reading:
    """Returns the reading of a file that belongs to this tool but cannot be used."""
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}", line=line)
    report = FileReport(path=name, reader=label, recognised=True, encoding=encoding, rejected_rows=rejected)
    return Reading(report, (problem,))


def reading_of(
    label: str,
    name: str,
    encoding: str | None,
    rows: Sequence[Benchmark],
    problems: Iterable[Problem],
    rejected: int = 0,
    columns: int = 0,
    delimiter: str | None = None,
) -> Reading:
    """Returns the reading of a file that gave rows, with its report."""
    moments = sorted(row.started for row in rows if row.started)
    report = FileReport(
        path=name,
        reader=label,
        recognised=True,
        rows=len(rows),
        columns=columns,
        hosts=tuple(dict.fromkeys(row.host for row in rows if row.host)),
        first=moments[0] if moments else None,
        last=moments[-1] if moments else None,
        utc_offset_minutes=0 if moments else None,
        encoding=encoding,
        delimiter=delimiter,
        rejected_rows=rejected,
    )
    noted = (*_encoding_problem(name, encoding), *problems)
    return Reading(report, noted, benchmarks=tuple(rows))


def _encoding_problem(name: str, encoding: str | None) -> list[Problem]:
    if encoding not in ("cp1251", "cp1252"):
        return []
    action = f"file decoded as Windows-{encoding[2:]}"
    return [info(name, "encoding", "The file is not UTF-8 and does not declare its encoding.", action)]


# Text that occurs only in a result of each tool. Each begins with plain letters, which are found a hundred times faster
# than the start of a line.
_MARKS: dict[str, tuple[re.Pattern[bytes], ...]] = {
    "diskspd": (re.compile(rb"thread \|\s{1,20}bytes\s{1,20}\|\s{1,20}I/Os"),),
    "diskspd-xml": (re.compile(rb"<Results>\s{0,20}<System>"),),
    "fio": (re.compile(rb'"fio version"\s{0,5}:\s{0,5}"fio-'), re.compile(rb"groupid=\d{1,9}, jobs=\d{1,9}\): err=")),
    "sqlio": (re.compile(rb"IOs/sec:[ \t]{0,20}\d"),),
    "iometer": (re.compile(rb"'Target Type,Target Name,"),),
    "vdbench": (
        re.compile(rb"Starting RD="),
        re.compile(rb'tod[ \t",]{1,20}(?:timestamp[ \t",]{1,20})?Run[ \t",]{1,20}[Ii]nterval'),
    ),
    "perfmon": (re.compile(rb"\(PDH-[CT]SV \d"),),
}
_TITLES = {"diskspd": "DiskSpd", "diskspd-xml": "DiskSpd", "sqlio": "SQLIO", "iometer": "Iometer"}
_READERS = frozenset(_MARKS) - {"perfmon"}
_MAX_BYTES = 64 << 20


def other_results(label: str, path: Path, name: str) -> tuple[Problem, ...]:
    """Returns a problem for each other tool whose results are in a benchmark's file. `label` is its own reader."""
    if label not in _READERS or path.stat().st_size > _MAX_BYTES:
        return ()
    data = path.read_bytes()
    if (utf16 := utf16_encoding(data)) is not None:
        data = data.decode(utf16, errors="replace").encode()
    data = data.replace(b"\r", b"\n") if b"\n" not in data else data
    starts_by_tool = [
        (tool, min(starts))
        for tool, marks in _MARKS.items()
        if tool != label and (starts := [match.start() for mark in marks if (match := mark.search(data))])
    ]
    return tuple(
        Problem(
            Severity.WARNING,
            name,
            "other-results",
            f"The file also contains {_TITLES.get(tool, tool)} results (from line {line:,}).",
            f"they were not imported, because the file was read as {_TITLES.get(label, label)} output; "
            "move them to a separate file",
            line,
        )
        for tool, start in starts_by_tool
        for line in (data.count(b"\n", 0, start) + 1,)
    )
