"""Unusual content: every format is written, or rejected with a sentence and the next step."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from openpyxl import load_workbook
from PIL import Image
from pptx import Presentation

from tests.exporters.jobs import exported, library_of
from tests.exporters.studies import MCS, START, columns, make_run, make_study
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import Storyboard
from workbench.exporters.job import Written
from workbench.exporters.safe_file import EmptyExportError, ExportError
from workbench.exporters.wanted import Face
from workbench.gui.pictures.painter import load_painter
from workbench.model.phase import BOOT, STEADY, Phase
from workbench.model.run import Configuration, Provisioning
from workbench.session.state import State

DOCUMENTS = (".xlsx", ".pptx", ".html", ".pdf", ".md")
PHASES = tuple(
    Phase(name, START + first, START + first + 300, "run.toml", "stated") for name, first in ((BOOT, 0), (STEADY, 300))
)
NAMES = (
    "<b>bold</b>&amp;<script>alert(1)</script>",
    "L" * 300,
    "\u202eRTL \u05d0\u05d1\u05d2",
    "\U0001f600 emoji \U0001f469\u200d\U0001f467",
    "quo\"te's `x` |pipe| [link](http://example.test)",
    '=HYPERLINK("http://example.test","y")',
    "{number} {} %s {0}",
)


def small(folder: Path, names: tuple[str, ...] = ("A",), runs: int = 1) -> Library:
    """A baseline and a configuration of each name."""
    made = [make_run(folder, f"mcs-r{at}", MCS, columns(1, 60 + at / 10, 30), stated=PHASES) for at in range(runs)]
    for number, name in enumerate(names, start=1):
        cached = Configuration(name, Provisioning.MCSIO, "device-ram-overflow", 256 * number)
        made += [
            make_run(folder, f"c{number}-r{at}", cached, columns(1, 9 + at / 10, 5, 256.0), stated=PHASES)
            for at in range(runs)
        ]
    return library_of(make_study("lab", made))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Written]:
    """The outputs for hostile names, a title of 500 characters and a damaged logo, by file type."""
    folder = tmp_path_factory.mktemp("hostile")
    library, logo = small(folder / "d", NAMES), _logos(folder / "logos")["cut.png"]
    face = Face("T" * 250 + " word" * 50, "C " * 250, "A" * 500, logo)

    @cache
    def of(ending: str) -> Written:
        return exported(library, folder / f"a{ending}", painter=load_painter(), face=face)

    return of


@pytest.mark.parametrize("ending", DOCUMENTS)
def test_that_names_of_markup_formulas_and_emoji_and_long_names_and_titles_are_written(
    hostile: Callable[[str], Written], ending: str
) -> None:
    assert not any("It could not be" in text for text in hostile(ending).left_out)


@pytest.mark.parametrize(
    "ending", [".pptx", ".html", *(pytest.param(ending, marks=pytest.mark.slow) for ending in (".xlsx", ".pdf", ".md"))]
)
def test_that_forty_configurations_of_single_runs_are_written(tmp_path: Path, ending: str) -> None:
    library = small(tmp_path / "d", tuple(f"MCSIO variant {number}" for number in range(39)))
    written = exported(library, tmp_path / f"a{ending}", painter=load_painter())
    assert not any("It could not be" in text for text in written.left_out)


def _logos(folder: Path) -> dict[str, Path]:
    folder.mkdir()
    Image.new("RGB", (40, 20)).save(folder / "whole.png")
    (folder / "cut.png").write_bytes((folder / "whole.png").read_bytes()[:60])
    (folder / "none.png").write_bytes(b"no picture")
    (folder / "drawn.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    (folder / "large.png").write_bytes((folder / "whole.png").read_bytes() + b"\0" * 20_000_000)
    return {name: folder / name for name in ("cut.png", "none.png", "drawn.svg", "large.png", "gone.png")}


def _reason(written: Written, name: str) -> str:
    """The reason why the document is written without this logo."""
    (sentence,) = (text for text in written.left_out if text.startswith("The logo"))
    assert written.files[0].stat().st_size < 5_000_000
    return sentence.removeprefix(f"The logo {name} is omitted. ")


@pytest.mark.parametrize("ending", DOCUMENTS)
def test_that_a_damaged_logo_is_omitted_from_every_format_and_named_once(
    hostile: Callable[[str], Written], ending: str
) -> None:
    assert _reason(hostile(ending), "cut.png").startswith(("It cannot be read", "It is damaged"))


def test_that_an_invalid_logo_is_omitted_with_the_reason(tmp_path: Path) -> None:
    # A logo is checked before any format uses it, so the fastest format shows every reason.
    library, logos, reasons = small(tmp_path / "d"), _logos(tmp_path / "logos"), {}
    for name in ("none.png", "drawn.svg", "large.png", "gone.png"):
        written = exported(library, tmp_path / "a.md", painter=load_painter(), face=Face(logo=logos[name]))
        reasons[name] = _reason(written, name)
    with pytest.raises(OSError) as missing:
        (tmp_path / "logos" / "gone.png").stat()
    assert reasons == {
        "none.png": "It is not a .png or .jpg.",
        "drawn.svg": "It is not a .png or .jpg.",
        "large.png": "It is larger than 5 MB.",
        "gone.png": f"It cannot be read ({missing.value.strerror}).",
    }


def test_that_an_undamaged_logo_is_in_workbook_and_slides(tmp_path: Path) -> None:
    library, face = small(tmp_path / "d"), Face(logo=_logos(tmp_path / "logos")["none.png"].with_name("whole.png"))
    for ending in (".xlsx", ".pptx"):
        assert not any("The logo" in text for text in exported(library, tmp_path / f"a{ending}", face=face).left_out)
    assert len(load_workbook(tmp_path / "a.xlsx")["Summary"]._images) == 1
    assert any(shape.name == "Logo" for shape in Presentation(str(tmp_path / "a.pptx")).slides[0].shapes)


@pytest.mark.parametrize("ending", DOCUMENTS)
def test_that_an_empty_study_is_rejected_and_leaves_no_file(tmp_path: Path, ending: str) -> None:
    with pytest.raises(EmptyExportError):
        exported(library_of(make_study("empty", [])), tmp_path / f"a{ending}", painter=load_painter())
    assert not list(tmp_path.iterdir())


def test_that_slides_of_an_empty_storyboard_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(ExportError):
        exported(small(tmp_path / "d"), tmp_path / "a.pptx", State(storyboard=Storyboard(slides=())))
    assert not (tmp_path / "a.pptx").exists()


@pytest.mark.parametrize("ending", [ending for ending in DOCUMENTS if ending != ".pptx"])
def test_that_an_empty_storyboard_is_written_elsewhere(tmp_path: Path, ending: str) -> None:
    story = State(storyboard=Storyboard(slides=()))
    written = exported(small(tmp_path / "d"), tmp_path / f"b{ending}", story, painter=load_painter())
    assert not any("It could not be" in text for text in written.left_out)


@pytest.mark.parametrize("ending", [".pptx", ".xlsx"])
def test_that_a_renamed_archive_is_rejected_as_a_template_with_the_required_type(tmp_path: Path, ending: str) -> None:
    with zipfile.ZipFile(tmp_path / f"t{ending}", "w") as archive:
        archive.writestr("hello.txt", "x")
    kind = "PowerPoint file" if ending == ".pptx" else "workbook"
    with pytest.raises(ExportError, match=f"t{ending} is not a {kind}") as raised:
        exported(small(tmp_path / "d"), tmp_path / f"a{ending}", template=tmp_path / f"t{ending}")
    assert "Error" not in str(raised.value)
