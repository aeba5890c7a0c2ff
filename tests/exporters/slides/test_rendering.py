"""Slides rendered by LibreOffice: none is empty, and the bars are where their numbers are."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.exporters.slides.decks import BLUE, bars, deck_with, figure, lines, written
from workbench.charts.figure import Bars, Line, Look, Points
from workbench.charts.palette import colour

pytestmark = [
    pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice (soffice) is not installed"),
    pytest.mark.skipif(not shutil.which("pdftoppm"), reason="pdftoppm (poppler-utils) is not installed"),
]
GREEN, ORANGE = Look("PVS"), Look("MCSIO")


def _pictures(folder: Path, deck, **more) -> list[np.ndarray]:
    written(folder / "a.pptx", deck, **more)
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    convert = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(folder / "a.pptx")]
    done = subprocess.run(convert, capture_output=True, text=True, timeout=180, check=False)
    if not (folder / "a.pdf").exists():
        pytest.skip(f"LibreOffice cannot convert presentations here (libreoffice-impress?): {done.stderr[-200:]}")
    subprocess.run(["pdftoppm", "-r", "72", "-png", str(folder / "a.pdf"), str(folder / "p")], check=True, timeout=120)
    return [np.asarray(Image.open(path).convert("RGB")) for path in sorted(folder.glob("p-*.png"))]


def _where(picture: np.ndarray, look: Look) -> np.ndarray:
    """The pixels of a look's colour."""
    ink = colour(look, "light")
    wanted = np.array([int(ink[at : at + 2], 16) for at in (1, 3, 5)])
    return (np.abs(picture.astype(int) - wanted) <= 8).all(axis=2)


def test_that_bars_lines_and_dots_are_drawn_with_the_heights_of_their_numbers(tmp_path):
    x = np.linspace(0, 600, 50)
    columns = figure(
        bars(
            Bars("a", np.array([100.0, np.nan]), BLUE, stack="s"),
            Bars("b", np.array([np.nan, 50.0]), ORANGE, stack="s"),
        )
    )
    curves = figure(
        lines(Line("line", x, x, ORANGE), Points("dots", np.array([60.0, 300.0]), np.array([500.0, 90.0]), GREEN))
    )
    pictures = _pictures(tmp_path, deck_with(columns, curves))
    assert len(pictures) == 5
    one, two = _where(pictures[2], BLUE), _where(pictures[2], ORANGE)
    tall, short = (np.count_nonzero(part.any(axis=1)) for part in (one, two))
    assert 0.45 < short / tall < 0.55
    assert np.count_nonzero(_where(pictures[3], ORANGE)) > 300
    # LibreOffice ignores series that come before longer ones, such as dots.
    assert np.count_nonzero(_where(pictures[3], GREEN)) > 20


def test_that_no_slide_is_empty_in_the_dark(tmp_path):
    pictures = _pictures(tmp_path, deck_with(figure(bars(Bars("a", np.array([1.0, 2.0]), BLUE)))), theme="dark")
    for picture in pictures:
        assert picture.mean() < 100
        assert picture.std() > 3
