"""The text of a file: its encoding, its line ends, its lines in blocks, and zero bytes within it.

Perfmon writes the ANSI code page of its Windows without a mark, sometimes UTF-8; `Out-File` makes UTF-16 of it. UTF-8
is tried first, then a code page. Only the header holds letters: the samples are ASCII throughout.

Zero bytes within a text come from a part of the disk that was never written; no tool writes them. A reader detects a
zero byte in a number, but not in a name. The machine, counter or test would then have a wrong name and lose everything
known by its right name, so such files get a problem.
"""

from __future__ import annotations

import codecs
import io
import itertools
import mmap
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.readers.common.counters import code_page_of

_HEAD = 65_536
_UTF16_SAMPLE = 4_000
_UTF16_SHARE = 0.3
_UTF8_MARK = codecs.BOM_UTF8
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True, slots=True)
class Text:
    """The text of one file. `data` is None if it can be read from `path` unchanged; otherwise it holds the whole text
    as UTF-8 (or in the file's code page) with `
    ` line ends. `utf16` names a UTF-16 encoding."""

    path: Path
    size: int
    data: bytes | None = None
    utf16: str | None = None

    def head(self, size: int = _HEAD) -> bytes:
        """Returns the first bytes."""
        if self.data is not None:
            return self.data[:size]
        with self.path.open("rb") as stream:
            return stream.read(size)

    def lines_before(self, mark: bytes) -> tuple[list[bytes], bytes, int]:
        """Returns the lines before the first line that holds `mark`, that line, and the position of the next one."""
        return self.lines_where(lambda line: mark in line)

    def lines_where(self, is_header: Callable[[bytes], bool]) -> tuple[list[bytes], bytes, int]:
        """Like `lines_before`, for the first line that is a header."""
        before: list[bytes] = []
        position = 0
        for line in self._lines():
            position += len(line)
            if is_header(line):
                return before, line, position
            before.append(line)
        return before, b"", position

    def blocks(self, start: int, size: int) -> Iterator[bytes]:
        """Yields the text from byte `start` on, cut after line ends into blocks of about `size` bytes."""
        if self.data is not None:
            yield from _cut(self.data, start, size)
            return
        with self.path.open("rb") as stream:
            stream.seek(start)
            while block := stream.read(size):
                yield block if block.endswith(b"\n") else block + stream.readline()

    def ends_with(self) -> bytes:
        """Returns the last two bytes."""
        if self.data is not None:
            return self.data[-2:]
        with self.path.open("rb") as stream:
            stream.seek(max(0, self.size - 2))
            return stream.read(2)

    def _lines(self) -> Iterator[bytes]:
        if self.data is not None:
            yield from io.BytesIO(self.data)
            return
        with self.path.open("rb") as stream:
            yield from stream


def open_text(path: Path) -> Text:
    """Returns the text of a file, converted if necessary to one byte per ASCII character and `
    ` line ends."""
    size = path.stat().st_size
    plain = Text(path, size)
    head = plain.head()
    utf16 = utf16_encoding(head)
    if utf16 is not None:
        text = path.read_bytes().decode(utf16, errors="replace").removeprefix("\ufeff")
        data = text.encode("utf-8")
        return Text(path, len(data), _with_newlines(data), utf16)
    if head and b"\n" not in head and _has_only_returns(path):
        return Text(path, size, _with_newlines(path.read_bytes()))
    return plain


def utf16_encoding(head: bytes) -> str | None:
    """Returns `utf-16-le` or `utf-16-be` by the mark, or by zeros at every other byte and nowhere else; None for
    anything else. In UTF-16, digits, blanks and English counters have such zeros, letters of other scripts do not."""
    for mark, name in _UTF16.items():
        if head.startswith(mark):
            return name
    sample = head[:_UTF16_SAMPLE]
    if len(sample) < 8:
        return None
    even, odd = sample[0::2], sample[1::2]
    if odd.count(0) > _UTF16_SHARE * len(odd) and even.count(0) == 0:
        return "utf-16-le"
    if even.count(0) > _UTF16_SHARE * len(even) and odd.count(0) == 0:
        return "utf-16-be"
    return None


def decode_text(data: bytes, whole: bool = True) -> tuple[str, str]:
    """Returns text and encoding: UTF-16 by its mark or its zeros, UTF-8, otherwise CP1252. `whole` False: the data may
    end within a character, which is then left out."""
    if (utf16 := utf16_encoding(data)) is not None:
        return data.decode(utf16, errors="replace").removeprefix("\ufeff"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError as error:
        if not whole and error.start >= max(1, len(data) - 3):
            return data[: error.start].decode("utf-8-sig"), "utf-8"
        return data.decode("cp1252", errors="replace"), "cp1252"


def decode_header(line: bytes) -> tuple[str, str]:
    """Returns the header as text, and its encoding: UTF-8, otherwise the code page of the language of its counters,
    otherwise CP1251 if it looks Cyrillic, otherwise CP1252."""
    try:
        return line.removeprefix(_UTF8_MARK).decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        encoding = code_page_of(line[:_HEAD]) or ("cp1251" if _looks_cyrillic(line) else "cp1252")
        return line.decode(encoding, errors="replace"), encoding


def _looks_cyrillic(line: bytes) -> bool:
    """True if the bytes look Cyrillic. Cyrillic words are runs of bytes above 0xC0; in western languages such bytes are
    single."""
    high = [byte >= 0xC0 for byte in line]
    total = sum(high)
    neighbours = sum(byte and other for byte, other in itertools.pairwise(high))
    return neighbours > 0.5 * total


def _with_newlines(data: bytes) -> bytes:
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _has_only_returns(path: Path) -> bool:
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(b"\n") < 0 and data.find(b"\r") >= 0


def _cut(data: bytes, start: int, size: int) -> Iterator[bytes]:
    while start < len(data):
        end = data.find(b"\n", start + size - 1) + 1 or len(data)
        yield data[start:end]
        start = end


CODE = "nul-bytes"
# In a table only the names of its columns matter, and these are at its beginning.
_OF_A_TABLE, _MOST = 1 << 20, 64 << 20
# With very many columns the names take more: the line that continues there is searched to its end, in blocks.
_BLOCK, _MOST_OF_A_HEADER = 1 << 16, 256 << 20
_ENDS = re.compile(rb"[\r\n]")


def zero_bytes(reading: Reading, path: Path) -> tuple[Problem, ...]:
    """Returns a problem if an imported text holds zero bytes that no problem of the reading names. Binary files and
    UTF-16 normally contain zeros and have none. Raises OSError if the file cannot be read."""
    report = reading.report
    if report.encoding is None or any(problem.code == CODE for problem in reading.problems):
        return ()
    with path.open("rb") as stream:
        line = _line_of_zero(stream, table=reading.recording is not None)
    if line is None:
        return ()
    message = f"From line {line:,} on, the file contains NUL bytes, a sign of damage."
    action = "file imported, but names may be wrong; copy the file again and compare the names"
    return (Problem(Severity.WARNING, report.path, CODE, message, action, line),)


def _line_of_zero(stream: BinaryIO, table: bool) -> int | None:
    """Returns the line of the first zero byte; in a table only the beginning with the header is searched. None if there
    is none, and for UTF-16."""
    block = stream.read(_OF_A_TABLE if table else _MOST)
    if utf16_encoding(block[:_HEAD]) is not None:
        return None
    line, read, end_of_line = 1, len(block), b"\n" if b"\n" in block else b"\r"
    while (at := block.find(b"\0")) < 0:
        if not table or read >= _MOST_OF_A_HEADER or block.endswith((b"\r", b"\n")):
            return None
        line += block.count(end_of_line)
        block = stream.read(min(_BLOCK, _MOST_OF_A_HEADER - read))
        if not block:
            return None
        read += len(block)
        end = _ENDS.search(block)
        block = block if end is None else block[: end.end()]
    return line + block.count(end_of_line, 0, at)
