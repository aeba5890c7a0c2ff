"""The slide that says what was not read: the gravest problems in a table, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pptx.util import Emu

from workbench.exporters.slides.fit import fitted
from workbench.exporters.slides.native_chart import Box
from workbench.exporters.slides.table import dress_cell
from workbench.exporters.slides.words import INCH, Maker, put_notes, put_text
from workbench.exporters.text_widths import line_height
from workbench.model.problem import Problem, Severity

TITLE = "What was skipped, guessed or refused"
NOTHING = "Nothing was skipped, guessed or refused."
_HEADS = ("Severity", "Where", "What", "What was done")
# Shares of the width.
_SHARES = (0.09, 0.25, 0.41, 0.25)
_SIZE, _LINES = 11.0, 2
_PADDING = 0.1
_WORDS = {
    Severity.REFUSED: ("refused", "refused"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("note", "notes"),
}


def add_problems(maker: Maker, problems: Sequence[Problem]) -> None:
    """One slide: counts, the gravest problems first, and the count of those that have no room."""
    slide = maker.plain(TITLE)
    body = maker.template.body
    high = round(0.38 * INCH)
    ordered = sorted(problems, key=lambda problem: -list(Severity).index(problem.severity))
    put_text(slide, Box(body.left, body.top, body.width, high), [_counted(problems)], 14, maker.ink.tokens.quiet)
    notes = [_counted(problems), "The import report of the workbench lists every one with file, line and cell."]
    if ordered:
        room = Box(body.left, body.top + high, body.width, body.height - 2 * high)
        shown = _table(maker, slide, ordered, room)
        if shown < len(ordered):
            more = f"{len(ordered) - shown} more: the import report lists every one with file, line and cell."
            foot = Box(body.left, body.top + body.height - high, body.width, high)
            put_text(slide, foot, [more], 12, maker.ink.tokens.quiet)
            maker.left_out.append(f"{len(ordered) - shown} of {len(ordered)} problems have no room on their slide")
    put_notes(slide, "\n".join(notes))


def _counted(problems: Sequence[Problem]) -> str:
    if not problems:
        return NOTHING
    counts = {severity: sum(problem.severity is severity for problem in problems) for severity in _WORDS}
    return ", ".join(f"{count:,} {_WORDS[severity][count != 1]}" for severity, count in counts.items() if count)


def _table(maker: Maker, slide: Any, problems: Sequence[Problem], room: Box) -> int:
    """The table; returns how many problems it shows."""
    wide = [room.width * share / INCH for share in _SHARES]
    row_high = line_height(_SIZE) + _PADDING
    rows: list[tuple[tuple[str, ...], float]] = []
    used = row_high
    for problem in problems:
        cells = [
            fitted(text, width - 2 * _PADDING, _LINES * line_height(_SIZE), (_SIZE,))
            for text, width in zip(_cells(problem), wide, strict=True)
        ]
        high = max(cell.lines for cell in cells) * line_height(_SIZE) + _PADDING
        if used + high > room.height / INCH:
            break
        rows.append((tuple(cell.text for cell in cells), high))
        used += high
    frame = slide.shapes.add_table(
        len(rows) + 1, len(_HEADS), Emu(room.left), Emu(room.top), Emu(room.width), Emu(round(used * INCH))
    )
    table = frame.table
    table.first_row = table.horz_banding = False
    for column, share in enumerate(_SHARES):
        table.columns[column].width = Emu(round(room.width * share))
    for at, (texts, high) in enumerate([(_HEADS, row_high), *rows]):
        table.rows[at].height = Emu(round(high * INCH))
        for column, text in enumerate(texts):
            refused = column == 0 and text == Severity.REFUSED.value
            ink = maker.ink.tokens.danger if refused else ""
            dress_cell(maker, table.cell(at, column), text, head=at == 0, size=_SIZE, ink=ink, bold=refused)
    return len(rows)


def _cells(problem: Problem) -> tuple[str, str, str, str]:
    line = f", line {problem.line}" if problem.line is not None else ""
    cell = f", cell {problem.column}" if problem.column is not None else ""
    return problem.severity.value, f"{problem.file}{line}{cell}", problem.message, problem.action
