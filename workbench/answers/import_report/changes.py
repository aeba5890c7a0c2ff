"""What a decision about a cause would change, as far as the data tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from workbench.answers.common.library import Library
from workbench.model.cause import Cause, Change, Span
from workbench.model.recording import Recording
from workbench.model.run import Run
from workbench.study.plausibility.apart import machines_of, run_in_name
from workbench.study.series.time_zone import offset_minutes, offset_text
from workbench.study.series.vm_series import vm_names
from workbench.study.splitting import split
from workbench.words.lists import first_named

AS_READ = "As read"
# Offsets that clocks of the world have, in minutes: every half hour.
_OFFSETS = range(-12 * 60, 14 * 60 + 1, 30)
# An offset with which the samples would hold less of what is known explains nothing.
_LEAST_HELD = 0.5
# Files of a run that are named in a sentence.
_FILES = 4
# As many runs as can be looked at side by side.
_SHOWN = 3


def zone_change(library: Library, folders: Sequence[str], zone: str, first: str = "") -> Change:
    """What a time zone (`Europe/London`, `+01:00`; "" for the one that fits best) does to the clocks of runs, of which
    the `first` is drawn."""
    runs = [run for run in runs_of(library, folders) if any(_unzoned(run))]
    runs.sort(key=lambda run: run.folder != first)
    if not runs:
        return Change(("The files of these runs hold no samples that a time zone would move.",))
    known = {run.folder: tuple(_known(run)) for run in runs}
    best = _best([(next(_unzoned(run)), known[run.folder]) for run in runs if known[run.folder]])
    value = zone or best
    try:
        sentences = [_moved(run, known[run.folder], value) for run in runs[:_SHOWN]] if value else []
    except ValueError as error:
        return Change(value=best, wrong=f"The time zone {error}.")
    if len(runs) > _SHOWN and value:
        sentences.append(f"The same is done to {len(runs) - _SHOWN} more runs.")
    if not value and any(known.values()):
        sentences.append("No offset fits best. Choose a time zone to see where the samples would lie.")
    if not any(known.values()):
        sentences.append("No event or other file of these runs states its offset from UTC: nothing shows what fits.")
    return Change(tuple(sentences), tuple(_drawn(runs[0], known[runs[0].folder], value)), best)


def split_change(library: Library, folders: Sequence[str]) -> Change:
    """The runs that folders are split into, with the files of each and what parts them."""
    parts = [part for run in runs_of(library, folders) for part in split(run)]
    spans = [Span(part.name, *_extent(part.recordings)) for part in parts if part.recordings]
    machines = {part.name: len(vm_names(part)) for part in parts}
    files = {part.name: _files(part) for part in parts}
    return Change(
        tuple(
            f"{span.label}: {_times(span.start, span.end)}, {machines[span.label]} machine"
            f"{'s' * (machines[span.label] != 1)}; {files[span.label]}."
            for span in spans
        ),
        tuple(spans),
        str(len(parts)),
    )


def _files(part: Run) -> str:
    """The first files of a part, how many more there are, and why they are taken for one run."""
    names = [PurePosixPath(recording.file).name for recording in part.recordings]
    shown = first_named(names, _FILES)
    named = {run_in_name(recording.file, machines_of(recording)) for recording in part.recordings} - {""}
    by_name = len(named) == 1 and part.name.endswith(stated := named.pop())
    return f"{shown} ({f'the names state {stated}' if by_name else 'no other recording overlaps them'})"


def machine_change(cause: Cause) -> Change:
    """What either answer does to the machines of a cause."""
    names = ", ".join(cause.machines)
    return Change(
        (
            f"Leave out: the counters of {names} stay on the timeline; no figure of the VMs holds them.",
            f"Count as desktops: {names} counts among the VMs, and the question is not asked again.",
        )
    )


def runs_of(library: Library, folders: Sequence[str]) -> list[Run]:
    """The runs of these folders that are open."""
    return [run for study in library.studies for run in study.runs if run.folder in folders]


def _unzoned(run: Run) -> Iterator[Span]:
    """When the recordings that tell no offset begin and end, by their own clocks."""
    lacking = [each for each in run.recordings if each.utc_offset_minutes is None and not each.relative]
    if lacking:
        yield Span("samples", min(each.first_us for each in lacking) / 1e6, max(each.last_us for each in lacking) / 1e6)


def _known(run: Run) -> Iterator[Span]:
    """What of the run lies at a known time: events and phases with an offset, else other recordings."""
    moments = [event.at for event in run.events if event.has_offset]
    if moments:
        yield Span("events", min(moments), max(moments))
    elif placed := [each for each in run.recordings if each.utc_offset_minutes is not None and not each.relative]:
        yield Span("other files", *_extent(placed))


def _extent(recordings: Sequence[Recording]) -> tuple[float, float]:
    starts, ends = zip(*(recording.span_s for recording in recordings), strict=True)
    return min(starts), max(ends)


def _overlap(one: Span, other: Span) -> float:
    """The share of `other` that lies within `one`."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    if other.end <= other.start:
        return float(one.start <= other.start <= one.end)
    return max(0.0, shared) / (other.end - other.start)


def _shifted(span: Span, minutes: float) -> Span:
    return Span(span.label, span.start - 60 * minutes, span.end - 60 * minutes)


def _best(pairs: Sequence[tuple[Span, tuple[Span, ...]]]) -> str:
    """The offset at which samples and what is known lie over each other most; "" where two fit alike, or where the
    samples would hold less than half of what is known even then."""

    def fit(minutes: int) -> float:
        return sum(_alike(_shifted(local, minutes), span) for local, known in pairs for span in known)

    fits = sorted(((fit(minutes), minutes) for minutes in _OFFSETS), reverse=True)
    if fits[0][0] == fits[1][0]:
        return ""
    held = [_overlap(_shifted(local, fits[0][1]), span) for local, known in pairs for span in known]
    if not held or sum(held) < _LEAST_HELD * len(held):
        return ""
    return offset_text(fits[0][1])


def _alike(one: Span, other: Span) -> float:
    """The time that two spans share, as a share of the time that either takes (the Jaccard index)."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return max(0.0, shared) / max(1.0, max(one.end, other.end) - min(one.start, other.start))


def _moved(run: Run, known: Sequence[Span], zone: str) -> str:
    local = next(_unzoned(run))
    moved = _shifted(local, offset_minutes(zone, local.start))
    text = f"{run.name}: the samples are at {_times(moved.start, moved.end)}."
    for span in known:
        now, before = round(100 * _overlap(moved, span)), round(100 * _overlap(local, span))
        text += (
            f" They hold {now} % of the time of its {span.label} ({_times(span.start, span.end)}), {before} % as read."
        )
    return text


def _drawn(run: Run, known: Sequence[Span], zone: str) -> Iterator[Span]:
    local = next(_unzoned(run))
    yield from (Span(span.label.capitalize(), span.start, span.end) for span in known)
    yield Span(AS_READ, local.start, local.end)
    if zone:
        moved = _shifted(local, offset_minutes(zone, local.start))
        yield Span(f"As {zone}", moved.start, moved.end)


def _times(start: float, end: float) -> str:
    one, other = datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC)
    ending = f"{other:%H:%M}" if one.date() == other.date() else f"{other:%Y-%m-%d %H:%M}"
    return f"{one:%Y-%m-%d %H:%M} to {ending} UTC"
