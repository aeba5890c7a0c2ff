"""The registry of pages and commands; the window starts without loading them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workbench.answers.common.library import Library
from workbench.answers.common.spec import PageSpec, Spec
from workbench.answers.overview.page import overview
from workbench.answers.registry import COMMANDS, PAGES, register
from workbench.model.resources import resource
from workbench.session.state import State

_LOADED = """
import sys
import workbench.gui.shell.app
from workbench.answers.registry import PAGES, load_pages
loaded = lambda: [page.key for page in PAGES if page.question.module in sys.modules]
assert not loaded(), loaded()
of_pages = ("prepare.chosen", "prepare.kit.contents", "limits.tables", "trend.chosen")
early = [name for name in ("http.client", "workbench.exporters.job", *(f"workbench.answers.{of}" for of in of_pages))]
assert not (found := [name for name in early if name in sys.modules]), found
load_pages()
assert loaded() == [page.key for page in PAGES], loaded()
"""


def test_that_the_window_starts_without_the_page_modules_and_loads_them_later() -> None:
    done = subprocess.run([sys.executable, "-c", _LOADED], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_that_a_repeated_page_key_or_command_name_is_rejected() -> None:
    pages, commands = list(PAGES), list(COMMANDS)
    with pytest.raises(ValueError, match="page 'cache'"):
        register(Spec(PageSpec("cache", "Mine", overview)))
    with pytest.raises(ValueError, match="command 'summary'"):
        register(Spec(PageSpec("mine", "Mine", overview), COMMANDS[:1]))
    assert (list(PAGES), list(COMMANDS)) == (pages, commands)


def test_that_every_page_has_an_icon() -> None:
    assert [page.key for page in PAGES if not resource("icons", f"{page.icon or page.key}.svg").is_file()] == []


def test_that_an_empty_overview_is_the_same_without_its_module() -> None:
    quick, whole = PAGES[0].answer(Library(), State()), overview(Library(), State())
    assert quick.nothing_open
    assert (quick.question, quick.empty) == (whole.question, whole.empty)
    assert whole.nothing_open
