"""`docs/developing/pollution.md`: the effect of each kind in each format. Run as a module to rewrite it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from tests.pollution import domain, structural
from tests.pollution.attacks import JSON_KINDS, XML_KINDS, AttackKind
from tests.pollution.documents import JSON, XML, Document
from tests.pollution.judge import Outcome
from tests.pollution.kinds import Kind
from tests.pollution.sheets import SHEETS, Sheet
from tests.pollution.suite import DEFECTS, document_cases, table_cases, tried

PAGE = Path(__file__).parents[2] / "docs" / "developing" / "pollution.md"
_INTRODUCTION = """# Effects of damaged input

This page lists types of damage to input files, and the result for each format. No damage causes a wrong value.

Each test damages one small clean file and imports it. Each cell of the clean file contains its own row and column
number, so the test can check every imported cell (`tests/pollution`). The tables show these results:

- *No problem*: all cells and times are identical to those of the clean file.
- *A code*, such as `row-width`: the file is imported with this problem. Each cell is correct, empty, or in a rejected
  row. Each problem shows the file and the line.
- *Not imported*: no value is used. The code in brackets states the reason.

[Troubleshooting](../troubleshooting.md) explains each code. The first two sections use these format names:

- *Logs*: `perfmon` (Windows CSV logs), `resaved` (a perfmon file without quotes, as a spreadsheet saves it), and
  `esxtop` (ESXi CSV logs).
- *Login VSI*: the tables `login-vsi-logon` and `login-vsi-appstart`.
- `generic-csv`: a CSV file that is read with a column mapping.

A reader cannot detect a truncated number at the end of a file without quotes and without a final line end. The reader
keeps the number, and a problem shows its line.

The tables do not include two tests:

- `tests/pollution/row_damages.py` damages cells, delimiters and quotes in files of every text reader.
- `tests/pollution/test_answers.py` damages Prometheus and Terraform files.

`uv run python -m tests.pollution.table` writes this page.
"""
_GROUPS = (("logs", ("perfmon", "resaved", "esxtop")), ("Login VSI", ("login-vsi-logon", "login-vsi-appstart")))
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
    named = ", ".join(f"`{code}`" for code in codes)
    match outcome:
        case Outcome.IDENTICAL:
            return "no problem"
        case Outcome.TOLD:
            return named
        case Outcome.REFUSED:
            return f"not imported ({named})"
        case Outcome.WRONG:
            return "**wrong values**"


def _table(
    kinds: Sequence[Kind] | Sequence[AttackKind],
    formats: Sequence[Sheet] | Sequence[Document],
    found: dict[str, tuple[Outcome, tuple[str, ...]]],
) -> str:
    names = [one.name for one in formats]
    several = len(names) > 1
    lines = ["| damage | result | exceptions |", "|---|---|---|"] if several else ["| damage | result |", "|---|---|"]
    for (result, exceptions), group in groupby(kinds, lambda kind: _cells(_results(kind, names, found))):
        damages = [_damage(kind, list(_results(kind, names, found)), names) for kind in group]
        # A long list of exceptions is written once.
        for damage in ["; ".join(damages)] if exceptions else damages:
            cells = (f"{damage[0].upper()}{damage[1:]}", result, exceptions)
            lines.append(f"| {' | '.join(cells[: 2 + several])} |")
    return "\n".join(lines) + "\n"


def _results(
    kind: Kind | AttackKind, names: Sequence[str], found: dict[str, tuple[Outcome, tuple[str, ...]]]
) -> dict[str, tuple[Outcome, tuple[str, ...]]]:
    return {name: found[f"{name}-{kind.name}"] for name in names if f"{name}-{kind.name}" in found}


def _damage(kind: Kind | AttackKind, formats: Sequence[str], names: Sequence[str]) -> str:
    return kind.words if len(formats) == len(names) else f"{kind.words} ({_named(formats)} only)"


def _cells(results: Mapping[str, tuple[Outcome, tuple[str, ...]]]) -> tuple[str, str]:
    """The most frequent result, and the other results with their formats."""
    formats: dict[str, list[str]] = {}
    for name, (outcome, codes) in results.items():
        formats.setdefault(_shown(outcome, codes), []).append(name)
    most = max(formats, key=lambda result: len(formats[result]))
    return most, "; ".join(f"{_named(those)}: {result}" for result, those in formats.items() if result != most)


def _named(formats: Sequence[str]) -> str:
    """The formats, with one name for a complete group."""
    left, named = list(formats), []
    for group, members in _GROUPS:
        if set(members) <= set(left):
            named.append(group)
            left = [name for name in left if name not in members]
    return ", ".join((*named, *(f"`{name}`" for name in left)))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} written\n")
