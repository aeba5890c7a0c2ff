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

This page shows the result of each kind of damage to an input file, for each format. No damage causes a wrong value.
Each test damages a small clean file, in which each cell contains its own row and column. The result is then checked
cell by cell (`tests/pollution`). Three results are allowed:

- **identical**: every cell and time is the same as in the clean file, without a message.
- **reported**: the file is imported, and problems name the file and the line. Every cell is correct, missing with a
  problem, or in a rejected row. The number of rows in the file is the sum of kept rows and rejected rows. The codes of
  the problems follow the word *reported*.
- **not imported**: the file was not imported, and a message states the reason. If no reader recognises the damaged
  file, it is listed as not recognised.

If the last number of a file is not quoted and has no line end, a reader cannot know whether the number is complete.
Such a number is kept, and a problem names its line.

`resaved` is a perfmon file without quotes, as a spreadsheet saves it. `generic-csv` is a CSV file with a column
mapping. A dash means that the kind of damage does not exist in that format.

Two more tests are not in the tables:

- `tests/pollution/row_damages.py` damages complete files of every text reader: a cell or a delimiter is missing, a cell
  is added, a quote stays open, two cells are merged, or the last line is cut off.
- `tests/pollution/test_answers.py` damages files of Prometheus and Terraform: keys or delimiters are missing, values
  have another type, a series occurs twice, or the file is cut off at any character.

`uv run python -m tests.pollution.table` writes this page.
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
