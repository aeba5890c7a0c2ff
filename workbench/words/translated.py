"""Texts in other languages. Fixed texts are in the `.ts` files that translators edit with Qt Linguist; sentences made
from results are patterns with placeholders for their parts (`resources/translations/de.sentences.toml`).
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from workbench.words.numbers import marked

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
# The separators of facts, and the separators of the parts of a sentence that no pattern matches as a whole, the largest
# first.
_FIRST = ("\n", " · ")
# A name may end with `vs`, such as `mcs-and-pvs`.
_SENTENCE = re.compile(r"((?<!(?<![\w-])vs)(?<!Avg)\. |(?<=\?) |(?<=\?') (?=[A-Z]))")
# The semicolon of an interval, `[0,12; 0,31]`, is not one.
_OUTSIDE = r"(?![^][]*\])"
_SEPARATORS = tuple(
    map(re.compile, ("(: )", r"( [×÷+−] )", r"( \(|\)$|\)(?=[,.;:]))", f"(; ){_OUTSIDE}", "(, )", r"(√?\(+|\)+)"))
)
# The most pieces, sentences and their ends, at the beginning of a text that one pattern may match.
_MOST_PIECES = 7
_BREAKS = (_SENTENCE, re.compile(": "), re.compile(f"; {_OUTSIDE}"))
# A placeholder. Placeholders with these names match only numbers, with their unit after a thin space or a percent sign.
_PLACE = re.compile(r"\{(\w+)\}")
_NUMBERS, _NUMBER = (
    ("n", "m", "k"),
    r"[-−+±]?\d(?:[\d.,]|[\u2009\u202f](?=\d))*(?:[\u2009\u202f ]?%|[\u2009\u202f][^\W\d]+)?",
)
# Numbers as messages of readers have them, `12,345.6`, and lists of them; a German text has them as pages do.
_PLACES, _LISTED = "places", re.compile(r"\d[\d,]*\d")
_COUNTS, _COUNT = ("z", "z2", "z3"), r"[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
_WORD_END = re.compile("[ :;,()]")
_WORD = re.compile(r"\w+")
# A placeholder with this prefix gets the definite article, if `the …` is translated.
_ARTICLE = "the_"
# A placeholder with this prefix has its list in the dative, `von A und 3 weiteren`, by the text for `of 3 more`.
_DATIVE, _OF = "dative_", "of "
# A placeholder with this prefix begins a sentence within its sentence: its text has a capital.
_BEGUN = "begun_"
# A list of names: all are names of the study, or words with a digit, such as names of VMs.
_AND, _MEMBERS, _ONE_WORD = " and ", re.compile(", | and "), re.compile(r"\S*\d\S*")
# Placeholders for a name that is not translated, and for a list of such names with `and` or `3 more` at its end.
_KEPT, _LIST, _MORE = "kept_", "list", re.compile(r"\d[\d,]* more")
# A placeholder for a list of VMs or sessions with their times, `u0 on W10-000 at 08:00`, and its words.
_STAYS, _STAY, _IN_STAYS = (
    "stays",
    re.compile(r"(?<= )(?:on|at)(?= )|\bsession(?= \d)"),
    {"de": {"on": "auf", "at": "um", "session": "Sitzung"}},
)
# A placeholder at the end that matches all following text, over several sentences.
_OPEN_END = "text"
# A last place, alone or in brackets.
_ENDS = ("}", "})")
# A place for an amount has no comma outside of an interval: that separates facts.
_SIZE, _AMOUNT = "size", r"(?:\[[^]]*\]|(?!, ).)+?"
# A quoted name, and how a language quotes it. A sheet of a workbook, `'A'!B2`, stays.
_QUOTED, _QUOTES = re.compile(r"(?<!\w)'([^'\n]+)'(?![\w!])|“([^“”\n]+)”"), {"de": r"„\1\2“"}
_TWICE = re.compile(r"(„|“)\1")
# A time with its date in a sentence: `um` is only for the time.
_DATED = {
    "de": [
        (re.compile(rf"\b{at} (\d{{4}}-\d\d-\d\d) (?=\d\d:)"), rf"{on} \1 um ")
        for at, on in (("um", "am"), ("Um", "Am"))
    ]
}
# Percentage points after a number: how a language writes them in a short text, and in a sentence.
_POINTS, _LONG = re.compile(r"(?<=[\d\]][\u2009\u202f\xa0 ])pp\b"), 4
_POINT_WORDS = {"de": ("%-Punkte", "Prozentpunkte")}
# Longer texts are lists of names or numbers.
_LONGEST = 5_000
# A number and its unit in a German compound have hyphens: `95-%-Intervall`; `+13,0 %-Punkte` is not one.
_COMPOUND = re.compile(r"(?<=\d)[\u2009\u202f ]%(?=-(?!Punkt)[^\W\d])")
# The current language, and names that are not translated.
_spoken: ContextVar[tuple[str, frozenset[str]]] = ContextVar("spoken", default=(ENGLISH, frozenset()))
# While a sentence is translated, one of these characters replaces each name that its separators would split, and also
# each such character in the sentence.
_HIDDEN = re.compile("[\ue000-\uf8ff]")
# A phase in a sentence has its own preposition, except in a list of phases.
_IN_PHASES = {
    "de": [
        (
            re.compile(rf"\b{before} der Phase {phase}\b(?!-| (?:und|oder) |, (?:Start|Anmeldung|Steady State)\b)"),
            words if before == "in" else first,
        )
        for phase, words, first in (
            ("Steady State", "im Steady State", "Im Steady State"),
            ("Anmeldung", "bei der Anmeldung", "Bei der Anmeldung"),
            ("Start", "beim Start", "Beim Start"),
        )
        for before in ("in", "In")
    ]
}
# After a semicolon, a clause goes on: its first word is small, even if it begins a sentence elsewhere.
_GOES_ON = {"de": [(re.compile(r"(?<=; )Bei(?= )"), "bei")]}
# The least number of words of a sentence in a cell, with and without a sign that ends it; units that begin a text.
_FEW_CELL_WORDS, _SENTENCE_WORDS, _LETTERS = 4, 6, re.compile(r"[^\W\d_]{2,}")
_UNITS = frozenset(("ms", "min", "pp"))


@functools.cache
def texts_of(language: str) -> dict[str, str]:
    """English text -> translated text, finished translations only; empty for English."""
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
    """Within this context, `spoken` translates into this language. `names` stay, even if one equals a fixed text."""
    token = _spoken.set((language, names))
    try:
        yield
    finally:
        _spoken.reset(token)


def speaks_english() -> bool:
    """True if nothing is translated."""
    return _spoken.get()[0] == ENGLISH


def now_spoken() -> tuple[str, frozenset[str]]:
    """The current language and the names that stay, as given to `speaking`."""
    return _spoken.get()


def spoken(text: str) -> str:
    """The sentence in the current language; text without a matching pattern is unchanged."""
    return _quoted(text, words=False)


def spoken_words(text: str) -> str:
    """Like `spoken`, but also translates fixed texts."""
    return _quoted(text, words=True)


def spoken_cell(text: str) -> str:
    """Like `spoken_words`, for a text alone in a cell: a translated sentence begins with a capital."""
    said = spoken_words(text)
    first = _WORD_END.split(said, 1)[0]
    # A name, a unit or a label with a colon stays, and so do few words, such as a state.
    if said == text or said[len(first) : len(first) + 1] != " " or not (first.isalpha() and first.islower()):
        return said
    if len(first) == 1 or first in _UNITS or first == text.partition(" ")[0] or first in _spoken.get()[1]:
        return said
    ends = said.endswith(".") or any(end in said for end in (". ", "; "))
    return _capital(said) if len(_LETTERS.findall(said)) >= (_FEW_CELL_WORDS if ends else _SENTENCE_WORDS) else said


def spoken_name(name: str) -> str:
    """A quoted name with the quotation marks of the current language; the name itself stays."""
    return _QUOTED.sub(_QUOTES.get(_spoken.get()[0], r"\g<0>"), name)


def _quoted(text: str, words: bool) -> str:
    """The translated text with the quotation marks of the language."""
    language, names = _spoken.get()
    if language == ENGLISH:
        return text
    said = _with_points(_with_names(text, language, names, words), language)
    if said == text:
        return said
    for found, instead in (*_DATED.get(language, ()), *_IN_PHASES.get(language, ()), *_GOES_ON.get(language, ())):
        said = found.sub(instead, said)
    # A quoted name in the quotation marks of a pattern has them once.
    return _TWICE.sub(r"\1", spoken_name(said))


def _with_points(said: str, language: str) -> str:
    """The text with percentage points as the language writes them."""
    if " pp" not in said.replace("\u2009", " ") or language not in _POINT_WORDS:
        return said
    words = [word for word in _WORD.findall(said) if len(word) > 2 and word.isalpha()]
    return _POINTS.sub(_POINT_WORDS[language][len(words) >= _LONG], said)


def _with_names(text: str, language: str, names: frozenset[str], words: bool) -> str:
    """The translated text. Names that contain a separator are replaced by placeholders meanwhile."""
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
    """A pattern for the names that contain a separator of sentences; None if there are none."""
    found = [
        name
        for name in names
        if any(part in name for part in (*_FIRST, " and "))
        or any(pattern.search(name) for pattern in (_SENTENCE, *_SEPARATORS))
    ]
    longest_first = sorted(found, key=lambda name: (-len(name), name))
    names_of = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<!\w)(?:{names_of})(?!\w)|{_HIDDEN.pattern}") if found else None


@functools.lru_cache(maxsize=50_000)
def _said(text: str, language: str, names: frozenset[str], words: bool) -> str:
    if text in names or not 1 < len(text) <= _LONGEST or not any(map(str.isalpha, text)):
        return text
    # The blanks around the text, and the bullet of a list item.
    if text != (bare := text.strip(" ").removeprefix("- ")):
        return text.replace(bare, _said(bare, language, names, words))
    fixed, _ = _sentences(language)
    every = (fixed, texts_of(language)) if words else (fixed,)
    for texts in every:
        if (found := texts.get(text)) is not None:
            return found
    if text[0].isupper() and (words or " " in text):
        # At the start of a sentence, a word has a capital.
        for texts in every:
            if (found := texts.get(text[0].lower() + text[1:])) is not None:
                return _capital(found)
    elif words and (found := texts_of(language).get(_capital(text))) is not None:
        # A title within a sentence. German nouns have a capital there, too.
        return found
    say = functools.partial(_said, language=language, names=names, words=words)
    for separator in _FIRST:
        if separator in text:
            return separator.join(map(say, text.split(separator)))
    if text.endswith(".") and (said := say(text[:-1])) != text[:-1]:
        return f"{said}."
    if _AND in text and all(name in names or _ONE_WORD.fullmatch(name) for name in _MEMBERS.split(text)):
        return text.replace(_AND, f" {say('and')} ")
    if (matched := _matched(text, language, names)) is not None:
        return matched
    pieces = _SENTENCE.split(text)
    # A pattern may have several sentences: the longest beginning of the text that has one is translated as a whole.
    for end in range(min(len(pieces) - 2, _MOST_PIECES), 0, -2):
        head, rest = "".join(pieces[:end]), "".join(pieces[end + 1 :])
        if end == 1:
            whole: str | None = _said(head, language, names, words=True)
        else:
            whole = next((texts[head] for texts in every if head in texts), None) or _matched(head, language, names)
        if whole is not None:
            return f"{whole}{pieces[end]}{_begun(_said(rest, language, names, words=True), pieces[end + 1])}"
    for between in _SEPARATORS:
        pieces = between.split(text)
        if len(pieces) > 1:
            # Every second piece is the separator itself.
            return "".join(_said(piece, language, names, words=True) for piece in pieces)
    return text


def _matched(text: str, language: str, names: frozenset[str]) -> str | None:
    """The translation by the first pattern that fits the whole text; None if there is none."""
    patterns = _sentences(language)[1]
    bare = _bare(text)
    breaks = [between for between in _BREAKS if between.search(bare)]
    for place in _candidates(text, language):
        known = patterns[place]
        # A pattern of one sentence or clause does not extend into the next one.
        if (
            known.literal in text
            and (known.open_end or known.reaches.issuperset(breaks))
            and (match := known.pattern.fullmatch(text))
            and known.reaches_to(match, breaks)
        ):
            parts = {
                place: _part(place, match[_plain(place)], language, names) for place in _PLACE.findall(known.german)
            }
            said = _COMPOUND.sub("-%", known.german.format_map(parts))
            first = _PLACE.match(known.german)
            # A name at the start of a sentence stays unchanged; a quantity has a capital there.
            moved = first is not None and parts[first[1]] != match[_plain(first[1])]
            # A sentence may also begin with a quoted name.
            capital = text.lstrip("'")[:1].isupper()
            return _capital(said) if (known.begins or moved) and capital else said
    return None


def _bare(text: str) -> str:
    """The text with only the last character of each quoted name: a separator in a name is not one, but a quoted
    question ends its sentence.
    """
    return _QUOTED.sub(lambda match: match.group()[-2:], text)


def _plain(place: str) -> str:
    """The name of a place without the prefix that a translation adds."""
    return place.removeprefix(_ARTICLE).removeprefix(_DATIVE).removeprefix(_BEGUN)


def _part(place: str, part: str, language: str, names: frozenset[str]) -> str:
    """What is in a place of a pattern, in the language."""
    if place.startswith(_BEGUN):
        return _begun(_part(place.removeprefix(_BEGUN), part, language, names), part)
    of, place = _OF * place.startswith(_DATIVE), place.removeprefix(_DATIVE)
    if place in _COUNTS:
        return marked(part)
    if place == _PLACES:
        return _LISTED.sub(lambda match: marked(match.group()), part)
    if place.startswith(_KEPT) or (place.startswith(_LIST) and part in names):
        return part
    if place == _STAYS:
        in_stays = _IN_STAYS.get(language, {})
        part = _STAY.sub(lambda match: in_stays.get(match.group(), match.group()), part)
    if place.startswith((_LIST, _STAYS)):
        *before, last = part.rsplit(" and ", 1 if ", " in part else -1)
        if ", " in last:
            # The `and` is a part of a name.
            return part
        last = _said(of + marked(last), language, names, True) if _MORE.fullmatch(last) else last
        return f" {_said('and', language, names, True)} ".join([*before, last])
    return (_definite if place.startswith(_ARTICLE) else _said)(part, language, names, True)


def _definite(part: str, language: str, names: frozenset[str], words: bool) -> str:
    """The part with its article (nominative and accusative); without an article if there is no text for it."""
    article = "the "
    # An abbreviation stays in capitals.
    bare = part if part[1:2].isupper() else f"{part[:1].lower()}{part[1:]}"
    said = _said(part if part.lower().startswith(article) else article + bare, language, names, words)
    return _said(part, language, names, words) if said.lower().startswith(article) else said


def _candidates(text: str, language: str) -> list[int]:
    """The indexes of the patterns that the words of the text allow, in the order of the file."""
    places = _places(language)
    return sorted(place for word in {"", *_WORD.findall(text)} for place in places.get(word, ()))


@functools.cache
def _places(language: str) -> dict[str, list[int]]:
    """The indexes of the patterns by their rarest whole word; "" for patterns without one."""
    words = [known.words() for known in _sentences(language)[1]]
    counts = Counter(word for found in words for word in found)
    places: dict[str, list[int]] = {}
    for place, found in enumerate(words):
        places.setdefault(min(found, key=lambda word: counts[word], default=""), []).append(place)
    return places


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _begun(said: str, text: str) -> str:
    """The sentence with a capital at its start, even if the English fragment has none; a name or a file is
    unchanged.
    """
    first, *_ = _WORD_END.split(said)
    return said if not said or first in _WORD_END.split(text) else _capital(said)


@dataclass(frozen=True)
class _Pattern:
    """A sentence with placeholders: a part without placeholders, the English text and its translation.

    `begins`: it begins with a letter, small or capital. It may extend over those of `_BREAKS` that it contains; in its
    last placeholder also over semicolons, and over everything if that is `text`."""

    literal: str
    english: str
    german: str
    begins: bool
    reaches: frozenset[re.Pattern[str]]
    open_end: bool

    @functools.cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the whole sentence. Compiled when needed, because a document uses few of the sentences."""
        parts = _PLACE.split(self.english)
        fixed, names = [re.escape(part) for part in parts[::2]], parts[1::2]
        if self.begins:
            fixed[0] = f"(?i:{fixed[0][0]}){fixed[0][1:]}"
        kinds = dict.fromkeys(_NUMBERS, _NUMBER) | dict.fromkeys(_COUNTS, _COUNT) | {_SIZE: _AMOUNT}
        if self.english.endswith("}") and not self.open_end:
            # The sentences after the pattern are not in its last place.
            kinds.setdefault(names[-1], rf"(?:(?!{_SENTENCE.pattern}).)+?")
        for name, before, after in zip(names, parts[:-1:2], parts[2::2], strict=True):
            if before.endswith("'") and after.startswith("'"):
                # A quoted name ends at the first quotation mark before a space, or before the next name of a list.
                kinds.setdefault(name, r"(?:(?!' |', ').)+?")
        places = [f"(?P<{name}>{kinds.get(name, '.+?')})" for name in names] + [""]
        return re.compile("".join(f"{text}{place}" for text, place in zip(fixed, places, strict=True)))

    def words(self) -> list[str]:
        """The words that are in every matching sentence, without a first word that may have either case."""
        found = _WORD.findall(_PLACE.sub("_", self.english))[self.begins :]
        return [word for word in found if "_" not in word]

    def reaches_to(self, match: re.Match[str], breaks: list[re.Pattern[str]]) -> bool:
        """True if every place has whole pairs of brackets, and the text has no break that the pattern lacks, except
        in a last place that is also the last one of the translation. Other last places do not have the brackets after
        a sentence.
        """
        end = len(match.string)
        if self.english.endswith(_ENDS):
            last, said = _PLACE.findall(self.english)[-1], _PLACE.findall(self.german)[-1:]
            if self.german.endswith(_ENDS) and last == _plain(said[0]):
                end = match.start(last)
            elif match[last].endswith(")"):
                return False
        head = _bare(match.string[:end])
        if any(between.search(head) for between in breaks if not between.search(self.english)):
            return False
        return all(
            part.count("(") == part.count(")") for place, part in match.groupdict().items() if place != _OPEN_END
        )


@functools.cache
def _sentences(language: str) -> tuple[dict[str, str], tuple[_Pattern, ...]]:
    """The sentences without placeholders, and the patterns in the order of the file."""
    from workbench.model.resources import resource

    file = resource("translations", f"{language}.sentences.toml")
    known: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))
    made = {english: _pattern(english, german) for english, german in known.items() if _PLACE.search(english)}
    fixed = {english: german for english, german in known.items() if english not in made}
    return fixed, tuple(made.values())


def _pattern(english: str, german: str) -> _Pattern:
    begins = english[0].islower()
    reaches = [between for between in _BREAKS if between.search(english)] + [_BREAKS[-1]] * english.endswith("}")
    if english.endswith(_ENDS[1]):
        reaches.extend(_BREAKS[1:])
    literal = max(_PLACE.split(english)[::2], key=len)[begins:]
    return _Pattern(literal, english, german, begins, frozenset(reaches), english.endswith(f"{{{_OPEN_END}}}"))
