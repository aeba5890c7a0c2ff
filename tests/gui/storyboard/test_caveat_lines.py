"""The caveats of a presented slide: in as few lines as possible, and none is lost."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from workbench.gui.storyboard.slide_painter import in_lines

CAVEATS = tuple(f"Caveat {number} has some words on what is uncertain. Repeat the run." for number in range(5))


@pytest.mark.parametrize(("wide", "count"), [(100_000.0, 1), (10.0, 3)])
def test_that_caveats_share_lines_if_they_fit(qapp: QApplication, wide: float, count: int) -> None:
    lines = in_lines(CAVEATS, QFontMetricsF(qapp.font()), wide)
    assert len(lines) == count
    assert " ".join(lines) == " ".join(CAVEATS)
    assert in_lines((), QFontMetricsF(qapp.font()), wide) == []
