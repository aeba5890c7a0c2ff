"""A word longer than a line takes several lines, and the next word follows it."""

from __future__ import annotations

import math

import pytest

from workbench.exporters.slides.fit import fitted
from workbench.exporters.slides.table import _kept
from workbench.exporters.texts import line_count, line_height, text_width

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
    text = "range \u221220.5 to \u221219.4 % of the runs"
    wide = text_width(text, SIZE) + 0.21
    # It is on one line in the font of the deck, and on two in one that is a sixth wider.
    kept, heights = _kept([[text]] * 9, [wide], 2.0, SIZE)
    assert kept[0] == [text]
    assert heights[0] >= 2 * line_height(SIZE)
    assert len(kept) == int(2.0 / heights[0])
