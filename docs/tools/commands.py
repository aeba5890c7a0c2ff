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

**Output.** On a terminal, a wide table is split into several blocks. In a pipe or a file, it is not split.
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
| 0 | success |
| 1 | the command was successful, but some files were not imported. Standard error names these files |
| 2 | the command line is invalid, or `vdiwb check` cannot read a limit. A message states the reason, and nothing is written |
| 3 | no file was recognised |
| 4 | a limit failed (only `vdiwb check`), even if some files were not imported |
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
