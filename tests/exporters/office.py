"""Workbooks as LibreOffice calculates them anew."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook


def needed_office() -> str:
    """Where LibreOffice is; without it the test skips, which long ones ask before they write anything."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice (soffice) is not installed: formulas are not calculated anew")
    return office


def recalculated(paths: list[Path], folder: Path) -> list[Workbook]:
    """The workbooks as LibreOffice calculates them; one start for all."""
    office = needed_office()
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    kind = "xlsx:Calc MS Excel 2007 XML"
    command = [office, "--headless", profile, "--convert-to", kind, "--outdir", str(folder / "anew"), *map(str, paths)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return [load_workbook(folder / "anew" / path.name, data_only=True) for path in paths]
