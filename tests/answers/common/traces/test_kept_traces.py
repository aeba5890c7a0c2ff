"""Cached traces: a drawn trace is not computed again, and a stale one is never shown."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from weakref import ref

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.common.traces import trace_figure
from workbench.answers.common.traces.trace_figure import forget_traces, shown_traces
from workbench.answers.common.traces.traces import View, traces, windows
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.traced import TRACED
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run

TIMES = T0 + 10.0 * np.arange(1, 61)
STEADY = View("steady")


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    forget_traces()
    yield
    forget_traces()


def made(folder: Path, name: str, level: float) -> Run:
    columns = [
        (counter(vm, quantity), np.full(TIMES.size, level * factor))
        for vm in ("A", "B")
        for quantity, factor in ((Quantity.IOPS, 1.0), (Quantity.READ_LATENCY, 0.001))
    ]
    one = recording(folder, f"{name}.csv", TIMES, columns)
    configuration = Configuration(name, Provisioning.MCS)
    return run(
        one,
        name=name,
        folder=name,
        configuration=configuration,
        stated_phases=(phase("boot", 0, 100), phase("steady", 100, 400)),
    )


def groups_of(*runs: Run) -> tuple[Group, ...]:
    return group_runs([run_figures(one) for one in runs])


def test_that_configurations_computed_together_equal_those_computed_alone(tmp_path: Path) -> None:
    groups = groups_of(*(made(tmp_path, f"MCS {level}", level) for level in (5.0, 7.0, 9.0)))
    limits = windows(groups, STEADY)
    found = shown_traces(groups, STEADY, limits)
    assert list(found) == [group.label for group in groups]
    for group in groups:
        alone = traces(group, STEADY, (Quantity.IOPS,), limits[group.label])
        assert np.array_equal(found[group.label].values, alone.values, equal_nan=True)
        assert found[group.label].names == alone.names


def test_that_a_drawn_trace_is_not_computed_again(tmp_path: Path) -> None:
    groups = groups_of(made(tmp_path, "r1", 5.0), made(tmp_path, "r2", 7.0))
    limits = windows(groups, STEADY)
    first = shown_traces(groups, STEADY, limits)
    # The window groups the runs anew for every answer.
    again = shown_traces([replace(group) for group in groups], STEADY, limits)
    assert all(again[label] is found for label, found in first.items())


def test_that_a_different_phase_or_metric_or_range_or_edited_run_gives_a_new_trace(tmp_path: Path) -> None:
    one = made(tmp_path, "r1", 5.0)
    (group,) = groups_of(one)
    limits = windows((group,), STEADY)
    first = shown_traces((group,), STEADY, limits)[group.label]
    boot = View("boot")
    assert shown_traces((group,), boot, windows((group,), boot))[group.label] is not first
    latency = View("steady", Quantity.READ_LATENCY)
    assert shown_traces((group,), latency, limits)[group.label] is not first
    assert shown_traces((group,), STEADY, {group.label: (0.0, 50.0)})[group.label].edges[-1] == 50.0
    (moved,) = groups_of(replace(one, stated_phases=(phase("boot", 0, 100), phase("steady", 200, 500))))
    edited = shown_traces((moved,), STEADY, limits)[moved.label]
    assert [region.end for region in edited.regions] != [region.end for region in first.regions]


def test_that_cached_traces_are_in_the_displayed_unit(tmp_path: Path) -> None:
    (group,) = groups_of(made(tmp_path, "r1", 5.0))
    view = View("steady", Quantity.READ_LATENCY)
    found = shown_traces((group,), view, windows((group,), view))[group.label]
    assert TRACED[Quantity.READ_LATENCY].unit == "ms"
    assert np.nanmax(found.values) == pytest.approx(5.0)


def test_that_the_cache_of_traces_stays_within_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (group,) = groups_of(made(tmp_path, "r1", 5.0))
    limits = windows((group,), STEADY)
    first = shown_traces((group,), STEADY, limits)[group.label]
    monkeypatch.setattr(trace_figure, "MAX_BYTES", first.values.nbytes)
    boot = View("boot")
    shown_traces((group,), boot, windows((group,), boot))
    assert shown_traces((group,), STEADY, limits)[group.label] is not first


def test_that_traces_of_closed_runs_are_freed(tmp_path: Path) -> None:
    (group,) = groups_of(made(tmp_path, "r1", 5.0))
    values = ref(shown_traces((group,), STEADY, windows((group,), STEADY))[group.label].values)
    assert values() is not None
    del group
    gc.collect()
    assert values() is None
