"""A PDH file with its header read and checked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.fast import PdhPart, split_cells
from workbench.readers.perfmon.header import (
    MARK,
    PdhHeader,
    has_date_and_time,
    in_machine,
    parse_header,
    starts_with_mark,
)
from workbench.readers.text.encodings import Text, decode_header, open_text
from workbench.readers.text.timestamps import without_offset

# Each counter takes 600 bytes while a file is read: up to this number a process stays below 1 GB. A host has 50,000.
MOST_COUNTERS = 1_000_000
NO_ROWS = "The file has a header but no rows."
# The first two cells of a line, with the delimiter between them and the quotes around it.
_BLOCK = 1 << 20
# One quote does not lose more names than this.
_MOST_LOST = 3
# A date and a time of day, the beginning of a row.
_STAMP = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4} \d{1,2}:\d{2}:\d{2}")
_BOTH = re.compile(rb'^("?[^",;\t\r\n]*)"?[,;\t]"?([^,;\t\r\n]*)', re.MULTILINE)


class PerfmonRefusedError(Exception):
    """The file holds no usable data. `rows` is the number of its rows, `problem` the code, sentence and remedy; None if
    the reason is already noted."""

    def __init__(self, rows: int, *problem: str) -> None:
        super().__init__(*problem)
        self.rows, self.problem = rows, problem


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file with its header read: the byte and the physical line of its first row. `glued`: a row follows the header
    in the same line."""

    text: Text
    header: PdhHeader
    encoding: str
    start: int
    header_line: int
    first_row: str
    name: str
    date_order: str | None
    glued: bool = False

    @property
    def rows(self) -> PdhPart:
        """Returns all rows of the file."""
        return PdhPart(self.text.data or self.text.path, self.start, self.header_line, self.first_row)

    @property
    def label(self) -> str:
        """Returns the name of the encoding in the report."""
        return "utf-16" if self.text.utf16 else self.encoding


def open_file(path: Path, name: str, date_order: str | None) -> OpenedFile:
    """Opens a file and reads its header; `date_order` is the order that its run states for ambiguous dates. Raises
    OSError."""
    text = open_text(path)
    before, line, start = text.lines_before(MARK)
    if not line:
        text, (before, line, start) = _copy(text)
    decoded, encoding = decode_header(line)
    first = next(text.blocks(start, 1), b"").decode(encoding, errors="replace").rstrip("\r\n")
    header = _with_lost_names(in_machine(parse_header(decoded), PurePosixPath(name).stem), decoded, first)
    stamp = (split_cells(first, header.delimiter, header.width) or [""])[0].strip().strip('"')
    if (minutes := without_offset(stamp)[1]) is not None:
        header = replace(header, utc_offset_minutes=minutes, zone=None, stamped=True)
    glued = _STAMP.search(decoded) is not None
    return OpenedFile(text, header, encoding, start, len(before) + 1, first, name, date_order, glued)


def _with_lost_names(header: PdhHeader, line: str, first_row: str) -> PdhHeader:
    r"""Returns the header with a place for each lost name, so the names after it keep their columns. This applies if
    text precedes the quote of one path (`   -"\\host…`) and the first row has more cells than the header."""
    mark = re.escape(header.delimiter)
    found = re.finditer(rf'{mark}([^{mark}\\"]*+)"(?=\\\\)', line)
    ends = [match.end() for match in found if match[1].strip()]
    cells = split_cells(first_row, header.delimiter, header.width + 1) if header.repaired and len(ends) == 1 else None
    lost = 0 if cells is None else len(cells) - header.width
    if not 0 < lost <= _MOST_LOST:
        return header
    place = len(re.findall(rf'[{mark}"](?=\\\\)', line[: ends[0]]))
    return replace(header, names=(*header.names[:place], *[""] * lost, *header.names[place:]))


def _copy(text: Text) -> tuple[Text, tuple[list[bytes], bytes, int]]:
    """Returns the text of a copy without PDH's mark, with dates and times of two columns joined, and the position of
    its header."""
    places = text.lines_where(lambda line: starts_with_mark(line.decode("utf-8", errors="replace")))
    if not has_date_and_time(places[1].decode("utf-8", errors="replace")):
        return text, places
    data = text.path.read_bytes() if text.data is None else text.data
    text = replace(text, data=_BOTH.sub(lambda match: match[1] + b" " + match[2], data))
    text = replace(text, size=len(text.data or b""))
    return text, text.lines_where(lambda line: line.lstrip(b'\xef\xbb\xbf" ').lower().startswith(b"date"))


def check_header(opened: OpenedFile, problems: Problems) -> None:
    """Notes an unknown time zone, fixed quotes, and lines before the header. Raises PerfmonRefusedError if the header
    cannot be used."""
    header, line = opened.header, opened.header_line
    if opened.glued:
        message = f"The header on line {line} has no line break: the first row is on the same line."
        action = "file not imported; insert a line break, or export the file again"
        blocks = opened.text.blocks(opened.start, _BLOCK)
        below = sum(bool(row.strip()) for block in blocks for row in block.split(b"\n"))
        raise PerfmonRefusedError(below + 1, "header-no-line-end", message, action)
    if line > 1:
        problems.info("lines-before-header", f"The header is on line {line}.", "earlier lines ignored", line)
    if header.repaired:
        problems.warn(
            "header-quotes",
            f"The header on line {line} has unmatched quotation marks.",
            "counter names recognised by their backslashes; check the names",
            line,
        )
    if header.by_name:
        problems.info(
            "machine-from-name",
            f"The counter paths on line {line} contain no machine name.",
            "file name used as the machine name; if it is wrong, rename the file",
            line,
        )
    if header.utc_offset_minutes is None:
        problems.warn(
            "time-zone-unknown",
            "The header contains no UTC offset.",
            'timestamps are shown as in the file; use Run › Time zone… or set time_zone = "+01:00" in run.toml',
            line,
        )
    if not header.names:
        raise PerfmonRefusedError(
            0, "no-counters", "The header contains no counters.", "file not imported; record the log again"
        )
    if len(header.names) > MOST_COUNTERS:
        message = f"The header contains {len(header.names):,} counters, but the maximum is {MOST_COUNTERS:,}."
        action = "file not imported; use relog to split it into files with fewer counters, or record fewer counters"
        raise PerfmonRefusedError(0, "too-many-series", message, action)
    if not opened.first_row and opened.start >= opened.text.size:
        raise PerfmonRefusedError(0, "no-rows", NO_ROWS, "file not imported; record the log again")
