"""The catalogue of a study: every counter in the order of its tree (run, host, object, instance, counter). Also a fuzzy
search, and the recorded samples of single counters.

A study has 50,000 counters or more: each name is stored once, counters are rows of numbers, and a branch of the tree is
a range of neighbouring rows.

The search covers run, host, object, instance, counter and metric. Every typed word must occur somewhere in a counter's
names. Up to three letters, and words with a digit, are searched exactly; a longer word that occurs nowhere may be
mistyped (`latncy`). Names are scored once each, not once per counter.

Samples are returned for any counter, with or without a metric.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Vantage
from workbench.model.recording import Recording, Series, SeriesKey, series_key
from workbench.model.run import Run
from workbench.study.series.chosen import Part
from workbench.study.series.segments import Segment, joined
from workbench.study.series.vm_series import Loaded, Samples, load, scaled_values

IntArray = npt.NDArray[np.int64]
RUN, HOST, OBJECT, INSTANCE, COUNTER = range(5)
LEVELS = 5
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, eq=False)
class Catalogue:
    """`keys[row]` identifies a counter; `codes[row, level]` is the index of its name in `texts[level]`, sorted like the
    tree. `meanings` are the words of each metric, for the search, indexed by `meaning[row]`. `labels` contains the
    counters with equal names: their shown name includes their file."""

    keys: tuple[SeriesKey, ...]
    codes: IntArray
    texts: tuple[tuple[str, ...], ...]
    meaning: IntArray
    meanings: tuple[str, ...]
    labels: dict[int, str]

    def text(self, row: int, level: int) -> str:
        """Returns the name of a counter at a level; the last level includes the file if names are equal."""
        if level == COUNTER and row in self.labels:
            return self.labels[row]
        return self.texts[level][int(self.codes[row, level])]

    def names(self, row: int) -> tuple[str, ...]:
        """Returns run, host, object, instance and counter."""
        return tuple(self.text(row, level) for level in range(LEVELS))

    def rows(self) -> IntArray:
        """Returns the rows of all counters."""
        return np.arange(len(self.keys), dtype=np.int64)

    def rows_of(self, keys: Sequence[SeriesKey]) -> IntArray:
        """Returns the rows of these counters, in their order; counters that the study lacks are left out."""
        key_set = set(keys)
        places = {key: row for row, key in enumerate(self.keys) if key in key_set} if key_set else {}
        return np.array([places[key] for key in keys if key in places], dtype=np.int64)

    def parts(self, rows: IntArray, level: int) -> list[IntArray]:
        """Returns neighbouring rows of one branch, split by their names at `level`."""
        if not rows.size:
            return []
        turns = np.flatnonzero(np.diff(self.codes[rows, level])) + 1
        return np.split(rows, turns)


def catalogue(runs: Sequence[Run]) -> Catalogue:
    """Returns every counter of the runs once; if several files of a run have it, the first one."""
    by_series: dict[SeriesKey, tuple[int, tuple[str, ...]]] = {}
    for index, run in enumerate(runs):
        for recording in run.recordings:
            for series in recording.series:
                key = series_key(run.folder, recording.file, series.path)
                if key not in by_series:
                    means = series.metric.quantity.value.replace("_", " ") if series.metric else ""
                    names = (series.host, series.object, series.instance, series.counter, means)
                    by_series[key] = (index, names)
    keys, rows = list(by_series), list(by_series.values())
    coded = [_coded([names[level] for _, names in rows]) for level in range(LEVELS)]
    codes = np.empty((len(rows), LEVELS), dtype=np.int64)
    codes[:, RUN] = [index for index, _ in rows]
    for level, (numbers, _) in enumerate(coded[:-1], 1):
        codes[:, level] = numbers
    meaning, meanings = coded[-1]
    order = np.lexsort(codes.T[::-1]) if rows else np.empty(0, dtype=np.int64)
    texts = (tuple(run.name for run in runs), *(texts for _, texts in coded[:-1]))
    sorted_keys, sorted_codes = tuple(keys[at] for at in order.tolist()), codes[order]
    return Catalogue(
        sorted_keys, sorted_codes, texts, meaning[order], meanings, _labels(sorted_keys, sorted_codes, texts[COUNTER])
    )


def _coded(names: list[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Returns the index of each name among its kind, sorted so W10-9 precedes W10-10."""
    kinds = sorted(set(names), key=_natural)
    places = {name: index for index, name in enumerate(kinds)}
    return np.array([places[name] for name in names], dtype=np.int64), tuple(kinds)


def _natural(name: str) -> tuple[list[tuple[int, int, str]], str]:
    # Letters come first, so `_Total` and names compare with numbers; the name itself decides ties.
    parts = _DIGITS.split(name.casefold())
    return [(1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts], name


def _labels(keys: tuple[SeriesKey, ...], codes: IntArray, counters: tuple[str, ...]) -> dict[int, str]:
    same = (np.diff(codes, axis=0) == 0).all(axis=1) if len(codes) > 1 else np.empty(0, dtype=bool)
    twins = np.flatnonzero(np.concatenate((same, [False])) | np.concatenate(([False], same))).tolist()
    return {row: f"{counters[codes[row, COUNTER]]} · {keys[row].file or keys[row].path}" for row in twins}


FloatArray = npt.NDArray[np.float64]
# Words of up to this many letters are searched exactly; longer words need at least this similarity (0 to 100).
_EXACT_LETTERS = 3
_ENOUGH = 82.0
_AT_ONCE = 128
# Deeper levels of the tree are more specific for a counter: among equals they come first.
_DEPTH = 0.01


class SearchResult(NamedTuple):
    """The matching rows of the catalogue, in the order of the tree, and the most similar of them."""

    rows: IntArray
    best: int | None


def search(catalogue: Catalogue, typed: str) -> SearchResult:
    """Returns the counters whose names contain every typed word; all counters if nothing is typed."""
    words = typed.casefold().split()
    if not words or not catalogue.keys:
        return SearchResult(catalogue.rows(), None)
    total = np.zeros(len(catalogue.keys))
    matched = np.ones(len(catalogue.keys), dtype=bool)
    for word in words:
        # The similarity of a word to the best matching name of each counter. If any name contains the word as typed,
        # it is not mistyped, and only such names match.
        values = _best(catalogue, word, _literal)
        # A wrong digit means another machine or disk, never the intended one.
        exact = len(word) <= _EXACT_LETTERS or any(letter.isdigit() for letter in word)
        scores = values if exact or values.any() else _best(catalogue, word, _like)
        matched &= scores >= _ENOUGH
        total += scores
    rows = np.flatnonzero(matched)
    return SearchResult(rows, int(rows[np.argmax(total[rows])]) if rows.size else None)


def _best(catalogue: Catalogue, word: str, likeness: Callable[[str, list[str]], FloatArray]) -> FloatArray:
    best = np.zeros(len(catalogue.keys))
    kinds = [(catalogue.texts[level], catalogue.codes[:, level], level) for level in range(RUN, LEVELS)]
    for names, places, level in (*kinds, (catalogue.meanings, catalogue.meaning, COUNTER)):
        scored = likeness(word, [name.casefold() for name in names])
        best = np.maximum(best, np.where(scored > 0, scored + _DEPTH * level, 0.0)[places])
    return best


def _literal(word: str, names: list[str]) -> FloatArray:
    """A whole name, or the start of one of its words, matches better than letters in its middle."""
    return np.array([100.0 + _begins(word, name) if word in name else 0.0 for name in names])


def _like(word: str, names: list[str]) -> FloatArray:
    # Imported on demand: the window starts without it.
    from rapidfuzz import fuzz, process

    scored = np.zeros(len(names))
    # In small steps: the scorer blocks the window while it runs.
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


class Recorded(NamedTuple):
    """A counter of a run: its description in the first file that has it, and its samples.

    `samples` are in the canonical unit if the counter has a metric, otherwise as the file writes them. `end` is seconds
    since 1970 UTC, or since the start of the test if `relative`.
    """

    key: SeriesKey
    series: Series
    samples: Samples
    relative: bool


def recorded(run: Run, keys: Iterable[SeriesKey]) -> dict[SeriesKey, Recorded]:
    """Returns those of the counters that the run has. Each file is read once; segments of one counter are joined."""
    made: dict[SeriesKey, Recorded] = {}
    for key, recorded_parts in recorded_by_file(run, keys).items():
        first = recorded_parts[0][0]
        samples = _samples(first.series, [segment for _, segment in recorded_parts])
        made[key] = Recorded(key, first.series, samples, first.recording.relative)
    return made


def recorded_by_file(run: Run, keys: Iterable[SeriesKey]) -> dict[SeriesKey, list[tuple[Part, Segment]]]:
    """Like `recorded`, with the samples of each file separate, including those that another file already has."""
    own_keys = {key for key in keys if key.run == run.folder}
    parts: dict[SeriesKey, list[Part]] = {}
    for recording in run.recordings if own_keys else ():
        for key, series in _first_of(run, recording, own_keys).items():
            parts.setdefault(key, []).append(Part(recording, series))
    files = load(run, [{"": [part for parts_of in parts.values() for part in parts_of]}])
    return {key: [(part, _segment(files[part.table], part)) for part in own] for key, own in parts.items()}


def _segment(columns: Loaded, part: Part) -> Segment:
    return Segment(columns.end, columns.span, scaled_values(columns, part.series), part.recording.file)


def _first_of(run: Run, recording: Recording, keys: set[SeriesKey]) -> dict[SeriesKey, Series]:
    by_key: dict[SeriesKey, Series] = {}
    paths = {key.path for key in keys}
    for series in recording.series:
        if series.path in paths:
            key = series_key(run.folder, recording.file, series.path)
            if key in keys:
                by_key.setdefault(key, series)
    return by_key


def _samples(series: Series, segments: list[Segment]) -> Samples:
    segment = joined(segments)
    vantage = series.metric.vantage if series.metric else Vantage.GUEST
    return Samples(segment.end, segment.span, segment.values, vantage, series.object, tuple(s.file for s in segments))
