"""Office files without errors: the Open XML SDK's validator if installed, and checks of fonts and axes everywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.styles import Font
from pptx import Presentation

from tests.exporters.documents import document
from tests.exporters.jobs import dangerous_study, exported, library_of
from tests.exporters.studies import replicate_study
from tests.exporters.validator import errors, faults

Make = Callable[[Path], Path]


def _export(folder: Path, ending: str, **wanted: object) -> Path:
    path = folder / f"made{ending}"
    exported(library_of(replicate_study(folder / "data")), path, **wanted)
    return path


def _hostile(folder: Path, ending: str) -> Path:
    return document(library_of(dangerous_study(folder / "data")), f"dangerous{ending}")


def _workbook_template(folder: Path) -> Path:
    book = Workbook()
    sheet = book.active
    sheet["A1"], sheet["A3"] = "{{text:study}}", "{{figure:overview}}"
    sheet["A30"], sheet["A60"] = "{{table:overview:Phase table}}", "{{figure:cache}}"
    sheet["A1"].font = Font(bold=True, size=18, color="FF0072B2")
    book.save(folder / "template.xlsx")
    return folder / "template.xlsx"


def _deck_template(folder: Path) -> Path:
    Presentation().save(str(folder / "template.pptx"))
    return folder / "template.pptx"


MADE: dict[str, Make] = {
    "workbook": lambda folder: _export(folder, ".xlsx"),
    "deck": lambda folder: _export(folder, ".pptx"),
    "dark deck": lambda folder: _export(folder, ".pptx", theme="dark"),
    "filled workbook": lambda folder: _export(folder, ".xlsx", template=_workbook_template(folder)),
    "filled deck": lambda folder: _export(folder, ".pptx", template=_deck_template(folder)),
    "hostile workbook": lambda folder: _hostile(folder, ".xlsx"),
    "hostile deck": lambda folder: _hostile(folder, ".pptx"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file of a name in `MADE`, which is written once."""

    @cache
    def file_of(name: str) -> Path:
        return MADE[name](tmp_path_factory.mktemp("made"))

    return file_of


@pytest.mark.parametrize("name", MADE)
def test_that_fonts_are_in_order_and_axes_are_paired_under_legal_numbers(
    made: Callable[[str], Path], name: str
) -> None:
    assert faults(made(name)) == []


@pytest.mark.parametrize("name", MADE)
def test_that_the_open_xml_validator_finds_no_error(made: Callable[[str], Path], name: str) -> None:
    assert errors(made(name)) == []


@pytest.mark.parametrize("name", ["workbook", "deck"])
def test_that_the_file_properties_name_the_product_and_no_library(made: Callable[[str], Path], name: str) -> None:
    with ZipFile(made(name)) as archive:
        words = "".join(
            archive.read(name).decode(errors="replace") for name in archive.namelist() if name.startswith("docProps/")
        )
    assert "<Application>VDI Workbench</Application>" in words
    for other in ("openpyxl", "python-pptx", "steve canny", "macintosh", "xlsxwriter"):
        assert other not in words.casefold()
