"""Readings become runs, runs become studies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from workbench.model.event import Event
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport, Recording
from workbench.model.run import Run, Study
from workbench.study.folders import Found, run_folders
from workbench.study.import_pool import Source
from workbench.study.infer import Facts, infer
from workbench.study.manifest import MANIFEST, Manifest, read_manifest
from workbench.study.time_zone import offset_minutes

Read = tuple[Source, Reading]


def build_studies(found: Found, readings: Iterable[Read]) -> tuple[Study, ...]:
    """The studies below the opened paths: one for each folder that holds runs, in order of their names."""
    by_path = {source.path: (source, _with_manifest(source, reading)) for source, reading in readings}
    kinds = {
        path: _has_samples(reading) for path, (_, reading) in by_path.items() if reading.report.recognised
    }
    folders = run_folders(kinds, found.roots)
    runs: dict[Path, list[Read]] = defaultdict(list)
    for path, folder in folders.items():
        runs[folder].append(by_path[path])
    built = [_build_run(folder, members, found) for folder, members in sorted(runs.items())]
    others = [read for path, read in by_path.items() if path not in folders]
    absent = tuple(_absent(path) for path in found.absent)
    return _studies(built, others, found, absent)


def _studies(
    built: list[tuple[Path, Run, list[Read], list[Problem]]], others: list[Read], found: Found,
    absent: tuple[Problem, ...],
) -> tuple[Study, ...]:  # fmt: skip
    """Runs grouped by the folder that holds them; benchmark-only folders add to the nearest study."""
    groups: dict[Path, list[tuple[Path, Run, list[Read], list[Problem]]]] = defaultdict(list)
    for entry in built:
        groups[_study_folder(entry[0], found)].append(entry)
    leftovers = [reading for _, reading in others]
    studies: list[Study] = []
    for number, (folder, entries) in enumerate(sorted(groups.items())):
        readings = [reading for entry in entries for _, reading in entry[2]]
        extra = leftovers if number == 0 else []
        studies.append(_study(folder, entries, [*readings, *extra], absent if number == 0 else ()))
    if not studies and (leftovers or absent):
        root = found.roots[0] if found.roots else Path()
        studies.append(_study(root, [], leftovers, absent))
    return tuple(studies)


def _study(
    folder: Path, entries: list[tuple[Path, Run, list[Read], list[Problem]]], readings: list[Reading],
    absent: tuple[Problem, ...],
) -> Study:  # fmt: skip
    runs = tuple(run for _, run, _, _ in entries if run.recordings or run.events or run.stated_phases)
    problems = [problem for reading in readings for problem in reading.problems]
    problems += [problem for entry in entries for problem in entry[3]]
    return Study(
        name=folder.resolve().name or str(folder),
        folder=str(folder),
        runs=_unlike_names(runs),
        files=tuple(sorted((reading.report for reading in readings), key=lambda report: report.path)),
        problems=(*absent, *problems),
        benchmarks=tuple(row for reading in readings for row in reading.benchmarks),
    )


def _study_folder(run_folder: Path, found: Found) -> Path:
    """The folder a run lies in; a run that was itself opened is its own study."""
    opened = {root.resolve() for root in found.roots}
    if run_folder.resolve() in opened and run_folder.is_dir():
        return run_folder
    return run_folder.parent


def _build_run(
    folder: Path, members: list[Read], found: Found
) -> tuple[Path, Run, list[Read], list[Problem]]:
    problems: list[Problem] = []
    manifest = Manifest()
    for source, _ in members:
        if source.path.name == MANIFEST:
            manifest, _ = read_manifest(source.path, source.name)
    name = folder.stem if folder.is_file() else folder.resolve().name
    recordings = tuple(
        _in_zone(reading.recording, manifest.get("time_zone"))
        for _, reading in members if reading.recording is not None
    )  # fmt: skip
    events = _events(members, manifest, recordings, problems)
    study = _study_folder(folder, found).resolve().name
    facts = infer(name, study, manifest, recordings, events)
    label = _label(folder, members)
    problems += [_told(label, guess.field, guess.value, guess.reason) for guess in facts.guesses]
    return folder, _run(name, folder, manifest, facts, recordings, events, members), members, problems


def _run(
    name: str, folder: Path, manifest: Manifest, facts: Facts, recordings: tuple[Recording, ...],
    events: tuple[Event, ...], members: list[Read],
) -> Run:  # fmt: skip
    return Run(
        name=name, folder=str(folder), configuration=facts.configuration, session_type=facts.session_type,
        vms=facts.vms, users=facts.users, recordings=recordings, events=events, stated_phases=manifest.phases,
        benchmarks=tuple(row for _, reading in members for row in reading.benchmarks),
        workload=manifest.get("workload"), hypervisor=manifest.get("hypervisor"),
        guest_os=manifest.get("guest_os"), time_zone=manifest.get("time_zone"),
        baseline=bool(manifest.get("baseline")), excluded=manifest.get("exclude"), guesses=facts.guesses,
    )  # fmt: skip


def _in_zone(recording: Recording, time_zone: str | None) -> Recording:
    """The recording with the run's offset when the file has none of its own."""
    if recording.utc_offset_minutes is not None or time_zone is None:
        return recording
    return replace(recording, utc_offset_minutes=offset_minutes(time_zone, recording.first_us / 1e6))


def _events(
    members: list[Read], manifest: Manifest, recordings: tuple[Recording, ...], problems: list[Problem]
) -> tuple[Event, ...]:
    """All events in time order; those without an offset take the run's, or that of its recordings."""
    found: list[Event] = []
    for source, reading in members:
        local = [event for event in reading.events if not event.has_offset]
        offset = _offset_for(local, manifest, recordings)
        found += [event for event in reading.events if event.has_offset]
        if offset is not None:
            found += [replace(event, at=event.at - 60 * offset, has_offset=True) for event in local]
        elif local:
            problems.append(_events_left_out(source.name, len(local)))
    return tuple(sorted(found, key=lambda event: event.at))


def _offset_for(local: list[Event], manifest: Manifest, recordings: tuple[Recording, ...]) -> int | None:
    if not local:
        return None
    if zone := manifest.get("time_zone"):
        return offset_minutes(zone, local[0].at)
    offsets = {recording.utc_offset_minutes for recording in recordings}
    return offsets.pop() if len(offsets) == 1 else None


def _with_manifest(source: Source, reading: Reading) -> Reading:
    """run.toml is read here: it states facts about a run and holds no results."""
    if source.path.name != MANIFEST:
        return reading
    manifest, problems = read_manifest(source.path, source.name)
    readable = all(problem.severity is not Severity.REFUSED for problem in problems)
    report = FileReport(
        path=source.name, reader="run.toml" if readable else None, recognised=readable,
        rows=len(manifest.values) + len(manifest.phases), encoding="utf-8",
    )  # fmt: skip
    return Reading(report, tuple(problems))


def _has_samples(reading: Reading) -> bool:
    return reading.recording is not None or bool(reading.events)


def _label(folder: Path, members: list[Read]) -> str:
    """What problems call the run: the common folder of its files' names."""
    source = members[0][0]
    depth = len(source.path.parts) - len(folder.parts)
    parts = source.name.split("/")
    return "/".join(parts[: len(parts) - depth]) or folder.name if folder.is_dir() else source.name


def _unlike_names(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Runs of one name within a study get their parent folder in front."""
    names = [run.name for run in runs]
    return tuple(
        replace(run, name=f"{Path(run.folder).parent.name}/{run.name}") if names.count(run.name) > 1 else run
        for run in runs
    )


def _told(label: str, field: str, value: str, reason: str) -> Problem:
    return Problem(
        Severity.INFO, label, f"inferred-{field.replace('_', '-')}", f"{field} taken as {value}: {reason}.",
        f"state {field} in run.toml to change it",
    )  # fmt: skip


def _events_left_out(name: str, count: int) -> Problem:
    return Problem(
        Severity.WARNING, name, "events-without-zone",
        f"{count} events have no offset from UTC and the run has no time zone.",
        'events left out; state time_zone = "+01:00" in run.toml',
    )  # fmt: skip


def _absent(path: Path) -> Problem:
    return Problem(
        Severity.REFUSED,
        str(path),
        "not-found",
        f"{path} does not exist.",
        "path left out; check the spelling",
    )
