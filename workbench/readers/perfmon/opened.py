"""A PDH file with its header read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from workbench.readers.perfmon.header import (
    MARK,
    PdhHeader,
    has_date_and_time,
    in_machine,
    parse_header,
    starts_with_mark,
)
from workbench.readers.perfmon.table import split_cells
from workbench.readers.text import encodings as pdh_text
from workbench.readers.text.timestamps import without_offset

# The first two cells of a line, with the delimiter between them and the quotes around it.
_BLOCK = 1 << 20
# One quote does not lose more names than this.
_MOST_LOST = 3
# A date and a time of day, the beginning of a row.
_STAMP = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4} \d{1,2}:\d{2}:\d{2}")
_BOTH = re.compile(rb'^("?[^",;\t\r\n]*)"?[,;\t]"?([^,;\t\r\n]*)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file with its header read: the byte and the physical line of its first row. `glued`: a row follows the header
    in the same line."""

    text: pdh_text.Text
    header: PdhHeader
    encoding: str
    start: int
    header_line: int
    first_row: str
    name: str
    date_order: str | None
    glued: bool = False

    def rows_below(self) -> int:
        """Returns the number of lines below the header that are not blank."""
        blocks = self.text.blocks(self.start, _BLOCK)
        return sum(bool(line.strip()) for block in blocks for line in block.split(b"\n"))

    @property
    def label(self) -> str:
        """Returns the name of the encoding in the report."""
        return "utf-16" if self.text.utf16 else self.encoding


def open_file(path: Path, name: str, date_order: str | None) -> OpenedFile:
    """Opens a file and reads its header; `date_order` is the order that its run states for ambiguous dates. Raises
    OSError."""
    text = pdh_text.open_text(path)
    before, line, start = text.lines_before(MARK)
    if not line:
        text, (before, line, start) = _copy(text)
    decoded, encoding = pdh_text.decode_header(line)
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


def _copy(text: pdh_text.Text) -> tuple[pdh_text.Text, tuple[list[bytes], bytes, int]]:
    """Returns the text of a copy without PDH's mark, with dates and times of two columns joined, and the position of
    its header."""
    places = text.lines_where(lambda line: starts_with_mark(line.decode("utf-8", errors="replace")))
    if not has_date_and_time(places[1].decode("utf-8", errors="replace")):
        return text, places
    data = text.path.read_bytes() if text.data is None else text.data
    text = replace(text, data=_BOTH.sub(lambda match: match[1] + b" " + match[2], data))
    text = replace(text, size=len(text.data or b""))
    return text, text.lines_where(lambda line: line.lstrip(b'\xef\xbb\xbf" ').lower().startswith(b"date"))
