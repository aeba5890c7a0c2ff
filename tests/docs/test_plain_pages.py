"""Pages of the docs are easy to read: no paragraph above 90 words, no sentence above 28."""

from __future__ import annotations

import pytest

from tests.docs.pages import PAGES, paragraphs, sentences

# The sentences of these pages come from declarations in the program.
GENERATED = {"docs/commands.md", "docs/json.md", "docs/plausibility.md", "docs/developing/pollution.md"}
PLAIN = [page for page in PAGES if page.startswith(("docs/", "README.md")) and page not in GENERATED]
PARAGRAPH, SENTENCE = 90, 28


def test_that_the_pages_of_the_docs_exist() -> None:
    assert len(PLAIN) > 55
    assert set(PAGES) >= GENERATED


def test_that_words_of_a_paragraph_are_counted_correctly() -> None:
    assert sentences("One idea. `Code` begins a sentence: A colon ends one; a semicolon does not.") == [
        "One idea.",
        "`Code` begins a sentence:",
        "A colon ends one; a semicolon does not.",
    ]


@pytest.mark.parametrize("page", PLAIN)
def test_that_no_paragraph_is_longer_than_90_words(page: str) -> None:
    assert [text for text in paragraphs(page) if len(text.split()) > PARAGRAPH] == []


@pytest.mark.parametrize("page", PLAIN)
def test_that_no_sentence_is_longer_than_28_words(page: str) -> None:
    found = (sentence for text in paragraphs(page) for sentence in sentences(text))
    assert [sentence for sentence in found if len(sentence.split()) > SENTENCE] == []
