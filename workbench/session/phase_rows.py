"""The phases of a run as rows that the user types: clock times of the run, checked with sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.phase import EDITED, STANDARD_PHASES, Phase
from workbench.model.run import Run
from workbench.study.series.time_zone import offset_text

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A row as typed. `was` is the phase that it shows (None: an added row)."""

    name: str
    start: str
    end: str
    was: Phase | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a run's files: minutes ahead of UTC, and the first and last sample (seconds since 1970 UTC; None:
    the run has none)."""

    offset: int
    first: float | None
    last: float | None

    @property
    def words(self) -> str:
        """Text like `UTC+01:00`."""
        return f"UTC{offset_text(self.offset)}"

    def text(self, at: float) -> str:
        """Text like `2016-05-10 09:00:00`, with thousandths if there are any."""
        moment = _EPOCH + timedelta(milliseconds=round(1000 * at) + 60_000 * self.offset)
        shown = moment.strftime("%Y-%m-%d %H:%M:%S")
        return f"{shown}.{moment.microsecond // 1000:03d}" if moment.microsecond else shown

    def seconds(self, text: str) -> float:
        """Seconds since 1970 UTC for a typed clock time. Without a date, the date of the first sample is used. Raises
        ValueError for an invalid clock time."""
        typed = text.strip()
        try:
            moment = datetime.combine(self._day(), time.fromisoformat(typed))
        except ValueError:
            moment = datetime.fromisoformat(typed)
        if moment.tzinfo is not None:
            return moment.timestamp()
        return moment.replace(tzinfo=UTC).timestamp() - 60 * self.offset

    def _day(self) -> date:
        return (_EPOCH + timedelta(seconds=(self.first or 0.0) + 60 * self.offset)).date()


def clock_of(run: Run) -> Clock:
    """The clock of a run: the UTC offset of its first recording with clock times, UTC if none states one."""
    placed = [recording for recording in run.recordings if not recording.relative]
    if not placed:
        return Clock(0, None, None)
    known = [recording.utc_offset_minutes for recording in placed if recording.utc_offset_minutes is not None]
    return Clock(
        known[0] if known else 0,
        min(recording.span_s[0] for recording in placed),
        max(recording.span_s[1] for recording in placed),
    )


def row_of(phase: Phase, clock: Clock) -> PhaseRow:
    """The row that shows a phase."""
    return PhaseRow(phase.name, clock.text(phase.start), clock.text(phase.end), phase)


def complaint(rows: Sequence[PhaseRow], clock: Clock) -> str:
    """The first error in the rows, as a sentence; empty if there is none."""
    names = [row.name.strip() for row in rows]
    for row, name in zip(rows, names, strict=True):
        if not name:
            return "A phase has no name. Enter one, or remove its row."
        if names.count(name) > 1:
            return f"Two phases are called '{name}'. Rename one of them."
        if message := _edges_complaint(replace(row, name=name), clock):
            return message
    return ""


def _edges_complaint(row: PhaseRow, clock: Clock) -> str:
    edges: list[float] = []
    for side, text in (("start", row.start), ("end", row.end)):
        try:
            edges.append(clock.seconds(text))
        except ValueError:
            return (
                f"The {side} of '{row.name}' is '{text.strip()}', which is not a clock time: "
                "write 09:00:00 or 2016-05-10 09:00:00."
            )
    start, end = edges
    if end <= start:
        return (
            f"'{row.name}' starts at {row.start.strip()} and ends at {row.end.strip()}: "
            "its end must come after its start."
        )
    outside = clock.first is not None and clock.last is not None and (end <= clock.first or start >= clock.last)
    if outside and not _as_it_was(row, clock):
        assert clock.first is not None
        assert clock.last is not None
        return (
            f"'{row.name}' is outside the samples of this run, from {clock.text(clock.first)} to "
            f"{clock.text(clock.last)} ({clock.words})."
        )
    return ""


def with_phases(edits: RunEdits, rows: Sequence[PhaseRow], shown: Clock, now: Clock, read: Run) -> RunEdits:
    """The edits with the phases of the rows: only differences from the evidence are edits.

    `shown` is the clock that filled the rows, `now` the one that reads them: a changed time zone of the run moves the
    user's edges along with the samples.
    """
    made = [edit for row in rows if (edit := _edit_of(row, shown, now)) is not None]
    left = {row.was.name for row in rows if row.was is not None and row.was.name == row.name.strip()}
    stated = [phase.name for phase in read.stated_phases if phase.name.lower() not in STANDARD_PHASES]
    named = {edit.name for edit in made}
    dropped = tuple(name for name in stated if name not in left and name not in named)
    return replace(edits, phases=tuple(made), dropped=dropped)


def _edit_of(row: PhaseRow, shown: Clock, now: Clock) -> PhaseEdit | None:
    same = _as_it_was(row, shown)
    if same and row.was is not None and row.was.evidence != EDITED:
        return None
    kept = row.was is not None and now.offset == shown.offset
    start, end = now.seconds(row.start), now.seconds(row.end)
    if kept and row.was is not None:
        # An edge that the user did not retype keeps its fractions of a second.
        start = row.was.start if row.start == shown.text(row.was.start) else start
        end = row.was.end if row.end == shown.text(row.was.end) else end
    return PhaseEdit(row.name.strip(), start, end)


def _as_it_was(row: PhaseRow, clock: Clock) -> bool:
    return row.was is not None and (row.name.strip(), row.start, row.end) == (
        row.was.name,
        clock.text(row.was.start),
        clock.text(row.was.end),
    )
