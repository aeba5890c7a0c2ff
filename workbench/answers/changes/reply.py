"""The output of `vdiwb changes`: what moved between two states.

Also as JSON and CSV rows (schema vdi-workbench/changes/1). Keys may be added, never renamed or removed. null means not
available or missing. Values are in `unit`, differences in `difference_unit`.
"""

from __future__ import annotations

from workbench.answers.changes.moves import Kind
from workbench.answers.changes.replay import Changes
from workbench.answers.changes.tables import ChangeRow, change_tables, headline, notes, rows_of
from workbench.answers.common.document import Table
from workbench.answers.common.reply import Reply, Text


def changes_reply(changes: Changes, before: str, after: str) -> Reply:
    """The reply in all its forms; `before` and `after` name the states: `old.vdiwb`."""
    told = notes(changes)

    def text() -> Text:
        return [[headline(changes, before), *told], *([table] for table in change_tables(changes))]

    return Reply(text, lambda: changes_table(changes, before, after, told), lambda: change_rows(changes))


CHANGES_SCHEMA = "vdi-workbench/changes/1"


def changes_table(changes: Changes, before: str, after: str, notes: tuple[str, ...]) -> Table:
    """`vdiwb changes --format json` as a value; `before` and `after` name the states."""
    laid = changes.compared
    kinds: tuple[Kind, ...] = ("figure", "sizing", "verdict", "finding", "run", "phase")
    return {
        "schema": CHANGES_SCHEMA,
        "before": before,
        "after": after,
        "compared": {kind: laid.of(kind) for kind in kinds},
        "moved": {kind: laid.moved(kind) for kind in kinds},
        "remarks": list(notes),
        "rows": [
            {**_row(row), "because_of": _because(row, changes), "together": changes.because[row.move.key].together}
            for row in rows_of(changes)
        ],
    }


def change_rows(changes: Changes) -> list[Table]:
    """The moved items as flat rows."""
    return [{**_row(row), "because_of": row.because} for row in rows_of(changes)]


def _because(row: ChangeRow, changes: Changes) -> list[Table]:
    return [{"kind": cause.kind, "words": cause.words} for cause in changes.because[row.move.key].causes]


def _row(row: ChangeRow) -> Table:
    move = row.move
    return {
        "kind": move.key.kind,
        "study": row.study,
        "configuration": move.key.configuration or None,
        "baseline": move.key.run if move.key.kind == "verdict" else None,
        "run": row.run or None,
        "phase": move.key.phase or None,
        "measure": move.key.measure.removeprefix(f"{move.key.study}/") or None,
        "unit": row.unit or None,
        "before": move.before,
        "after": move.after,
        "difference": move.difference,
        "difference_unit": move.unit or row.unit or None,
        "percent": move.percent,
        "figures": move.items or None,
    }
