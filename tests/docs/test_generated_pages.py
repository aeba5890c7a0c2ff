"""Generated pages of the docs match the program."""

from __future__ import annotations

import runpy
import sys
from typing import Any

import pytest

from tests.docs.pages import ROOT
from tests.replies import faults, keys_of, schema, schema_file
from workbench.session.preferences import as_markdown

DOCS = ROOT / "docs"
# Columns of CSV and plain rows that are not in JSON, and the formats of a reply besides JSON.
ONLY_ROWS = {
    *("apps_started_s", "junit", "logon_start", "of", "outcome", "session_end", "shows", "state", "sweep", "to_raw"),
    *("user", "vms_stated"),
}


@pytest.fixture(scope="module")
def generator() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(DOCS / "tools"), *sys.path])
        return runpy.run_path(str(DOCS / "tools" / "schemas.py"))


def test_that_the_page_of_commands_has_the_current_options() -> None:
    page = runpy.run_path(str(DOCS / "tools" / "commands.py"))["page"]()
    assert (DOCS / "commands.md").read_text("utf-8") == page, "run: uv run python docs/tools/commands.py"


def test_that_the_page_of_preferences_matches_their_declaration() -> None:
    assert (DOCS / "preferences.md").read_text("utf-8") == as_markdown(), "run: uv run python docs/tools/preferences.py"


def test_that_the_page_of_json_lists_the_keys_of_the_schemas(generator: dict[str, Any]) -> None:
    texts = {name: schema_file(name).read_text("utf-8") for name in generator["REPLIES"]}
    assert (DOCS / "json.md").read_text("utf-8") == generator["page"](texts), "run: uv run python docs/tools/schemas.py"


@pytest.mark.parametrize(
    "name", ["summary", "findings", "compare", "cache", "benchmarks", "sizing", "storyboard", "logons"]
)
def test_that_a_reply_follows_its_schema(name: str, generator: dict[str, Any]) -> None:
    for line in generator["REPLIES"][name]:
        assert faults(generator["reply"](line), schema(name)) == [], f"{line}: run: uv run python docs/tools/schemas.py"


def test_that_every_written_key_is_in_a_schema(generator: dict[str, Any]) -> None:
    known = {key for name in generator["REPLIES"] for key in keys_of(schema(name))}
    written = set(generator["declared"].keys())
    assert sorted(written - known - ONLY_ROWS) == [], "complete docs/tools/schemas.py, then: uv run python docs/tools/schemas.py"
    assert sorted(ONLY_ROWS - written) == []


@pytest.mark.slow
def test_that_every_schema_matches_the_output_of_its_command(generator: dict[str, Any]) -> None:
    for name, text in generator["schemas"]().items():
        assert schema_file(name).read_text("utf-8") == text, "run: uv run python docs/tools/schemas.py"
