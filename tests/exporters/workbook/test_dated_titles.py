"""A chart whose curves stay as exported says of how many desktops they are, and what the plan has now."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from openpyxl import load_workbook

from tests.exporters.jobs import exported
from tests.exporters.workbook.live import recalculated
from tests.exporters.workbook.test_live import small_library


def test_that_the_title_of_the_what_if_chart_is_a_cell_that_follows_the_number_of_desktops(tmp_path: Path) -> None:
    exported(small_library(tmp_path / "data"), tmp_path / "a.xlsx", only=("sizing",))
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        charts = [archive.read(name).decode() for name in archive.namelist() if "charts/chart" in name]
    titles = [re.search(r"<title><tx><strRef><f>'([^']+)'!([^<]+)</f>.*?<v>([^<]+)</v>", chart) for chart in charts]
    ((sheet, place, words),) = (title.groups() for title in titles if title)
    assert words == "500 desktops, as exported"
    assert load_workbook(tmp_path / "a.xlsx", data_only=True)[sheet][place.replace("$", "")].value == words
    book = load_workbook(tmp_path / "a.xlsx")
    (cell,) = book.defined_names["Sizing_desktops"].destinations
    book[cell[0]][cell[1].replace("$", "")].value = 620
    book.save(tmp_path / "changed.xlsx")
    (anew,) = recalculated([tmp_path / "changed.xlsx"], tmp_path)
    assert anew[sheet][place.replace("$", "")].value == f"{words}: the plan has 620 desktops now"


def test_that_the_sizing_plan_prints_what_it_takes_and_how_and_no_overrides(tmp_path: Path) -> None:
    exported(small_library(tmp_path / "data"), tmp_path / "a.xlsx", only=("sizing",))
    sheet = load_workbook(tmp_path / "a.xlsx")["Sizing plan"]
    heads = {cell.column_letter: str(cell.value) for cell in sheet[4] if cell.value}
    areas = re.findall(r"\$([A-Z]+)\$1:\$([A-Z]+)\$", str(sheet.print_area))
    assert [(heads[first], heads[last]) for first, last in areas] == [
        ("Input or step", "MCSIO 512 MB"),
        ("How, as exported", "Rests on, as exported"),
    ]
    assert sheet.print_title_cols.replace("$", "") == "A:B"
    assert "A2:D2" in {str(merged) for merged in sheet.merged_cells.ranges}
