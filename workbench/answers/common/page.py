"""What every page is: a question answered by a pure function off the window's thread, then shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.charts.content import Content

__all__ = ["Content", "PageSpec"]


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page: its key (also its icon), its name in the rail, the choosers it listens to, how it is laid out,
    and the function that answers its question.

    `views` are (key, name) of the views to choose from, the first being the default. Several tables stand
    under tabs, unless `tables_apart`, where each of `table_names` has its own card. `movable_phases`: the
    columns of its figure are configurations, and the edges of their phases can be dragged.
    """

    key: str
    name: str
    answer: Callable[[Library, Choices], Content]
    choosers: frozenset[str] = field(default_factory=frozenset)
    table_share: int = 0
    table_names: tuple[str, ...] = ()
    views: tuple[tuple[str, str], ...] = ()
    tables_apart: bool = False
    movable_phases: bool = False

    def __post_init__(self) -> None:
        # A wild cell of 1e300 overflows what is formed of it: that is shown as not available, and warns nobody.
        object.__setattr__(self, "answer", np.errstate(over="ignore", invalid="ignore")(self.answer))
