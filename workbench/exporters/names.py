"""Names of files where one export writes several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.exporters.job import DocumentPart

_LONGEST = 60


def file_names(path: Path, parts: Sequence[DocumentPart]) -> dict[Path, DocumentPart]:
    """Where each part goes: `path` for a single one, else `stem-cache-sweep.ending` beside it."""
    if len(parts) == 1:
        return {path: parts[0]}
    by_path: dict[Path, DocumentPart] = {}
    taken: set[str] = set()
    for part in parts:
        words = "-".join(filter(None, (plain_name(part.study), part.page, part.view)))
        name, number = words, 2
        while name.casefold() in taken:
            name, number = f"{words}-{number}", number + 1
        taken.add(name.casefold())
        by_path[path.with_name(f"{path.stem}-{name}{path.suffix}")] = part
    return by_path


def plain_name(text: str) -> str:
    """The text as part of a file name on every system: letters, digits, dots, dashes."""
    kept = "".join(char if char.isalnum() or char in ".-" else "-" for char in text)
    return "-".join(filter(None, kept.split("-"))).strip(".")[:_LONGEST]
