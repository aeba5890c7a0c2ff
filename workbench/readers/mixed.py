"""Files that hold the results of several tools, as a script leaves them that appends everything to one file.

A file is read by one reader. Where a report of a storage benchmark stands beside results of another tool, these are
told by their line, for they are not read.
"""

from __future__ import annotations

import re
from pathlib import Path

from workbench.model.problem import Problem, Severity
from workbench.readers.pdh_text import wide_encoding

# What only stands in a result of each tool: at the start of a line, or anywhere where nothing else could hold it.
_MARKS: dict[str, re.Pattern[bytes]] = {
    "diskspd": re.compile(rb"^[ \t]*thread \|\s{1,20}bytes\s{1,20}\|\s{1,20}I/Os", re.MULTILINE),
    "diskspd-xml": re.compile(rb"<Results>\s{0,20}<System>"),
    "fio": re.compile(rb'\{\s{0,20}"fio version"\s{0,5}:'),
    "sqlio": re.compile(rb"^[ \t]*IOs/sec:[ \t]*\d", re.MULTILINE),
    "iometer": re.compile(rb"^'Target Type,", re.MULTILINE),
    "vdbench": re.compile(
        rb'Starting RD=|^[ \t"]*tod[ \t",]{1,20}(?:timestamp[ \t",]{1,20})?Run[ \t",]{1,20}interval',
        re.MULTILINE | re.IGNORECASE,
    ),
    "perfmon": re.compile(rb'^"?\(PDH-[CT]SV \d', re.MULTILINE),
}
_READERS = frozenset(_MARKS) - {"perfmon"}
_MAX_BYTES = 64 << 20


def other_results(label: str, path: Path, name: str) -> tuple[Problem, ...]:
    """A problem for each tool whose results a benchmark's file holds besides those of its own reader, `label`."""
    if label not in _READERS or path.stat().st_size > _MAX_BYTES:
        return ()
    data = path.read_bytes()
    if (wide := wide_encoding(data)) is not None:
        data = data.decode(wide, errors="replace").encode()
    data = data.replace(b"\r", b"\n") if b"\n" not in data else data
    found = [
        (tool, match.start())
        for tool, mark in _MARKS.items()
        if tool != label and (match := mark.search(data))
    ]
    return tuple(
        Problem(
            Severity.WARNING, name, "other-results", f"From line {line:,} on the file also holds results of {tool}.",
            f"not read: the file was read as {label}; put them into a file of their own", line,
        )
        for tool, start in found for line in (data.count(b"\n", 0, start) + 1,)
    )  # fmt: skip
