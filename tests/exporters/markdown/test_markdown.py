"""The report as Markdown: names are plain text, and its images are in the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion

from tests.exporters.jobs import exported, library_of
from tests.exporters.page.evil import NAMES, evil_content
from tests.exporters.studies import replicate_study
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.document.document import Document, Section, Slide
from workbench.exporters.job import PictureLook
from workbench.exporters.markdown.write import NO_PICTURES, held, table_lines, write_markdown
from workbench.exporters.texts import plain_text
from workbench.gui.pictures.painter import load_painter

READ = MarkdownIt("commonmark", {"html": True}).enable("table")
TYPED = (
    *NAMES,
    "# heading",
    "- item",
    "1. item",
    "12) item",
    "+ item",
    "> quote",
    "=====",
    "---",
    "| a | b |",
    "[a](http://b)",
    "![a](b)",
    "**bold** _it_ ~~gone~~ `code`",
    "https://example.org www.example.org <a@b.c>",
    "&amp; &#35;",
    "a\\",
    "W10_001_a",
)


def _tokens(text: str) -> list[Any]:
    return [token for block in READ.parse(text) for token in (block, *(block.children or ()))]


@pytest.mark.parametrize("name", TYPED)
def test_that_a_name_is_read_as_text(name: str) -> None:
    tokens = _tokens(held(name))
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "text", "text_special", "paragraph_close"}
    shown = "".join(token.content for token in tokens if token.type in ("text", "text_special"))
    assert shown.split() == plain_text(name).split()


@pytest.mark.parametrize("name", TYPED)
def test_that_a_name_stays_in_its_cell(name: str) -> None:
    row = (Cell(name, name), Cell("\u22121", -1))
    tokens = _tokens("\n".join(table_lines(TableData((Column(name, numeric=False), Column("n")), (row,)), 9, "")))
    assert sum(token.type in ("td_open", "th_open") for token in tokens) == 4
    assert not {token.type for token in tokens} & {"link_open", "image", "html_inline", "html_block", "em_open"}


@pytest.mark.parametrize("name", NAMES)
def test_that_no_name_becomes_markup_in_the_file(tmp_path: Path, name: str) -> None:
    def kinds(text: str) -> list[str]:
        story = Document(
            text, text, (Slide(text, evidence=text, caveats=(text,)),), sections=(Section(text, evil_content(text)),)
        )
        write_markdown(tmp_path / "a.md", story, None, PictureLook())
        tokens = _tokens((tmp_path / "a.md").read_text(encoding="utf-8"))
        return [token.type for token in tokens if token.type not in ("text", "text_special")]

    assert kinds(name) == kinds("harmless")


def test_that_omitted_rows_are_reported_with_the_place_of_the_full_table(snapshot: SnapshotAssertion) -> None:
    rows = tuple((Cell(str(n), n),) for n in range(30))
    lines = table_lines(TableData((Column("n", "MB"),), rows, "legend"), 20, "the page has them all.")
    assert len(lines) == 2 + 20 + 4
    assert lines[0] == "| n (MB) |"
    assert lines[1] == "| ---: |"
    assert lines[-1] == snapshot


def test_that_every_referenced_image_is_in_the_folder(tmp_path: Path, qapp: Any) -> None:
    library = library_of(replicate_study(tmp_path / "data"))
    written = exported(library, tmp_path / "my report.md", painter=load_painter())
    tokens = _tokens((tmp_path / "my report.md").read_text(encoding="utf-8"))
    named = [token.attrs["src"] for token in tokens if token.type == "image"]
    assert named
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in named)
    assert sorted(written.files) == sorted([tmp_path / "my report.md", *(tmp_path / name for name in named)])


def test_that_requested_pages_have_their_charts(tmp_path: Path, qapp: Any) -> None:
    library = library_of(replicate_study(tmp_path / "data"))
    exported(library, tmp_path / "a.md", painter=load_painter(), only=("compare:metric",))
    assert "](a-pictures/page-1.png)" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert (tmp_path / "a-pictures" / "page-1.png").stat().st_size > 1000


def test_that_a_file_without_charts_says_so(tmp_path: Path) -> None:
    library = library_of(replicate_study(tmp_path / "data"))
    written = exported(library, tmp_path / "a.md")
    assert NO_PICTURES in written.left_out
    assert not (tmp_path / "a-pictures").exists()
    assert "![" not in (tmp_path / "a.md").read_text(encoding="utf-8")
