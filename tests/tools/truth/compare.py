"""The differences between two freezes: texts exactly, numbers to 12 significant digits."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from tests.tools.truth.places import names, read

DIGITS = 12
# Cells of CSV, and values of charts, are text: a text that is a number is compared as a number.
_LONGEST = 100


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


@dataclass(frozen=True, slots=True)
class Difference:
    """The path of keys to a value within a file, and its old and new value; NOTHING on the side that lacks it."""

    path: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.path or 'file'}: {_shown(self.old)} -> {_shown(self.new)}"


def _shown(value: Any) -> str:
    text = repr(value) if value is NOTHING else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def compare(old: Path, new: Path, *, allow_new: bool = False) -> dict[str, list[Difference]]:
    """The differences by file name; files without differences are omitted. With `allow_new` files and keys that only
    `new` has
    are allowed; further items of a list are not."""
    before, after = set(names(old)), set(names(new))
    found = {}
    for name in sorted(before | after):
        if name not in after:
            found[name] = [Difference("", "a file", NOTHING)]
        elif name not in before:
            found[name] = [] if allow_new else [Difference("", NOTHING, "a file")]
        else:
            first, second = (read(folder / f"{name}.json.gz") for folder in (old, new))
            found[name] = list(differences(first, second, allow_new=allow_new))
    return {name: listed for name, listed in found.items() if listed}


def differences(old: Any, new: Any, path: str = "", *, allow_new: bool = False) -> Iterator[Difference]:
    """The differences of two values of JSON."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in (*old, *(key for key in new if key not in old)):
            place = f"{path}.{key}" if path else str(key)
            if key not in new:
                yield Difference(place, old[key], NOTHING)
            elif key in old:
                yield from differences(old[key], new[key], place, allow_new=allow_new)
            elif not allow_new:
                yield Difference(place, NOTHING, new[key])
    elif isinstance(old, list) and isinstance(new, list):
        yield from _of_lists(old, new, path, allow_new)
    elif not same(old, new):
        yield Difference(path, old, new)


def _of_lists(old: list[Any], new: list[Any], path: str, allow_new: bool) -> Iterator[Difference]:
    """Compares lists of equal length by place; otherwise aligns equal items, so one more row is one difference."""
    if len(old) == len(new):
        blocks = [("replace", 0, len(old), 0, len(new))]
    else:
        keys = [[json.dumps(_rounded(item), sort_keys=True) for item in items] for items in (old, new)]
        blocks = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    for kind, start, end, first, last in blocks:
        if kind == "equal":
            continue
        for at in range(max(end - start, last - first)):
            here = old[start + at] if start + at < end else NOTHING
            there = new[first + at] if first + at < last else NOTHING
            place = f"{path}[{start + at if here is not NOTHING else first + at}]"
            if here is NOTHING or there is NOTHING:
                yield Difference(place, here, there)
            else:
                yield from differences(here, there, place, allow_new=allow_new)


def _rounded(value: Any) -> Any:
    match value:
        case dict():
            return {key: _rounded(item) for key, item in value.items()}
        case list():
            return [_rounded(item) for item in value]
        case float() if math.isfinite(value):
            return float(f"{value:.{DIGITS}g}")
        case _:
            return value


def same(old: Any, new: Any) -> bool:
    """True if two values that are neither dict nor list are equal; numbers if they agree to 12 significant digits. A
    text that is a number is compared as a number; true and false are not numbers."""
    if old == new and isinstance(old, bool) == isinstance(new, bool):
        return True
    first, second = _number(old), _number(new)
    if first is None or second is None or isinstance(old, str) != isinstance(new, str):
        return False
    if not (math.isfinite(first) and math.isfinite(second)):
        return first == second or (math.isnan(first) and math.isnan(second))
    largest = max(abs(first), abs(second))
    if largest < sys.float_info.min:
        return True
    unit = 10.0 ** (math.floor(math.log10(largest)) + 1 - DIGITS)
    # 0.1 % less, because neither number is exact.
    return abs(first - second) < 0.999 * unit


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None
