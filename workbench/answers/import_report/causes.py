"""Problems grouped by their cause: by code, reader of the file and severity. Problems that the user has fixed are
separate.

Also computes the effect of a decision about a cause, as far as the data show it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path, PurePosixPath

from workbench.answers.common.causes import BINARY_LOG, NUMBERS, cause_group, cause_key, mending_of, titles, unread_log
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.model.edits import RunEdits
from workbench.model.problem import Cause, CauseGroup, Correction, Mending, Problem, Span, few_named
from workbench.model.recording import FileReport, Recording
from workbench.model.run import BaselineEvidence, Run, Study
from workbench.readers.common.row_problems import LISTED
from workbench.study.plausibility.apart import machines_of, run_in_name
from workbench.study.series.time_zone import offset_minutes, offset_text
from workbench.study.series.vm_series import vm_names
from workbench.study.splitting import split

# Prefix of the keys of causes that the user has fixed.
BY_HAND = "by-hand:"
# The user's options for notes.
_OF_NOTES = (Mending.EDIT_RUN, *NUMBERS)
_GROUPS = list(CauseGroup)
_MENDINGS = list(Mending)


@dataclass(slots=True)
class _Gathered:
    """The problems collected so far for one cause, and the folders of their runs."""

    group: CauseGroup
    problems: list[Problem] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


def causes(library: Library, choices: Choices) -> tuple[Cause, ...]:
    """Every cause, worst group first. Within a group, causes that a decision can fix come first, then causes that
    affect more data.
    """
    reports = {report.path: report for report in library.files}
    gathered: dict[str, _Gathered] = {}
    mended: dict[str, _Gathered] = {}
    # The problems of stated baselines in studies whose baseline the user has chosen, each with a run of the chosen
    # baseline.
    found: dict[Problem, str] = {}
    for study in library.studies:
        runs = [run.folder for run in study.runs if choices.edits_of(run.folder).baseline is BaselineEvidence.CHOICE]
        if runs:
            problems = (problem for problem in study.problems if mending_of(problem.code) is Mending.BASELINE)
            found |= dict.fromkeys(problems, runs[0])
    chosen = found
    for problem, run in _problems(library):
        mending, edits = mending_of(problem.code), choices.edits_of(run)
        zoned = mending is Mending.TIME_ZONE and edits.time_zone is not None
        dated = mending is Mending.DATE_ORDER and edits.date_order is not None
        named = mending in NUMBERS and edits.configuration is not None
        report = reports.get(problem.file)
        group, key = cause_group(problem), cause_key(problem, report.reader if report else None)
        settled = zoned or dated or named or problem in chosen
        kept = (mended if settled else gathered).setdefault(f"{group}/{key}", _Gathered(group))
        kept.problems.append(problem)
        kept.folders.append(chosen.get(problem, run))
    listed = [_cause(key, each, reports) for key, each in gathered.items()]
    listed += [_settled(_cause(key, each, reports), choices) for key, each in mended.items()]
    listed += _decided(library, choices)
    return tuple(sorted(listed, key=_place))


def _place(cause: Cause) -> tuple[int, bool, int, int]:
    last = cause.mending is Mending.NOTHING
    return _GROUPS.index(cause.group), last, _MENDINGS.index(cause.mending), -cause.count


def _problems(library: Library) -> Iterator[tuple[Problem, str]]:
    """Every problem with the folder of its run (empty if it does not belong to a run)."""
    for study in library.studies:
        folders = _folders(study)
        yield from ((problem, problem.run or folders.get(problem.file, "")) for problem in study.problems)
    yield from ((problem, folder) for folder, problems in library.problems_of_runs.items() for problem in problems)


def _folders(study: Study) -> dict[str, str]:
    """The folders of a study's runs, by their names, their paths in it, and the files in them."""
    folders = {run.name: run.folder for run in study.runs}
    for run in study.runs:
        folders |= dict.fromkeys(_places(Path(study.folder), Path(run.folder)), run.folder)
        folders |= {recording.file: run.folder for recording in run.recordings}
        folders |= {event.file: run.folder for event in run.events if event.file}
    return folders


def _places(study: Path, run: Path) -> Iterator[str]:
    """The names of a run's folder in problems: relative to the study, and relative to the folder above it."""
    for above in (study, study.parent):
        if run.is_relative_to(above):
            yield run.relative_to(above).as_posix()


def files_of_run(library: Library, folder: str) -> tuple[FileReport, ...]:
    """The files of a run: those in its folder, and those of its recordings and events."""
    run = next((run for study in library.studies for run in study.runs if run.folder == folder), None)
    if run is None:
        return ()
    names = {recording.file for recording in run.recordings} | {event.file for event in run.events}
    places = library.places or {}
    inside = {name for name, place in places.items() if Path(place).is_relative_to(folder)}
    return tuple(report for report in library.files if report.path in names | inside)


def _cause(key: str, gathered: _Gathered, reports: dict[str, FileReport]) -> Cause:
    problems, first = tuple(gathered.problems), gathered.problems[0]
    done = _common_action([problem.action for problem in problems])
    count, noun, at_least = _extent(problems, reports)
    # The command that converts a binary log to text on Windows; empty for other files.
    binary = first.file.casefold().endswith(BINARY_LOG)
    command = f'relog "{first.file}" -f CSV -o "{first.file[: -len(BINARY_LOG)]}.csv"' if binary else ""
    mending = _mending(first, gathered, command, reports)
    title = titles().get("no-event-trace" if unread_log(first) else first.code, first.message)
    machines = tuple(dict.fromkeys(machine for problem in problems for machine in problem.machines))
    folders, runs = tuple(gathered.folders), tuple(dict.fromkeys(filter(None, gathered.folders)))
    return Cause(
        key, gathered.group, title, done, problems, count, noun, at_least, mending, runs, machines, folders, command
    )


def _common_action(actions: Sequence[str]) -> str:
    """The clauses with which every action begins; the most frequent action if the first clauses differ."""
    clauses = zip(*(action.split("; ") for action in actions), strict=False)
    shared = [same[0] for same in takewhile(lambda each: len({*each}) == 1, clauses)]
    return "; ".join(shared) if shared else Counter(actions).most_common(1)[0][0]


def _extent(problems: Sequence[Problem], reports: dict[str, FileReport]) -> tuple[int, str, bool]:
    """The amount of data that a cause affects: its number, the unit, and whether the number is a lower bound."""
    each = Counter(problem.file for problem in problems)
    files = len(each.keys() & reports.keys())
    noun = "file" if files == len(each) else "place" if files else "run"
    if len(each) > 1 or len(problems) == 1:
        return len(each), noun + "s" * (len(each) > 1), False
    lines = {(problem.line, problem.column) for problem in problems if problem.line is not None}
    if len(lines) < 2:
        return 1, noun, False
    cells = all(problem.column is not None for problem in problems)
    return min(len(lines), LISTED), "cells" if cells else "lines", len(problems) > LISTED


def _mending(first: Problem, gathered: _Gathered, command: str, reports: dict[str, FileReport]) -> Mending:
    mending = mending_of(first.code)
    of_runs = mending in (Mending.TIME_ZONE, Mending.DATE_ORDER, Mending.SPLIT, Mending.MACHINES, *_OF_NOTES)
    if mending and gathered.group is CauseGroup.NOTE and mending not in _OF_NOTES:
        mending = Mending.NOTHING
    if mending and (any(gathered.folders) or not of_runs):
        return mending
    if command:
        return Mending.COPY_COMMAND
    if any(problem.file in reports for problem in gathered.problems):
        return Mending.SHOW
    # Nothing in the program fixes this cause: only the person who made the recording can check the odd values.
    asks = gathered.group in (CauseGroup.NEEDS_YOU, CauseGroup.REFUSED)
    return Mending.COPY_SENTENCES if asks else Mending.NOTHING


def _settled(cause: Cause, choices: Choices) -> Cause:
    """A cause for which the user has stated the time zone, the order of dates or the configuration."""
    if cause.mending is Mending.BASELINE:
        return _by_hand(cause.title, "you chose the baseline", cause.runs, "baseline", cause)
    if cause.mending in NUMBERS:
        names = dict.fromkeys(choices.edits_of(run).configuration or "" for run in cause.runs)
        return _by_hand(cause.title, f"you named the configuration {' and '.join(names)}", cause.runs, "numbers", cause)
    if cause.mending is Mending.DATE_ORDER:
        return _by_hand(cause.title, "you swapped day and month", cause.runs, "date-order", cause)
    zones = dict.fromkeys(choices.edits_of(run).time_zone or "" for run in cause.runs)
    return _by_hand(cause.title, f"you set {' and '.join(zones)}", cause.runs, "time-zone", cause)


def _decided(library: Library, choices: Choices) -> Iterator[Cause]:
    """The user's decisions about folders that mix runs, and about machines."""
    shown = {run.folder for study in library.studies for run in study.runs}
    parts: dict[str, int] = defaultdict(int)
    for study in library.studies:
        for run in study.runs:
            parts[run.split_from or ""] += 1
    for edit in choices.edits:
        if edit.split and parts[edit.run]:
            done = f"you split the folder into {parts[edit.run]} runs"
            yield _by_hand(titles()["runs-mixed"], done, (edit.run,), "split")
        if edit.run in shown and (edit.left_out or edit.counted):
            yield _by_hand(titles()["machine-unlike"], _of_machines(edit), (edit.run,), "machines")


def _of_machines(edit: RunEdits) -> str:
    out = f"you excluded {', '.join(edit.left_out)}" if edit.left_out else ""
    counted = (
        f"you count {', '.join(edit.counted)} as {'VMs' if len(edit.counted) > 1 else 'a VM'}" if edit.counted else ""
    )
    return "; ".join(part for part in (out, counted) if part)


def _by_hand(title: str, done: str, runs: tuple[str, ...], what: str, cause: Cause | None = None) -> Cause:
    """A cause that the user has fixed, with the option to undo it."""
    problems = cause.problems if cause else ()
    count, noun = (cause.count, cause.noun) if cause else (len(runs), "run")
    key = f"{BY_HAND}{what}/{'/'.join(runs)}"
    return Cause(key, CauseGroup.MENDED, title, done, problems, count, noun, mending=Mending.UNDO, runs=runs)


AS_READ = "As read"
# Possible UTC offsets in minutes: every half hour.
_OFFSETS = range(-12 * 60, 14 * 60 + 1, 30)
# An offset explains nothing if fewer known times are within the samples than without it.
_LEAST_HELD = 0.5
# Maximum number of runs that can be viewed side by side.
_SHOWN = 3


def zone_change(library: Library, folders: Sequence[str], zone: str, first: str = "") -> Correction:
    """The effect of a time zone (`Europe/London`, `+01:00`; "" for the best match) on the clocks of runs; only the
    `first` runs are drawn."""
    runs = [run for run in runs_of(library, folders) if any(_unzoned(run))]
    runs.sort(key=lambda run: run.folder != first)
    if not runs:
        return Correction(("A time zone would not move any samples of these runs.",))
    known = {run.folder: tuple(_known(run)) for run in runs}
    best = _best([(next(_unzoned(run)), known[run.folder]) for run in runs if known[run.folder]])
    value = zone or best
    try:
        sentences = [_moved(run, known[run.folder], value) for run in runs[:_SHOWN]] if value else []
    except ValueError as error:
        return Correction(value=best, wrong=f"The time zone {error}.")
    if len(runs) > _SHOWN and value:
        sentences.append(f"This also applies to {len(runs) - _SHOWN} more runs.")
    if not value and any(known.values()):
        sentences.append("No offset fits best. Choose a time zone to see its effect on the samples.")
    if not any(known.values()):
        sentences.append(
            "No event or other file of these runs states its offset from UTC, so no time zone can be suggested."
        )
    return Correction(tuple(sentences), tuple(_drawn(runs[0], known[runs[0].folder], value)), best)


def split_change(library: Library, folders: Sequence[str]) -> Correction:
    """The runs that folders are split into, with the files of each and the reason for the split."""
    parts = [part for run in runs_of(library, folders) for part in split(run)]
    spans = [Span(part.name, *_time_extent(part.recordings)) for part in parts if part.recordings]
    machines = {part.name: len(vm_names(part)) for part in parts}
    files = {part.name: _files(part) for part in parts}
    return Correction(
        tuple(
            f"'{span.label}': {_times(span.start, span.end)}, {machines[span.label]} machine"
            f"{'s' * (machines[span.label] != 1)}, {files[span.label]}."
            for span in spans
        ),
        tuple(spans),
        str(len(parts)),
    )


def _files(part: Run) -> str:
    """The first files of a part, the number of further ones, and the reason why they count as one run."""
    names = [PurePosixPath(recording.file).name for recording in part.recordings]
    shown = few_named(names)
    named = {run_in_name(recording.file, machines_of(recording)) for recording in part.recordings} - {""}
    by_name = len(named) == 1 and part.name.endswith(stated := named.pop())
    return f"{shown} ({f'{stated}, according to the file names' if by_name else 'no overlap with other recordings'})"


def machine_change(cause: Cause) -> Correction:
    """The effect of either answer on the machines of a cause."""
    names = ", ".join(cause.machines)
    return Correction(
        (
            f"Exclude: the counters of {names} stay on the timeline, but are not part of the values of the VMs.",
            f"Treat as VMs: {names} is counted with the other VMs, and this question is not asked again.",
        )
    )


def runs_of(library: Library, folders: Sequence[str]) -> list[Run]:
    """The open runs of these folders."""
    return [run for study in library.studies for run in study.runs if run.folder in folders]


def _unzoned(run: Run) -> Iterator[Span]:
    """The start and end of the recordings without an offset, by their own clocks."""
    lacking = [each for each in run.recordings if each.utc_offset_minutes is None and not each.relative]
    if lacking:
        yield Span("samples", min(each.first_us for each in lacking) / 1e6, max(each.last_us for each in lacking) / 1e6)


def _known(run: Run) -> Iterator[Span]:
    """The parts of the run at a known time: events and phases with an offset, otherwise other recordings."""
    moments = [event.at for event in run.events if event.has_offset]
    if moments:
        yield Span("events", min(moments), max(moments))
    elif placed := [each for each in run.recordings if each.utc_offset_minutes is not None and not each.relative]:
        yield Span("other files", *_time_extent(placed))


def _time_extent(recordings: Sequence[Recording]) -> tuple[float, float]:
    starts, ends = zip(*(recording.span_s for recording in recordings), strict=True)
    return min(starts), max(ends)


def _overlap(one: Span, other: Span) -> float:
    """The share of `other` that is within `one`."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    if other.end <= other.start:
        return float(one.start <= other.start <= one.end)
    return max(0.0, shared) / (other.end - other.start)


def _shifted(span: Span, minutes: float) -> Span:
    return Span(span.label, span.start - 60 * minutes, span.end - 60 * minutes)


def _best(pairs: Sequence[tuple[Span, tuple[Span, ...]]]) -> str:
    """The offset with the largest overlap of samples and known times. Empty if two offsets match equally well, or if
    even then the samples cover less than half of the known times."""

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
    """The time that two spans share, as a share of the time that they cover together (the Jaccard index)."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return max(0.0, shared) / max(1.0, max(one.end, other.end) - min(one.start, other.start))


def _moved(run: Run, known: Sequence[Span], zone: str) -> str:
    local = next(_unzoned(run))
    moved = _shifted(local, offset_minutes(zone, local.start))
    text = f"{run.name}: the samples are at {_times(moved.start, moved.end)}."
    for span in known:
        now, before = round(100 * _overlap(moved, span)), round(100 * _overlap(local, span))
        text += (
            f" {span.label.capitalize()} of the run: {_times(span.start, span.end)}. "
            f"The samples cover {now} % of this time ({before} % with the times as read)."
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
