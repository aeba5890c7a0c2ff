"""The logon page: logon times, active sessions, VSImax and EUX, application starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.logons.app_starts import group_app_starts
from workbench.answers.logons.app_starts_figure import app_starts_figure
from workbench.answers.logons.cards import app_cards, limit_cards, logon_cards, stuck_cards
from workbench.answers.logons.compute import GroupLogons, group_logons
from workbench.answers.logons.figures import QUESTION, active_sessions_figure, logon_times_figure
from workbench.answers.logons.spec import KEY
from workbench.answers.logons.steps import group_steps
from workbench.answers.logons.tables import apps_table, limits_table, logons_table, sessions_table, steps_table
from workbench.answers.logons.vsimax_figure import group_vsimax, vsimax_figure
from workbench.answers.logons.vsimax_inputs import KEY as MODEL
from workbench.answers.logons.vsimax_inputs import chosen_model, model_inputs
from workbench.answers.logons.vsimax_models import ModelFileError, VsimaxModel, load_models, own_file
from workbench.charts.cards import Card
from workbench.charts.content import Content
from workbench.charts.figure import Figure, Look
from workbench.measures.configurations import Group
from workbench.words.captions import captioned, short_lines

FigureOf = Callable[[Sequence[GroupLogons], dict[str, Look]], Figure]
CardsOf = Callable[[Sequence[GroupLogons], dict[str, Look]], tuple[Card, ...]]
Answer = Callable[[Sequence[Group], Choices], Content]
# So many studies are named that have what this one lacks.
_NAMED = 3


def logons(library: Library, choices: Choices) -> Content:
    """The view that is chosen; the first where none is."""
    groups = library.shown(choices)
    if not groups:
        return replace(without_answer(QUESTION, library), to_add=bool(library.files and not library.with_runs))
    answer = _ANSWERS.get(choices.page_view(KEY), _TIMES)
    content = answer(groups, choices)
    if not content.empty:
        return content
    return replace(content, caption=_elsewhere(library, choices, answer), to_add=True)


def _elsewhere(library: Library, choices: Choices, answer: Answer) -> str:
    """A sentence with the first studies that are open and have what the one that is looked at lacks."""
    shown = library.study(choices.study)
    others = (study for study in library.with_runs if study is not shown)
    has = (study.name for study in others if not _lacks(library, replace(choices, study=study.folder), answer))
    names = ", ".join(f"'{name}'" for name in islice(has, _NAMED))
    return f"Other studies have results: {names}. Choose one in the tree." if names else ""


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
    """The models, and why one's own file could not be used; empty if it was, or if there is none."""
    try:
        return load_models(), ""
    except (ModelFileError, OSError) as error:
        return load_models(shipped_only=True), str(error)
