"""The contact sheets of the documents, from the command that draws the pictures of the docs."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def sheets(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(DOCS / "tools"))
    return import_module("contact_sheets")


def test_that_a_missing_program_is_reported_as_the_reason_for_a_missing_sheet(
    sheets: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name in ("soffice", "libreoffice") else f"/bin/{name}")
    reasons = {sheet.name: sheets.missing(sheet) for sheet in sheets.SHEETS}
    office = "soffice or libreoffice not installed"
    assert reasons == {"contact-workbook": office, "contact-slides": office, "contact-page": "", "contact-report": ""}


def test_that_every_page_is_on_the_sheet_in_rows_of_six(sheets: ModuleType) -> None:
    pages = [Image.new("RGB", (sheets.WIDE, 100), (10 * number, 0, 0)) for number in range(8)]
    whole = sheets._montage(pages).convert("RGB")
    assert whole.size == (10 + 6 * 260, 10 + 2 * 130)
    seen = [whole.getpixel((20 + index % 6 * 260, 20 + index // 6 * 130)) for index in range(8)]
    assert seen == [(10 * number, 0, 0) for number in range(8)]


def test_that_each_contact_sheet_is_in_the_docs(sheets: ModuleType) -> None:
    words = (DOCS / "exports.md").read_text(encoding="utf-8")
    for sheet in sheets.SHEETS:
        assert f"pictures/{sheet.name}.png" in words
        assert (DOCS / "pictures" / f"{sheet.name}.png").is_file()
