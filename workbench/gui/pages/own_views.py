"""The views that a page draws with a widget of its own, in place of cards, figure and tables."""

from __future__ import annotations

from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.common.page import PageSpec
from workbench.answers.prepare.spec import KEY as PREPARE
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.pages.form_panel import FormPanel
from workbench.gui.storyboard.board import BoardView

# By the key of the page. Each shows what it can of a content, tells whether it did, and has what takes the keyboard
# `first`.
_OWN: dict[str, type[CausesView | BoardView]] = {IMPORT_REPORT: CausesView, "storyboard": BoardView}


def own_view_of(spec: PageSpec) -> CausesView | BoardView | None:
    """A new widget for the page's own view; None where it has none."""
    return _OWN[spec.key]() if spec.own_view is not None and spec.key in _OWN else None


def form_of(spec: PageSpec) -> FormPanel | None:
    """A new widget for what the page asks over its tables; None where it asks nothing."""
    if spec.key != PREPARE:
        return None
    from workbench.gui.pages.kit_panel import KitPanel  # the window starts without it

    return KitPanel()
