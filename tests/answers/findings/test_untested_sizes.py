"""The finding of the smallest cache size with which no VM would overflow: predicted, with its bounds and caveats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.answers.cache.untested.test_partial import gauged, mcsio, plain
from tests.answers.cache.untested.test_predict import made
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.rules.cache_untested import untested_findings
from workbench.answers.findings.words import Asked
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.run import Run


def found(runs: Sequence[Run]) -> list[Finding]:
    return [*untested_findings(Asked("study", group_runs(run_figures(run) for run in runs)))]


def held(folder: Path, size: int, peaks: Sequence[float]) -> list[Run]:
    return [made(folder / f"{size}-{number}", size, [0, peak], [0, 0]) for number, peak in enumerate(peaks)]


def test_that_the_smallest_size_without_overflow_is_predicted_with_its_bounds(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (finding,) = found(held(tmp_path, 1000, [570.0, 560.0, 551.0]))
    assert finding.strength is Strength.INDICATIVE
    # 570 MB were used; they are 95 to 100 % of the size without overflow.
    assert plain(finding.text) == snapshot
    caveats = " ".join(finding.caveats)
    assert caveats == snapshot
    assert "Test a cache of 600" in caveats
    # The sentence already says that 100 is assumed, and a customer does not see the cache page.
    assert "state yours" not in caveats
    assert (finding.page, finding.view, len(finding.runs)) == ("cache", "what-if", 3)


def test_that_a_prediction_from_one_run_mentions_it(tmp_path: Path) -> None:
    (finding,) = found(held(tmp_path, 1000, [570.0]))
    assert finding.strength is Strength.SINGLE
    assert "predicted from a single run of" in finding.text


def test_that_runs_with_an_overflow_give_an_upper_bound(tmp_path: Path) -> None:
    (finding,) = found([made(tmp_path / "a", 200, [0, 200, 199], [0, 0, 300])])
    assert "needs at most" in finding.text


def test_that_a_predicted_size_is_not_below_a_tested_size_without_overflow(tmp_path: Path) -> None:
    assert found(held(tmp_path, 580, [570.0] * 3)) == []


def test_that_a_size_that_a_test_contradicts_is_not_a_finding(tmp_path: Path) -> None:
    spilling = mcsio(lambda at: min(400, 4 * at), lambda at: max(0, 4 * at - 400))
    overflowed = gauged(tmp_path / "400", {"A": spilling}, 400)
    held_with_less = gauged(tmp_path / "2000", {"A": mcsio(lambda at: 0.5 * at)}, 2000)
    assert len(found([held_with_less])) == 1
    assert found([overflowed, held_with_less]) == []


def test_that_a_study_whose_sizes_all_overflow_has_no_prediction(tmp_path: Path) -> None:
    assert found([made(tmp_path / "a", 256, [0, 100])]) == []
