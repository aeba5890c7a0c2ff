"""One JSON document from an untrusted file: its content, or the reason why there is none.

Text before and after the document is reported, and repeated keys with different values are listed. Numbers too large
for a float become infinite, which `number` rejects.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.readers.text.encodings import utf16_encoding

LONE = "lone-surrogate"
# One escape, or a pair of them that forms one character.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_MOST, _HEAD = 512 << 20, 65_536
_BEGINS = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Json:
    """A decoded document. `before` and `after` are True if it has other text around it."""

    content: Any
    repeated: tuple[str, ...] = ()
    before: bool = False
    after: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a document cannot be decoded: a stable code, a sentence, the faulty line."""

    code: str
    reason: str
    line: int


def paired(text: str) -> str:
    r"""Returns the JSON text with `\ufffd` for each lone surrogate (`\ud800`), because no valid text holds one. All
    other characters keep their positions."""
    if _HALF.search(text) is None:
        return text
    return _ESCAPE.sub(lambda match: "\\ufffd" if match[1] else match[0], text)


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
    message = f"A text on line {line:,} contains an incomplete character (lone surrogate)."
    action = "read as \ufffd: names may be other ones, so write the file again"
    return (Problem(Severity.WARNING, report.path, LONE, message, action, line),)


def decode_json(text: str) -> Json | Broken:
    """Returns the first document of the text. Never raises."""
    text = paired(text)
    begins = _BEGINS.search(text)
    if begins is None:
        return Broken("not-json", "it contains no JSON object or list", 1)
    start = begins.end() - 1
    repeated: list[str] = []
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=lambda pairs: _object(pairs, repeated))
    try:
        content, end = decoder.raw_decode(text, start)
    except RecursionError:
        return Broken("nested-too-deep", "it nests deeper than any result does", _line(text, start))
    except json.JSONDecodeError as error:
        return _broken(text, error)
    except ValueError as error:  # a number of thousands of digits
        return Broken("not-json", str(error).split(";")[0], _line(text, start))
    names = tuple(dict.fromkeys(repeated))
    return Json(content, names, bool(text[:start].strip("\ufeff \t\n")), bool(text[end:].strip("\0 \t\n")))


def number(value: object) -> float | None:
    """Returns a finite number that is not negative, otherwise None (text, booleans, NaN, infinity and 1e999)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    return as_float if 0.0 <= as_float < float("inf") else None


def _object(pairs: list[tuple[str, Any]], repeated: list[str]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        repeated.extend(key for key, value in pairs if content[key] != value)
    return content


def _broken(text: str, error: json.JSONDecodeError) -> Broken:
    end = len(text.rstrip("\0 \t\n"))
    if error.pos >= end or error.msg.startswith("Unterminated string"):
        return Broken("truncated", "the file ends in the middle", _line(text, end))
    return Broken("not-json", error.msg, _line(text, error.pos))


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
