"""How often the trend reports a change without a true one, and how often it finds a true step, in runs of sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

from tests.answers.trend.weeks import DAY, FIRST, of, weekly
from tests.tools.simulations.cells import Cell, Job, heads, line
from tests.tools.simulations.studies import Array
from workbench.answers.trend.compute import Trend
from workbench.model.history import DateEvidence, RunDate

SESSIONS = (8, 12, 20)
# Runs a session, the variation of sessions as a multiple of that of runs, the correlation of a session with the next.
TRUTHS = {
    "1 run per test day; test days are not correlated": (1, 0.0, 0.0),
    "3 runs per test day; test days vary half as much as runs": (3, 0.5, 0.0),
    "3 runs per test day; test days vary as much as runs": (3, 1.0, 0.0),
    "3 runs per test day; test days vary twice as much as runs": (3, 2.0, 0.0),
    "1 to 5 runs per test day; test days vary as much as runs": (0, 1.0, 0.0),
    "1 run per test day; correlation of 0.3 with the previous test day": (1, 0.0, 0.3),
    "1 run per test day; correlation of 0.5 with the previous test day": (1, 0.0, 0.5),
}
# Series that no threshold was tuned on: other draws, and other memories than those used for changes.
HELD_OUT: dict[str, tuple[int, Callable[[int, np.random.Generator], Array]]] = {
    "correlation of 0.5 with the previous test day": (1, lambda count, rng: remembering(rng.normal(size=count), 0.5)),
    "correlation of 0.5 with the previous test day; more extreme values of Student's t with 4 degrees of freedom": (
        1,
        lambda count, rng: remembering(rng.standard_t(4, size=count), 0.5),
    ),
    "correlation of 0.5 with the previous test day; 3 runs per test day, which vary as much as test days": (
        3,
        lambda count, rng: remembering(rng.normal(size=count), 0.5),
    ),
    "correlation of 0.67 with the previous test day and 0.33 with the test day before that": (
        1,
        lambda count, rng: np.convolve(rng.normal(size=count + 2), np.ones(3), "valid"),
    ),
    "correlation of 0.7 with the previous test day": (1, lambda count, rng: remembering(rng.normal(size=count), 0.7)),
}
# Steps in standard deviations of a run, at the middle and in the last two sessions; one run a session.
STEPS = (2, 3, 5)
WHERE = ("in the middle", "before the last two test days")
# A standard deviation is this share of the level.
_SCATTER = 0.02


def jobs(series: int) -> Iterator[Job]:
    """A cell for each truth, and for each step, by the number of sessions."""
    for (place, name), sessions in product(enumerate(TRUTHS), SESSIONS):
        yield f"trend none {place} {sessions}", partial(changed, series, sessions, *TRUTHS[name])
    for (place, name), sessions in product(enumerate(HELD_OUT), SESSIONS):
        yield f"trend held out {place} {sessions}", partial(held_out, series, sessions, place, *HELD_OUT[name])
    for size, where, sessions in product(STEPS, WHERE, SESSIONS):
        yield f"trend {size} {where} {sessions}", partial(found, series // 4, sessions, size, where)


def changed(series: int, sessions: int, runs: int, variation: float, memory: float) -> Cell:
    """The series with a reported change although the truth is constant."""
    rng = np.random.default_rng([8, sessions, runs, round(10 * variation), round(10 * memory)])
    cell: Cell = {"changed": []}
    for _ in range(series):
        counts = np.full(sessions, runs) if runs else rng.integers(1, 6, sessions)
        own = variation * rng.normal(size=sessions) + (
            remembering(rng.normal(size=sessions), memory) if memory else 0.0
        )
        scatter = 0.0 if memory else rng.normal(size=int(counts.sum()))
        cell["changed"].append(float(trend_of(np.repeat(own, counts) + scatter, counts).changed))
    return cell


def held_out(
    series: int, sessions: int, seed: int, runs: int, made: Callable[[int, np.random.Generator], Array]
) -> Cell:
    """The series with a reported change although the truth is constant; several runs of a session share a variation."""
    rng = np.random.default_rng([88, sessions, seed])
    counts = np.full(sessions, runs)
    cell: Cell = {"changed": []}
    for _ in range(series):
        scatter = rng.normal(size=int(counts.sum())) if runs > 1 else 0.0
        cell["changed"].append(float(trend_of(np.repeat(made(sessions, rng), counts) + scatter, counts).changed))
    return cell


def found(series: int, sessions: int, size: float, where: str) -> Cell:
    """The series in which a change is found, and those in which the named build is also right."""
    rng = np.random.default_rng([9, sessions, size, WHERE.index(where)])
    at = sessions // 2 if where == WHERE[0] else sessions - 2
    cell: Cell = {"found": [], "named": []}
    for _ in range(series):
        values = rng.normal(size=sessions) + size * (np.arange(sessions) >= at)
        trend = trend_of(values, np.ones(sessions, dtype=np.int64))
        cell["found"].append(float(trend.changed))
        if trend.largest is not None:
            cell["named"].append(float(trend.largest.index == at))
    return cell


def remembering(noise: Array, memory: float) -> Array:
    """The noise with each value following the last by this correlation (AR(1))."""
    noise[1:] *= np.sqrt(1 - memory**2)
    for place in range(1, noise.size):
        noise[place] += memory * noise[place - 1]
    return noise


def trend_of(values: Array, counts: np.typing.NDArray[np.int64]) -> Trend:
    """The figures of runs with these deviations; this many in each session, one session a week."""
    days = np.repeat(7 * np.arange(counts.size), counts)
    dates = [RunDate(FIRST + DAY * float(day), DateEvidence.STATED) for day in days]
    (trend,) = of(weekly((100 * np.exp(_SCATTER * values)).tolist(), date=dates))
    return trend


def table_of_none(cells: dict[str, Cell]) -> Iterator[str]:
    """The table of false changes as Markdown."""
    yield from heads(
        "kind of series", *(f"share of series of {sessions} test days with a false change" for sessions in SESSIONS)
    )
    rows = {name: f"none {place}" for place, name in enumerate(TRUTHS)}
    rows |= {f"{name} (series not used to tune the method)": f"held out {place}" for place, name in enumerate(HELD_OUT)}
    for name, cell in rows.items():
        yield line(name, *(cells[f"trend {cell} {sessions}"]["changed"] for sessions in SESSIONS))


def table_of_steps(cells: dict[str, Cell]) -> Iterator[str]:
    """The table of steps found and named as Markdown."""
    findings = ("share of steps found", "share of found steps with the correct build")
    names = [f"{what} ({count} test days)" for what in findings for count in SESSIONS]
    yield from heads("step", *names)
    for where, size in product(WHERE, STEPS):
        row = [cells[f"trend {size} {where} {sessions}"] for sessions in SESSIONS]
        yield line(
            f"step of {size} standard deviations {where}", *(cell[what] for what in ("found", "named") for cell in row)
        )
