"""The values in the sentence of a finding: its numbers with their units, without the digits in names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

BYTES = "[KMG]i?B"
UNIT = rf"{BYTES}|%|pp|ms|s|min|h|seconds"
_NUMBER = (
    r"(?<![\w.,\-/])[+−]?\d[\d\u2009\u202f.,:]*(?<=\d)"
    rf"(?:[\u2009\u202f\u00a0 ]?{BYTES}(?!\w)|[\u2009\u202f\u00a0 ](?:{UNIT})(?!\w))?(?!\w)"
)
_UNIT = re.compile(rf"\s*({UNIT})$")
_FALLS = re.compile(r"\b(?:cuts|reduces|lowers|decreases|shortens|falls|lower|less time)\b")
_RISES = re.compile(r"\b(?:raises|increases|prolongs|lengthens|rises|higher|longer)\b")


def parts_of(names: Sequence[str]) -> re.Pattern[str]:
    """The names (`name`) and the numbers in a sentence. A name is the same with and without quotes."""
    named = "|".join(map(re.escape, names))
    return re.compile(rf"(?<!\w)'?(?P<name>{named or '(?!)'})'?(?!\w)|{_NUMBER}")


def values_in(sentence: str, names: Sequence[str] = ()) -> list[str]:
    """The numbers of a sentence with their units, in their order; numbers inside names do not count."""
    return [match[0] for match in parts_of(names).finditer(sentence) if match["name"] is None]


def unit_of(value: str) -> str:
    """The unit of a value; empty if it has none."""
    found = _UNIT.search(value)
    return found[1] if found else ""


def without_unit(value: str) -> str:
    """The number of a value."""
    return _UNIT.sub("", value)


def same_values(one: str, other: str, names: Sequence[str] = ()) -> bool:
    """True if two sentences have the same values, in any order, and do not contradict each other."""
    return _plain(values_in(one, names)) == _plain(values_in(other, names)) and not opposed(one, other)


def still_values(was: str, text: str, caveats: Sequence[str], names: Sequence[str] = ()) -> bool:
    """True if an earlier sentence has the values of this one. Sentences of earlier versions may also contain values
    that are now in the caveats."""
    then, now = Counter(_plain(values_in(was, names))), Counter(_plain(values_in(text, names)))
    known = now + Counter(value for caveat in caveats for value in _plain(values_in(caveat, names)))
    return now <= then <= known and not opposed(was, text)


def opposed(one: str, other: str) -> bool:
    """True if one sentence states only a reduction and the other only a rise."""
    return {_direction(one), _direction(other)} == {(True, False), (False, True)}


def _direction(sentence: str) -> tuple[bool, bool]:
    return _FALLS.search(sentence) is not None, _RISES.search(sentence) is not None


def _plain(values: Sequence[str]) -> list[str]:
    """The values without blanks; the two words for units of 2^20 bytes count as equal."""
    return sorted("".join(value.split()).replace("iB", "B") for value in values)
