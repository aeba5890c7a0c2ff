"""Writes docs/commands.md from the options that the commands declare: uv run python docs/tools/commands.py"""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.console.commands import commands, parser
from workbench.gui.shell.start import parser as window_parser

PAGE = Path(__file__).parents[1] / "commands.md"
HEAD = """# Commands

This page lists all commands and options. `vdiwb` is the command line. `vdi-workbench` opens the window. `uv run python
docs/tools/commands.py` writes this page from the declared options.

**PATH** is a result folder, a zip, a file, a workspace file (`.vdiwb`, with your edits) or a bundle (`.vdibundle`).

**Output.** A terminal shows a wide table in several blocks. A pipe or a file gets the whole table. [JSON](json.md) lists the
keys of `--format json`.

**Files as options** must be regular files. A device, a pipe or a folder is rejected. These are the size limits:

| file | limit |
|---|---|
| `--constants`, `--models`, `--limits`, run.toml | 1 MB |
| settings, column mappings | 64 MB |
| workspace file, template, logo, saved reply | 256 MB. A logo above 5 MB is omitted, with a message |

| exit status | meaning |
|---|---|
| 0 | success |
| 1 | done, but some files were not imported. Standard error names these files |
| 2 | the command line is invalid. A message gives the reason, and nothing is written. For `vdiwb check`: a limit cannot be read |
| 3 | nothing was recognised |
| 4 | `vdiwb check`: a limit failed. 4 takes precedence over 1 |
| 130 | the command was stopped with Ctrl+C |
"""


def page() -> str:
    """The page as the commands are declared today."""
    whole = parser(())
    (listed,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    parts = [HEAD]
    for command in commands():
        own = listed.choices[command.name]
        parts += [f"\n## vdiwb {command.name}\n", f"{own.description}\n", f"```console\n{command.example}\n```\n"]
        parts.append(options(own))
    window = window_parser()
    parts += ["\n## vdi-workbench\n", "Opens the window.\n", options(window)]
    return "\n".join(parts)


def options(own: argparse.ArgumentParser) -> str:
    """The options of one command as a Markdown table."""
    formatter = own._get_formatter()
    lines = ["| option | what it does |", "|---|---|"]
    for action in own._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        name = formatter._format_action_invocation(action).replace("|", "\\|")
        text = formatter._expand_help(action) if action.help else ""
        required = "; required" if action.option_strings and action.required else ""
        lines.append(f"| `{name}` | {text.replace('|', chr(92) + '|').replace('<', '&lt;')}{required} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
