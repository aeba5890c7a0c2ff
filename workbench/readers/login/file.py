"""The bytes of one file of a load generator, or the reason why there are none."""

from __future__ import annotations

from pathlib import Path

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport

_MAX_BYTES = 512 * 1024 * 1024


def read_bytes(path: Path, name: str, label: str) -> bytes | Reading:
    """The whole file; a refusal where it cannot be opened or is larger than 512 MB."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return refused(name, label, "too-large", "The file is larger than 512 MB.", "split it by test run")
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        return refused(name, label, "unreadable", f"The file cannot be read: {reason}.", "check it and try again")


def refused(
    name: str, label: str, code: str, message: str, advice: str, line: int | None = None, rejected: int = 0
) -> Reading:
    """The reading of a file that is known by its content, and yields nothing."""
    problem = Problem(Severity.REFUSED, name, code, message, f"file not imported; {advice}", line)
    return Reading(FileReport(path=name, reader=label, recognised=True, rejected_rows=rejected), (problem,))
