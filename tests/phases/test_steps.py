"""The place of a step, compared with the same rule in plain loops."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import pytest

from workbench.phases.steps import FLOOR, MOST_ALIKE, REACH, Step, step_at

MISSING = math.nan


def by_loops(level: list[float], edges: list[float]) -> tuple[float, float]:
    """The moment and its uncertainty, bin by bin, as the docstring describes them."""
    bins = [(value, *pair) for value, pair in zip(level, itertools.pairwise(edges), strict=True) if value == value]
    values = [value for value, _, _ in bins]
    floor = FLOOR * max(values)
    fits = []
    for place in range(1, len(bins) - 1):
        low, high = statistics.fmean(values[:place]), statistics.fmean(values[place + 1 :])
        if high <= low:
            continue
        share = min(max((values[place] - low) / (high - low), 0), 1)
        model = [low] * place + [low + share * (high - low)] + [high] * (len(bins) - 1 - place)
        pairs = [(value + floor, mean + floor) for value, mean in zip(values, model, strict=True)]
        squares = sum((value - mean) ** 2 for value, mean in pairs)
        # The full deviance of a gamma distribution: -log(y / m) + (y - m) / m.
        deviance = 2 * sum(value / mean - 1 - math.log(value / mean) for value, mean in pairs)
        _, start, end = bins[place]
        fits.append((squares, deviance, end - share * (end - start), [value / mean - 1 for value, mean in pairs]))
    at = min(fits)[2]
    _, least, _, rest = min(fits, key=lambda fit: fit[1])
    size, spread = len(rest), sum(value**2 for value in rest)
    seen = sum(a * b for a, b in itertools.pairwise(rest)) / spread
    alike = min(max(seen + (2 + 4 * seen) / size, 0), MOST_ALIKE)
    allowed = least + REACH * spread / (size - 3) * (1 + alike) / (1 - alike)
    near = [moment for _, deviance, moment, _ in fits if deviance <= allowed]
    half = statistics.median(end - start for _, start, end in bins) / 2
    return at, max(half, *(abs(moment - at) for moment in near))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("keep", [0.0, 0.8])
def test_that_time_and_uncertainty_equal_those_of_plain_loops(seed: int, keep: float) -> None:
    random = np.random.default_rng(seed)
    noise = random.standard_normal(30)
    for place in range(1, noise.size):
        noise[place] += keep * noise[place - 1]
    level = np.where(np.arange(30) < 9 + seed, 10.0, 14.0) + noise
    level[random.choice(30, 3, replace=False)] = MISSING
    edges = np.cumsum(random.uniform(5, 25, 31))
    found = step_at(level, edges)
    assert found == pytest.approx(by_loops(level.tolist(), edges.tolist()), rel=1e-9)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        # A quarter of the bin from 180 to 240 is after the step.
        ([1, 1, 1, 3, 9, 9, 9], Step(225, 30)),
        ([1, 1, 1, 9, 9, 9, 9], Step(180, 30)),
        ([1, MISSING, 1, 3, 9, 9, MISSING], Step(225, 30)),
        # The smallest possible number.
        ([0, 0, 8], Step(120, 30)),
        ([0, 8], None),
        ([0, MISSING, 8], None),
        # A level that falls, and one that stays.
        ([9, 9, 9, 1, 1], None),
        ([4, 4, 4, 4, 4], None),
    ],
)
def test_that_an_exact_step_is_placed_by_the_share_of_its_bin(level: list[float], expected: Step | None) -> None:
    edges = 60.0 * np.arange(len(level) + 1)
    found = step_at(np.array(level, dtype=np.float64), edges)
    assert found == (None if expected is None else pytest.approx(expected))
