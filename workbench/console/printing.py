"""The output of a command: its reply as a table, as JSON or as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.causes import Alike
from workbench.answers.common.document import to_csv, to_json, with_method
from workbench.answers.common.reply import Block, PhaseTable, Reply, Text
from workbench.answers.common.sources import explained_words, source_table
from workbench.charts.tables import TableData, without_columns
from workbench.console.streams import printable
from workbench.console.tables import alike_line, summary_text, table_text
from workbench.model.source import Explanation


def printed(reply: Reply, form: str) -> str:
    """The reply in the requested format: table, json, csv, or a format of the command."""
    if form in reply.others:
        return reply.others[form]()
    if form == "json":
        return to_json(with_method(reply.json()))
    return to_csv(reply.rows()) if form == "csv" else _text(reply.text())


def _text(paragraphs: Text) -> str:
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
