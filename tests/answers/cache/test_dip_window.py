"""Samples that belong to the dip at an overflow: the sample just before the overflow reading may contain a part of the
flush."""

from __future__ import annotations

import numpy as np

from tests.builders import T0, samples
from workbench.answers.cache.overflow_dip import Dip, NoDip, overflow_dip

STEP = 5.0
AT = STEP * np.arange(1, 121)
# The counter shows the overflow at 300 s; the sample that ends at 295 s is number 58 from 0.
OVERFLOW, LAST_BEFORE = 300.0, 58


def dip_with(place: int, rate: float) -> Dip | NoDip:
    """The dip of a steady 1,000 IOPS (996, 1,000 and 1,004 in turn) with one sample at another rate."""
    values = np.resize([996.0, 1_000.0, 1_004.0], AT.size)
    values[place] = rate
    return overflow_dip(samples(AT.tolist(), values.tolist()), T0 + OVERFLOW)


def test_that_the_sample_just_before_the_overflow_is_part_of_the_dip() -> None:
    dip = dip_with(LAST_BEFORE, 400.0)
    assert isinstance(dip, Dip)
    assert (dip.trough, dip.trough_at) == (400.0, T0 + 295.0)
    assert dip.before == 1_000.0


def test_that_an_earlier_sample_is_not_part_of_the_dip() -> None:
    assert isinstance(dip_with(LAST_BEFORE - 1, 400.0), NoDip)


def test_that_the_sample_just_before_the_overflow_is_not_part_of_the_load_before() -> None:
    # Five samples before it are enough, four are not: the sample at 295 s must not complete the number.
    for known, kind in ((6, Dip), (5, NoDip)):
        values = np.resize([996.0, 1_000.0, 1_004.0], AT.size)
        values[: LAST_BEFORE + 1 - known] = np.nan
        values[LAST_BEFORE + 1 : LAST_BEFORE + 5] = 400.0
        assert isinstance(overflow_dip(samples(AT.tolist(), values.tolist()), T0 + OVERFLOW), kind), known


def test_that_the_idle_time_after_the_last_phase_is_not_part_of_the_dip() -> None:
    values = np.resize([996.0, 1_000.0, 1_004.0], AT.size)
    # Logoff at 400 s; the desktops are idle afterwards.
    values[AT > 400] = 5.0
    idle = samples(AT.tolist(), values.tolist())
    assert isinstance(overflow_dip(idle, T0 + OVERFLOW), Dip)
    assert isinstance(overflow_dip(idle, T0 + OVERFLOW, T0 + 400), NoDip)
