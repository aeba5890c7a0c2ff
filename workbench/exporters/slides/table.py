"""Tables on slides: as many rows and columns as fit, with a note about the rest.

It also makes the slide with the most severe problems of the import and the number of further ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pptx.enum.text import PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Emu

from workbench.charts.tables import TableData, heading
from workbench.exporters.slides.fit import SUBSTITUTE, clean, fitted
from workbench.exporters.slides.ink import font, rgb
from workbench.exporters.slides.native_chart import SlideBox
from workbench.exporters.slides.words import INCH, Maker, list_notes, put_notes, put_text
from workbench.exporters.texts import line_count, line_height, text_width
from workbench.model.problem import Problem, Severity
from workbench.words.numbers import THIN, plural

# Maximum number of rows on a slide.
MOST_ROWS = 10
# Points: the first size in which all columns fit, otherwise the last.
_SIZES = (12.0, 11.0, 10.0, 9.0)
# Sizes for tables with enough room for all their rows and columns.
_LARGE_SIZES = (16.0, 14.0, 13.0)
_SIZE, _LINES, _WIDEST, _PADDING = 12.0, 3, 0.45, 0.1
# A column of this many widths of its text keeps it on one line in a wider font.
_ROOM = 1.01 / SUBSTITUTE
_FOOT = 0.34


def put_table(maker: Maker, slide: Any, table: TableData, room: SlideBox, elsewhere: str) -> str:
    """Write the table into the box. Returns the text of the note under the table, with the omitted parts and their
    place (`elsewhere`); empty if everything fits."""
    heads = [_one_line(heading(column)) for column in table.columns]
    texts = [[_one_line(cell.text) for cell in row] + [""] * (len(heads) - len(row)) for row in table.rows[:MOST_ROWS]]
    foot = round(_FOOT * INCH)
    inner = SlideBox(room.left, room.top, room.width, room.height - foot)
    # Intervals break only if the last columns would be omitted otherwise.
    loose = [[text.replace("\u00a0", " ") for text in row] for row in texts]
    for shown, size in (*((texts, size) for size in (*_LARGE_SIZES, *_SIZES)), *((loose, size) for size in _SIZES)):
        widths = _widths(heads, shown, room.width / INCH, size)
        lines = [row[: len(widths)] for row in (heads, *shown)]
        kept, heights = _kept(lines, widths, inner.height / INCH, size)
        whole = len(widths) == len(heads)
        if whole and (size in _SIZES or (kept == lines and len(lines) == len(table.rows) + 1)):
            break
    if shown is loose:
        kept = [[text.replace("\u00a0", " ") for text in row] for row in kept]
    heights = _even(heights, inner.height / INCH)
    right = [column.numeric for column in table.columns[: len(widths)]]
    _write(
        maker,
        slide,
        kept,
        SlideBox(inner.left, inner.top, round(sum(widths) * INCH), inner.height),
        widths,
        heights,
        right,
        size,
    )
    words = _left_out(len(table.rows) - len(kept) + 1, len(heads) - len(widths), elsewhere)
    if words:
        below = SlideBox(room.left, room.top + room.height - foot, room.width, foot)
        put_text(slide, below, [words], _SIZE, maker.ink.tokens.quiet)
    return words


def _one_line(text: str) -> str:
    return clean(text).replace(THIN, "\u202f")


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]], room: float, size: float) -> list[float]:
    """Widths in inches of the columns that fit side by side. If not all do, headings and texts wrap first; only then
    are the last columns omitted."""
    columns = [[head, *(row[at] for row in rows)] for at, head in enumerate(heads)]
    wide = [min(_room(head, size, bold=True, wraps=False), _room(head, size, bold=True) * 2) for head in heads]
    natural = [
        max(wide[at], *(_room(text, size, wraps=False) for text in texts[1:]), 0.3) for at, texts in enumerate(columns)
    ]
    natural = [min(width, _WIDEST * room) for width in natural]
    least = [
        max(_room(head, size, bold=True), *(_room(text, size) for text in texts[1:]), 0.3)
        for head, texts in zip(heads, columns, strict=True)
    ]
    over, give = sum(natural) - room, sum(natural) - sum(map(min, natural, least))
    if over <= 0:
        return natural
    if over <= give:
        return [width - over * (width - min(width, low)) / give for width, low in zip(natural, least, strict=True)]
    widths: list[float] = []
    for width in map(min, natural, least):
        if widths and sum(widths) + width > room:
            break
        widths.append(width)
    return widths


def _room(text: str, size: float, bold: bool = False, wraps: bool = True) -> float:
    """Width in inches that a column needs for a text; for a wrapping column, its longest word, or more if the text
    would have too many lines."""
    words = text.split(" ") if wraps else [text]
    width = max(text_width(word, size, bold) for word in words) * _ROOM
    while line_count(text, width, size, bold) > _LINES:
        width *= 1.1
    return width + 2 * _PADDING


def _kept(
    lines: Sequence[Sequence[str]], widths: Sequence[float], room: float, size: float
) -> tuple[list[list[str]], list[float]]:
    """The rows that fit, as written, with their heights in inches."""
    kept: list[list[str]] = []
    heights: list[float] = []
    for line in lines:
        rooms = [wide - 2 * _PADDING for wide in widths]
        texts = [
            fitted(text, inner, _LINES * line_height(size), (size,)).text
            for text, inner in zip(line, rooms, strict=True)
        ]
        lines_of = (line_count(text, SUBSTITUTE * inner, size) for text, inner in zip(texts, rooms, strict=True))
        high = max(lines_of) * line_height(size) + _PADDING
        if sum(heights) + high > room:
            break
        kept.append(texts)
        heights.append(high)
    return kept, heights


def _even(heights: Sequence[float], room: float) -> list[float]:
    """The rows below the header in the height of the highest, if all of them fit then; otherwise unchanged."""
    head, rows = list(heights[:1]), heights[1:]
    equal = [max(rows, default=0.0)] * len(rows)
    return [*head, *(equal if sum(head) + sum(equal) <= room else rows)]


def _left_out(rows: int, columns: int, elsewhere: str) -> str:
    counts = [
        f"{count:,} more {noun}{'s' * (count != 1)}" for count, noun in ((rows, "row"), (columns, "column")) if count
    ]
    one = rows + columns == 1
    return f"{' and '.join(counts)} {'is' if one else 'are'} omitted. {elsewhere}" if counts else ""


def _write(
    maker: Maker,
    slide: Any,
    lines: Sequence[Sequence[str]],
    room: SlideBox,
    widths: Sequence[float],
    heights: Sequence[float],
    right: Sequence[bool],
    size: float,
) -> None:
    tall = Emu(round(sum(heights) * INCH))
    sides = (Emu(room.left), Emu(room.top), Emu(room.width), tall)
    table = slide.shapes.add_table(len(lines), len(widths), *sides).table
    table.first_row, table.horz_banding = True, False
    for column, wide in enumerate(widths):
        table.columns[column].width = Emu(round(wide * INCH))
    for at, (line, high) in enumerate(zip(lines, heights, strict=True)):
        table.rows[at].height = Emu(round(high * INCH))
        for column, text in enumerate(line):
            dress_cell(maker, table.cell(at, column), text, head=at == 0, size=size)
            table.cell(at, column).text_frame.paragraphs[0].alignment = (
                PP_ALIGN.RIGHT if right[column] else PP_ALIGN.LEFT
            )


def dress_cell(
    maker: Maker, cell: Any, text: str, *, head: bool, size: float, ink: str = "", bold: bool = False
) -> None:
    """Write one cell in the colours of the deck, with a line under it."""
    tokens = maker.ink.tokens
    cell.text_frame.word_wrap = True
    cell.margin_left = cell.margin_right = Emu(round(_PADDING * INCH))
    cell.margin_top = cell.margin_bottom = Emu(round(_PADDING / 2 * INCH))
    run = cell.text_frame.paragraphs[0].add_run()
    run.text = text
    font(run.font, size, ink or tokens.text, bold=head or bold)
    if head:
        cell.fill.solid()
        cell.fill.fore_color.rgb = rgb(tokens.line)
    else:
        cell.fill.background()
    line = f'<a:solidFill><a:srgbClr val="{tokens.line[1:].upper()}"/></a:solidFill>'
    cell._tc.get_or_add_tcPr().insert(0, parse_xml(f'<a:lnB {nsdecls("a")} w="6350">{line}</a:lnB>'))


TITLE = "Problems of the import"
NOTHING = "The import had no problems."
_HEADS = ("Severity", "Where", "What", "Action taken")
# Shares of the width.
_SHARES = (0.09, 0.25, 0.41, 0.25)
_PROBLEM_SIZE, _PROBLEM_LINES = 11.0, 2
_WORDS = {
    Severity.REFUSED: ("not imported", "not imported"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("note", "notes"),
}


def add_problems(maker: Maker, problems: Sequence[Problem]) -> None:
    """Add one slide: counts, the most severe problems first, and the number of those that do not fit."""
    slide = maker.plain(TITLE)
    body = maker.template.body
    high = round(0.38 * INCH)
    ordered = sorted(problems, key=lambda problem: -list(Severity).index(problem.severity))
    put_text(slide, SlideBox(body.left, body.top, body.width, high), [_counted(problems)], 14, maker.ink.tokens.quiet)
    notes = [_counted(problems), "The import report lists each problem with file, line and cell."]
    if ordered:
        room = SlideBox(body.left, body.top + high, body.width, body.height - 2 * high)
        shown = _problem_table(maker, slide, ordered, room)
        if shown < len(ordered):
            left = len(ordered) - shown
            more = f"{plural(left, 'more problem')} in the import report, with file, line and cell."
            foot = SlideBox(body.left, body.top + body.height - high, body.width, high)
            put_text(slide, foot, [more], 12, maker.ink.tokens.quiet)
            maker.left_out.append(f"{len(ordered) - shown} of {len(ordered)} problems do not fit on the slide")
    put_notes(slide, list_notes(notes))


def _counted(problems: Sequence[Problem]) -> str:
    if not problems:
        return NOTHING
    counts = {severity: sum(problem.severity is severity for problem in problems) for severity in _WORDS}
    return ", ".join(f"{count:,} {_WORDS[severity][count != 1]}" for severity, count in counts.items() if count)


def _problem_table(maker: Maker, slide: Any, problems: Sequence[Problem], room: SlideBox) -> int:
    """Add the table; returns how many problems it shows."""
    wide = [room.width * share / INCH for share in _SHARES]
    row_high, tall = line_height(_PROBLEM_SIZE) + _PADDING, _PROBLEM_LINES * line_height(_PROBLEM_SIZE)
    rows: list[tuple[tuple[str, ...], float]] = []
    used = row_high
    for problem in problems:
        cells = [
            fitted(text, width - 2 * _PADDING, tall, (_PROBLEM_SIZE,))
            for text, width in zip(_problem_cells(problem), wide, strict=True)
        ]
        high = max(cell.lines for cell in cells) * line_height(_PROBLEM_SIZE) + _PADDING
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
            dress_cell(maker, table.cell(at, column), text, head=at == 0, size=_PROBLEM_SIZE, ink=ink, bold=refused)
    return len(rows)


def _problem_cells(problem: Problem) -> tuple[str, str, str, str]:
    line = f", line {problem.line}" if problem.line is not None else ""
    cell = f", cell {problem.column}" if problem.column is not None else ""
    return problem.severity.value, f"{problem.file}{line}{cell}", problem.message, problem.done
