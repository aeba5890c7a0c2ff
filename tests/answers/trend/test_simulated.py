"""How often the trend is wrong on runs with a known truth: twelve runs per series, a standard deviation of 1.

`uv run pytest -n 0 -m slow -s tests/answers/trend/test_simulated.py` prints the figures; the tables of
docs/statistics.md are those of `tests/tools/simulations/trend.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from tests.answers.trend.weeks import of, weekly
from workbench.answers.trend.compute import Trend, TrendOutcome

pytestmark = pytest.mark.slow

RUNS = 12
Shape = Callable[[np.random.Generator], npt.NDArray[np.float64]]


def shown(
    count: int, shape: Shape, seed: int, draw: Callable[[np.random.Generator], float] | None = None
) -> list[Trend]:
    """The trends of that many series, each tested alone: level 100, variation 1 with the distribution `draw` (normal),
    times the shape."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        noise = rng.normal(size=RUNS) if draw is None else np.array([draw(rng) for _ in range(RUNS)])
        made += of(weekly((100 + noise + shape(rng)).tolist()))
    return made


def said(what: str, trends: list[Trend]) -> Counter[TrendOutcome]:
    counts = Counter(trend.outcome for trend in trends)
    shares = ", ".join(f"{outcome.value} {100 * counts[outcome] / len(trends):.1f} %" for outcome in counts)
    print(f"\n{what} ({len(trends)} series): {shares}")
    return counts


def flat(_: np.random.Generator) -> npt.NDArray[np.float64]:
    return np.zeros(RUNS)


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("normal", None),
        ("heavy tails (t, 3 degrees of freedom)", lambda rng: float(rng.standard_t(3))),
        ("skewed (lognormal)", lambda rng: float(rng.lognormal())),
    ],
)
def test_that_constant_series_are_called_changed_in_at_most_5_percent(
    name: str, draw: Callable[[np.random.Generator], float] | None
) -> None:
    counts = said(f"no change, {name}", shown(400, flat, 1, draw))
    false = 400 - counts[TrendOutcome.NONE]
    # The second p-value allows for dependent sessions, so independent sessions have fewer false changes.
    assert false <= 0.05 * 400


def test_that_six_series_give_a_false_alarm_in_at_most_5_percent_of_studies() -> None:
    rng = np.random.default_rng(5)
    studies = [
        of([point for place in range(6) for point in weekly((100 + rng.normal(size=RUNS)).tolist(), f"C{place}")])
        for _ in range(100)
    ]
    alarms = sum(any(trend.changed for trend in trends) for trends in studies)
    print(f"\nsix series without a change: a false alarm in {alarms} of 100 studies")
    assert alarms <= 12


def test_that_larger_steps_are_found_more_often_and_at_the_right_build() -> None:
    by_size = {}
    for size in (1.0, 2.0, 3.0, 5.0):
        rng = np.random.default_rng(11)
        at = [int(rng.integers(3, 10)) for _ in range(100)]
        made = [
            of(weekly((100 + rng.normal(size=RUNS) + size * (np.arange(RUNS) >= place)).tolist()))[0] for place in at
        ]
        counts = said(f"a step of {size:g} standard deviations", made)
        named = [(place, step) for place, trend in zip(at, made, strict=True) if (step := trend.largest)]
        exact = sum(step.index == place for place, step in named)
        held = sum(place in [each.index for each in step.places] for place, step in named)
        print(f"   the build named is the right one in {exact} of {len(named)}, among those it may be in {held}")
        by_size[size] = (
            sum(trend.changed for trend in made),
            counts[TrendOutcome.DRIFT],
            exact / len(named),
            held / len(named),
        )
    assert by_size[1.0][0] < by_size[2.0][0] < by_size[3.0][0] <= by_size[5.0][0]
    # The second p-value misses a few steps near the end of a series.
    assert by_size[5.0][0] >= 90
    assert by_size[5.0][2] >= 0.85
    # The position of a detected step is right with a probability of 95 %, slightly less because only clear steps are
    # detected.
    assert all(held >= 0.85 for *_, held in by_size.values())
    assert all(drifts <= 5 for _, drifts, *_ in by_size.values())


def test_that_a_drift_is_rarely_reported_as_a_step() -> None:
    for size in (3.0, 5.0, 8.0):
        counts = said(f"a drift of {size:g} standard deviations", shown(100, _line(size), 21))
        assert counts[TrendOutcome.STEP] <= 10
    assert counts[TrendOutcome.DRIFT] >= 60


def _line(size: float) -> Shape:
    return lambda _: np.linspace(0.0, size, RUNS)
