"""The timeline page: any counters over time, and what each did in a phase."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.traces.notes import with_notes
from workbench.answers.common.traces.traces import WHOLE_RUN, Alignment, View
from workbench.answers.timeline import figures as timeline_figure
from workbench.answers.timeline.curves import curves, default_keys
from workbench.answers.timeline.tables import timeline_table
from workbench.charts.content import Content, Live
from workbench.charts.tables import TableData
from workbench.model.series_key import SeriesKey

CHOOSE_MORE = "choose more on the left"


def timeline(library: Library, choices: Choices) -> Content:
    """The counters that were chosen, else storage I/O and CPU of the first run; time series that make no run, such
    as the logs of a benchmark, where there is no run at all."""
    groups = library.drawable(choices)
    if not groups:
        return without_answer(timeline_figure.QUESTION, library)
    shown = curves(groups, shown_keys(library, choices))
    view = timeline_view(library, choices)
    if shown and all(curve.relative for curve in shown):
        # Neither phases nor a clock: there is only one way to lay them out.
        view = View(WHOLE_RUN, alignment=Alignment.RUN_START)
    figure = timeline_figure.timeline_figure(shown, view)
    table = timeline_table(shown, view)
    if figure.empty:
        return Content(figure.question, tables=(table,), empty=figure.empty)
    runs = list({curve.key.run: curve.figures for curve in shown}.values())
    figure = with_notes(figure, choices.notes, view, {0: runs})

    def moved_table(moved: Library) -> TableData:
        known = moved.figures or {}
        curves = [replace(curve, figures=known.get(curve.key.run, curve.figures)) for curve in shown]
        return timeline_table(curves, view)

    live = Live((), lambda moved: ((), (moved_table(moved),)))
    advice = CHOOSE_MORE if timeline_figure.left_out_words(shown) else ""
    return Content(figure.question, figure.caption, figure=figure, tables=(table,), live=live, advice=advice)


def timeline_view(library: Library, choices: Choices) -> View:
    """The phase and the alignment of the page."""
    return View(chosen_phase(library, choices, whole=True), alignment=choices.alignment)


def shown_keys(library: Library, choices: Choices) -> tuple[SeriesKey, ...]:
    """The counters of the current study that are shown; the page's own choice where none of it was chosen."""
    groups = library.drawable(choices)
    runs = {run.run.folder for group in groups for run in (*group.runs, *group.excluded)}
    mine = tuple(key for key in choices.timeline or () if key.run in runs)
    if mine or choices.timeline == ():
        return mine
    return default_keys(library.shown(choices) if library.groups(choices) else groups)
