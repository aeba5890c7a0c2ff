"""The samples of VMs in a phase, a few VMs at a time, compared with a plain loop over the samples of each VM."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tests.builders import phase, run, samples
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.phases import integral
from workbench.phases.integral import binned, binned_all, cuts, integrate_all
from workbench.study.series.vm_series import Samples

QUANTITY = Quantity.CACHE_DISK_USED
STRETCHES = [phase("p", *edges) for edges in ((100.0, 400.0), (0.0, 1_000.0), (130.0, 130.5), (5_000.0, 6_000.0))]


@pytest.fixture(params=[1 << 16, 150, 1], ids="{} values at once".format)
def by_vm(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Samples]:
    """Two VMs that share the times of a file, and VMs with separate times, some of them missing."""
    monkeypatch.setattr(integral, "_TOGETHER", request.param)
    dice = np.random.default_rng(3)
    found: dict[str, Samples] = {}
    for number in range(6):
        count = int(dice.integers(3, 90))
        values = dice.exponential(8.0, count)
        values[dice.random(count) < 0.2] = math.nan
        found[f"own-{number}"] = samples(np.cumsum(dice.uniform(5.0, 14.0, count)).tolist(), values.tolist())
    found["none"] = samples([200.0, 210.0], [math.nan, math.nan])
    found["early"] = samples([10.0, 20.0, 30.0], [1.0, 2.0, 3.0])
    shared = samples(np.arange(7.0, 600.0, 10.0).tolist(), dice.exponential(8.0, 60).tolist())
    found["shared-1"] = shared
    found["shared-2"] = replace(shared, values=np.where(dice.random(60) < 0.2, math.nan, 5.0))
    return found


def of_phase(by_vm: Mapping[str, Samples], stretch: Phase) -> PhaseSamples:
    return PhaseSamples(RunSamples(run(), lambda _: by_vm), stretch)


def inside(one: Samples, stretch: Phase) -> list[tuple[float, float, float]]:
    """Seconds in the phase, length and value of each known sample that touches it."""
    rows = zip(one.end.tolist(), one.span.tolist(), one.values.tolist(), strict=True)
    cut = [(min(end, stretch.end) - max(end - span, stretch.start), span, value) for end, span, value in rows]
    return [row for row in cut if row[0] > 0 and not math.isnan(row[2])]


@pytest.mark.parametrize("stretch", STRETCHES)
def test_that_integrals_equal_those_of_a_plain_loop(by_vm: dict[str, Samples], stretch: Phase) -> None:
    rows = {vm: inside(one, stretch) for vm, one in by_vm.items()}
    found = integrate_all(by_vm, stretch)
    assert list(found) == [vm for vm, some in rows.items() if some]
    for vm, one in found.items():
        assert one.total == pytest.approx(sum(seconds * value for seconds, _, value in rows[vm]), rel=1e-12)
        assert one.covered_s == pytest.approx(sum(seconds for seconds, _, _ in rows[vm]), rel=1e-12)


@pytest.mark.parametrize("stretch", STRETCHES)
def test_that_pooled_samples_have_at_least_half_of_their_interval_inside(
    by_vm: dict[str, Samples], stretch: Phase
) -> None:
    rows = [row for one in by_vm.values() for row in inside(one, stretch) if row[0] >= 0.5 * row[1]]
    values, seconds = of_phase(by_vm, stretch).pooled(QUANTITY)
    assert sorted(values.tolist()) == sorted(value for _, _, value in rows)
    if rows and seconds is not None:
        pairs = zip(values.tolist(), seconds.tolist(), strict=True)
        assert sorted(pairs) == sorted((value, span) for _, span, value in rows)


@pytest.mark.parametrize("stretch", STRETCHES)
def test_that_readings_are_those_taken_from_start_to_end(by_vm: dict[str, Samples], stretch: Phase) -> None:
    found = of_phase(by_vm, stretch).readings(QUANTITY)
    for vm, one in by_vm.items():
        taken = [
            place
            for place, (end, value) in enumerate(zip(one.end, one.values, strict=True))
            if stretch.start <= end < stretch.end and not math.isnan(value)
        ]
        assert (vm in found) == bool(taken)
        if taken:
            best = max(taken, key=lambda place: one.values[place])
            spans = one.span[taken]
            assert found[vm][:4] == (one.values[taken[-1]], taken[-1], one.values[best], best)
            assert found[vm].covered_s == pytest.approx(spans.sum() + spans.max(), rel=1e-12)


def test_that_a_reading_at_the_start_counts_and_one_at_the_end_does_not(by_vm: dict[str, Samples]) -> None:
    one = by_vm["early"]
    edges = Phase("p", float(one.end[0]), float(one.end[2]), "")
    reading = of_phase({"early": one}, edges).readings(QUANTITY)["early"]
    assert (reading.last, reading.last_place, reading.highest_place) == (2.0, 1, 1)


@pytest.mark.parametrize("stretch", STRETCHES)
def test_that_each_sample_is_in_one_cut_at_its_place(by_vm: dict[str, Samples], stretch: Phase) -> None:
    seen: dict[str, list[float]] = {}
    for cut in cuts(by_vm, stretch):
        for vm, places, values, held in zip(
            cut.vms, cut.places, cut.values, np.broadcast_to(cut.seconds > 0, cut.values.shape), strict=True
        ):
            assert by_vm[vm].values[places[held]] == pytest.approx(values[held], nan_ok=True)
            seen[vm] = values[held & ~np.isnan(values)].tolist()
    assert seen == {vm: [value for _, _, value in inside(one, stretch)] for vm, one in by_vm.items()}


def test_that_bins_of_all_machines_together_equal_those_of_each(by_vm: dict[str, Samples]) -> None:
    edges = by_vm["early"].end[0] + np.linspace(-20.0, 700.0, 37)
    for row, one in zip(binned_all(by_vm, edges), by_vm.values(), strict=True):
        assert row == pytest.approx(binned(one, edges), rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("stretch", STRETCHES[:3])
@pytest.mark.parametrize("rated", [("own-1", "own-4", "shared-1", "shared-2"), ("own-0", "early"), ()])
def test_that_latencies_are_weighted_by_the_rates_at_their_times(
    by_vm: dict[str, Samples], stretch: Phase, rated: tuple[str, ...]
) -> None:
    dice = np.random.default_rng(5)
    rates = {vm: replace(by_vm[vm], values=dice.integers(0, 3, by_vm[vm].end.size).astype(np.float64)) for vm in rated}
    # This rate is from other moments, so it is not a weight for the latency.
    other = {"own-2": replace(by_vm["own-2"], end=by_vm["own-2"].end + 1.0)}
    kinds = {Quantity.LATENCY: by_vm, Quantity.IOPS: rates | other}
    whole = PhaseSamples(RunSamples(run(), lambda quantity: kinds[quantity]), stretch)
    found = whole.latency(Quantity.LATENCY, Quantity.IOPS)
    weighted = weights = 0.0
    busy: list[float] = []
    for vm in rated or by_vm:
        one = by_vm[vm]
        rows = zip(one.end.tolist(), one.span.tolist(), one.values.tolist(), strict=True)
        for place, (end, span, value) in enumerate(rows):
            seconds = min(end, stretch.end) - max(end - span, stretch.start)
            if seconds > 0 and not math.isnan(value):
                rate = float(rates[vm].values[place]) if rated else 1.0
                weighted, weights = weighted + seconds * rate * value, weights + seconds * rate
                busy += [value] if rate > 0 and seconds >= 0.5 * span else []
    assert set(found.weights) <= set(rated or by_vm)
    assert sum(found.weights.values()) == pytest.approx(weights, rel=1e-12)
    assert found.mean == (pytest.approx(weighted / weights, rel=1e-12) if weights else None)
    assert sorted(value for values, _ in found.busy for value in values.tolist()) == sorted(busy)
