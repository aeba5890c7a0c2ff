"""A chooser is offered in exactly those views in which it changes the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.common.traces.traces import WHOLE_RUN, Alignment
from workbench.answers.registry import PAGES, unused_choosers, whole_run_shown
from workbench.charts.figure_text import figure_text
from workbench.model.metric import Quantity
from workbench.session.state import State

OTHERWISE: dict[str, Callable[[State], State]] = {
    "phase": lambda state: replace(state, phase="logon"),
    "metric": lambda state: replace(state, metric=Quantity.WRITE_IOPS),
    "alignment": lambda state: replace(state, alignment=Alignment.CLOCK),
    "scale": lambda state: replace(state, scale="own"),
}
CASES = [
    (page.key, view, name) for page in PAGES for view, _ in page.views or (("", ""),) for name in sorted(page.choosers)
]


@pytest.fixture(scope="module")
def library() -> Library:
    """A study with every phase, and caches that overflow."""
    return sample("rds-mcsio-cache-sweep")


def shown(page: str, library: Library, state: State) -> list[str]:
    """Everything that the page shows, as text."""
    content = next(one for one in PAGES if one.key == page).answer(library, state)
    figure = content.figure
    cells = [cell.text for table in content.tables for row in table.rows for cell in row]
    drawn = [figure_text(figure), str(figure.share_y), *(str(panel.y) for panel in figure.panels)] if figure else []
    return [content.question, *(str(card) for card in content.cards), *cells, *drawn]


@pytest.mark.parametrize(("page", "view", "name"), CASES)
def test_that_a_chooser_is_shown_if_it_changes_the_view(library: Library, page: str, view: str, name: str) -> None:
    state = State(page=page)
    if view:
        state = state.with_page_view(page, view)
    changes = shown(page, library, state) != shown(page, library, OTHERWISE[name](state))
    assert changes == (name not in unused_choosers(page, view))


@pytest.mark.parametrize(("page", "view"), sorted({(page, view) for page, view, name in CASES if name == "phase"}))
def test_that_the_whole_run_can_be_chosen_if_it_can_be_drawn(library: Library, page: str, view: str) -> None:
    state = State(page=page)
    if view:
        state = state.with_page_view(page, view)
    whole = shown(page, library, replace(state, phase=WHOLE_RUN))
    assert (whole != shown(page, library, state)) == whole_run_shown(page, view)
