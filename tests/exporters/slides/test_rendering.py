"""Slides rendered by LibreOffice: none is empty, and the bars have the heights of their numbers."""

import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

from tests.exporters.office import converted
from tests.exporters.slides.decks import BLUE, bars, deck_with, figure, lines, written
from workbench.charts.figure import Bars, Line, Look, Points
from workbench.charts.palette import colour
from workbench.exporters.document.document import Document

pytestmark = [
    pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice (soffice) is not installed"),
    pytest.mark.skipif(not shutil.which("pdftoppm"), reason="pdftoppm (poppler-utils) is not installed"),
]
GREEN, ORANGE = Look("PVS"), Look("MCSIO")


def _light() -> Document:
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
    return deck_with(columns, curves)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[np.ndarray]]:
    """The slides of a light and of a dark deck; LibreOffice starts once for both."""
    folder = tmp_path_factory.mktemp("rendered")
    written(folder / "light.pptx", _light())
    written(folder / "dark.pptx", deck_with(figure(bars(Bars("a", np.array([1.0, 2.0]), BLUE)))), theme="dark")
    made = converted([folder / "light.pptx", folder / "dark.pptx"], folder, "pdf")
    shown = {}
    for theme in ("light", "dark"):
        if not (made / f"{theme}.pdf").exists():
            pytest.skip("LibreOffice cannot convert presentations here (libreoffice-impress?)")
        command = ["pdftoppm", "-r", "72", "-png", str(made / f"{theme}.pdf"), str(made / theme)]
        subprocess.run(command, check=True, timeout=120)
        shown[theme] = [np.asarray(Image.open(path).convert("RGB")) for path in sorted(made.glob(f"{theme}-*.png"))]
    return shown


def _where(picture: np.ndarray, look: Look) -> np.ndarray:
    """The pixels of a look's colour."""
    ink = colour(look, "light")
    wanted = np.array([int(ink[at : at + 2], 16) for at in (1, 3, 5)])
    return (np.abs(picture.astype(int) - wanted) <= 8).all(axis=2)


def test_that_bars_lines_and_dots_are_drawn_with_the_heights_of_their_numbers(pictures):
    light = pictures["light"]
    assert len(light) == 5
    one, two = _where(light[2], BLUE), _where(light[2], ORANGE)
    tall, short = (np.count_nonzero(part.any(axis=1)) for part in (one, two))
    assert 0.45 < short / tall < 0.55
    assert np.count_nonzero(_where(light[3], ORANGE)) > 300
    # LibreOffice ignores series that come before longer ones, such as dots.
    assert np.count_nonzero(_where(light[3], GREEN)) > 20


def test_that_no_slide_is_empty_in_the_dark_theme(pictures):
    for picture in pictures["dark"]:
        assert picture.mean() < 100
        assert picture.std() > 3
