"""The tutorial shows the output of its commands: each line of its output blocks is a line of the reply."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.docs.pages import FENCE, ROOT, text_of
from workbench.cli import main

STEPS = re.findall(
    r"^```console\n([^\n]+)\n```\n\n```text\n(.*?)^```$", text_of("docs/how-to/tutorial.md"), re.MULTILINE | re.DOTALL
)


def cells(line: str) -> list[str]:
    """The cells of a printed row, which two blanks or more separate. No-break blanks in a cell become plain ones."""
    return [" ".join(cell.split()) for cell in re.split(r" {2,}", line.strip())]


def holds(row: list[str], printed: list[str]) -> bool:
    """True if a row of the page is the beginning of a printed row; the last cell may be longer."""
    return (
        printed[: len(row) - 1] == row[:-1] and len(printed) >= len(row) and printed[len(row) - 1].startswith(row[-1])
    )


def test_that_the_tutorial_shows_command_output() -> None:
    assert len(STEPS) >= 7
    assert len(FENCE.findall(text_of("docs/how-to/tutorial.md"))) == 2 * len(STEPS) + 1  # The export prints no table.


@pytest.mark.parametrize(("command", "shown"), STEPS, ids=[command for command, _ in STEPS])
def test_that_the_shown_output_equals_that_of_the_command(
    command: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    main(shlex.split(command)[1:])
    printed = [cells(line) for line in capsys.readouterr().out.splitlines() if line.strip()]
    shows = [line for line in shown.splitlines() if line.strip()]
    assert [line for line in shows if not any(holds(cells(line), row) for row in printed)] == []
