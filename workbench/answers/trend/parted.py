"""The series that runs make: one for each configuration, measure and phase, and for each test that was run.

Runs of another kind of session, number of VMs or workload are another test. A run that states less counts as the test
that the others state, as long as they state no more than one that fits it: who begins to write `workload` into run.toml
keeps the runs before. Where they state several, nothing says which of them it was, and it makes a series of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from workbench.answers.trend.points import TEST, Series, by_session, in_order, test_of
from workbench.answers.trend.slots import build_words, run_of
from workbench.measures.catalogue import MEASURES
from workbench.model.history import HistoryPoint

_VMS = "number of VMs"
Test = tuple[str, ...]


class _Key(NamedTuple):
    phase: str
    measure: str
    configuration: str
    test: Test


def series_of(points: Iterable[HistoryPoint], measures: Sequence[str] = ()) -> tuple[Series, ...]:
    """The series that the points make, those of one measure and phase together, each in order (`in_order`). `measures`
    (keys): these alone."""
    followed = [point for point in points if point.measure in MEASURES and (not measures or point.measure in measures)]
    tests = _tests(followed)
    by_key: dict[_Key, list[HistoryPoint]] = {}
    by_configuration: dict[str, dict[Test, list[HistoryPoint]]] = {}
    for point in followed:
        test = tests[point.configuration, test_of(point)]
        by_key.setdefault(_Key(point.phase, point.measure, point.configuration, test), []).append(point)
        by_configuration.setdefault(point.configuration, {}).setdefault(test, []).append(point)
    splits = {name: split_text(name, runs) for name, runs in by_configuration.items()}
    heads = dict.fromkeys((key.phase, key.measure) for key in by_key)
    return tuple(
        _series(key, sorted(members, key=in_order), by_configuration[key.configuration], splits[key.configuration])
        for head in heads
        for key, members in by_key.items()
        if (key.phase, key.measure) == head
    )


def _series(key: _Key, members: Sequence[HistoryPoint], tests: Collection[Test], split: str) -> Series:
    whole = by_session([point for point in members if not point.lower_bound])
    partial = tuple(point for point in members if point.lower_bound)
    label = ", ".join((key.configuration, *_words(key.test, tests)))
    return Series(label, MEASURES[key.measure], key.phase, whole, partial, key.test, split)


def _tests(points: Iterable[HistoryPoint]) -> dict[tuple[str, Test], Test]:
    """The test that a run of a configuration counts as, by what it states."""
    stated: dict[str, dict[Test, None]] = {}
    for point in points:
        stated.setdefault(point.configuration, {})[test_of(point)] = None
    return {(name, test): _fullest(test, tests) for name, tests in stated.items() for test in tests}


def _fullest(test: Test, tests: Iterable[Test]) -> Test:
    """The one test that states the same and more; the test itself where there is none, or several that differ."""
    fuller = [other for other in tests if _extends(other, test)]
    last = [one for one in fuller if not any(_extends(other, one) for other in fuller)]
    return last[0] if len(last) == 1 else test


def _extends(other: Test, test: Test) -> bool:
    return other != test and all(not ours or ours == theirs for ours, theirs in zip(test, other, strict=True))


def _differing(tests: Collection[Test]) -> list[int]:
    """The places of TEST in which tests differ."""
    return [position for position in range(len(TEST)) if len({test[position] for test in tests}) > 1]


def _words(test: Test, tests: Collection[Test]) -> list[str]:
    """What tells a test from the others of its configuration: `office`, `5 VMs`, `workload unknown`."""
    return [_value_words(position, test[position]) or f"{TEST[position]} unknown" for position in _differing(tests)]


def _value_words(position: int, value: str) -> str:
    return f"{value} VMs" if value and TEST[position] == _VMS else value


def split_text(configuration: str, runs: Mapping[Test, Sequence[HistoryPoint]]) -> str:
    """Why the runs of a configuration make several series, and of which builds each is; empty where they make one."""
    if len(runs) < 2:
        return ""
    places = _differing(runs)
    parts = ", ".join(f"{_stated_words(test, places)} ({_runs_words(points)})" for test, points in runs.items())
    text = f"{configuration} is split into {len(runs)} series because its runs are of different tests: {parts}"
    unknown = [TEST[position] for position in places if any(not test[position] for test in runs)]
    if unknown:
        text += f". State the {' and the '.join(unknown)} of the runs that lack it in run.toml or in the window"
    return text


def _stated_words(test: Test, places: Sequence[int]) -> str:
    texts = [
        _value_words(position, test[position]) if TEST[position] == _VMS else f"{TEST[position]} {test[position]}"
        for position in places
    ]
    return " and ".join(
        text if test[position] else f"no {TEST[position]} stated" for position, text in zip(places, texts, strict=True)
    )


def _runs_words(points: Sequence[HistoryPoint]) -> str:
    """`6 runs, builds 7 to 12`."""
    runs = sorted({run_of(point): point for point in points}.values(), key=in_order)
    names = list(dict.fromkeys(map(build_words, runs)))
    noun = "build" if all(point.build for point in runs) else "run"
    ends = f"{noun} {names[0]}" if len(names) == 1 else f"{noun}s {names[0]} to {names[-1]}"
    return f"{len(runs)} run{'s' * (len(runs) != 1)}, {ends}"


def silent_notes(series: Series) -> list[str]:
    """Which runs of a series count as its test although they do not state it."""
    notes: list[str] = []
    for position, name in enumerate(TEST):
        silent = sum(not test_of(point)[position] for point in series.every) if series.test[position:] else 0
        if silent and series.test[position]:
            verbs = ("states", "counts") if silent == 1 else ("state", "count")
            count, value = len(series.every), _value_words(position, series.test[position])
            notes.append(
                f"{silent} of {count} runs {verbs[0]} no {name} and {verbs[1]} as {value}, as no other is stated for "
                "such runs"
            )
    return notes
