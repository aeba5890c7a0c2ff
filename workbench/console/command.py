"""A console command: its name, what it says of itself, and the function that answers."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from workbench.model.run import Study

Answer = Callable[[argparse.Namespace, tuple[Study, ...]], str]
Options = Callable[[argparse.ArgumentParser], None]


class UsageError(Exception):
    """A sentence for the user: what they asked for cannot be done as asked (exit status 2)."""


@dataclass(frozen=True, slots=True)
class Command:
    """`run` returns the text to print; it may raise `UsageError`. `formats` are the choices of --format
    (none: no such option), `options` adds the command's own; `check` may raise `UsageError` before any file
    is read; `answers_nothing` runs the command even when nothing was recognised."""

    name: str
    text: str
    example: str
    run: Answer
    formats: tuple[str, ...] = ()
    options: Options | None = None
    check: Callable[[argparse.Namespace], None] | None = None
    answers_nothing: bool = False


def add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], command: Command
) -> argparse.ArgumentParser:
    """The command's own parser, with its paths, its formats and its options."""
    parser = commands.add_parser(
        command.name,
        help=command.text,
        description=command.text[0].upper() + command.text[1:] + ".",
        epilog=f"example: {command.example}",
    )
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="folders, zips, files; a session or a bundle"
    )
    if command.formats:
        parser.add_argument("--format", choices=command.formats, default="table", help="default: table")
    if command.options is not None:
        command.options(parser)
    parser.set_defaults(command=command)
    return parser
