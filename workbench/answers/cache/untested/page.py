"""The view *What-if* of the cache page: a size of RAM cache that was not tested."""

from __future__ import annotations

import math

from workbench.answers.cache.compute import CacheAnswer
from workbench.answers.cache.sentences import mb_words
from workbench.answers.cache.untested.cards import what_if_cards
from workbench.answers.cache.untested.figure import EMPTY, QUESTION, largest_mb, what_if_figure
from workbench.answers.cache.untested.predict import Refused, Untested, untested
from workbench.answers.cache.untested.sentences import need_short, unlike_short, what_if_lines
from workbench.answers.cache.untested.tables import left_out_table, predicted_table
from workbench.answers.common.choices import Choices
from workbench.answers.common.names import ADDED
from workbench.charts.content import Content
from workbench.charts.inputs import Input
from workbench.words.captions import captioned, few

SIZE, KIND = "cache.size_mb", "cache.predicted"
STEP_MB = 64
ADD = ("Add this size to the test plan", "cache.plan")
REMOVE = ("Remove this size from the test plan", ADD[1])
NO_CACHE = "No configuration here has a RAM cache, so that no size can be predicted."


def what_if(answer: CacheAnswer, choices: Choices, desktops: float, desktops_input: Input) -> Content:
    """The chosen size, or why nothing is predicted."""
    kinds = untested(answer)
    predicted = [kind for kind in kinds if isinstance(kind, Untested)]
    if not predicted:
        reasons = [f"{kind.name}: {kind.reason}" for kind in kinds if isinstance(kind, Refused)]
        return Content(QUESTION, empty=" ".join([EMPTY, *reasons]) if reasons else NO_CACHE)
    kind = _chosen(predicted, choices)
    size = chosen_size(kind, choices)
    figure = what_if_figure(kind, size)
    basis = f"Predicted from {few(kind.basis)}"
    caption, method = captioned((unlike_short(kind), basis, need_short(kind, desktops)), what_if_lines(kind, desktops))
    inputs: tuple[Input, ...] = (_size(kind, size, choices), desktops_input)
    if len(predicted) > 1:
        names = tuple(size.name for size in predicted)
        inputs = (Input(KIND, "Cache", kind.name, choices=names, origin="", group="Cost"), *inputs)
    tables = (predicted_table((kind,), desktops), left_out_table((kind,)))
    name = planned_name(kind, size)
    offers = None if not name else REMOVE if name in _planned(choices) else ADD
    cards = what_if_cards(kind, size, desktops)
    return Content(QUESTION, caption, cards, figure, tables, inputs=inputs, offers=offers, method=method)


def planned_name(kind: Untested, size_mb: float) -> str:
    """What runs of this size will be called; empty for a size that was tested."""
    tested = any(cache.size_mb == size_mb for cache in kind.caches)
    # A name, not a figure: with a point in every language.
    return "" if tested else f"{kind.kind[0].value} {format(size_mb, '.10g')} MB"


def with_planned(answer: CacheAnswer, choices: Choices) -> tuple[str, ...]:
    """The configurations without runs in the plan, with the chosen size added, or removed where it is one of them."""
    planned = _planned(choices)
    predicted = [kind for kind in untested(answer) if isinstance(kind, Untested)]
    if not predicted:
        return planned
    kind = _chosen(predicted, choices)
    name = planned_name(kind, chosen_size(kind, choices))
    return tuple(other for other in planned if other != name) if name in planned else (*planned, *filter(None, (name,)))


def _planned(choices: Choices) -> tuple[str, ...]:
    return tuple(str(choices.input(ADDED, "")).splitlines())


def chosen_size(kind: Untested, choices: Choices) -> float:
    """The user's size in MB; else the smallest with which no VM overflows, else the largest tested."""
    largest = max(cache.size_mb or 0.0 for cache in kind.caches)
    default = largest if kind.knee_mb is None else math.ceil(kind.knee_mb)
    return float(min(max(choices.number(SIZE, default), 1.0), largest_mb(kind)))


def _chosen(predicted: list[Untested], choices: Choices) -> Untested:
    """The user's kind of cache, else the one with the most tested sizes."""
    name = choices.input(KIND, "")
    return next((kind for kind in predicted if kind.name == name), max(predicted, key=lambda kind: len(kind.tested)))


def _size(kind: Untested, size: float, choices: Choices) -> Input:
    ticks = tuple((cache.size_mb, mb_words(cache.size_mb)) for cache in kind.caches if cache.size_mb)
    return Input(
        SIZE,
        "RAM cache per VM",
        size,
        "MB",
        minimum=1,
        maximum=largest_mb(kind),
        # The size of the answer is predicted, not assumed.
        origin="yours" if SIZE in dict(choices.inputs) else "",
        tip="Any size, tested or not. Ticks are the sizes that were tested.",
        group="Cost",
        step=STEP_MB,
        ticks=ticks,
        ring=kind.knee_mb,
    )
