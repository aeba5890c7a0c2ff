"""The readings that a cache figure names are those it was computed from, also after restarts and without sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.sources import explain_cache
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

MB = 2**20
SECONDS = 10.0 * np.arange(361)


def figures(folder: Path, *columns: tuple[str, Quantity, Any]) -> RunFigures:
    """An hour of these gauges in MB, with a cache of 512 MB stated."""
    counters = [(counter(vm, quantity), mb * MB) for vm, quantity, mb in columns]
    made = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
    file = recording(folder, "a.csv", T0 + SECONDS, counters)
    return run_figures(run(file, configuration=made, stated_phases=(phase("steady", 0, 3600),)))


def test_that_growth_after_a_restart_uses_the_readings_since_the_restart(tmp_path: Path) -> None:
    # 30 MB a minute until the restart at 1400 s, then 6 MB a minute, which never gets as high again.
    disk = np.where(SECONDS < 1400, np.maximum(SECONDS / 2 - 500, 0), np.maximum((SECONDS - 2500) * 0.1, 0))
    ram = np.full(361, 100.0)
    found = explain_cache(
        figures(tmp_path, ("A", Quantity.CACHE_RAM_USED, ram), ("A", Quantity.CACHE_DISK_USED, disk)),
        "cache_disk_growth_at_end_mb_per_min",
    )
    (source,) = found.sources
    assert source.first_row is not None
    assert source.last_row is not None
    first, last = source.first_row - 1, source.last_row - 1
    named = 60 * (disk[last] - disk[first]) / (SECONDS[last] - SECONDS[first])
    assert found.value == pytest.approx(named) == pytest.approx(30)


def test_that_the_mean_covers_stated_sizes_and_counted_sizes(tmp_path: Path) -> None:
    ram, zero, size = np.full(361, 100.0), np.zeros(361), np.full(361, 1024.0)
    mixed = figures(
        tmp_path,
        ("A", Quantity.CACHE_RAM_USED, ram),
        ("A", Quantity.CACHE_RAM_SIZE, size),
        ("B", Quantity.CACHE_RAM_USED, ram),
        ("B", Quantity.CACHE_RAM_SIZE, zero),
        ("C", Quantity.CACHE_RAM_USED, ram),
    )
    found = explain_cache(mixed, "ram_cache_mb")
    assert found.value == pytest.approx((1024 + 512 + 512) / 3)
    # B's counter has no size: its size is the stated one, and so is C's.
    assert [source.vm for source in found.sources] == ["A", ""]
    assert sum(source.contribution or 0 for source in found.sources) == pytest.approx(found.value)


def test_that_restarts_name_the_first_reading_of_each_emptied_cache(tmp_path: Path) -> None:
    # Emptied at 1,000 s and at 2,500 s: from 100 MB to 1 MB.
    emptied = (100, 250)
    ram = np.full(361, 100.0)
    for place in emptied:
        ram[place : place + 20] = np.linspace(1, 100, 20)
    found = explain_cache(figures(tmp_path, ("A", Quantity.CACHE_RAM_USED, ram)), "restarts")
    assert found.value == 2
    (source,) = found.sources
    assert (source.first_row, source.last_row) == tuple(place + 1 for place in emptied)
