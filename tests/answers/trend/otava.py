"""The change points of the program next to those of Apache Otava, on Otava's examples: the figures of
docs/answers/trend.md.

    git clone https://github.com/apache/otava
    uv run --with apache-otava python -m tests.answers.trend.otava otava

The examples are read from that checkout. This project contains no part of it.
"""

from __future__ import annotations

import ast
import csv
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from workbench.answers.trend.divisive import change_points, q_table


def examples(checkout: Path) -> dict[str, list[float]]:
    """The series of Otava's example file, and those of its tests, by name."""
    with (checkout / "examples" / "csv" / "data" / "local_sample.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    tests = checkout / "tests"
    listed = {
        "analysis_test": _series(tests / "analysis_test.py", r"series = (\[[^\]]*\])"),
        "change_point_divisive_test": _series(tests / "change_point_divisive_test.py", r"np\.array\((\[[^\]]*\])"),
        "tigerbeetle_test": _series(tests / "tigerbeetle_test.py", r"return (\[\d[^\]]*\])"),
    }
    return {f"local_sample {name}": [float(row[name]) for row in rows] for name in ("metric1", "metric2")} | listed


def _series(file: Path, pattern: str) -> list[float]:
    match = re.search(pattern, file.read_text(encoding="utf-8"))
    assert match is not None, f"{file} holds no such series any more"
    return [float(value) for value in ast.literal_eval(match[1])]


def compared(values: list[float]) -> dict[str, Any]:
    """How far the statistics differ (relative to the largest), and the change points of either at 5 %."""
    from otava.analysis import compute_change_points, compute_change_points_orig
    from otava.change_point_divisive.calculator import PairDistanceCalculator

    theirs = PairDistanceCalculator(np.array(values))._get_Q_vals(0, len(values))
    ours, count = q_table(np.array([values]))[0], len(values)
    places = [(t, k) for t in range(2, count - 1) for k in range(t + 2, count + 1)]
    off = max(abs(ours[t, k] - theirs[t - 1, k - 2]) for t, k in places) / float(np.max(theirs))
    permuted, _ = compute_change_points_orig(list(values), max_pvalue=0.05, seed=1)
    tested, _ = compute_change_points(list(values), window_len=30, max_pvalue=0.001)
    return {
        "statistic": off,
        "ours": sorted(point.index for point in change_points(values)),
        "otava, permutation test": sorted(int(point.index) for point in permuted),
        "otava, t-test at 0.001": sorted(int(point.index) for point in tested),
    }


if __name__ == "__main__":
    for name, values in examples(Path(sys.argv[1])).items():
        print(f"{name}, {len(values)} values")
        for what, value in compared(values).items():
            print(f"  {what}: {value}")
