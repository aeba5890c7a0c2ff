"""A folder that mixes hosts or days, as one run per part: nothing in the folder is changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workbench.model.edits import RunEdits
from workbench.model.recording import Recording
from workbench.model.run import Guess, Run, SessionType, Study
from workbench.model.session import Event, Session
from workbench.study.discovery.infer import infer
from workbench.study.discovery.manifest import Manifest
from workbench.study.plausibility.apart import RunPart, apart_reason, machines_of, parts_of, run_in_name


def split_studies(studies: Sequence[Study], edits: Iterable[RunEdits]) -> tuple[Study, ...]:
    """Returns the studies with each folder that an edit splits as one run per part."""
    chosen = {edit.run for edit in edits if edit.split}
    if not chosen:
        return tuple(studies)
    return tuple(
        replace(
            study, runs=tuple(part for run in study.runs for part in (split(run) if run.folder in chosen else (run,)))
        )
        for study in studies
    )


def split(run: Run) -> tuple[Run, ...]:
    """Returns one run for each part of a folder that contains several runs, in time order; the run itself if there is
    one part.

    Data between two parts belongs to the nearer one, data in both to both, and data without a clock to the first.
    """
    parts = parts_of(run.recordings, run.stated_phases)
    if len(parts) < 2:
        return (run,)
    reason = apart_reason(parts)
    excluded = None if run.excluded == reason else run.excluded
    return tuple(
        _part(run, part, name, at, parts, excluded)
        for at, (part, name) in enumerate(zip(parts, _names(run, parts), strict=True))
    )


def _part(run: Run, part: RunPart, name: str, at: int, parts: Sequence[RunPart], excluded: str | None) -> Run:
    def taken(items: Iterable[Any], moment: Any) -> tuple[Any, ...]:
        return tuple(item for item in items if at in _places(moment(item), parts))

    recordings = tuple(recording for recording in run.recordings if at in _places_of(recording, parts))
    if part.name:
        run = _named(run, part.name, recordings)
    events = taken(run.events, lambda event: event.at)
    sessions = taken(run.sessions, _of_session)
    start = f"{datetime.fromtimestamp(part.start, UTC):%Y-%m-%d %H.%M.%S}"
    return replace(
        run,
        name=name,
        folder=str(Path(run.folder, f"part {part.name} {start}" if part.name else f"part {start}")),
        recordings=recordings,
        events=events,
        stated_phases=taken(run.stated_phases, lambda phase: (phase.start + phase.end) / 2),
        benchmarks=run.benchmarks if at == 0 else (),
        excluded=excluded,
        sessions=sessions,
        measurements=taken(run.measurements, lambda measurement: measurement.at),
        summaries=taken(run.summaries, lambda summary: summary.at),
        eux_summaries=taken(run.eux_summaries, lambda summary: summary.started or summary.created),
        split_from=run.folder,
        **_counts(run, recordings, events, sessions),
    )


def _places(moment: float | None, parts: Sequence[RunPart]) -> tuple[int, ...]:
    """Returns the parts of a moment: all that contain it, otherwise the nearest."""
    if moment is None:
        return (0,)
    away = [max(part.start - moment, moment - part.end, 0.0) for part in parts]
    nearest = [at for at, seconds in enumerate(away) if seconds == min(away)]
    return tuple(nearest) if min(away) == 0.0 else (nearest[-1],)


def _places_of(recording: Recording, parts: Sequence[RunPart]) -> tuple[int, ...]:
    """Returns the parts of a recording: that of its file, otherwise those whose runs its name states, otherwise those
    of its time."""
    own = tuple(at for at, part in enumerate(parts) if recording.file in part.files)
    if own or not parts[0].name:
        return own or _places(_middle(recording), parts)
    stated = run_in_name(recording.file, machines_of(recording))
    named = [at for at, part in enumerate(parts) if part.name == stated]
    near = _places(_middle(recording), [parts[at] for at in named]) if named else ()
    return tuple(named[at] for at in near) or _places(_middle(recording), parts)


def _named(run: Run, name: str, recordings: tuple[Recording, ...]) -> Run:
    """Returns the run in the configuration that the names of its files state, if that of the folder was inferred."""
    if "configuration" not in {guess.field for guess in run.guesses}:
        return run
    facts = infer(name, "", Manifest(), recordings, ())
    fields = ("configuration", "provisioning", "ram_cache_mb")
    kept = [guess for guess in run.guesses if guess.field not in fields]
    inferred = [replace(guess, reason="from its file names") for guess in facts.guesses if guess.field in fields]
    return replace(
        run,
        configuration=facts.configuration,
        guesses=(*kept, *inferred),
        other_configuration="",
        earlier_configuration=facts.earlier,
    )


def _counts(
    run: Run, recordings: Iterable[Recording], events: Iterable[Event], sessions: Iterable[Session]
) -> dict[str, Any]:
    """Returns VMs and users of a part, inferred like those of a folder, if those of the folder were inferred."""
    guessed = {guess.field for guess in run.guesses}
    machines = {series.vm.casefold() for recording in recordings for series in recording.series if series.vm}
    named = {event.user for event in events if event.user} or {one.user.casefold() for one in sessions if one.user}
    vms = len(machines) if "vms" in guessed and machines else run.vms
    users = run.users
    if "users" in guessed:
        users = len(named) or (vms if run.session_type is SessionType.VDI else None)
    now = {"vms": vms, "users": users}
    guesses = tuple(
        Guess(guess.field, str(now[guess.field]), guess.reason) if guess.field in now else guess
        for guess in run.guesses
    )
    return {"vms": vms, "users": users, "guesses": guesses}


def _middle(recording: Recording) -> float | None:
    if recording.relative:
        return None
    return (recording.first_us + recording.last_us) / 2e6 - 60 * (recording.utc_offset_minutes or 0)


def _of_session(session: Session) -> float | None:
    known = (session.logon_start, session.logon_end, session.apps_started, session.session_end)
    return None if session.relative else next((moment for moment in known if moment is not None), None)


def _names(run: Run, parts: Sequence[RunPart]) -> list[str]:
    """Returns the folder's name with a suffix that distinguishes its parts: the day, otherwise the machine, otherwise
    also the time."""
    spelled = {series.vm.casefold(): series.vm for one in run.recordings for series in one.series if series.vm}
    moments = [datetime.fromtimestamp(part.start, UTC) for part in parts]
    stated = [part.name for part in parts]
    choices = (
        *([stated, [f"{name} {at:%Y-%m-%d}" for name, at in zip(stated, moments, strict=True)]] if stated[0] else []),
        [f"{moment:%Y-%m-%d}" for moment in moments],
        [spelled[key] for part in parts if len(part.machines) == 1 for key in part.machines],
        [f"{name} {at:%Y-%m-%d %H.%M.%S}".strip() for name, at in zip(stated, moments, strict=True)],
    )
    words = next(words for words in choices if len(set(words)) == len(parts))
    return [f"{run.name} {word}" for word in words]
