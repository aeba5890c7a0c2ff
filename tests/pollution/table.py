"""`docs/developing/pollution.md`: the effect of each kind in each format. Run as a module to rewrite it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
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

This page lists kinds of damage to input files, and shows how each format reacts. No damage causes a wrong value.

Each test damages one small clean file and imports it. Each cell of the clean file contains its own row and column, so
the test can check every imported cell (`tests/pollution`). A damaged file has one of these results:

- **Imported without problems**: all cells and times are identical to those of the clean file.
- **Imported, with a problem**: each cell is correct, missing with a problem, or in a rejected row. Each problem names
  the file and the line. The table shows the codes of the problems, such as `row-width`. The number of rows in the file
  is the sum of kept rows and rejected rows.
- **Not imported**: no value of the file is used. The table shows the code of the problem that is the reason. The code
  `not-recognised` means that no reader recognises the damaged file.

A number at the end of a file may be cut off. If the number has no quotes and no line end, a reader cannot detect this.
The reader keeps the number, and a problem names its line.

The names of the formats in the tables:

- `perfmon`, `esxtop`: CSV logs of Windows and of ESXi.
- `resaved`: a perfmon file without quotes, as a spreadsheet saves it.
- `login-vsi-logon`, `login-vsi-appstart`: tables of Login VSI with logons and application starts.
- `generic-csv`: a CSV file that is read with a column mapping.

[Troubleshooting](../troubleshooting.md) explains each code. If a row does not name a format, that format cannot have
this kind of damage.

Two more tests are not in the tables:

- `tests/pollution/row_damages.py` damages rows of complete files, for every text reader. A cell or delimiter is
  missing, a cell is added, a quote stays open, two cells are merged, or the last line is cut off.
- `tests/pollution/test_answers.py` damages files of Prometheus and Terraform. Keys or delimiters are missing, values
  have another type, a series occurs twice, or the file is cut off at any character.

`uv run python -m tests.pollution.table` writes this page.
"""
# From this number on, formats with the same result are named together.
_MANY = 3
_COUNTED = {
    Outcome.IDENTICAL: "imported without problems",
    Outcome.TOLD: "imported with problems",
    Outcome.REFUSED: "not imported",
    Outcome.WRONG: "with wrong values",
}


def page() -> str:
    """Returns the complete page."""
    found: dict[str, tuple[Outcome, tuple[str, ...]]] = {}
    for case in (*table_cases(), *document_cases()):
        verdict, codes = tried(case)
        found[case.name] = (verdict.outcome, codes)
    counts = Counter(outcome for outcome, _ in found.values())
    summary = ", ".join(f"{counts[outcome]} {_COUNTED[outcome]}" for outcome in Outcome)
    parts = [
        _INTRODUCTION,
        f"The tables show {len(found)} damaged files: {summary}.\n",
        "## Damage to the text of tables\n",
        _table(structural.KINDS, SHEETS, found),
        "## Damage to times, numbers and languages in tables\n",
        _table(domain.KINDS, SHEETS, found),
        "## Damage to XML files\n",
        _table(XML_KINDS, XML, found),
        "## Damage to JSON files\n",
        _table(JSON_KINDS, JSON, found),
    ]
    if DEFECTS:
        parts += ["## Still wrong\n", "\n".join(f"- `{name}`: {why}" for name, why in DEFECTS.items()) + "\n"]
    return "\n".join(parts)


def _shown(outcome: Outcome, codes: Sequence[str]) -> str:
    named = " and ".join(f"`{code}`" for code in codes)
    match outcome:
        case Outcome.IDENTICAL:
            return "imported without problems"
        case Outcome.TOLD:
            return f"imported, with the problem{'s' if len(codes) > 1 else ''} {named}"
        case Outcome.REFUSED:
            return f"not imported because of {named}"
        case Outcome.WRONG:
            return "**wrong values**"


def _table(
    kinds: Sequence[Kind] | Sequence[AttackKind],
    formats: Sequence[Sheet] | Sequence[Document],
    found: dict[str, tuple[Outcome, tuple[str, ...]]],
) -> str:
    names = [one.name for one in formats]
    lines = ["| damage | result |", "|---|---|"]
    for kind in kinds:
        results = {name: found[f"{name}-{kind.name}"] for name in names if f"{name}-{kind.name}" in found}
        lines.append(f"| `{kind.name}`: {kind.words} | {_cell(results, names)} |")
    return "\n".join(lines) + "\n"


def _cell(results: Mapping[str, tuple[Outcome, tuple[str, ...]]], names: Sequence[str]) -> str:
    """A sentence for each different result, with the formats that have it."""
    formats: dict[str, list[str]] = {}
    for name, (outcome, codes) in results.items():
        formats.setdefault(_shown(outcome, codes), []).append(name)
    if len(names) == 1:
        return ". ".join(f"{result[0].upper()}{result[1:]}" for result in formats)
    if len(formats) == 1 and len(results) == len(names):
        return f"All formats: {next(iter(formats))}"
    most = max(formats.values(), key=len)
    rest = most if len(results) == len(names) and len(most) >= _MANY else None
    sentences = [
        f"{', '.join(f'`{one}`' for one in those)}: {result}" for result, those in formats.items() if those is not rest
    ]
    sentences += [f"All other formats: {result}" for result, those in formats.items() if those is rest]
    return ". ".join(sentences)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} written\n")
