"""Machines of one long table that are sampled at different times: each is read as if it had a separate file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.builders import run
from tests.readers.tables.test_known_tables import azure_text, read
from workbench.model.metric import Quantity
from workbench.model.recording import series_key
from workbench.model.run import Run
from workbench.study.series.catalogue import recorded
from workbench.study.series.trace import traced
from workbench.study.series.vm_series import vm_samples

VMS = ("W10-001", "W10-002", "W10-003")


def run_of(folder: Path, text: str) -> Run:
    folder.mkdir(exist_ok=True)
    reading, _ = read(folder, text)
    assert reading.recording is not None
    return run(reading.recording.placed("export.csv", str(folder / "columns")))


def alone(text: str, vm: str) -> str:
    head, *rows = text.splitlines()
    return "\n".join([head, *(row for row in rows if vm in row)]) + "\n"


def test_that_each_machine_has_the_samples_of_a_separate_file(tmp_path: Path) -> None:
    text = azure_text(machines=3, samples=9)
    together = vm_samples(run_of(tmp_path / "all", text), Quantity.IOPS)
    assert tuple(together) == VMS
    for vm in VMS:
        own = vm_samples(run_of(tmp_path / vm, alone(text, vm)), Quantity.IOPS)[vm]
        for field in ("end", "span", "values"):
            np.testing.assert_array_equal(getattr(together[vm], field), getattr(own, field))
        assert together[vm].span.tolist() == [60.0] * 9


def test_that_a_machine_that_stops_for_a_while_has_a_gap_and_others_have_none(tmp_path: Path) -> None:
    head, *rows = azure_text(machines=2, samples=12).splitlines()
    kept = [row for row in rows if "W10-001" not in row or not 12 <= rows.index(row) < 28]
    found = vm_samples(run_of(tmp_path, "\n".join([head, *kept]) + "\n"), Quantity.READ_IOPS)
    assert found["W10-001"].span.tolist() == [60.0] * 3 + [0.0] + [60.0] * 4
    assert found["W10-002"].span.tolist() == [60.0] * 12


def test_that_the_source_of_a_sample_is_the_row_of_its_machine(tmp_path: Path) -> None:
    text = azure_text(machines=3, samples=4)
    made = run_of(tmp_path, text)
    found = traced(made, Quantity.READ_IOPS)["W10-002"]
    (part,) = found.parts
    assert part.rows.tolist() == [1, 4, 7, 10]
    assert part.shares.tolist() == found.samples.values.tolist() == [41.25, 42.25, 43.25, 44.25]


def test_that_the_timeline_draws_each_counter_at_its_times(tmp_path: Path) -> None:
    made = run_of(tmp_path, azure_text(machines=3, samples=4))
    key = series_key(made.folder, "export.csv", r"\\W10-003\PhysicalDisk(_Total)\Disk Writes/sec")
    samples = recorded(made, [key])[key].samples
    assert samples.values.tolist() == [14.0, 15.0, 16.0, 17.0]
    assert samples.span.tolist() == [60.0] * 4
