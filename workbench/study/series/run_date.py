"""The date of a run: stated by its run.toml or the user, otherwise from the timestamps of its data."""

from __future__ import annotations

from datetime import UTC, date, datetime

from workbench.model.history import DateEvidence, RunDate
from workbench.model.run import Run
from workbench.study.series.time_zone import offset_minutes

# A clock outside these years was never set; some systems cannot display such times.
YEARS = range(1980, 2200)
_FIRST, _END = (datetime(year, 1, 1, tzinfo=UTC).timestamp() for year in (YEARS.start, YEARS.stop))


def run_date(run: Run) -> RunDate | None:
    """Returns when the run took place. None if nothing is stated and no recording has a clock that was set.

    A stated date without an offset is in the run's time zone, otherwise in UTC, like samples without an offset.
    """
    if run.date is not None and (stated := _seconds(run.date, run.time_zone)) is not None and _is_set(stated):
        return RunDate(stated, DateEvidence.STATED)
    starts = [recording.span_s[0] for recording in run.recordings if recording.rows and not recording.relative]
    starts += [event.at for event in run.events]
    dated = (session.logon_start for session in run.sessions if not session.relative)
    starts += [start for start in dated if start is not None]
    starts = list(filter(_is_set, starts))
    if not starts:
        return None
    guessed = any(recording.date_guessed for recording in run.recordings)
    return RunDate(min(starts), DateEvidence.GUESSED if guessed else DateEvidence.SAMPLES)


def known_date(run: Run) -> RunDate | None:
    """Returns when the run took place; None also if day and month of its timestamps are a guess."""
    date = run_date(run)
    return None if date is None or date.evidence is DateEvidence.GUESSED else date


def _is_set(seconds: float) -> bool:
    """True if a moment is within YEARS."""
    return _FIRST <= seconds < _END


def date_text(value: object) -> str:
    """Returns a date or a date with a time, from TOML or ISO-8601 text, as ISO-8601 text. Raises ValueError with the
    end of a sentence."""
    if isinstance(value, str):
        value = _parsed(value.strip())
    if not isinstance(value, date):
        raise ValueError("is not a valid date; use a format such as 2026-03-02 or 2026-03-02T09:00:00+01:00")
    if value.year not in YEARS:
        raise ValueError(f"is {value.isoformat()}, which is implausible for a test; correct the year")
    return value.isoformat()


def _parsed(text: str) -> date | None:
    for kind in (date, datetime):
        try:
            return kind.fromisoformat(text)
        except ValueError:
            continue
    return None


def _seconds(text: str, time_zone: str | None) -> float | None:
    """Returns the first moment of a day, or the moment; None for an invalid text, which a damaged file of the program
    may hold."""
    try:
        moment = datetime.fromisoformat(date_text(text))
        if moment.tzinfo is not None:
            return moment.timestamp()
        local = moment.replace(tzinfo=UTC).timestamp()
        return local - 60 * offset_minutes(time_zone or "UTC", local)
    except ValueError:
        return None
