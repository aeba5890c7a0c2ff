"""Names of sheets: at most 31 characters, none of []:*?/\\, unlike each other whatever the case."""

from __future__ import annotations

import re
from collections.abc import Iterable

from workbench.exporters.workbook.cells import clean

LONGEST = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")


def sheet_name(kind: str, code: str, taken: Iterable[str]) -> str:
    """`IOPS`, or `S1 IOPS` where several studies share the workbook; cut and numbered as needed."""
    used = {name.casefold() for name in taken}
    base = _FORBIDDEN.sub("-", clean(f"{code} {kind}".replace("\n", " "))).strip().strip("'") or kind
    name, number = base[:LONGEST].rstrip(), 2
    while name.casefold() in used:
        ending = f" {number}"
        name = base[: LONGEST - len(ending)].rstrip() + ending
        number += 1
    return name


def quoted(name: str) -> str:
    """The sheet's name as formulas write it."""
    return "'" + name.replace("'", "''") + "'"
