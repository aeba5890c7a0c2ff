"""Reads a history folder. Never raises because of its content: the folder is shared, and others may put files there."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import xxhash

from workbench.cancellation import stop_if_cancelled
from workbench.model.history import DateEvidence, HistoryPoint, PastRuns, RunDate
from workbench.model.problem import Problem, Severity
from workbench.study.history.layout import ENDING, MOST_BYTES, SCHEMA, VERSION, HistoryLine, KeptRun, KeptStudy, sum_of
from workbench.study.series.run_date import YEARS
from workbench.study.store.own_files import UNREADABLE
from workbench.windows_paths import openable

T = TypeVar("T", KeptStudy, KeptRun)
# The codes of problems for files that are not read.
UNREAD, NEWER = "history-unreadable", "history-newer"
# More studies than any lab tests; a folder with more history files is a wrong folder.
_MOST_FILES = 20_000
# As in the results themselves: no test has more I/O, milliseconds or MB than this.
_MOST = 1e15
_SAVE, _REMOVE = "save the study to the history again", "remove it from the history folder"
_LINE_LEFT_OUT = f"past run ignored; {_SAVE}"


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of the folder, by its name: the study and its runs (None, none: unreadable), and its problems."""

    name: str
    study: KeptStudy | None = None
    runs: tuple[KeptRun, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_history(folder: Path, measures: Collection[str] = ()) -> PastRuns:
    """Returns the values in the folder: those of the primary metrics of each phase, and of `measures` (keys) in every
    phase. Each run counts once, as it was last kept; a run kept as excluded has no values. Unreadable content is
    named by file and line."""
    try:
        names = _names(folder)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "its name is invalid"
        message = f"The history folder cannot be read: {why}."
        return PastRuns(str(folder), (), (_refused(str(folder), message, "no past runs are shown; check the folder"),))
    files, problems = list[KeptFile](), list[Problem]()
    if len(names) > _MOST_FILES:
        message = f"The folder contains {len(names):,} history files, but the maximum is {_MOST_FILES:,}."
        problems.append(
            _refused(
                str(folder),
                message,
                f"only the first {_MOST_FILES:,} by name are imported; keep fewer files in one folder",
            )
        )
    for name in names[:_MOST_FILES]:
        stop_if_cancelled()
        files.append(read_file(folder / name))
    problems += (problem for file in files for problem in file.problems)
    return PastRuns(str(folder), tuple(_points(files, frozenset(measures))), tuple(problems))


def folder_stamp(folder: Path) -> str:
    """Returns a stamp of the folder's current state: the checksum of the names, sizes and modification times of its
    files, or why it cannot be read. Reads no file."""
    try:
        found = [(name, os.lstat(openable(folder) / name)) for name in _names(folder)]
    except (OSError, ValueError) as error:
        return str(error)
    text = "\n".join(f"{name}\t{state.st_size}\t{state.st_mtime_ns}" for name, state in found)
    return xxhash.xxh3_64_hexdigest(text.encode(errors="surrogatepass"))


def read_file(path: Path) -> KeptFile:
    """Returns one file of the folder."""
    name = path.name
    try:
        # A link may lead out of the folder, and opening a pipe would wait forever.
        if path.is_symlink() or not path.is_file():
            message, action = "This is a link, a folder or a device.", "not imported; replace it with the history file"
            return KeptFile(name, problems=(_refused(name, message, action),))
        with openable(path).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        return _unread(name, f"cannot be read: {error.strerror or error}; check its permissions")
    if len(data) > MOST_BYTES:
        return _unread(name, f"is larger than {MOST_BYTES // 2**20} MB, the maximum size of a history file; {_REMOVE}")
    return parsed(name, data)


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in openable(folder).iterdir() if entry.name.endswith(ENDING))


def parsed(name: str, data: bytes) -> KeptFile:
    """Returns the content of a file of this name."""
    first, *rest = data.split(b"\n")
    try:
        study = _study(first)
    except _NewerError as error:
        return _unread(name, str(error), 1, NEWER)
    except _NotOursError as error:
        return _unread(name, str(error), 1)
    lines = [(number, line) for number, line in enumerate(rest, 2) if line.strip()]
    runs, problems = list[KeptRun](), list[Problem]()
    for number, line in lines:
        try:
            runs.append(_run(line))
        except UNREADABLE as error:
            problems.append(_damaged_run(name, number, error))
    if len(lines) != study.runs:
        message = f"The file should contain {study.runs} run{'s' * (study.runs != 1)}, but contains {len(lines)}."
        action = f"existing runs imported; {_SAVE}"
        problems.append(Problem(Severity.WARNING, name, "history-damaged", message, action, len(lines) + 1))
    return KeptFile(name, study, tuple(runs), tuple(problems))


class _NotOursError(ValueError):
    """The reason why a file is not read, as the end of a sentence and, after a semicolon, the advice."""


class _FaultError(ValueError):
    """The fault of a line, as a clause."""


class _NewerError(_NotOursError):
    """The reason why a file written by a later version is not read."""


class _Head(msgspec.Struct):
    """The keys that every version of the first line has."""

    schema: str = ""
    version: int = 0


def _study(line: bytes) -> KeptStudy:
    try:
        data = msgspec.json.decode(line, type=HistoryLine).study
        head = msgspec.json.decode(data, type=_Head)
    except UNREADABLE:
        raise _NotOursError(f"is not a history file, or its first line is damaged; {_SAVE}") from None
    if head.schema != SCHEMA:
        raise _NotOursError(f"is not a history file of VDI Workbench; {_REMOVE}")
    if head.version > VERSION:
        raise _NewerError(
            f"was saved by a newer version of VDI Workbench (file format {head.version}; this version reads up to "
            f"format {VERSION}); use the newer version"
        )
    try:
        return _checked(line, KeptStudy, "study")
    except UNREADABLE as error:
        raise _NotOursError(f"is damaged in its first line{_why(error)}; {_SAVE}") from None


def _run(line: bytes) -> KeptRun:
    run = _checked(line, KeptRun, "run")
    if run.date is not None and run.date.year not in YEARS:
        raise _FaultError(f"the date {run.date.isoformat()} is implausible")
    for phase in run.phases:
        for measure, value in phase.figures.items():
            if not abs(value) <= _MOST:
                raise _FaultError(f"{measure} in {phase.name} is {value:g}, which is impossible")
    return run


def _checked(line: bytes, kind: type[T], part: str) -> T:
    """Returns the study or run of a line. Raises the exceptions in UNREADABLE."""
    kept = msgspec.json.decode(line, type=HistoryLine)
    data = bytes(getattr(kept, part))
    if sum_of(data) != kept.sum:
        raise _FaultError("its checksum is wrong")
    return msgspec.json.decode(data, type=kind)


def _points(files: Sequence[KeptFile], measures: frozenset[str]) -> Iterator[HistoryPoint]:
    latest: dict[int, tuple[KeptStudy, KeptRun, str]] = {}
    known: dict[tuple[str, ...], int] = {}
    lines = 0
    for file in sorted((file for file in files if file.study), key=_when):
        assert file.study is not None
        # The last of two copies of a run is kept. Excluded runs are sorted first, so the counted run is kept.
        for run in sorted(file.runs, key=lambda run: run.excluded is None):
            names = _names_of(file.study, run)
            for identity in names:
                latest.pop(known.get(identity, -1), None)
            lines += 1
            latest[lines] = (file.study, run, file.name)
            known |= dict.fromkeys(names, lines)
    for study, run, name in latest.values():
        if run.excluded is None:
            yield from points_of(study, run, name, measures)


def _when(file: KeptFile) -> tuple[float, str]:
    """Sorts files in the order in which they were kept."""
    assert file.study is not None
    return file.study.kept.timestamp(), file.name


def _names_of(study: KeptStudy, run: KeptRun) -> list[tuple[str, ...]]:
    """Returns the identities of a line's run: its recorded data, and its path with its first timestamp, which stay when
    files are completed. Runs with one name and day are different if both identities differ."""
    names: list[tuple[str, ...]] = [(run.recorded,)] if run.recorded else []
    if run.started is not None:
        names.append((study.path or study.name, run.name, str(round(run.started.timestamp()))))
    return names or [(study.name, run.name, "" if run.date is None else run.date.isoformat())]


def points_of(study: KeptStudy, run: KeptRun, file: str, measures: frozenset[str]) -> Iterator[HistoryPoint]:
    """Returns the values of a kept run: those of its primary metrics and of `measures`."""
    date = None if run.date is None else RunDate(run.date.timestamp(), DateEvidence.HISTORY)
    circumstances = tuple(run.circumstances.items())
    for phase in run.phases:
        bounds = frozenset(phase.lower_bounds)
        wanted = measures.union(phase.primary)
        for measure, value in phase.figures.items():
            if measure not in wanted:
                continue
            yield HistoryPoint(
                study.name,
                run.name,
                run.configuration,
                measure,
                phase.name,
                value,
                run.build,
                date,
                study.method,
                run.recorded,
                phase.seconds,
                measure in bounds,
                circumstances,
                "",
                file,
                None if run.started is None else run.started.timestamp(),
                run.session,
            )


def _unread(name: str, why: str, line: int | None = None, code: str = UNREAD) -> KeptFile:
    fault, _, advice = why.rpartition("; ")
    return KeptFile(name, problems=(_refused(name, f"The file {fault}.", f"file not imported; {advice}", line, code),))


def _refused(name: str, message: str, action: str, line: int | None = None, code: str = UNREAD) -> Problem:
    return Problem(Severity.REFUSED, name, code, message, action, line)


def _damaged_run(name: str, line: int, error: Exception) -> Problem:
    message = f"A run is damaged{_why(error)}."
    return Problem(Severity.WARNING, name, "history-damaged", message, _LINE_LEFT_OUT, line)


def _why(error: BaseException) -> str:
    """The fault in brackets; empty for an error of the parser."""
    return f" ({error})"[:200] if isinstance(error, _FaultError) else ""
