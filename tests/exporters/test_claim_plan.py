"""The texts of a native chart's highlight do not overlap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import Switches
from workbench.answers.findings.claims import claim_of
from workbench.answers.storyboard.summary import study_findings
from workbench.charts.claim import BarClaim
from workbench.exporters.claim_plan import ClaimPlan, PlotRoom, Words, claim_plan
from workbench.exporters.texts import line_height, text_width
from workbench.session.state import State

STUDIES = ("rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs", "xenapp-pvs-ram-cache", "vdi-login-storm")
# A chart alone on its slide, one of two, and one of three; the chart of a workbook.
ROOMS = (
    PlotRoom(12.3, 4.6, 12, False),
    PlotRoom(6.0, 4.6, 11, True),
    PlotRoom(3.9, 4.6, 11, True),
    PlotRoom(7.5, 3.6, 10, True),
)
Box = tuple[float, float, float, float]


@pytest.fixture(scope="module")
def library() -> Library:
    return sample(*STUDIES)


def _claims(library: Library) -> Iterator[tuple[str, BarClaim]]:
    for study in study_findings(library, State()):
        for finding in study.findings:
            claim = claim_of(finding, study.groups, study.margin)
            if isinstance(claim, BarClaim):
                yield finding.text, claim


def _texts(plan: ClaimPlan, room: PlotRoom) -> Iterator[tuple[str, Box]]:
    """The texts of the plan, and the native numbers at the bars."""
    for piece in plan.pieces:
        if isinstance(piece, Words):
            wide, tall = text_width(piece.text, piece.size, piece.bold), 0.7 * piece.size / 72
            left = {"left": piece.left, "right": piece.left + piece.width - wide}
            x = left.get(piece.align, piece.left + (piece.width - wide) / 2)
            yield piece.text, (x, piece.top + (piece.height - tall) / 2, wide, tall)
    left, top, width, height = plan.plot
    slot = width / len(plan.claim.bars)
    if any(bar.above is not None for bar in plan.claim.bars):
        return
    for place, bar in enumerate(plan.claim.bars):
        if bar.value is None:
            continue
        size = plan.value_size(place)
        wide, tall = text_width(bar.words, size, plan.spoken(place)), 0.7 * size / 72
        y = top + height * (1 - bar.value / plan.high)
        y += 0.08 if place in plan.inside else -line_height(size) - 0.02 + (line_height(size) - tall) / 2
        yield bar.words, (left + (place + 0.5) * slot - wide / 2, y, wide, tall)


def _covers(one: Box, other: Box) -> bool:
    return all(min(one[i] + one[i + 2], other[i] + other[i + 2]) - max(one[i], other[i]) > 0.01 for i in (0, 1))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: f"{room.width}")
@pytest.mark.parametrize("axis", [False, True])
def test_that_no_two_texts_of_a_native_claim_cover_each_other(library: Library, room: PlotRoom, axis: bool) -> None:
    covered, count = [], 0
    for sentence, claim in _claims(library):
        plan = claim_plan(claim, Switches(value_axis=axis), room)
        if plan is None:
            continue
        count += 1
        texts = list(_texts(plan, room))
        covered += [(sentence, a, b) for (a, one), (b, other) in combinations(texts, 2) if _covers(one, other)]
        edge = [t for t, (x, y, w, h) in texts if x < -0.02 or y < -0.02 or x + w > room.width + 0.02]
        covered += [(sentence, text, "edge") for text in edge]
    assert count > 40
    assert covered == [], "\n".join(map(str, covered))
