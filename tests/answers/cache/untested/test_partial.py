"""Predictions if the counters of some VMs cover only a part of the run: bounds, never more than was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.cache.untested.test_predict import answered, only
from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.untested.page import what_if_cards
from workbench.answers.cache.untested.predict import Refused, Untested, untested
from workbench.answers.cache.untested.sentences import (
    basis_words,
    knee_words,
    overflow_prediction,
    prediction_words,
    unlike_words,
)
from workbench.answers.cache.untested.tables import left_out_table, predicted_table
from workbench.cli import main
from workbench.measures.caches.use import run_cache
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run
from workbench.words.numbers import THIN, signed

MB = 2**20
TIMES = T0 + 10.0 * np.arange(0, 61)
Gauge = Callable[[float], float]
NOTHING: Gauge = lambda _: 0.0  # noqa: E731
SLOW: Gauge = lambda at: 0.1 * at  # noqa: E731


def gauged(
    folder: Path,
    vms: Mapping[str, Mapping[Quantity, Gauge]],
    size: int = 4096,
    provisioning: Provisioning = Provisioning.MCSIO,
) -> Run:
    """A run of 600 s; each counter of a VM in MB by the seconds since its start, NaN if it has no sample."""
    columns = [(counter(vm, Quantity.WRITE_IOPS, instance="1 D:"), np.full(61, 9.0)) for vm in vms]
    columns += [
        (counter(vm, quantity, estimate=quantity is Quantity.POOL_NONPAGED), MB * np.array([*map(gauge, TIMES - T0)]))
        for vm, gauges in vms.items()
        for quantity, gauge in gauges.items()
    ]
    return run(
        recording(folder, "guest.csv", TIMES, columns),
        configuration=Configuration(f"{provisioning.value} {size} MB", provisioning, "device-ram-overflow", size),
        stated_phases=(phase("steady", 0, 600),),
        folder=str(folder),
        name=folder.name,
    )


def mcsio(ram: Gauge, disk: Gauge | None = NOTHING) -> Mapping[Quantity, Gauge]:
    return {Quantity.CACHE_RAM_USED: ram} | ({} if disk is None else {Quantity.CACHE_DISK_USED: disk})


def until(seconds: float, gauge: Gauge) -> Gauge:
    return lambda at: gauge(at) if at < seconds else np.nan


def plain(words: str) -> str:
    """The words with common spaces."""
    return words.replace(THIN, " ")


def no_upper_bound(kind: Untested, size_mb: float) -> bool:
    """True if it is open whether this size overflows, and no size is reported as large enough."""
    seen = kind.at(size_mb)
    words = knee_words(kind) + overflow_prediction(seen)
    return seen.overflows is None and seen.holding_runs == 0 and kind.knee_mb is None and "none" not in words


def test_that_a_full_cache_without_a_disk_counter_gives_a_lower_bound(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    kind = only(gauged(tmp_path / "a", {"A": mcsio(SLOW), "B": mcsio(lambda at: min(4096, 8 * at), None)}))
    seen = kind.at(512.0)
    assert (seen.overflows, seen.spilled_highest_mb) == (True, 4096 - 512)
    assert plain(overflow_prediction(seen)) == "before 70 s"
    assert no_upper_bound(kind, 8000.0)
    assert basis_words(kind) == snapshot


def test_that_the_data_written_before_a_restart_gives_a_lower_bound(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    restarted = mcsio(lambda at: 2 * at if at < 400 else 4 * (at - 400))
    kind = only(gauged(tmp_path / "a", {"A": mcsio(SLOW), "B": restarted}))
    assert kind.at(512.0).overflows is True
    # 780 MB was the last sample before the restart; later writes of the same blocks do not count.
    assert kind.at(512.0).spilled_highest_mb == 780 - 512
    assert no_upper_bound(kind, 1000.0)
    assert basis_words(kind) == snapshot
    assert kind.restarted == 1


def test_that_a_vm_without_cache_counters_leaves_every_prediction_open(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    kind = only(gauged(tmp_path / "a", {"A": mcsio(SLOW), "B": {}}))
    assert no_upper_bound(kind, 512.0)
    assert kind.at(512.0).spilled_mb is None
    assert basis_words(kind) == snapshot


def test_that_the_last_reading_does_not_count_as_the_end_of_the_run(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    short = mcsio(until(300, lambda at: 3 * at), until(300, NOTHING))
    kind = only(gauged(tmp_path / "a", {"A": mcsio(SLOW), "B": short}))
    assert plain(overflow_prediction(kind.at(512.0))) == snapshot
    assert no_upper_bound(kind, 2000.0)
    assert kind.at(2000.0).not_before == 290
    assert basis_words(kind) == snapshot


def test_that_only_the_complete_run_is_used_next_to_a_partial_run(tmp_path: Path) -> None:
    whole = gauged(tmp_path / "a", {"A": mcsio(SLOW), "B": mcsio(SLOW)})
    part = gauged(tmp_path / "b", {"A": mcsio(SLOW), "B": {}})
    seen = only(whole, part).at(512.0)
    assert (seen.runs, seen.holding_runs, seen.overflows) == (2, 1, None)
    assert seen.spilled_mb is None


def test_that_an_overflow_within_a_gap_is_bounded_by_the_readings_around_the_gap(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    def gap(gauge: Gauge) -> Gauge:
        return lambda at: np.nan if 200 <= at < 400 else gauge(at)

    runs = [
        gauged(tmp_path / str(rate), {"A": mcsio(gap(lambda at, rate=rate: rate * at), gap(NOTHING))})  # type: ignore[misc]
        for rate in (1.0, 1.01, 0.99)
    ]
    kind = only(*runs)
    seen = kind.at(300.0)
    assert plain(overflow_prediction(seen)) == snapshot
    assert (seen.overflow, seen.bounds) == (None, (190, 400))
    # 95 % of 195 MB were filled before the gap, 100 % of it within.
    assert kind.at(195.0).bounds == (180, 400)
    (_, card, *_) = what_if_cards(kind, 300.0, 100)
    assert (card.value, card.note) == snapshot


def test_that_an_overflow_before_the_first_reading_has_only_an_upper_bound(tmp_path: Path) -> None:
    late = mcsio(*(lambda at, rate=rate: np.nan if at < 300 else rate * at for rate in (1.0, 0.0)))  # type: ignore[misc]
    seen = only(gauged(tmp_path / "a", {"A": late})).at(200.0)
    assert plain(overflow_prediction(seen)) == "before 5:00 min"


def test_that_the_interval_of_an_overflow_starts_at_the_first_possible_moment(tmp_path: Path) -> None:
    rates = (1.0, 1.001, 0.999)
    ram = [mcsio(lambda at, rate=rate: rate * at) for rate in rates]  # type: ignore[misc]
    runs = [gauged(tmp_path / str(rate), {"A": gauges}) for rate, gauges in zip(rates, ram, strict=True)]
    seen = only(*runs).at(300.0)
    assert seen.overflow is not None
    assert seen.overflow.low is not None
    assert seen.not_before is not None
    assert seen.overflow.low <= seen.not_before < 300


@pytest.mark.parametrize("top", [250.0, 205.0])
def test_that_the_overflow_estimated_from_a_pool_is_within_the_prediction_of_its_own_run(
    tmp_path: Path, top: float, snapshot: SnapshotAssertion
) -> None:
    pool: Gauge = lambda at: min(top, 20 + at)  # noqa: E731
    made = gauged(tmp_path / "a", {"A": {Quantity.POOL_NONPAGED: pool}}, 200, Provisioning.PVS)
    kind = only(made)
    cache = run_cache(run_figures(made))
    measured, seen = cache.since_zero(cache.overflow_start), kind.at(200.0)
    assert measured is not None
    assert seen.not_before is not None
    assert seen.overflow is None
    assert seen.not_before <= measured <= (np.inf if seen.bounds is None else seen.bounds[1])
    row = predicted_table((kind,), 100, (100.0,)).rows[0]
    assert plain(row[2].text) == snapshot
    assert row[2].value is None


def test_that_runs_with_different_writes_state_the_difference_and_the_scope_of_the_prediction(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    fast, slow = ((lambda at, rate=rate: min(1.05 * 200 * rate, 20 + rate * at)) for rate in (2.0, 1.0))  # type: ignore[misc]
    runs = [
        gauged(tmp_path / str(size), {"A": {Quantity.POOL_NONPAGED: pool}}, size, Provisioning.PVS)
        for size, pool in ((400, fast), (200, slow))
    ]
    kind = only(*runs)
    (small, _) = kind.tested
    assert small.overflow_error_s is None
    assert small.outside
    # 1 MB a second: 200 MB are full after 190 s at most, twice as fast after 100 s.
    assert small.outside_s == pytest.approx(-80, abs=20)
    assert left_out_table((kind,)).rows[0][6].text == f"{signed(small.outside_s, 0)} (outside the bounds)"
    words = plain(unlike_words(kind))
    assert words == snapshot
    assert words in plain(" ".join(prediction_words(kind, 100)))
    error = what_if_cards(kind, 300.0, 100)[-1]
    assert (error.note, error.detail) == snapshot


def test_that_a_tested_size_without_overflow_contradicts_a_predicted_overflow(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    runs = [
        gauged(tmp_path / str(size), {"A": mcsio(lambda at, rate=rate: rate * at)}, size)  # type: ignore[misc]
        for size, rate in ((400, 0.5), (1000, 1.2))
    ]
    kind = only(*runs)
    assert [tested.cache.label for tested in kind.unlike] == ["MCSIO 400 MB"]
    assert unlike_words(kind) == snapshot
    assert left_out_table((kind,)).rows[0][6].text == "did not overflow"
    assert kind.unlike[0].overflow_error_s is None


def test_that_a_tested_size_with_overflow_contradicts_a_prediction_without_overflow(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    spilling = mcsio(lambda at: min(400, 2 * at), lambda at: max(0, 2 * at - 400))
    runs = [gauged(tmp_path / "400", {"A": spilling}, 400), gauged(tmp_path / "900", {"A": mcsio(SLOW)}, 900)]
    kind = only(*runs)
    assert plain(unlike_words(kind)) == snapshot
    assert left_out_table((kind,)).rows[0][6].text == "not predicted"


def test_that_a_tested_size_shows_the_measured_value_next_to_the_prediction(tmp_path: Path) -> None:
    spilling = mcsio(lambda at: min(400, 2 * at), lambda at: max(0, 2 * at - 400))
    whole = mcsio(lambda at: 2 * at)
    kind = only(gauged(tmp_path / "400", {"A": spilling}, 400), gauged(tmp_path / "2000", {"A": whole}, 2000))
    rows = predicted_table((kind,), 100, (400.0, 401.0)).rows
    assert [plain(row[3].text) for row in rows] == ["3:30 min", "—"]
    assert plain(what_if_cards(kind, 400.0, 100)[1].detail) == "measured: 3:30 min"
    assert "measured" not in what_if_cards(kind, 401.0, 100)[1].detail


def test_that_gauges_without_bytes_give_no_prediction(tmp_path: Path) -> None:
    gauges = {
        Quantity.CACHE_RAM_USED: lambda at: at / MB,
        Quantity.CACHE_RAM_SIZE: lambda _: 4096 / MB,
        Quantity.CACHE_DISK_USED: NOTHING,
    }
    (kind,) = untested(answered(gauged(tmp_path / "a", {"A": gauges})))
    assert isinstance(kind, Refused)
    assert "A" in kind.reason
    assert "not in bytes" in kind.reason


@pytest.mark.parametrize("size", ["2GB", "2 gb", "2GiB", "2048", "2048MB", "2048 MiB"])
def test_that_a_size_is_typed_in_mb_or_gb(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    sample = Path(__file__).parents[4] / "sample_data" / "xenapp-pvs-ram-cache"
    assert main(["cache", str(sample), "--size", size, "--format", "json"]) == 0
    assert '"ram_cache_mb": 2048' in capsys.readouterr().out


@pytest.mark.parametrize("size", ["big", "2TB", "2GB2"])
def test_that_an_invalid_size_is_rejected_with_the_expected_form(
    size: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cache", "nowhere", "--size", size])
    assert ended.value.code == 2
    assert capsys.readouterr().err == snapshot
