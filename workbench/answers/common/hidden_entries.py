"""What the user has hidden by the legend of a chart, in the page's answer: screen, exports and saved views alike."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.listing import MANY
from workbench.answers.common.looks import looks
from workbench.charts.content import Content
from workbench.charts.hidden import with_hidden
from workbench.words.captions import captioned, few

# So many entries are named in the caption.
_NAMED = 3


def with_hidden_entries(content: Content, library: Library, choices: Choices, page: str) -> Content:
    """The content whose figure has no values for the hidden entries, and entries for hidden configurations; the caption
    says which lines are hidden."""
    if content.figure is None:
        return content
    groups = [group for group in library.groups(choices) if group.runs]
    shown = {group.label for group in groups} - choices.hidden
    # A legend of many would be larger than the chart.
    every = looks(groups) if len(groups) <= MANY else {}
    names = choices.hidden_entries(page)
    figure = with_hidden(content.figure, names, every, shown)
    without = sorted(names & {name for panel in figure.panels for name in panel.hidden})
    if not without:
        return replace(content, figure=figure)
    words = f"Hidden: {few(without, _NAMED)}"
    caption, method = captioned((words, figure.caption), figure.method)
    figure = replace(figure, caption=caption, method=method)
    caption, method = captioned((words, content.caption), content.method)
    return replace(content, figure=figure, caption=caption, method=method)
