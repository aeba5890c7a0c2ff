"""Folders that mix hosts or days that never overlap: several runs in one folder, of which no average is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath

from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity
from workbench.model.recording import Recording
from workbench.model.run import Run
from workbench.study.plausibility.rules import APART_S, RATES

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Part:
    """Recordings that overlap, or follow each other as captures of the same machines: seconds since 1970 UTC."""

    start: float
    end: float
    files: tuple[str, ...]
    machines: frozenset[str]

    @property
    def seconds(self) -> float:
        """Its length."""
        return self.end - self.start

    def __add__(self, later: Part) -> Part:
        return Part(
            min(self.start, later.start),
            max(self.end, later.end),
            (*self.files, *later.files),
            self.machines | later.machines,
        )


def parts_of(recordings: Sequence[Recording], stated: Sequence[Phase] = ()) -> tuple[Part, ...]:
    """The parts of a folder that never overlap, in time order; one where they make a run.

    Recordings that overlap are one part. Two parts are apart when they share no machine, or when the time between
    them is `APART_S` and longer than either; a stated phase that reaches over both makes them one.
    """
    found: list[Part] = []
    for part in sorted((_part(recording) for recording in recordings if _counts(recording)), key=lambda p: p.start):
        if found and (part.start < found[-1].end or not _apart(found[-1], part) or _over(found[-1], part, stated)):
            found[-1] += part
        else:
            found.append(part)
    return tuple(found)


def apart_problems(run: Run) -> Iterator[Problem]:
    """Which files of a folder belong together, and how to split it; of a part of one, that it was split by hand."""
    if run.split_from:
        yield Problem(
            Severity.INFO,
            run.name,
            "runs-mixed",
            f"A part of the folder '{PurePath(run.split_from).name}', whose recordings never overlap.",
            "made a run of its own in the window; 'Put the folder together again' in the menu of the run takes it back",
            run=run.folder,
        )
    elif len(parts := parts_of(run.recordings, run.stated_phases)) > 1:
        yield _mixed(run, parts)


def _mixed(run: Run, parts: Sequence[Part]) -> Problem:
    each = "; ".join(f"{_day(part)}: {_names(part)}" for part in parts[:_NAMED])
    more = f"; and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    return Problem(
        Severity.WARNING,
        run.name,
        "runs-mixed",
        f"The folder holds {len(parts)} recordings that never overlap, which is no one run ({each}{more}).",
        "kept out of averages and comparisons; move the files of each into a folder of its own, or split the folder "
        "in the window and save a workspace file, or state in run.toml a phase that reaches over all of them",
        run=run.folder,
    )


def apart_reason(parts: Sequence[Part]) -> str:
    """Why the run is kept out of figures."""
    return f"{len(parts)} recordings in this folder never overlap in time"


def _counts(recording: Recording) -> bool:
    """Whether a recording has a clock and rates of machines."""
    return not recording.relative and any(
        series.vm and series.metric is not None and series.metric.quantity in RATES for series in recording.series
    )


def _part(recording: Recording) -> Part:
    offset = 60.0 * (recording.utc_offset_minutes or 0)
    machines = frozenset(series.vm.casefold() for series in recording.series if series.vm and series.metric)
    first, last = recording.first_us / 1e6 - offset, recording.last_us / 1e6 - offset
    return Part(first, last, (recording.file,), machines)


def _apart(one: Part, later: Part) -> bool:
    between = later.start - one.end
    return not one.machines & later.machines or between >= max(APART_S, one.seconds, later.seconds)


def _over(one: Part, later: Part, stated: Sequence[Phase]) -> bool:
    return any(phase.start < one.end and phase.end > later.start for phase in stated)


def _day(part: Part) -> str:
    first, last = (datetime.fromtimestamp(moment, UTC) for moment in (part.start, part.end))
    return f"{first:%Y-%m-%d %H:%M} to {last:%H:%M} UTC"


def _names(part: Part) -> str:
    shown = ", ".join(part.files[:_NAMED])
    return shown if len(part.files) <= _NAMED else f"{shown} and {len(part.files) - _NAMED} more"
