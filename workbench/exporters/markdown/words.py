"""Text inside Markdown: whatever a name holds, it is read as text, never as markup, link, picture or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable

from workbench.charts.tables import TableData
from workbench.exporters.plain_text import plain_text

# Everything that CommonMark and GitHub's tables read as markup within a line, and what begins a link by itself.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~^$&@]|(?i:(?<=\bwww)\.|(?<=\w):(?=//)))")
# What begins a block at the start of a line: a list, a rule, a heading that is underlined.
_BLOCK = re.compile(r"^(\d*)([-+=:]|(?<=\d)[.)](?=\s|$))")
_BLANKS = re.compile(r"[ \t\r\n\x85]+")


def held(text: str) -> str:
    """The text on one line, escaped."""
    line = _MARKUP.sub(r"\\\1", _BLANKS.sub(" ", plain_text(text)).strip())
    return _BLOCK.sub(r"\1\\\2", line)


def table_lines(table: TableData, most: int, elsewhere: str) -> list[str]:
    """The table in GitHub's notation; of more than `most` rows the first, and where the rest is."""
    heads = [f"{c.title} ({c.unit})" if c.unit else c.title for c in table.columns]
    lines = [_row(heads), _row_of("---:" if column.numeric else "---" for column in table.columns)]
    lines += [_row(cell.text for cell in row) for row in table.rows[:most]]
    legend = [held(table.whole_legend)] if table.whole_legend else []
    if len(table.rows) > most:
        legend.append(f"The first {most} of {len(table.rows)} rows; {elsewhere}")
    return [*lines, *(["", " · ".join(legend)] if legend else [])]


def _row(texts: Iterable[str]) -> str:
    return _row_of(map(held, texts))


def _row_of(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"
