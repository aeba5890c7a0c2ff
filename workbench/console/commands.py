"""The commands of `vdiwb`, in the order that `--help` lists them, and their parser. Light to import."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from workbench import __version__
from workbench.answers import registry
from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import path_of, result_path
from workbench.console.anonymising import anonymise_options
from workbench.console.export_options import export_options
from workbench.study.importing.engines import LOCAL, SCHEME

# What a reader of results asks first; the other questions follow in the order of the rail.
_FIRST = ("inspect", "summary", "findings", "compare")


def _import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", type=path_of, required=True, metavar="DIR", help="folder of the column store")
    parser.add_argument(
        "--engine",
        default=LOCAL,
        type=_engine,
        metavar="ENGINE",
        help=f"this machine ({LOCAL}) or a Dask cluster ({SCHEME}HOST:PORT) (default: {LOCAL})",
    )


def _engine(text: str) -> str:
    host, _, port = text.removeprefix(SCHEME).rpartition(":")
    if text == LOCAL or (text.startswith(SCHEME) and host and port.isdigit()):
        return text
    raise argparse.ArgumentTypeError(f"'{text}' is not an engine; choose {LOCAL} or {SCHEME}HOST:PORT")


CHANGES = Command(
    "changes",
    "list changes since a workspace file was saved, with causes",
    "vdiwb changes review.vdiwb",
    Lazy("workbench.console.changes", "changes"),
)
EXPORT = Command(
    "export",
    "export findings, tables and charts to a file",
    "vdiwb export sample_data -o findings.xlsx",
    Lazy("workbench.console.export", "write"),
    (),
    options=export_options,
    check=Lazy("workbench.console.export", "check"),
)
IMPORT = Command(
    "import",
    "import into a column store that the window can open",
    "vdiwb import sample_data --store store",
    Lazy("workbench.console.storing", "stored"),
    (),
    options=_import_options,
)


def commands() -> tuple[Command, ...]:
    """Every command: those of the questions, then what moved, and those that write files."""
    named = {command.name: command for command in registry.COMMANDS}
    others = (command for command in registry.COMMANDS if command.name not in _FIRST)
    return (*(named[name] for name in _FIRST), *others, CHANGES, EXPORT, IMPORT)


class _Parser(argparse.ArgumentParser):
    """Says how to name a file that begins with a dash, where that is what went wrong."""

    given: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        taken_for_options = [word for word in self.given if word.startswith("-") and os.path.lexists(word)]
        if taken_for_options:
            message += f" (for the file or folder of that name write ./{taken_for_options[0]})"
        super().error(message)


def parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the whole command line `given`, with one for each command."""
    whole = _Parser(
        prog="vdiwb",
        formatter_class=partial(argparse.HelpFormatter, max_help_position=18),
        description="Virtual desktop test results: boot, logon and steady state on the command line.",
        epilog="example: vdiwb summary sample_data. 'vdiwb COMMAND --help' explains a command. "
        "Exit status: 0 success; 1 some files were not imported; 2 wrong usage; 3 nothing recognised; "
        "4 a limit failed (check).",
    )
    whole.add_argument("--version", action="version", version=f"vdiwb {__version__}")
    listed: argparse._SubParsersAction[argparse.ArgumentParser]
    listed = whole.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    for subparser in (whole, *(_add(listed, command) for command in commands())):
        vars(subparser)["given"] = given
    return whole


def _add(listed: argparse._SubParsersAction[argparse.ArgumentParser], command: Command) -> argparse.ArgumentParser:
    """The command's own parser, with its paths, its formats and its options."""
    own = listed.add_parser(
        command.name,
        help=command.text,
        description=command.text[0].upper() + command.text[1:] + ".",
        epilog=f"example: {command.example}",
    )
    own.add_argument(
        "paths",
        nargs="+" if command.needs_paths else "*",
        type=result_path,
        metavar="PATH",
        help="result folders, zips or files; or a workspace file or bundle",
    )
    if command.formats:
        own.add_argument("--format", choices=command.formats, default="table", help="output format (default: table)")
    if command.options is not None:
        command.options(own)
    # An import prints no names; what changed comes from saved figures, whose names were never replaced.
    if command not in (IMPORT, CHANGES):
        anonymise_options(own)
    own.set_defaults(command=command)
    return own
