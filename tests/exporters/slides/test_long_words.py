"""A word longer than a line needs several lines, and the next word follows it."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.slides.decks import simple, written
from workbench.answers.storyboard.answer import Fact
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.slides.fit import fitted
from workbench.exporters.slides.table import _kept
from workbench.exporters.texts import line_count, line_height, text_width, unbroken

SIZE = 12.0


def word(lines: float, width: float) -> str:
    """A word of lower case letters that takes about `lines` lines of `width` inches."""
    return "a" * round(lines * width / text_width("a", SIZE))


@pytest.mark.parametrize("lines", [0.5, 0.95, 1.5, 2.5, 3.5, 9.5])
def test_that_a_long_word_is_measured_with_the_lines_of_its_length(lines: float) -> None:
    assert line_count(word(lines, 4.0), 4.0, SIZE) == math.ceil(lines)


def test_that_a_long_word_begins_a_new_line_and_the_next_word_follows_it() -> None:
    long = word(2.5, 4.0)
    assert line_count(f"so {long}", 4.0, SIZE) == 1 + 3
    assert line_count(f"{long} so", 4.0, SIZE) == 3
    assert line_count(f"{long} {word(0.7, 4.0)}", 4.0, SIZE) == 3 + 1
    assert line_count(f"{long} {word(0.3, 4.0)} {word(0.7, 4.0)}", 4.0, SIZE) == 3 + 1


def test_that_a_title_with_a_long_word_gets_a_smaller_font_before_it_is_cut() -> None:
    # 2.5 lines at 12 points, 1.9 at 9: only the smaller size fits a place of two lines.
    text = fitted(word(2.5, 4.0), 4.0, 0.42, (12.0, 9.0))
    assert (text.size, text.lines, text.cut) == (9.0, 2, False)


def test_that_the_rows_of_a_table_have_room_for_a_substitute_of_the_font() -> None:
    text = "lower in most of the thirty runs"
    wide = text_width(text, SIZE) + 0.21
    # It is on one line in the font of the deck, and on two in one that is a sixth wider.
    kept, heights = _kept([[text]] * 9, [wide], 2.0, SIZE)
    assert kept[0] == [text]
    assert heights[0] >= 2 * line_height(SIZE)
    assert len(kept) == int(2.0 / heights[0])


def _shapes(path: Path, slide: Slide) -> list[Any]:
    """The shapes of a slide that is written after the cover."""
    return list(written(path / "a.pptx", Document("Study", "", (slide,))).slides[2].shapes)


def test_that_the_parts_of_an_answer_do_not_overlap_in_a_wider_font(tmp_path: Path) -> None:
    price = "56 disks, 32 hosts, 2 000 GB RAM for the cache and for the hosts"
    facts = tuple(Fact(name, price, "The plan is for 500 desktops (assumed)") for name in ("Reason", "Price"))
    shapes = _shapes(tmp_path, Slide("A.", simple(), facts=facts))
    boxes = [s for s in shapes if s.has_text_frame and s.text_frame.text in ("Reason", "Price", price, facts[0].note)]
    assert len(boxes) == 6
    for above, below in itertools.pairwise(boxes):
        assert above.top + above.height <= below.top
    for box in (box for box in boxes if box.text_frame.text == price):
        size = box.text_frame.paragraphs[0].runs[0].font.size.pt
        assert box.height / 914_400 >= line_count(price, 0.8 * box.width / 914_400, size, True) * line_height(size)


def _sizes(path: Path, rows: int, columns: int) -> tuple[float, list[str]]:
    """The text size of a table, and the texts of its first row."""
    heads = (Column("Configuration", numeric=False), *(Column("Steady state", "IOPS per VM") for _ in range(columns)))
    row = (Cell("MCSIO 256 MB"), *(Cell("[\u22129.7, \u22124.2]\u2009%") for _ in range(columns)))
    shapes = _shapes(path, Slide("A.", tables=(TableData(heads, (row,) * rows),)))
    table = next(shape.table for shape in shapes if shape.has_table)
    cells = list(table.rows[1].cells)
    return cells[1].text_frame.paragraphs[0].runs[0].font.size.pt, [cell.text for cell in cells]


def test_that_a_table_with_free_space_has_text_that_is_readable_from_a_distance(tmp_path: Path) -> None:
    assert _sizes(tmp_path, 4, 5)[0] >= 14
    assert _sizes(tmp_path, 10, 12)[0] < 14


def test_that_an_interval_breaks_in_a_table_only_if_a_column_would_be_omitted(tmp_path: Path) -> None:
    assert _sizes(tmp_path, 4, 8)[1][1] == "[\u22129.7,\u00a0\u22124.2]\u202f%"
    narrow = _sizes(tmp_path, 4, 11)[1]
    assert narrow[1] == "[\u22129.7, \u22124.2]\u202f%"
    assert len(narrow) == 12
    assert unbroken("range +66.7 to +120\u2009%, two runs") == "range\u00a0+66.7\u00a0to\u00a0+120\u202f%, two runs"
    assert unbroken("5 of [the runs, of MCS] in all") == "5 of [the runs, of MCS] in all"
