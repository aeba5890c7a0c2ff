"""Workbooks that LibreOffice calculates again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from pypdf import PdfReader

from tests.exporters.reading import load_sheets


def needed_office() -> str:
    """The path of LibreOffice; without it the test is skipped. Long tests call this before they write anything."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice (soffice) is not installed: formulas are not calculated anew")
    return office


def recalculated(paths: list[Path], folder: Path, *titles: str) -> list[Workbook]:
    """The workbooks as calculated by LibreOffice, with all sheets or only these; it starts once for all."""
    anew = converted(paths, folder, "xlsx:Calc MS Excel 2007 XML")
    if titles:
        return [load_sheets(anew / path.name, *titles, data_only=True) for path in paths]
    return [load_workbook(anew / path.name, data_only=True) for path in paths]


def printed_pages(paths: list[Path], folder: Path) -> list[int]:
    """The number of pages that LibreOffice prints of each document; it starts once for all."""
    made = converted(paths, folder, "pdf")
    return [len(PdfReader(made / f"{path.stem}.pdf").pages) for path in paths]


def converted(paths: list[Path], folder: Path, kind: str) -> Path:
    """The folder with the converted documents."""
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    made = folder / "anew"
    command = [needed_office(), "--headless", profile, "--convert-to", kind, "--outdir", str(made), *map(str, paths)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return made
