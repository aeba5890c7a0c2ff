"""Readings of a gauge at the end of a phase and at their peak, in the unit that the measure is shown in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.rules import HighestReading, LastReading
from workbench.model.metric import Quantity
from workbench.study.series.vm_series import samples_of

TIMES = T0 + 15.0 * np.arange(1, 6)
READINGS = {"A": (1.0, 9.0, 2.0, 3.0, 40.0), "B": (1.0, 2.0, 2.0, 5.0, 60.0)}


@pytest.mark.parametrize(("quantity", "shown"), [(Quantity.QUEUE_DEPTH, 1), (Quantity.CACHE_DISK_USED, 2**20)])
def test_that_bytes_are_shown_in_mb_and_other_counters_in_their_unit(
    tmp_path: Path, quantity: Quantity, shown: int
) -> None:
    columns = [(counter(vm, quantity), values) for vm, values in READINGS.items()]
    lab = run(recording(tmp_path, "guest.csv", TIMES, columns))
    whole = RunSamples(lab, lambda wanted: samples_of(lab, (wanted,))[wanted])
    # The fifth sample is after the phase.
    samples = PhaseSamples(whole, phase("steady", 0, 61))
    for rule, expected in ((LastReading(quantity), (3 + 5) / 2), (HighestReading(quantity), 9.0)):
        assert rule.value(samples) == pytest.approx(expected / shown, rel=1e-12)
        weighted = [samples.by_vm(quantity)[use.vm].values * use.weights for use in rule.uses(samples)]
        assert float(np.sum(weighted)) == pytest.approx(expected / shown, rel=1e-12)
