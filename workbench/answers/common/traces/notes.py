"""Notes on charts: each becomes a flag at its moment on the x axis of the runs it speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.answers.common.traces.traces import View, zero_of
from workbench.charts.figure import Figure, Flag
from workbench.measures.phase_table import RunFigures
from workbench.model.edits import Note


def with_notes(figure: Figure, notes: Sequence[Note], view: View, runs: Mapping[int, Sequence[RunFigures]]) -> Figure:
    """The figure with the notes that speak of the runs of each column. Numbers are those of the whole list, so
    that note 3 is note 3 on every chart."""
    if not notes or not figure.panels:
        return figure
    flagged = {column: flags(notes, some, view) for column, some in runs.items()}
    panels = tuple(replace(panel, notes=flagged.get(panel.column, ())) for panel in figure.panels)
    return replace(figure, panels=panels)


def flags(notes: Sequence[Note], runs: Sequence[RunFigures], view: View) -> tuple[Flag, ...]:
    """The flags of the notes that speak of any of these runs, one for each moment of x."""
    at_moment: dict[tuple[str, float], Flag] = {}
    for number, note in enumerate(notes, 1):
        for figures in runs:
            moment, zero = moment_in(note, figures), zero_of(figures, view)
            if moment is not None and zero is not None:
                x = moment - zero
                at_moment.setdefault((note.key, round(x, 3)), Flag(note.key, number, x, note.text))
    return tuple(at_moment.values())


def moment_in(note: Note, figures: RunFigures) -> float | None:
    """The moment of a note in a run (UTC seconds), None where it does not speak of this run."""
    if note.run:
        return note.at if note.run == figures.run.folder else None
    row = figures.phase(note.phase)
    return None if row is None else row.phase.start + note.at
