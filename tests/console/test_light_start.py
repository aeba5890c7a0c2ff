"""The console starts fast: help, the version and a usage error import none of the large libraries."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from workbench.console.commands import commands

LARGE = {
    "numpy",
    "polars",
    "scipy",
    "rich",
    "msgspec",
    "pebble",
    "openpyxl",
    "pptx",
    "PySide6",
    "multiprocessing",
    "pathlib",
}
_RUN = """
import json, sys
from workbench.vdiwb import main
try:
    sys.exit(main())
finally:
    print(json.dumps(sorted(name for name in sys.modules if "." not in name)), file=sys.stderr)
"""


def loaded(*arguments: str) -> tuple[int, set[str]]:
    """The exit status, and the top-level modules that are loaded at the end."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    # Python may print a message about the exit after the modules.
    said = next(line for line in done.stderr.splitlines() if line.startswith('["'))
    return done.returncode, set(json.loads(said))


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--help"], 0),
        (["--version"], 0),
        ([], 2),
        (["nonsense", "x"], 2),
        (["summary"], 2),
        (["summary", "x", "--format", "xml"], 2),
        (["import", "x"], 2),
        (["cache", "x", "--desktops", "0"], 2),
    ],
)
def test_that_commands_without_files_load_no_large_library(arguments: list[str], status: int) -> None:
    ended, modules = loaded(*arguments)
    assert ended == status
    assert modules & LARGE == set()


@pytest.mark.parametrize("name", [command.name for command in commands()])
def test_that_the_help_of_a_command_loads_no_large_library(name: str) -> None:
    ended, modules = loaded(name, "--help")
    assert ended == 0
    assert modules & LARGE == set()


def test_that_commands_that_compute_load_the_large_libraries() -> None:
    _, modules = loaded("summary", "no-such-folder")
    assert {"numpy", "msgspec"} <= modules
