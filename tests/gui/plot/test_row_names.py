"""The names of the rows of a heatmap with thousands of machines equal those measured one by one."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from workbench.gui.plot.axes.names import _broken, row_names, wrapped
from workbench.gui.plot.ink import Ink, text_width, widest, widest_up_to

NAMES = tuple(
    f"W10-{vm:03d} · {run}" for run in ("mcs 256 MB", "Sehr-langer-Name-ohne-Leerzeichen") for vm in range(40)
)


@pytest.mark.parametrize("wide", [30.0, 77.0, 120.0, 1_000.0])
def test_that_names_measured_together_have_the_lines_of_names_measured_alone(qtbot: QtBot, wide: float) -> None:
    ink = Ink("light")
    assert row_names(NAMES, ink, wide, 1_000.0) == tuple(wrapped(name, ink.small, wide) for name in NAMES)


@pytest.mark.parametrize("wide", [12.0, 30.0, 45.0, 77.0])
def test_that_a_unit_stays_with_its_number_if_names_begin_alike(qtbot: QtBot, wide: float) -> None:
    ink = Ink("light")
    names = ("W10-001 256 MB", "W10-001 256 GB", "W10-001 1.5 %", "W10-001 · 5", "5 · mcs", "", " mcs", "mcs ", "a  b")
    assert row_names(names, ink, wide, 1_000.0) == tuple(wrapped(name, ink.small, wide) for name in names)


def test_that_a_sign_after_a_unit_has_no_gap_before_it(qtbot: QtBot) -> None:
    text = "cuts IOPS by 93.0\u2009%, from 105 (7 ms), to 7.35 ms."
    assert " ".join(wrapped(text, Ink("light").small, 10_000.0)) == text


def test_that_one_name_with_more_lines_leaves_more_space_to_the_others(qtbot: QtBot) -> None:
    ink = Ink("light")
    short, long = NAMES[:40], (*NAMES[:39], NAMES[-1])
    counts = [sum(map(bool, row_names(names, ink, 77.0, 4.0))) for names in (short, long)]
    assert counts[0] > counts[1] > 0


def test_that_measuring_stops_at_a_text_of_the_requested_width(qtbot: QtBot) -> None:
    font = Ink("light").small
    texts = iter(NAMES)
    assert widest_up_to(font, texts, 10.0) == text_width(font, NAMES[0])
    assert next(texts) == NAMES[1]


def test_that_texts_that_are_all_narrower_are_all_measured(qtbot: QtBot) -> None:
    font = Ink("light").small
    assert widest_up_to(font, NAMES, 10_000.0) == widest(font, NAMES)
    assert widest_up_to(font, (), 10.0) == 0.0


def test_that_a_long_word_is_wrapped_without_measuring_each_prefix() -> None:
    asked: list[str] = []

    def advance(text: str) -> float:
        asked.append(text)
        return 5.0 * len(text)

    pieces = _broken("x" * 500, advance, 52.0)
    assert [len(piece) for piece in pieces] == [10] * 50
    assert len(asked) < 1000, "500 letters in pieces of 10 have 12,500 beginnings"
