"""fio's JSON results (2.0.10 to 3.42), alone or between other text.

`fio --output-format=json`, `json+` and `json,normal`, client/server results, `--status-interval` and
several calls in one file. fio's normal and terse reports hold no JSON: they are refused by name.
Which rows a job yields, and in which units: `fio_rows`. Samples there are none.
"""

from __future__ import annotations

import re
from pathlib import Path

from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.fio.documents import BrokenDocument, Document, find_documents, last_of_each_run
from workbench.readers.fio.rows import Rows, document_rows
from workbench.readers.text.encodings import wide_encoding

_MAX_BYTES = 512 * 1024 * 1024
_NAMES_FIO = re.compile(r'"fio version"\s*:\s*"')
_OPENS_WITH_FIO = re.compile(r'\{\s*"fio version"\s*:\s*"')
_LISTS_JOBS = re.compile(r'"(?:jobs|client_stats)"\s*:\s*\[')
_A_DIRECTION = re.compile(r'"(?:read|write|trim|mixed)"\s*:\s*\{')
# "rr: (g=0): rw=randrw, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1"
_NORMAL = re.compile(r"\(g=\d{1,9}\): rw=\w{1,20}, bs=")
_TERSE = re.compile(r"^\d;fio-\d", re.MULTILINE)
# "fio: pid=7, err=28/file:io_u.c:2018, func=io_u error, error=No space left on device"
_ERROR_LINE = re.compile(r"^fio: pid=\d+, err=(\d{1,9})/.*\berror=(.*\S)", re.MULTILINE)


def identify(head: bytes, _name: str) -> float:
    """1.0 where a JSON object opens with fio's version, less where only its keys or its normal text are there."""
    text = _decode(head)[0]
    if _OPENS_WITH_FIO.search(text):
        return 1.0
    if _NAMES_FIO.search(text):
        return 0.9
    has_jobs = _LISTS_JOBS.search(text) and '"jobname"' in text and '"iops"' in text
    if has_jobs and _A_DIRECTION.search(text):
        return 0.8
    return 0.4 if "fio-" in text and _without_json(text) else 0.0


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
    documents, broken = find_documents(text)
    if not documents:
        return _all_broken(name, encoding, broken, _without_json(text))
    runs = last_of_each_run(documents)
    errors = {int(code): meaning.rstrip(".") for code, meaning in _ERROR_LINE.findall(text)}
    parts: list[Rows] = []
    for document in runs:
        before = max((row.run or 0 for part in parts for row in part.benchmarks), default=0)
        parts.append(document_rows(document, name, errors, before))
    problems = [
        *_encoding_problem(name, encoding),
        *_broken_problems(name, broken),
        *_interim_problem(name, documents, runs),
        *[_repeated_problem(name, document) for document in runs if document.repeated],
        *[problem for part in parts for problem in part.problems],
    ]
    return _reading(name, encoding, parts, len(broken), tuple(problems))


READER = Reader("fio", identify, read, by_name=True)


def _decode(data: bytes) -> tuple[str, str]:
    """Text and encoding. Windows PowerShell redirects output as UTF-16, some editors save it without its mark."""
    if (wide := wide_encoding(data)) is not None:
        return data.decode(wide, errors="replace").removeprefix("\ufeff"), "utf-16"
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


def _without_json(text: str) -> str | None:
    """Which of fio's other reports the text is."""
    if _NORMAL.search(text):
        return "normal"
    return "terse" if _TERSE.search(text) else None


def _all_broken(name: str, encoding: str, broken: list[BrokenDocument], other: str | None) -> Reading:
    if not broken:
        message = f"The file is fio's {other} report, which" if other else "The file"
        return _refused(name, "no-fio-json", f"{message} holds no fio JSON.", "run fio with --output-format=json")
    first = broken[0]
    action = "the file was refused; copy it again from the machine, or repeat the run"
    problem = Problem(Severity.REFUSED, name, first.code, _sentence(first), action, line=first.line)
    report = FileReport(path=name, reader="fio", recognised=True, encoding=encoding, rejected_rows=len(broken))
    return Reading(report, (problem,))


def _refused(name: str, code: str, message: str, advice: str) -> Reading:
    problem = Problem(Severity.REFUSED, name, code, message, f"the file was refused; {advice}")
    return Reading(FileReport(path=name, reader="fio", recognised=True), (problem,))


def _sentence(broken: BrokenDocument) -> str:
    where = "" if broken.line == broken.start_line else f" (line {broken.line})"
    return f"The fio result that starts at line {broken.start_line} cannot be decoded: {broken.reason}{where}."


def _broken_problems(name: str, broken: list[BrokenDocument]) -> list[Problem]:
    action = "that result was left out; the others in the file are kept"
    return [
        Problem(Severity.WARNING, name, document.code, _sentence(document), action, line=document.line)
        for document in broken
    ]


def _interim_problem(name: str, documents: list[Document], runs: list[Document]) -> list[Problem]:
    replaced = len(documents) - len(runs)
    if not replaced:
        return []
    message = f"{replaced} interim reports (--status-interval) stand before the final one of their run."
    action = "only the last report of each run was used"
    return [Problem(Severity.INFO, name, "interim-reports", message, action, line=documents[0].line)]


def _repeated_problem(name: str, document: Document) -> Problem:
    keys = ", ".join(f"“{key}”" for key in document.repeated[:5])
    message = f"The fio result states {keys} more than once, with different values."
    return Problem(Severity.WARNING, name, "repeated-key", message, "the last value was used", line=document.line)


def _encoding_problem(name: str, encoding: str) -> list[Problem]:
    if encoding != "cp1252":
        return []
    message = "The file is not UTF-8."
    return [Problem(Severity.INFO, name, "encoding", message, "it was read as Windows-1252")]
