"""The timeline page: any counters over time, and what each did in a phase."""

from __future__ import annotations

from workbench.charts import timeline_figure
from workbench.charts.notes import with_notes
from workbench.charts.timeline_curves import curves, default_keys
from workbench.charts.timeline_table import timeline_table
from workbench.charts.traces import WHOLE_RUN, Alignment, View
from workbench.model.series_key import SeriesKey
from workbench.pages.choices import chosen_phase, without_answer
from workbench.pages.page import Content
from workbench.session.library import Library
from workbench.session.state import State


def timeline(library: Library, state: State) -> Content:
    """The counters that were chosen, else storage I/O and CPU of the first run; time series that make no run, such
    as the logs of a benchmark, where there is no run at all."""
    groups = library.drawable(state)
    if not groups:
        return without_answer(timeline_figure.QUESTION, library)
    found = curves(groups, shown_keys(library, state))
    view = timeline_view(library, state)
    if found and all(curve.relative for curve in found):
        # Neither phases nor a clock: there is only one way to lay them out.
        view = View(WHOLE_RUN, alignment=Alignment.RUN_START)
    figure = timeline_figure.timeline_figure(found, view)
    table = timeline_table(found, view)
    if figure.empty:
        return Content(figure.question, tables=(table,), empty=figure.empty)
    runs = list({curve.key.run: curve.figures for curve in found}.values())
    figure = with_notes(figure, state.notes, view, {0: runs})
    return Content(figure.question, figure.caption, figure=figure, tables=(table,))


def timeline_view(library: Library, state: State) -> View:
    """The phase and the alignment of the page."""
    return View(chosen_phase(library, state, whole=True), alignment=state.alignment)


def shown_keys(library: Library, state: State) -> tuple[SeriesKey, ...]:
    """The counters of the current study that are shown; the page's own choice where none of it was chosen."""
    groups = library.drawable(state)
    runs = {one.run.folder for group in groups for one in (*group.runs, *group.excluded)}
    mine = tuple(key for key in state.timeline or () if key.run in runs)
    if mine or state.timeline == ():
        return mine
    return default_keys(library.shown(state) if library.groups(state) else groups)
