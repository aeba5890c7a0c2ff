"""Texts in other languages. Fixed texts are in the `.ts` files that translators edit with Qt Linguist; sentences made
from results are patterns with places for their parts (`resources/translations/de.sentences.toml`).
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
# What separates facts, and what separates parts of a sentence that no pattern knows as a whole, the largest first.
_FIRST = ("\n", " · ")
_SEPARATORS = tuple(map(re.compile, (r"((?<!vs)\. )", "(: )", r"( \(|\)$|\)(?=[,.;:]))", "(; )", "(, )")))
# A place; of these names only numbers, with their unit if it is a percentage.
_PLACE = re.compile(r"\{(\w+)\}")
_NUMBERS, _NUMBER = ("n", "m", "k"), r"[-−+]?\d[\d.,\u2009\u202f]*(?:[\u2009\u202f ]?%)?"
# Longer texts are lists of names or numbers.
_LONGEST = 1_500
# The spoken language, and names that are not translated.
_spoken: ContextVar[tuple[str, frozenset[str]]] = ContextVar("spoken", default=(ENGLISH, frozenset()))
# While a sentence is translated, one of these characters replaces each name that its separators would split, and each
# such character of the sentence.
_HIDDEN = re.compile("[\ue000-\uf8ff]")


@functools.cache
def texts_of(language: str) -> dict[str, str]:
    """Translated text by English text, finished translations only; empty for English."""
    if language == ENGLISH:
        return {}
    # Imported here, because `vdiwb --help` lists the languages without loading any.
    from defusedxml import ElementTree

    from workbench.model.resources import resource

    file = resource("translations", f"{language}.ts")
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    translated: dict[str, str] = {}
    for message in root.iter("message"):
        translation = message.find("translation")
        if translation is not None and translation.text and translation.get("type") != "unfinished":
            translated[message.findtext("source", "")] = translation.text
    return translated


@contextmanager
def speaking(language: str, names: frozenset[str] = frozenset()) -> Iterator[None]:
    """Within it, `spoken` translates into this language. `names` stay, even if one equals a fixed text."""
    token = _spoken.set((language, names))
    try:
        yield
    finally:
        _spoken.reset(token)


def speaks_english() -> bool:
    """True if nothing is translated."""
    return _spoken.get()[0] == ENGLISH


def spoken(text: str) -> str:
    """The sentence in the language that is spoken; what no pattern knows stays as it is."""
    language, names = _spoken.get()
    return text if language == ENGLISH else _with_names(text, language, names, words=False)


def spoken_words(text: str) -> str:
    """Like `spoken`, and fixed texts too."""
    language, names = _spoken.get()
    return text if language == ENGLISH else _with_names(text, language, names, words=True)


def _with_names(text: str, language: str, names: frozenset[str], words: bool) -> str:
    """The translated text. Names with a separator in them are hidden meanwhile."""
    pattern = _separable(names)
    if pattern is None or text in names or len(text) > _LONGEST:
        return _said(text, language, names, words)
    found: list[str] = []

    def hidden(match: re.Match[str]) -> str:
        found.append(match.group())
        return chr(0xE000 + len(found) - 1)

    said = _said(pattern.sub(hidden, text), language, names, words)
    return _HIDDEN.sub(lambda match: found[ord(match.group()) - 0xE000], said) if found else said


@functools.lru_cache(maxsize=8)
def _separable(names: frozenset[str]) -> re.Pattern[str] | None:
    """Finds the names that contain a separator of sentences; None if there are none."""
    found = [
        name
        for name in names
        if any(part in name for part in _FIRST) or any(pattern.search(name) for pattern in _SEPARATORS)
    ]
    longest_first = sorted(found, key=lambda name: (-len(name), name))
    names_of = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<!\w)(?:{names_of})(?!\w)|{_HIDDEN.pattern}") if found else None


@functools.lru_cache(maxsize=50_000)
def _said(text: str, language: str, names: frozenset[str], words: bool) -> str:
    if text in names or not 1 < len(text) <= _LONGEST or not any(map(str.isalpha, text)):
        return text
    if words and text in texts_of(language):
        return texts_of(language)[text]
    say = functools.partial(_said, language=language, names=names, words=words)
    for separator in _FIRST:
        if separator in text:
            return separator.join(map(say, text.split(separator)))
    for literal, pattern, translated in _patterns(language):
        if literal in text and (match := pattern.fullmatch(text)) is not None:
            parts = {name: _said(part, language, names, words=True) for name, part in match.groupdict().items()}
            return translated.format_map(parts)
    if text.endswith(".") and (said := say(text[:-1])) != text[:-1]:
        return f"{said}."
    for between in _SEPARATORS:
        pieces = between.split(text)
        if len(pieces) > 1:
            # Every second piece is the separator itself.
            return "".join(_said(piece, language, names, words=True) for piece in pieces)
    return text


@functools.cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """A part without places, the pattern and its translation, in the order of the file."""
    from workbench.model.resources import resource

    file = resource("translations", f"{language}.sentences.toml")
    known: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(
        (max(_PLACE.split(english)[::2], key=len), _compiled(english), german) for english, german in known.items()
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    parts = _PLACE.split(pattern)
    fixed, names = parts[::2], parts[1::2]
    places = [f"(?P<{name}>{_NUMBER if name in _NUMBERS else '.+?'})" for name in names] + [""]
    return re.compile("".join(f"{re.escape(text)}{place}" for text, place in zip(fixed, places, strict=True)))
