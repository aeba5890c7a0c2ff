"""A RAM cache without a stated size: its RAM and hosts are unknown in every document, never 0 and never a saving."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet
from pptx import Presentation

from tests.exporters.jobs import exported, library_of
from tests.exporters.office import needed_office, recalculated
from tests.exporters.reading import load_sheets
from tests.exporters.studies import MCS, columns, make_run, make_study
from workbench.answers.sizing.chosen import capacity_plans
from workbench.answers.sizing.tables import capital
from workbench.model.run import Configuration, Provisioning
from workbench.session.state import State

UNSIZED = Configuration("PVS", Provisioning.PVS)
SHEET = "Sizing plan"


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The workbook and the deck of a baseline and of a configuration with an unknown cache size."""
    folder = tmp_path_factory.mktemp("unsized")
    runs = [make_run(folder, f"mcs-{at}", MCS, columns(2, 60 + at / 10, 30)) for at in range(3)]
    runs += [make_run(folder, f"pvs-{at}", UNSIZED, columns(2, 9 + at / 10, 5)) for at in range(3)]
    library = library_of(make_study("lab", runs))
    for ending, length in ((".xlsx", "full"), (".pptx", "brief")):
        exported(library, folder / f"a{ending}", length=length)
    plans = capacity_plans(library, State())
    assert [plan.result("hosts") is None for study in plans.values() for plan in study] == [False, True]
    return {ending: folder / f"a{ending}" for ending in (".xlsx", ".pptx")}


def _rows(sheet: Worksheet) -> dict[object, tuple[object, object]]:
    return {row[0]: (row[2], row[3]) for row in sheet.iter_rows(values_only=True)}


def _check(book: Workbook) -> None:
    rows = _rows(book[SHEET])
    for label in ("RAM for the caches of all VMs", "hosts needed for RAM", "hosts", "hosts including spares"):
        baseline, unsized = rows[capital(label)]
        assert baseline not in (None, ""), label
        assert unsized in (None, ""), label
    assert all(isinstance(value, int | float) for value in rows["Disks"])


def test_that_the_workbook_leaves_the_ram_and_the_hosts_empty(documents: Mapping[str, Path]) -> None:
    _check(load_sheets(documents[".xlsx"], SHEET, data_only=True))


def test_that_the_formulas_leave_ram_and_hosts_empty_too(documents: Mapping[str, Path], tmp_path: Path) -> None:
    needed_office()
    (anew,) = recalculated([documents[".xlsx"]], tmp_path, SHEET)
    _check(anew)


def test_that_a_size_in_the_workbook_gives_its_hosts(documents: Mapping[str, Path], tmp_path: Path) -> None:
    needed_office()
    book = load_sheets(documents[".xlsx"], SHEET, data_only=False)
    sheet = book[SHEET]
    row = next(row for row in sheet.iter_rows() if row[0].value == "RAM cache per VM")
    cell = row[3]
    assert cell.value in (None, ""), "the input is not editable"
    cell.value = 512
    book.save(tmp_path / "sized.xlsx")
    (anew,) = recalculated([tmp_path / "sized.xlsx"], tmp_path, SHEET)
    assert _rows(anew[SHEET])["RAM for the caches of all VMs"][1] == pytest.approx(500 * 512 / 1024)


def test_that_the_slides_call_the_ram_unknown(documents: Mapping[str, Path]) -> None:
    deck = Presentation(str(documents[".pptx"]))
    texts = [shape.text_frame.text for slide in deck.slides for shape in slide.shapes if shape.has_text_frame]
    assert any("unknown cache RAM" in text for text in texts), texts
    assert any("RAM and hosts unknown: PVS" in text for text in texts), texts


def test_that_long_names_are_complete_above_their_columns_of_the_plan(tmp_path: Path) -> None:
    name = "MCS baseline for the finance department on the second storage array in Frankfurt, one"
    runs = [make_run(tmp_path / "d", "r1", Configuration(name, Provisioning.MCS), columns(2, 60.0, 30.0))]
    exported(library_of(make_study("lab", runs)), tmp_path / "a.xlsx", only=("sizing",))
    sheet = load_sheets(tmp_path / "a.xlsx", SHEET, data_only=True)[SHEET]
    row, column = next(
        (cell.row, cell.column_letter) for cells in sheet.iter_rows() for cell in cells if cell.value == name
    )
    lines = sheet.row_dimensions[row].height / 14
    assert lines * sheet.column_dimensions[column].width >= len(name)
