"""fio JSON documents in text: finds them, and separates interim reports from results.

fio prints its JSON between other text (warnings, ETA lines, shell prompts, its normal report), several times with
`--status-interval`, and once per call if a script appends to one file. Source of the format: fio HOWTO ("JSON output",
"--status-interval") and stat.c of axboe/fio.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from workbench.readers.text.json import fault_of, number

OPS = ("read", "write", "trim", "mixed")
# Marks a document whose jobs do not list all their options, regardless of its version. The value names the text format
# that it came from.
IN_PART, NORMAL, TERSE = "options in part", "normal", "terse"
# Marks latencies that fio measured but whose printed mean is not a number.
SAMPLED = "sampled, mean unread"
JsonObject = dict[str, Any]

# A document begins a line (an ETA line ends with a bare carriage return) or has fio's version as its first key.
_START = re.compile(r'(?:^|\r)\{|\{(?=\s*"fio version"\s*:)', re.MULTILINE)
_FIO_WORDS = ('"fio version"', '"jobs"', '"client_stats"')
# C prints invalid numbers as nan, -nan, inf, -nan(ind) or 1.#QNAN; JSON has no word for them.
_NOT_FINITE = re.compile(
    r"(?<=[:\[,])(\s*)(?:[-+]?(?:nan(?:\(\w*\))?|inf(?:inity)?)|-?1\.#\w+)(?=\s*[,}\]])", re.IGNORECASE
)
# fio's messages bypass the buffer of its result: either a whole line that does not begin like a JSON line, or a text
# with fio's name that cuts a line in two.
_MESSAGE = re.compile(
    r"^[ \t]*(?!(?:true|false|null|-?nan|inf)\b)[A-Za-z<(](?:[^\n]{0,2000}[^\n\",])?\r?\n"
    r"|(?:fio|error|verify|client): [^\n]{0,2000}[^\n\",]\r?\n",
    re.MULTILINE,
)
_SHORT = 64
_SAME_START_S = 1.5  # fio rounds `elapsed` to whole seconds


@dataclass(frozen=True, slots=True)
class FioDocument:
    """One fio result. `line` is its first line. `repeated` are keys that occur twice with different values. `lines` are
    the lines of its jobs if the result is not JSON. `messages` are other texts that fio printed between its lines."""

    line: int
    content: JsonObject
    repeated: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    messages: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """A text that fio printed to another stream while it wrote a result, and its line in the file."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class BrokenDocument:
    """A fio result that cannot be decoded: its first line, the faulty line, and the fault."""

    start_line: int
    line: int
    code: str
    reason: str


def find_documents(text: str) -> tuple[list[FioDocument], list[BrokenDocument]]:
    """Returns every fio document of the text, and every one that cannot be decoded. Never raises.

    Words such as `nan` are read as NaN, so the rest of their document is not lost.
    """
    documents, broken = _scan(text)
    if broken and _NOT_FINITE.search(text):
        return _scan(_NOT_FINITE.sub(r"\1NaN", text))
    return documents, broken


def jobs_of(content: JsonObject) -> list[tuple[Any, bool]]:
    """Returns the entries of `jobs` and `client_stats`, each with True if it belongs to a client."""
    lists = ((content.get("jobs"), False), (content.get("client_stats"), True))
    return [(job, client) for entries, client in lists if isinstance(entries, list) for job in entries]


def places_of(document: FioDocument) -> dict[int, tuple[int, str]]:
    """Returns the line of each job entry and its path in the document, `jobs[0]`, keyed by the entry's identity. In a
    text report the path is empty."""
    content = document.content
    if document.lines:
        return {id(job): (line, "") for (job, _), line in zip(jobs_of(content), document.lines, strict=True)}
    lists = ((key, content.get(key)) for key in ("jobs", "client_stats"))
    return {
        id(job): (document.line, f"{key}[{index}]")
        for key, entries in lists
        if isinstance(entries, list)
        for index, job in enumerate(entries)
    }


def last_of_each_run(documents: list[FioDocument]) -> list[FioDocument]:
    """Returns the documents without those that a later one of the same run replaces (`--status-interval`).

    Two neighbours belong to one run if they name the same jobs with the same options and no job's I/O count shrinks.
    They must also have started together (`job_start`, otherwise `timestamp` - `elapsed`). fio before 2.2 states no
    time: there a growing I/O count decides, so equal calls appended to one file stay separate.
    """
    following = documents[1:]
    replaced = [_is_continued(document, other) for document, other in zip(documents, following, strict=False)]
    return [document for document, gone in zip(documents, [*replaced, False], strict=False) if not gone]


def repeats(document: FioDocument, others: Iterable[FioDocument]) -> bool:
    """True if one of the others is a result of the same run in another format. It must have each job of the document
    with the same name and group. In each direction it must have the same run time (exact in every format) and IOPS
    (whole numbers in some formats)."""
    jobs = [job for job, _ in jobs_of(document.content)]
    return any(_each_stands_in(jobs, [job for job, _ in jobs_of(other.content)]) for other in others)


def _each_stands_in(jobs: list[Any], others: list[Any]) -> bool:
    left = [_measured(job) for job in others if isinstance(job, dict)]
    for figures in map(_measured, jobs):
        same = next((other for other in left if _is_same(figures, other)), None)
        if same is None:
            return False
        left.remove(same)
    return bool(jobs)


_Measured = tuple[Any, Any, dict[str, tuple[float, float]]]


def _measured(job: JsonObject) -> _Measured:
    """Returns name and group of a job, and the run time and IOPS of each direction that ran."""
    sections = {op: job[op] for op in OPS if isinstance(job.get(op), dict)}
    pairs = {op: (number(part.get("runtime")), number(part.get("iops"))) for op, part in sections.items()}
    ran = {op: (runtime, iops) for op, (runtime, iops) in pairs.items() if runtime and iops is not None}
    if len(ran) > 1:
        ran.pop("mixed", None)
    return job.get("jobname"), job.get("groupid"), ran


def _is_same(job: _Measured, other: _Measured) -> bool:
    named = job[:2] == other[:2] and job[2].keys() == other[2].keys()
    figures = ((job[2][op], other[2][op]) for op in job[2]) if named else ()
    return named and all(early[0] == late[0] and abs(early[1] - late[1]) < 1 for early, late in figures)


def _scan(text: str) -> tuple[list[FioDocument], list[BrokenDocument]]:
    documents: list[FioDocument] = []
    broken: list[BrokenDocument] = []
    repeated: list[str] = []
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=lambda pairs: _object(pairs, repeated))
    match = _START.search(text)
    while match:
        start = match.end() - 1
        repeated.clear()
        try:
            content, end = decoder.raw_decode(text, start)
        except RecursionError:
            broken.append(_too_deep(text, start))
            break
        except ValueError as error:
            match = _START.search(text, start + 1)
            stretch = text[start : match.start() if match else len(text)]
            repeated.clear()
            if (content := _between_messages(stretch, decoder)) is not None:
                names, line = tuple(dict.fromkeys(repeated)), _line(text, start)
                messages = tuple(_messages(stretch, line))
                documents.append(FioDocument(line, content, names, messages=messages))
            elif any(word in stretch for word in _FIO_WORDS) or (not match and _begins_one(stretch)):
                broken.append(_broken(text, start, error))
            continue
        if _is_fio(content):
            documents.append(FioDocument(_line(text, start), content, tuple(dict.fromkeys(repeated))))
        match = _START.search(text, end)
    return documents, broken


def _between_messages(stretch: str, decoder: json.JSONDecoder) -> JsonObject | None:
    """Removes the messages that fio printed into a result. Returns the fio result, or None if the text is still
    invalid."""
    mended = _MESSAGE.sub("", stretch)
    if mended == stretch:
        return None
    try:
        content, _ = decoder.raw_decode(mended)
    except (ValueError, RecursionError):
        return None
    return content if _is_fio(content) else None


def _messages(stretch: str, first: int) -> Iterator[Message]:
    # A message after the whole result is not text between its lines.
    end = stretch.rfind("}")
    for match in _MESSAGE.finditer(stretch, 0, end):
        yield Message(first + stretch.count("\n", 0, match.start()), match[0].strip())


def _begins_one(stretch: str) -> bool:
    """True if the text consists of the first letters of a fio result, too few to contain a known word."""
    return len(stretch) < _SHORT and '{"fioversion":'.startswith("".join(stretch.split()))


def _object(pairs: list[tuple[str, Any]], repeated: list[str]) -> JsonObject:
    content = dict(pairs)
    if len(content) != len(pairs):
        # fio fills unused percentiles with several equal "0.00": data is lost only if the values differ.
        repeated.extend(key for key, value in pairs if content[key] != value)
    return content


def _is_fio(content: object) -> bool:
    if not isinstance(content, dict):
        return False
    if isinstance(content.get("fio version"), str):
        return True
    return any(_is_job(job) for job, _ in jobs_of(content))


def _is_job(job: object) -> bool:
    return isinstance(job, dict) and any(isinstance(job.get(op), dict) and "iops" in job[op] for op in OPS)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _too_deep(text: str, start: int) -> BrokenDocument:
    line = _line(text, start)
    return BrokenDocument(line, line, "nested-too-deep", "it is nested too deeply")


def _broken(text: str, start: int, error: ValueError) -> BrokenDocument:
    first = _line(text, start)
    if not isinstance(error, json.JSONDecodeError):  # a number with thousands of digits
        return BrokenDocument(first, first, "not-json", fault_of(error))
    end = len(text.rstrip())
    if error.pos >= end or error.msg.startswith("Unterminated string"):
        return BrokenDocument(first, _line(text, end), "truncated", "it is cut off")
    return BrokenDocument(first, _line(text, error.pos), "not-json", fault_of(error))


def _is_continued(document: FioDocument, other: FioDocument) -> bool:
    if _identity(document.content) != _identity(other.content):
        return False
    before, after = _io_counts(document.content), _io_counts(other.content)
    if any(late < early for early, late in zip(before, after, strict=True)):
        return False
    together = _started_together(document.content, other.content)
    return sum(after) > sum(before) if together is None else together


def _identity(content: JsonObject) -> list[Any]:
    jobs = [job for job, _ in jobs_of(content) if isinstance(job, dict)]
    keys = ("hostname", "port", "jobname", "groupid", "job options")
    named = [[job.get(key) for key in keys] for job in jobs]
    return [content.get("fio version"), content.get("global options"), named]


def _io_counts(content: JsonObject) -> list[float]:
    return [_io_count(job) for job, _ in jobs_of(content) if isinstance(job, dict)]


def _io_count(job: JsonObject) -> float:
    sections = [job[op] for op in OPS if isinstance(job.get(op), dict)]
    return sum(number(part.get("total_ios")) or number(part.get("io_bytes")) or 0.0 for part in sections)


def _started_together(entry: JsonObject, other: JsonObject) -> bool | None:
    """True if both documents state the same start; None if either states none."""
    pairs = [
        (early, late) for early, late in zip(_job_starts(entry), _job_starts(other), strict=True) if early and late
    ]
    if pairs:
        return all(early == late for early, late in pairs)
    early, late = _derived_start(entry), _derived_start(other)
    return None if early is None or late is None else abs(late - early) <= _SAME_START_S


def _job_starts(content: JsonObject) -> list[float | None]:
    return [number(job.get("job_start")) for job, _ in jobs_of(content) if isinstance(job, dict)]


def _derived_start(content: JsonObject) -> float | None:
    elapsed = [number(job.get("elapsed")) for job, _ in jobs_of(content) if isinstance(job, dict)]
    known = [value for value in elapsed if value is not None]
    milliseconds = number(content.get("timestamp_ms"))
    seconds = number(content.get("timestamp")) if milliseconds is None else milliseconds / 1000
    return seconds - max(known) if known and seconds is not None else None
