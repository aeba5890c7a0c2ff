"""Hostile texts for regular expressions, made from the expressions themselves.

Run as a program, it tries every pattern of the packages that open files (`ROOMS`) with the methods that the code uses.
It names the patterns that need half a second of processor time for a text that a linear one matches in milliseconds. A
pattern with exponential time never ends: kill the program then.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

# The parser that `re` uses; the names of its parts are not a public interface.
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ROOMS = ("workbench.readers", "workbench.study", "workbench.session")
WAYS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
LONG = 20_000
SLOW_S = 0.5
# A pattern of quadratic time that needs SLOW_S for a long text needs 20 ms for a short one.
SHORT, SUSPECT_S = 4_000, 0.002
SAMPLES = 20
OF_A_CLASS = {
    kinds.CATEGORY_DIGIT: "7",
    kinds.CATEGORY_SPACE: " \n",
    kinds.CATEGORY_WORD: "a_",
    kinds.CATEGORY_NOT_SPACE: "x",
}
REPEATS = (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT)


def used() -> Iterator[tuple[str, re.Pattern[Any], frozenset[str]]]:
    """Every pattern in a module of the packages in `ROOMS`, with its name and the methods called on it."""
    for room in ROOMS:
        package = importlib.import_module(room)
        modules = [module for module in pkgutil.walk_packages(package.__path__, f"{room}.") if not module.ispkg]
        names = [module.name.removeprefix(f"{room}.") for module in modules]
        root = Path(package.__path__[0])
        ways = _ways(root, names)
        for name in names:
            for key, value in vars(importlib.import_module(f"{room}.{name}")).items():
                for pattern in _patterns(value):
                    # A pattern within a list or a table is used under the name of a loop variable.
                    yield f"{name}.{key}", pattern, frozenset(ways.get((name, key)) or ("search",))


def hostile(pattern: re.Pattern[Any], long: int = LONG) -> Iterator[str]:
    """Texts that nearly match a pattern, with a piece repeated up to this number of characters."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(source, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    letters = sorted({*_letters(tree), " ", "\n"})
    for letter in letters:
        yield letter * long + "\x01"
    chance = random.Random(source)
    for _ in range(SAMPLES):
        text = _sample(tree, chance)
        if not text:
            continue
        at = chance.randrange(len(text))
        piece = chance.choice([text[at : at + chance.randint(1, 4)], chance.choice(letters)])
        many = piece * (long // len(piece))
        yield from (text[:at] + many + "\x01", text[:at] + many + text[at:] + "\x01")
        yield (text[: at + 1] + "\x01") * (long // (at + 2))
        yield text * (long // len(text)) + "\x01"


def slow() -> Iterator[str]:
    """The name of each slow pattern, with the called method and the beginning of the text."""
    for name, pattern, ways in used():
        print("trying", name, flush=True)
        short = list(hostile(pattern, SHORT))
        for way in ways:
            call = _call(pattern, way)
            suspects = {at for at, text in enumerate(short) if _seconds(call, text) > SUSPECT_S}
            for at, text in enumerate(hostile(pattern) if suspects else ()):
                if at in suspects and _seconds(call, text) > SLOW_S:
                    yield f"{name}.{way}: {text[:60]!r} …"
                    break


def _seconds(call: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    call(text)
    return time.process_time() - began


def _call(pattern: re.Pattern[Any], way: str) -> Callable[[str], object]:
    method = getattr(pattern, way)
    wide = isinstance(pattern.pattern, bytes)

    def call(text: str) -> object:
        given = text.encode("latin-1", "replace") if wide else text
        made = method(b"" if wide else "", given) if way in ("sub", "subn") else method(given)
        return list(made) if way == "finditer" else made

    return call


def _ways(root: Path, names: Iterable[str]) -> dict[tuple[str, str], set[str]]:
    """The methods called on each pattern, by module below `root` and name of the pattern."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in names:
        file = root.joinpath(*name.split(".")).with_suffix(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in WAYS:
                found[name, node.value.id].add(node.attr)
    return found


def _patterns(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, (tuple, list, dict)):
        for held in value.values() if isinstance(value, dict) else value:
            yield from _patterns(held, depth + 1)


def _parts(kind: Any, what: Any) -> list[Any]:
    """The expressions within a part of an expression."""
    if kind in REPEATS:
        return [what[2]]
    if kind is kinds.SUBPATTERN:
        return [what[3]]
    if kind is kinds.BRANCH:
        return list(what[1])
    return [what[1]] if kind in (kinds.ASSERT, kinds.ASSERT_NOT) else [what] if kind is kinds.ATOMIC_GROUP else []


def _letters(tree: Any) -> Iterator[str]:
    for kind, what in tree:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL):
            yield chr(what)
        elif kind is kinds.IN:
            yield from _of_class(what)
        elif kind is kinds.ANY:
            yield "x"
        for part in _parts(kind, what):
            yield from _letters(part)


def _of_class(members: Any) -> str:
    negated = members[0][0] is kinds.NEGATE
    found = ""
    for kind, what in members:
        if kind is kinds.LITERAL:
            found += chr(what)
        elif kind is kinds.RANGE:
            found += chr(what[0])
        elif kind is kinds.CATEGORY:
            found += OF_A_CLASS.get(what, "x;")
    if not negated:
        return found
    return "".join(letter for letter in " x7-é" if letter not in found) or "é"


def _sample(tree: Any, chance: random.Random) -> str:
    text = ""
    for kind, what in tree:
        if kind is kinds.LITERAL:
            text += chr(what)
        elif kind is kinds.NOT_LITERAL:
            text += "x" if chr(what) != "x" else "y"
        elif kind is kinds.ANY:
            text += "x"
        elif kind is kinds.IN:
            text += chance.choice(_of_class(what))
        elif kind in REPEATS:
            low, high, part = what
            text += "".join(_sample(part, chance) for _ in range(chance.randint(low, min(int(high), low + 3))))
        elif kind not in (kinds.ASSERT, kinds.ASSERT_NOT):
            parts = _parts(kind, what)
            text += _sample(chance.choice(parts), chance) if parts else ""
    return text


if __name__ == "__main__":
    found = list(slow())
    print("\n".join(["slow:", *found]))
    sys.exit(bool(found))
