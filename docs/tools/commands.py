"""Writes docs/commands.md from the options that the commands declare: uv run python docs/tools/commands.py"""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.console.commands import commands, parser
from workbench.gui.shell.start import parser as window_parser

PAGE = Path(__file__).parents[1] / "commands.md"
HEAD = """# Commands

`vdiwb` is the command line. `vdi-workbench` opens the window.

**PATH** is a result folder, a zip archive, a file, a workspace file (`.vdiwb`) or a bundle (`.vdibundle`). Workspace
files and bundles also contain your edits.

**Wide tables** are split into several blocks in a terminal. Tables that are written to a pipe or file are not split.

**JSON**: the [JSON](json.md) page lists the keys of `--format json`.

## Size limits of files

A file that you name in an option must be a regular file. VDI Workbench rejects devices, pipes and folders.

| file | maximum size |
|---|---|
| run.toml, limits.toml, and the file for `--limits` | 64 KB |
| the files for `--constants` and `--models` | 1 MB |
| `settings.json` and `mappings.json` | 64 MB |
| workspace file, template, and saved JSON output from `vdiwb summary` | 256 MB |
| logo | 5 MB. A larger logo is not used, and a message is shown. Files larger than 256 MB are rejected |

## Exit status

| exit status | meaning |
|---|---|
| 0 | The command was successful. |
| 1 | The command was successful, but some files were not imported. A message on standard error lists these files. |
| 2 | The command line is invalid, or `vdiwb check` cannot read a limit. A message states the reason. No file is written. |
| 3 | No file was recognised. |
| 4 | At least one check failed in `vdiwb check`. Some files may also not have been imported. |
| 130 | You stopped the command with Ctrl+C. |
"""


# An option that only a few commands lack is listed once for all commands.
FEW = 3
TABLE = "| option | effect or value |\n|---|---|\n"


def page() -> str:
    """The page for the commands as they are now."""
    whole = parser(())
    (listed,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    rows = {command.name: options(listed.choices[command.name]) for command in commands()}
    shared = lacking(rows)
    parts = [
        HEAD,
        "\n## Options of most commands\n",
        "| option | effect or value | commands |\n|---|---|---|",
    ]
    parts[-1] += "".join(f"\n{row} {with_commands(without)} |" for row, without in shared.items()) + "\n"
    for command in commands():
        own = [row for row in rows[command.name] if row not in shared]
        parts += [f"\n## vdiwb {command.name}\n", f"{listed.choices[command.name].description}\n"]
        parts += [f"```console\n{command.example}\n```\n", TABLE + "\n".join(own) + "\n" if own else ""]
    parts += ["\n## vdi-workbench\n", "Open the window.\n", TABLE + "\n".join(options(window_parser())) + "\n"]
    return "\n".join(parts)


def lacking(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    """The options that most commands have, each with the commands that lack it."""
    every = dict.fromkeys(row for own in rows.values() for row in own)
    found = {row: [name for name, own in rows.items() if row not in own] for row in every}
    return {row: without for row, without in found.items() if len(without) < FEW}


def with_commands(without: list[str]) -> str:
    """The commands that have an option."""
    return f"all except {' and '.join(f'`{name}`' for name in without)}" if without else "all"


def options(own: argparse.ArgumentParser) -> list[str]:
    """The options of one command as rows of a Markdown table."""
    formatter = own._get_formatter()
    lines = []
    for action in own._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        name = formatter._format_action_invocation(action).replace("|", "\\|")
        text = formatter._expand_help(action) if action.help else ""
        required = " Required." if action.option_strings and action.required else ""
        lines.append(f"| `{name}` | {in_sentences(text).replace('|', chr(92) + '|').replace('<', '&lt;')}{required} |")
    return lines


def in_sentences(text: str) -> str:
    """The help of an option as sentences: what it does, that it may be repeated, and its default."""
    text, _, default = text.removesuffix(")").partition(" (default: ") if " (default: " in text else (text, "", "")
    several = text.endswith("; repeatable")
    text = text.removesuffix("; repeatable")
    text = text[:1].upper() + text[1:]
    repeated = " You can use this option several times." if several else ""
    return f"{text}.{repeated}" + (f" Default: {default}." if default else "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
