"""The word limits of pages: caption, footers, method and signs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.samples import sample
from workbench.answers.common.spec import GLYPHS, PageSpec
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.session.state import State
from workbench.words.captions import MOST_IN_FOOTER, MOST_WORDS, captioned, few, named_lines, short_lines, word_count

STUDIES = (
    "rds-mcsio-cache-sweep",
    "vdi-login-storm",
    "windows-11-builds",
    "windows-7-mcs-and-pvs",
    "xenapp-pvs-ram-cache",
)
MOST_IN_SIGN, MOST_SIGNS = 8, 6
MOST_IN_QUESTION, MOST_IN_TIP, MOST_IF_EMPTY = 9, 20, 20
# It quotes names of configurations.
NAMING = "No prediction is possible for "
# A source is quoted unchanged.
QUOTED = ("Published advice",)
DOCS = Path(__file__).parents[2] / "docs"


@cache
def contents(key: str) -> tuple[tuple[str, Content], ...]:
    """Every view of a page, for each study of the sample."""
    library = sample(*STUDIES)
    return tuple(_contents(next(spec for spec in PAGES if spec.key == key), library))


def _contents(spec: PageSpec, library: object) -> Iterator[tuple[str, Content]]:
    for study in library.with_runs:  # type: ignore[attr-defined]
        for view, _ in spec.views or (("", ""),):
            state = State(study=study.folder, page=spec.key)
            asked = state.with_page_view(spec.key, view) if view else state
            yield f"{study.name}, {view}", spec.answer(library, asked)  # type: ignore[arg-type]


def longer(texts: Iterator[tuple[str, str]], most: int) -> list[str]:
    return [f"{place}: {text}" for place, text in texts if word_count(text) > most]


KEYS = [spec.key for spec in PAGES]


@pytest.mark.parametrize("key", KEYS)
def test_that_a_caption_has_at_most_twelve_words(key: str) -> None:
    def captions() -> Iterator[tuple[str, str]]:
        for place, content in contents(key):
            # The reason for an empty page is a message, and may be longer.
            if content.figure is not None and content.figure.empty:
                continue
            yield place, content.caption
            yield place, content.lead.caption if content.lead is not None else ""
            yield place, content.figure.caption if content.figure is not None else ""

    assert longer(captions(), MOST_WORDS) == []


@pytest.mark.parametrize("key", KEYS)
def test_that_a_question_has_at_most_nine_words(key: str) -> None:
    questions = ((place, content.question) for place, content in contents(key) if content.question.endswith("?"))
    assert longer(questions, MOST_IN_QUESTION) == []


@pytest.mark.parametrize("key", KEYS)
def test_that_the_message_of_an_empty_page_has_at_most_twenty_words(key: str) -> None:
    messages = ((place, content.empty) for place, content in contents(key) if not content.empty.startswith(NAMING))
    assert longer(messages, MOST_IF_EMPTY) == []


@pytest.mark.parametrize("key", KEYS)
def test_that_a_tip_has_at_most_twenty_words(key: str) -> None:
    """The definitions of metrics on Overview and the sources of measured values are quoted in full."""

    def tips() -> Iterator[tuple[str, str]]:
        for place, content in contents(key):
            columns = (column for table in content.tables for column in table.columns if key != "overview")
            yield from ((place, column.tip) for column in columns)
            yield from ((place, one.tip) for one in content.inputs if one.origin != "measured")

    assert longer(tips(), MOST_IN_TIP) == []


@pytest.mark.parametrize("key", KEYS)
def test_that_a_footer_has_at_most_eight_words(key: str) -> None:
    footers = ((place, table.legend) for place, content in contents(key) for table in content.tables)
    assert longer(footers, MOST_IN_FOOTER) == []


@pytest.mark.parametrize("key", KEYS)
def test_that_a_line_of_the_method_has_at_most_twelve_words(key: str) -> None:
    lines = ((place, line) for place, content in contents(key) for line in content.whole_method)
    assert [text for text in longer(lines, MOST_WORDS) if not any(words in text for words in QUOTED)] == []


@pytest.mark.parametrize("key", KEYS)
def test_that_no_line_chains_facts_with_dots_or_explains_the_mouse(key: str) -> None:
    for place, content in contents(key):
        told = [content.caption, *(table.legend for table in content.tables), *content.whole_method]
        assert [text for text in told if text.count(" · ") > 1] == [], place
        footers = [content.caption, *(table.legend for table in content.tables)]
        assert [text for text in footers if "click" in text.casefold()] == [], place


@pytest.mark.parametrize("spec", PAGES, ids=KEYS)
def test_that_every_view_explains_itself_in_at_most_six_short_lines(spec: PageSpec) -> None:
    views = [view for view, _ in spec.views] or [""]
    assert set(spec.reading) == set(views)
    for signs in spec.reading.values():
        assert 1 <= len(signs) <= MOST_SIGNS
        assert longer(iter((sign.glyph, sign.words) for sign in signs), MOST_IN_SIGN) == []
        assert all(sign.glyph in GLYPHS or len(sign.glyph) <= 4 for sign in signs)


@pytest.mark.parametrize("spec", PAGES, ids=KEYS)
def test_that_the_linked_page_of_the_docs_exists_with_its_heading(spec: PageSpec) -> None:
    name, _, anchor = spec.docs.partition("#")
    text = (DOCS / name).read_text("utf-8")
    slugs = {
        "-".join("".join(c for c in line.lstrip("# ").lower() if c.isalnum() or c in " -").split())
        for line in text.splitlines()
        if line.startswith("#")
    }
    assert not anchor or anchor in slugs, sorted(slugs)


def test_that_facts_that_do_not_fit_move_to_the_method_in_order() -> None:
    assert captioned(("a b", "", "c d", "e f"), ("m",), 4) == ("a b. c d", ("e f", "m"))
    assert captioned(("a b c d e", "f"), (), 3) == ("a b c d e", ("f",)), "the first fact is always there"
    assert captioned((), ("m", "")) == ("", ("m",))


def test_that_long_texts_are_wrapped_at_the_end_of_a_clause() -> None:
    text = "one two three four five six seven: eight nine ten eleven twelve thirteen, fourteen."
    assert list(short_lines(text)) == [
        "one two three four five six seven:",
        "eight nine ten eleven twelve thirteen, fourteen",
    ]
    names = ["one two three", "four five six", "seven eight nine"]
    lines = list(named_lines("Not here", [*names, *names]))
    assert len(lines) == 2
    assert all(line.startswith("Not here: one two three") or word_count(line) <= MOST_WORDS for line in lines)
    assert few(["a", "b, c", "d"]) == "a, 'b, c' and d"
