"""Cells of a table on screen as cells of a sheet: the exact number, displayed as on screen."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import UTC, datetime

from workbench.charts.tables import Cell, Column, TableData, heading
from workbench.exporters.workbook.cells import MOMENT, Value
from workbench.words.numbers import MINUS, MISSING, THIN
from workbench.words.translated import spoken_words

# Mark of an estimate or a bound, sign, whole digits, decimals, and the text after the number.
_NUMBER = re.compile(r"^((?:[~≤≥<>] ?)?)([+-]?)([0-9]+)(?:\.([0-9]+))?((?: .*|%|\*)?)$")
_MOMENT = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
_DURATION = re.compile(r"^-?[0-9]+(:[0-9]{2}) (min|h)$")
# A unit after a number; longer text is a sentence.
_LONGEST_UNIT = 12


def as_value(cell: Cell) -> tuple[Value, str]:
    """The value to write and its number format. Texts have no format; a missing value is None.

    A number is exact and displayed with the decimals and the unit of the screen. A text with more than its number
    (`better −93.1 %`) stays a text.
    """
    value = cell.value
    if cell.text in (MISSING, ""):
        return None, ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return cell.text, ""
    if not math.isfinite(value):
        return None, ""
    text = cell.text.replace(MINUS, "-").replace(THIN, " ").strip()
    if _MOMENT.match(text):
        return datetime.fromtimestamp(round(float(value), 3), UTC), MOMENT
    if _DURATION.match(text):
        return value, '#,##0" s"'
    match = _NUMBER.match(_ungrouped(text))
    if match is None or len(match[5]) > _LONGEST_UNIT or not _same(match, float(value)):
        return (cell.text, "") if re.search(r"[^\d\s.,+-]", text) else (value, "General")
    return value, _format(match)


def figure_value(text: str) -> tuple[Value, str]:
    """A number known only by its text (`7.35 IOPS`, `29.4*`) and its format; any other text unchanged."""
    match = _NUMBER.match(_ungrouped(text.replace(MINUS, "-").replace(THIN, " ").strip()))
    if match is None or len(match[5]) > _LONGEST_UNIT:
        return text, ""
    return float(f"{match[2]}{match[3]}.{match[4] or '0'}"), _format(match)


def head_of(column: Column) -> str:
    """The title of the column with its unit, in the language of the workbook, whose title and unit are separate."""
    return heading(replace(column, title=spoken_words(column.title), unit=spoken_words(column.unit)))


def with_unit(table: TableData, index: int) -> str:
    """The heading of a column with the unit of its numbers on screen, for cells that cannot show a unit."""
    words = head_of(table.columns[index])
    formats = {as_value(row[index])[1] for row in table.rows}
    units = {match[1].strip() for cell_format in formats if (match := re.search(r'"([^"]*)"', cell_format))}
    unit = units.pop() if len(units) == 1 else ""
    return f"{words} ({unit})" if unit and len(unit) <= 3 and unit != "*" and unit not in words else words


def distinct(names: list[str]) -> list[str]:
    """The names, with numbers at duplicates, because columns of an Excel table need unique names."""
    seen: set[str] = set()
    unlike = []
    for name in names:
        base = " ".join(name.split())[:200] or "Column"
        candidate, number = base, 2
        while candidate.casefold() in seen:
            candidate, number = f"{base} {number}", number + 1
        seen.add(candidate.casefold())
        unlike.append(candidate)
    return unlike


def _ungrouped(text: str) -> str:
    """The text without the spaces between groups of three digits."""
    return re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "", text)


def _same(match: re.Match[str], value: float) -> bool:
    """True if the text is the value rounded to its displayed decimals."""
    _, sign, whole, places, _ = match.groups()
    decimals = len(places or "")
    shown = float(f"{sign}{whole}.{places or '0'}")
    digits = len(whole.lstrip("0")) + decimals
    # Three significant digits may round whole numbers too.
    return abs(shown - value) <= 0.5000001 * 10.0**-decimals or (
        digits >= 3 and abs(shown - value) <= 0.006 * abs(value)
    )


def _format(match: re.Match[str]) -> str:
    mark, sign, _, places, words = match.groups()
    digits = "#,##0" + ("." + "0" * len(places) if places else "")
    unit = words.replace('"', "").replace("\\", "")
    before, after = (f'"{text}"' if text else "" for text in (mark, unit))
    if sign != "+":
        return f"{before}{digits}{after}"
    return ";".join(f"{before}{signed}{digits}{after}" for signed in ("+", "-", ""))
