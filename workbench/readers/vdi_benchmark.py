"""vdi-benchmark: storage values of any tool, in JSON that any lab script can write.

Source of the format: this project (docs/formats.md). Its JSON schema is resources/schemas/vdi-benchmark.schema.json,
generated from the classes below. Each entry of `results` is one row; keys next to `results` apply to all of them. Units
are in the names: `mb_per_s` is 10^6 bytes per second, latencies are milliseconds, times are ISO-8601 with an offset. A
value that was not measured is left out or null, never 0.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem, few_named
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import acted, counting, numbered, quoted
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import LoadedText
from workbench.readers.text.json import Json, shown

LABEL = "vdi-benchmark"
SCHEMA = "vdi-benchmark/1"
_IS_OURS = re.compile(r'"schema"\s*:\s*"vdi-benchmark/')
_MAX_PROBLEMS = 50
_SHOWN = 60
_REJECTED = "result rejected; correct the file and open it again"

# The types of msgspec in words.
_TYPES = {
    "array": "a list",
    "bool": "true or false",
    "datetime": "a time",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "text",
}

# Its limits of a value in words.
_RANGES = {
    "of length >=": "of at least the length",
    "of length <=": "of at most the length",
    ">=": "of at least",
    "<=": "of at most",
}

_Text = Annotated[str, Meta(min_length=1, max_length=500)]
_Figure = Annotated[float, Meta(ge=0)]
_Count = Annotated[int, Meta(ge=1, le=2**53)]
_Percent = Annotated[float, Meta(ge=0, le=100)]
# Upper edge of a latency bucket in ms, and the percentage of I/Os in it.
_Bucket = tuple[_Figure, _Percent]
_Moment = Annotated[datetime, Meta(tz=True)]


class Shared(msgspec.Struct, kw_only=True):
    """Keys allowed for all results or for one; the one in a result takes precedence."""

    tool: _Text | None = None
    tool_version: _Text | None = None
    test: _Text | None = None
    host: _Text | None = None
    started: _Moment | None = None


class Result(Shared, kw_only=True):
    """One row: one direction of one test."""

    op: Literal["read", "write", "trim", "mixed", "total"]
    job: _Text | None = None
    iops: _Figure | None = None
    mb_per_s: _Figure | None = None
    latency_mean_ms: _Figure | None = None
    latency_p50_ms: _Figure | None = None
    latency_p95_ms: _Figure | None = None
    latency_p99_ms: _Figure | None = None
    block_bytes: _Count | None = None
    queue_depth: _Count | None = None
    threads: _Count | None = None
    read_percent: _Percent | None = None
    pattern: Literal["random", "sequential"] | None = None
    error: _Text | None = None
    histogram: Annotated[list[_Bucket], Meta(max_length=5000)] = []


class VdiBenchmark(Shared, kw_only=True):
    """A vdi-benchmark file."""

    schema: Literal["vdi-benchmark/1"]
    tool: _Text
    results: list[Result]


_FIGURES = ("iops", "mb_per_s", "latency_mean_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")


def json_schema() -> dict[str, Any]:
    """Returns the published JSON schema of the format."""
    made = msgspec.json.schema(VdiBenchmark)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "vdi-benchmark", **made}


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if the file names its schema."""
    text = bt.head_text(head)
    return 1.0 if "vdi-benchmark/" in text and _IS_OURS.search(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns a row per result. A result that does not follow the schema is rejected; the others are kept."""
    loaded = bt.load_json(path, name, LABEL, "vdi-benchmark file", "correct the file and open it again")
    return loaded if isinstance(loaded, Reading) else _reading(*loaded, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(document: Json, loaded: LoadedText, name: str) -> Reading:
    content = document.content
    stated = content.get("schema") if isinstance(content, dict) else None
    if stated != SCHEMA:
        message = f"The key 'schema' must be '{SCHEMA}', not {shown(stated, _SHOWN)}."
        advice = "correct the file and open it again"
        return bt.refused(LABEL, name, "unknown-schema", message, advice, encoding=loaded.encoding)
    entries = content.get("results")
    try:
        shared = msgspec.convert({**content, "results": []}, VdiBenchmark)
    except msgspec.ValidationError as error:
        return bt.refused(
            LABEL,
            name,
            "schema",
            f"The file does not match {SCHEMA}: {_mismatch(error)}.",
            "correct the file and open it again",
            encoding=loaded.encoding,
        )
    if not isinstance(entries, list) or not entries:
        message = "The list “results” is missing or empty."
        return bt.refused(
            LABEL, name, "no-results", message, "add a result and open the file again", encoding=loaded.encoding
        )
    outcomes = [_row(entry, index, shared, name) for index, entry in enumerate(entries)]
    rows = [outcome for outcome in outcomes if isinstance(outcome, Benchmark)]
    wrong = [outcome for outcome in outcomes if isinstance(outcome, Problem)]
    if not rows:
        return bt.refused(
            LABEL,
            name,
            "schema",
            wrong[0].message,
            "correct the file and open it again",
            encoding=loaded.encoding,
            rejected=len(wrong),
        )
    problems = [*_document_problems(document, name), *_first(wrong, name)]
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, len(wrong))


def _row(entry: object, index: int, shared: VdiBenchmark, name: str) -> Benchmark | Problem:
    try:
        result = msgspec.convert(entry, Result)
    except msgspec.ValidationError as error:
        message = f"results[{index}] does not match {SCHEMA}: {_mismatch(error)}."
        return bt.warning(name, "schema", message, _REJECTED)
    if any(not _is_finite(getattr(result, key)) for key in (*_FIGURES, "read_percent")):
        message = f"results[{index}] has a value that is not a finite number."
        return bt.warning(name, "not-a-number", message, _REJECTED)
    if not _rising([edge for edge, _ in result.histogram]):
        message = f"results[{index}] has a histogram whose edges are not in ascending order."
        return bt.warning(name, "histogram", message, _REJECTED)
    if result.error is None and all(getattr(result, key) is None for key in _FIGURES):
        message = f"results[{index}] has neither values nor an error."
        return bt.warning(name, "no-figures", message, _REJECTED)
    return replace(_benchmark(result, shared, name), place=f"results[{index}]")


def _mismatch(error: msgspec.ValidationError) -> str:
    """The key at fault and the required type in words, such as `'iops' must be a number or null, not text`."""
    fault, _, place = str(error).partition(" - at `$.")
    subject = f"'{place[:-1]}'" if place else "it"
    if missing := re.fullmatch("Object missing required field `(.*)`", fault):
        return f"the key '{missing[1]}' is missing"
    if unknown := re.fullmatch("Invalid enum value (.*)", fault):
        return f"{subject} has the unknown value {unknown[1]}"
    if fault.startswith("Invalid RFC3339") or "timezone" in fault:
        return f"{subject} must be a time with its offset, such as 2026-03-01T09:00:00Z"
    if fault == "Number out of range":
        return f"{subject} is out of range"
    words = re.sub(
        "`(.*?)`", lambda types: " or ".join(_TYPES.get(name, name) for name in types[1].split(" | ")), fault
    )
    words = words.replace("text of length >= 1", "text with at least 1 character")
    for least, of_least in _RANGES.items():
        words = re.sub(rf" {least} (-?\d+)(?:\.0)?$", rf" {of_least} \1", words)
    words = re.sub("(?<=whole number)(| or null), got a number$", r"\1, got a decimal number", words)
    return f"{subject} {words.replace('Expected', 'must be', 1).replace(', got', ', not', 1)}"


def _rising(edges: list[float]) -> bool:
    finite = all(_is_finite(edge) for edge in edges)
    return finite and all(value < other for value, other in itertools.pairwise(edges))


def _is_finite(value: float | None) -> bool:
    return value is None or value < float("inf")


def _benchmark(result: Result, shared: VdiBenchmark, name: str) -> Benchmark:
    figures = {key: getattr(result, key) for key in _FIGURES}
    return Benchmark(
        path=name,
        tool=result.tool or shared.tool,
        op=Op(result.op),
        tool_version=result.tool_version or shared.tool_version,
        test=result.test or shared.test or bt.file_stem(name),
        job=result.job,
        host=result.host or shared.host,
        block_bytes=result.block_bytes,
        queue_depth=result.queue_depth,
        threads=result.threads,
        read_percent=result.read_percent,
        started=_utc(result.started or shared.started),
        error=result.error,
        pattern=result.pattern,
        histogram=tuple(result.histogram),
        **figures,
    )


def _utc(moment: datetime | None) -> str | None:
    try:
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
    except OverflowError:  # the first or last hours of the calendar
        return None


def _document_problems(document: Json, name: str) -> list[Problem]:
    problems = bt.repeated_keys(document, name)
    if document.before or document.after:
        message = "The file contains other text before or after the JSON."
        problems.append(bt.warning(name, "text-around", message, "text ignored; check it in the file"))
    if unknown := _unknown_keys(document.content):
        shown = few_named(quoted(unknown))
        message = f"The file contains {numbered(len(unknown), 'key')} that {SCHEMA} does not define: {shown}."
        problems.append(bt.info(name, "unknown-key", message, acted("key ignored", len(unknown))))
    return problems


def _unknown_keys(content: dict[str, Any]) -> list[str]:
    known = set(VdiBenchmark.__struct_fields__) | {"$schema"}
    of_results = set(Result.__struct_fields__)
    unknown = [key for key in content if key not in known]
    for entry in content["results"]:
        unknown.extend(key for key in entry if key not in of_results) if isinstance(entry, dict) else None
    return list(dict.fromkeys(unknown))


def _first(wrong: list[Problem], name: str) -> list[Problem]:
    """Returns the first of many problems: a script's error is usually the same in every result."""
    if len(wrong) <= _MAX_PROBLEMS:
        return wrong
    number = len(wrong) - _MAX_PROBLEMS
    message = f"{counting(number, 'other result', 'does', 'do')} not match {SCHEMA}."
    return [
        *wrong[:_MAX_PROBLEMS],
        bt.warning(name, "schema", message, acted("result rejected; check it in the file", number)),
    ]
