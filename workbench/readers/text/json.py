"""JSON documents of an untrusted file: every fault is a problem, and no value is read twice or guessed.

Text before the first line that begins with `{` or `[` (a download's progress, a prompt) is reported, and so is text
after the last whole document. Excessive nesting, a cut-off file, numbers out of range and repeated keys with different
values are reported by name. Numbers too large for a float become infinite, which `number` and `number_of` reject.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from workbench.model.problem import Problem, Severity, few_named
from workbench.model.reading import Reading
from workbench.readers.common.row_problems import Problems
from workbench.readers.text.encodings import decode_text, utf16_encoding
from workbench.readers.text.timestamps import RecordTime, iso_moment, moment_at

JsonObject = dict[str, Any]

LONE = "lone-surrogate"
# One escape, or a pair of them that forms one character.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_MOST, _HEAD = 512 << 20, 65_536
_BEGINS = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
# PowerShell 5 writes dates as /Date(1462867200000)/, milliseconds since 1970 in UTC.
_SERIAL = re.compile(r"/Date\((-?\d{1,15})(?:[+-]\d{4})?\)/")
_SHOWN = 60
# Any character that may begin a further document.
_CONTENT = re.compile(r"[^ \t\r\n\x00\ufeff]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:]')
# In a whole document, a list under one of these keys holds its objects.
_WRAPS = frozenset(("items", "value"))
_LOOKED_AT = 20
# What is wrong with a text, by the beginning of the json module's message.
_FAULTS = {
    "Expecting value": "a value is missing or invalid",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name": "a key in double quotes is missing",
    "Illegal trailing comma": "there is a comma after the last value",
    "Invalid": "a text contains an invalid escape sequence",
}


@dataclass(frozen=True, slots=True)
class Json:
    """A decoded document. `before` and `after` are True if it has other text around it."""

    content: Any
    repeated: tuple[str, ...] = ()
    before: bool = False
    after: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """The reason why a document cannot be decoded: a stable code, a sentence, the faulty line."""

    code: str
    reason: str
    line: int


@dataclass(frozen=True, slots=True)
class Documents:
    """The whole documents of a file. If there is none, `fault` gives the reason."""

    found: tuple[Any, ...]
    encoding: str
    fault: Broken | None = None


def paired(text: str) -> str:
    r"""Returns the JSON text with `\ufffd` for each lone surrogate (`\ud800`), because no valid text holds one. All
    other characters keep their positions."""
    if _HALF.search(text) is None:
        return text
    return _ESCAPE.sub(lambda match: "\\ufffd" if match[1] else match[0], text)


def kind_of(value: object) -> str:
    """The kind of a value in words, such as `a list`."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds: dict[type, str] = {dict: "an object", list: "a list", str: "text"}
    return kinds.get(type(value), "a number")


def shown(value: object, most: int) -> str:
    """A value in words: text in quotes, numbers as they are, lists and objects only by their kind."""
    if isinstance(value, str):
        return f"'{value[:most]}'"
    return json.dumps(value)[:most] if isinstance(value, int | float) else kind_of(value)


def fault_of(error: ValueError) -> str:
    """The reason in words why the json module rejects a text."""
    if not isinstance(error, json.JSONDecodeError):
        return "a number has thousands of digits"
    return next((words for start, words in _FAULTS.items() if error.msg.startswith(start)), "it is not valid JSON")


def lone_surrogates(reading: Reading, path: Path) -> tuple[Problem, ...]:
    """Returns a problem if an imported JSON file holds lone surrogates. Raises OSError if it cannot be read."""
    report = reading.report
    if report.encoding is None or report.delimiter or path.stat().st_size > _MOST:
        return ()
    data = path.read_bytes()
    text = data.decode(utf16_encoding(data) or "utf-8", errors="replace")
    if not text.lstrip("\ufeff")[:_HEAD].count("{") or (clean := paired(text)) == text:
        return ()
    at = next(index for index, (one, other) in enumerate(zip(text, clean, strict=True)) if one != other)
    line = text.count("\n", 0, at) + 1
    message = f"Text on line {line:,} contains an incomplete character (lone surrogate)."
    action = "character replaced by \ufffd, so names may be wrong; export the file again"
    return (Problem(Severity.WARNING, report.path, LONE, message, action, line),)


def decode_json(text: str) -> Json | Broken:
    """Returns the first document of the text. Never raises."""
    text = paired(text)
    begins = _BEGINS.search(text)
    if begins is None:
        return Broken("not-json", "it contains no JSON object or list", 1)
    start = begins.end() - 1
    repeated: list[str] = []
    found = _decoded(text, start, repeated)
    if isinstance(found, Broken):
        return found
    content, end = found
    names = tuple(dict.fromkeys(repeated))
    return Json(content, names, bool(text[:start].strip("\ufeff \t\n")), bool(text[end:].strip("\0 \t\n")))


def read_documents(data: bytes, problems: Problems) -> Documents:
    """Returns every document of the file. Undecodable parts are noted, and become the `fault` if no document is
    left."""
    text, encoding = decode_text(data)
    if encoding == "cp1252":
        problems.info("encoding", "The file is not UTF-8.", "file decoded as Windows-1252")
    text = paired(text)
    start = _BEGINS.search(text)
    if start is None:
        return Documents((), encoding, Broken("no-json", "it contains no JSON document", 1))
    if text[: start.start()].strip():
        problems.warn(
            "leading-text", "The file contains text before the JSON document.", "text ignored; check it in the file", 1
        )
    values: list[Any] = []
    repeated: list[str] = []
    index, fault = start.end() - 1, None
    while index < len(text) and fault is None:
        found = _decoded(text, index, repeated, behind=bool(values))
        if isinstance(found, Broken):
            fault = found
        else:
            values.append(found[0])
            behind = _CONTENT.search(text, found[1])
            index = len(text) if behind is None else behind.start()
    if fault is not None and values:
        message = "The file contains other content after the JSON document."
        problems.warn(fault.code, message, "content ignored; check it in the file", fault.line)
        fault = None
    if repeated:
        keys = few_named([f"'{key[:_SHOWN]}'" for key in dict.fromkeys(repeated)])
        problems.warn(
            "repeated-key",
            f"The file repeats {keys} with different values.",
            "the last value was imported; check the values in the file",
        )
    return Documents(tuple(values), encoding, fault)


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


def number(value: object) -> float | None:
    """Returns a finite number that is not negative, otherwise None (text, booleans, NaN, infinity and 1e999)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    return as_float if 0.0 <= as_float < float("inf") else None


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
    serial = _SERIAL.fullmatch(value)
    return iso_moment(value) if serial is None else moment_at(int(serial[1]) / 1000)


def _object(pairs: list[tuple[str, Any]], repeated: list[str]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        repeated.extend(key for key, value in pairs if content[key] != value)
    return content


def _decoded(text: str, start: int, repeated: list[str], behind: bool = False) -> tuple[Any, int] | Broken:
    """Returns the document that begins at `start`, and the position after it. `behind`: it follows another one."""
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=lambda pairs: _object(pairs, repeated))
    try:
        return decoder.raw_decode(text, start)
    except RecursionError:
        return Broken("nested-too-deep", "it is nested too deeply", _line(text, start))
    except json.JSONDecodeError as error:
        end = len(text.rstrip("\0 \t\r\n"))
        if not behind and (error.pos >= end or error.msg.startswith("Unterminated string")):
            return Broken("truncated", "it is cut off", _line(text, end))
        return Broken("not-json", fault_of(error), _line(text, error.pos))
    except ValueError as error:  # a number with thousands of digits
        return Broken("not-json", fault_of(error), _line(text, start))


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
