"""`*.csv` on the command line: the shells of Windows hand it on as it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from workbench.windows_paths import openable

_WILD = frozenset("*?")


def expanded(paths: Iterable[Path]) -> list[Path]:
    """The paths, one with `*` or `?` replaced by what it matches, in the order of the names. What is there under that
    very name stays, and so does what matches nothing."""
    return [path for given in map(openable, paths) for path in _matches(given) or [given]]


def _matches(path: Path) -> list[Path]:
    # The \\?\ before a Windows path of any length is no wildcard.
    pattern = path.relative_to(path.anchor)
    if not _WILD.intersection(str(pattern)) or _there(path):
        return []
    # Brackets are no wildcards on Windows, and stand in the names of folders.
    return sorted(Path(path.anchor).glob(str(pattern).replace("[", "[[]")), key=lambda match: match.parts)


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # Windows takes no such name
        return False
