"""The sources of the figures of a dip and of a stated size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.sources import explain_cache, explain_cache_run
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.sources import UnknownFigureError
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

MB = 2**20
TIMES = T0 + 5 * np.arange(1.0, 241.0)
OVERFLOW = 120


@pytest.fixture
def figures(tmp_path: Path) -> RunFigures:
    """IOPS of 99 to 101 that fall to 30 when the cache overflows and recover a minute later."""
    rates = np.where(np.arange(TIMES.size) % 2, 101.0, 99.0)
    rates[OVERFLOW : OVERFLOW + 12] = np.linspace(30, 85, 12)
    disk = np.where(np.arange(TIMES.size) < OVERFLOW, 0.0, 5.0 * MB)
    ram = np.minimum(np.arange(TIMES.size) * 4.0, 460.0) * MB
    file = recording(
        tmp_path,
        "a.csv",
        TIMES,
        [
            (counter("A", Quantity.IOPS), rates),
            (counter("A", Quantity.CACHE_RAM_USED, instance=""), ram),
            (counter("A", Quantity.CACHE_DISK_USED, instance=""), disk),
        ],
    )
    made = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
    return run_figures(run(file, stated_phases=(phase("steady", 0, 1200),), configuration=made))


def test_that_the_source_of_a_dip_is_the_sample_of_its_trough(figures: RunFigures) -> None:
    found = explain_cache(figures, "iops_trough")
    (source,) = found.sources
    assert (found.value, source.contribution) == (30.0, 30.0)
    assert (source.first_row, source.last_row, source.column) == (OVERFLOW + 1, OVERFLOW + 1, 2)


def test_that_the_source_of_the_rate_before_a_dip_is_the_rows_of_its_median(figures: RunFigures) -> None:
    found = explain_cache(figures, "iops_before", vm="A")
    (source,) = found.sources
    assert source.first_row is not None
    assert source.last_row is not None
    rates = np.where(np.arange(TIMES.size) % 2, 101.0, 99.0)
    assert found.value == np.median(rates[source.first_row - 1 : source.last_row])
    # Five minutes of samples every five seconds, up to the one before the overflow's own.
    assert (source.last_row, source.samples) == (OVERFLOW - 1, 60)


def test_that_the_source_of_the_fall_names_both_rates(figures: RunFigures) -> None:
    found = explain_cache(figures, "fall_percent", vm="A")
    assert found.value == pytest.approx(70.0)
    assert [source.part.split(":")[0] for source in found.sources] == ["before", "lowest"]


def test_that_the_source_of_a_stated_size_is_run_toml(figures: RunFigures) -> None:
    found = explain_cache(figures, "ram_cache_mb")
    (source,) = found.sources
    assert found.value == source.contribution == 512.0
    assert source.file.endswith("run.toml")
    assert (source.counter, source.first_row) == ("ram_cache_mb", None)


def test_that_every_figure_of_a_run_is_reported_once(figures: RunFigures) -> None:
    told = [found.figure for found in explain_cache_run(figures, "steady")]
    assert len(told) == len(set(told)) >= 15
    assert {"fill_rate_mb_per_min", "fall_percent", "overflow_start_s"} <= set(told)


def test_that_an_unknown_figure_is_rejected_and_the_error_lists_the_known_figures(figures: RunFigures) -> None:
    with pytest.raises(UnknownFigureError, match=r"There is no cache value 'speed'\. Valid names: ram_"):
        explain_cache(figures, "speed")
