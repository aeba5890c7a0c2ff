"""Marks on charts: notes, and signs of an unsteady steady state.

Each note becomes a flag at its moment on the x axis of its runs. If the steady state is not steady, the chart shows its
trend, its warm-up or step, and a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.common.traces.traces import View, zero_of
from workbench.charts.figure import Figure, Flag, Line, Look, Region
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.steadiness import Steadiness, marked_words, warm_up_words
from workbench.model.edits import Note
from workbench.words.numbers import number


def with_notes(
    figure: Figure,
    notes: Sequence[Note],
    view: View,
    runs: Mapping[int, Sequence[RunFigures]],
    late: Mapping[str, float] | None = None,
) -> Figure:
    """The figure with the notes about the runs of each column. The numbers are those of the whole list, so note 3 is
    note 3 on every chart. `late` are the seconds by which x = 0 of a run (by folder) is after that of the view."""
    if not notes or not figure.panels:
        return figure
    flagged = {column: flags(notes, some, view, late) for column, some in runs.items()}
    panels = tuple(replace(panel, notes=flagged.get(panel.column, ())) for panel in figure.panels)
    return replace(figure, panels=panels)


def flags(
    notes: Sequence[Note], runs: Sequence[RunFigures], view: View, late: Mapping[str, float] | None = None
) -> tuple[Flag, ...]:
    """The flags of the notes about any of these runs, one for each moment of x."""
    at_moment: dict[tuple[str, float], Flag] = {}
    for place, note in enumerate(notes, 1):
        for figures in runs:
            moment, zero = moment_in(note, figures), zero_of(figures, view)
            if moment is not None and zero is not None:
                x = moment - zero - (late or {}).get(figures.run.folder, 0.0)
                at_moment.setdefault((note.key, round(x, 3)), Flag(note.key, place, x, note.text))
    return tuple(at_moment.values())


def moment_in(note: Note, figures: RunFigures) -> float | None:
    """The moment of a note in a run (UTC seconds), None if the note is not about this run."""
    if note.run:
        return note.at if note.run == figures.run.folder else None
    row = figures.phase(note.phase)
    return None if row is None else row.phase.start + note.at


TREND = "trend of IOPS per VM"
WARM_UP, STEP, OVERFLOW = "warm-up, counted", "after the step", "after the overflow"
_LOOK = Look("quiet", dash="dash")
# Maximum number of runs in the method.
_NAMED = 2


def unsteady(figures: RunFigures) -> tuple[PhaseFigures, Steadiness] | None:
    """The steady-state phase of a run if it drifts or steps; otherwise None."""
    marked = ((row, row.steadiness) for row in figures.phases if row.steadiness is not None)
    return next(((row, steady) for row, steady in marked if steady.cause is not None), None)


def steady_regions(figures: RunFigures, zero: float) -> tuple[Region, ...]:
    """The warm-up of a run, otherwise the part after its step, in seconds after `zero`."""
    marked = unsteady(figures)
    if marked is None or marked[1].step_at is None:
        return ()
    (row, steady), run = marked, figures.run.folder
    start, end, step = (moment - zero for moment in (row.phase.start, row.phase.end, marked[1].step_at))
    if steady.warm_up_s:
        return (Region(WARM_UP, start, start + steady.warm_up_s, run, within=True),)
    return (Region(OVERFLOW if steady.overflow else STEP, step, end, run, within=True),)


def trend_line(figures: RunFigures, zero: float, factor: float = 1.0) -> Line | None:
    """The fit to the batch means, in IOPS per VM times `factor`: a line if the run drifts, two levels if it steps; None
    if it is steady."""
    marked = unsteady(figures)
    if marked is None:
        return None
    row, steady = marked
    start, end = row.phase.start - zero, row.phase.end - zero
    change = steady.mean * steady.shift.percent / 100
    if steady.step_at is None:
        x, y = [start, end], [steady.mean - change / 2, steady.mean + change / 2]
    else:
        step = steady.step_at - zero
        # Each batch belongs to one side, so the means of both sides agree with the total mean.
        before = round((step - start) / steady.batch_s) / steady.batches
        low, high = steady.mean - change * (1 - before), steady.mean + change * before
        x, y = [start, step, step, end], [low, low, high, high]
    return Line(TREND, np.array(x), factor * np.array(y), _LOOK)


def steady_facts(runs: Iterable[RunFigures]) -> tuple[str, tuple[str, ...]]:
    """The caption text about runs that are not steady, and the lines of the method about them; empty if all are
    steady."""
    marked = [(run.run.name, found[1]) for run in runs if (found := unsteady(run)) is not None]
    if not marked:
        return "", ()
    name, first = marked[0]
    more = f", {len(marked) - 1} more run{'s' * (len(marked) > 2)}" if len(marked) > 1 else ""
    fact = f"Not steady: the I/O of {name} {marked_words(first)}{more}"
    return fact, tuple(line for name, steady in marked[:_NAMED] for line in _lines(name, steady))


def _lines(name: str, steady: Steadiness) -> Iterator[str]:
    between = f"{number(steady.lowest)} to {number(steady.highest)} IOPS per VM"
    yield f"{name} {marked_words(steady)}, batch means {between}"
    if steady.warm_up_s:
        yield f"{name}, {warm_up_words(steady)}"
