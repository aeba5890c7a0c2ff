"""Fixed texts in other languages, from the `.ts` files that translators edit with Qt Linguist."""

from __future__ import annotations

import functools

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}


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
