"""Manual pages and completions of both programs, made from their command lines."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from workbench.console.commands import parser as console_parser
from workbench.gui.shell.start import parser as window_parser


@dataclass(frozen=True)
class Option:
    """One option: its names, the name of its value (empty without a value), its choices and its description."""

    names: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Command:
    """A program or a command of `vdiwb`: its name, description, options and example."""

    name: str
    text: str
    usage: str
    options: tuple[Option, ...]
    example: str = ""
    commands: tuple[Command, ...] = ()


def programs() -> tuple[Command, Command]:
    """Both programs, `vdiwb` with its commands."""
    console, window = console_parser([]), window_parser()
    (listed,) = (action for action in console._actions if isinstance(action, argparse._SubParsersAction))
    commands = tuple(_command(name, own) for name, own in listed.choices.items())
    return _command("vdiwb", console, commands), _command("vdi-workbench", window)


def _command(name: str, own: argparse.ArgumentParser, commands: tuple[Command, ...] = ()) -> Command:
    usage = " ".join(own.format_usage().removeprefix("usage: ").split())
    options = tuple(_option(action) for action in own._actions if action.option_strings)
    return Command(name, own.description or "", usage, options, own.epilog or "", commands)


def _option(action: argparse.Action) -> Option:
    choices = tuple(map(str, action.choices or ()))
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    text = (action.help or "") % {**vars(action), "prog": ""}
    return Option(tuple(action.option_strings), value, choices, text)


def manual(program: Command, version: str) -> str:
    """The program's manual page, in the macros of man(7)."""
    lines = [
        f'.TH {program.name.upper()} 1 "" "VDI Workbench {version}" "VDI Workbench"',
        ".SH NAME",
        f"{_roff(program.name)} \\- {_roff(program.text.rstrip('.'))}",
        # A long list of choices cannot be justified within a line.
        ".ad l",
        ".SH SYNOPSIS",
        _roff(program.usage),
        ".SH OPTIONS",
        *_manual_options(program.options),
    ]
    if program.commands:
        lines += [".SH COMMANDS"]
    for command in program.commands:
        lines += [f'.SS "{_roff(command.usage)}"', _roff(command.text), *_manual_options(command.options)]
        lines += [".PP", _roff(command.example)]
    lines += [".SH NOTES", _roff(program.example)]
    return "\n".join(lines) + "\n"


def _manual_options(options: tuple[Option, ...]) -> list[str]:
    lines = []
    for option in options:
        value = f" {_roff(_shown_value(option))}" if option.value else ""
        lines += [".TP", f"\\fB{_roff(', '.join(option.names))}\\fR{value}", _roff(option.text)]
    return lines


def _shown_value(option: Option) -> str:
    return "{" + ",".join(option.choices) + "}" if option.choices else option.value


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def bash(console: Command, window: Command) -> str:
    """Completion for bash, of both programs."""
    cases = "\n".join(f'        {c.name}) words="{_words(c)}" ;;' for c in console.commands)
    return f"""# bash completion of vdiwb and vdi-workbench
_vdiwb() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{" ".join(c.name for c in console.commands)} {_words(console)}" -- "$word"))
        return
    fi
    case "${{COMP_WORDS[1]}} $before" in
{_bash_values(console)}
    esac
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}}
_vdi_workbench() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}"
    COMPREPLY=()
    case "${{COMP_WORDS[COMP_CWORD - 1]}}" in
{_bash_choices(window, "")}
    esac
    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "{_words(window)}" -- "$word")); fi
}}
# Where nothing is offered bash completes paths, also those with spaces.
complete -o default -F _vdiwb vdiwb
complete -o default -F _vdi_workbench vdi-workbench
"""


def _words(command: Command) -> str:
    return " ".join(name for option in command.options for name in option.names)


def _bash_values(console: Command) -> str:
    return "\n".join(filter(None, (_bash_choices(command, f"{command.name} ") for command in console.commands)))


def _bash_choices(command: Command, before: str) -> str:
    lines = []
    for option in command.options:
        if option.choices:
            names = "|".join(f'"{before}{name}"' for name in option.names)
            reply = f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word")); return'
            lines.append(f"        {names}) {reply} ;;")
    return "\n".join(lines)


def zsh(console: Command, window: Command) -> str:
    """Completion for zsh, of both programs."""
    named = "\n".join(f"        {_quoted(f'{c.name}:{c.text}')}" for c in console.commands)
    cases = "\n".join(f"        {c.name}) _arguments {_zsh_options(c)} '*:path:_files' ;;" for c in console.commands)
    return f"""#compdef vdiwb vdi-workbench
# zsh completion of vdiwb and vdi-workbench
if [[ $service == vdi-workbench ]]; then
    _arguments {_zsh_options(window)} '*:path:_files'
elif (( CURRENT == 2 )); then
    local -a commands
    commands=(
{named}
    )
    _describe command commands
    _arguments {_zsh_options(console)}
else
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{cases}
    esac
fi
"""


def _zsh_options(command: Command) -> str:
    return " ".join(_quoted(_zsh_option(option, name)) for option in command.options for name in option.names)


def _zsh_option(option: Option, name: str) -> str:
    text = re.sub(r"([\[\]:])", r"\\\1", option.text)
    values = f"({' '.join(option.choices)})" if option.choices else "_files"
    return f"{name}[{text}]" + (f":{option.value.lower()}:{values}" if option.value else "")


def fish(console: Command, window: Command) -> str:
    """Completion for fish, of both programs."""
    lines = ["# fish completion of vdiwb and vdi-workbench"]
    for command in console.commands:
        lines.append(f"complete -c vdiwb -n __fish_use_subcommand -f -a {command.name} -d {_fish_quoted(command.text)}")
        lines += _fish_options("vdiwb", f"-n '__fish_seen_subcommand_from {command.name}' ", command)
    lines += _fish_options("vdiwb", "-n __fish_use_subcommand ", console)
    return "\n".join([*lines, *_fish_options("vdi-workbench", "", window)]) + "\n"


def _fish_options(program: str, condition: str, command: Command) -> list[str]:
    lines = []
    for option in command.options:
        names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
        values = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" if option.value else ""
        lines.append(f"complete -c {program} {condition}{names}{values} -d {_fish_quoted(option.text)}")
    return lines


def powershell(console: Command, window: Command) -> str:
    """Completion for PowerShell, of both programs: commands and options; paths complete as usual."""
    table = "\n".join(f"    {_ps(c.name)} = @({', '.join(map(_ps, _words(c).split()))})" for c in console.commands)
    first = ", ".join(map(_ps, [*(c.name for c in console.commands), *_words(console).split()]))
    return f"""# PowerShell completion of vdiwb and vdi-workbench
$vdiwbOptions = @{{
{table}
}}
Register-ArgumentCompleter -Native -CommandName vdiwb -ScriptBlock {{
    param($word, $line, $position)
    $words = @($line.CommandElements | ForEach-Object {{ $_.ToString() }})
    $offered = if ($words.Count -gt 1 -and $vdiwbOptions.ContainsKey($words[1])) {{ $vdiwbOptions[$words[1]] }}
        else {{ @({first}) }}
    $offered | Where-Object {{ $_ -like "$word*" }}
}}
Register-ArgumentCompleter -Native -CommandName vdi-workbench -ScriptBlock {{
    param($word, $line, $position)
    @({", ".join(map(_ps, _words(window).split()))}) | Where-Object {{ $_ -like "$word*" }}
}}
"""


def _quoted(text: str) -> str:
    """The text in zsh quotes, with inner quotes escaped."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _ps(text: str) -> str:
    return f"'{text}'"


def write(folder: Path, version: str) -> list[Path]:
    """Writes all files below `folder` and returns their paths."""
    console, window = programs()
    texts = {
        "man1/vdiwb.1": manual(console, version),
        "man1/vdi-workbench.1": manual(window, version),
        "completions/vdiwb.bash": bash(console, window),
        "completions/_vdiwb": zsh(console, window),
        "completions/vdiwb.fish": fish(console, window),
        "completions/vdiwb.ps1": powershell(console, window),
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in texts]


if __name__ == "__main__":
    from workbench import __version__

    write(Path(sys.argv[1]), __version__)
