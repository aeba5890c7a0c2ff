"""What a reader hands back for one file."""

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
    """One file, read: its report, what it held, and a problem for each thing that could not be read.

    `first_line` is the physical line of the recording's first row where each row stands on a line of its own, one
    below the other; else None. `facts` are keys of run.toml with the values that the file lets guess.
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
        """The physical line of a row of the recording, None where it is not known."""
        return None if self.first_line is None else self.first_line + row


@dataclass(frozen=True, slots=True)
class Reader:
    """A format: its label, how sure it is of a file from its first bytes (0 to 1), and how it reads.

    `identify(head, name)` sees the first 64 KiB and the file's name; content decides, the name only
    breaks ties. `read(path, name, columns)` writes samples, where there are any, to the Arrow IPC file
    `columns` (column `t`: Int64 microseconds since 1970 as the file writes them; `c0`, `c1`, …: Float64,
    null = missing) and never raises for content. `name` is what problems call the file.
    `by_name`: the file's own name tells something too, so that files with the same bytes and other names differ;
    `takes_name` says so of a file with these first bytes. `by_place`: so do its folder and its time.
    `read_dated(path, name, columns, order)` reads a file whose dates may be ambiguous: `order`, "mdy", "dmy" or
    "ymd", is what the run says of its dates, and settles what nothing in the file tells.
    """

    label: str
    identify: Callable[[bytes, str], float]
    read: Callable[[Path, str, Path], Reading]
    by_place: bool = False
    by_name: bool = False
    takes_name: Callable[[bytes], bool] | None = None
    read_dated: Callable[[Path, str, Path, str], Reading] | None = None
