"""The logon page: logon times, active sessions, VSImax and EUX, application starts.

A configuration's cards show its mean logon, its stuck sessions, its limit, and its slowest application start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np

from workbench.answers.common.change_words import change_text
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.logons.app_starts import GroupAppStarts, app_starts_figure, group_app_starts
from workbench.answers.logons.compute import GroupLogons, baseline_logons, change_of, group_logons, most_active
from workbench.answers.logons.figures import QUESTION, active_sessions_figure, logon_times_figure
from workbench.answers.logons.sentences import MAX_COLUMNS, count_words, seconds, stuck_words, trend_short
from workbench.answers.logons.sources import logon_source
from workbench.answers.logons.spec import KEY
from workbench.answers.logons.steps import group_steps
from workbench.answers.logons.tables import apps_table, limits_table, logons_table, sessions_table, steps_table
from workbench.answers.logons.vsimax_figure import GroupVsimax, group_vsimax, vsimax_figure
from workbench.answers.logons.vsimax_models import KEY as MODEL
from workbench.answers.logons.vsimax_models import (
    ModelFileError,
    VsimaxModel,
    chosen_model,
    load_models,
    model_inputs,
    own_file,
)
from workbench.charts.content import Card, Content
from workbench.charts.figure import Figure, Look
from workbench.measures.configurations import Group
from workbench.words.captions import captioned, named, short_lines
from workbench.words.numbers import MISSING, THIN, number


def logon_cards(groups: Sequence[GroupLogons], look: dict[str, Look]) -> tuple[Card, ...]:
    """The mean logon time of each configuration, compared with the baseline's, with its range and trend."""
    used = [logons for logons in groups if logons.spread is not None]
    base = baseline_logons(groups)
    cards = []
    for logons in used:
        spread = logons.spread
        assert spread is not None
        note = (
            f"baseline, n = {len(logons.means)}"
            if logons is base
            else change_text(None if base is None else change_of(base, logons), "s", None)
        )
        low, high = number(spread.low), seconds(spread.high)
        ends = f"mean of logons between {low} and {high}" if low != number(spread.high) else ""
        detail = " · ".join(part for part in (ends, trend_short(logons.trends, "100 logons")) if part)
        cards.append(
            Card(
                logons.group.label,
                look[logons.group.label],
                number(spread.mean),
                "s",
                note,
                detail,
                logon_source([run.run.folder for run in logons.runs], "logon_s_mean"),
                spoken=named(logons.group.label),
            )
        )
    return tuple(cards[:MAX_COLUMNS])


def stuck_cards(groups: Sequence[GroupLogons], look: dict[str, Look]) -> tuple[Card, ...]:
    """The highest number of sessions active at once in each configuration (mean of its runs), and the number of stuck
    ones."""
    cards = []
    for logons in groups:
        counts = logons.counts
        most = [peak for run in logons.runs if (peak := most_active(run.logons)) is not None]
        if counts is None:
            continue
        value = count_words(float(np.mean(most))) if most else MISSING
        note, detail = stuck_words(counts)
        if counts.stuck is not None and len(logons.runs) > 1:
            # The sessions of all runs are more than those that are active at once.
            note += f" ({len(logons.runs)} runs)"
        cards.append(
            Card(
                logons.group.label,
                look[logons.group.label],
                value,
                f"concurrent session{'s' * (value != '1')}",
                note,
                detail,
                logon_source([run.run.folder for run in logons.runs], "stuck"),
                spoken=named(logons.group.label),
            )
        )
    return tuple(cards[:MAX_COLUMNS])


def limit_cards(groups: Sequence[GroupVsimax], look: dict[str, Look]) -> tuple[Card, ...]:
    """VSImax of each configuration: computed by the model, otherwise the analyzer's, otherwise its EUX score."""
    cards = []
    for vsimax in groups:
        if not vsimax.runs:
            continue
        reached = [figures.vsimax for figures in vsimax.figures if figures.vsimax is not None]
        scores = [test.score for run in vsimax.runs for test in run.eux_summaries if test.score is not None]
        most = [figures.most_active for figures in vsimax.figures if figures.reached is False and figures.most_active]
        why = f"Login VSI Analyzer: {count_words(float(np.mean(vsimax.reported)))}" if vsimax.reported else ""
        if reached:
            value, unit, note = count_words(float(np.mean(reached))), "sessions", vsimax.figures[0].model.name
        elif vsimax.reported:
            value, unit, note = count_words(float(np.mean(vsimax.reported))), "sessions", "VSImax (analyzer)"
            why = vsimax.figures[0].why if vsimax.figures else ""
        elif most:
            value, unit, note = (f">{THIN}{min(most)}", "sessions", f"{vsimax.figures[0].model.name} not reached")
        elif scores:
            value, unit, note = number(float(np.mean(scores))), "of 10", "EUX score"
        else:
            value, unit, note = MISSING, "", vsimax.figures[0].why if vsimax.figures else "no VSImax"
        label = vsimax.group.label
        cards.append(Card(label, look[label], value, unit, note, why, spoken=named(label)))
    return tuple(cards[:MAX_COLUMNS])


def app_cards(studies: Sequence[Sequence[GroupAppStarts]], look: dict[str, Look]) -> tuple[Card, ...]:
    """The slowest application of each configuration."""
    cards = []
    for apps in studies:
        if not apps:
            continue
        slowest = max(apps, key=lambda app: app.spread.mean)
        label = slowest.group.label
        note = f"{slowest.app}, the slowest of {len(apps)} applications" if len(apps) > 1 else slowest.app
        parts = (f"p95 {seconds(slowest.spread.p95)}", trend_short(slowest.trends, "100 sessions"))
        detail = " · ".join(part for part in parts if part)
        source = logon_source([run.run.folder for run in slowest.runs], "app_start_s_mean", slowest.app)
        mean = number(slowest.spread.mean)
        cards.append(Card(label, look[label], mean, "s", note, detail, source, spoken=named(label)))
    return tuple(cards[:MAX_COLUMNS])


FigureOf = Callable[[Sequence[GroupLogons], dict[str, Look]], Figure]
CardsOf = Callable[[Sequence[GroupLogons], dict[str, Look]], tuple[Card, ...]]
Answer = Callable[[Sequence[Group], Choices], Content]
# Maximum number of studies that are named as having data that the current study lacks.
_NAMED = 3


def logons(library: Library, choices: Choices) -> Content:
    """The chosen view, or the first if none is chosen."""
    groups = library.shown(choices)
    if not groups:
        return replace(without_answer(QUESTION, library), to_add=bool(library.files and not library.with_runs))
    answer = _ANSWERS.get(choices.page_view(KEY), _TIMES)
    content = answer(groups, choices)
    if not content.empty:
        return content
    return replace(content, caption=_elsewhere(library, choices, answer), to_add=True)


def _elsewhere(library: Library, choices: Choices, answer: Answer) -> str:
    """A sentence with the first open studies that have data that the current one lacks."""
    shown = library.study(choices.study)
    others = (study for study in library.with_runs if study is not shown)
    has = (study.name for study in others if not _lacks(library, replace(choices, study=study.folder), answer))
    names = ", ".join(f"'{name}'" for name in islice(has, _NAMED))
    return f"Studies with such data: {names}. Choose one in the tree." if names else ""


def _lacks(library: Library, choices: Choices, answer: Answer) -> bool:
    groups = library.shown(choices)
    return not groups or bool(answer(groups, choices).empty)


def _logons(figure_of: FigureOf, cards_of: CardsOf, groups: Sequence[Group], choices: Choices) -> Content:
    look, shown = looks(groups), [group_logons(group) for group in groups]
    figure = figure_of(shown, look)
    steps = steps_table([group_steps(group) for group in groups], look)
    tables = (
        logons_table(shown, look, choices.per_run),
        *((steps,) if steps.rows else ()),
        sessions_table(shown, look),
    )
    return Content(
        figure.question,
        figure.caption,
        cards_of(shown, look),
        figure,
        () if figure.empty else tables,
        empty=figure.empty,
    )


def _vsimax(groups: Sequence[Group], choices: Choices) -> Content:
    models, trouble = _models()
    model = chosen_model(models, str(choices.input(MODEL, next(iter(models)))), choices.number)
    look, vsimaxes = looks(groups), [group_vsimax(group, model) for group in groups]
    figure = vsimax_figure(vsimaxes, model, look)
    if not any(vsimax.runs for vsimax in vsimaxes):
        return Content(figure.question, empty=figure.empty)
    unused = f"{own_file().name} was not used" if trouble else ""
    caption, method = captioned((unused, figure.caption), short_lines(trouble))
    return Content(
        figure.question,
        caption,
        limit_cards(vsimaxes, look),
        figure,
        (limits_table(vsimaxes, look),),
        inputs=model_inputs(models, model) if any(vsimax.figures for vsimax in vsimaxes) else (),
        method=method,
    )


def _apps(groups: Sequence[Group], _choices: Choices) -> Content:
    look, starts = looks(groups), [group_app_starts(group) for group in groups]
    figure = app_starts_figure(starts, look)
    tables = () if figure.empty else (apps_table(starts, look),)
    return Content(figure.question, figure.caption, app_cards(starts, look), figure, tables, empty=figure.empty)


_TIMES = partial(_logons, logon_times_figure, logon_cards)
_ANSWERS: dict[str, Answer] = {
    "times": _TIMES,
    "active": partial(_logons, active_sessions_figure, stuck_cards),
    "vsimax": _vsimax,
    "apps": _apps,
}


def _models() -> tuple[dict[str, VsimaxModel], str]:
    """The models, and the reason why the user's own file could not be used; empty if it was used or does not exist."""
    try:
        return load_models(), ""
    except (ModelFileError, OSError) as error:
        return load_models(shipped_only=True), str(error)
