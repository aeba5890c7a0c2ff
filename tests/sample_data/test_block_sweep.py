"""The simulated sweep of the sample: the content of its files, and the predictions of untested sizes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sample_data.generator.block_cache import STEP_S, Truth, cached, workload
from sample_data.generator.block_sweep import LOAD, RUNS, SIZES_MB, STEPS, STUDY, VMS, seed
from tests.samples import sample
from workbench.answers.cache.compute import CacheAnswer, cache_answer
from workbench.answers.cache.untested.predict import Untested, untested
from workbench.measures.configurations import group_runs
from workbench.study.discovery.folders import SKIPPED

FOLDER = Path(__file__).parents[2] / "sample_data" / STUDY
LARGEST = SIZES_MB[-1]


@pytest.fixture(scope="module")
def answer() -> CacheAnswer:
    figures = sample(STUDY).figures or {}
    return cache_answer(group_runs(figures.values()), "steady")


@pytest.fixture(scope="module")
def kind(answer: CacheAnswer) -> Untested:
    (kind,) = untested(answer)
    assert isinstance(kind, Untested)
    return kind


def truths(size_mb: float, writes_of: int) -> list[list[Truth]]:
    """The use of a cache of this size with the writes of runs with another size, for each run."""
    runs = [seed(writes_of, number) for number in range(1, RUNS + 1)]
    return [[cached(workload(run, vm, STEPS, LOAD), size_mb) for vm in range(len(VMS))] for run in runs]


def first_overflows(runs: list[list[Truth]]) -> list[float | None]:
    return [min((vm.overflow_s for vm in run if vm.overflow_s is not None), default=None) for run in runs]


def test_that_the_block_sweep_is_opened_as_a_single_study() -> None:
    assert (FOLDER / SKIPPED).is_file()


@pytest.mark.parametrize("size", SIZES_MB[1:])
def test_that_tested_sizes_overflow_when_their_simulated_caches_do(answer: CacheAnswer, size: int) -> None:
    cache = next(cache for cache in answer.cached if cache.size_mb == size)
    true = [moment for moment in first_overflows(truths(size, size)) if moment is not None]
    assert cache.overflow_runs == len(true)
    assert cache.overflow_s == (pytest.approx(np.mean(true), abs=0.01) if true else None)


@pytest.mark.parametrize("size", [24.0, 48.0, 80.0, 100.0, 150.0, 180.0, 300.0])
def test_that_sizes_that_are_not_tested_are_within_the_prediction(kind: Untested, size: float) -> None:
    runs = truths(size, LARGEST)
    true, seen = first_overflows(runs), kind.at(size)
    assert seen.overflow_runs == sum(moment is not None for moment in true)
    known = [moment for moment in true if moment is not None]
    if seen.overflow is not None:
        assert abs(seen.overflow.value - np.mean(known)) <= STEP_S
    assert seen.spilled_mb is not None
    assert seen.spilled_mb.value <= np.mean([vm.spilled_mb for run in runs for vm in run]) + 1e-9
    share = seen.writes_left
    assert share is not None
    written, asked = (sum(getattr(vm, part)[25:].sum() for run in runs for vm in run) for part in ("written", "asked"))
    assert share.low - 1e-9 <= written / asked <= share.high + 1e-9


def test_that_the_ram_curve_is_not_the_minimum_of_written_bytes_and_size() -> None:
    """A full cache is emptied by pages, so its RAM used falls again and again."""
    (vm, *_), *_ = truths(32, 32)
    full = vm.ram[np.argmax(vm.ram) :]
    assert (np.diff(full) < 0).any()
    assert vm.disk[-1] > vm.spilled_mb * 2**20
