"""Judges the reading of a damaged file: a damaged number must be a problem, never a silent wrong figure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.tools.fuzz.case import Case, Rule
from tests.tools.fuzz.mutations import replaced
from tests.tools.fuzz.outcome import SAMPLE, Outcome, Remark

Read = Callable[[bytes, str], Outcome]
_MOST_NAMED = 3
# Tools print a figure twice, once rounded; if one is lost, the other is used.
_ROUNDED = 2e-3


@dataclass(frozen=True, slots=True)
class Effect:
    """The figures that depend on a number, found by replacing the number twice: for each changed figure, its change
    relative to
    the number (None: not in proportion, or the figure disappears). `is_name`: the number is part of a name of
    figures."""

    slopes: Mapping[str, float | None]
    value: float
    is_name: bool = False


def judged(case: Case, read: Read, quiet: bool = False) -> list[str]:
    """Returns the faults in the reading of a case; `quiet`: a loss needs no message, because it is repaired."""
    damaged = read(case.damaged, case.name)
    wrong = list(damaged.faults)
    if case.rule is Rule.ANY:
        return wrong
    clean = read(case.clean, case.name)
    told = quiet or bool(_new(clean, damaged))
    if case.rule in (Rule.CHANGED, Rule.LOUD):
        return wrong + ([] if told else list(_unsaid(clean, damaged, case.rule is Rule.LOUD)))
    effect = _effect(case, read, clean)
    if not effect.slopes or (effect.is_name and _renamed(clean.figures, damaged.figures)):
        return wrong
    return wrong + list(_wrong_number(case, clean, damaged, effect, told))


def _new(clean: Outcome, damaged: Outcome) -> list[Remark]:
    """The faults that only the damaged file has."""
    left = Counter(damaged.remarks)
    left.subtract(Counter(clean.remarks))
    return [remark for remark, count in left.items() if count > 0]


def _unsaid(clean: Outcome, damaged: Outcome, gone_too: bool) -> Iterator[str]:
    figures = damaged.figures
    other = [key for key, value in clean.figures.items() if key in figures and not _same(value, figures[key], _ROUNDED)]
    if other:
        yield f"without a word: {_pairs(clean, damaged, other)}"
    gone = [key for key in clean.figures if key not in figures]
    if gone_too and gone:
        yield f"gone without a word: {', '.join(gone[:_MOST_NAMED])}"


def _wrong_number(case: Case, clean: Outcome, damaged: Outcome, effect: Effect, told: bool) -> Iterator[str]:
    figures = damaged.figures
    kept = [key for key in effect.slopes if key in figures and key in clean.figures]
    other = [key for key in kept if not _same(figures[key], clean.figures[key], _ROUNDED)]
    if case.rule is Rule.NO_NUMBER:
        gone = [key for key in effect.slopes if key not in figures]
        if not told and (gone or other):
            yield f"no problem tells of the damaged number: {', '.join((gone or other)[:_MOST_NAMED])}"
        if other:
            yield f"figures of no number: {_pairs(clean, damaged, other)}"
        return
    if case.rule is Rule.BLANK:
        if other and not told:
            yield f"figures of a blank: {_pairs(clean, damaged, other)}"
        if zero := [key for key in other if figures[key] == 0]:
            yield f"blank is not missing but zero: {_pairs(clean, damaged, zero)}"
        return
    if told:
        return
    number = float(case.text)
    for key, slope in effect.slopes.items():
        if slope is None:
            continue
        if key not in figures:
            # A latency of zero was not measured; other figures that depend on the number may remain.
            if not number:
                continue
            yield f"{key} is gone without a word"
            return
        expected = clean.figures[key] + slope * (number - effect.value)
        if not math.isclose(figures[key], expected, rel_tol=1e-6, abs_tol=1e-6 * abs(slope) + 1e-12):
            yield f"{key} is {figures[key]:g} where the text says {expected:g}"
            return


def _effect(case: Case, read: Read, clean: Outcome) -> Effect:
    text = case.clean[case.start : case.end].decode()
    value = float(text)
    numbers = [_near(text, "246813579"), _near(text, "135792468")]
    probes = [read(replaced(case.clean, case.start, case.end, number), case.name).figures for number in numbers]
    slopes: dict[str, float | None] = {}
    for key, figure in clean.figures.items():
        values = [probe.get(key) for probe in probes]
        if all(other is not None and _same(other, figure) for other in values):
            continue
        slopes[key] = None
        pairs = [(float(number), other) for number, other in zip(numbers, values, strict=True) if other is not None]
        if len(pairs) == 2 and all(number != value for number, _ in pairs):
            first, second = ((other - figure) / (number - value) for number, other in pairs)
            slopes[key] = first if first and math.isclose(first, second, rel_tol=1e-6) else None
    return Effect(slopes, value, any(_renamed(clean.figures, probe) for probe in probes))


def _renamed(figures: Mapping[str, float], probe: Mapping[str, float]) -> bool:
    """True if figures disappeared under their names and others appeared, none of them samples, and no other changed.
    Other information in the name may have disappeared with it."""
    gone, come = figures.keys() - probe.keys(), probe.keys() - figures.keys()
    stayed = figures.keys() & probe.keys()
    of_samples = any(SAMPLE in key for key in gone)
    return bool(gone and come) and not of_samples and all(_same(figures[key], probe[key]) for key in stayed)


def _near(text: str, digits: str) -> str:
    """Another number with as many digits; the first digit is kept if there are more."""
    count = len(re.findall(r"\d", text))
    fresh = iter((digits * (count // len(digits) + 1))[:count])
    keep_first = count > 1
    return re.sub(r"\d", lambda match: _digit(match, next(fresh), keep_first), text)


def _digit(match: re.Match[str], digit: str, keep_first: bool) -> str:
    is_first = not re.search(r"\d", match.string[: match.start()])
    return match[0] if is_first and keep_first else digit


def _same(one: float, other: float, rel_tol: float = 1e-9) -> bool:
    return one == other or math.isclose(one, other, rel_tol=rel_tol)


def _pairs(clean: Outcome, damaged: Outcome, keys: list[str]) -> str:
    shown = (f"{key} {clean.figures[key]:g} -> {damaged.figures[key]:g}" for key in keys[:_MOST_NAMED])
    return ", ".join(shown)
