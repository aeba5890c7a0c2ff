"""The commands of `vdiwb` in the order of `--help`, their options, and their parser. Fast to import."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from workbench import __version__
from workbench.answers import registry
from workbench.answers.common.options import path_of, result_path
from workbench.answers.common.spec import Command, Lazy
from workbench.console.anonymising import anonymise_options
from workbench.study.importing.engines import LOCAL, SCHEME
from workbench.words.translated import LANGUAGES

_SCALES = (0.25, 8.0)
_SIDES = (200, 10_000)


def _only(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    low, high = _SIDES
    if not (cross and all(side.isdigit() and low <= int(side) <= high for side in (width, height))):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1600x900 (each {low} to {high})")
    return int(width), int(height)


def _scale(text: str) -> float:
    low, high = _SCALES
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"'{text}' is not a scale. Enter a number from {low:g} to {high:g}.")
    return value


def export_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `vdiwb export` to the parser."""
    add = parser.add_argument
    add(
        "-o",
        "--output",
        dest="outputs",
        type=path_of,
        action="append",
        required=True,
        metavar="FILE",
        help="file to write (.xlsx .pptx .html .pdf .md .csv .parquet .png .svg); repeatable",
    )
    add(
        "--only",
        type=_only,
        default=(),
        metavar="PAGES",
        help="parts to export, separated by commas, such as overview,cache:sweep",
    )
    add("--phase", metavar="PHASE", help="phase to show (default: steady)")
    add(
        "--baseline",
        metavar="CONFIGURATION",
        help="configuration to use as the baseline (default: baseline of the study)",
    )
    add("--title", metavar="TEXT", help="title of the document (default: name of the study)")
    add("--customer", metavar="TEXT", help="customer on the cover, '' for none (default: from Preferences)")
    add("--author", metavar="TEXT", help="author on the cover, '' for none (default: from Preferences)")
    add("--logo", type=path_of, metavar="FILE", help="image for the cover, .png or .jpg (default: from Preferences)")
    add("--template", type=path_of, metavar="FILE", help="template to fill: .xlsx, .xlsm or .pptx")
    add(
        "--length",
        choices=("brief", "review", "full"),
        default="review",
        help="amount of detail in a document (default: review)",
    )
    add(
        "--language",
        choices=tuple(LANGUAGES),
        help="language of the exported document (default: language of VDI Workbench)",
    )
    add("--each-study", action="store_true", help="write a separate workbook (.xlsx) for each study")
    add("--theme", choices=("light", "dark"), default="light", help="colour theme (default: light)")
    add(
        "--size",
        type=_size,
        default=(1600, 900),
        metavar="WxH",
        help="width and height of images in pixels (default: 1600x900)",
    )
    add("--verbose", action="store_true", help="list all omitted or shortened parts, with reasons")
    add("--scale", type=_scale, default=1.0, metavar="N", help="scale factor for images, such as 2 (default: 1)")
    parser.set_defaults(state=None, painter=None, names=None)


_COMPARED = "one or two workspace files, or two summaries (.json)"
# The first questions of a user; the others follow in the order of the sidebar.
_FIRST = ("inspect", "summary", "findings", "compare")


def _import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", type=path_of, required=True, metavar="DIR", help="folder for the imported data (column store)"
    )
    parser.add_argument(
        "--engine",
        default=LOCAL,
        type=_engine,
        metavar="ENGINE",
        help=f"import engine: {LOCAL} or {SCHEME}HOST:PORT (default: {LOCAL})",
    )


def _engine(text: str) -> str:
    host, _, port = text.removeprefix(SCHEME).rpartition(":")
    if text == LOCAL or (text.startswith(SCHEME) and host and port.isdigit()):
        return text
    raise argparse.ArgumentTypeError(f"'{text}' is not a supported engine. Choose {LOCAL} or {SCHEME}HOST:PORT.")


CHANGES = Command(
    "changes",
    "list values changed since the workspace file was saved",
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
    "import results in advance, so VDI Workbench opens them faster",
    "vdiwb import sample_data --store store",
    Lazy("workbench.console.running", "stored"),
    (),
    options=_import_options,
)


def commands() -> tuple[Command, ...]:
    """Every command: first the questions, then `changes`, then those that write files."""
    named = {command.name: command for command in registry.COMMANDS}
    others = (command for command in registry.COMMANDS if command.name not in _FIRST)
    return (*(named[name] for name in _FIRST), *others, CHANGES, EXPORT, IMPORT)


_NAMES = frozenset(command.name for command in commands())


class _Parser(argparse.ArgumentParser):
    """A parser that explains how to pass a file name with a leading dash, or where the options of the command are
    listed, if that was the error."""

    given: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        taken_for_options = [word for word in self.given if word.startswith("-") and os.path.lexists(word)]
        if taken_for_options:
            message += f" (for the file or folder of that name write ./{taken_for_options[0]})"
        elif message.startswith("unrecognized") and (name := next(filter(_NAMES.__contains__, self.given), "")):
            message = message.replace("unrecognized arguments", "unknown arguments", 1)
            message += f". To list the options, use 'vdiwb {name} --help'."
        super().error(message)


def parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser for the whole command line `given`, with a subparser per command."""
    whole = _Parser(
        prog="vdiwb",
        formatter_class=partial(argparse.HelpFormatter, max_help_position=18),
        description="Analyse the boot, logon and steady-state phases of virtual-desktop tests.",
        epilog="example: vdiwb summary sample_data. 'vdiwb COMMAND --help' explains a command. "
        "Exit status: 0 success; 1 some files were not imported; 2 wrong usage; 3 nothing recognised; "
        "4 a limit check failed.",
    )
    whole.add_argument("--version", action="version", version=f"vdiwb {__version__}", help="show the version and exit")
    listed: argparse._SubParsersAction[argparse.ArgumentParser]
    listed = whole.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    for subparser in (whole, *(_add(listed, command) for command in commands())):
        vars(subparser)["given"] = given
    return whole


def _add(listed: argparse._SubParsersAction[argparse.ArgumentParser], command: Command) -> argparse.ArgumentParser:
    """The subparser of the command, with its paths, formats and options."""
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
        help=_COMPARED if command is CHANGES else "result folders, archives, files, a workspace file or a bundle",
    )
    if command.formats:
        own.add_argument("--format", choices=command.formats, default="table", help="output format (default: table)")
    if command.options is not None:
        command.options(own)
    # An import prints no names. The output of `changes` comes from saved values, whose names were never replaced.
    if command not in (IMPORT, CHANGES):
        anonymise_options(own)
    own.set_defaults(command=command)
    return own
