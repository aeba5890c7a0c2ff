"""A finding in one large sentence: what it says, without what its chart and the line under it say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.answers.common.change_words import RATIO, drawn_change
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.words import n_words
from workbench.measures.catalogue import MEASURES

# The interval and the count of runs stand in the chart and under it; the baseline's name needs no brackets there.
_SAID_ELSEWHERE = re.compile(
    r" \[[^\]]*\]| \(range [^)]*\)| \(n = [^)]*\)|, n (?:= \d+(?: against \d+)?|from 1 to several)(?: each)?"
    r"|, no uncertainty available| \(\S+\s\S+ does\)| in a single run"
)
# Both figures stand in the chart: a sentence that is too long for three lines of a card leaves them out.
_BOTH, _ROOM = re.compile(r": [^:]*(?::\d\d[^:]*)? against [^:]*(?::\d\d[^:]*)?$"), 88
_LEAD = re.compile(
    r"^(?:In (?:a single run|two runs)(?: each)?|With (?:a single run|two runs) on one side|By single runs), "
)
# Characters of the private area stand for names while the sentence is cut.
_FIRST_STAND_IN = 0xE000
_NUMBER = re.compile(r"\d[\d\u2009\u202f.,]*(?<=\d)[\u2009\u202f](?:%|pp|GB|MB|GiB|ms|s|min|h)(?!\w)")


def headline(finding: Finding) -> str:
    """The sentence in few words; one that the user wrote stays as it is."""
    if finding.edited or finding.own:
        return finding.text
    names = sorted({*names_in(finding), finding.phase} - {""}, key=len, reverse=True)
    text = finding.text
    for place, name in enumerate(names):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", chr(_FIRST_STAND_IN + place), text)
    text = _LEAD.sub("", _SAID_ELSEWHERE.sub("", text)).split("; ")[0]
    text = re.sub(r"from (\S+) \(([^()]*)\) to", r"from \1 with \2 to", text)
    if len(_with_names(text, names)) > _ROOM:
        text = _BOTH.sub("", text)
    text = _with_names(text, names)
    return text[:1].upper() + text[1:]


def names_in(finding: Finding) -> list[str]:
    """The names of configurations that the sentence may say, the longest first: what is in a name is none of our words
    and numbers."""
    about = finding.about
    sides = () if about is None else (*about.configurations, *((about.baseline,) if about.baseline else ()))
    names = {finding.configuration, finding.baseline, *(side.label for side in sides)}
    return sorted(names - {""}, key=len, reverse=True)


def _with_names(text: str, names: Sequence[str]) -> str:
    for place, name in enumerate(names):
        text = text.replace(chr(_FIRST_STAND_IN + place), name)
    return text


def number_in(finding: Finding, sentence: str) -> str:
    """The number of the sentence that counts: that of the change where it stands there, else the first with a unit."""
    numbers: list[str] = _NUMBER.findall(sentence)
    unit = MEASURES[finding.figure].change_unit if finding.figure in MEASURES else RATIO
    change = finding.change or finding.drawn
    if change is not None and numbers:
        size = abs(drawn_change(change, unit)[0])
        return min(numbers, key=lambda words: abs(_value(words) - size))
    return numbers[0] if numbers else ""


def foot_words(finding: Finding, *, singles_said: bool = False) -> str:
    """`strong · 1 caveat · n = 3`; what is said of all findings together (`singles_said`) is left out."""
    said = singles_said and finding.strength is Strength.SINGLE
    caveats = f"{len(finding.caveats)} caveat{'s' * (len(finding.caveats) != 1)}" if finding.caveats else ""
    runs = f"{len(finding.runs)} run{'s' * (len(finding.runs) != 1)}" if finding.runs else ""
    change = finding.change or finding.drawn
    count = n_words(change) if change is not None else runs
    parts = ("" if said else finding.strength.value, "running" * finding.running, "edited" * finding.edited, caveats)
    return " · ".join(filter(None, (*parts, count)))


def _value(words: str) -> float:
    digits = re.sub(r"[^\d.,]", "", words).replace(",", ".")
    return float(digits) if digits.count(".") < 2 else 0.0
