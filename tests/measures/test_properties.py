"""Changes of the data that must not change the answers, or only in proportion: the phase table and the comparison of
random labs, and of changed labs with results that follow from the first ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.compare.compute import Comparison, compare
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import PhaseFigures, run_figures
from workbench.model.metric import Quantity
from workbench.model.recording import Series
from workbench.model.run import Configuration, Provisioning, Run

Array = npt.NDArray[np.float64]
MB = 2**20
MCS = Configuration("MCS", Provisioning.MCS)
SMALL = Configuration("MCSIO 256 MB", Provisioning.MCSIO, None, 256)
RATES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)
IO_FIGURES = (
    "total_io",
    "total_io_per_vm",
    "iops",
    "iops_per_vm",
    "iops_per_user",
    "reads",
    "writes",
    "read_iops",
    "write_iops",
    "read_iops_per_vm",
    "write_iops_per_vm",
    "p95_iops_per_vm",
    "peak_iops_per_vm",
)
TOTALS = (
    "total_io",
    "iops",
    "reads",
    "writes",
    "read_iops",
    "write_iops",
    "read_percent",
    "write_percent",
    "peak_iops_per_vm",
    "read_latency_ms",
    "write_latency_ms",
)
PER_VM = ("total_io_per_vm", "iops_per_vm", "read_iops_per_vm", "write_iops_per_vm")
# Each example writes its samples to files; only the seed is drawn, so a failure can be reproduced.
FEW = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
SEEDS = st.integers(0, 2**31)


@dataclass(frozen=True, eq=False)
class Lab:
    """One run as its samples: `columns[vm, quantity]`, some of them missing, over times that jitter."""

    times: Array
    columns: dict[tuple[str, Quantity], Array]
    seed: int

    @property
    def vms(self) -> list[str]:
        return list(dict.fromkeys(vm for vm, _ in self.columns))

    def scaled(self, factor: float) -> Lab:
        """Every rate times a factor."""
        columns = {key: values * factor if key[1] in RATES else values for key, values in self.columns.items()}
        return replace(self, columns=columns)


def lab(seed: int, vms: int | None = None) -> Lab:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(20, 60))
    times = T0 + 15.0 * np.arange(1, rows + 1) + rng.uniform(-0.4, 0.4, rows).round(3)
    columns: dict[tuple[str, Quantity], Array] = {}
    for vm in range(vms or int(rng.integers(1, 6))):
        level = rng.lognormal(2, 1)
        for quantity in (*RATES, Quantity.READ_LATENCY, Quantity.WRITE_LATENCY, Quantity.CPU, Quantity.CACHE_DISK_USED):
            values = level * rng.lognormal(0, 0.6, rows)
            if quantity is Quantity.CACHE_DISK_USED:
                values = np.cumsum(values) * MB / 50
            values[rng.random(rows) < 0.03] = np.nan
            columns[f"W10-{vm:03d}", quantity] = values
    return Lab(times, columns, seed)


def phases(given: Lab, shift: float = 0.0) -> dict[str, Any]:
    """Boot and steady state, with edges that fall within samples."""
    middle, end = np.quantile(given.times - T0, (0.3, 0.95))
    stated = (phase("boot", 3.3 + shift, middle + shift), phase("steady", middle + shift, end + shift))
    return {"stated_phases": stated, "configuration": SMALL, "users": 7}


def series(given: Lab, vms: list[str]) -> list[tuple[Series, Array]]:
    return [
        (counter(vm, quantity), given.columns[vm, quantity])
        for vm in vms
        for quantity in dict.fromkeys(q for v, q in given.columns if v == vm)
    ]


def built(place: Path, given: Lab, file: str = "all", vms: list[str] | None = None, **facts: Any) -> Run:
    """The run in one file."""
    one = recording(place, f"{file}.csv", given.times, series(given, vms or given.vms))
    return run(one, **(phases(given) | {"vms": len(given.vms)} | facts))


def rows(one: Run) -> tuple[PhaseFigures, ...]:
    return run_figures(one).phases


def pairs(before: Run, after: Run) -> Iterator[tuple[PhaseFigures, PhaseFigures]]:
    first, second = rows(before), rows(after)
    assert [row.phase.name for row in first] == [row.phase.name for row in second] == ["boot", "steady"]
    yield from zip(first, second, strict=True)


def assert_alike(before: PhaseFigures, after: PhaseFigures, leave_out: tuple[str, ...] = (), rel: float = 1e-9) -> None:
    """Asserts that every figure is equal, except for rounding; excluded ones are not compared."""
    for field in fields(before):
        if field.name in leave_out:
            continue
        one, other = getattr(before, field.name), getattr(after, field.name)
        if isinstance(one, float):
            assert other == pytest.approx(one, rel=rel, abs=1e-9), field.name
        elif field.name == "worst_vms":
            assert [load.vm for load in other] == [load.vm for load in one]
            assert [load.mean_iops for load in other] == pytest.approx([load.mean_iops for load in one])
        elif field.name == "extents":
            assert [extent.vms for extent in other] == [extent.vms for extent in one]
            for amount in ("missing_s", "total", "fill", "blind_s", "highest"):
                expected = [getattr(extent, amount) for extent in one]
                assert [getattr(extent, amount) for extent in other] == pytest.approx(expected, rel=1e-6, abs=1e-4)
        else:
            assert other == one, field.name


@FEW
@given(SEEDS, st.floats(0.01, 100))
def test_that_scaling_all_rates_scales_only_iops(tmp_path: Path, seed: int, factor: float) -> None:
    first = lab(seed)
    for before, after in pairs(built(tmp_path, first), built(tmp_path, first.scaled(factor), "scaled")):
        for name in IO_FIGURES:
            assert getattr(after, name) == pytest.approx(factor * getattr(before, name)), name
        assert_alike(before, after, (*IO_FIGURES, "worst_vms", "steadiness", "extents"))


@FEW
@given(SEEDS, st.data())
def test_that_splitting_a_file_in_time_changes_nothing(tmp_path: Path, seed: int, data: st.DataObject) -> None:
    first = lab(seed)
    at = data.draw(st.integers(8, first.times.size - 8))
    parts = [
        recording(
            tmp_path,
            f"part{n}.csv",
            first.times[part],
            [(one, values[part]) for one, values in series(first, first.vms)],
        )
        for n, part in enumerate((slice(None, at), slice(at, None)))
    ]
    whole = built(tmp_path, first)
    for before, after in pairs(whole, replace(whole, recordings=tuple(parts))):
        assert_alike(before, after)


@FEW
@given(SEEDS)
def test_that_one_file_per_vm_equals_one_file_for_all(tmp_path: Path, seed: int) -> None:
    first = lab(seed)
    whole = built(tmp_path, first)
    parts = [recording(tmp_path, f"{vm}.csv", first.times, series(first, [vm])) for vm in first.vms]
    for before, after in pairs(whole, replace(whole, recordings=tuple(parts))):
        assert_alike(before, after)


@FEW
@given(SEEDS, st.randoms(use_true_random=False))
def test_that_shuffling_vms_changes_nothing(tmp_path: Path, seed: int, random: Any) -> None:
    first = lab(seed)
    order = first.vms
    random.shuffle(order)
    for before, after in pairs(built(tmp_path, first), built(tmp_path, first, "shuffled", order)):
        assert_alike(before, after)


@FEW
@given(SEEDS, st.integers(-14 * 4, 14 * 4))
def test_that_a_file_written_in_another_zone_changes_nothing(tmp_path: Path, seed: int, quarters: int) -> None:
    first = lab(seed)
    whole = built(tmp_path, first)
    zoned = recording(tmp_path, "zoned.csv", first.times, series(first, first.vms), 15 * quarters)
    for before, after in pairs(whole, replace(whole, recordings=(zoned,))):
        assert_alike(before, after)


@FEW
@example(19289, 1)
@given(SEEDS, st.integers(-14, 14).filter(bool))
def test_that_a_different_hour_of_the_day_changes_only_clock_times(tmp_path: Path, seed: int, hours: int) -> None:
    first = lab(seed)
    shift = 3600.0 * hours
    moved = replace(first, times=first.times + shift)
    later = built(tmp_path, moved, "moved", stated_phases=phases(first, shift)["stated_phases"])
    for before, after in pairs(built(tmp_path, first), later):
        assert after.phase.start - before.phase.start == pytest.approx(shift)
        assert (after.overflow_start is None) == (before.overflow_start is None)
        if before.overflow_start is not None and after.overflow_start is not None:
            assert after.overflow_start - before.overflow_start == pytest.approx(shift)
        # Moments are kept to a quarter of a microsecond (seconds since 1970 as doubles), and phases cut by them.
        assert_alike(before, after, ("phase", "overflow_start", "steadiness"), rel=1e-7)


@FEW
@given(SEEDS)
def test_that_an_idle_vm_changes_no_totals(tmp_path: Path, seed: int) -> None:
    first = lab(seed)
    idle = {("W10-idle", quantity): np.zeros(first.times.size) for quantity in RATES}
    count = len(first.vms)
    with_idle = built(tmp_path, replace(first, columns=first.columns | idle), "idle")
    for before, after in pairs(built(tmp_path, first), with_idle):
        for name in TOTALS:
            assert getattr(after, name) == pytest.approx(getattr(before, name)), name
        for name in PER_VM:
            assert getattr(after, name) == pytest.approx(getattr(before, name) * count / (count + 1)), name
        assert after.vms == count + 1


def comparison(
    folder: Path, seed: int, factors: tuple[float, float] = (1.0, 1.0), backwards: bool = False
) -> Comparison:
    """Three runs of two configurations, the rates of each side times its factor."""
    runs = [
        built(
            folder,
            lab(seed + 10 * side + n, vms=3).scaled(factors[side]),
            f"{side}-{n}-{factors[side]}",
            name=f"{side}-{n}",
            folder=f"{side}-{n}",
            configuration=configuration,
        )
        for side, configuration in enumerate((MCS, SMALL))
        for n in range(3)
    ]
    return compare(group_runs([run_figures(one) for one in (reversed(runs) if backwards else runs)]))


def assert_same_changes(before: Comparison, after: Comparison, factor: float = 1.0, scale: float = 1.0) -> None:
    """Asserts that the ratio of every I/O figure changed by `factor`, its difference by `scale`, and that other figures
    are unchanged."""
    for one in before.differences:
        other = after.of(one.configuration, one.phase, one.measure.key)
        assert other is not None
        assert (one.change is None) == (other.change is None)
        if one.change is None or other.change is None:
            continue
        io = one.measure.key in IO_FIGURES
        assert other.change.ratio == pytest.approx(one.change.ratio * (factor if io else 1))
        assert other.change.low == pytest.approx((one.change.low or 0) * (factor if io else 1))
        if factor == 1.0:
            assert other.change.p == pytest.approx(one.change.p, rel=1e-6, abs=1e-12)
            assert other.verdict is one.verdict
            assert other.difference == pytest.approx((one.difference or 0) * (scale if io else 1))


@FEW
@given(SEEDS, st.floats(0.01, 100))
def test_that_scaling_every_run_keeps_ratios_and_verdicts(tmp_path: Path, seed: int, factor: float) -> None:
    assert_same_changes(comparison(tmp_path, seed), comparison(tmp_path, seed, (factor, factor)), scale=factor)


@FEW
@given(SEEDS, st.floats(0.01, 100))
def test_that_scaling_one_side_scales_its_io_ratios(tmp_path: Path, seed: int, factor: float) -> None:
    assert_same_changes(comparison(tmp_path, seed), comparison(tmp_path, seed, (1.0, factor)), factor=factor)


@FEW
@given(SEEDS)
def test_that_the_order_of_runs_changes_no_comparison(tmp_path: Path, seed: int) -> None:
    assert_same_changes(comparison(tmp_path, seed), comparison(tmp_path, seed, backwards=True))
