"""The quick look at the columns of a file sees every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from workbench.model.metric import Metric, Quantity, Vantage
from workbench.model.recording import Series
from workbench.readers.common.flat_columns import write_table
from workbench.study.plausibility import stored
from workbench.study.plausibility.screen import _repeats
from workbench.study.plausibility.spikes import high_cases, standstills

ROWS, STRIDE = 100, 5


def columns() -> list[npt.NDArray[np.float64]]:
    """What a counter may hold: values, gaps, nothing at all, zeros, one value for a while, and that between gaps."""
    values = np.random.default_rng(3).exponential(8.0, ROWS)
    gaps = np.where(np.arange(ROWS) % 7 == 3, np.nan, values)
    still, still_gaps = (np.where((np.arange(ROWS) > 40) & (np.arange(ROWS) < 70), 4.5, one) for one in (values, gaps))
    return [values, gaps, np.full(ROWS, np.nan), np.zeros(ROWS), still, still_gaps]


@pytest.mark.parametrize("at_once", [1, 3 * ROWS, 1 << 16])
@pytest.mark.parametrize("places", [[0, 1, 2, 3, 4, 5], [1, 4], []])
def test_that_every_column_is_looked_at_however_many_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, places: list[int]
) -> None:
    monkeypatch.setattr(stored, "_AT_ONCE", at_once)
    write_table(tmp_path / "a.arrow", np.arange(ROWS), np.array(columns()))
    opened, seen = stored.opened(tmp_path / "a.arrow"), list[int]()
    np.testing.assert_array_equal(opened.times, np.arange(ROWS) / 1e6)
    for block in opened.blocks(places, STRIDE):
        seen += block.places.tolist()
        for row, place in enumerate(block.places.tolist()):
            whole = columns()[place]
            np.testing.assert_array_equal(block.highest[row], np.fmax.reduce(whole))
            np.testing.assert_array_equal(block.few[row], whole[::STRIDE])
            np.testing.assert_array_equal(opened.column(place), whole)
            assert bool(_repeats(block.few)[row]) is (place in {4, 5})
    assert seen == places


class Counted(list[Series]):
    """Counters that know how often they are gone through."""

    times = 0

    def __iter__(self) -> Iterator[Series]:
        self.times += 1
        return super().__iter__()


def counters(count: int) -> Counted:
    rate = Metric(Quantity.IOPS, Vantage.GUEST)
    made: dict[str, Any] = {"path": "", "counter": "Disk Transfers/sec", "object": "PhysicalDisk", "instance": "_Total"}
    return Counted(Series(vm=f"VM-{at}", host=f"VM-{at}", column=at, metric=rate, **made) for at in range(count))


def test_that_the_counters_are_gone_through_once_not_for_each_suspect() -> None:
    series, still = counters(300), np.r_[np.arange(20.0), np.full(200, 7.123), np.arange(20.0)]
    assert len(standstills(list(series), series, lambda _: still)) == 300
    assert series.times <= 3
    series, high = counters(300), np.r_[np.full(100, 5.0), 1e9, np.full(100, 6.0)]
    assert len(list(high_cases(list(series), series, np.full(201, 1.0), lambda _: high))) >= 300
    assert series.times <= 3
