"""Patterns to avoid: `patterns.toml` declares them, `counts.toml` has their number in each file.

The sum of a pattern over all files may only fall; the counts by file name the files that grew. Counts by file
also merge line by line if two branches lower them.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.wording.texts import Text

FOLDER = Path(__file__).parent
COUNTS = FOLDER / "counts.toml"
COMMAND = "uv run python -m tests.wording"

# The number of hits, by pattern and file.
Counts = Mapping[str, Mapping[str, int]]


class Pattern(NamedTuple):
    """A pattern and its replacement."""

    name: str
    expression: re.Pattern[str]
    instead: str


class Hit(NamedTuple):
    """A match and its place."""

    pattern: str
    file: str
    line: int
    words: str


def patterns() -> tuple[Pattern, ...]:
    """The patterns that are counted."""
    declared = tomllib.loads((FOLDER / "patterns.toml").read_text(encoding="utf-8"))
    return tuple(Pattern(name, _ignoring_case(part["pattern"]), part["instead"]) for name, part in declared.items())


def forbidden() -> tuple[Pattern, ...]:
    """The phrases that no text may have: whole words, in any case of letters."""
    phrases = tomllib.loads((FOLDER / "forbidden.toml").read_text(encoding="utf-8"))
    return tuple(Pattern(phrase, _ignoring_case(_whole(phrase)), instead) for phrase, instead in phrases.items())


def _ignoring_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _whole(phrase: str) -> str:
    return rf"(?<!\w){re.escape(phrase)}(?!\w)"


def found(patterns: Iterable[Pattern], texts: Iterable[Text]) -> list[Hit]:
    """Every hit of the patterns."""
    searched = tuple(patterns)
    return [
        Hit(pattern.name, text.file, text.line, match[0])
        for text in texts
        for pattern in searched
        for match in pattern.expression.finditer(text.text)
    ]


def counted(hits: Iterable[Hit]) -> Counts:
    """The hits by pattern and file."""
    counts: dict[str, Counter[str]] = {}
    for hit in hits:
        counts.setdefault(hit.pattern, Counter())[hit.file] += 1
    return counts


def stored(file: Path = COUNTS) -> Counts:
    """The stored counts."""
    counts: Counts = tomllib.loads(file.read_text(encoding="utf-8"))
    return counts


def totals(names: Iterable[str], counts: Counts) -> dict[str, int]:
    """The sum of each pattern over all files."""
    return {name: sum(counts.get(name, {}).values()) for name in names}


def risen(names: Iterable[str], before: Counts, hits: Iterable[Hit]) -> list[str]:
    """A line for each pattern that has more hits than before, then lines with the hits in the files that grew."""
    listed = list(hits)
    now, lines = counted(listed), list[str]()
    for name in names:
        was, files = before.get(name, {}), now.get(name, {})
        if sum(files.values()) <= sum(was.values()):
            continue
        lines.append(f"{name}: {sum(files.values())}, stored {sum(was.values())}")
        grown = {file for file, number in files.items() if number > was.get(file, 0)}
        lines += [
            f"  {hit.file}:{hit.line}: {hit.words}" for hit in listed if hit.pattern == name and hit.file in grown
        ]
    return lines


def fallen(names: Iterable[str], before: Counts, now: Counts) -> list[str]:
    """A line for each pattern that has fewer hits than are stored."""
    was, are = totals(names, before), totals(names, now)
    return [f"{name}: {are[name]}, stored {was[name]}" for name in was if are[name] < was[name]]


def as_toml(names: Iterable[str], counts: Counts) -> str:
    """The content of `counts.toml`."""
    return "\n".join(line for name in names for line in _table(name, counts.get(name, {})))


def _table(name: str, files: Mapping[str, int]) -> Iterator[str]:
    yield f'["{name}"]'
    yield from (f'"{file}" = {files[file]}' for file in sorted(files))
    yield ""
