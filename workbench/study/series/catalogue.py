"""Catalogue: every counter of a study in the order of the tree that shows it (run, host, object, instance, counter).

A study has 50,000 counters and more: names stand once, counters are rows of numbers, and a branch of the tree is a
stretch of neighbouring rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.run import Run
from workbench.model.series_key import SeriesKey, series_key

IntArray = npt.NDArray[np.int64]

RUN, HOST, OBJECT, INSTANCE, COUNTER = range(5)
LEVELS = 5
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, eq=False)
class Catalogue:
    """`keys[row]` names a counter, `codes[row, level]` is the place of its name in `texts[level]`, whose order is
    that of the tree. `meanings` are the words of what each counter measures, for the search, by `meaning[row]`.
    `labels` are the counters of equal names: what is shown of them names their file."""

    keys: tuple[SeriesKey, ...]
    codes: IntArray
    texts: tuple[tuple[str, ...], ...]
    meaning: IntArray
    meanings: tuple[str, ...]
    labels: dict[int, str]

    def text(self, row: int, level: int) -> str:
        """The name of a counter at a level; of its last level with the file where names are equal."""
        if level == COUNTER and row in self.labels:
            return self.labels[row]
        return self.texts[level][int(self.codes[row, level])]

    def names(self, row: int) -> tuple[str, ...]:
        """Run, host, object, instance and counter."""
        return tuple(self.text(row, level) for level in range(LEVELS))

    def rows(self) -> IntArray:
        """All counters."""
        return np.arange(len(self.keys), dtype=np.int64)

    def rows_of(self, keys: Sequence[SeriesKey]) -> IntArray:
        """The rows of these counters, in their order; those that the study lacks are left out."""
        key_set = set(keys)
        places = {key: row for row, key in enumerate(self.keys) if key in key_set} if key_set else {}
        return np.array([places[key] for key in keys if key in places], dtype=np.int64)

    def parts(self, rows: IntArray, level: int) -> list[IntArray]:
        """Neighbouring rows of one branch, parted by their names at `level`."""
        if not rows.size:
            return []
        turns = np.flatnonzero(np.diff(self.codes[rows, level])) + 1
        return np.split(rows, turns)


def catalogue(runs: Sequence[Run]) -> Catalogue:
    """Every counter of the runs, each once: of a counter in several files of its run the first."""
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
    """The place of each name among its kind, in an order where W10-9 stands before W10-10."""
    kinds = sorted(set(names), key=_natural)
    places = {name: index for index, name in enumerate(kinds)}
    return np.array([places[name] for name in names], dtype=np.int64), tuple(kinds)


def _natural(name: str) -> tuple[list[tuple[int, int, str]], str]:
    # Letters first, so that `_Total` and names compare with numbers; the name itself settles what is equal.
    parts = _DIGITS.split(name.casefold())
    return [(1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts], name


def _labels(keys: tuple[SeriesKey, ...], codes: IntArray, counters: tuple[str, ...]) -> dict[int, str]:
    same = (np.diff(codes, axis=0) == 0).all(axis=1) if len(codes) > 1 else np.empty(0, dtype=bool)
    twins = np.flatnonzero(np.concatenate((same, [False])) | np.concatenate(([False], same))).tolist()
    return {row: f"{counters[codes[row, COUNTER]]} · {keys[row].file or keys[row].path}" for row in twins}
