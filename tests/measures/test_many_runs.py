"""Computed values are cached for every run of a large study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.caches.use import run_cache
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.vantage import tiers_of
from workbench.model.metric import Quantity


def _many(folder: Path, count: int) -> list[RunFigures]:
    times = [T0 + 15.0 * step for step in range(1, 5)]
    reads = recording(folder, "A.csv", times, [(counter("A", Quantity.READ_IOPS), [1.0] * 4)])
    one = run_figures(run(reads, stated_phases=(phase("steady", T0, T0 + 60),)))
    return [replace(one, run=replace(one.run, name=f"run-{number}")) for number in range(count)]


def test_that_tiers_and_caches_of_a_thousand_runs_are_computed_once(tmp_path: Path) -> None:
    runs = _many(tmp_path, 1_000)
    for kept in (tiers_of, run_cache):
        before = [kept(figures) for figures in runs]
        assert all(kept(figures) is one for figures, one in zip(runs, before, strict=True))
