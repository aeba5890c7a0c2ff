"""The quick look at the columns of a file says the same of long and of short ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from workbench.model.metric import Metric, Quantity, Vantage
from workbench.model.recording import Series
from workbench.study.plausibility import stored
from workbench.study.plausibility.screen import _repeats
from workbench.study.plausibility.spikes import high_cases, standstills

ROWS, STRIDE = 100, 5


def columns() -> dict[str, pl.Series]:
    """What a counter may hold: values, gaps, nothing at all, zeros, one value for a while, and that between gaps."""
    values = np.random.default_rng(3).exponential(8.0, ROWS)
    gaps = np.where(np.arange(ROWS) % 7 == 3, np.nan, values)
    still, still_gaps = (np.where((np.arange(ROWS) > 40) & (np.arange(ROWS) < 70), 4.5, one) for one in (values, gaps))
    series = [values, gaps, np.full(ROWS, np.nan), np.zeros(ROWS), still, still_gaps]
    return {f"c{place}": pl.Series(one, nan_to_null=True, dtype=pl.Float64) for place, one in enumerate(series)}


def looked_at(file: Path, places: list[int]) -> dict[int, tuple[float, list[float], bool]]:
    """By column its highest value, the few that are compared, and whether they repeat a value."""
    seen: dict[int, tuple[float, list[float], bool]] = {}
    for block in stored.opened(file, ROWS).blocks(places, STRIDE):
        repeats = _repeats(block.few)
        for row, place in enumerate(block.places.tolist()):
            seen[place] = (float(block.highest[row]), block.few[row].tolist(), bool(repeats[row]))
    return seen


def test_that_long_columns_are_looked_at_as_short_ones_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.arrow"
    pl.DataFrame({"t": np.arange(ROWS)} | columns()).write_ipc(file, compression="uncompressed")
    for places in ([0, 1, 2, 3, 4, 5], [1, 4]):
        short = looked_at(file, places)
        monkeypatch.setattr(stored, "_LONG", ROWS - 1)
        long = looked_at(file, places)
        monkeypatch.setattr(stored, "_LONG", ROWS)
        assert list(long) == list(short) == places
        for place in places:
            np.testing.assert_array_equal(long[place][0], short[place][0])
            np.testing.assert_array_equal(long[place][1], short[place][1])
            assert long[place][2] is short[place][2] is (place in {4, 5})


def test_that_very_many_columns_are_read_as_a_few_are_and_asked_for_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log of 30,000 counters was asked for each of them alone: six minutes, after which it was refused."""
    count, rows = 2_500, 20
    table = np.random.default_rng(4).exponential(8.0, (count, rows))
    table[:, 3] = np.nan
    file = tmp_path / "a.arrow"
    columns = {f"c{place}": pl.Series(values, nan_to_null=True) for place, values in enumerate(table)}
    pl.DataFrame({"t": np.arange(rows)} | columns).write_ipc(file, compression="uncompressed")
    asked: list[object] = []
    collect = pl.LazyFrame.collect
    monkeypatch.setattr(stored, "_TOGETHER", 500 * rows)
    monkeypatch.setattr(pl.LazyFrame, "collect", lambda *some, **more: asked.append(some) or collect(*some, **more))
    opened = stored.opened(file, rows)
    for place in [*range(count), count - 1, 0]:
        np.testing.assert_array_equal(opened.column(place), table[place])
    assert len(asked) == 5
    # What is kept of a part is no view: a column that is held would hold its part.
    assert opened.column(7).base is None


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
