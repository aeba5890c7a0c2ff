r"""The header of a PDH-CSV or PDH-TSV file: its mark, zone and bias, its delimiter and its counter paths.

`"(PDH-CSV 4.0) (China Standard Time)(-480)","\\HOST\Object(instance)\Counter",…`. The bias is minutes to add to local
time for UTC; the zone's name determines when summer time begins and ends (`resources/windows_zones.toml`). Windows cuts
the first cell short in some languages (`(PDH-CSV 4.0) (RTZ 2 (`), and typeperf leaves the zone out: then the offset is
unknown, which does not mean UTC. A copy saved by another tool has a column name instead of the mark (`Timestamp`,
`Time`, `Date Time`, `Date` and `Time`) over the same counter paths.
"""

from __future__ import annotations

import csv
import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from workbench.model.resources import resource
from workbench.readers.text.encodings import utf16_encoding

MARK = b"(PDH-"
_MARK = re.compile(r"\(PDH-[CT]SV \d")
# The header of a copy saved by another tool: a time column, or a date and a time column, then only full counter paths.
# Spaces are the only white space allowed, because a tab separates cells.
_QUOTE = r" *(?:\" *)?"
_DATE_AND_TIME = re.compile(rf"{_QUOTE}date{_QUOTE}[,;\t]{_QUOTE}time{_QUOTE}(?=[,;\t])", re.IGNORECASE)
_COPY = re.compile(
    rf"(?:{_DATE_AND_TIME.pattern}|{_QUOTE}(?:time ?stamp|date[ /_]?time|time|date|sample ?time){_QUOTE})"
    r"[,;\t] *(?:\" *)?\\\\[^\\,;\t\"]+\\[^\\\"]+\\[^\\\"]",
    re.IGNORECASE,
)
# A tool that rewrote the file may put its own word for the column after the bias: `(0) Time`.
_BIAS = re.compile(r"\(([+-]?\d{1,4})\)[\w\s]*$")
_NAMED_ZONE = re.compile(r"\(PDH-[CT]SV [^()]{1,8}\) *\((.{1,80}?)\) *\([+-]?\d{1,4}\)")
_FIRST_DELIMITER = re.compile(r"([,;\t])[^,;\t\\]*?\\\\")
# Nearly every counter path: no backslashes except the separators, an instance only after the object. The second pattern
# is a counter path without the machine, or with too few leading backslashes.
_PART = r"[^\\()]{1,200}(?:\([^\n]{0,2000}\))?"
_SHORT_PATH = re.compile(rf"\\?(?:(?P<host>[^\\()]{{1,200}})\\)?(?P<rest>{_PART}\\[^\\]{{1,400}})")
_NO_MACHINE = re.compile(r"\\\\(?P<rest>[^\\()]{1,200}\([^\n]{0,2000}\)\\[^\\()]{1,400})")
_FIRST_BACKSLASH = re.compile(r"([,;\t])[^,;\t\\]*?\\")
_USUAL_PATH = re.compile(r"\\\\([^\\]*)\\([^\\(]*)(?:\(([^\\]*)\))?\\([^\\]*)")
_LARGEST_BIAS = 14 * 60
_DELIMITERS = ",\t;"


class CounterPath(NamedTuple):
    r"""The parts of `\\host\object(instance)\counter`; an absent part is empty."""

    host: str
    object: str
    instance: str
    counter: str


@dataclass(frozen=True, slots=True)
class PdhHeader:
    """A read header. `names` are the cells after the first, as the file writes them. `quoted`: the cells are quoted.
    `repaired`: the quotes of the header did not match and were fixed. `zone` is the zone (IANA) that it names, None
    if unknown. `foreign`: the zone's name is not one of English Windows. `by_name`: the file's name replaces a
    machine that the paths lack. `stamped`: each time states its offset from UTC, as a copy by another tool may."""

    names: tuple[str, ...]
    delimiter: str
    utc_offset_minutes: int | None
    quoted: bool
    repaired: bool
    zone: str | None = None
    by_name: bool = False
    foreign: bool = False
    stamped: bool = False

    @property
    def width(self) -> int:
        """Returns the number of header cells, including the one above the timestamps."""
        return len(self.names) + 1


def starts_with_mark(line: str) -> bool:
    """True if a line begins like a PDH header, with or without its first quote, or is the header of a copy."""
    line = line.lstrip("\ufeff")
    return _MARK.match(line.lstrip(" \t\"'")) is not None or is_copy(line)


def is_copy(line: str) -> bool:
    r"""True if a line is the header of a copy saved by another tool: `Timestamp,\\HOST\Object\Counter`."""
    return _COPY.match(line) is not None


def has_date_and_time(line: str) -> bool:
    """True if the header of a copy has a date column before the time column."""
    return _DATE_AND_TIME.match(line.lstrip("\ufeff")) is not None and is_copy(line.lstrip("\ufeff"))


def parse_header(line: str) -> PdhHeader:
    """Returns the header of a file from its line; a header without counters has empty `names`."""
    line = line.rstrip("\r\n")
    delimiter = _delimiter(line)
    quoted = '"' in line
    cells = _strict_cells(line, delimiter)
    repaired = cells is None or (line.lstrip()[:1] == "(" and cells[0].endswith('"'))
    if cells is None:
        cells = _mended_cells(line, delimiter)
    first, *names = cells
    first = first.strip().strip('"')
    zone = _zone(first)
    return PdhHeader(
        tuple(names), delimiter, _utc_offset(first), quoted, repaired and quoted, zone, foreign=_is_foreign(first, zone)
    )


def in_machine(header: PdhHeader, machine: str) -> PdhHeader:
    """Returns the header with full counter paths; `machine` becomes the host of paths that name none."""
    if not any(map(_lacks, header.names)):
        return header
    machine = machine.replace("\\", "_")
    names = tuple(_full(name, machine) if _lacks(name) else name for name in header.names)
    return replace(header, names=names, by_name=any(_full(name, "") != _full(name, "x") for name in header.names))


def takes_name(head: bytes) -> bool:
    """True if the paths in these first bytes of a file name no machine, so the file's name is used."""
    text = head.decode(utf16_encoding(head) or "utf-8", errors="replace")
    line = next((line for line in re.split(r"[\r\n]", text) if starts_with_mark(line)), "")
    # The last path may be cut off.
    names = parse_header(line).names[:-1] or parse_header(line).names
    return any(_lacks(name) and _full(name, "") != _full(name, "x") for name in names)


def _lacks(name: str) -> bool:
    """True if a header cell is a counter path without a machine, or with too few leading backslashes."""
    return _NO_MACHINE.fullmatch(name) is not None or (not is_path(name) and _SHORT_PATH.fullmatch(name) is not None)


def _full(name: str, machine: str) -> str:
    match = _NO_MACHINE.fullmatch(name) or _SHORT_PATH.fullmatch(name)
    return f"\\\\{match.groupdict().get('host') or machine}\\{match['rest']}" if match else name


def is_path(name: str) -> bool:
    """True if a header cell is a counter path."""
    return name.startswith("\\\\") and "\\" in name[2:]


def split_path(path: str) -> CounterPath:
    """Returns the parts of a counter path. The counter begins after the last backslash outside parentheses."""
    usual = _USUAL_PATH.fullmatch(path)
    if usual is not None:
        return CounterPath._make(usual.groups(""))
    remainder = path.removeprefix("\\\\")
    host, text, remainder = remainder.partition("\\")
    if not text:
        return CounterPath("", "", "", path)
    cut = _last_backslash(remainder)
    body, counter = (remainder[:cut], remainder[cut + 1 :]) if cut >= 0 else (remainder, "")
    return CounterPath(host, *_instance_apart(body), counter)


def _instance_apart(body: str) -> tuple[str, str]:
    """Returns the object and the instance of `object(instance)`."""
    opening = body.find("(")
    if opening < 0 or not body.endswith(")"):
        return body, ""
    return body[:opening], body[opening + 1 : -1]


def _delimiter(line: str) -> str:
    """Returns the delimiter before the first counter path, otherwise tab or comma by the kind of file."""
    match = _FIRST_DELIMITER.search(line) or _FIRST_BACKSLASH.search(line)
    if match is not None:
        return match[1]
    return "\t" if "(PDH-TSV" in line else ","


def _strict_cells(line: str, delimiter: str) -> list[str] | None:
    """Returns the cells by the rules of CSV, or None if any is not a counter path."""
    plain = _plain_cells(line, delimiter)
    if plain is not None:
        return plain
    try:
        cells = next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    cells = [cell.strip() for cell in cells]
    inner = [cell for cell in cells[1:] if cell]
    if inner and not (is_path(inner[-1]) or _lacks(inner[-1])):
        inner = inner[:-1]  # the description of a collector set
    good = all((is_path(cell) or _lacks(cell)) and '"' not in cell and f"{delimiter}\\\\" not in cell for cell in inner)
    return cells if good and all(cells[1:-1]) else None


def _plain_cells(line: str, delimiter: str) -> list[str] | None:
    """Returns the cells of the usual header: all quoted, and all but the first a path. None for any other."""
    if not (line.startswith('"') and line.endswith('"')) or '" ' in line or ' "' in line:
        return None
    cells = line[1:-1].split(f'"{delimiter}"')
    paths = len(cells) - 1
    usual = line.count('"') == 2 * len(cells) and line.count(f'"{delimiter}"\\\\') == paths
    if not usual or f"{delimiter}\\\\" in line or not all(map(is_path, cells[1:])):
        return None
    return cells


def _mended_cells(line: str, delimiter: str) -> list[str]:
    """Returns the cells of a header with missing or misplaced quotes or delimiters: each counter path begins after a
    quote or a delimiter."""
    mark = re.escape(delimiter)
    # Search quotes and blanks once, from their first position: a search from each quote took 20 s for 30,000 of them.
    pieces = re.split(rf"(?:{mark}[^{mark}\\]*|(?<![\"\s])\s*+\"[\"\s]*+)(?=\\\\[^\\])", line)
    cells: list[str] = []
    for piece in pieces:
        cells += re.split(rf'"\s*{mark}\s*"?', piece)
    return [cell.strip().strip('"').strip() for cell in cells]


def _utc_offset(first: str) -> int | None:
    """Returns minutes east of UTC from the bias in the first cell, or None if there is none."""
    mark = _MARK.search(first)
    match = _BIAS.search(first, mark.end()) if mark else None
    if match is None or abs(int(match[1])) > _LARGEST_BIAS:
        return None
    return -int(match[1])


def _zone(first: str) -> str | None:
    """Returns the zone that the first cell names before its bias. In summer Windows may write the name of summer
    time."""
    match = _NAMED_ZONE.search(first)
    if match is None:
        return None
    name = match[1].strip().casefold()
    return windows_zones().get(re.sub(r" (?:daylight|summer) time\b", " standard time", name))


def _is_foreign(first: str, zone: str | None) -> bool:
    """True if the first cell names a zone unlike English Windows, whose names end in `Time` or begin with `UTC`."""
    match = _NAMED_ZONE.search(first) if zone is None else None
    return match is not None and re.search(r"time\b|^utc\b", match[1], re.IGNORECASE) is None


@cache
def windows_zones() -> dict[str, str]:
    """Maps Windows' name of a time zone, in lower case, to the zone of the IANA database."""
    rows = tomllib.loads(resource("windows_zones.toml").read_text("utf-8"))
    return {name.casefold(): zone for name, zone in rows.items()}


def _last_backslash(text: str) -> int:
    if ")" not in text:
        return text.rfind("\\")
    behind_instance = text.rfind(")\\")
    if behind_instance >= 0 and ")" not in text[behind_instance + 2 :]:
        return behind_instance + 1
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        letter = text[index]
        if letter == ")":
            depth += 1
        elif letter == "(":
            depth = max(0, depth - 1)
        elif letter == "\\" and depth == 0:
            return index
    return text.rfind("\\")
