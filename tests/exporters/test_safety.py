"""Names from files in every format: never a formula, a link, markup or a control character."""

import csv
import html.parser
import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import polars as pl
import pytest
from pptx import Presentation

from tests.exporters.documents import document
from tests.exporters.jobs import COMMAND, DANGERS, PREFIXES, dangerous_study, exported, library_of
from workbench.answers.common.document import to_csv
from workbench.exporters.data.files import chart_data
from workbench.exporters.export import ENDINGS
from workbench.gui.pictures.painter import load_painter
from workbench.measures.significance.method import METHOD

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> dict[str, Path]:
    """The dangerous study in every format that contains text."""
    folder = tmp_path_factory.mktemp("dangerous")
    library = library_of(dangerous_study(folder / "data"))
    found: dict[str, Path] = {}
    # Slides draw six configurations if there are more than twelve; these few are all drawn.
    parts = [dangerous_study(folder / str(at), DANGERS[at::3]) for at in range(3)]
    few = library_of(*(replace(part, folder=f"{at}{part.folder}") for at, part in enumerate(parts)))
    found[".xlsx"] = document(library, "dangerous.xlsx")
    for ending in (".csv", ".pptx", ".html"):
        if ending in ENDINGS:
            shown = few if ending == ".pptx" else library
            found[ending] = exported(shown, folder / f"a{ending}", painter=load_painter()).files[0]
    found["samples"] = exported(library, folder / "s.csv", only=("data",)).files[0]
    found["chart"] = exported(library, folder / "c.csv", only=("overview",)).files[0]
    return found


@pytest.fixture(scope="module")
def cells(written):
    """Every cell of the workbook."""
    book = openpyxl.load_workbook(written[".xlsx"])
    return [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_that_no_cell_of_a_workbook_is_a_formula_made_of_a_name(cells, prefix):
    named = [cell for cell in cells if isinstance(cell.value, str) and f"{prefix.strip()}cmd|" in cell.value]
    assert named, "the name must be somewhere"
    assert not [cell.coordinate for cell in named if cell.data_type == "f" and not _quoted(cell.value)]
    assert not [cell.coordinate for cell in cells if isinstance(cell.value, str) and _CONTROL.search(cell.value)]
    assert not [cell.coordinate for cell in cells if cell.hyperlink and "example.test" in str(cell.hyperlink.target)]


def _quoted(formula: str) -> bool:
    """True if the name is inside a text of a generated formula."""
    return COMMAND not in re.sub(r'"(?:[^"]|"")*"', "", formula)


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("kind", [".csv", "samples", "chart"])
def test_that_no_cell_of_a_csv_begins_a_formula(written, kind, prefix):
    with written[kind].open(encoding="utf-8-sig", newline="") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    named = [cell for cell in cells if f"{prefix.strip()}cmd|" in cell]
    assert named, "the name must be somewhere"
    starts = tuple(one for one in PREFIXES if one != "%")
    assert not [cell for cell in named if cell.startswith(starts)]
    assert not [cell for cell in cells if _CONTROL.search(cell)]


@pytest.fixture(scope="module")
def slide_texts(written):
    """The texts of the shapes of all slides."""
    slides = Presentation(str(written[".pptx"])).slides
    return [shape.text_frame.text for slide in slides for shape in slide.shapes if shape.has_text_frame]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_that_each_name_is_on_a_slide(written, slide_texts, prefix):
    with zipfile.ZipFile(written[".pptx"]) as archive:
        charts = b"".join(archive.read(name) for name in archive.namelist() if name.startswith("ppt/charts/"))
    said = "".join(slide_texts) + charts.decode("utf-8", "replace")
    assert f"{prefix.strip()}cmd|" in said, "the name must be somewhere"


def test_that_no_slide_has_a_link_or_a_control_character(written, slide_texts):
    assert not [text for text in slide_texts if re.search("[\x00-\x08\x0e-\x1f\u202e]", text)]
    with zipfile.ZipFile(written[".pptx"]) as archive:
        names = archive.namelist()
        slides = [archive.read(name) for name in names if name.startswith("ppt/slides/")]
        books = [io.BytesIO(archive.read(name)) for name in names if name.endswith(".xlsx")]
    # The agenda has links to slides; no link leaves the file.
    links = [link for slide in slides for link in re.findall(rb"<a:hlinkClick[^>]*>", slide)]
    assert not [link for link in links if b'action="ppaction://hlinksldjump"' not in link]
    assert not [slide for slide in slides if b"example.test" in _targets(slide)]
    for book in books:
        sheets = openpyxl.load_workbook(book).worksheets
        cells = [cell for sheet in sheets for row in sheet.iter_rows() for cell in row]
        assert not [cell for cell in cells if cell.data_type == "f" and COMMAND in str(cell.value)]


def _targets(xml: bytes) -> bytes:
    return b"".join(re.findall(rb'Target="[^"]*"', xml))


class _Tags(html.parser.HTMLParser):
    """The tags and attributes of a page that contain a test name."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.scripts = 0
        self.in_script = False
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.in_script = tag == "script"
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]

    def handle_endtag(self, tag: str) -> None:
        self.in_script = False

    def handle_data(self, data: str) -> None:
        self.said.append(data)
        self.scripts += self.in_script and data.strip() == "alert(1)"


@pytest.mark.skipif(".html" not in ENDINGS, reason="pages are not written yet")
@pytest.mark.parametrize("prefix", PREFIXES)
def test_that_no_name_becomes_markup_or_a_link_of_a_page(written, prefix):
    text = written[".html"].read_text(encoding="utf-8")
    page = _Tags()
    page.feed(text)
    assert any(f"{prefix.strip()}cmd|" in said for said in page.said), "the name must be somewhere"
    assert page.scripts == 0
    assert not [link for link in page.links if "example.test" in link]
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\u202e]", text)


def test_that_minus_one_stays_a_number_and_a_missing_value_stays_empty():
    text = to_csv([{"a": -1, "b": None, "c": "-1", "d": -0.5, "e": "-1+2"}])
    assert text.splitlines()[1] == f"-1,,-1,-0.5,'-1+2,{METHOD}"


def test_that_infinities_are_empty_and_counted():
    import numpy as np

    from workbench.charts.figure import Axis, Figure, Line, Look, Panel

    line = Line("a", np.array([0.0, 1.0, 2.0]), np.array([-1.0, np.inf, np.nan]), Look("MCS"))
    figure = Figure("k", "q", "c", (Panel("MCS", Axis("time", "s"), Axis("IOPS", "IOPS"), (line,)),))
    found = chart_data(figure)
    assert found.frame.columns == ["time [s]", "MCS · a [IOPS]"]
    assert found.frame.rows() == [(0.0, -1.0), (1.0, None), (2.0, None)]
    assert found.infinite == 1


def test_that_parquet_keeps_names_as_they_are(tmp_path):
    library = library_of(dangerous_study(tmp_path / "data"))
    exported(library, tmp_path / "a.parquet")
    names = pl.read_parquet(tmp_path / "a.parquet")["run"].unique().to_list()
    assert f"={COMMAND} 0" in names
