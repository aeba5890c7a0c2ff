"""Word limits of options, menus and causes. tests/snapshots has those of pages, tests/answers those of findings."""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator

import pytest

import workbench.gui.shell.main_window  # noqa: F401  It registers the commands of the window.
from tests.wording.texts import ROOT
from workbench.console.commands import parser
from workbench.gui.services.actions import ACTIONS
from workbench.gui.shell.start import parser as window_parser

# A file type in a list is not a word.
IN_OPTION = r"\s*\(default: .*\)|; repeatable|(?<=\s)\.\w+"
OPTION, CAUSE, COMMAND, USUAL_COMMAND, LONG_COMMANDS = 10, 30, 5, 3, 12


def helps() -> Iterator[str]:
    """The help of every option of the command line and of the window."""
    (listed,) = (one for one in parser(())._actions if isinstance(one, argparse._SubParsersAction))
    for own in (*listed.choices.values(), window_parser()):
        yield from {re.sub(IN_OPTION, "", action.help or "") for action in own._actions}


def test_that_the_help_of_an_option_has_at_most_ten_words() -> None:
    assert sorted({text for text in helps() if len(text.split()) > OPTION}) == []


def test_that_a_command_of_the_window_has_few_words() -> None:
    lengths = {action.words: len(action.words.split()) for action in ACTIONS}
    assert [words for words, length in lengths.items() if length > COMMAND] == []
    assert sum(length > USUAL_COMMAND for length in lengths.values()) <= LONG_COMMANDS


@pytest.mark.parametrize("group", ["needs", "fixed", "notes", "refused"])
def test_that_each_text_of_a_cause_has_at_most_thirty_words(group: str) -> None:
    causes = tomllib.loads((ROOT / "docs" / "troubleshooting.toml").read_text(encoding="utf-8"))[group]
    each = [text for texts in causes.values() for text in ([texts] if isinstance(texts, str) else texts)]
    assert [text for text in each if len(text.split()) > CAUSE] == []
