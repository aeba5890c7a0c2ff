from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from defusedxml import ElementTree
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.exporters.page.evil import NAMES, evil_content
from tests.gui.plot.figures import bars_figure, per_vm_figure
from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Bars, Figure, Look, Panel
from workbench.charts.palette import ThemeName
from workbench.exporters.job import Painter
from workbench.exporters.texts import plain_text
from workbench.gui.pictures.files import figure_svg, paint_file
from workbench.gui.pictures.painter import QtPainter
from workbench.measures.significance.method import PROGRAM

SVG = "{http://www.w3.org/2000/svg}"
FONT = "Inter, 'Segoe UI'"
CONTENT = Content(
    "What does it cost?", "mean of 3 runs", (Card("MCS", Look("MCS"), "105", "IOPS", "baseline, n = 3"),), bars_figure()
)


def _texts(path: Path) -> list[str]:
    return [one.text or "" for one in ElementTree.parse(path).getroot().iter(f"{SVG}text")]


@pytest.mark.parametrize(("size", "scale"), [((800, 450), 1.0), ((640, 400), 2.0), ((1000, 500), 1.5)])
def test_that_an_image_has_the_requested_pixels(
    qtbot: QtBot, tmp_path: Path, size: tuple[int, int], scale: float
) -> None:
    paint_file(bars_figure(), tmp_path / "a.png", size, scale)
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (round(size[0] * scale), round(size[1] * scale))
    # The same size on paper as on screen, at any scale.
    assert image.dotsPerMeterX() == round(96 * scale / 0.0254)
    assert image.text("Title") == "What does it cost?"
    assert image.text("Software") == PROGRAM


def test_that_an_image_too_large_for_memory_is_rejected_with_a_message(qtbot: QtBot, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="40000 x 22500 pixels"):
        paint_file(bars_figure(), tmp_path / "a.png", (4_000, 2_250), 10.0)


def test_that_text_in_svg_stays_text_and_has_fallback_fonts(qtbot: QtBot, tmp_path: Path) -> None:
    paint_file(bars_figure(), tmp_path / "a.svg", (1200, 600))
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert {"What does it cost?", "boot", "steady", "70.0", "—"} & set(_texts(tmp_path / "a.svg")) >= {
        "boot",
        "steady",
        "70.0",
    }
    assert all(one.get("font-family", "").startswith(FONT) for one in root.iter(f"{SVG}text"))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1200", "600", "0 0 1200 600")
    assert root.find(f"{SVG}title").text == "What does it cost?"
    assert root.find(f"{SVG}metadata").text == PROGRAM


@pytest.mark.parametrize(
    ("unit", "values", "shown"),
    [("", (6.0, 80.0), {"6", "80"}), ("IOPS", (6.0, 80.0), {"6.00", "80.0"}), ("", (6.5, 80.0), {"6.50", "80.0"})],
)
def test_that_an_axis_of_counts_has_no_decimals(
    qtbot: QtBot, tmp_path: Path, unit: str, values: tuple[float, ...], shown: set[str]
) -> None:
    bars = Bars("By RAM", np.array(values), Look("other"))
    panel = Panel("", Axis("", categories=("MCS", "PVS")), Axis("Rate" if unit else "Hosts", unit), (bars,))
    paint_file(Figure("hosts", "How many?", "", (panel,)), tmp_path / "a.svg", (800, 450))
    texts = set(_texts(tmp_path / "a.svg"))
    assert shown <= texts
    assert not texts & ({"6.00", "80.0"} - shown)


def test_that_svg_contains_everything_in_the_image(qtbot: QtBot, tmp_path: Path) -> None:
    """Ticks and phase names are drawn after clipped lines; the clip area must not hide them."""
    paint_file(per_vm_figure(), tmp_path / "a.svg", (1400, 700))
    texts = _texts(tmp_path / "a.svg")
    assert texts.count("steady state") == 3
    assert texts.count("Minutes since phase start") == 3
    assert texts.count("40") >= 3
    clips = re.findall(r'clip-path="url\(#([^)]+)\)"', (tmp_path / "a.svg").read_text(encoding="utf-8"))
    assert len(set(clips)) > 3


def test_that_a_page_image_includes_question_and_caption_and_cards(qtbot: QtBot, tmp_path: Path) -> None:
    paint_file(CONTENT, tmp_path / "a.svg", (1200, 700))
    texts = "|".join(_texts(tmp_path / "a.svg"))
    for words in ("What does it cost?", "mean of 3 runs", "MCS", "105\u2009IOPS", "baseline, n = 3", "boot"):
        assert words in texts


@pytest.mark.parametrize("name", NAMES)
def test_that_a_name_stays_text_in_svg(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    paint_file(evil_content(name), tmp_path / "a.svg", (1600, 900))
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    kinds = {one.tag.removeprefix(SVG) for one in root.iter()}
    assert kinds <= {
        "svg",
        "title",
        "desc",
        "metadata",
        "defs",
        "clipPath",
        "mask",
        "pattern",
        "g",
        "path",
        "rect",
        "circle",
        "polyline",
        "polygon",
        "line",
        "ellipse",
        "text",
        "image",
        "linearGradient",
        "stop",
    }
    assert not any(key.startswith("on") for one in root.iter() for key in one.keys())  # noqa: SIM118
    assert " ".join(root.find(f"{SVG}title").text.split()) == " ".join(plain_text(name).split())


def test_that_charts_in_one_page_share_no_ids(qtbot: QtBot) -> None:
    def ids(text: str) -> set[str]:
        return set(re.findall(r' id="([^"]+)"', text))

    one, other = (figure_svg(per_vm_figure(), (900, 500), identity=key) for key in ("s1", "s2"))
    assert ids(one)
    assert not ids(one) & ids(other)
    assert set(re.findall(r"url\(#([^)]+)\)", one)) <= ids(one)


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_the_same_figure_gives_the_same_bytes(qtbot: QtBot, tmp_path: Path, ending: str, theme: ThemeName) -> None:
    for name in ("a", "b"):
        paint_file(CONTENT, tmp_path / f"{name}.{ending}", (1000, 600), 1.0, theme)
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_that_numbers_in_a_pdf_can_be_found_and_copied(qtbot: QtBot, tmp_path: Path) -> None:
    paint_file(CONTENT, tmp_path / "a.pdf", (1000, 600))
    done = subprocess.run(["pdftotext", "-layout", tmp_path / "a.pdf", "-"], capture_output=True, check=True)
    text = done.stdout.decode("utf-8")
    for words in ("What does it cost?", "105", "n = 3", "70.0", "35.0", "steady"):
        assert words in text
    size = subprocess.run(["pdfinfo", tmp_path / "a.pdf"], capture_output=True, check=True, text=True).stdout
    assert re.search(r"Page size:\s+750 x 450 pts", size)


def test_that_the_qt_painter_has_the_interface_that_exports_use(qtbot: QtBot) -> None:
    painter: Painter = QtPainter()
    assert painter.svg(bars_figure(), (600, 300), "s1").startswith("<svg")
