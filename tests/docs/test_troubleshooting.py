"""docs/troubleshooting.md has an entry for each cause of the import report, and names its button."""

from __future__ import annotations

import runpy
from typing import Any

import pytest

from tests.docs.pages import ROOT, text_of
from workbench.gui.pages.cause_words import button_words
from workbench.model.problem import Cause, CauseGroup


@pytest.fixture(scope="module")
def generator() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "tools" / "troubleshooting.py"))


def test_that_the_page_matches_the_declared_causes(generator: dict[str, Any]) -> None:
    assert text_of("docs/troubleshooting.md") == generator["page"](), "run: uv run python docs/tools/troubleshooting.py"


@pytest.mark.parametrize(
    ("group", "tables"), [("needs", ("needs",)), ("fixed", ("fixed",)), ("others", ("notes", "refused"))]
)
def test_that_each_cause_has_its_texts_and_no_unused_text_exists(
    group: str, tables: tuple[str, ...], generator: dict[str, Any]
) -> None:
    causes, texts = generator["loaded"]()
    assert sorted(code for table in tables for code in texts[table]) == sorted(causes[group])


def test_that_a_cause_that_needs_the_user_has_an_action_and_a_step(generator: dict[str, Any]) -> None:
    _, texts = generator["loaded"]()
    assert [code for code, (_, done, to_do) in texts["needs"].items() if not (done and to_do)] == []
    assert [code for table in ("fixed", "notes", "refused") for code, text in texts[table].items() if not text] == []


def test_that_the_buttons_match_those_of_the_window(generator: dict[str, Any]) -> None:
    for mending, words in generator["BUTTONS"].items():
        cause = Cause("", CauseGroup.NEEDS_YOU, "", "", (), 1, "files", mending=mending)
        assert button_words(cause) == words
