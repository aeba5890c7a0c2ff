"""Computed values of a run are kept as long as the run; a closed study leaves none."""

from __future__ import annotations

import gc
import pickle
import re
from pathlib import Path
from weakref import ref

import pytest

import workbench
from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.compute import cache_answer, run_dips
from workbench.answers.cache.untested.predict import run_footprints, untested
from workbench.answers.prepare.gaps import verdicts
from workbench.answers.sizing.measured import io_size_kib, iops_percentile, summed_load
from workbench.measures.caches.use import run_cache
from workbench.measures.configurations import group_runs
from workbench.measures.coverage.bounds import complete
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.vantage import tiers_of
from workbench.model import run_cache as kept
from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.study.history.layout import recorded
from workbench.study.series.vm_series import kept_samples

PACKAGE = Path(workbench.__file__).parent
CACHE = re.compile(r"@(lru_cache\(maxsize=[\w *]+\)|cache)\ndef (?P<name>\w+)\((?P<arguments>[^)]*)\)")
OF_RUNS = re.compile(r"\b(Run|RunFigures|RunCache|Group|Recording|Study|Library|CacheAnswer|Untested)\b")


@pytest.fixture
def figures(tmp_path: Path) -> RunFigures:
    times = [T0 + 15.0 * step for step in range(1, 9)]
    reads = recording(tmp_path, "A.csv", times, [(counter("A", Quantity.READ_IOPS), [1.0] * 8)])
    return run_figures(run(reads, stated_phases=(phase("steady", T0, T0 + 120),)))


def test_that_a_closed_run_is_freed_with_its_computed_values(tmp_path: Path) -> None:
    times = [T0 + 15.0 * step for step in range(1, 9)]

    def used() -> ref[Run]:
        reads = recording(tmp_path, "A.csv", times, [(counter("A", Quantity.READ_IOPS), [1.0] * 8)])
        figures = run_figures(run(reads, stated_phases=(phase("steady", T0, T0 + 120),)))
        cache = run_cache(figures)
        for answer in (tiers_of(figures), verdicts(figures), run_dips(cache), run_footprints(cache)):
            assert answer is not None
        for group in group_runs([figures]):
            complete(group, "steady")
        io_size_kib(figures, "steady")
        iops_percentile(figures, "steady", 95.0)
        summed_load(figures, "steady", 95.0)
        kept_samples(figures.run, Quantity.READ_IOPS)
        for kind in untested(cache_answer(group_runs([figures]), "steady")):
            assert kind
        recorded(figures.run)
        return ref(figures.run)

    one = used()
    gc.collect()
    assert one() is None


def test_that_computed_values_are_reused(figures: RunFigures) -> None:
    asked: list[tuple[Run, int]] = []

    @kept.kept_with_run
    def none_of(run: Run, number: int) -> None:
        asked.append((run, number))

    for number in (1, 2, 1, 2):
        assert none_of(figures.run, number) is None
    assert asked == [(figures.run, 1), (figures.run, 2)]


def test_that_figures_are_matched_to_a_run_without_comparing_content(figures: RunFigures) -> None:
    class Figures:
        __hash__ = None  # type: ignore[assignment]

        def __init__(self) -> None:
            self.run = figures.run

        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared by value")

    asked: list[Figures] = []

    @kept.kept_with_run
    def place_of(figures: Figures) -> int:
        asked.append(figures)
        return len(asked)

    one, other = Figures(), Figures()
    assert [place_of(figures) for figures in (one, one, other, one)] == [1, 1, 2, 1]


def test_that_the_oldest_run_is_dropped_above_the_limit(
    figures: RunFigures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "KEPT_RUNS", 2)
    asked: list[str] = []

    @kept.kept_with_run
    def name_of(run: Run) -> str:
        asked.append(run.name)
        return run.name

    runs = [run(name=name) for name in "abc"]
    for one in (*runs, runs[2], runs[1], runs[0]):
        name_of(one)
    assert asked == ["a", "b", "c", "a"]


def test_that_a_second_process_receives_runs_without_cached_values(figures: RunFigures) -> None:
    (group,) = group_runs([figures])
    plain = len(pickle.dumps(group))
    tiers_of(figures)
    recorded(figures.run)
    kept_samples(figures.run, Quantity.READ_IOPS)
    complete(group, "steady")
    assert kept.KEPT in vars(figures.run)
    assert kept.KEPT in vars(group)
    assert len(pickle.dumps(group)) < plain + 200
    assert pickle.loads(pickle.dumps(group)).runs[0].run.recordings == figures.run.recordings


def test_that_no_cache_keeps_runs_of_closed_studies_alive() -> None:
    caches = [
        (f"{file.stem}.{match['name']}", match["arguments"])
        for file in PACKAGE.rglob("*.py")
        for match in CACHE.finditer(file.read_text("utf-8"))
    ]
    assert len(caches) > 30
    assert [name for name, arguments in caches if OF_RUNS.search(arguments)] == []
