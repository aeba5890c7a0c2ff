"""The overlap-weighted integral, compared with a plain loop over samples of every shape."""

from __future__ import annotations

import itertools
import math
import tempfile
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import T0, counter, phase, recording, run, samples
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.phases.integral import binned, binned_all, gauge, inside, integrate, integrate_all, mean
from workbench.study.series.vm_series import BySeries, Matrix, Samples, vm_samples

# Steps that the gap rule accepts (longest < 3 x shortest), and some real gaps. Each gap is single, because consecutive
# long steps may be a slower sampling rate.
STEPS = st.lists(st.one_of(st.floats(5.0, 14.0), st.floats(200.0, 900.0)), min_size=2, max_size=60).filter(
    lambda steps: (
        sum(step > 100 for step in steps) < len(steps) / 3
        and not any(one > 100 and other > 100 for one, other in itertools.pairwise(steps))
    )
)
RATES = st.one_of(st.floats(0.0, 1e4), st.just(math.nan))


@st.composite
def recorded(draw: st.DrawFn) -> Samples:
    steps = draw(STEPS)
    return samples(np.cumsum(steps).tolist(), [draw(RATES) for _ in steps])


@st.composite
def stretches(draw: st.DrawFn) -> Phase:
    start = draw(st.floats(-50.0, 3_000.0))
    return phase("p", start, start + draw(st.floats(1.0, 4_000.0)))


def by_loop(one: Samples, stretch: Phase) -> tuple[float, float]:
    """The same rule in plain Python, sample by sample, with intervals computed separately."""
    end = [float(t) for t in one.end]
    steps = [b - a for a, b in itertools.pairwise(end)]
    median = float(np.median([s for s in steps if s > 0]))
    total = covered = 0.0
    for place, (at, value) in enumerate(zip(end, one.values, strict=True)):
        step = median if place == 0 else steps[place - 1]
        if not 0 < step <= 3 * median or math.isnan(value):
            continue
        seconds = min(at, stretch.end) - max(at - step, stretch.start)
        if seconds > 0:
            total += seconds * float(value)
            covered += seconds
    return total, covered


@given(recorded(), stretches())
def test_that_the_integral_equals_that_of_a_plain_loop(one: Samples, stretch: Phase) -> None:
    total, covered = by_loop(one, stretch)
    found = integrate(one, stretch)
    if found is None:
        assert covered == pytest.approx(0.0, abs=1e-5)
    else:
        assert found.total == pytest.approx(total, rel=1e-9, abs=1e-2)
        assert found.covered_s == pytest.approx(covered, abs=1e-5)


@given(recorded(), stretches(), st.floats(0.1, 100.0))
def test_that_scaled_rates_scale_the_total(one: Samples, stretch: Phase, factor: float) -> None:
    found = integrate(one, stretch)
    scaled = integrate(replace(one, values=one.values * factor), stretch)
    assert (found is None) == (scaled is None)
    if found is not None and scaled is not None:
        assert scaled.total == pytest.approx(factor * found.total)


@given(recorded(), st.integers(1, 300))
def test_that_bins_have_the_same_integral_as_the_samples(one: Samples, count: int) -> None:
    edges = np.linspace(float(one.end[0]) - 20, float(one.end[-1]) + 20, count + 1)
    rates = binned(one, edges)
    held = 0.0
    for rate, start, end in zip(rates, edges[:-1], edges[1:], strict=True):
        part = integrate(one, Phase("bin", float(start), float(end), ""))
        assert np.isnan(rate) == (part is None or part.covered_s <= 1e-6 * (end - start))
        if part is not None and not np.isnan(rate):
            # Current times as doubles have a resolution of 0.2 µs, so this much of the largest rate may be on the other
            # side of an edge.
            slack = max(1e-4, 1e-6 * float(np.nanmax(one.values)))
            assert rate == pytest.approx(part.total / part.covered_s, rel=1e-6, abs=slack)
            held += rate * part.covered_s
    whole = integrate(one, Phase("all", float(edges[0]), float(edges[-1]), ""))
    assert held == pytest.approx(0.0 if whole is None else whole.total, rel=1e-6, abs=1e-2)


@given(recorded(), st.integers(1, 300), st.data())
def test_that_machines_in_one_file_are_binned_like_single_ones(one: Samples, count: int, data: st.DataObject) -> None:
    other = np.array([data.draw(RATES | st.just(math.nan)) for _ in one.values])
    by_vm = {"A": one, "B": replace(one, values=other), "C": replace(one, end=one.end + 7.0)}
    edges = np.linspace(float(one.end[0]) - 20, float(one.end[-1]) + 20, count + 1)
    rows = binned_all(by_vm, edges)
    for row, samples_of_one in zip(rows, by_vm.values(), strict=True):
        assert row == pytest.approx(binned(samples_of_one, edges), rel=1e-9, abs=1e-6, nan_ok=True)


@given(STEPS, st.data())
@settings(max_examples=30, deadline=None)
def test_that_splitting_a_recording_into_two_files_changes_no_figure(steps: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(steps)))
    values = np.array([data.draw(RATES) for _ in steps])
    times = T0 + np.round(np.cumsum(steps), 6)
    series = counter("A", Quantity.IOPS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = run(recording(folder, "whole", times, [(series, values)]))
        parts = [recording(folder, "one", times[:cut], [(series, values[:cut])])]
        if cut < len(steps):
            parts.append(recording(folder, "two", times[cut:], [(series, values[cut:])]))
        ours, theirs = (vm_samples(one, Quantity.IOPS)["A"] for one in (whole, run(*reversed(parts))))
        halves_agree = all(
            3 * np.median(np.diff(times)) >= np.median(np.diff(t)) for t in (times[:cut], times[cut:]) if t.size > 1
        )
    if halves_agree:
        np.testing.assert_allclose(theirs.span, ours.span, atol=1e-5)
        np.testing.assert_array_equal(theirs.values, ours.values)


@given(st.sampled_from([-480, -210, 60, 345, 840]))
@settings(max_examples=5, deadline=None)
def test_that_the_time_zone_changes_only_clock_times(offset: int) -> None:
    times = T0 + 15.0 * np.arange(1, 41)
    columns = [(counter("A", Quantity.IOPS), np.arange(40.0)), (counter("A", Quantity.CPU), np.arange(40.0) / 2)]
    phases = (phase("steady", 60, 400),)
    with tempfile.TemporaryDirectory() as name:
        here = run(recording(Path(name), "utc", times, columns, 0), stated_phases=phases)
        there = run(recording(Path(name), "far", times, columns, offset), stated_phases=phases)
        assert run_figures(here).phases == run_figures(there).phases


def test_that_an_idle_vm_changes_no_totals(tmp_path: Path) -> None:
    times = T0 + 15.0 * np.arange(1, 41)
    busy = [(counter("A", Quantity.IOPS), np.arange(40.0))]
    idle = [*busy, (counter("B", Quantity.IOPS), np.zeros(40))]
    phases = (phase("steady", 0, 600),)
    one, two = (
        run_figures(run(recording(tmp_path, str(len(c)), times, c), stated_phases=phases)).phases[0]
        for c in (busy, idle)
    )
    assert (two.total_io, two.iops) == (one.total_io, one.iops)
    assert one.iops_per_vm == pytest.approx(2 * (two.iops_per_vm or 0))


def test_that_a_sample_counts_for_the_part_of_its_interval_in_the_phase() -> None:
    one = samples([10, 20, 30], [1.0, 5.0, 9.0])
    found = integrate(one, phase("p", 14, 26))
    assert found is not None
    assert (found.total, found.covered_s) == (pytest.approx(6 * 5 + 6 * 9), pytest.approx(12))


def test_that_the_first_sample_gets_the_median_interval() -> None:
    assert samples([10, 20, 30, 60], [1.0] * 4).span.tolist() == [10, 10, 10, 30]


def test_that_only_a_pause_above_three_medians_is_a_gap() -> None:
    end = [10, 20, 30, 40, 50, 80, 110.5]
    assert samples(end, [1.0] * 7).span.tolist()[-2:] == [30, 0]


def test_that_a_gap_counts_as_zero_io_and_as_unmeasured() -> None:
    one = samples([10, 20, 30, 1030, 1040], [1.0] * 5)
    found = integrate(one, phase("p", 0, 1040))
    assert found is not None
    assert (found.total, found.covered_s) == (pytest.approx(40), pytest.approx(40))


def test_that_adjacent_phases_share_no_sample_and_lose_none() -> None:
    one = samples(np.arange(7.0, 700, 7).tolist(), np.arange(99.0).tolist())
    parts = [integrate(one, phase("p", start, start + 100)) for start in range(0, 700, 100)]
    whole = integrate(one, phase("p", 0, 700))
    assert whole is not None
    assert sum(part.total for part in parts if part) == pytest.approx(whole.total)


def test_that_a_phase_without_samples_is_not_measured_rather_than_zero() -> None:
    one = samples([10, 20], [0.0, 0.0])
    assert integrate(one, phase("p", 20, 30)) is None
    assert mean(one, phase("p", 100, 200)) is None
    assert mean(one, phase("p", 0, 20)) == 0.0


def test_that_a_counter_at_the_end_of_a_phase_belongs_to_the_next_phase() -> None:
    one = samples([0, 10, 20, 30], [1.0, 2.0, math.nan, 4.0])
    assert gauge(one, phase("p", 0, 30)).tolist() == [1.0, 2.0]
    assert gauge(one, phase("p", 30, 60)).tolist() == [4.0]


def test_that_samples_count_as_inside_from_half_of_their_interval() -> None:
    one = samples([10, 20, 30], [1.0, 2.0, 3.0])
    assert inside(one, phase("p", 14, 26)).tolist() == [2.0, 3.0]
    assert inside(one, phase("p", 16, 24)).tolist() == []


def test_that_bins_keep_small_rates_after_a_huge_value() -> None:
    # Running sums of 1e12 I/Os must not hide a bin with 0.001 I/Os.
    end = np.arange(1.0, 20_001.0)
    values = np.where(end <= 10_000, 1e5, 0.001)
    rates = binned(samples(end.tolist(), values.tolist()), T0 + np.arange(10_000.0, 20_001.0, 1.0))
    assert rates == pytest.approx(np.full(10_000, 0.001), rel=1e-3)


@given(one=recorded(), stretch=stretches(), data=st.data())
@settings(max_examples=60)
def test_that_machines_in_one_file_give_the_same_result_together_and_alone(
    one: Samples, stretch: Phase, data: st.DataObject
) -> None:
    rates = st.lists(RATES, min_size=one.end.size, max_size=one.end.size)
    others = [replace(one, values=np.array(data.draw(rates))) for _ in range(3)]
    by_vm = {f"VM-{place}": each for place, each in enumerate([one, *others, samples([5.0, 15.0], [1.0, 2.0])])}
    together = integrate_all(by_vm, stretch)
    alone = {vm: integrate(each, stretch) for vm, each in by_vm.items()}
    assert list(together) == [vm for vm, found in alone.items() if found is not None]
    for vm, found in together.items():
        expected = alone[vm]
        assert expected is not None
        assert found.total == pytest.approx(expected.total, rel=1e-12, abs=1e-9)
        assert found.covered_s == pytest.approx(expected.covered_s, rel=1e-12)


@pytest.mark.parametrize("values_at_once", [1 << 16, 200, 1])
@pytest.mark.parametrize("edges", [(0.0, 600.0), (37.5, 412.25), (10.0, 20.0), (900.0, 950.0)])
def test_that_machines_in_one_file_are_summed_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edges: tuple[float, float], values_at_once: int
) -> None:
    monkeypatch.setattr("workbench.phases.integral._TOGETHER", values_at_once)
    dice = np.random.default_rng(7)
    rates = {f"W10-{vm:03d}": dice.exponential(8.0, 61) for vm in range(20)}
    rates["W10-003"][30:33] = math.nan
    rates["W10-000"][:] = math.nan
    counters = [
        (counter(vm, quantity), values)
        for vm, values in rates.items()
        for quantity in (Quantity.READ_IOPS, Quantity.IOPS)
    ]
    of_file = vm_samples(run(recording(tmp_path, "a.csv", T0 + 10.0 * np.arange(61), counters)), Quantity.IOPS)
    assert isinstance(of_file, Matrix)
    assert all(np.shares_memory(samples.values, of_file.table) for samples in of_file.values())
    alone, stretch = dict(of_file), phase("p", *edges)
    assert integrate_all(of_file, stretch) == integrate_all(alone, stretch)
    moments = T0 + np.linspace(*edges, 13)
    np.testing.assert_array_equal(binned_all(of_file, moments), binned_all(alone, moments))


@pytest.mark.parametrize("sums", [integrate_all, lambda by_vm, p: binned_all(by_vm, edges_of(p))])
def test_that_machines_in_one_file_are_never_copied_together(
    tmp_path: Path, sums: Callable[[BySeries, Phase], object]
) -> None:
    counters = [(counter(f"W10-{vm:03d}", Quantity.IOPS), np.full(2_000, 8.0)) for vm in range(400)]
    of_file = vm_samples(run(recording(tmp_path, "a.csv", T0 + 10.0 * np.arange(2_000), counters)), Quantity.IOPS)
    stretch = phase("p", 0, 20_000)
    assert isinstance(of_file, Matrix)
    assert highest_bytes(lambda: sums(of_file, stretch)) < of_file.table.nbytes / 4


def edges_of(stretch: Phase) -> npt.NDArray[np.float64]:
    return np.linspace(stretch.start, stretch.end, 13)


def highest_bytes(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
