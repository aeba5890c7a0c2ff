"""fio's results (1.58 to 3.42) in any of its formats, alone or between other text.

Formats: `fio --output-format=json`, `json+`, `normal` and `terse`, several of them in one file, client/server results,
`--status-interval`, and several calls in one file. JSON is preferred to the normal report of the same run, and that to
its terse line, so each run counts once. A run that failed before it had values is not imported; the message is fio's
own error. For the rows of a job and their units see `rows`, for the normal report `normal`. The results hold no
samples.

Errors are read from fio's own lines, in any of its formats:

    fio: pid=7, err=28/file:io_u.c:2018, func=io_u error, error=No space left on device
    fio: engine nosuch not loadable
    error: maximum number of jobs (8) reached.
    verify: bad header numberio 3932, wanted 0 at file /data/f offset 229900288, length 65536 (…)

Source of the format: io_u.c, backend.c, ioengines.c and verify.c of axboe/fio, fio-2.16 to fio-3.42.

Terse output (--minimal, --output-format=terse), versions 3 to 5, is one line of cells per job:

    3;fio-3.19;rr;0;0;75344;37672;9418;2000;0;0;0.0;0.0;51;2321;95.98;…;1.000000%=73;…

The cells are version, fio's version, job, group and error, then those of each direction: KiB, KiB/s, IOPS, run time in
ms, four of the submission and four of the completion in microseconds, twenty percentiles, four of the total latency,
then bandwidth (and, in version 5, IOPS) over time. Version 3 has no trims. unified_rw_reporting has one direction, or
one more. CPU, depths and the latency buckets of the whole job follow. IOPS, KiB/s and percentiles are cut to whole
numbers. A line is converted to the document that fio's JSON of the same job would be; consecutive lines of one version
are one result. The percentiles are assumed to be of the completion, fio's default: the line does not state it. Versions
1 and 2 (before fio 2.0) are not read, because they do not name the fio version that wrote them. Source of the format:
HOWTO, "Terse output"; stat.c (`show_thread_status_terse_all`, `show_ddir_status_terse`) of axboe/fio, fio-2.16 to
fio-3.42.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.common.row_problems import acted, counting, numbered
from workbench.readers.fio.documents import (
    IN_PART,
    TERSE,
    BrokenDocument,
    FioDocument,
    JsonObject,
    find_documents,
    last_of_each_run,
    repeats,
)
from workbench.readers.fio.normal import Report, find_reports
from workbench.readers.fio.rows import FioRows, document_rows
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.json import paired

_MAX_BYTES = 512 * 1024 * 1024
_NAMES_FIO = re.compile(r'"fio version"\s*:\s*"')
_OPENS_WITH_FIO = re.compile(r'\{\s*"fio version"\s*:\s*"')
_LISTS_JOBS = re.compile(r'"(?:jobs|client_stats)"\s*:\s*\[')
_A_DIRECTION = re.compile(r'"(?:read|write|trim|mixed)"\s*:\s*\{')
# Matches "rr: (g=0): rw=randrw, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1".
_NORMAL = re.compile(r"\(groupid=\d{1,9}, jobs=\d{1,9}\): err=|\(g=\d{1,9}\): rw=\w{1,20}, bs")
_TERSE = re.compile(r"^[345];fio-\d[^;\n]{0,60};", re.MULTILINE)
JSON_FIRST = "for exact values, run fio with --output-format=json"
_SHOWN = 200
ROUNDED, CUT = "rounded-figures", "cut-figures"


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if a JSON object begins with fio's version, less if only its keys or one of its texts are present."""
    text = decode_text(head)[0]
    if _OPENS_WITH_FIO.search(text):
        return 1.0
    if _NAMES_FIO.search(text) or _NORMAL.search(text) or _TERSE.search(text):
        return 0.9
    has_jobs = _LISTS_JOBS.search(text) and '"jobname"' in text and '"iops"' in text
    if has_jobs and _A_DIRECTION.search(text):
        return 0.8
    return 0.8 if speaks(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the benchmark rows of every fio run in the file. The file is not imported if none can be decoded."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return _refused(name, "too-large", "The fio result is larger than 512 MB.", "split the file by run")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        return _refused(
            name,
            "unreadable",
            f"The file cannot be read: {reason}.",
            "close the program that uses it, and reload the folder",
        )
    text, encoding = decode_text(data)
    text = paired(text)
    documents, broken = find_documents(text)
    runs = last_of_each_run(documents)
    reports = [report for report in find_reports(text) if not repeats(report.document, runs)]
    terse, unreadable = find_terse(text)
    lines = [line for line in terse if not repeats(line, [*runs, *(report.document for report in reports)])]
    if not (documents or reports or terse):
        return _without_results(name, text, encoding, broken, unreadable)
    errors = meanings(text)
    parts: list[FioRows] = []
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


def _reading(name: str, encoding: str, parts: list[FioRows], broken: int, problems: tuple[Problem, ...]) -> Reading:
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
    """Returns the reading of a file without a readable result, with the first reason found."""
    line: int | None
    if broken:
        code, line, message = broken[0].code, broken[0].line, _sentence(broken[0])
        advice = "copy the file again, or repeat the run"
    elif unreadable:
        code, line, message = "row-width", unreadable[0], _unreadable_sentence(unreadable)
        advice = "copy the file again from the machine, or run fio with --output-format=json"
    else:
        code, line, message, advice = reason(text)
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}", line=line)
    rejected = len(broken) + len(unreadable)
    report = FileReport(path=name, reader="fio", recognised=True, encoding=encoding, rejected_rows=rejected)
    return Reading(report, (problem,))


def _text_problems(
    name: str, reports: list[Report], terse: list[FioDocument], unreadable: list[int]
) -> Iterator[Problem]:
    """Yields problems for values that fio's texts lack, and for parts that could not be read."""
    if unreadable:
        message = _unreadable_sentence(unreadable)
        action = acted("line rejected; check it in the file", len(unreadable))
        yield Problem(Severity.WARNING, name, "row-width", message, action, line=unreadable[0])
    for report in reports:
        for line in report.unread[:1]:
            more = _others(len(report.unread) - 1, "line")
            message = f"Line {line} of the report cannot be read as output of fio{more}."
            yield Problem(
                Severity.WARNING, name, "not-a-number", message, "values left empty; copy the file again", line=line
            )
        if report.cut is not None:
            message = f"The report of the job on line {report.cut} ends before its I/O counts."
            action = "the values before the end were imported; copy the file again"
            yield Problem(Severity.WARNING, name, "truncated", message, action, line=report.cut)
    if reports:
        rounded = (
            "latencies, percentiles and MB/s" if any(one.rounded for one in reports) else "latencies and percentiles"
        )
        message = f"fio's text report rounds {rounded}."
        action = f"IOPS calculated from the I/O count and the run time; {JSON_FIRST}"
        yield Problem(Severity.INFO, name, ROUNDED, message, action, line=reports[0].document.line)
    if terse:
        message = "The terse output of fio rounds IOPS, KiB/s and percentiles (µs) down to whole numbers."
        yield Problem(
            Severity.INFO, name, CUT, message, f"values imported as printed; {JSON_FIRST}", line=terse[0].line
        )


def _others(number: int, noun: str) -> str:
    return f" (same problem on {numbered(number, f'other {noun}')})" if number else ""


def _unreadable_sentence(lines: list[int]) -> str:
    more = _others(len(lines) - 1, "line")
    return f"Line {lines[0]} of fio's terse output does not match the columns of its version{more}."


def _refused(name: str, code: str, message: str, advice: str) -> Reading:
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}")
    return Reading(FileReport(path=name, reader="fio", recognised=True), (problem,))


def _sentence(broken: BrokenDocument) -> str:
    if broken.line == broken.start_line:
        return f"The fio result on line {broken.line} cannot be read: {broken.reason}."
    first = f"The fio result from line {broken.start_line}"
    if broken.code == "truncated":
        return f"{first} is cut off at line {broken.line}."
    return f"{first} cannot be read: {broken.reason}."


def _broken_problems(name: str, broken: list[BrokenDocument]) -> list[Problem]:
    action = "result rejected, other results imported; copy the file again"
    return [
        Problem(Severity.WARNING, name, document.code, _sentence(document), action, line=document.line)
        for document in broken
    ]


def _interim_problem(
    name: str, documents: list[FioDocument], runs: list[FioDocument], reports: list[Report]
) -> list[Problem]:
    replaced = len(documents) - len(runs) + sum(report.replaced for report in reports)
    if not replaced:
        return []
    line = (documents or [report.document for report in reports])[0].line
    message = f"The file contains {replaced} interim report{'s' * (replaced > 1)} (--status-interval)."
    action = "only the final report of each run was imported"
    return [Problem(Severity.INFO, name, "interim-reports", message, action, line=line)]


def _repeated_problem(name: str, document: FioDocument) -> Problem:
    keys = few_named([f"“{key}”" for key in document.repeated])
    message = f"The fio result repeats the key{'s' * (len(document.repeated) > 1)} {keys} with different values."
    return Problem(
        Severity.WARNING,
        name,
        "repeated-key",
        message,
        "the last value was imported; check the values in the file",
        line=document.line,
    )


def _messages_problem(name: str, document: FioDocument) -> Problem:
    """Returns the problem of texts that fio printed into the result of the document."""
    first, more = document.messages[0], len(document.messages) - 1
    others = f" The output contains {numbered(more, 'other message')}." if more else ""
    message = f"The fio output contains a message: “{first.text[:_SHOWN]}”.{others}"
    action = "message ignored; the values before and after it were imported"
    return Problem(Severity.INFO, name, "message-inside", message, action, line=first.line)


def _encoding_problem(name: str, encoding: str) -> list[Problem]:
    if encoding != "cp1252":
        return []
    message = "The file is not UTF-8."
    return [Problem(Severity.INFO, name, "encoding", message, "file decoded as Windows-1252")]


_ERROR_LINE = re.compile(r"^fio: pid=\d{1,12}, err=(\d{1,9})/[^\n]{0,400}?\berror=([^\n]{1,400})", re.MULTILINE)
_JOB_ERROR = re.compile(r"\): err= {0,9}(\d{1,9}) \([^\n]{0,400}?\berror=([^\n]{1,400}?)\): pid=")
_COMPLAINT = re.compile(r"^fio: (?!pid=)(?:file:[^\n]{0,200}?error=)?([^\n]{1,400})", re.MULTILINE)
_ERROR = re.compile(r"^error: ([^\n]{1,400})", re.MULTILINE)
_VERIFY = re.compile(r"^(?:<[^<>\n]{1,255}> )?verify: bad [^\n]{1,400}", re.MULTILINE)
_SPEAKS = re.compile(
    r"^(?:fio: (?:pid=\d{1,12}, err=\d|file:\S{1,200}, func=|engine \S{1,200} not loadable)"
    r"|error: maximum number of jobs \(\d{1,9}\) reached)",
    re.MULTILINE,
)
_TOO_MANY = "maximum number of jobs"
_SET_UP = re.compile(r"\(g=\d{1,9}\): rw=\w{1,20}, bs")
_AGAIN = "fix the error and repeat the run"


def speaks(text: str) -> bool:
    """True if the text holds an error of fio."""
    return _SPEAKS.search(text) is not None


def meanings(text: str) -> dict[int, str]:
    """Returns the sentence that fio printed for each error number."""
    stated = [*_ERROR_LINE.findall(text), *_JOB_ERROR.findall(text)]
    return {int(code): meaning.strip().rstrip(".") for code, meaning in stated}


def reason(text: str) -> tuple[str, int | None, str, str]:
    """Returns why a text of fio holds no result: a code, a line, a sentence and a remedy."""
    if match := _ERROR_LINE.search(text):
        jobs = len(_ERROR_LINE.findall(text))
        every = f" in {jobs} jobs" if jobs > 1 else ""
        meaning = match[2].strip().rstrip(".")
        message = f"The file contains no results, because fio failed with error {int(match[1])} (“{meaning}”){every}."
        return "fio-failed", _line(text, match), message, _AGAIN
    if match := _VERIFY.search(text):
        blocks = len(_VERIFY.findall(text))
        wrong = f"{counting(blocks, 'block', 'does', 'do')} not contain the written data (verify)"
        message = f"The file contains no results, because fio failed: {wrong}."
        return "fio-failed", _line(text, match), message, "check the storage for corruption, and repeat the run"
    if match := _ERROR.search(text) or _COMPLAINT.search(text):
        message = f"The file contains no results, because fio failed: “{match[1].strip().rstrip('.')}”."
        advice = "use fewer jobs (numjobs) and repeat the run" if match[1].startswith(_TOO_MANY) else _AGAIN
        return "fio-failed", _line(text, match), message, advice
    if match := _SET_UP.search(text):
        message = "fio's text report ends before any result: fio was stopped, or the file was cut off."
        return "no-results", _line(text, match), message, "repeat the run, and let it finish"
    return "no-fio-json", None, "The file contains no fio result.", "run fio with --output-format=json"


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


_LINE = re.compile(r"(?:^|[\r>] ?)([345];fio-[^;\n]{1,60};[^\n\r]{60,20000})", re.MULTILINE)
_WHOLE = re.compile(r"\d{1,18}", re.ASCII)
_NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,9})?", re.ASCII)
_SHARE = re.compile(r"\d{1,3}\.\d{1,9}%", re.ASCII)
# A percentile that was not requested.
_UNUSED = "0%=0"
_PERCENTILE = re.compile(r"(\d{1,3}\.\d{1,9})%=(\d{1,18})", re.ASCII)
_HEAD = 5
_WIDTH = {3: 41, 4: 41, 5: 47}
# Cells after the directions: five of the CPU, seven of depths, then the buckets, then nine per disk.
_DEPTHS_AT, _BUCKETS_AT, _DISKS_AT = 5, 12, 34
_DISK = 9
_STEPS = ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000")
_USUAL = {3: ("read", "write"), 4: ("read", "write", "trim"), 5: ("read", "write", "trim")}


def find_terse(text: str) -> tuple[list[FioDocument], list[int]]:
    """Returns the terse results of the text, and the lines of jobs whose cells do not match their version."""
    results: list[tuple[str, list[JsonObject], list[int]]] = []
    broken: list[int] = []
    for match in _LINE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        cells = match[1].rstrip().split(";")
        entry = _entry(cells)
        if entry is None:
            broken.append(line)
            continue
        if results and _continues(results[-1], cells[1], entry, line):
            results[-1][1].append(entry)
            results[-1][2].append(line)
        else:
            results.append((cells[1], [entry], [line]))
    return [_document(*result) for result in results], broken


def _continues(result: tuple[str, list[JsonObject], list[int]], version: str, entry: JsonObject, line: int) -> bool:
    """True if a line is one more job of the result before it: same fio version, directly below, group not lower."""
    before, jobs, lines = result
    return before == version and line - lines[-1] <= 1 and bool(entry["groupid"] >= jobs[-1]["groupid"])


def _document(version: str, jobs: list[JsonObject], lines: list[int]) -> FioDocument:
    content: dict[str, Any] = {IN_PART: TERSE, "fio version": version, "jobs": jobs}
    return FioDocument(lines[0], content, lines=tuple(lines))


def _entry(cells: list[str]) -> JsonObject | None:
    """Returns the job of a line, or None if its cells do not match its version."""
    version = int(cells[0])
    width, usual = _WIDTH[version], _USUAL[version]
    at = next(
        (_HEAD + count * width for count in (len(usual), 1, len(usual) + 1) if _ends(cells, _HEAD + count * width)),
        None,
    )
    quoted = sum(cell.count('"') for cell in cells) % 2
    if at is None or quoted or not (_WHOLE.fullmatch(cells[3]) and _WHOLE.fullmatch(cells[4])):
        return None
    count = (at - _HEAD) // width
    names = ("mixed",) if count == 1 else (*usual, "mixed")[:count]
    entry: JsonObject = {"jobname": cells[2], "groupid": int(cells[3]), "error": int(cells[4]), "job options": {}}
    for index, name in enumerate(names):
        section = _section(cells[_HEAD + index * width :][:width])
        if section is None:
            return None
        entry[name] = section
    depths, shares = cells[at + _DEPTHS_AT : at + _BUCKETS_AT], cells[at + _BUCKETS_AT : at + _DISKS_AT]
    whole = len(depths) + len(shares) == _DISKS_AT - _DEPTHS_AT and all(map(_SHARE.fullmatch, depths + shares))
    if not whole or not _is_tail(cells[at + _DISKS_AT :]):
        return None
    entry["latency_us"] = _shares(_STEPS, shares[:10])
    entry["latency_ms"] = _shares((*_STEPS, "2000", ">=2000"), shares[10:])
    return entry


def _ends(cells: list[str], at: int) -> bool:
    """True if the cells of the CPU begin here: two shares and three counts."""
    after = cells[at : at + 5]
    return len(after) == 5 and all(map(_SHARE.fullmatch, after[:2])) and all(map(_WHOLE.fullmatch, after[2:]))


def _is_tail(cells: list[str]) -> bool:
    """True if these are the cells of disks, then those of `continue_on_error` and the description, if there are any."""
    while len(cells) >= _DISK and all(map(_WHOLE.fullmatch, cells[1 : _DISK - 1])) and _SHARE.fullmatch(cells[8]):
        cells = cells[_DISK:]
    if len(cells) > 1 and all(map(_WHOLE.fullmatch, cells[:2])):
        cells = cells[2:]
    # A description may hold semicolons: it is the rest of the line and begins with a word.
    return not cells or not (_WHOLE.fullmatch(cells[0]) or any(map(_SHARE.fullmatch, cells)))


def _section(cells: list[str]) -> JsonObject | None:
    """Returns one direction with the keys of fio's JSON, latencies in nanoseconds."""
    counts = [int(cell) if _WHOLE.fullmatch(cell) else None for cell in cells[:4]]
    kib, kib_s, iops, runtime = counts
    slat, clat, lat = (_statistics(cells[at : at + 4]) for at in (4, 8, 32))
    if kib is None or kib_s is None or iops is None or runtime is None or not (slat and clat and lat):
        return None
    listed = [match for cell in cells[12:32] if (match := _PERCENTILE.fullmatch(cell))]
    if len(listed) < sum(cell != _UNUSED for cell in cells[12:32]):
        return None
    percentiles = {match[1]: int(match[2]) * 1000 for match in listed}
    # Fewer than one I/O per second is printed as 0; the amount of data shows that some I/Os were done.
    ios = max(iops * runtime / 1000, 1.0 if kib else 0.0)
    return {
        "io_bytes": kib * 1024,
        "io_kbytes": kib,
        "bw": kib_s,
        "iops": iops,
        "runtime": runtime,
        "total_ios": ios,
        "slat_ns": slat,
        "clat_ns": {**clat, **({"percentile": percentiles} if percentiles else {})},
        "lat_ns": lat,
    }


def _statistics(cells: list[str]) -> JsonObject | None:
    """Returns maximum and mean of four cells in microseconds."""
    if len(cells) < 3 or not (_NUMBER.fullmatch(cells[1]) and _NUMBER.fullmatch(cells[2])):
        return None
    return {"max": float(cells[1]) * 1000, "mean": float(cells[2]) * 1000}


def _shares(labels: tuple[str, ...], cells: list[str]) -> JsonObject:
    pairs = zip(labels, cells, strict=False)
    return {label: float(cell[:-1]) for label, cell in pairs if _SHARE.fullmatch(cell)}
