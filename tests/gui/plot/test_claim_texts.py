"""Texts on the chart of a finding never overlap, for any claim and any size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter

from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import Switches
from workbench.answers.findings.claims import claim_of
from workbench.answers.storyboard.summary import study_findings
from workbench.charts.claim import BarClaim, Claim, FindingCard, Lead
from workbench.charts.content import Content
from workbench.exporters.document.language import page_in_language
from workbench.exporters.document.making import document_of
from workbench.exporters.names import kept_names
from workbench.exporters.wanted import Wanted
from workbench.gui.pictures.claims import claims_svg
from workbench.gui.plot.claim import chart as bars
from workbench.gui.plot.claim import chart as rows
from workbench.gui.plot.claim.chart import paint_claim
from workbench.gui.plot.ink import Ink
from workbench.session.state import State
from workbench.words.translated import LANGUAGES, speaking

_AS_DRAWN = Switches()
STUDIES = ("rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs", "xenapp-pvs-ram-cache", "vdi-login-storm")
# Width, height and type: a card of the Overview, panels of the page, of a slide and of the report, a whole slide.
SIZES = (
    (330, 156, 1.0),
    (376, 236, 1.0),
    (528, 576, 2.0),
    (1680, 620, 3.0),
    (209, 300, 0.75),
    (352, 400, 1.33),
    (664, 330, 1.125),
)


@pytest.fixture(scope="module")
def library() -> Library:
    return sample(*STUDIES)


@cache
def claims(library: Library) -> tuple[tuple[str, Claim], ...]:
    """The sentence and the claim of each finding that has a chart."""
    return tuple(_claims(library))


def _claims(library: Library) -> Iterator[tuple[str, Claim]]:
    for study in study_findings(library, State()):
        for finding in study.findings:
            claim = claim_of(finding, study.groups, study.margin)
            if claim is not None:
                yield finding.text, claim


def texts(
    claim: Claim,
    wide: float,
    tall: float,
    scale: float,
    monkeypatch: pytest.MonkeyPatch,
    switches: Switches = _AS_DRAWN,
) -> list[tuple[str, QRectF]]:
    """The texts in a chart of this size, and their places."""
    boxes: list[tuple[str, QRectF]] = []
    write = bars.write

    def noted(painter: QPainter, area: QRectF, font: QFont, colour: Any, text: str, how: Any) -> None:
        boxes.append((text, _box(area, font, text, how)))
        write(painter, area, font, colour, text, how)

    for module in (bars, rows):
        monkeypatch.setattr(module, "write", noted)
    image = QImage(round(wide), round(tall), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_claim(painter, Ink("light", scale), QRectF(0, 0, wide, tall), claim, switches)
    painter.end()
    for module in (bars, rows):
        monkeypatch.setattr(module, "write", write)
    return [(text, box) for text, box in boxes if text]


def _box(area: QRectF, font: QFont, text: str, how: Qt.AlignmentFlag) -> QRectF:
    """The painted area of a text: its width, and the height of its digits."""
    metrics = QFontMetricsF(font)
    wide, tall = metrics.horizontalAdvance(text), metrics.capHeight()
    left = area.center().x() - wide / 2
    if how & Qt.AlignmentFlag.AlignLeft:
        left = area.left()
    if how & Qt.AlignmentFlag.AlignRight:
        left = area.right() - wide
    return QRectF(left, area.center().y() - tall / 2, wide, tall)


@cache
def claims_in(language: str, library: Library) -> tuple[tuple[str, Claim], ...]:
    """The claims as the window shows them in a language."""
    with speaking(language, kept_names(library.studies)):
        return tuple((sentence, claim_in_spoken_language(claim)) for sentence, claim in claims(library))


def claim_in_spoken_language(claim: Claim) -> Claim:
    lead = page_in_language(Content("", lead=Lead((FindingCard("", "", "", "", "", claim),), ""))).lead
    assert lead is not None
    (card,) = lead.findings
    assert card.claim is not None
    return card.claim


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_that_no_two_texts_of_a_finding_cover_each_other(
    library: Library, language: str, size: tuple[int, int, float], monkeypatch: pytest.MonkeyPatch, qapp: Any
) -> None:
    count, covered = 0, []
    for sentence, claim in claims_in(language, library):
        count += 1
        drawn = texts(claim, *size, monkeypatch)
        covered += [
            (sentence, one, other)
            for (one, box), (other, beside) in combinations(drawn, 2)
            if box.intersected(beside).width() > 1 and box.intersected(beside).height() > 1
        ]
        room = QRectF(0, 0, size[0], size[1]).adjusted(-1, -1, 1, 1)
        covered += [(sentence, text, "edge") for text, box in drawn if not room.contains(box)]
    assert count > 40
    assert covered == []
    assert isinstance(claim, BarClaim) or count


class Filled(QPainter):
    """A painter that records the heights of areas filled with the text colour."""

    heights: tuple[float, ...] = ()

    def fillRect(self, *args: Any) -> None:
        area, colour = args
        if colour == Ink("light").token("text"):
            self.heights = (*self.heights, area.height())
        super().fillRect(*args)


def test_that_a_wide_interval_is_two_lines_and_a_narrow_one_is_one(library: Library, qapp: Any) -> None:
    heights: dict[bool, float] = {}
    for _, claim in claims(library):
        if isinstance(claim, BarClaim) and claim.low is not None and claim.high is not None:
            image = QImage(528, 576, QImage.Format.Format_RGB32)
            painter = Filled(image)
            paint_claim(painter, Ink("light", 1.0), QRectF(0, 0, 528, 576), claim, _AS_DRAWN)
            painter.end()
            one_line = bool(painter.heights)
            heights[one_line] = max(heights.get(one_line, 0.0), *painter.heights, 0.0)
    # Three pixels, at most twice as high: a higher block would cover the arrow.
    assert set(heights) == {False, True}
    assert 3.0 <= heights[True] <= 6.0


def test_that_the_options_of_a_slide_change_the_drawing(
    library: Library, monkeypatch: pytest.MonkeyPatch, qapp: Any
) -> None:
    claim = next(claim for sentence, claim in claims(library) if sentence.startswith("'MCSIO 4 GB' cuts IOPS per VM"))
    assert isinstance(claim, BarClaim)

    def said(**switched: bool) -> list[str]:
        return [text for text, _ in texts(claim, 376, 236, 1.0, monkeypatch, Switches(**switched))]

    assert claim.change in said()
    assert claim.change not in said(bracket=False)
    assert claim.change not in said(baseline=False)
    assert {"0", "50", "100"} <= set(said()) - set(said(value_axis=False))


def test_that_page_and_report_follow_the_options_of_a_slide(library: Library, qapp: Any) -> None:
    slides = document_of(library, State(), Wanted(Path("a.html"), length="full")).slides
    slide = next(one for one in slides if one.pointed)
    for switch in ("claim", "baseline", "value_axis"):
        switched = replace(slide, switches=replace(slide.switches, **{switch: not getattr(slide.switches, switch)}))
        assert switched.pointed
        plain, other = (claims_svg(shown, (1200, 270), "f1", "light") for shown in (slide, switched))
        assert plain != other, switch
        assert ("50" in re.findall(r">\s*(\d+)\s*</text>", other)) == (switch != "value_axis"), switch
