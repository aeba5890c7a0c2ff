"""One VM without samples is reported for any number of VMs; a complete run has no report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity

TIMES = T0 + 10.0 * np.arange(1, 61)


def problems(folder: Path, measured: int, stated: int) -> list[str]:
    """The problems of a run with `measured` VMs if its run.toml states their number."""
    columns = [(counter(f"VM-{number}", Quantity.IOPS), np.full(TIMES.size, 10.0)) for number in range(measured)]
    made = run(recording(folder, "a.csv", TIMES, columns), vms=stated, stated_phases=(phase("steady", 100, 400),))
    return [problem.message for problem in run_figures(made).problems if problem.code == "vms-missing"]


@pytest.mark.parametrize("stated", [2, 5, 100])
def test_that_one_missing_vm_is_reported_with_both_counts(
    tmp_path: Path, stated: int, snapshot: SnapshotAssertion
) -> None:
    (message,) = problems(tmp_path, stated - 1, stated)
    assert message == snapshot


def test_that_a_run_with_all_of_its_vms_reports_none_missing(tmp_path: Path) -> None:
    assert problems(tmp_path, 5, 5) == []
