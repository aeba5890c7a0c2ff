"""Writes small PDH files, and reads them back from the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tests.builders import stored_frame
from workbench.model.problem import Problem
from workbench.model.reading import Reading
from workbench.readers.perfmon import reader as perfmon

ZONE = "(PDH-CSV 4.0) (GMT Daylight Time)(-60)"
READS = r"\\W10-001\PhysicalDisk(_Total)\Disk Reads/sec"
WRITES = r"\\W10-001\PhysicalDisk(_Total)\Disk Writes/sec"


@dataclass(frozen=True)
class Result:
    """A reading with its samples."""

    reading: Reading
    columns: dict[str, list[float | None]]

    @property
    def codes(self) -> list[str]:
        return [problem.code for problem in self.reading.problems]

    def problem(self, code: str) -> Problem:
        found = [problem for problem in self.reading.problems if problem.code == code]
        assert len(found) == 1, self.reading.problems
        return found[0]


def line(*cells: object) -> str:
    return ",".join(f'"{cell}"' for cell in cells)


def pdh(*rows: str, names: Sequence[str] = (READS, WRITES), first: str = ZONE, end: str = "\r\n") -> str:
    """A PDH-CSV text: the header, and these rows unchanged."""
    return end.join((line(first, *names), *rows)) + end


def stamp(second: int, day: str = "05/10/2016") -> str:
    return f"{day} {9 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000"


def good_rows(count: int, start: int = 0) -> list[str]:
    return [line(stamp(second), second + 0.25, second * 2) for second in range(start, start + count)]


def read(folder: Path, content: str | bytes, name: str = "W10-001.csv") -> Result:
    source, columns = folder / name, folder / "columns.arrow"
    source.write_bytes(content if isinstance(content, bytes) else content.encode("cp1252"))
    reading = perfmon.read(source, name, columns)
    if reading.recording is None:
        assert not columns.exists()
        return Result(reading, {})
    frame = stored_frame(columns)
    assert frame.columns == ["t", *(f"c{one.column}" for one in reading.recording.series)]
    assert frame.schema["t"] == pl.Int64
    report = reading.report
    assert (frame.height, report.cells) == (report.rows, report.rows * report.columns)
    assert report.missing_cells == sum(frame.null_count().row(0))
    return Result(reading, frame.to_dict(as_series=False))
