"""Writes docs/commands.md from the options that the commands declare: uv run python docs/tools/commands.py"""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.console.commands import commands, parser
from workbench.gui.shell.start import parser as window_parser

PAGE = Path(__file__).parents[1] / "commands.md"
HEAD = """# Commands

`vdiwb` is the command line. `vdi-workbench` opens the window.

**PATH** is a result folder, a zip, a file, a workspace file (`.vdiwb`, with your edits) or a bundle (`.vdibundle`).

**Output.** On a terminal, a wide table is split into several blocks. In a pipe or a file, tables are not split.
[JSON](json.md) lists the keys of `--format json`.

**Files that options name** must be regular files. Devices, pipes and folders are rejected. The files have size limits:

| file | limit |
|---|---|
| run.toml, limits.toml, `--limits` | 64 KB |
| `--constants`, `--models` | 1 MB |
| `settings.json`, `mappings.json` | 64 MB |
| workspace file, template, logo, saved reply | 256 MB. A logo above 5 MB is omitted, with a message |

| exit status | meaning |
|---|---|
| 0 | the command was successful |
| 1 | the command was successful, but some files were not imported. Standard error names these files |
| 2 | the command line is invalid, or `vdiwb check` cannot read a limit. A message states the reason, and nothing is written |
| 3 | no file was recognised |
| 4 | a check failed (only `vdiwb check`), even if some files were not imported |
| 130 | the command was stopped with Ctrl+C |
"""


# An option that only a few commands lack is listed once for all commands.
FEW = 3
TABLE = "| option | what it does |\n|---|---|\n"


def page() -> str:
    """The page for the commands as they are now."""
    whole = parser(())
    (listed,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    rows = {command.name: options(listed.choices[command.name]) for command in commands()}
    shared = lacking(rows)
    parts = [HEAD, "\n## Options of most commands\n", "| option | what it does | commands |\n|---|---|---|"]
    parts[-1] += "".join(f"\n{row} {with_commands(without)} |" for row, without in shared.items()) + "\n"
    for command in commands():
        own = [row for row in rows[command.name] if row not in shared]
        parts += [f"\n## vdiwb {command.name}\n", f"{listed.choices[command.name].description}\n"]
        parts += [f"```console\n{command.example}\n```\n", TABLE + "\n".join(own) + "\n" if own else ""]
    parts += ["\n## vdi-workbench\n", "Opens the window.\n", TABLE + "\n".join(options(window_parser())) + "\n"]
    return "\n".join(parts)


def lacking(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    """The options that most commands have, each with the commands that lack it."""
    every = dict.fromkeys(row for own in rows.values() for row in own)
    found = {row: [name for name, own in rows.items() if row not in own] for row in every}
    return {row: without for row, without in found.items() if len(without) < FEW}


def with_commands(without: list[str]) -> str:
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
        required = "; required" if action.option_strings and action.required else ""
        lines.append(f"| `{name}` | {text.replace('|', chr(92) + '|').replace('<', '&lt;')}{required} |")
    return lines


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
