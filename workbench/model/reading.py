"""The result of reading one file, and the interface of a reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem
from workbench.model.recording import FileReport, Recording
from workbench.model.session import EuxSummary, Event, Measurement, Session, VsiSummary


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one file: its report, its contents, and a problem for each thing that could not be read.

    `first_line` is the physical line of the first row of the recording if each row is exactly one line; otherwise None.
    `facts` are keys of run.toml with the values that the file suggests.
    """

    report: FileReport
    problems: tuple[Problem, ...] = ()
    recording: Recording | None = None
    benchmarks: tuple[Benchmark, ...] = ()
    events: tuple[Event, ...] = ()
    sessions: tuple[Session, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    summaries: tuple[VsiSummary, ...] = ()
    eux_summaries: tuple[EuxSummary, ...] = ()
    first_line: int | None = None
    facts: tuple[tuple[str, str], ...] = ()

    def line(self, row: int) -> int | None:
        """The physical line of a row of the recording, None if unknown."""
        return None if self.first_line is None else self.first_line + row


@dataclass(frozen=True, slots=True)
class Reader:
    """A file format: its label, how it recognises a file, and how it reads it.

    `identify(head, name)` gets the first 64 KiB and the file name, and returns its confidence from 0 to 1. The content
    decides; the name only breaks ties. `read(path, name, columns)` writes the samples, if there are any, to the Arrow
    IPC file `columns` (column `t`: Int64 microseconds since 1970 as the file writes them; `c0`, `c1`, …: Float64, null
    = missing). `read` never raises for bad content. `name` is the file name used in problems. `by_name`: the result
    depends on the file name too, so files with equal bytes and different names are read separately. `takes_name`
    decides this from the first bytes. `by_place`: the result also depends on the folder and the modification time.
    `read_dated(path, name, columns, order)` reads a file whose dates may be ambiguous. `order` ("mdy", "dmy" or "ymd")
    is the order that the run states; it is used if nothing in the file decides.
    """

    label: str
    identify: Callable[[bytes, str], float]
    read: Callable[[Path, str, Path], Reading]
    by_place: bool = False
    by_name: bool = False
    takes_name: Callable[[bytes], bool] | None = None
    read_dated: Callable[[Path, str, Path, str], Reading] | None = None
