"""The series of the runs: one for each configuration, metric, phase and test.

Runs with another session type, number of VMs or workload are another test. A run with fewer statements counts as the
only test of the others that fits. So a user who starts to write `workload` into run.toml keeps the earlier runs. If
several tests fit, the run becomes a separate series, because its test is unknown.

Also the notes on the runs of a series, and other changes among them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from workbench.answers.trend.points import (
    TEST,
    TrendSeries,
    build_words,
    by_session,
    date_notes,
    in_order,
    run_of,
    test_of,
)
from workbench.measures.catalogue import MEASURES
from workbench.model.history import HistoryPoint
from workbench.model.problem import few_named
from workbench.words.numbers import plural

_VMS = "number of VMs"
Test = tuple[str, ...]


class _Key(NamedTuple):
    phase: str
    measure: str
    configuration: str
    test: Test


def series_of(points: Iterable[HistoryPoint], measures: Sequence[str] = ()) -> tuple[TrendSeries, ...]:
    """The series of the points of one metric and phase, each in order (`in_order`). `measures` (keys) limits them."""
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


def _series(key: _Key, members: Sequence[HistoryPoint], tests: Collection[Test], split: str) -> TrendSeries:
    whole = by_session([point for point in members if not point.lower_bound])
    partial = tuple(point for point in members if point.lower_bound)
    label = ", ".join((key.configuration, *_words(key.test, tests)))
    return TrendSeries(label, MEASURES[key.measure], key.phase, whole, partial, key.test, split)


def _tests(points: Iterable[HistoryPoint]) -> dict[tuple[str, Test], Test]:
    """The test of each run of a configuration, from the statements of the runs."""
    stated: dict[str, dict[Test, None]] = {}
    for point in points:
        stated.setdefault(point.configuration, {})[test_of(point)] = None
    return {(name, test): _fullest(test, tests) for name, tests in stated.items() for test in tests}


def _fullest(test: Test, tests: Iterable[Test]) -> Test:
    """The only test that states this and more; the test itself if there is none, or if several differ."""
    fuller = [other for other in tests if _extends(other, test)]
    last = [one for one in fuller if not any(_extends(other, one) for other in fuller)]
    return last[0] if len(last) == 1 else test


def _extends(other: Test, test: Test) -> bool:
    return other != test and all(not ours or ours == theirs for ours, theirs in zip(test, other, strict=True))


def _differing(tests: Collection[Test]) -> list[int]:
    """The positions of TEST in which tests differ."""
    return [position for position in range(len(TEST)) if len({test[position] for test in tests}) > 1]


def _words(test: Test, tests: Collection[Test]) -> list[str]:
    """The text that distinguishes a test from the others of its configuration: `office`, `5 VMs`, `workload
    unknown`."""
    return [_value_words(position, test[position]) or f"{TEST[position]} unknown" for position in _differing(tests)]


def _value_words(position: int, value: str) -> str:
    return plural(int(value), "VM") if value and TEST[position] == _VMS else value


def split_text(configuration: str, runs: Mapping[Test, Sequence[HistoryPoint]]) -> str:
    """The reason why the runs of a configuration form several series, and the builds of each; empty if they form
    one.
    """
    if len(runs) < 2:
        return ""
    places = _differing(runs)
    parts = ", ".join(f"{_stated_words(test, places)} ({_runs_words(points)})" for test, points in runs.items())
    text = f"{configuration} is split into {len(runs)} series because its runs belong to different tests: {parts}"
    unknown = [TEST[position] for position in places if any(not test[position] for test in runs)]
    if unknown:
        text += "".join(f". For runs without a {what}, set it in run.toml or in VDI Workbench" for what in unknown)
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
    """The runs of a series as text: `6 runs, builds 7 to 12`."""
    runs = sorted({run_of(point): point for point in points}.values(), key=in_order)
    names = list(dict.fromkeys(map(build_words, runs)))
    noun = "build" if all(point.build for point in runs) else "run"
    ends = f"{noun} {names[0]}" if len(names) == 1 else f"{noun}s {names[0]} to {names[-1]}"
    return f"{plural(len(runs), 'run')}, {ends}"


def silent_notes(series: TrendSeries) -> list[str]:
    """The runs of a series that count as its test although they do not state it."""
    notes: list[str] = []
    for position, name in enumerate(TEST):
        silent = sum(not test_of(point)[position] for point in series.every) if series.test[position:] else 0
        if silent and series.test[position]:
            verbs = "lacks" if silent == 1 else "lack"
            count, value = len(series.every), _value_words(position, series.test[position])
            notes.append(
                f"{silent} of {count} runs {verbs} the {name}: '{value}' is assumed, "
                "because no similar run has a different value"
            )
    return notes


def beside_of(points: Sequence[HistoryPoint]) -> tuple[str, ...]:
    """Other changes among the runs between which the step may be; each is another possible explanation."""
    names = dict.fromkeys(name for point in points for name, _ in point.circumstances)
    messages = [_changed(name, points) for name in names]
    methods = list(dict.fromkeys(point.method for point in points))
    if len(methods) > 1:
        messages.append(f"the values come from different versions of the method ({methods[0]} and {methods[-1]})")
    return tuple(filter(None, messages))


def _changed(name: str, points: Sequence[HistoryPoint]) -> str:
    """The change of a circumstance over the runs, or the run from which on it is stated; empty if it does not
    change.
    """
    values = [dict(point.circumstances).get(name) for point in points]
    stated = list(dict.fromkeys(value for value in values if value))
    if len(stated) > 1:
        return f"the {name} changed from {stated[0]} to {stated[-1]}"
    if not values[0] and values[-1]:
        point = next(point for point, value in zip(points, values, strict=True) if value)
        build = f"build {point.build}" if point.build else f"the run {point.run}"
        return f"the {name} is stated only from {build} on ('{stated[0]}')"
    return ""


def notes_of(series: TrendSeries) -> tuple[str, ...]:
    """Facts about the runs that a user must know."""
    bounds, count = len(series.partial), len(series.every)
    undated = sum(point.date is None for point in series.every)
    unnamed = sum(point.build is None for point in series.every)
    notes = [f"{_of_runs(bounds, count)} only lower bounds. The test excludes such runs"] if bounds else []
    notes += (
        [f"{undated} of {count} runs {_has(undated)} no date and {'are' if undated > 1 else 'is'} shown first"]
        if undated
        else []
    )
    notes += [f"{_of_runs(unnamed, count)} no build number. Set 'build' in run.toml"] if unnamed else []
    notes += _session_notes(series)
    methods = list(dict.fromkeys(point.method for point in series.points))
    if len(methods) > 1:
        names = " and ".join(str(method) for method in methods)
        notes.append(f"the values come from different versions of the method ({names})")
    return (*notes, *date_notes(series), *_kept_notes(series), *silent_notes(series), *filter(None, (series.split,)))


def _has(count: int) -> str:
    return "has" if count == 1 else "have"


def _of_runs(count: int, every: int) -> str:
    """`1 of 12 runs has`, `2 of 12 runs have`, or `The run has` if there is only one."""
    return f"{count} of {every} runs {_has(count)}" if every > 1 else "The run has"


def _session_notes(series: TrendSeries) -> list[str]:
    """Notes that several runs count once, and the places where a step could not be seen."""
    starts, count = series.starts, len(series.points)
    builds = [{point.build for point in series.session_at(start)} for start in starts]
    several = sum(len(names) > 1 for names in builds)
    one = len(starts) == 1
    made = "1 test day, which counts once" if one else f"{len(starts)} test days, and each test day counts once"
    notes = [f"{count} runs belong to {made}"] * (len(starts) < count)
    text = f"{several} of {len(starts)} test days {_has(several)} several builds: a step within one cannot be found"
    return [*notes, *([text] if several else [])]


def _kept_notes(series: TrendSeries) -> list[str]:
    """The runs that are only in the history folder, and those of them that are missing in an open study with their
    name.
    """
    if not (kept := series.kept):
        return []
    count = len(kept)
    notes = [f"{count} of {len(series.every)} runs {'comes' if count == 1 else 'come'} only from the history folder"]
    missing = {
        study: [point.run for point in kept if point.study == study]
        for study in dict.fromkeys(point.study for point in series.every if point.folder)
    }
    texts = {study: few_named(runs) for study, runs in missing.items() if runs}
    return [*notes, *(f"the open study '{study}' does not contain {runs}" for study, runs in texts.items())]
