"""fio's results (1.58 to 3.42) in any of its formats, alone or between other text.

`fio --output-format=json`, `json+`, `normal` and `terse`, several of them in one file, client/server results,
`--status-interval` and several calls in one file. JSON goes before the normal report of the same run, and that before
its terse line: each run counts once. A run that failed before it had figures is refused with fio's own error.
Which rows a job yields, and in which units: `rows`; the texts: `normal`, `terse`. Samples there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.fio import failures
from workbench.readers.fio.documents import BrokenDocument, Document, find_documents, last_of_each_run, repeats
from workbench.readers.fio.normal import Report, find_reports
from workbench.readers.fio.rows import Rows, document_rows
from workbench.readers.fio.terse import find_terse
from workbench.readers.text.encodings import utf16_encoding
from workbench.readers.text.json import paired

_MAX_BYTES = 512 * 1024 * 1024
_NAMES_FIO = re.compile(r'"fio version"\s*:\s*"')
_OPENS_WITH_FIO = re.compile(r'\{\s*"fio version"\s*:\s*"')
_LISTS_JOBS = re.compile(r'"(?:jobs|client_stats)"\s*:\s*\[')
_A_DIRECTION = re.compile(r'"(?:read|write|trim|mixed)"\s*:\s*\{')
# "rr: (g=0): rw=randrw, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1"
_NORMAL = re.compile(r"\(groupid=\d{1,9}, jobs=\d{1,9}\): err=|\(g=\d{1,9}\): rw=\w{1,20}, bs")
_TERSE = re.compile(r"^[345];fio-\d[^;\n]{0,60};", re.MULTILINE)
JSON_FIRST = "for exact latencies run fio with --output-format=json"
_SHOWN = 200
ROUNDED, CUT = "rounded-figures", "cut-figures"


def identify(head: bytes, _name: str) -> float:
    """1.0 where a JSON object opens with fio's version, less where only its keys or one of its texts are there."""
    text = _decode(head)[0]
    if _OPENS_WITH_FIO.search(text):
        return 1.0
    if _NAMES_FIO.search(text) or _NORMAL.search(text) or _TERSE.search(text):
        return 0.9
    has_jobs = _LISTS_JOBS.search(text) and '"jobname"' in text and '"iops"' in text
    if has_jobs and _A_DIRECTION.search(text):
        return 0.8
    return 0.8 if failures.speaks(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """The benchmark rows of every fio run in the file; refused when none can be decoded."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return _refused(name, "too-large", "The fio result is larger than 512 MB.", "split it by run")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        return _refused(name, "unreadable", f"The file cannot be read: {reason}.", "check it and try again")
    text, encoding = _decode(data)
    text = paired(text)
    documents, broken = find_documents(text)
    runs = last_of_each_run(documents)
    reports = [report for report in find_reports(text) if not repeats(report.document, runs)]
    terse, unreadable = find_terse(text)
    lines = [line for line in terse if not repeats(line, [*runs, *(report.document for report in reports)])]
    if not (documents or reports or terse):
        return _without_results(name, text, encoding, broken, unreadable)
    errors = failures.meanings(text)
    parts: list[Rows] = []
    for document in [*runs, *(report.document for report in reports), *lines]:
        before = max((row.run or 0 for part in parts for row in part.benchmarks), default=0)
        parts.append(document_rows(document, name, errors, before))
    problems = [
        *_encoding_problem(name, encoding),
        *_broken_problems(name, broken),
        *_interim_problem(name, documents, runs, reports),
        *[_repeated_problem(name, document) for document in runs if document.repeated],
        *[_messages_problem(name, document) for document in runs if document.messages],
        *_text_problems(name, reports, lines, unreadable),
        *[problem for part in parts for problem in part.problems],
    ]
    return _reading(name, encoding, parts, len(broken) + len(unreadable), tuple(problems))


READER = Reader("fio", identify, read, by_name=True)


def _decode(data: bytes) -> tuple[str, str]:
    """Text and encoding. Windows PowerShell redirects output as UTF-16, some editors save it without its mark."""
    if (utf16 := utf16_encoding(data)) is not None:
        return data.decode(utf16, errors="replace").removeprefix("\ufeff"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252"


def _reading(name: str, encoding: str, parts: list[Rows], broken: int, problems: tuple[Problem, ...]) -> Reading:
    rows: tuple[Benchmark, ...] = tuple(row for part in parts for row in part.benchmarks)
    moments = sorted(row.started for row in rows if row.started)
    report = FileReport(
        path=name,
        reader="fio",
        recognised=True,
        rows=len(rows),
        hosts=tuple(dict.fromkeys(row.host for row in rows if row.host)),
        first=moments[0] if moments else None,
        last=moments[-1] if moments else None,
        utc_offset_minutes=0 if moments else None,
        encoding=encoding,
        rejected_rows=broken + sum(part.rejected for part in parts),
    )
    return Reading(report, problems, benchmarks=rows)


def _without_results(
    name: str, text: str, encoding: str, broken: list[BrokenDocument], unreadable: list[int]
) -> Reading:
    """The refusal of a file without a result that can be read, by the first reason that there is."""
    line: int | None
    if broken:
        code, line, message = broken[0].code, broken[0].line, _sentence(broken[0])
        advice = "copy it again from the machine, or repeat the run"
    elif unreadable:
        code, line, message = "row-width", unreadable[0], _unreadable_sentence(unreadable)
        advice = "copy it again from the machine, or run fio with --output-format=json"
    else:
        code, line, message, advice = failures.reason(text)
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}", line=line)
    rejected = len(broken) + len(unreadable)
    report = FileReport(path=name, reader="fio", recognised=True, encoding=encoding, rejected_rows=rejected)
    return Reading(report, (problem,))


def _text_problems(name: str, reports: list[Report], terse: list[Document], unreadable: list[int]) -> Iterator[Problem]:
    """What the figures of fio's texts lack, and what of them could not be read."""
    if unreadable:
        message, action = _unreadable_sentence(unreadable), "lines rejected"
        yield Problem(Severity.WARNING, name, "row-width", message, action, line=unreadable[0])
    for report in reports:
        for line in report.unread[:1]:
            more = f" and {len(report.unread) - 1} more" if len(report.unread) > 1 else ""
            message = f"Line {line}{more} of the report cannot be read: it does not look as fio prints it."
            yield Problem(Severity.WARNING, name, "not-a-number", message, "left empty; copy the file again", line=line)
        if report.cut is not None:
            message = f"The report of the job on line {report.cut} ends before its I/Os are counted."
            action = "the values before the end were imported; copy the file again"
            yield Problem(Severity.WARNING, name, "truncated", message, action, line=report.cut)
    if reports:
        rounded = sum(report.rounded for report in reports)
        speeds = f", and {rounded} of the MB/s to three or four digits" if rounded else ""
        message = f"fio's text report rounds latencies to two decimals, percentiles to whole units{speeds}."
        action = f"IOPS were calculated from the I/O count and the run time; {JSON_FIRST}"
        yield Problem(Severity.INFO, name, ROUNDED, message, action, line=reports[0].document.line)
    if terse:
        message = "fio's terse output cuts IOPS, KiB/s and percentiles (µs) to whole numbers."
        yield Problem(Severity.INFO, name, CUT, message, f"imported as printed; {JSON_FIRST}", line=terse[0].line)


def _unreadable_sentence(lines: list[int]) -> str:
    more = f", and {len(lines) - 1} more of them" if len(lines) > 1 else ""
    return f"Line {lines[0]} of fio's terse output{more} does not have the cells of its version."


def _refused(name: str, code: str, message: str, advice: str) -> Reading:
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}")
    return Reading(FileReport(path=name, reader="fio", recognised=True), (problem,))


def _sentence(broken: BrokenDocument) -> str:
    where = "" if broken.line == broken.start_line else f" (line {broken.line})"
    return f"The fio result that starts at line {broken.start_line} cannot be decoded: {broken.reason}{where}."


def _broken_problems(name: str, broken: list[BrokenDocument]) -> list[Problem]:
    action = "result rejected; the others in the file are kept"
    return [
        Problem(Severity.WARNING, name, document.code, _sentence(document), action, line=document.line)
        for document in broken
    ]


def _interim_problem(
    name: str, documents: list[Document], runs: list[Document], reports: list[Report]
) -> list[Problem]:
    replaced = len(documents) - len(runs) + sum(report.replaced for report in reports)
    if not replaced:
        return []
    line = (documents or [report.document for report in reports])[0].line
    message = f"{replaced} interim reports (--status-interval) come before the final one of their run."
    action = "only the last report of each run was used"
    return [Problem(Severity.INFO, name, "interim-reports", message, action, line=line)]


def _repeated_problem(name: str, document: Document) -> Problem:
    keys = ", ".join(f"“{key}”" for key in document.repeated[:5])
    message = f"The fio result states {keys} more than once, with different values."
    return Problem(Severity.WARNING, name, "repeated-key", message, "the last value was used", line=document.line)


def _messages_problem(name: str, document: Document) -> Problem:
    """What fio printed into the result of the document."""
    first, more = document.messages[0], len(document.messages) - 1
    others = f", and {more} more" if more else ""
    message = f"fio printed a message into its result: “{first.text[:_SHOWN]}”{others}."
    action = "message ignored; the values around it are imported"
    return Problem(Severity.INFO, name, "message-inside", message, action, line=first.line)


def _encoding_problem(name: str, encoding: str) -> list[Problem]:
    if encoding != "cp1252":
        return []
    message = "The file is not UTF-8."
    return [Problem(Severity.INFO, name, "encoding", message, "it was read as Windows-1252")]
