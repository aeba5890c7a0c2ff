"""File names for exports of several files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.exporters.job import DocumentPart

_LONGEST = 60


def file_names(path: Path, parts: Sequence[DocumentPart]) -> dict[Path, DocumentPart]:
    """The path of each part: `path` for a single one, otherwise `stem-cache-sweep.ending` next to it."""
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
    """The text as part of a file name that is valid on every system: letters, digits, dots, dashes."""
    kept = "".join(char if char.isalnum() or char in ".-" else "-" for char in text)
    return "-".join(filter(None, kept.split("-"))).strip(".")[:_LONGEST]
