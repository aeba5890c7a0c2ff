"""The interval of a percentile within its run: compared with resamples drawn sample by sample, and its coverage."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.cli import main
from workbench.measures.percentile import _block_length, within_run
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import explain
from workbench.model.metric import Quantity
from workbench.model.run import SessionType

COUNT = 360
SPAN = np.full(COUNT, 5.0)
END = 5.0 * np.arange(1, COUNT + 1)
FIGURE = "--figure", "p95_iops_per_vm"
TRUE_P95 = 10 * np.exp(0.8 * NormalDist().inv_cdf(0.95))


def bursty(rng: np.random.Generator, vms: int, memory: float, common: float) -> np.ndarray:
    """Log-normal rates; neighbours in time correlate by `memory`, VMs by `common`."""
    noise = rng.normal(size=(vms + 1, COUNT + 100))
    for at in range(1, COUNT + 100):
        noise[:, at] = memory * noise[:, at - 1] + np.sqrt(1 - memory**2) * noise[:, at]
    shared, own = noise[0, 100:], noise[1:, 100:]
    rates: np.ndarray = 10 * np.exp(0.8 * (np.sqrt(common) * shared + np.sqrt(1 - common) * own))
    return rates


@pytest.mark.parametrize(("memory", "common", "least"), [(0.0, 0.5, 87), (0.6, 0.0, 75), (0.9, 0.5, 65)])
def test_that_the_interval_covers_the_true_percentile(memory: float, common: float, least: float) -> None:
    rng = np.random.default_rng([3, int(10 * memory), int(10 * common)])
    covered = []
    for _ in range(40):
        rates = bursty(rng, 5, memory, common)
        within = within_run([(END, SPAN, rates)], 95, float(np.percentile(rates, 95)))
        assert within is not None
        covered.append(within.low <= TRUE_P95 <= within.high)
    assert 100 * np.mean(covered) >= least


def test_that_correlated_vms_widen_the_interval() -> None:
    widths = []
    for common in (0.0, 0.9):
        rates = bursty(np.random.default_rng(5), 20, 0.0, common)
        within = within_run([(END, SPAN, rates)], 95, float(np.percentile(rates, 95)))
        assert within is not None
        widths.append(within.high - within.low)
    assert widths[1] > 2 * widths[0]


def test_that_the_interval_equals_that_of_samples_resampled_one_by_one() -> None:
    rates = bursty(np.random.default_rng(8), 4, 0.6, 0.3)
    within = within_run([(END, SPAN, rates)], 95, float(np.percentile(rates, 95)))
    assert within is not None
    block, rng = round(within.block_s / 5), np.random.default_rng(1)
    assert block > 3
    drawn = []
    for _ in range(1500):
        starts = rng.integers(0, COUNT, -(-COUNT // block))
        moments = (starts[:, None] + np.arange(block)).ravel() % COUNT
        drawn.append(np.percentile(rates[:, moments], 95))
    low, high = np.percentile(drawn, (2.5, 97.5))
    assert within.low == pytest.approx(low, rel=0.04)
    assert within.high == pytest.approx(high, rel=0.04)


def test_that_the_same_samples_give_the_same_interval_and_count() -> None:
    rates = bursty(np.random.default_rng(9), 3, 0.6, 0.3)
    rates[1, 7] = np.nan
    p95 = float(np.nanpercentile(rates, 95))
    first, second = (within_run([(END, SPAN, rates)], 95, p95) for _ in range(2))
    assert first == second
    assert first is not None
    assert (first.above, first.samples) == (int(np.nansum(rates > p95)), 3 * COUNT - 1)


def test_that_a_longer_memory_needs_longer_blocks() -> None:
    rng = np.random.default_rng(2)
    short, long = (_block_length(bursty(rng, 1, memory, 0.0)[0]) for memory in (0.0, 0.9))
    assert short < 5 < long


def test_that_few_or_equal_samples_do_not_mention_a_wide_interval() -> None:
    assert within_run([], 95, 1.0) is None
    assert within_run([(END[:9], SPAN[:9], np.ones((2, 9)))], 95, 1.0) is None
    equal = within_run([(END, SPAN, np.full((2, COUNT), 4.0))], 95, 4.0)
    assert equal is not None
    assert (equal.low, equal.high, equal.above) == (4.0, 4.0, 0)


def test_that_machines_with_separate_files_are_resampled_together(tmp_path: Path) -> None:
    rates = bursty(np.random.default_rng(4), 2, 0.0, 0.9)
    at = T0 + np.concatenate([[0.0], END])
    together = [(counter(f"V{vm}", Quantity.IOPS), np.concatenate([[np.nan], rates[vm]])) for vm in range(2)]
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    stated = {"stated_phases": (phase("steady", 0, 5 * COUNT),)}
    one = run(recording(tmp_path / "one", "all.csv", at, together), **stated)
    two = run(*(recording(tmp_path / "two", f"{vm}.csv", at, [together[vm]]) for vm in range(2)), **stated)
    whole, parts = (explain(run_figures(each), "steady", "p95_iops_per_vm") for each in (one, two))
    assert whole.within == parts.within
    assert whole.within is not None
    assert whole.within.low < (whole.value or 0) < whole.within.high
    assert "samples are higher" in whole.note


def test_that_the_console_explains_a_percentile_with_its_interval(capsys: pytest.CaptureFixture[str]) -> None:
    sample = Path(__file__).parents[2] / "sample_data" / "windows-7-mcs-and-pvs"
    assert main(["summary", str(sample), "--explain", *FIGURE, "--format", "json"]) == 0
    explained = json.loads(capsys.readouterr().out)["explain"]
    assert explained
    for one in explained:
        assert one["within_run_low"] is None or one["within_run_low"] <= one["value"] <= one["within_run_high"]
    assert any(one["within_run_above"] for one in explained)


def test_that_the_interval_of_a_percentile_of_times_is_in_milliseconds(tmp_path: Path) -> None:
    """The same samples as rates and as seconds: each end of the interval is a thousand times the end for the rates."""
    samples = np.concatenate([[np.nan], bursty(np.random.default_rng(6), 1, 0.3, 0.0)[0]])
    columns = [(counter("V1", quantity), samples) for quantity in (Quantity.IOPS, Quantity.INPUT_DELAY)]
    file = recording(tmp_path, "all.csv", T0 + np.concatenate([[0.0], END]), columns)
    figures = run_figures(run(file, stated_phases=(phase("steady", 0, 5 * COUNT),), session_type=SessionType.RDS))
    rates, times = (explain(figures, "steady", key) for key in ("p95_iops_per_vm", "input_delay_p95_ms"))
    assert rates.within is not None
    assert times.within is not None
    assert times.value == pytest.approx(1e3 * float(np.nanpercentile(samples, 95)), rel=0.01)
    ends = [1e3 * rates.within.low, 1e3 * rates.within.high]
    assert [times.within.low, times.within.high] == pytest.approx(ends)
