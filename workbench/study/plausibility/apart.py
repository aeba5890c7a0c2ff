"""Detects several runs in one folder: folders that mix hosts or days that never overlap, or files whose names state
several configurations. Such runs are not averaged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePath, PurePosixPath

from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.recording import Recording
from workbench.model.run import Run
from workbench.study.discovery.infer import named_run
from workbench.study.plausibility.rules import ALLOWANCE_S, APART_S, RATES

_NAMED = 2


@dataclass(frozen=True, slots=True)
class RunPart:
    """Recordings that overlap, or follow each other as captures of the same machines: seconds since 1970 UTC. `name` is
    the run stated by its file names, if that separates the parts."""

    start: float
    end: float
    files: tuple[str, ...]
    machines: frozenset[str]
    name: str = ""

    @property
    def seconds(self) -> float:
        """Returns its length."""
        return self.end - self.start

    def __add__(self, later: RunPart) -> RunPart:
        return RunPart(
            min(self.start, later.start),
            max(self.end, later.end),
            (*self.files, *later.files),
            self.machines | later.machines,
            self.name,
        )


def parts_of(recordings: Sequence[Recording], stated: Sequence[Phase] = ()) -> tuple[RunPart, ...]:
    """Returns the parts of a folder that are separate runs, in time order; a single part if they make one run.

    Files of the same machine whose names state different configurations or run numbers (`mcs_W10-001.csv` next to
    `mcsio512_W10-001.csv`) belong to different runs. Of the others, recordings that overlap, also through a third one,
    form one part; a distance up to `ALLOWANCE_S` counts as an overlap. Two parts are separate if they share no machine.
    They are also separate if the time between them is at least `APART_S` and either they are on different days (UTC) or
    the time is longer than either part. A stated phase that covers both makes them one. Recordings without rates of
    machines belong to a part that is less than `APART_S` away. The others form parts too, so recordings of different
    days or years never share a run.
    """
    every = [_part(recording) for recording in recordings if _counts(recording)]
    others = [_part(recording) for recording in recordings if not recording.relative and not _counts(recording)]
    by_name = _by_name(every)
    if by_name and not any(_over(part, other, stated) for part in every for other in every if part is not other):
        named = [replace(part, name=name) for name, group in by_name.items() for part in _by_time(group, ())]
        far = [replace(part, name=f"{_moment(part.start):%Y-%m-%d}") for part in _far(others, named, stated)]
        return tuple(sorted((*named, *far), key=lambda part: (part.start, part.name)))
    known = _by_time(every, stated)
    return tuple(sorted((*known, *_far(others, known, stated)), key=lambda part: part.start))


def _far(others: Sequence[RunPart], known: Sequence[RunPart], stated: Sequence[Phase]) -> tuple[RunPart, ...]:
    """Returns the parts of recordings that are at least `APART_S` away from every known part."""
    far = [one for one in others if not any(_gap(one, part) < APART_S or _over(one, part, stated) for part in known)]
    found: list[RunPart] = []
    for part in sorted(far, key=lambda part: part.start):
        if found and (_gap(found[-1], part) < APART_S or _over(found[-1], part, stated)):
            found[-1] += part
        else:
            found.append(part)
    return tuple(found)


def _gap(one: RunPart, other: RunPart) -> float:
    """Returns seconds between two parts, 0 or less if they overlap."""
    return max(one.start, other.start) - min(one.end, other.end)


def _by_time(every: Sequence[RunPart], stated: Sequence[Phase]) -> tuple[RunPart, ...]:
    found: list[RunPart] = []
    for part in sorted(every, key=lambda part: part.start):
        last = found[-1] if found else None
        if last and (part.start < last.end + ALLOWANCE_S or not _apart(last, part) or _over(last, part, stated)):
            found[-1] = last + part
        else:
            found.append(part)
    return tuple(found)


def _by_name(every: Sequence[RunPart]) -> dict[str, list[RunPart]]:
    """Returns the recordings by the run that their file names state. Empty if a name states nothing, all state the
    same, or no machine is in two groups."""
    groups: dict[str, list[RunPart]] = defaultdict(list)
    for part in every:
        groups[run_in_name(part.files[0], part.machines)].append(part)
    shared = Counter(machine for group in groups.values() for machine in {m for part in group for m in part.machines})
    return groups if "" not in groups and any(count > 1 for count in shared.values()) else {}


def run_in_name(file: str, machines: frozenset[str]) -> str:
    """Returns a file name's statement about its run, without the names of its machines; empty if it states nothing."""
    stem = PurePosixPath(file).stem.casefold()
    for machine in sorted(machines, key=len, reverse=True):
        if machine in stem:  # only a few recordings have it; each needs a separate pattern
            stem = re.sub(rf"(?<![a-z0-9]){re.escape(machine)}(?![a-z0-9])", " ", stem)
    return named_run(stem)


def apart_problems(run: Run) -> Iterator[Problem]:
    """Returns a problem that names the files of a folder that belong together, and how to split the folder. For a part
    of a folder it says that the folder was split by hand."""
    if run.split_from:
        yield Problem(
            Severity.INFO,
            run.name,
            "runs-mixed",
            f"This run is one part of the folder '{PurePath(run.split_from).name}', which you split.",
            "to undo, use 'Undo folder split' in the menu of the run",
            run=run.folder,
        )
    elif len(run.recordings) > 1 and len(parts := parts_of(run.recordings, run.stated_phases)) > 1:
        yield _mixed(run, parts)


def _mixed(run: Run, parts: Sequence[RunPart]) -> Problem:
    each = "; ".join(part_words(part) for part in parts[:_NAMED])
    more = f"; and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    what = (
        f"The file names indicate {len(parts)} runs in this folder"
        if parts[0].name
        else f"{len(parts)} recordings in this folder do not overlap"
    )
    return Problem(
        Severity.WARNING,
        run.name,
        "runs-mixed",
        f"{what} ({each}{more}).",
        "folder excluded from metrics; split it, or set one common phase in run.toml",
        run=run.folder,
    )


def part_words(part: RunPart) -> str:
    """Returns a part in words: the statement of its file names or its start, and its first files."""
    return f"{part.name or f'{_moment(part.start):%Y-%m-%d %H:%M} UTC'}: {few_named(part.files)}"


def apart_reason(parts: Sequence[RunPart]) -> str:
    """Returns why the run is excluded from metrics."""
    if parts[0].name:
        return f"the file names in this folder indicate {len(parts)} runs"
    return f"{len(parts)} recordings in this folder never overlap in time"


def _counts(recording: Recording) -> bool:
    """True if a recording has a clock and rates of machines."""
    return not recording.relative and any(
        series.vm and series.metric is not None and series.metric.quantity in RATES for series in recording.series
    )


def _part(recording: Recording) -> RunPart:
    first, last = recording.span_s
    return RunPart(first, last, (recording.file,), machines_of(recording))


def machines_of(recording: Recording) -> frozenset[str]:
    """Returns the machines that a recording measured, in lower case."""
    return frozenset(name.casefold() for name in {series.vm for series in recording.series if series.metric} if name)


def _apart(one: RunPart, later: RunPart) -> bool:
    between = later.start - one.end
    if not one.machines & later.machines:
        return True
    other_day = _moment(one.end).date() != _moment(later.start).date()
    return between >= APART_S and (other_day or between >= max(one.seconds, later.seconds))


def _over(one: RunPart, later: RunPart, stated: Sequence[Phase]) -> bool:
    return any(phase.start < one.end and phase.end > later.start for phase in stated)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
