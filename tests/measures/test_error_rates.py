"""The guarantees of the statistics, by simulation: the interval covers the true value, and false differences are rare.

Every simulated run has a separate level (the variation between runs of the lab) and VMs that vary widely around it. The
figure of a run is the mean over its VMs. All random numbers are seeded.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import ttest_ind

from tests.builders import phase, run
from workbench.answers.compare.compute import compare
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.p_values import permutation_p
from workbench.measures.significance.verdicts import Adjusted, judge
from workbench.measures.statistics import SIGNIFICANT, Verdict, change
from workbench.model.run import Configuration, Provisioning

TRIALS = 4000
RUN_SCATTER, VM_SCATTER, VMS = 0.04, 0.5, 25
SMALL = Configuration("MCSIO 256 MB", Provisioning.MCSIO, None, 256)
CLAIMS = {Verdict.BETTER, Verdict.WORSE, Verdict.HIGHER, Verdict.LOWER}
FIGURES = (
    "iops_per_vm",
    "read_iops_per_vm",
    "write_iops_per_vm",
    "p95_iops_per_vm",
    "read_latency_ms",
    "write_latency_ms",
    "cpu_percent",
    "total_io_per_vm",
)
Array = npt.NDArray[np.float64]


def vms(rng: np.random.Generator, trials: int, runs: int, level: float = 100.0) -> Array:
    """Figures of VMs, trials x runs x VMs."""
    levels = level * rng.lognormal(0.0, RUN_SCATTER, (trials, runs, 1))
    return np.asarray(levels * rng.lognormal(-(VM_SCATTER**2) / 2, VM_SCATTER, (trials, runs, VMS)))


def run_means(rng: np.random.Generator, runs: int, level: float = 100.0, trials: int = TRIALS) -> Array:
    return np.asarray(vms(rng, trials, runs, level).mean(axis=2))


def within(rate: float, expected: float, trials: int = TRIALS) -> bool:
    """True within four standard errors of a rate of 5 %; this detects a bias of 1.4 points."""
    return abs(rate - expected) <= 4.0 * math.sqrt(0.05 * 0.95 / trials)


@pytest.mark.parametrize(
    ("runs", "ratio"),
    [
        (3, 1.0),
        (5, 0.5),
        *(
            pytest.param(runs, ratio, marks=pytest.mark.slow)
            for runs, ratio in ((3, 0.5), (5, 1.0), (10, 1.0), (10, 0.5))
        ),
    ],
)
def test_that_the_95_percent_interval_covers_the_true_ratio(runs: int, ratio: float) -> None:
    rng = np.random.default_rng([runs, int(10 * ratio)])
    covered = 0
    for baseline, values in zip(run_means(rng, runs).tolist(), run_means(rng, runs, 100 * ratio).tolist(), strict=True):
        found = change(baseline, values)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= ratio <= found.high
    # Welch's interval is known to be a little too wide at three runs, never noticeably too narrow.
    assert 0.94 <= covered / TRIALS <= 0.975


@pytest.mark.parametrize(
    ("runs", "other", "most"),
    [
        (3, 3, 0.06),
        (5, 5, 0.06),
        pytest.param(10, 10, 0.06, marks=pytest.mark.slow),
        # Welch's test gives slightly too many verdicts if the numbers of runs differ a lot.
        (3, 10, 0.07),
    ],
)
def test_that_equal_configurations_are_called_different_in_at_most_6_percent(
    runs: int, other: int, most: float
) -> None:
    rng = np.random.default_rng([7, runs, other])
    claims = 0
    for baseline, values in zip(run_means(rng, runs).tolist(), run_means(rng, other).tolist(), strict=True):
        found = change(baseline, values)
        assert found is not None
        # No margin, so only the tests limit the errors; one metric, so Holm is not stricter than needed.
        adjusted = Adjusted(found.p, None, permutation_p(baseline, values))
        claims += judge(found, adjusted, margin=0).verdict in CLAIMS
    assert claims / TRIALS <= most


def test_that_the_exact_permutation_test_rejects_at_its_stated_rate() -> None:
    rng = np.random.default_rng(3)
    pairs = zip(run_means(rng, 5).tolist(), run_means(rng, 5).tolist(), strict=True)
    rejected = sum((permutation_p(a, b) or 1.0) < SIGNIFICANT for a, b in pairs) / TRIALS
    # 252 ways to split the runs: the largest p-value below 0.05 is 12/252.
    assert within(rejected, 12 / 252)


def test_that_counting_vms_as_runs_would_give_far_too_many_false_differences() -> None:
    rng = np.random.default_rng(5)
    base, ours = (np.log(vms(rng, 1000, 3).reshape(1000, -1)) for _ in range(2))
    wrong = ttest_ind(ours, base, axis=1, equal_var=False).pvalue < SIGNIFICANT
    quiet = np.log(np.stack([run_means(rng, 3, trials=1000) for _ in range(2)]))
    right = ttest_ind(quiet[1], quiet[0], axis=1, equal_var=False).pvalue < SIGNIFICANT
    assert right.mean() <= 0.06
    assert wrong.mean() > right.mean() + 0.02


@pytest.mark.parametrize("runs", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_that_a_whole_comparison_of_equal_configurations_has_an_error_in_at_most_6_percent(runs: int) -> None:
    rng = np.random.default_rng([13, runs])
    trials = 300
    claimed = false_others = 0
    for _ in range(trials):
        values = {name: (run_means(rng, runs, trials=1)[0], run_means(rng, runs, trials=1)[0]) for name in FIGURES}
        found = compare(group_runs([*_runs(values, 0, runs), *_runs(values, 1, runs)]), margin=0.0)
        assert len(found.differences) == len(FIGURES)
        primary, others = ([one for one in found.differences if one.tier == tier] for tier in ("primary", "other"))
        claimed += any(one.verdict in CLAIMS for one in primary)
        false_others += any(one.verdict in CLAIMS for one in others)
    # Without a margin, so only the tests limit the errors. All verdicts are false here, so the share of false ones is 0
    # or 1.
    assert claimed / trials <= 0.06
    assert false_others / trials <= 0.06


def test_that_a_reduction_by_half_is_found_almost_always_with_three_runs() -> None:
    rng = np.random.default_rng(17)
    found = [
        compare(group_runs([*_runs(values, 0, 3), *_runs(values, 1, 3)]))
        for values in (
            {name: (run_means(rng, 3, trials=1)[0], run_means(rng, 3, 50.0, trials=1)[0]) for name in FIGURES}
            for _ in range(100)
        )
    ]
    verdicts = [one.verdict for comparison in found for one in comparison.differences]
    assert sum(verdict is Verdict.BETTER for verdict in verdicts) / len(verdicts) > 0.6
    assert Verdict.WORSE not in verdicts


def _runs(values: dict[str, tuple[Array, Array]], side: int, runs: int) -> list[RunFigures]:
    configuration = SMALL if side else Configuration("MCS", Provisioning.MCS)
    return [
        RunFigures(
            run(name=f"{side}-{n}", folder=f"{side}-{n}", configuration=configuration, vms=VMS),
            (PhaseFigures(phase("steady", 0, 600), **{name: float(pair[side][n]) for name, pair in values.items()}),),  # type: ignore[arg-type]
            (),
        )
        for n in range(runs)
    ]
