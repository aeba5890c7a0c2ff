"""Files that hold the results of several tools, as a script leaves them that appends everything to one file.

A file is read by one reader. Where a report of a storage benchmark stands beside results of another tool, these are
told by their line, for they are not read.
"""

from __future__ import annotations

import re
from pathlib import Path

from workbench.model.problem import Problem, Severity
from workbench.readers.text.encodings import utf16_encoding

# What only stands in a result of each tool. Each begins with plain letters: these are found a hundred times faster
# than the start of a line.
_MARKS: dict[str, tuple[re.Pattern[bytes], ...]] = {
    "diskspd": (re.compile(rb"thread \|\s{1,20}bytes\s{1,20}\|\s{1,20}I/Os"),),
    "diskspd-xml": (re.compile(rb"<Results>\s{0,20}<System>"),),
    "fio": (re.compile(rb'"fio version"\s{0,5}:\s{0,5}"fio-'), re.compile(rb"groupid=\d{1,9}, jobs=\d{1,9}\): err=")),
    "sqlio": (re.compile(rb"IOs/sec:[ \t]{0,20}\d"),),
    "iometer": (re.compile(rb"'Target Type,Target Name,"),),
    "vdbench": (
        re.compile(rb"Starting RD="),
        re.compile(rb'tod[ \t",]{1,20}(?:timestamp[ \t",]{1,20})?Run[ \t",]{1,20}[Ii]nterval'),
    ),
    "perfmon": (re.compile(rb"\(PDH-[CT]SV \d"),),
}
_READERS = frozenset(_MARKS) - {"perfmon"}
_MAX_BYTES = 64 << 20


def other_results(label: str, path: Path, name: str) -> tuple[Problem, ...]:
    """A problem for each tool whose results a benchmark's file holds besides those of its own reader, `label`."""
    if label not in _READERS or path.stat().st_size > _MAX_BYTES:
        return ()
    data = path.read_bytes()
    if (utf16 := utf16_encoding(data)) is not None:
        data = data.decode(utf16, errors="replace").encode()
    data = data.replace(b"\r", b"\n") if b"\n" not in data else data
    starts_by_tool = [
        (tool, min(starts))
        for tool, marks in _MARKS.items()
        if tool != label and (starts := [match.start() for mark in marks if (match := mark.search(data))])
    ]
    return tuple(
        Problem(
            Severity.WARNING,
            name,
            "other-results",
            f"From line {line:,} on the file also contains results of {tool}.",
            f"not imported: the file was imported as {label}; move them to a separate file",
            line,
        )
        for tool, start in starts_by_tool
        for line in (data.count(b"\n", 0, start) + 1,)
    )
