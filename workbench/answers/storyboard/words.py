"""The user's sentence of a slide: the text is the user's, the numbers are those of the finding."""

from __future__ import annotations

import re
from dataclasses import replace

from workbench.answers.common.storyboard import LONGEST, SlideWords, StorySlide
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.edits import renamed
from workbench.answers.findings.words import headline, names_in
from workbench.model.edits import About

_NUMBER = (
    r"(?<![\w.,\-/])[+−]?\d[\d\u2009\u202f.,:]*(?<=\d)"
    r"(?:[\u2009\u202f\u00a0 ](?:%|pp|GB|MB|GiB|ms|s|min|h|seconds)(?!\w))?(?!\w)"
)
_PLACE = re.compile(r"\{(\d{1,3})\}")


def numbers_of(finding: Finding, sentence: str) -> list[str]:
    """The numbers of a sentence with their units, in their order; numbers inside names do not count."""
    return [match[0] for match in _parts(finding).finditer(sentence) if match["name"] is None]


def pattern_of(finding: Finding, sentence: str) -> str:
    """The sentence without its numbers and names: two sentences of one pattern say the same about other figures."""
    return _parts(finding).sub(lambda match: "#" if match["name"] is None else "@", sentence)


def as_template(finding: Finding) -> str:
    """The generated sentence with `{1}`, `{2}` in the places of its numbers."""
    count = iter(range(1, 1000))
    return _parts(finding).sub(lambda m: f"{{{next(count)}}}" if m["name"] is None else m[0], headline(finding))


def with_words(slide: StorySlide, finding: Finding, typed: str) -> StorySlide:
    """The slide with a sentence as the user typed it.

    Numbers of the generated sentence in it, written out or as `{1}`, follow the data. An empty or the generated
    sentence removes the user's words.
    """
    text = " ".join(typed.split())[:LONGEST]
    sentence = headline(finding)
    for place, number in enumerate(numbers_of(finding, sentence), 1):
        # Any kind of blank before the unit.
        spelled = r"\s".join(map(re.escape, number.split()))
        text = re.sub(rf"(?<![\w.,{{]){spelled}(?![\w}}])", f"{{{place}}}", text, count=1)
    if not text or text == as_template(finding):
        return replace(slide, words=None)
    return replace(slide, words=SlideWords(text, pattern_of(finding, sentence)))


def sentence_of(words: SlideWords | None, finding: Finding, then: About | None) -> tuple[str, str]:
    """The sentence of a slide, and a notice if the user's words no longer fit.

    Then the generated sentence is used, because the user's numbers would mean something else. `then` is what the
    finding was about when the words were written.
    """
    sentence = headline(finding)
    if words is None:
        return sentence, ""
    numbers = numbers_of(finding, sentence)
    places = [int(place) for place in _PLACE.findall(words.text)]
    if places and (words.pattern != pattern_of(finding, sentence) or max(places) > len(numbers) or min(places) < 1):
        return sentence, f"The finding has changed, so your text is not shown: {words.text}"
    text = renamed(words.text, then, finding.about)
    return _PLACE.sub(lambda place: numbers[int(place[1]) - 1], text), ""


def _parts(finding: Finding) -> re.Pattern[str]:
    """The names of configurations and the numbers in a sentence."""
    names = names_in(finding)
    named = "|".join(re.escape(name) for name in names)
    return re.compile(rf"(?<!\w)(?P<name>{named or '(?!)'})(?!\w)|{_NUMBER}")
