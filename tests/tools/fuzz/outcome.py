"""The outcome of reading one file: its figures by name, and its messages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from tests.readers.perfmon_files import stored_frame
from workbench.model.problem import Problem
from workbench.model.reading import Reading

# Between the path of a series and the time of a sample, in the name of a figure.
SAMPLE = " @ "


@dataclass(frozen=True, slots=True)
class Remark:
    """A problem or a sentence: its code, the line it names, and its words."""

    code: str
    line: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """`figures` by a name that stays when other rows are lost; a missing figure is omitted. `faults`: errors that a
    reading may never have, whatever the file contains."""

    figures: Mapping[str, float] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    faults: tuple[str, ...] = ()


def of_reading(reading: Reading, name: str, columns: Path) -> Outcome:
    """The outcome of a reader that writes its columns there."""
    figures = dict(_figures(reading, columns))
    remarks = tuple(Remark(problem.code, problem.line, problem.message) for problem in reading.problems)
    return Outcome(figures, remarks, tuple(_faults(reading, name, figures)))


def of_value(value: Any, words: Iterable[str | Problem]) -> Outcome:
    """The outcome of a project file: its value, of any type, and the sentences about it."""
    plain = msgspec.to_builtins(value, enc_hook=str, builtin_types=(bytes,), str_keys=True)
    figures = {key: number for key, number in _numbers("", plain) if not math.isnan(number)}
    remarks = tuple(
        Remark(word.code, word.line, word.message) if isinstance(word, Problem) else Remark("", None, word)
        for word in words
    )
    faults = [f"{key} is {number}" for key, number in figures.items() if math.isinf(number)]
    return Outcome(
        figures, remarks, tuple(faults + [remark.words for remark in remarks if not _is_sentence(remark.words)])
    )


def _figures(reading: Reading, columns: Path) -> Iterator[tuple[str, float]]:
    if reading.recording is not None:
        frame = stored_frame(columns)
        times = _numbered(frame["t"].to_list())
        paths = _numbered(series.path for series in reading.recording.series)
        for series, path in zip(reading.recording.series, paths, strict=True):
            values = frame[f"c{series.column}"].to_list()
            yield from (
                (f"{path}{SAMPLE}{at}", value) for at, value in zip(times, values, strict=True) if value is not None
            )
    for kind, records, named in (
        ("row", reading.benchmarks, ("op", "job", "host", "part", "test")),
        ("event", reading.events, ("kind", "vm", "user")),
        ("session", reading.sessions, ("user", "vm", "id")),
        ("measurement", reading.measurements, ("kind", "label", "session", "group", "at")),
        ("summary", reading.summaries, ("test",)),
        ("eux", reading.eux_summaries, ("test",)),
    ):
        plain = [msgspec.to_builtins(record) for record in records]
        keys = _numbered("|".join(str(record.get(part) or "") for part in _naming(record, named)) for record in plain)
        for key, record in zip(keys, plain, strict=True):
            yield from _numbers(f"{kind} {key}", {part: value for part, value in record.items() if part != "line"})


def _naming(record: Mapping[str, Any], named: tuple[str, ...]) -> tuple[str, ...]:
    """Rows without a name are identified by their line."""
    return named if record.get("job") or "job" not in named else (*named, "line")


def _numbered(names: Iterable[object]) -> list[str]:
    """The names; repeated ones get a number."""
    count: Counter[object] = Counter()
    numbered = []
    for name in names:
        count[name] += 1
        numbered.append(f"{name} #{count[name]}" if count[name] > 1 else f"{name}")
    return numbered


def _numbers(place: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(f"{place}.{key}", inner)
    elif isinstance(value, list | tuple):
        for at, inner in enumerate(value):
            yield from _numbers(f"{place}[{at}]", inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            yield place, float(value)
        except OverflowError:
            yield place, math.inf


def _faults(reading: Reading, name: str, figures: Mapping[str, float]) -> Iterator[str]:
    report = reading.report
    for problem in reading.problems:
        if problem.file != name:
            yield f"a problem names the file {problem.file!r}"
        if not _is_sentence(problem.message) or not problem.action:
            yield f"a problem is no sentence: {problem.message!r}, {problem.action!r}"
    yield from (f"{key} is {value}" for key, value in figures.items() if not math.isfinite(value))
    if not 0 <= report.missing_cells <= report.cells or report.rows < 0 or report.rejected_rows < 0:
        yield f"{report.missing_cells} of {report.cells} cells are missing, {report.rejected_rows} rows rejected"
    if not (report.rows or report.rejected_rows or reading.problems):
        yield "nothing was read, and nothing says why"


def _is_sentence(words: str) -> bool:
    return words.rstrip().endswith((".", "?", "!"))
