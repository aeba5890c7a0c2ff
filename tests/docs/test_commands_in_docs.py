"""Each block of commands in the docs is run on the sample; each command in a sentence has the options that it names."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from tests.docs.pages import PAGES, ROOT, blocks, prose
from workbench.answers.common.spec import LIMIT_FAILED
from workbench.cli import main
from workbench.console.commands import parser
from workbench.gui.shell.start import parser as window_parser

# Languages of blocks that no test runs.
NOT_RUN = {
    "bash": "installs the program or the tools of developers; CI runs the command of the tests out of the README",
    "powershell": "installs the program on Windows",
    "bat": "runs on the desktops that are measured",
    "text": "shows a form, not a command",
    "python": "shows a function",
    "toml": "shows a file",
    "csv": "shows a file",
    "json": "shows a file",
}
# Commands in executed blocks that cannot be run here.
EXCEPTIONS = {
    "vdiwb changes review.vdiwb": "needs a workspace file of yours; tests/console/test_changes.py runs it",
    "vdiwb trend lab/april --history history": "needs next month's results; tests/answers/trend/test_keep.py runs it",
    "uv run python sample_data/generate.py": "writes the sample again; tests/sample_data runs the generator",
}
# Slow commands that differ from a tested line only in the folder.
LONG = {
    "vdiwb export sample_data -o findings.xlsx",
    "vdiwb export sample_data/rds-mcsio-cache-sweep -o findings.xlsx",
}
LINES = sorted(
    {
        line.strip()
        for block in blocks()
        if block.language == "console"
        for line in block.text.splitlines()
        if line.strip()
    }
)
COMMAND = re.compile(r"`((?:vdiwb|vdi-workbench) [^`]+)`")


def excepted(line: str) -> bool:
    return any(line.startswith(exception) for exception in EXCEPTIONS)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with two templates."""
    folder = tmp_path_factory.mktemp("desk")
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "{{table:overview:Phase table}}"
    book.save(folder / "template.xlsx")
    shutil.copy(ROOT / "resources" / "deck.pptx", folder / "template.pptx")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("SETTINGS", "JOURNALS"):
            patch.setenv(f"VDI_WORKBENCH_{name}", str(folder / ".kept" / name))
        yield folder


def test_that_every_code_block_has_a_kind() -> None:
    unknown = [(block.page, block.language) for block in blocks() if block.language not in {"console", *NOT_RUN}]
    assert unknown == []


def test_that_every_listed_exception_still_occurs_in_the_docs() -> None:
    assert [text for text in EXCEPTIONS if not any(line.startswith(text) for line in LINES)] == []
    assert set(LINES) >= LONG


@pytest.mark.parametrize(
    "line",
    [pytest.param(line, marks=pytest.mark.slow) if line in LONG else line for line in LINES if not excepted(line)],
)
def test_that_a_command_of_the_docs_runs(line: str, desk: Path) -> None:
    program, *words = shlex.split(line)
    # The path of the sample that other tests use, so it is not imported again.
    arguments = [str(ROOT / word) if word.split("/")[0] == "sample_data" else word for word in words]
    if program == "vdi-workbench":
        command = [sys.executable, "-m", "workbench.gui.shell.start", *arguments]
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=120, check=False)
        assert done.returncode == 0
    else:
        assert program == "vdiwb"
        # The damaged studies contain files that are rejected on purpose; other tests open them.
        # A limit of the sample is exceeded on purpose.
        assert main(arguments) == (LIMIT_FAILED if arguments[0] == "check" else 0)
    written = [
        arguments[at + 1] for at, word in enumerate(arguments) if word in ("-o", "--screenshot", "--key", "--store")
    ]
    assert [name for name in written if not (desk / name).exists()] == []


def commands_in_sentences() -> list[tuple[str, str]]:
    """Page and command of each command in a sentence; `\\|` in tables is `|`."""
    return sorted(
        {
            (page, " ".join(found.replace("\\|", "|").split()))
            for page in PAGES
            for found in COMMAND.findall(prose(page))
        }
    )


def options_of(line: str) -> tuple[set[str], argparse.ArgumentParser]:
    """The options in a line, and the parser that must accept them."""
    words = line.split()
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line))
    if words[0] == "vdi-workbench":
        return named, window_parser()
    whole = parser(())
    if words[1].startswith("-"):
        return named, whole
    (listed,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    assert words[1] in listed.choices, line
    return named, listed.choices[words[1]]


@pytest.mark.parametrize(("page", "line"), commands_in_sentences())
def test_that_a_command_in_a_sentence_exists_with_its_options(page: str, line: str) -> None:
    if line.split()[1] in ("…", "COMMAND") or "generate.py" in line:
        return
    named, known = options_of(line)
    assert named <= set(known._option_string_actions), page
