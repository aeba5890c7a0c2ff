"""The counters that are chosen for figures are cached for the latest runs, up to a size in bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import T0, counter, recording, run
from workbench.model.metric import Quantity, Vantage
from workbench.model.run import Run
from workbench.study.series import chosen

TIMES = [T0 + 15.0, T0 + 30.0]


@pytest.fixture
def runs(tmp_path: Path) -> list[Run]:
    reads = counter("A", Quantity.READ_IOPS)
    return [run(recording(tmp_path, f"{name}.csv", TIMES, [(reads, [1.0, 2.0])]), name=name) for name in "abcdefghijkl"]


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    looked_at: list[str] = []
    choose = chosen._candidates

    def noted(run: Run) -> chosen.Candidates:
        looked_at.append(run.name)
        return choose(run)

    monkeypatch.setattr(chosen, "_candidates", noted)
    return looked_at


def choose(runs: list[Run]) -> None:
    for one in runs:
        assert list(chosen.chosen_parts(one, (Quantity.READ_IOPS,)).whole[Quantity.READ_IOPS]) == ["a"]


def test_that_the_counters_of_many_runs_are_chosen_once(runs: list[Run], looked_at: list[str]) -> None:
    choose(runs)
    choose(runs)
    assert looked_at == list("abcdefghijkl")


def test_that_the_oldest_are_dropped_above_the_size_limit(
    runs: list[Run], looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen, "MAX_BYTES", 2 * chosen._COUNTER_BYTES)
    chosen._KEPT.clear()
    choose(runs[:3])
    choose([runs[2], runs[1], runs[0]])
    assert looked_at == list("abca")


def test_that_the_last_requested_run_stays_for_any_size(
    runs: list[Run], looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen, "MAX_BYTES", 1)
    choose([runs[0], runs[0], runs[1], runs[1]])
    assert looked_at == list("ab")


def test_that_counters_are_grouped_by_meaning(tmp_path: Path) -> None:
    columns = [(counter(vm, Quantity.READ_IOPS), [1.0, 2.0]) for vm in ("A", "B", None)]
    kinds = chosen.kinds(run(recording(tmp_path, "a.csv", TIMES, columns)))
    assert kinds == {
        chosen.CounterKind(Vantage.GUEST, None, Quantity.READ_IOPS, of_vm, False) for of_vm in (True, False)
    }
