"""CSV as all parts of the program write it: no cell that a spreadsheet runs as a formula, no control characters."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

# Characters that begin a formula in a spreadsheet, including wide forms that some convert to plain ones. Some
# spreadsheets skip blanks, quotes and zero-width marks before them.
_FORMULA = re.compile("[\\s\"'\u200b-\u200d\u2060\ufeff]*[=+\\-@|%\t\r\n＝＋－＠]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def csv_text(rows: Iterable[Sequence[Any]], line_end: str = "\n") -> str:
    """The rows as CSV text, each cell made safe."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=line_end).writerows([list(map(safe_cell, row)) for row in rows])
    return text.getvalue()


def safe_cell(value: Any) -> Any:
    """The value as a cell. Missing is empty; text is never a formula and has no control characters. Numbers stay
    numbers, including negative ones and texts that are numbers."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    # The csv module quotes only those line ends that it writes itself.
    text = _CONTROLS.sub(" ", value.replace("\r\n", "\n").replace("\r", "\n"))
    if text.startswith(("'", "% ")) or _is_number(text):
        return text
    return f"'{text}" if _FORMULA.match(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
