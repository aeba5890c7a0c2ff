"""Fuzzy search over every counter: by run, host, object, instance, counter, and by what it measures.

Every word that is typed must be found somewhere in a counter's names. Up to three letters, and words with a digit,
are looked for as they are typed; a longer word that stands nowhere may have a slip (`latncy`). Names are scored once
each, not once per counter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.study.series.catalogue import COUNTER, LEVELS, RUN, Catalogue, IntArray

FloatArray = npt.NDArray[np.float64]

# Letters that are looked for exactly; of longer words this likeness (0 to 100) is enough.
_EXACT_LETTERS = 3
_ENOUGH = 82.0
_AT_ONCE = 128
# What stands deeper in the tree says more of a counter: among equals it comes first.
_DEPTH = 0.01


class Found(NamedTuple):
    """The rows of the catalogue that match, in the order of the tree, and the likest of them."""

    rows: IntArray
    best: int | None


def search(catalogue: Catalogue, typed: str) -> Found:
    """The counters whose names hold every word that was typed; all of them for nothing typed."""
    words = typed.casefold().split()
    if not words or not catalogue.keys:
        return Found(catalogue.rows(), None)
    total = np.zeros(len(catalogue.keys))
    matched = np.ones(len(catalogue.keys), dtype=bool)
    for word in words:
        scores = _scores(catalogue, word)
        matched &= scores >= _ENOUGH
        total += scores
    rows = np.flatnonzero(matched)
    return Found(rows, int(rows[np.argmax(total[rows])]) if rows.size else None)


def _scores(catalogue: Catalogue, word: str) -> FloatArray:
    """The likeness of a word to the most like of each counter's names. Where it stands in any name as it was typed
    it is no slip, and only such names are meant."""
    values = _best(catalogue, word, _literal)
    # A slip in a number is another machine or disk, never the one that was meant.
    exact = len(word) <= _EXACT_LETTERS or any(letter.isdigit() for letter in word)
    return values if exact or values.any() else _best(catalogue, word, _like)


def _best(catalogue: Catalogue, word: str, likeness: Callable[[str, list[str]], FloatArray]) -> FloatArray:
    best = np.zeros(len(catalogue.keys))
    kinds = [(catalogue.texts[level], catalogue.codes[:, level], level) for level in range(RUN, LEVELS)]
    for names, places, level in (*kinds, (catalogue.meanings, catalogue.meaning, COUNTER)):
        scored = likeness(word, [name.casefold() for name in names])
        best = np.maximum(best, np.where(scored > 0, scored + _DEPTH * level, 0.0)[places])
    return best


def _literal(word: str, names: list[str]) -> FloatArray:
    """A whole name, or the start of one of its words, is likelier meant than letters in its middle."""
    return np.array([100.0 + _begins(word, name) if word in name else 0.0 for name in names])


def _like(word: str, names: list[str]) -> FloatArray:
    # The window starts without it.
    from rapidfuzz import fuzz, process

    scored = np.zeros(len(names))
    # Bit by bit: the scorer keeps the window waiting for as long as it runs.
    for start in range(0, len(names), _AT_ONCE):
        part = names[start : start + _AT_ONCE]
        scored[start : start + _AT_ONCE] = process.cdist(
            [word], part, scorer=fuzz.partial_ratio, score_cutoff=_ENOUGH, dtype=np.float64
        )[0]
    # A short name is part of many words: `C:` must not match `cache`.
    long_enough = np.array([len(name) >= len(word) - 1 for name in names], dtype=bool)
    return np.where(long_enough, scored, 0.0)


def _begins(word: str, name: str) -> float:
    index = name.find(word)
    if index < 0:
        return 0.0
    share = len(word) / max(1, len(name))
    return share + (0.5 if index == 0 or not name[index - 1].isalnum() else 0.0)
