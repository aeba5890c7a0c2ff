"""Samples in memory are read once, limited in size, and never those of another run."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from weakref import ref

import numpy as np
import pytest

from tests.builders import T0, counter, recording, run
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.study.series import vm_series as kept
from workbench.study.series.vm_series import BySeries, Matrix, forget_samples, keep_ahead, kept_samples, vm_samples


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    forget_samples()
    yield
    forget_samples()


def one_run(folder: Path, name: str, level: float) -> Run:
    times = T0 + 10.0 * np.arange(1, 101)
    return run(recording(folder, name, times, [(counter("A", Quantity.IOPS), np.full(100, level))]))


def test_that_cached_samples_equal_those_of_the_run(tmp_path: Path) -> None:
    first, second = one_run(tmp_path, "one", 5.0), one_run(tmp_path, "two", 7.0)
    for _ in range(2):
        assert kept_samples(first, Quantity.IOPS)["A"].values.tolist() == [5.0] * 100
        assert kept_samples(second, Quantity.IOPS)["A"].values.tolist() == [7.0] * 100
    assert kept_samples(first, Quantity.READ_IOPS) == {}


def test_that_samples_are_read_once_and_a_changed_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Run] = []

    def noting(run: Run, quantity: Quantity) -> BySeries:
        read.append(run)
        return vm_samples(run, quantity)

    monkeypatch.setattr(kept, "vm_samples", noting)
    one = one_run(tmp_path, "one", 5.0)
    changed = replace(one, name="renamed")
    for _ in range(3):
        kept_samples(one, Quantity.IOPS)
        kept_samples(changed, Quantity.IOPS)
    assert read == [one, changed]


def test_that_the_oldest_use_is_dropped_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Times, seconds and values of 100 samples are 2,400 bytes: two runs fit, three do not.
    monkeypatch.setattr(kept, "MAX_BYTES", 6_000)
    runs = [one_run(tmp_path, str(number), float(number)) for number in range(3)]
    first = kept_samples(runs[0], Quantity.IOPS)
    second = kept_samples(runs[1], Quantity.IOPS)
    assert kept_samples(runs[0], Quantity.IOPS) is first
    kept_samples(runs[2], Quantity.IOPS)
    assert kept_samples(runs[0], Quantity.IOPS) is first
    assert kept_samples(runs[1], Quantity.IOPS) is not second


def test_that_samples_of_a_closed_run_are_freed(tmp_path: Path) -> None:
    first, second = one_run(tmp_path, "one", 5.0), one_run(tmp_path, "two", 7.0)
    values = [ref(kept_samples(one, Quantity.IOPS)["A"].values) for one in (first, second)]
    del first
    gc.collect()
    assert [value() is None for value in values] == [True, False]


def test_that_the_rates_of_a_measured_run_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {name: np.arange(100.0) + place for place, name in enumerate("ABC")}
    times = T0 + 10.0 * np.arange(1, 101)
    counters = [(counter(vm, kind), values) for vm, values in rates.items() for kind in (Quantity.IOPS, Quantity.CPU)]
    measured = run(recording(tmp_path, "a.csv", times, counters))
    run_figures(measured)
    monkeypatch.setattr(kept, "vm_samples", never)
    found = kept_samples(measured, Quantity.IOPS)
    assert {vm: samples.values.tolist() for vm, samples in found.items()} == {
        vm: values.tolist() for vm, values in rates.items()
    }
    # Rows of a separate matrix, so the other counters of the file are freed.
    assert isinstance(found, Matrix)
    assert found.table.flags.owndata
    assert found.table.shape == (3, 100)


def test_that_a_run_with_very_many_samples_is_not_cached_in_advance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "AHEAD_OF_ONE", 2_399)
    one = one_run(tmp_path, "one", 5.0)
    keep_ahead(one, Quantity.IOPS, vm_samples(one, Quantity.IOPS))
    monkeypatch.setattr(kept, "vm_samples", lambda *_: {})
    assert kept_samples(one, Quantity.IOPS) == {}


def test_that_samples_cached_in_advance_displace_no_requested_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = one_run(tmp_path, "one", 5.0), one_run(tmp_path, "two", 7.0)
    kept_samples(first, Quantity.IOPS)
    monkeypatch.setattr(kept, "AHEAD_BYTES", 2_400)
    keep_ahead(second, Quantity.IOPS, vm_samples(second, Quantity.IOPS))
    monkeypatch.setattr(kept, "vm_samples", never)
    assert kept_samples(first, Quantity.IOPS)["A"].values.tolist() == [5.0] * 100
    assert kept_samples(second, Quantity.IOPS)["A"].values.tolist() == [7.0] * 100


def never(*_: object) -> BySeries:
    raise AssertionError("read again")
