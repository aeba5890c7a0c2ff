"""Applies legend entries that the user has hidden to a page's answer: on screen, in exports and in saved views."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.listing import MANY
from workbench.answers.common.looks import looks
from workbench.charts.content import Content
from workbench.charts.hidden import with_hidden
from workbench.words.captions import captioned, few

# Maximum number of entries named in the caption.
_NAMED = 3


def with_hidden_entries(content: Content, library: Library, choices: Choices, page: str) -> Content:
    """The content without the values of hidden entries, and with entries for hidden configurations. The caption names
    the hidden lines."""
    if content.figure is None:
        return content
    groups = [group for group in library.groups(choices) if group.runs]
    shown = {group.label for group in groups} - choices.hidden
    # A long legend would be larger than the chart.
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
