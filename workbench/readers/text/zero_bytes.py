"""Zero bytes within a text: what a disk leaves of a stretch that was never written, and no tool writes.

A number that holds one is noticed by its reader. A name is not: its machine, counter or test is another one from then
on, and what was known by the name is gone.
"""

from __future__ import annotations

from pathlib import Path

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.readers.text.encodings import wide_encoding

CODE = "nul-bytes"
# Of a table only the names of its columns matter, and these stand at its beginning.
_OF_A_TABLE, _MOST = 1 << 20, 64 << 20
_HEAD = 65_536


def zero_bytes(reading: Reading, path: Path) -> tuple[Problem, ...]:
    """A problem where a text that was read holds zero bytes which no problem of the reading names. Binary files and
    UTF-16, which consist of them, have none. Raises OSError where the file cannot be read."""
    report = reading.report
    if report.encoding is None or any(problem.code == CODE for problem in reading.problems):
        return ()
    with path.open("rb") as stream:
        data = stream.read(_OF_A_TABLE if reading.recording is not None else _MOST)
    at = data.find(b"\0")
    if at < 0 or wide_encoding(data[:_HEAD]) is not None:
        return ()
    line = data.count(b"\n", 0, at) + 1
    message = f"From line {line:,} on the file holds zero bytes: it was damaged on its disk, or while it was written."
    action = "read as it stands; names may be other ones, so copy the file again and compare"
    return (Problem(Severity.WARNING, report.path, CODE, message, action, line),)
