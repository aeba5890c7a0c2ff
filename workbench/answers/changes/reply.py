"""What `vdiwb changes` prints of what moved between two states."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.changes.document import change_rows, changes_table
from workbench.answers.changes.replay import Changes
from workbench.answers.changes.sentences import headline, notes
from workbench.answers.changes.tables import change_tables
from workbench.answers.common.reply import Reply, Text
from workbench.charts.tables import TableData


def changes_reply(changes: Changes, before: str, after: str) -> Reply:
    """The reply in all its forms; `before` and `after` name the states: `old.vdiwb`."""
    told = notes(changes)

    def text() -> Text:
        return [[headline(changes, before), *told], *([_unfilled(table)] for table in change_tables(changes))]

    return Reply(text, lambda: changes_table(changes, before, after, told), lambda: change_rows(changes))


def _unfilled(table: TableData) -> TableData:
    return replace(table, columns=tuple(replace(column, fills=False) for column in table.columns))
