"""Paths as Windows compares them, on any system."""

from __future__ import annotations

from pathlib import Path, PurePath

# The class that `Path` is here; on Windows it folds case by itself.
_Here: type[Path] = type(Path())


class FoldingPath(_Here):  # type: ignore[misc, valid-type]
    """A path that equals every other one that differs only in case."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PurePath) and str(self).casefold() == str(other).casefold()

    def __hash__(self) -> int:
        return hash(str(self).casefold())
