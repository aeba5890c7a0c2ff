"""The quick look at the columns of a file says the same of long and of short ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from workbench.study.plausibility import stored
from workbench.study.plausibility.screen import _repeats

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
