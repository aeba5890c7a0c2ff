"""The user's statements about a run that its files do not contain."""

from __future__ import annotations

from dataclasses import replace

from workbench.model.edits import RunEdits
from workbench.model.metric import Side
from workbench.model.phase import EDITED, Phase
from workbench.model.run import Configuration, Run
from workbench.study.importing.sessions import in_zone as session_in_zone
from workbench.study.plausibility.machines import without_machines
from workbench.study.series.clock import moved
from workbench.study.series.dates import read_in
from workbench.study.series.time_zone import in_zone, offset_minutes


def edited(run: Run, edits: RunEdits) -> Run:
    """Returns the run with everything that the user states about it. Raises ValueError for an unknown zone."""
    if (order := edits.date_order) is not None:
        zone = run.time_zone
        run = replace(run, recordings=tuple(read_in(recording, order, zone) for recording in run.recordings))
    if edits.time_zone is not None:
        run = in_time_zone(run, edits.time_zone)
    if edits.left_out:
        run = without_machines(run, edits.left_out)
    return replace(
        run,
        counted=edits.counted or run.counted,
        guesses=tuple(guess for guess in run.guesses if getattr(edits, guess.field, None) is None),
        configuration=_configuration(run.configuration, edits),
        stated_phases=_phases(run.stated_phases, edits),
        session_type=run.session_type if edits.session_type is None else edits.session_type,
        vms=run.vms if edits.vms is None else edits.vms,
        users=run.users if edits.users is None else edits.users,
        excluded=run.excluded if edits.excluded is None else edits.excluded or None,
        guest_counters=_side(run, edits),
        build=run.build if edits.build is None else edits.build or None,
        date=run.date if edits.date is None else edits.date or None,
        baseline_by=edits.baseline or run.baseline_by,
        read_as=run.configuration.name if edits.configuration is not None else run.read_as,
    )


def _side(run: Run, edits: RunEdits) -> Side | None:
    stated = edits.guest_counters
    return run.guest_counters if stated is None else Side(stated) if stated else None


def _configuration(read: Configuration, edits: RunEdits) -> Configuration:
    size = read.ram_cache_mb if edits.ram_cache_mb is None else edits.ram_cache_mb
    return Configuration(
        read.name if edits.configuration is None else edits.configuration,
        read.provisioning if edits.provisioning is None else edits.provisioning,
        read.write_cache if edits.write_cache is None else edits.write_cache or None,
        None if size is None or size < 0 else size,
    )


def _phases(stated: tuple[Phase, ...], edits: RunEdits) -> tuple[Phase, ...]:
    without = {edit.name for edit in edits.phases} | set(edits.dropped)
    kept = tuple(phase for phase in stated if phase.name not in without)
    return (*kept, *(Phase(e.name, e.start, e.end, EDITED, "start and end set by hand") for e in edits.phases))


def in_time_zone(run: Run, zone: str) -> Run:
    """Returns the run with `zone` for every recording and event without an offset.

    Raises ValueError for an unknown zone. Files and events that state their offset keep it. A skip of their clock at
    the start of summer time in `zone` is removed.
    """
    recordings = tuple(
        recording if recording.relative or recording.zone else in_zone(recording, zone) for recording in run.recordings
    )
    events = sorted(
        (event if event.has_offset else moved(event, offset_minutes(zone, event.at)) for event in run.events),
        key=lambda event: event.at,
    )
    return replace(
        run,
        recordings=recordings,
        events=tuple(events),
        time_zone=zone,
        sessions=tuple(session_in_zone(session, zone) for session in run.sessions),
        measurements=tuple(session_in_zone(measurement, zone) for measurement in run.measurements),
        summaries=tuple(session_in_zone(summary, zone) for summary in run.summaries),
        eux_summaries=tuple(session_in_zone(eux_summary, zone) for eux_summary in run.eux_summaries),
    )


def lacks_time_zone(run: Run) -> bool:
    """True if any recording of the run does not state its offset from UTC."""
    return any(recording.utc_offset_minutes is None for recording in run.recordings if not recording.relative)
