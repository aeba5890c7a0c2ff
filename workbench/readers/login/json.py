"""JSON documents of one untrusted file: every fault is a problem, and no value is read twice or guessed.

Text before the first line that begins with `{` or `[` (a download's progress, a prompt) is left out with a problem, and
so is text after the last whole document. Excessive nesting, a cut-off file, numbers out of range and repeated keys are
reported by name. `1e999`, NaN and Infinity are not numbers.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.readers.common.row_problems import Problems
from workbench.readers.login.table import RecordTime, decode
from workbench.readers.text.json import paired

JsonObject = dict[str, Any]
_OPENS = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*")
# PowerShell 5 writes dates as /Date(1462867200000)/, milliseconds since 1970 in UTC.
_SERIAL = re.compile(r"/Date\((-?\d{1,15})(?:[+-]\d{4})?\)/")
_YEARS = range(1980, 2200)
_SHOWN = 60
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:]')
# In a whole document, a list under one of these keys holds its objects.
_WRAPS = frozenset(("items", "value"))
_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Documents:
    """The whole documents of a file. If there is none, `fault` gives the reason (code, reason, line)."""

    found: tuple[Any, ...]
    encoding: str
    fault: tuple[str, str, int] | None = None


def first_objects(text: str) -> list[set[str]]:
    """Returns the keys of the first objects of a text that may be cut off: of a document itself, of the objects in its
    list, or of those in the list under its `items` or `value`."""
    objects: list[set[str]] = []
    # Per open bracket: the object it belongs to, or True if it is the list of objects.
    opened: list[set[str] | bool] = []
    word = ""
    for token in map(re.Match.group, _TOKEN.finditer(text)):
        within = opened[-1] if opened else None
        if token == "{":
            keys: set[str] = set()
            opened.append(keys if within is None or within is True else False)
            if opened[-1] is not False:
                objects.append(keys)
        elif token == "[":
            listed = isinstance(within, set) and len(opened) == 1 and word in _WRAPS
            opened.append(within is None or listed)
        elif token == ":" and isinstance(within, set):
            within.add(word)
        elif token in "}]" and opened:
            opened.pop()
        elif token[0] == '"':
            word = token[1:-1]
        if len(objects) > _LOOKED_AT:
            break
    return objects


def read_documents(data: bytes, problems: Problems) -> Documents:
    """Returns every document of the file. Undecodable parts are noted, and become the `fault` if no document is
    left."""
    text, encoding = decode(data)
    if encoding == "cp1252":
        problems.info("encoding", "The file is not UTF-8.", "it was read as Windows-1252")
    text = paired(text)
    start = _OPENS.search(text)
    if start is None:
        return Documents((), encoding, ("no-json", "it contains no JSON document", 1))
    if text[: start.start()].strip():
        problems.warn("leading-text", "There is text before the JSON document.", "text ignored", 1)
    values: list[Any] = []
    repeated: list[str] = []
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=lambda pairs: _object(pairs, repeated))
    index = start.end() - 1
    fault: tuple[str, str, int] | None = None
    while index < len(text):
        try:
            content, index = decoder.raw_decode(text, index)
        except RecursionError:
            fault = ("nested-too-deep", "it nests deeper than any result does", _line(text, index))
            break
        except ValueError as error:
            fault = _fault(text, index, error, bool(values))
            break
        values.append(content)
        index = _next(text, index)
    if fault is not None and values:
        problems.warn(
            fault[0], f"There is other content after the JSON document: {fault[1]}.", "text ignored", fault[2]
        )
        fault = None
    if repeated:
        keys = ", ".join(f"'{key[:_SHOWN]}'" for key in dict.fromkeys(repeated[:5]))
        problems.warn(
            "repeated-key", f"The file states {keys} more than once, with different values.", "the last value was used"
        )
    return Documents(tuple(values), encoding, fault)


def text_of(item: JsonObject, key: str) -> str:
    """Returns a text, or a number or flag as text; empty if there is none."""
    value = item.get(key)
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) else ""


def number_of(item: JsonObject, key: str) -> float | None:
    """Returns a finite number, otherwise None (text, flags, NaN, infinity and 1e999)."""
    value = item.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def moment_of(item: JsonObject, key: str) -> RecordTime | None:
    """Returns a date with a time of day, or None if there is none or the clock was never set."""
    value = item.get(key)
    if isinstance(value, dict):  # PowerShell 5 wraps dates: {"value": "/Date(…)/", "DateTime": "…"}
        value = value.get("value")
    if not isinstance(value, str):
        return None
    try:
        if serial := _SERIAL.fullmatch(value):
            moment = datetime.fromtimestamp(int(serial[1]) / 1000, UTC)
        elif _TIME.fullmatch(value):
            moment = datetime.fromisoformat(value)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    if moment.year not in _YEARS:
        return None
    local = moment.tzinfo is None
    return RecordTime((moment.replace(tzinfo=UTC) if local else moment).timestamp(), not local)


def _object(pairs: list[tuple[str, Any]], repeated: list[str]) -> JsonObject:
    content = dict(pairs)
    if len(content) != len(pairs):
        repeated.extend(key for key, value in pairs if content[key] != value)
    return content


def _next(text: str, index: int) -> int:
    while index < len(text) and text[index] in " \t\r\n\x00\ufeff":
        index += 1
    return index


def _fault(text: str, start: int, error: ValueError, behind: bool) -> tuple[str, str, int]:
    line = _line(text, start)
    if not isinstance(error, json.JSONDecodeError):  # a number of thousands of digits
        return "not-json", str(error).split(";")[0].rstrip("."), line
    end = len(text.rstrip())
    cut = error.pos >= end or error.msg.startswith("Unterminated string")
    if cut and not behind:
        return "truncated", "the file ends in the middle", _line(text, end)
    return "not-json", error.msg, _line(text, error.pos)


def _line(text: str, index: int) -> int:
    return text.count("\n", 0, index) + 1


_MAX_BYTES = 512 * 1024 * 1024


def read_bytes(path: Path, name: str, label: str) -> bytes | Reading:
    """Returns the whole file, or a refusal if it cannot be opened or is larger than 512 MB."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return refused(name, label, "too-large", "The file is larger than 512 MB.", "split it by test run")
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        return refused(name, label, "unreadable", f"The file cannot be read: {reason}.", "check it and try again")


def refused(
    name: str, label: str, code: str, message: str, advice: str, line: int | None = None, rejected: int = 0
) -> Reading:
    """Returns the reading of a recognised file that yields nothing."""
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}", line)
    return Reading(FileReport(path=name, reader=label, recognised=True, rejected_rows=rejected), (problem,))
