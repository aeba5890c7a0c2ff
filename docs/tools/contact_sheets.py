"""Contact sheets of the documents: every page of one sample study's export as a numbered thumbnail.

`docs/tools/pictures.py` draws them with the other images of the docs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "sample_data" / "rds-mcsio-cache-sweep"
COLUMNS, WIDE, GAP, CAPTION = 6, 250, 10, 20
GROUND, INK = "#d9dce1", "#1b1f24"
_OFFICE, _BROWSERS = ("soffice", "libreoffice"), ("chromium", "google-chrome", "chrome")


@dataclass(frozen=True)
class ContactSheet:
    """A document: `name` of its image, the file extension of the export, and the programs of which one prints it."""

    name: str
    ending: str
    programs: tuple[str, ...] = ()


SHEETS = (
    ContactSheet("contact-workbook", ".xlsx", _OFFICE),
    ContactSheet("contact-slides", ".pptx", _OFFICE),
    ContactSheet("contact-page", ".html", _BROWSERS),
    ContactSheet("contact-report", ".pdf"),
)


def missing(sheet: ContactSheet) -> str:
    """The reason why a contact sheet cannot be drawn on this machine; empty if it can."""
    needed = [sheet.programs] if sheet.programs else []
    absent = [" or ".join(names) for names in (*needed, ("pdftoppm",)) if _program(names) is None]
    return f"{' and '.join(absent)} not installed" if absent else ""


def draw(sheet: ContactSheet, file: Path, folder: Path) -> None:
    """Exports the sample study into `folder`, prints the document and writes its pages as one image."""
    document = folder / f"document{sheet.ending}"
    exported = [sys.executable, "-m", "workbench.cli", "export", str(STUDY), "-o", str(document)]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    subprocess.run(exported, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env=environment)
    printed = _printed(sheet, document)
    subprocess.run(["pdftoppm", "-scale-to-x", str(WIDE), "-scale-to-y", "-1", printed, folder / "page"], check=True)
    # pdftoppm fills the numbers with zeros, so names in order are pages in order.
    _montage([Image.open(page) for page in sorted(folder.glob("page-*.ppm"))]).save(file, optimize=True)


def _program(names: Sequence[str]) -> str | None:
    return next((path for path in map(shutil.which, names) if path), None)


def _printed(sheet: ContactSheet, document: Path) -> Path:
    """The document as a PDF."""
    program = _program(sheet.programs)
    if program is None:
        return document
    printed = document.with_suffix(".pdf")
    profile = document.with_name("profile")
    if sheet.programs is _OFFICE:
        command = [program, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", "pdf"]
        command += ["--outdir", str(document.parent), str(document)]
    else:
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
        command += ["--no-pdf-header-footer", f"--print-to-pdf={printed}", document.as_uri()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return printed


def _montage(pages: Sequence[Image.Image]) -> Image.Image:
    """The pages in rows, each with its number below it."""
    high = max(page.height for page in pages)
    rows = -(-len(pages) // COLUMNS)
    columns = min(COLUMNS, len(pages))
    size = (GAP + columns * (WIDE + GAP), GAP + rows * (high + CAPTION + GAP))
    whole, font = Image.new("RGB", size, GROUND), ImageFont.load_default(14)
    drawing = ImageDraw.Draw(whole)
    for index, page in enumerate(pages):
        left = GAP + index % COLUMNS * (WIDE + GAP)
        top = GAP + index // COLUMNS * (high + CAPTION + GAP)
        whole.paste(page, (left, top))
        drawing.text((left + WIDE / 2, top + page.height + 2), str(index + 1), INK, font, anchor="ma")
    return whole.quantize(128)
