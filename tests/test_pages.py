"""Tables replace earlier ones in the docs, and the text around them stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import put_between

BEGIN, END = "<!-- begin -->", "<!-- end -->"


def test_that_only_text_between_the_marks_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before \\1\n{BEGIN}\n\nold\n\n{END}\nafter\n", encoding="utf-8")
    for body in ("| new \\g<0> |\n", "| newer |\n"):
        put_between(page, BEGIN, END, body)
        assert page.read_text("utf-8") == f"before \\1\n{BEGIN}\n\n{body}\n{END}\nafter\n"


@pytest.mark.parametrize("text", ["", f"{BEGIN}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{BEGIN}\n{END}\n"])
def test_that_a_page_without_its_marks_is_rejected_and_unchanged(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"page\.md does not have the marks"):
        put_between(page, BEGIN, END, "new\n")
    assert page.read_text("utf-8") == text
