"""The quick check of the columns of a file covers every column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from workbench.model.metric import Metric, Quantity, Vantage
from workbench.model.recording import Series
from workbench.study.plausibility import screen
from workbench.study.plausibility.spikes import high_cases, standstills

ROWS = 100


def columns() -> list[npt.NDArray[np.float64]]:
    """Possible values of a counter: values, gaps, no value, zeros, one value for some time, and one value between
    gaps."""
    values = np.random.default_rng(3).exponential(8.0, ROWS)
    gaps = np.where(np.arange(ROWS) % 7 == 3, np.nan, values)
    still, still_gaps = (np.where((np.arange(ROWS) > 40) & (np.arange(ROWS) < 70), 4.5, one) for one in (values, gaps))
    return [values, gaps, np.full(ROWS, np.nan), np.zeros(ROWS), still, still_gaps]


@pytest.mark.parametrize("at_once", [1, 3 * ROWS, 1 << 16])
@pytest.mark.parametrize("places", [[0, 1, 2, 3, 4, 5], [1, 4], []])
def test_that_every_column_is_checked_for_any_batch_size(
    monkeypatch: pytest.MonkeyPatch, at_once: int, places: list[int]
) -> None:
    monkeypatch.setattr(screen, "_AT_ONCE", at_once)
    table = np.vstack([np.arange(ROWS), *columns()])
    table[2, 50] = 1e12
    found = screen.suspects(table, [counters(6)[place] for place in places], 1.0)
    assert found.high == tuple(place for place in places if place == 1)
    assert found.still == tuple(place for place in places if place in {4, 5})


class Counted(list[Series]):
    """Counters that record how often they are read."""

    times = 0

    def __iter__(self) -> Iterator[Series]:
        self.times += 1
        return super().__iter__()


def counters(count: int) -> Counted:
    rate = Metric(Quantity.IOPS, Vantage.GUEST)
    made: dict[str, Any] = {"path": "", "counter": "Disk Transfers/sec", "object": "PhysicalDisk", "instance": "_Total"}
    return Counted(Series(vm=f"VM-{at}", host=f"VM-{at}", column=at, metric=rate, **made) for at in range(count))


def test_that_counters_are_scanned_once_and_not_per_suspect() -> None:
    series, still = counters(300), np.r_[np.arange(20.0), np.full(200, 7.123), np.arange(20.0)]
    assert len(standstills(list(series), series, lambda _: still)) == 300
    assert series.times <= 3
    series, high = counters(300), np.r_[np.full(100, 5.0), 1e9, np.full(100, 6.0)]
    assert len(list(high_cases(list(series), series, np.full(201, 1.0), lambda _: high))) >= 300
    assert series.times <= 3
