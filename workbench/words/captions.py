"""Captions: one short line under a question or a table. Text that does not fit becomes a line of the method."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from workbench.model.problem import begun, few_named

MOST_WORDS = 12
"""The most words of a caption, and of each line of a method."""
MOST_IN_FOOTER = 8
"""The most words of the line under a table."""
FEW = 2
"""The most names in a caption."""
# The most lines of a tooltip before the number of further ones.
_MOST_LINES = 3
# A name without spaces and signs.
_BARE = re.compile(r"[^\W_]*")
# Two small letters in a row: a word like `Clean` or `pilot`. An abbreviation has at most one.
_WORD = re.compile(r"[^\W\d_]*[a-zß-öø-ÿ]{2}[^\W\d_]*")


def word_count(text: str) -> int:
    """Number of words in the text. A number and its unit are one word, because a thin space joins them."""
    return len([word for word in text.split(" ") if word])


def captioned(facts: Iterable[str], method: Iterable[str] = (), most: int = 0) -> tuple[str, tuple[str, ...]]:
    """A caption of the first fact, and the method with the other facts in front. The line under a table has further
    facts as long as they fit into `most` words. A caption does not end with a colon or comma. Empty facts are
    ignored."""
    known = [fact for fact in facts if fact]
    count = 1
    while count < len(known) and word_count(" ".join(known[: count + 1])) <= most:
        count += 1
    caption = ". ".join(fact.rstrip(".") for fact in known[:count]).rstrip(",;:")
    return caption, (*known[count:], *(line for line in method if line))


def named_lines(head: str, names: Sequence[str]) -> Iterator[str]:
    """Text like `head: a, b`, in as many lines as needed for at most `MOST_WORDS` words each. A line that continues on
    the next one ends with a comma."""
    line = f"{head}:"
    for number, name in enumerate(names):
        if number and word_count(f"{line}, {name}") > MOST_WORDS:
            yield f"{line},"
            line = name
        else:
            line = f"{line}, {name}" if number else f"{line} {name}"
    if names:
        yield line


def short_lines(text: str) -> Iterator[str]:
    """The text in lines of at most `MOST_WORDS` words, broken at the end of clauses; a longer clause is not broken. A
    line that continues on the next one keeps its comma or colon."""
    line = ""
    for clause in re.split(r"(?<=[.;,:]) ", text):
        if line and word_count(f"{line} {clause}") > MOST_WORDS:
            yield line.removesuffix(".")
            line = ""
        line = f"{line} {clause}".strip()
    if line:
        yield line.removesuffix(".")


def whole_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines with those of `short_lines` that continue on the next one joined again."""
    whole: list[str] = []
    for line in lines:
        if whole and whole[-1].endswith((",", ":", ";")):
            whole[-1] += f" {line}"
        else:
            whole.append(line)
    return tuple(whole)


def definitions(lines: Sequence[str]) -> tuple[str, ...]:
    """The whole lines as sentences, one for each item of a list: together they make a long paragraph."""
    return tuple(as_sentences((line,)) for line in whole_lines(lines))


def named(name: str) -> str:
    """The name for the middle of a sentence: in quotes if it contains a space or a sign, or could be a word of the
    sentence. Abbreviations need none, such as `MCS`."""
    return name if _BARE.fullmatch(name) and not _WORD.fullmatch(name) else f"'{name}'"


def has_words(text: str, words: str) -> bool:
    """True if a text contains these whole words, in any case."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None


def first_lines(lines: Sequence[str], noun: str) -> str:
    """The first three lines of a tooltip, and a line with the number of further ones. `noun` names a line. Four lines
    are shown whole."""
    left = len(lines) - _MOST_LINES
    return "\n".join(lines if left <= 1 else (*lines[:_MOST_LINES], f"{left} more {noun}s"))


def few(names: Sequence[str], most: int = FEW) -> str:
    """Text like `a, b and 3 more`: the first names, each as `named` writes it."""
    return few_named([named(name) for name in names], most)


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """The text with a capital and a full stop if it has several sentences."""
    return as_sentences((begun(text),)) if ". " in text.replace("vs. ", "") else text


def as_sentences(lines: Sequence[str]) -> str:
    """The lines as one text; each line that is a sentence gets a full stop. Empty lines are ignored."""
    return " ".join(line if line.endswith((".", "!", "?", ",", ";", ":")) else f"{line}." for line in lines if line)
