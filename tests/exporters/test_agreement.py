"""Page, report, Markdown and slides of one study agree: sentences, figures, units, names and signs."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from tests.exporters.jobs import exported
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.overview.spec import SPEC as OVERVIEW
from workbench.exporters.assemble import job_of
from workbench.exporters.document.document import Document
from workbench.exporters.document.making import document_of
from workbench.exporters.export import export
from workbench.exporters.wanted import Face, Wanted
from workbench.gui.pictures.painter import load_painter
from workbench.session.state import State

FACE = Face("A review", "Contoso", "Ann Lee")
ENDINGS = (".html", ".pdf", ".md", ".pptx")


def _plain(text: str) -> str:
    """The text without the kinds of blank that differ between formats; a name and its number stay together."""
    return "".join(text.replace("\u200b", "").split())


def _page(path: Path) -> str:
    body = path.read_text(encoding="utf-8").partition("<body>")[2]
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", body, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", body))


def _report(path: Path) -> str:
    return subprocess.run(["pdftotext", "-raw", path, "-"], capture_output=True, check=True).stdout.decode("utf-8")


def _markdown(path: Path) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", path.read_text(encoding="utf-8"))


def _slides(path: Path) -> str:
    slides = Presentation(str(path)).slides
    shapes = [shape.text_frame.text for slide in slides for shape in slide.shapes if shape.has_text_frame]
    return "\n".join((*shapes, *(slide.notes_slide.notes_text_frame.text for slide in slides)))


READ = {".html": _page, ".pdf": _report, ".md": _markdown, ".pptx": _slides}


@pytest.fixture(scope="module")
def sweep() -> Library:
    return sample("rds-mcsio-cache-sweep")


@pytest.fixture(scope="module")
def texts(sweep: Library, tmp_path_factory: pytest.TempPathFactory, qapp: Any) -> dict[str, str]:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    folder = tmp_path_factory.mktemp("agreement")
    # Page, report and Markdown file are written from one job.
    story = job_of(sweep, State(), Wanted(Path("a.html"), length="full", face=FACE))
    for ending in ENDINGS[:-1]:
        export(replace(story, path=folder / f"a{ending}"), load_painter())
    exported(sweep, folder / "a.pptx", face=FACE)
    return {ending: _plain(READ[ending](folder / f"a{ending}")) for ending in ENDINGS}


@pytest.fixture(scope="module")
def document(sweep: Library) -> Document:
    return document_of(sweep, State(), Wanted(Path("a.md"), face=FACE, length="full"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_each_format_has_each_sentence(texts: dict[str, str], document: Document, ending: str) -> None:
    # Slides and report show the answer as facts instead of the sentences of the summary.
    told = document.summary if ending in (".html", ".md") else ()
    slides = [slide for slide in document.all_slides if not slide.title.startswith("Recommended")]
    sentences = [*told, *(slide.title for slide in slides), *(slide.evidence for slide in slides)]
    sentences += [caveat for slide in slides for caveat in slide.caveats]
    assert len(sentences) > 20
    missing = [sentence for sentence in sentences if _plain(sentence) not in texts[ending]]
    assert missing == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_each_format_has_the_same_cover_method_and_limits(
    texts: dict[str, str], document: Document, ending: str
) -> None:
    said = [document.title, document.customer, document.author, document.date, *document.method, *document.limits]
    assert [words for words in said if _plain(words) not in texts[ending]] == []


@pytest.mark.parametrize("ending", [".html", ".md", ".pdf"])
def test_that_documents_have_the_figures_of_the_screen(texts: dict[str, str], sweep: Library, ending: str) -> None:
    assert OVERVIEW.page is not None
    cards = OVERVIEW.page.answer(sweep, State()).cards
    assert len(cards) == 5
    assert [
        card.value for card in cards if _plain(f"{card.title} {card.value}") not in texts[ending].replace(":", "")
    ] == []
