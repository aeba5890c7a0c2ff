"""The displayed texts of the sample study equal the reviewed ones."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.samples import shared_store
from tests.snapshots.shown import SAMPLE, stored, taken

STORED = stored()
# A longer list of differences is not read.
MOST_LINES = 60
ADVICE = "If this is meant, run 'uv run python -m tests.snapshots' and review the change with git diff."


@pytest.fixture(scope="module")
def shown() -> dict[str, str]:
    return taken(shared_store())


def differences(before: str, now: str) -> str:
    """The lines that differ, removed ones with − and new ones with +, shortened if there are many."""
    lines = list(unified_diff(before.splitlines(), now.splitlines(), "reviewed", "shown now", lineterm="", n=1))
    more = [f"… and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return "\n".join([*lines[:MOST_LINES], *more])


@pytest.mark.parametrize("name", sorted(STORED))
def test_that_shown_texts_equal_the_reviewed_snapshots(shown: dict[str, str], name: str) -> None:
    assert name in shown, f"Nothing is shown as {name} any more. {ADVICE}"
    told = differences(STORED[name], shown[name])
    if told:
        pytest.fail(f"{name} is shown differently:\n{told}\n{ADVICE}", pytrace=False)


def test_that_every_page_and_command_has_a_snapshot(shown: dict[str, str]) -> None:
    assert sorted(shown) == sorted(STORED), ADVICE


def test_that_snapshots_contain_no_local_path(shown: dict[str, str]) -> None:
    assert [name for name, text in shown.items() if str(SAMPLE.parent) in text or "/tmp/" in text] == []


def test_that_a_difference_lists_its_lines() -> None:
    assert differences("a\nb\nc\nd\n", "a\nb\nC\nd\n").splitlines()[3:] == [" b", "-c", "+C", " d"]
    assert differences("a\n", "a\n") == ""
    many = differences("\n".join(map(str, range(500))), "")
    assert len(many.splitlines()) == MOST_LINES + 1
