"""The response times of a system over its active sessions, with VSImax by a model, and the EUX score over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.logons.sentences import MAX_COLUMNS, count_words, fitted
from workbench.answers.logons.session_logons import session_logons
from workbench.answers.logons.vsimax import RunVsimax, VsimaxFigures, run_vsimax
from workbench.answers.logons.vsimax_models import VsimaxModel
from workbench.charts.figure import Axis, Bars, Figure, FloatArray, Line, Look, Mark, Panel, Points
from workbench.measures.configurations import Group
from workbench.words import captions
from workbench.words.captions import captioned, short_lines
from workbench.words.numbers import number

VSIMAX = "vsimax"
QUESTION = "How many sessions does the system support?"
EMPTY = "There are no VSImax or EUX data. Add the results of Login VSI or Login Enterprise to the run folder."
NOT_CHECKED = "A model can be checked only with timer samples"
_SESSIONS = Axis("Active sessions")
_THRESHOLD = Look("text", dash="dash")
_LIMIT = Look("text", dash="dot")
_ANALYZER = Look("quiet", dash="dash-dot")


@dataclass(frozen=True, eq=False)
class GroupVsimax:
    """A configuration with the limit of each of its runs."""

    group: Group
    runs: tuple[RunVsimax, ...]

    @property
    def figures(self) -> tuple[VsimaxFigures, ...]:
        """VSImax by the model, run by run."""
        return tuple(run.figures for run in self.runs if run.figures is not None)

    @property
    def reported(self) -> tuple[float, ...]:
        """VSImax from the analyzers, run by run."""
        own = [summary.vsimax for run in self.runs for summary in run.summaries if summary.vsimax is not None]
        return (
            *own,
            *(
                float(eux_summary.vsimax)
                for run in self.runs
                for eux_summary in run.eux_summaries
                if eux_summary.vsimax is not None
            ),
        )


def group_vsimax(group: Group, model: VsimaxModel) -> GroupVsimax:
    """VSImax and EUX of a configuration, without excluded runs."""
    runs = (run_vsimax(run.run, model, session_logons(run.run).logons) for run in group.runs)
    return GroupVsimax(group, tuple(run for run in runs if not run.empty))


def vsimax_figure(groups: Sequence[GroupVsimax], model: VsimaxModel, look: dict[str, Look]) -> Figure:
    """A column per configuration: responses over active sessions, below them EUX over time if there is any.

    If no run has timer samples, the analyzers' values are bars.
    """
    used = [group for group in groups if group.runs]
    if not used:
        return Figure(VSIMAX, QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    timers = any(group.figures for group in used)
    scores = any(run.eux_at.size for group in used for run in group.runs)
    if not timers and not scores:
        return _reported(used, look)
    panels: list[Panel] = []
    for index, vsimax in enumerate(used[:MAX_COLUMNS]):
        ink = look[vsimax.group.label]
        if timers:
            panels.append(_response(index, vsimax, ink))
        if scores:
            panels.append(_score(index, vsimax, ink, titled=not timers))
    assumed = len(model.assumed)
    named = f"{model.name} with {assumed or 'no'} assumed model value{'s' * (assumed != 1)}"
    eux = "EUX score from 0 to 10, as reported by Login Enterprise"
    model_lines = (*short_lines(model.about), "VSImax is the session count when the index first exceeds the threshold")
    caption, method = captioned(
        (fitted([vsimax.group.label for vsimax in used]), named if timers else "", eux if scores else ""),
        model_lines if timers else (),
    )
    return Figure(VSIMAX, QUESTION, caption, tuple(panels), summary=_summary(used), method=method)


def _response(column: int, group: GroupVsimax, look: Look) -> Panel:
    ink = Look(look.hue, look.tint, marker=look.marker)
    marks: list[Mark] = []
    for figures in group.figures:
        dots = Points("responses", figures.active, figures.response_ms, ink)
        marks += [dots] if dots.x.size else []
    across, index = _index(group.figures)
    marks.append(Line("index", across, index, Look("text")))
    marks += _limits(group, across)
    return Panel(
        group.group.label,
        _SESSIONS,
        Axis("Response time", "ms"),
        _named_once(marks),
        column,
        look,
        verdict(group),
        legend=column == 0,
    )


def _limits(group: GroupVsimax, across: FloatArray) -> list[Mark]:
    thresholds = [figures.threshold_ms for figures in group.figures if figures.threshold_ms is not None]
    if not thresholds or not across.size:
        return []
    height = float(np.mean(thresholds))
    ends = np.array([across[0], across[-1]])
    marks: list[Mark] = [Line("threshold", ends, np.full(2, height), _THRESHOLD)]
    limits = [figures.vsimax for figures in group.figures if figures.vsimax is not None]
    if limits:
        at = float(np.mean(limits))
        marks.append(Line("VSImax", np.array([at, at]), np.array([0.0, height]), _LIMIT))
    if group.reported:
        at = float(np.mean(group.reported))
        marks.append(Line("VSImax, analyzer", np.array([at, at]), np.array([0.0, height]), _ANALYZER))
    return marks


def _index(figures: Sequence[VsimaxFigures]) -> tuple[FloatArray, FloatArray]:
    """The highest index at each number of active sessions while they rise, as the mean over the runs."""
    by_count: dict[float, list[float]] = {}
    for figure in figures:
        if not np.isfinite(figure.active).any():
            continue
        rise = slice(0, int(np.nanargmax(figure.active)) + 1)
        active, index = figure.active[rise], figure.index_ms[rise]
        for count in np.unique(active[np.isfinite(index)]).tolist():
            by_count.setdefault(count, []).append(float(np.nanmax(index[active == count])))
    across = np.array(sorted(by_count))
    return across, np.array([float(np.mean(by_count[count])) for count in across.tolist()])


def _score(index: int, group: GroupVsimax, look: Look, titled: bool) -> Panel:
    marks: list[Mark] = []
    for run in group.runs:
        if run.eux_at.size:
            order = np.argsort(run.eux_at, kind="stable")
            x = run.eux_at[order] - run.eux_at[order[0]]
            marks.append(Line(f"EUX, {run.run.name}", x, run.eux_score[order], look))
    if not marks:
        marks.append(Line("EUX", np.array([0.0]), np.array([np.nan]), look))
    return Panel(
        group.group.label if titled else "",
        Axis("Time since first score", "s"),
        Axis("EUX score", "", limits=(0.0, 10.0)),
        tuple(marks),
        index,
        look,
        _eux_words(group),
        legend=False,
    )


def _reported(used: Sequence[GroupVsimax], look: dict[str, Look]) -> Figure:
    """The analyzers' values, a bar per configuration."""
    shown = [group for group in used if group.reported]
    if not shown:
        empty = "The analyzers' summaries contain no VSImax. The table shows their other values."
        return Figure(VSIMAX, QUESTION, "", (), empty=empty, summary=empty)
    axis = Axis("", categories=tuple(group.group.label for group in shown))
    bars = []
    for index, vsimax in enumerate(shown):
        values = np.full(len(shown), np.nan)
        values[index] = float(np.mean(vsimax.reported))
        ink, counts = look[vsimax.group.label], (str(len(vsimax.reported)),) * len(shown)
        bars.append(Bars(vsimax.group.label, values, Look(ink.hue, ink.tint), stack="configuration", counts=counts))
    caption, method = "VSImax as reported by the analyzers, mean of the runs", (NOT_CHECKED,)
    panel = Panel("", axis, Axis("VSImax", "sessions"), tuple(bars), legend=False)
    return Figure(VSIMAX, QUESTION, caption, (panel,), share_y=False, summary=_summary(used), method=method)


def verdict(group: GroupVsimax) -> str:
    """The limits of one configuration's runs as text: `VSImax 187 (Login VSI Analyzer: 185)`."""
    figures = group.figures
    reached = [figure.vsimax for figure in figures if figure.vsimax is not None]
    parts = []
    if reached:
        several = f" (reached in {len(reached)} of {len(figures)} runs)" if len(figures) > 1 else ""
        parts.append(f"VSImax {count_words(float(np.mean(reached)))}{several}")
    elif figures:
        parts.append(figures[0].why.removesuffix("."))
    if group.reported:
        analyzer = f"Login VSI Analyzer: {count_words(float(np.mean(group.reported)))}"
        parts.append(f"({analyzer})" if parts else analyzer)
    return " ".join(parts) or "no timer samples"


def _eux_words(group: GroupVsimax) -> str:
    scores = [
        eux_summary.score for run in group.runs for eux_summary in run.eux_summaries if eux_summary.score is not None
    ]
    return f"EUX score of the test: {number(float(np.mean(scores)))} of 10" if scores else ""


def _named_once(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """The dots of several runs as one mark, so the legend contains them once."""
    dots = [mark for mark in marks if isinstance(mark, Points)]
    if len(dots) < 2:
        return tuple(marks)
    x, y = np.concatenate([dot.x for dot in dots]), np.concatenate([dot.y for dot in dots])
    return (Points(dots[0].name, x, y, dots[0].look), *(mark for mark in marks if not isinstance(mark, Points)))


def _summary(used: Sequence[GroupVsimax]) -> str:
    return " ".join(f"{captions.named(vsimax.group.label)}: {verdict(vsimax)}." for vsimax in used)
