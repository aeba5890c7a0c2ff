"""The window in other languages, from the `.ts` files that translators edit with Qt Linguist.

`resources/translations/<language>.ts` is in Qt Linguist's format with one context, `workbench`. The source text is the
complete English text in the code. `tr` looks up fixed texts itself: compiled `.qm` files would have to be kept next to
their source, and a Qt translator written in Python is not safe. Sentences built from results (a card's note, a finding)
are translated as in documents, by the patterns in `<language>.sentences.toml`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QKeySequence

from workbench.charts.content import Content
from workbench.charts.inputs import Input
from workbench.charts.tables import TableData
from workbench.exporters.document.document import Slide
from workbench.model.run import Study
from workbench.words.captions import has_words
from workbench.words.translated import ENGLISH, LANGUAGES, now_spoken, speaking, speaks_english, spoken_words, texts_of

CONTEXT = "workbench"
# Qt's texts and those of the application.
_installed: list[QTranslator] = []
_texts: dict[str, str] = {}
# The language with the names that stay, empty for English.
_spoken: list[tuple[str, frozenset[str]]] = []


def tr(text: str) -> str:
    """A fixed text in the window's language, or in that of the document being written, with key names of this
    system."""
    texts = _texts if speaks_english() else texts_of(now_spoken()[0])
    return native_keys(texts.get(text, text))


def keep_names(studies: Sequence[Study]) -> None:
    """Keeps the names in these studies untranslated in every language from now on."""
    if _spoken:
        from workbench.exporters.names import kept_names

        _spoken[:] = [(_spoken[0][0], kept_names(studies))]


def in_window_language(content: Content) -> Content:
    """The content of a page in the window's language."""
    if not _spoken:
        return content
    from workbench.exporters.document.language import page_in_language

    with speaking(*_spoken[0]):
        return page_in_language(content)


def tables_in_window_language(tables: tuple[TableData, ...]) -> tuple[TableData, ...]:
    """Tables of a dialog in the window's language."""
    return in_window_language(Content("", tables=tables)).tables


def slide_in_window_language(slide: Slide) -> Slide:
    """A slide in the window's language."""
    if not _spoken:
        return slide
    from workbench.exporters.document.language import in_language

    with speaking(*_spoken[0]):
        return in_language(slide)


def said(text: str) -> str:
    """A text made from results (a sentence, the title of a column) in the window's language. In a document, which
    another process writes, it is in the language of the document."""
    if not _spoken:
        return spoken_words(text)
    with speaking(*_spoken[0]):
        return native_keys(spoken_words(text))


def input_name(shown: Input) -> str:
    """The label of an input with its unit for screen readers, without a unit that the label already contains."""
    label, unit = said(shown.label), said(shown.unit)
    return label if not unit or has_words(label, unit) else f"{label} ({unit})"


def tr_line(text: str) -> str:
    """Translates the parts of a line between commas or dots; of a count, its noun: `strong, 1 caveat`."""
    return "".join(part if part in (", ", " · ") else _counted(part) for part in re.split("(, | · )", text))


def _counted(part: str) -> str:
    count, _, noun = part.partition(" ")
    return f"{count} {tr(noun)}" if count.isdigit() else tr(part)


def key_words(shortcut: str) -> str:
    """Keys named as on keyboards of the language, with spaces between: `Ctrl+K` is `Strg K` in German."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")


def install(language: str) -> None:
    """Sets the language of the application from now on. Texts already shown do not change.

    An unknown language means English. Qt's own texts (file dialogs, standard buttons) follow if Qt has them.
    """
    for translator in _installed:
        QCoreApplication.removeTranslator(translator)
    _installed.clear()
    _texts.clear()
    _spoken.clear()
    if language == ENGLISH or language not in LANGUAGES:
        return
    own = QTranslator()
    if own.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        _installed.append(own)
        QCoreApplication.installTranslator(own)
    _texts.update(texts_of(language))
    _spoken.append((language, frozenset()))


def language_of(stated: str) -> str:
    """The language to use: the given one, otherwise that of the system if it is known, otherwise English."""
    language = stated or QLocale.system().name().partition("_")[0]
    return language if language in LANGUAGES else ENGLISH


_MAC = sys.platform == "darwin"
# In the order of macOS. Qt's Ctrl is the command key there.
_SIGNS = {"Alt": "⌥", "Shift": "⇧", "Umschalt": "⇧", "Ctrl": "⌘", "Strg": "⌘"}
_KEYS = {"Enter": "↩", "Return": "↩", "Eingabe": "↩", "Left": "←", "Links": "←", "Right": "→", "Rechts": "→"}
_MODIFIER = "|".join(_SIGNS)
_COMBINED = re.compile(rf"\b((?:(?:{_MODIFIER})\+)+)(\w+|[^\w\s])")


def native_keys(text: str) -> str:
    """The text with key combinations written as on this system; unchanged on Windows and Linux."""
    return _COMBINED.sub(_as_on_macos, text) if _MAC and "+" in text else text


def _as_on_macos(match: re.Match[str]) -> str:
    held = match[1].rstrip("+").split("+")
    signs = "".join(dict.fromkeys(sign for name, sign in _SIGNS.items() if name in held))
    return signs + _KEYS.get(match[2], match[2])
