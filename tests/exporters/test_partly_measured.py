"""A run with measurements of only some VMs or some counters: the formulas of its rates give the figures of the
program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from tests.exporters.jobs import chosen_of
from tests.exporters.office import recalculated
from tests.exporters.studies import MCS, MCSIO, ROWS, columns, figures_of, make_run, make_study
from workbench.exporters.workbook.book import write_workbook
from workbench.exporters.workbook.columns import PLACES
from workbench.exporters.workbook.sheets.phases import FIRST_ROW
from workbench.model.metric import Quantity
from workbench.model.run import Study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Two of four VMs have samples, for eight users; one of the two has no writes."""
    data = columns(1, 10.0, 6.0)
    data["VM-02", Quantity.READ_IOPS] = np.full(ROWS, 4.0)
    run = replace(make_run(tmp_path / "data", "mcs-r1", MCS, data), vms=4, users=8)
    whole = make_run(tmp_path / "data", "mcsio-r1", MCSIO, columns(2, 3.0, 1.0))
    return make_study("lab", [run, whole])


def test_that_rates_of_a_partly_measured_phase_have_formulas_for_the_measured_part(
    study: Study, tmp_path: Path
) -> None:
    write_workbook(tmp_path / "a.xlsx", [study], figures_of(study), (), chosen_of(study))
    formulas = load_workbook(tmp_path / "a.xlsx")["Phase table"]
    results = load_workbook(tmp_path / "a.xlsx", data_only=True)["Phase table"]

    def cell(key: str, row: int) -> tuple[object, object]:
        place = PLACES[key]
        return formulas.cell(row, place).value, results.cell(row, place).value

    # Reads of both VMs, writes of one; the I/O of a VM is known if it has both.
    partly, whole = FIRST_ROW, FIRST_ROW + 2
    assert cell("read_iops_per_vm", partly)[1] == pytest.approx(7.0)
    assert str(cell("read_iops_per_vm", partly)[0]).endswith('/2,"")')
    assert cell("write_iops_per_vm", partly)[1] == pytest.approx(6.0)
    # 16 IOPS of the VM with both counters; it has a quarter of the eight users.
    assert cell("iops_per_user", partly)[1] == pytest.approx(8.0)
    assert "*G6/4)" in str(cell("iops_per_user", partly)[0])
    # The share is that of the VM with both counters. No total gives it, so it is a number and not a wrong formula.
    assert cell("read_percent", partly) == (62.5, 62.5)
    assert str(cell("read_percent", whole)[0]).startswith("=IF(COUNT(")


def test_that_a_second_program_calculates_the_same_partly_measured_figures(study: Study, tmp_path: Path) -> None:
    write_workbook(tmp_path / "a.xlsx", [study], figures_of(study), (), chosen_of(study))
    # Saved without results, so only a calculation can restore them.
    load_workbook(tmp_path / "a.xlsx").save(tmp_path / "bare.xlsx")
    (anew,) = recalculated([tmp_path / "bare.xlsx"], tmp_path)
    ours = load_workbook(tmp_path / "a.xlsx", data_only=True)
    compared = 0
    for sheet in load_workbook(tmp_path / "a.xlsx"):
        for cell in (cell for row in sheet.iter_rows() for cell in row if cell.data_type == "f"):
            found, wanted = (book[sheet.title][cell.coordinate].value for book in (anew, ours))
            if isinstance(wanted, int | float):
                assert found == pytest.approx(wanted, rel=1e-9), (sheet.title, cell.coordinate, cell.value)
                compared += 1
            else:
                assert found in (None, "", wanted), (sheet.title, cell.coordinate, found)
    assert compared > 100
