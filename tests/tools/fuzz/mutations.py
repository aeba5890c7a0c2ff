"""Damages of the parts of a file: numbers, lines, separators, quotes, encodings, brackets, or only bytes.

This is not Hypothesis, because the number of a case must reproduce the case: a long run resumes, and a dead process
leaves only the number. Found cases are kept as files. tests/readers/test_any_text.py has random lines from Hypothesis.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.tools.fuzz.case import Case, Rule

# A number that is not part of a word, of a date or of a version.
NUMBER = re.compile(rb'(?<![\w.,:/+*\\-])-?\d+(?:\.\d+)?(?![\w.:/*\\-]|,\d|" ?:|% [a-z])')
_NO_NUMBERS = ("NaN", "1e999", "x", "12x", "1.2.3", "#N/A", "--", "1.#INF", "0x1A", "1_0", "٣", "true", "9" * 5000)
_NUMBERS = ("-1", "0", "123456789012345678", "1e3", "0.5")
# TOML reads these as numbers.
_OF_TOML = ("0x1A", "1_0")
_LONG = 300_000
_DEEP = (1_500, 50_000)


@dataclass(frozen=True, slots=True)
class Seed:
    """A small undamaged file. `lines`: each row is on a separate line; `sealed`: checksums in the file show every
    change; `ours`: only this program writes it."""

    name: str
    data: bytes
    lines: bool = False
    sealed: bool = False
    ours: bool = False

    @property
    def is_text(self) -> bool:
        """True if it contains only letters."""
        return b"\0" not in self.data


Damage = tuple[bytes, Rule]
Mutation = Callable[[Seed, random.Random], Damage | None]


def case_of(format_: str, seeds: tuple[Seed, ...], number: int) -> Case:
    """The case of this number: always equal, and of another kind than the cases before and after it."""
    dice = random.Random(f"{format_} {number}")
    seed = seeds[number // 7 % len(seeds)] if number % 7 else dice.choice(seeds)
    # Every second damage changes a number, if there are numbers.
    if seed.is_text and number % 2 and (case := _number_case(format_, seed, number // 2, dice)):
        return case
    kinds = list(_TEXT if seed.is_text else _BYTES)
    kinds = kinds[number // 2 % len(kinds) :] + kinds[: number // 2 % len(kinds)]
    for kind in kinds:
        if (damage := kind(seed, dice)) is not None and damage[0] != seed.data:
            data, rule = damage
            rule = Rule.CHANGED if seed.sealed and rule is Rule.ANY else rule
            return Case(format_, seed.name, kind.__name__.strip("_").replace("_", " "), rule, seed.data, data)
    return Case(format_, seed.name, "inserted", Rule.ANY, seed.data, seed.data + b"\0")


def _is_json(seed: Seed) -> bool:
    return seed.data.lstrip()[:1] in (b"{", b"[")


def _number_case(format_: str, seed: Seed, number: int, dice: random.Random) -> Case | None:
    places = list(NUMBER.finditer(seed.data))
    if not places:
        return None
    place = dice.choice(places)
    texts = [text for text in (*_NO_NUMBERS, *_NUMBERS, "") if not (text in _OF_TOML and seed.name.endswith(".toml"))]
    text = texts[number % len(texts)]
    rule = Rule.NUMBER if text in _NUMBERS else Rule.NO_NUMBER if text else Rule.BLANK
    damaged = replaced(seed.data, place.start(), place.end(), text)
    if damaged == seed.data:
        return None
    kind = f"number {text[:8]}" if text.isascii() and text.isalnum() else f"number {texts.index(text)}"
    return Case(format_, seed.name, kind, rule, seed.data, damaged, place.start(), place.end(), text)


def replaced(data: bytes, start: int, end: int, text: str) -> bytes:
    """The data with another text at that place."""
    return data[:start] + text.encode() + data[end:]


def _flipped(seed: Seed, dice: random.Random) -> Damage:
    held = bytearray(seed.data)
    for _ in range(dice.randrange(1, 5)):
        if held:
            held[dice.randrange(len(held))] ^= 1 << dice.randrange(8)
    return bytes(held), Rule.ANY


def _cut(seed: Seed, dice: random.Random) -> Damage:
    at = dice.randrange(len(seed.data) + 1)
    left = seed.data[:at]
    # A reader cannot see that later rows are missing.
    whole = not left.strip() or left.endswith((b"\n", b"\r")) or seed.data[at : at + 1] in (b"\n", b"\r", b"")
    # Hand-written TOML often lacks the last line end, so its last number may be incomplete.
    if not seed.is_text or seed.name.endswith(".toml"):
        return left, Rule.ANY
    return left, Rule.CHANGED if whole or not seed.lines else Rule.LOUD


def _stretch_doubled(seed: Seed, dice: random.Random) -> Damage:
    start, end = sorted(dice.randrange(len(seed.data) + 1) for _ in range(2))
    return seed.data[:end] + seed.data[start:], Rule.ANY


def _zeros(seed: Seed, dice: random.Random) -> Damage:
    at, length = dice.randrange(len(seed.data) + 1), dice.randrange(1, 64)
    rest = seed.data[at + length :]
    rule = Rule.LOUD if seed.lines else Rule.ANY
    return seed.data[:at] + bytes(min(length, len(seed.data) - at)) + rest, rule


def _inserted(seed: Seed, dice: random.Random) -> Damage:
    at = dice.randrange(len(seed.data) + 1)
    return seed.data[:at] + dice.randbytes(dice.randrange(1, 64)) + seed.data[at:], Rule.ANY


def _lines(seed: Seed) -> list[bytes]:
    return seed.data.splitlines(keepends=True)


def _line_dropped(seed: Seed, dice: random.Random) -> Damage | None:
    lines = _lines(seed)
    if len(lines) < 3:
        return None
    # Without its first line, a table has another format.
    del lines[dice.randrange(1, len(lines))]
    return b"".join(lines), Rule.CHANGED if seed.lines else Rule.ANY


def _lines_swapped(seed: Seed, dice: random.Random) -> Damage | None:
    lines = _lines(seed)
    if len(lines) < 4:
        return None
    first, second = (dice.randrange(1, len(lines) - 1) for _ in range(2))
    lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines), Rule.CHANGED if seed.lines else Rule.ANY


def _times_backwards(seed: Seed, _dice: random.Random) -> Damage | None:
    first, *rest = _lines(seed)
    return (first + b"".join(reversed(rest)), Rule.CHANGED) if seed.lines and len(rest) > 1 else None


def _line_doubled(seed: Seed, dice: random.Random) -> Damage | None:
    lines = _lines(seed)
    if len(lines) < 2:
        return None
    at = dice.randrange(len(lines))
    return b"".join((*lines[: at + 1], *lines[at:])), Rule.CHANGED if seed.lines else Rule.ANY


def _delimiters_changed(seed: Seed, dice: random.Random) -> Damage:
    other = dice.choice((b";", b"\t", b"|", b" "))
    return seed.data.replace(b",", other), Rule.LOUD if seed.lines else Rule.ANY


def _decimal_commas(seed: Seed, _dice: random.Random) -> Damage:
    comma = re.sub(rb"(?<![\w.])(\d+)\.(\d+)(?![\w.])", rb"\1,\2", seed.data)
    return comma, Rule.ANY if _is_json(seed) else Rule.CHANGED


def _thousands_parted(seed: Seed, dice: random.Random) -> Damage:
    rule = Rule.ANY if _is_json(seed) else Rule.CHANGED
    mark = dice.choice((b",", b" ", b"'", "\u202f".encode()))
    return re.sub(rb"(?<![\w.,:/-])(\d)(\d{3})(?![\w:/-])", rb"\1" + mark + rb"\2", seed.data), rule


def _quote_opened(seed: Seed, dice: random.Random) -> Damage:
    at = dice.randrange(len(seed.data) + 1)
    return seed.data[:at] + b'"' + seed.data[at:], Rule.CHANGED if seed.lines else Rule.ANY


def _other_encoding(seed: Seed, dice: random.Random) -> Damage | None:
    try:
        text = seed.data.decode()
    except UnicodeDecodeError:
        return None
    data = text.encode(dice.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32")))
    return data, Rule.LOUD


def _latin_letter(seed: Seed, dice: random.Random) -> Damage:
    at = dice.randrange(len(seed.data) + 1)
    return seed.data[:at] + dice.choice((b"\xe4", b"\xff\xfe", b"\x81", b"\xc3")) + seed.data[at:], Rule.ANY


def _long_line(seed: Seed, dice: random.Random) -> Damage:
    at = dice.choice([0, *(place.end() for place in re.finditer(rb"\n", seed.data))])
    filling = dice.choice((b"x", b",", b'"', b"7", b" ", b"\t", b";", b"1,"))
    return seed.data[:at] + filling * (_LONG // len(filling)) + b"\n" + seed.data[at:], Rule.ANY


def _deep(seed: Seed, dice: random.Random) -> Damage:
    places = [place.end() for place in re.finditer(rb"[\[{:=>,]", seed.data)] or [0]
    at, deep, (left, right) = (
        dice.choice(places),
        dice.choice(_DEEP),
        dice.choice((("[", "]"), ('{"a":', "}"), ("<a>", "</a>"), ("(", ")"))),
    )
    end = "0" if left == '{"a":' else ""
    return seed.data[:at] + (left * deep + end + right * deep).encode() + seed.data[at:], Rule.ANY


def _key_doubled(seed: Seed, dice: random.Random) -> Damage | None:
    pairs = list(re.finditer(rb'"[\w@.$ -]+" ?: ?-?\d+(?:\.\d+)?(?=[,\s}])|^\w+ *= *[\w."]+$', seed.data, re.MULTILINE))
    if not pairs:
        return None
    pair = dice.choice(pairs)
    mark = b"\n" if b"=" in pair[0] else b", "
    again = re.sub(rb"\d", b"7", pair[0]) if b":" in pair[0] else pair[0]
    # A tool's file with a repeated key is damaged; in project files the last value counts.
    rule = Rule.ANY if seed.ours else Rule.CHANGED
    return seed.data[: pair.end()] + mark + again + seed.data[pair.end() :], rule


_BYTES: tuple[Mutation, ...] = (_flipped, _cut, _stretch_doubled, _zeros, _inserted)
_TEXT: tuple[Mutation, ...] = (
    *_BYTES,
    _line_dropped,
    _lines_swapped,
    _times_backwards,
    _line_doubled,
    _delimiters_changed,
    _decimal_commas,
    _thousands_parted,
    _quote_opened,
    _other_encoding,
    _latin_letter,
    _long_line,
    _deep,
    _key_doubled,
)
