"""The faults of a TOML file in words: tomllib's texts are for programmers."""

from __future__ import annotations

import re

# The start of tomllib's text, and the fault as a clause.
_FAULTS = (
    ("Cannot overwrite a value", "a key is set twice"),
    ("Duplicate inline table key", "a key is set twice"),
    ("Cannot declare", "a table is defined twice"),
    ("Cannot mutate immutable namespace", "a table is defined twice"),
    ("Cannot redefine namespace", "a table is defined twice"),
    ("Expected '='", "a key has no '='"),
    ("Expected ']", "a closing bracket is missing"),
    ("Expected newline", "unexpected text follows a value"),
    ("Unclosed array", "a closing bracket is missing"),
    ("Unclosed inline table", "a closing brace is missing"),
    ("Unterminated string", "a closing quotation mark is missing"),
    ("Expected", "a closing quotation mark is missing"),
    ("Unescaped", "a backslash in quotation marks is not doubled"),
    ("Invalid hex value", "a Unicode escape is invalid"),
    ("Escaped character", "a Unicode escape is invalid"),
    ("Found invalid character", "a character is invalid"),
    ("Illegal character", "a character is invalid"),
    ("Invalid date or datetime", "a date or time is invalid"),
    ("Invalid value", "a value is missing, invalid or without quotation marks"),
    ("Invalid initial character", "a key is missing or starts with an invalid character"),
    ("Invalid statement", "a line starts with an invalid character"),
    ("Exceeds the limit", "a number has thousands of digits"),
)
_PLACE = re.compile(r" \(at (?:line \d+, column \d+|end of document)\)$")


def toml_fault(error: Exception) -> str:
    """Returns the fault of a TOML file as a clause. Other texts than tomllib's are kept."""
    if isinstance(error, RecursionError):
        return "its values are nested too deeply"
    text = _PLACE.sub("", str(error))
    return next((words for start, words in _FAULTS if text.startswith(start)), text)
