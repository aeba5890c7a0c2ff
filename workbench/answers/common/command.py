"""A console command of a question: what it says of itself, its options, and where its answer is computed.

Light to import: `vdiwb --help` reads every command, and loads the answer of none.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from workbench.answers.common.lazy import Lazy

FORMATS = ("table", "json", "csv")


class UsageError(Exception):
    """A sentence for the user: what they asked for cannot be done as asked (exit status 2)."""


class StoppedError(UsageError):
    """A sentence for the user: what they asked for was tried and could not be done (exit status 1)."""


@dataclass(frozen=True, slots=True)
class Command:
    """`reply` is called with the options and the studies, and returns a `Reply`; it may raise `UsageError`. `formats`
    are the choices of --format (none: no such option), `options` adds the command's own; `check` may raise `UsageError`
    before any file is read; `answers_nothing` runs the command even when nothing was recognised, and without
    `needs_paths` also when no path is given."""

    name: str
    text: str
    example: str
    reply: Lazy
    formats: tuple[str, ...] = FORMATS
    options: Callable[[argparse.ArgumentParser], None] | None = None
    check: Callable[[argparse.Namespace], None] | None = None
    answers_nothing: bool = False
    needs_paths: bool = True
