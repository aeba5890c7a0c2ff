"""Builds runs from readings, and studies from runs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.cancellation import stop_if_cancelled
from workbench.model.metric import Side
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import DayMonth, FileReport
from workbench.model.run import LimitsText, Run, Study, baseline_twice, configurations_stated_baseline
from workbench.model.session import VsiSummary
from workbench.readers.common.pasted import without_pasted
from workbench.readers.fio.beside import settled as fio_settled
from workbench.readers.vdbench.folder import vdbench_runs
from workbench.study.discovery.archive_packed import run_name
from workbench.study.discovery.folders import Found, Parts, parts_from_root, run_folders, study_folder
from workbench.study.discovery.infer import Facts, infer, number_problems
from workbench.study.discovery.loose import hosted, loose_run
from workbench.study.discovery.manifest import LIMITS, MANIFEST, Manifest
from workbench.study.discovery.same_names import same_name_problems
from workbench.study.discovery.undocumented_counters import witness_problems
from workbench.study.importing.sessions import placed_by_session, records_in_utc
from workbench.study.importing.source import ImportSource, Read
from workbench.study.plausibility.apart import apart_reason, parts_of
from workbench.study.plausibility.machines import told_apart
from workbench.study.plausibility.unread import unread_problem
from workbench.study.series.clock import events_in_utc, in_utc, zone_guessed
from workbench.study.series.dates import dated, orders_of
from workbench.windows_paths import true_path


@dataclass(frozen=True, eq=False, slots=True)
class _Built:
    """A run with its sources. `counts` is False if its folder contains only benchmarks. `label` is the name of the run
    in problems, `study` the folder that contains it."""

    folder: Path
    run: Run
    readings: tuple[Reading, ...]
    problems: tuple[Problem, ...]
    counts: bool
    label: str
    study: Path


@dataclass(frozen=True, eq=False, slots=True)
class _Member:
    """A file of a run, with its statements if it is a run.toml."""

    source: ImportSource
    reading: Reading
    manifest: Manifest | None = None


def build_studies(found: Found, readings: Iterable[Read]) -> tuple[Study, ...]:
    """Returns the studies below the opened paths: one for each folder that contains runs, sorted by name.

    Files of unknown formats are listed with the study whose folder contains them, paths that do not exist are listed
    with the first study.
    """
    pairs = list(readings)
    known = fio_settled(without_pasted([reading for _, reading in pairs]))
    members = {pair[0].path.parts: _member(pair[0], reading) for pair, reading in zip(pairs, known, strict=True)}
    recognised = [member.source.path for member in members.values() if _belongs_to_a_run(member)]
    folders = run_folders(recognised, found.roots)
    places = {folder.parts: folder for folder in folders.values()}
    runs: dict[Parts, list[_Member]] = defaultdict(list)
    for file in sorted(folders):
        runs[folders[file].parts].append(members[file])
    unknown = [members[file].source for file in sorted(members) if file not in folders]
    orders = orders_of(known)
    every = [_with_unread(_built(places[folder], runs[folder], found, orders), unknown) for folder in runs]
    built = _summaries_handed_out(every)
    groups = _grouped(built, found)
    extra = _leftovers([members[file] for file in sorted(members) if file not in folders], list(groups), found)
    troubles = tuple([_absent(path) for path in found.absent] + [_shut(path) for path in found.unreadable])
    limits = _limits_by_folder(members.values())
    studies = [
        replace(_study(Path(*at), groups.get(at, []), extra.get(at, [])), limits=_limits_around(at, limits))
        for at in sorted({*groups, *extra}, key=_place)
    ]
    studies = _with_unused_limits(studies, limits)
    if not studies and troubles:
        studies = [_study(_first_root(found), [], [])]
    if troubles:
        studies[0] = replace(studies[0], problems=(*troubles, *studies[0].problems))
    return with_unlike_names(studies)


def _place(folder: Parts) -> Parts:
    return parts_from_root(Path(*folder))


def _first_root(found: Found) -> Path:
    return min(found.roots, key=parts_from_root)


def _with_unread(built: _Built, unknown: list[ImportSource]) -> _Built:
    """Returns the run, with a problem if its only data are files of unknown formats."""
    names = [source.name for source in unknown if built.folder in source.path.parents]
    problem = unread_problem(built.label, built.run, names)
    return built if problem is None else replace(built, problems=(*built.problems, problem))


def _belongs_to_a_run(member: _Member) -> bool:
    # An unreadable run.toml still shows which folder the tester meant as the run; limits belong to the study.
    if member.source.path.name == LIMITS:
        return False
    return member.reading.report.recognised or member.source.path.name == MANIFEST


def _grouped(built: list[_Built], found: Found) -> dict[Parts, list[_Built]]:
    """Groups runs by the folder that contains them. A folder with only benchmarks is added to the study that contains
    it."""
    groups: dict[Parts, list[_Built]] = defaultdict(list)
    for one in built:
        if one.counts:
            groups[one.study.parts].append(one)
    studies = set(groups)
    for one in built:
        if not one.counts:
            own = one.folder if _is_folder(one.folder, found) else one.folder.parent
            near = [folder.parts for folder in (own, one.study) if folder.parts in studies]
            groups[near[0] if near else own.parts].append(one)
    return groups


def _summaries_handed_out(built: list[_Built]) -> list[_Built]:
    """Gives the analyzer summaries of a folder that contains nothing else to their runs, by test name."""
    sharing = [one for one in built if one.counts and _holds_summaries_alone(one.run)]
    names = {one.run.name.casefold() for one in built if one.counts and one not in sharing}
    given: dict[str, list[VsiSummary]] = defaultdict(list)
    emptied: set[Parts] = set()
    for one in sharing:
        if all(summary.test.casefold() in names for summary in one.run.summaries):
            emptied.add(one.folder.parts)
            for summary in one.run.summaries:
                given[summary.test.casefold()].append(summary)
    return [
        replace(one, counts=False)
        if one.folder.parts in emptied
        else replace(one, run=replace(one.run, summaries=(*one.run.summaries, *given[one.run.name.casefold()])))
        for one in built
    ]


def _holds_summaries_alone(run: Run) -> bool:
    others = run.recordings or run.events or run.sessions or run.measurements or run.eux_summaries
    return bool(run.summaries) and not others


def _leftovers(members: list[_Member], studies: list[Parts], found: Found) -> dict[Parts, list[Reading]]:
    """Groups files without a run by the study that contains them, otherwise the first study, otherwise the opened
    folder."""
    extra: dict[Parts, list[Reading]] = defaultdict(list)
    fallback = min(studies, key=_place) if studies else _first_root(found).parts
    for member in members:
        folder = member.source.path.parent.parts
        around = [study for study in studies if folder[: len(study)] == study]
        extra[max(around, key=len) if around else fallback].append(member.reading)
    return extra


def _study(folder: Path, built: list[_Built], extra: list[Reading]) -> Study:
    readings = [*(reading for one in built for reading in one.readings), *extra]
    problems = [problem for reading in readings for problem in reading.problems]
    problems += [problem for one in built if one.counts for problem in one.problems]
    name, runs = true_path(folder).name or str(folder), _unlike_names([one.run for one in built if one.counts])
    problems += same_name_problems(name, runs)
    problems += number_problems(runs)
    problems += witness_problems(name, runs)
    problems += _baselines_stated([one for one in built if one.counts])
    return Study(
        name=name,
        folder=str(folder),
        runs=runs,
        files=tuple(sorted((reading.report for reading in readings), key=lambda report: report.path)),
        problems=tuple(problems),
        benchmarks=tuple(row for reading in readings for row in reading.benchmarks),
        loose=tuple(loose_run(one.run, one.label) for one in built if not one.counts and one.run.recordings),
    )


def _baselines_stated(built: Sequence[_Built]) -> list[Problem]:
    """Returns a problem if the run.toml files of a study state more than one configuration as its baseline."""
    stated = configurations_stated_baseline(one.run for one in built)
    if len(stated) < 2:
        return []
    labels = {one.run.folder: one.label for one in built}
    return [baseline_twice(stated, labels, f"{labels[stated[1].folder]}/{MANIFEST}")]


def _study_folder(run_folder: Path, found: Found) -> Path:
    """Returns the folder that contains a run; a run that was itself opened is its own study."""
    opened = {true_path(root) for root in found.roots}
    run = true_path(run_folder)
    own = run in opened and _is_folder(run_folder, found) and not opened.intersection(run.parents)
    return run_folder if own else study_folder(run_folder, opened)


def _is_folder(place: Path, found: Found) -> bool:
    """True if a run's path is a folder, an archive or a folder in one, not an opened file."""
    return place.is_dir() or any(path in found.archives for path in (place, *place.parents))


def _written(source: ImportSource) -> float | None:
    """Returns when a file was written, in seconds since 1970 UTC, or None if unknown."""
    if source.member is not None:
        return source.member.modified
    try:
        return source.path.stat().st_mtime
    except (OSError, ValueError):
        return None


def _built(folder: Path, members: list[_Member], found: Found, orders: frozenset[DayMonth]) -> _Built:
    stop_if_cancelled()
    problems: list[Problem] = []
    stated = next((member.manifest for member in members if member.manifest is not None), None)
    manifest = stated or Manifest()
    named, study = true_path(folder).name, _study_folder(folder, found)
    written = [_written(member.source) for member in members]
    day = manifest.get("date") or ""
    readings = dated([member.reading for member in members], written, orders, bool(manifest.phases), day)
    whole = vdbench_runs(readings, named)
    readings = in_utc(whole, manifest.get("time_zone"), problems)
    label = _label(folder, members)
    name = run_name(folder.name) if folder.is_file() else named
    run = _run(folder, name, readings, manifest, true_path(study).name, label, problems)
    problems += [_told(label, guess.field, guess.value, guess.reason) for guess in run.guesses]
    tested = run.sessions or run.measurements or run.summaries or run.eux_summaries
    samples = any(not recording.relative for recording in run.recordings)
    counts = bool(stated is not None or samples or run.events or tested)
    return _Built(folder, run, tuple(readings), tuple(problems), counts, label, study)


def _run(
    folder: Path,
    name: str,
    readings: list[Reading],
    manifest: Manifest,
    study: str,
    label: str,
    problems: list[Problem],
) -> Run:
    recordings = hosted((reading.recording for reading in readings if reading.recording is not None), name)
    events = events_in_utc(readings, manifest.get("time_zone"), recordings, problems)
    records = records_in_utc(readings, manifest.get("time_zone"), recordings, label, problems)
    recordings = placed_by_session(recordings, records.sessions)
    machines = told_apart(label, recordings, events, manifest.get("vms"), manifest.get("leave_out") or ())
    recordings = machines.recordings
    problems += machines.problems
    facts: Facts = infer(name, study, manifest, recordings, events, records.sessions, _found_facts(readings))
    parts = parts_of(recordings, manifest.phases)
    return Run(
        name=name,
        folder=str(folder),
        configuration=facts.configuration,
        session_type=facts.session_type,
        vms=facts.vms,
        users=facts.users,
        recordings=recordings,
        events=events,
        stated_phases=manifest.phases,
        benchmarks=tuple(row for reading in readings for row in reading.benchmarks),
        workload=manifest.get("workload"),
        hypervisor=manifest.get("hypervisor"),
        guest_os=manifest.get("guest_os"),
        time_zone=manifest.get("time_zone"),
        baseline=bool(manifest.get("baseline")),
        primary=manifest.get("primary") or (),
        excluded=manifest.get("exclude") or (apart_reason(parts) if len(parts) > 1 else None),
        guesses=facts.guesses,
        sessions=records.sessions,
        measurements=records.measurements,
        summaries=records.summaries,
        eux_summaries=records.eux_summaries,
        guest_counters=Side(stated) if (stated := manifest.get("guest_counters")) else None,
        build=manifest.get("build"),
        date=manifest.get("date"),
        session=manifest.get("session"),
        other_configuration=facts.other,
        earlier_configuration=facts.earlier,
        zone_guessed=zone_guessed(readings, problems),
    )


def _found_facts(readings: list[Reading]) -> dict[str, tuple[str, str]]:
    """Returns guesses for properties of the run from its files, by key: the value and the file. Contradicting files
    give no guess."""
    found: dict[str, set[str]] = {}
    files: dict[str, str] = {}
    for reading in readings:
        for key, value in reading.facts:
            found.setdefault(key, set()).add(value)
            files[key] = reading.report.path
    return {key: (next(iter(values)), files[key]) for key, values in found.items() if len(values) == 1}


def _member(source: ImportSource, reading: Reading) -> _Member:
    """Returns a file of a run. run.toml states facts about a run and is not a result; nor is limits.toml."""
    if source.limits is not None:
        return _Member(source, _limits_reading(source.name, source.limits))
    if source.stated is None:
        return _Member(source, reading)
    manifest, problems = source.stated
    readable = all(problem.severity is not Severity.REFUSED for problem in problems)
    report = FileReport(
        path=source.name,
        reader="run.toml" if readable else None,
        recognised=readable,
        rows=len(manifest.values) + len(manifest.phases),
        encoding="utf-8" if readable else None,
    )
    return _Member(source, Reading(report, tuple(problems)), manifest if readable else None)


def _limits_reading(name: str, limits: LimitsText) -> Reading:
    readable = limits.problem is None
    report = FileReport(
        path=name, reader=LIMITS if readable else None, recognised=readable, encoding="utf-8" if readable else None
    )
    return Reading(report, () if limits.problem is None else (limits.problem,))


def _limits_by_folder(members: Iterable[_Member]) -> dict[Parts, LimitsText]:
    """Returns the limits by the folder that contains them, from the root."""
    return {
        parts_from_root(member.source.path.parent): member.source.limits
        for member in members
        if member.source.limits is not None
    }


def _limits_around(study: Parts, limits: Mapping[Parts, LimitsText]) -> LimitsText | None:
    """Returns the limits of a study: those in its folder, otherwise those of the nearest parent folder."""
    folder = _place(study)
    above = (folder[:count] for count in range(len(folder), 0, -1))
    return next((limits[each] for each in above if each in limits), None)


def _with_unused_limits(studies: list[Study], limits: Mapping[Parts, LimitsText]) -> list[Study]:
    """Returns the studies. A limits.toml below a study that applies to none gives a problem."""
    problems: dict[int, list[Problem]] = defaultdict(list)
    folders = [_place(Path(study.folder).parts) for study in studies]
    used = [study.limits for study in studies]
    for place, text in limits.items():
        if text not in used:
            around = [number for number, folder in enumerate(folders) if place[: len(folder)] == folder]
            problems[max(around, key=lambda number: len(folders[number]), default=0)].append(_unused(text))
    return [
        replace(study, problems=(*study.problems, *problems[number])) if number in problems else study
        for number, study in enumerate(studies)
    ]


def _unused(limits: LimitsText) -> Problem:
    message = "The file does not apply to any study."
    action = "file ignored; put it in the study folder or in a folder above it"
    return Problem(Severity.WARNING, limits.file, "limits-unused", message, action)


def _label(folder: Path, members: list[_Member]) -> str:
    """Returns the run's name in problems: the part of its files' names that is its folder."""
    source = members[0].source
    if source.path == folder:
        return source.name
    below = len(source.path.relative_to(folder).parts)
    return "/".join(source.name.split("/")[:-below]) or true_path(folder).name


def _unlike_names(runs: list[Run]) -> tuple[Run, ...]:
    """Makes the names of runs within a study unique: equal names get their ending, or the folder before them."""
    names = [run.name for run in runs]
    return tuple(
        replace(run, name=_longer_name(Path(run.folder), run.name)) if names.count(run.name) > 1 else run
        for run in runs
    )


def _longer_name(place: Path, name: str) -> str:
    return place.name if place.name != name else f"{true_path(place).parent.name}/{name}"


def _told(label: str, field: str, value: str, reason: str) -> Problem:
    return Problem(
        Severity.INFO,
        label,
        f"inferred-{field.replace('_', '-')}",
        f"Guessed: {field} = {_quoted(value)} ({reason}).",
        f"to correct the guess, set '{field}' in run.toml",
    )


def _quoted(value: str) -> str:
    return value if re.fullmatch(r"[\w.-]+", value) else f"'{value}'"


def _absent(path: Path) -> Problem:
    return Problem(
        Severity.REFUSED, str(path), "not-found", "The path does not exist.", "path ignored; check the spelling"
    )


def _shut(path: Path) -> Problem:
    message = "The folder cannot be opened."
    return Problem(
        Severity.REFUSED, str(path), "folder-unreadable", message, "folder not imported; check its permissions"
    )


def with_unlike_names(studies: Sequence[Study]) -> tuple[Study, ...]:
    """Returns the studies with unique names: equal names get as many of their folders in front as needed."""
    folders = [(*study.folder.replace("\\", "/").split("/")[:-1], study.name) for study in studies]
    names = [study.name for study in studies]
    for count in range(2, max(map(len, folders), default=0) + 1):
        if len(set(names)) == len(names):
            break
        names = [
            "/".join(folder[-count:]) if names.count(name) > 1 else name
            for name, folder in zip(names, folders, strict=True)
        ]
    # If the same folder is opened twice, its path does not distinguish the two.
    names = [f"{name} ({number})" if names.count(name) > 1 else name for number, name in enumerate(names, 1)]
    return tuple(
        study if study.name == name else replace(study, name=name) for study, name in zip(studies, names, strict=True)
    )
