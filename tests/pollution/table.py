"""`docs/developing/pollution.md`: the effect of each kind in each format. Run as a module to rewrite it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.pollution import domain, structural
from tests.pollution.attacks import JSON_KINDS, XML_KINDS, AttackKind
from tests.pollution.documents import JSON, XML, Document
from tests.pollution.judge import Outcome
from tests.pollution.kinds import Kind
from tests.pollution.sheets import SHEETS, Sheet
from tests.pollution.suite import DEFECTS, document_cases, table_cases, tried

PAGE = Path(__file__).parents[2] / "docs" / "developing" / "pollution.md"
_INTRODUCTION = """# What bad input costs

Each kind of damage below is done to a small clean file whose every cell tells its own row and column, and the
result is judged cell by cell (`tests/pollution`). What may come of it:

- **identical**: every cell and time as in the clean file, and nothing to say;
- **told**: loaded, and problems name the file and the line: every cell is right, or missing with a problem, or
  in a rejected row, and rows in = rows kept + rows rejected. The codes of the problems follow the word;
- **refused**: nothing was read, and a sentence says why. A file that no reader knows any more is listed as such.

No reader can tell whether an unquoted last number without a line end is whole or cut off. It is kept, and its line is
named.

`resaved` is perfmon's file without quotes, as a spreadsheet saves it; `generic-csv` is a CSV read through a column
mapping. A dash: the kind does not exist in that format.
The whole files of every reader of text also lose a cell, gain one, lose a delimiter, get an open quote, have two
cells merged, and end within their last line (`tests/pollution/row_damages.py`). Prometheus' answers and Terraform
files lose keys and delimiters, get values of another type and a series twice, and are cut at each letter
(`tests/pollution/test_answers.py`). This page is written by `uv run python -m tests.pollution.table`, and a test
compares it with what the readers do.
"""


def page() -> str:
    """Computes the whole page."""
    found: dict[str, tuple[Outcome, str]] = {}
    for case in (*table_cases(), *document_cases()):
        verdict, codes = tried(case)
        found[case.name] = (verdict.outcome, ", ".join(f"`{code}`" for code in codes))
    counts = Counter(outcome for outcome, _ in found.values())
    summary = ", ".join(f"{counts[outcome]} {outcome.lower()}" for outcome in Outcome)
    parts = [
        _INTRODUCTION,
        f"{len(found)} cases: {summary}.\n",
        "## The text of tables\n",
        _table(structural.KINDS, SHEETS, found),
        "## Clocks, languages and values in tables\n",
        _table(domain.KINDS, SHEETS, found),
        "## XML\n",
        _table(XML_KINDS, XML, found),
        "## JSON\n",
        _table(JSON_KINDS, JSON, found),
    ]
    if DEFECTS:
        parts += ["## Still wrong\n", "\n".join(f"- `{name}`: {why}" for name, why in DEFECTS.items()) + "\n"]
    return "\n".join(parts)


def _table(
    kinds: Sequence[Kind] | Sequence[AttackKind],
    formats: Sequence[Sheet] | Sequence[Document],
    found: dict[str, tuple[Outcome, str]],
) -> str:
    lines = ["| kind | " + " | ".join(one.name for one in formats) + " |", "|---" * (len(formats) + 1) + "|"]
    for kind in kinds:
        cells = [_cell(found.get(f"{one.name}-{kind.name}")) for one in formats]
        lines.append(f"| `{kind.name}`: {kind.words} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(outcome: tuple[Outcome, str] | None) -> str:
    if outcome is None:
        return "—"
    return f"{outcome[0]} {outcome[1]}".rstrip() if outcome[0] is not Outcome.IDENTICAL else str(outcome[0])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} written\n")
