"""`*.csv` on the command line: Windows shells pass it on unexpanded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from workbench.windows_paths import openable

_WILD = frozenset("*?")


def expanded(paths: Iterable[Path]) -> list[Path]:
    """Returns the paths; a path with `*` or `?` is replaced by its matches, sorted by name. An existing path of exactly
    that name stays, and so does a pattern without a match."""
    return [path for given in map(openable, paths) for path in _matches(given) or [given]]


def _matches(path: Path) -> list[Path]:
    # The \\?\ before a long Windows path is not a wildcard.
    pattern = path.relative_to(path.anchor)
    if not _WILD.intersection(str(pattern)) or _there(path):
        return []
    # Brackets are not wildcards on Windows, and occur in folder names.
    return sorted(Path(path.anchor).glob(str(pattern).replace("[", "[[]")), key=lambda match: match.parts)


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # not a valid name on Windows
        return False
