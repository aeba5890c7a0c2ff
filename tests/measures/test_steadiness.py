"""Is steady state steady? Runs with a known drift, step, warm-up or none of these, compared with numpy and scipy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, FloatArray, counter, disk_csv, phase, recording, run
from workbench.answers.compare.compute import compare
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.rules.compare import compare_findings
from workbench.answers.findings.words import Asked
from workbench.cli import main
from workbench.measures.configurations import group_runs, with_baseline
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.steadiness import Steadiness, marked_words, of_means, steady_words
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

LENGTH, STEP = 2700, 15


def correlated(size: int, seconds: float, seed: int, step: float = STEP) -> FloatArray:
    """Log-normal noise with mean 1 and a memory of that many seconds (0: no memory)."""
    random = np.random.default_rng(seed)
    keep = np.exp(-step / seconds) if seconds else 0.0
    noise = random.standard_normal(size + 300)
    for place in range(1, noise.size):
        noise[place] = keep * noise[place - 1] + np.sqrt(1 - keep**2) * noise[place]
    return np.exp(0.3 * noise[300:] - 0.045)


def figures(folder: Path, rate: FloatArray, name: str = "run", cache: FloatArray | None = None) -> RunFigures:
    """One VM with this rate in steady state from T0 on, and the bytes of its cache disk."""
    times = T0 + STEP * np.arange(1, rate.size + 1)
    columns = [(counter("A", Quantity.IOPS), rate)]
    configuration = Configuration(name.rsplit("-", 1)[0], Provisioning.MCSIO, None, 512)
    if cache is not None:
        columns.append((counter("A", Quantity.CACHE_DISK_USED), cache))
    stated = (phase("steady", 0, STEP * rate.size),)
    one = run(
        recording(folder, f"{name}.csv", times, columns),
        name=name,
        folder=f"study/{name}",
        stated_phases=stated,
        configuration=configuration,
    )
    return run_figures(one)


def judged(found: RunFigures) -> Steadiness:
    (row,) = found.phases
    assert row.steadiness is not None
    return row.steadiness


def level(drift: float = 0.0, seconds: float = 0.0, seed: int = 1) -> FloatArray:
    size = LENGTH // STEP
    return 10 * (1 + drift * (np.arange(size) / size - 0.5)) * correlated(size, seconds, seed)


def test_that_the_drift_is_the_slope_through_the_batch_means(tmp_path: Path) -> None:
    rate = level(0.4)
    found = judged(figures(tmp_path, rate))
    means = rate.reshape(20, -1).mean(axis=1)
    line = stats.linregress(np.arange(20), means)
    assert found.mean == pytest.approx(rate.mean())
    assert (found.lowest, found.highest) == (pytest.approx(means.min()), pytest.approx(means.max()))
    assert found.drift.percent == pytest.approx(100 * 20 * line.slope / rate.mean())
    rest = means - line.intercept - line.slope * np.arange(20)
    seen = (rest[1:] * rest[:-1]).sum() / (rest**2).sum()
    alike = max(0.0, seen + (2 + 4 * seen) / 20)
    inflation = (1 + alike) / (1 - alike)
    reach = stats.t.ppf(0.995, 20 / inflation - 2) * line.stderr * np.sqrt(inflation)
    assert found.drift.high - found.drift.percent == pytest.approx(100 * 20 * reach / rate.mean())
    assert found.drift.p == pytest.approx(
        2 * stats.t.sf(abs(line.slope) / (line.stderr * np.sqrt(inflation)), 20 / inflation - 2)
    )


def test_that_a_run_that_falls_by_a_third_is_marked_and_reported(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = figures(tmp_path, level(-0.45))
    assert judged(found).cause == "drift"
    (problem,) = [problem for problem in found.problems if problem.code == "not-steady"]
    assert problem.message == snapshot
    assert "2016-05-10 08:00:00 and 08:45:00 (UTC)" in problem.message
    assert "shown as measured" in problem.action
    assert marked_words(judged(found)).startswith("drifts by −")


@pytest.mark.parametrize("drift", [0.0, 0.08])
def test_that_a_run_without_drift_or_with_a_small_one_is_not_marked(tmp_path: Path, drift: float) -> None:
    found = figures(tmp_path, np.repeat(level(drift)[:: LENGTH // STEP // 20], LENGTH // STEP // 20) * 0 + 10)
    assert judged(found).cause is None
    steady = 10 * (1 + drift * (np.arange(180) / 180 - 0.5))
    small = judged(figures(tmp_path / "small", steady))
    # A line without variation has a certain drift, and one too small to matter.
    assert small.cause is None
    assert small.drift.percent == pytest.approx(100 * drift, abs=0.5)


@pytest.mark.parametrize("seconds", [0.0, 15.0, 60.0, 150.0, 300.0])
def test_that_long_correlated_noise_is_rarely_marked_as_drift(seconds: float) -> None:
    marked = [
        of_means(10 * correlated(540, seconds, seed, 5).reshape(20, -1).mean(axis=1), 0, LENGTH).cause
        for seed in range(300)
    ]
    # 1 % for the line, 1 % for the step, and the variation of 300 studies; with a long memory 20 means are too few.
    assert sum(cause is not None for cause in marked) / 300 <= (0.04 if seconds < 150 else 0.09)


def test_that_a_drift_of_40_percent_is_found_in_most_runs() -> None:
    size, marked = 540, 0
    for seed in range(200):
        rate = (1 + 0.4 * (np.arange(size) / size - 0.5)) * correlated(size, 15, seed, 5)
        marked += of_means(rate.reshape(20, -1).mean(axis=1), 0, LENGTH).cause is not None
    assert marked / 200 > 0.6


def test_that_iops_that_double_halfway_are_a_step_and_not_steady(tmp_path: Path) -> None:
    rate = level()
    rate[90:] *= 2
    found = figures(tmp_path, rate)
    steady = judged(found)
    assert (steady.cause, steady.step_at) == ("step", T0 + 1350)
    assert steady.warm_up_s == 0.0
    (problem,) = [problem for problem in found.problems if problem.code == "not-steady"]
    assert "at 2016-05-10 08:22:30 (UTC)" in problem.message


def test_that_a_step_at_an_overflow_is_reported_as_overflow_and_not_as_drift(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rate = level()
    rate[90:] *= 2
    cache = np.where(np.arange(180) < 90, 0.0, 40.0 * 2**20 * (np.arange(180) - 89))
    found = figures(tmp_path, rate, cache=cache)
    steady = judged(found)
    assert steady.cause == "overflow"
    assert steady.step_at == T0 + STEP * 91
    assert steady.step is not None
    change = rate[90:].mean() - rate[:90].mean()
    assert steady.step.percent == pytest.approx(100 * change / rate.mean(), rel=0.02)
    (problem,) = [problem for problem in found.problems if problem.code == "step-at-overflow"]
    assert "rose by" in problem.message
    assert problem.message == snapshot
    assert not [problem for problem in found.problems if problem.code == "not-steady"]
    # An overflow long before the step does not count as its cause.
    early = np.where(np.arange(180) < 20, 0.0, 40.0 * 2**20)
    assert judged(figures(tmp_path / "early", rate, cache=early)).cause == "step"


def test_that_a_warm_up_is_reported_and_no_samples_are_cut(tmp_path: Path) -> None:
    rate = 10 * correlated(180, 0, 3) ** 0.2
    rate[:27] *= 1.5
    found = figures(tmp_path, rate)
    steady = judged(found)
    assert (steady.warm_up_s, steady.warm_up_percent) == (pytest.approx(405.0), pytest.approx(50, abs=5))
    assert found.phases[0].iops_per_vm == pytest.approx(rate.mean())
    assert "warm-up: the first 6:45" in steady_words(steady)
    assert judged(figures(tmp_path / "none", 10 * correlated(180, 0, 3) ** 0.2)).warm_up_s == 0.0


def test_that_short_and_idle_and_partly_measured_phases_are_not_judged(tmp_path: Path) -> None:
    assert figures(tmp_path / "short", level()[:15]).phases[0].steadiness is None
    assert figures(tmp_path / "idle", np.zeros(180)).phases[0].steadiness is None
    holes = level()
    holes[20:60] = np.nan
    assert figures(tmp_path / "holes", holes).phases[0].steadiness is None


def findings(folder: Path, base: list[FloatArray], ours: list[FloatArray]) -> dict[str, Finding]:
    every = [figures(folder, rate, f"base-{place}") for place, rate in enumerate(base)]
    every += [figures(folder, rate, f"ours-{place}") for place, rate in enumerate(ours)]
    groups = with_baseline(group_runs(every), "base")
    found = compare_findings(Asked("study", groups), compare(groups))
    return {one.figure: one for one in found}


def smooth(drift: float, factor: float, seed: int) -> FloatArray:
    return factor * 10 * (1 + drift * (np.arange(180) / 180 - 0.5)) * correlated(180, 0, seed) ** 0.1


def test_that_a_drift_weakens_a_finding_only_if_it_could_explain_half_of_it(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    calm = [smooth(0.0, 1.0, seed) for seed in range(3)]
    strong = findings(tmp_path / "strong", calm, [smooth(0.0, 0.8, seed) for seed in range(3, 6)])["iops_per_vm"]
    assert (strong.strength, strong.caveats) == (Strength.STRONG, ())
    # A drift of 30 % of 8 IOPS in every run, and a difference of 2 IOPS: 2.4 is more than half of it.
    weak = findings(tmp_path / "weak", calm, [smooth(-0.3, 0.8, seed) for seed in range(3, 6)])["iops_per_vm"]
    assert weak.strength is Strength.INDICATIVE
    assert weak.caveats[-1] == snapshot
    # The same drift in one of three runs, or with a difference of 8 IOPS, could not.
    one = [smooth(-0.3, 0.8, 3), smooth(0.0, 0.8, 4), smooth(0.0, 0.8, 5)]
    for place, ours in enumerate((one, [smooth(-0.3, 0.2, seed) for seed in range(3, 6)])):
        kept = findings(tmp_path / str(place), calm, ours)["iops_per_vm"]
        assert (kept.strength, kept.caveats) == (Strength.STRONG, ())


def test_that_the_console_and_its_json_report_the_drift(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    rate = level(-0.5)
    disk_csv(tmp_path / "lab" / "run" / "W10-001.csv", "W10-001", list(rate * 0.5), list(rate * 0.5))
    (tmp_path / "lab" / "run" / "run.toml").write_text(
        '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:00:00+01:00\nend = 2016-05-10T09:44:45+01:00\n'
    )
    assert main(["summary", str(tmp_path / "lab"), "--format", "json"]) == 0
    steady = json.loads(capsys.readouterr().out)["runs"][0]["phases"][0]["steadiness"]
    assert (steady["steady"], steady["cause"]) == (False, "drift")
    assert steady["drift_percent_low"] < -50 < steady["drift_percent_high"]
    assert main(["summary", str(tmp_path / "lab")]) == 0
    assert "% of the mean" in capsys.readouterr().out
