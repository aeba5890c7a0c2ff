"""Zero bytes within a text: what a disk leaves of a stretch that was never written, and no tool writes.

A number that holds one is noticed by its reader. A name is not: its machine, counter or test is another one from then
on, and what was known by the name is gone.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.readers.text.encodings import utf16_encoding

CODE = "nul-bytes"
# Of a table only the names of its columns matter, and these stand at its beginning.
_OF_A_TABLE, _MOST = 1 << 20, 64 << 20
# Of very many columns the names take more: the line that goes on there is looked at to its end, in blocks.
_BLOCK, _MOST_OF_A_HEADER = 1 << 16, 256 << 20
_HEAD = 65_536
_ENDS = re.compile(rb"[\r\n]")


def zero_bytes(reading: Reading, path: Path) -> tuple[Problem, ...]:
    """A problem where a text that was read holds zero bytes which no problem of the reading names. Binary files and
    UTF-16, which consist of them, have none. Raises OSError where the file cannot be read."""
    report = reading.report
    if report.encoding is None or any(problem.code == CODE for problem in reading.problems):
        return ()
    with path.open("rb") as stream:
        line = _line_of_zero(stream, table=reading.recording is not None)
    if line is None:
        return ()
    message = (
        f"From line {line:,} on the file contains zero bytes: it was damaged on its disk, or while it was written."
    )
    action = "imported unchanged; names may be wrong: copy the file again and compare"
    return (Problem(Severity.WARNING, report.path, CODE, message, action, line),)


def _line_of_zero(stream: BinaryIO, table: bool) -> int | None:
    """The line of the first zero byte, of a table as far as its header may reach; None where there is none, and of
    UTF-16."""
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
