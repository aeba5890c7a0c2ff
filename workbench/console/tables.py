"""The output of a command: its reply as JSON, as CSV, or as text with tables for a terminal.

Numbers are never broken. If the columns do not fit side by side, they are printed in blocks, one below the other. Each
block begins with the columns that name its rows.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from textwrap import wrap

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from workbench.answers.common.causes import Alike, alike
from workbench.answers.common.document import to_csv, to_json, with_method
from workbench.answers.common.reply import NO_RUNS, Block, PhaseTable, Reply, problem_count
from workbench.answers.common.sources import explained_words, source_table
from workbench.charts.tables import TableData, heading, without_columns
from workbench.console.streams import printable
from workbench.measures.catalogue import MEASURES
from workbench.measures.measure import Measure, Tables, measure_words
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.problem import Problem, Severity
from workbench.model.source import Explanation
from workbench.words.captions import as_sentences, capital, definitions
from workbench.words.metrics import evidence_of, phase_words

# In a pipe nothing is cut, because a wide table is meant for another program or a file.
_PIPE_WIDTH = 400
_MEASURES = tuple(measure for measure in MEASURES.values() if Tables.CONSOLE in measure.tables)
# A heading is broken after this many characters.
_HEADING = 11
# More warnings than this are counted, not listed, under the phase table.
_MAX_WARNINGS = 12


def summary_text(figures: Sequence[RunFigures], problems: Sequence[Problem]) -> str:
    """The phase table, one line per run and phase."""
    if not figures:
        return "\n".join(
            (NO_RUNS, *_worst(problems, {}), f"{problem_count(problems)} To list them, use 'vdiwb inspect'.")
        )
    headers = ("Run", "Configuration", "Phase", "Source of phase", *map(_heading, _MEASURES))
    table = text_table(headers, left=4)
    for figure in figures:
        names = (cell_text(figure.run.name), cell_text(_configuration(figure)))
        if not figure.phases:
            table.add_row(*names, "no phases", *("—",) * (len(headers) - 3))
        for index, row in enumerate(figure.phases):
            table.add_row(
                *(names if index == 0 else ("", "")),
                cell_text(phase_words(row.phase.name)),
                evidence_of(row.phase),
                *(_measured(measure, row) for measure in _MEASURES),
            )
    lines = [
        drawn(table, keys=3),
        "IOPS are means over the phase. Cache RAM and cache disk are per VM. A dash (—) means not available.",
    ]
    if any(row.cache_ram_estimate for run in figures for row in run.phases):
        lines.append("* marks an estimate from the nonpaged pool, which contains more than the cache.")
    if any(row.lower_bound for run in figures for row in run.phases):
        lines.append("! marks lower bounds of total I/O and IOPS, because part of the phase has no samples.")
    if any(row.phase.evidence == "activity" for run in figures for row in run.phases):
        lines.append(
            "'detected' means that the phase is not in run.toml or events. Check its start and end before you use its "
            "values."
        )
    if any(row.phase.doubt for run in figures for row in run.phases):
        lines.append(
            "'doubtful' means that the detected phase may be wrong (too many VMs or sessions deviate, or another burst "
            "fits as well). Set [[phases]] in run.toml."
        )
    lines += _worst(problems, {run.run.name: "run" for run in figures})
    lines.append(f"{problem_count(problems)} To list them, use 'vdiwb inspect'.")
    return "\n".join(lines)


def _heading(measure: Measure) -> str:
    """The name in lines as narrow as the numbers below. The units %, minutes and seconds are next to the numbers."""
    heading = measure.name if measure.unit in ("%", "s") else measure.header
    return "\n".join(wrap(heading, _HEADING))


def _measured(measure: Measure, row: PhaseFigures) -> str:
    """A metric of a phase with its mark: an estimate, or a partly measured phase."""
    value = getattr(row, measure.key)
    text = "—" if value is None else measure_words(value, measure)
    if measure.of_cache_ram and row.cache_ram_estimate:
        return f"{text}*"
    return f"{text} !" if measure.key == "measured_percent" and row.lower_bound else text


def _worst(problems: Sequence[Problem], nouns: Mapping[str, str]) -> list[str]:
    """The warnings, each cause once, as many as fit on a screen. Files that were not imported are printed on standard
    error."""
    causes = alike([problem for problem in problems if problem.severity is Severity.WARNING], nouns)
    shown = [alike_line(cause) for cause in causes[:_MAX_WARNINGS]]
    left = sum(cause.count for cause in causes[_MAX_WARNINGS:])
    return shown + ([f"{left} more warnings are not shown."] if left > 0 else [])


def table_text(data: TableData) -> str:
    """Any table of the window, with its name above and its legend below."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in data.columns:
        table.add_column(cell_text(heading(column)), justify="right" if column.numeric else "left", overflow="fold")
    for row in data.rows:
        table.add_row(*(cell_text(cell.text) for cell in row))
    legend = (as_sentences((data.legend,)), *definitions(data.method))
    return "\n".join(part for part in (printable(data.name), drawn(table), *map(printable, legend)) if part)


def _configuration(run: RunFigures) -> str:
    return run.run.configuration.name + (" (excluded)" if run.run.excluded else "")


def text_table(headers: Sequence[str], left: int) -> Table:
    """An empty table; the first `left` columns are text, the others numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, header in enumerate(headers):
        table.add_column(header, justify="left" if index < left else "right", overflow="fold")
    return table


def drawn(table: Table, keys: int | None = None) -> str:
    """The table as lines. On a terminal it is in blocks of its width, with `keys` columns repeated in each; in a pipe
    it is one block."""
    if sys.stdout.isatty():
        return laid_out(table, shutil.get_terminal_size().columns, keys)
    return lines(table, _PIPE_WIDTH)


def alike_line(cause: Alike, all_named: bool = False) -> str:
    """Problems with one cause on one line; `all_named`: with the names of all their files."""
    more = cause.more(len(cause.places)) if all_named else cause.more()
    line = problem_line(cause.first)
    return f"{line.removesuffix('.')}. {printable(capital(more))}." if more else line


def problem_line(problem: Problem) -> str:
    """A problem on one line."""
    label = problem.file + (f":{problem.line}" if problem.line else "")
    label += f" column {problem.column}" if problem.column else ""
    severity = "not imported" if problem.severity is Severity.REFUSED else problem.severity
    return printable(f"{severity}: {label}: {problem.sentences}")


def cell_text(value: str) -> str:
    """A name from a file as a cell: no markup, no control characters."""
    return escape(printable(value))


# If room is scarce, a name may be broken after this many characters; the first column may take a quarter of the width.
_WORD = 12
_FIRST_SHARE = 4
# Characters between two columns, and at both edges together.
_GAP, _EDGES = 3, 2
# The columns that name the rows leave at least this share of the width to the others.
_LEFT_FOR_OTHERS = 0.4


def laid_out(table: Table, width: int, keys: int | None = None) -> str:
    """The table as lines of at most `width` characters, in as many blocks as needed. `keys` is the number of columns
    that name the rows (None: the text columns at the left, as long as they leave room)."""
    needs = [_least(column, width, first=not index) for index, column in enumerate(table.columns)]
    drawn = []
    for block in _blocks(table.columns, needs, width, keys):
        # If not even the names and one column fit, the terminal itself breaks the lines.
        room = max(width, sum(needs[index] + _GAP for index in block) - _GAP + _EDGES)
        drawn.append(lines(_part(table, block, needs, room), room).rstrip("\n"))
    return "\n".join(drawn) + "\n"


def lines(table: Table, width: int) -> str:
    """The table in one block, at most `width` characters wide."""
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=False).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _blocks(columns: Sequence[Column], needs: Sequence[int], width: int, stated: int | None) -> Iterator[list[int]]:
    """Groups of column indices that fit. Every group begins with the columns that name the rows."""
    keys = _keys(columns, needs, width) if stated is None else list(range(stated))
    taken = sum(needs[key] + _GAP for key in keys) - _GAP + _EDGES
    block, room = list(keys), width - taken
    for index in range(len(keys), len(columns)):
        if room < needs[index] + _GAP and len(block) > len(keys):
            yield block
            block, room = list(keys), width - taken
        block.append(index)
        room -= needs[index] + _GAP
    yield block


def _keys(columns: Sequence[Column], needs: Sequence[int], width: int) -> list[int]:
    """The first column, and the text columns after it as long as they leave room."""
    texts = takewhile(lambda index: columns[index].justify == "left", range(len(columns)))
    keys = [0]
    for text in list(texts)[1:]:
        if sum(needs[key] + _GAP for key in (*keys, text)) > (1 - _LEFT_FOR_OTHERS) * width:
            break
        keys.append(text)
    return keys


def _least(column: Column, width: int, first: bool) -> int:
    """The width below which a number would be broken, or a word more often than necessary."""
    head = max((cell_len(word) for word in str(column.header).split()), default=0)
    cells = _texts(column)
    if column.justify == "right":
        return max([head, *map(cell_len, cells)])
    longest = max((cell_len(word) for cell in cells for word in cell.split()), default=0)
    return max(head, min(max(_WORD, width // _FIRST_SHARE) if first else _WORD, longest))


def _texts(column: Column) -> list[str]:
    return [Text.from_markup(str(cell)).plain for cell in column.cells]


def _widths(columns: Sequence[Column], needs: Sequence[int], width: int) -> list[int]:
    """The width of each column: its minimum, and a part of the remaining room. Columns with small needs are served
    first."""
    left = width - sum(needs) - _GAP * (len(columns) - 1) - _EDGES
    more = [
        max(map(cell_len, (str(column.header), *_texts(column)))) - need
        for column, need in zip(columns, needs, strict=True)
    ]
    given = list(needs)
    for index in sorted(range(len(columns)), key=lambda index: more[index]):
        share = max(0, min(left, more[index]))
        given[index] += share
        left -= share
    return given


def _part(table: Table, places: Sequence[int], needs: Sequence[int], width: int) -> Table:
    """Some of the columns as a separate table."""
    part = Table(box=table.box, pad_edge=table.pad_edge)
    chosen = [table.columns[index] for index in places]
    for column, given in zip(chosen, _widths(chosen, [needs[index] for index in places], width), strict=True):
        part.add_column(column.header, justify=column.justify, overflow=column.overflow, width=given)
    for cells in zip(*(column.cells for column in chosen), strict=True):
        part.add_row(*cells)
    return part


def printed(reply: Reply, form: str) -> str:
    """The reply in the requested format: table, json, csv, or a format of the command."""
    if form in reply.others:
        return reply.others[form]()
    if form == "json":
        return to_json(with_method(reply.json()))
    return to_csv(reply.rows()) if form == "csv" else _text(reply.text())


def _text(paragraphs: Sequence[Sequence[Block]]) -> str:
    return "\n\n".join(_paragraph(blocks) for blocks in paragraphs if blocks)


def _paragraph(blocks: Sequence[Block]) -> str:
    return "\n".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case str():
            return printable(block)
        case TableData():
            return table_text(block)
        case Alike():
            return alike_line(block)
        case PhaseTable():
            return summary_text(block.figures, block.problems)
        case Explanation():
            return _explanation(block)


def _explanation(explanation: Explanation) -> str:
    """The explanation of a number, with a table of its sources."""
    text = "\n  ".join(printable(line) for line in explained_words(explanation).split("\n"))
    if not explanation.sources:
        return text
    return f"{text}\n{table_text(without_columns(source_table([explanation]), ('Run',)))}"
