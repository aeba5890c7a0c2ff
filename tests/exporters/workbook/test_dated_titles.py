"""A chart with curves as exported states their number of desktops, and the number of the current plan."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook
from syrupy.assertion import SnapshotAssertion

from tests.exporters.jobs import exported
from tests.exporters.office import recalculated
from tests.exporters.reading import load_sheets
from tests.exporters.workbook.test_live import small_library


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook with only the page Sizing, which no test changes."""
    path = tmp_path_factory.mktemp("sizing") / "a.xlsx"
    exported(small_library(), path, only=("sizing",))
    return path


def test_that_the_title_of_the_what_if_chart_follows_the_number_of_desktops(
    written: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with zipfile.ZipFile(written) as archive:
        charts = [archive.read(name).decode() for name in archive.namelist() if "charts/chart" in name]
    titles = [re.search(r"<title><tx><strRef><f>'([^']+)'!([^<]+)</f>.*?<v>([^<]+)</v>", chart) for chart in charts]
    ((sheet, place, words),) = (title.groups() for title in titles if title)
    assert words == "500 desktops (not recalculated)"
    assert load_sheets(written, sheet, data_only=True)[sheet][place.replace("$", "")].value == words
    book = load_workbook(written)
    (cell,) = book.defined_names["Sizing_desktops"].destinations
    book[cell[0]][cell[1].replace("$", "")].value = 620
    book.save(tmp_path / "changed.xlsx")
    (anew,) = recalculated([tmp_path / "changed.xlsx"], tmp_path)
    assert anew[sheet][place.replace("$", "")].value == snapshot


def test_that_the_printed_sizing_plan_has_result_and_method_and_no_overrides(written: Path) -> None:
    sheet = load_sheets(written, "Sizing plan")["Sizing plan"]
    heads = {cell.column_letter: str(cell.value) for cell in sheet[4] if cell.value}
    areas = re.findall(r"\$([A-Z]+)\$\d+:\$([A-Z]+)\$", str(sheet.print_area))
    assert [(heads[first], heads.get(last, "")) for first, last in areas] == [
        ("Input or step", "MCSIO 512 MB"),
        ("How", ""),
        ("Source", ""),
    ]
    assert sheet.print_title_cols.replace("$", "") == "A:B"
    assert "A2:D2" in {str(merged) for merged in sheet.merged_cells.ranges}
