"""The figure of a slide, from the values that its findings highlight."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.storyboard.samples import finding
from workbench.answers.common.storyboard import Switches
from workbench.answers.storyboard.figures import claim_figure
from workbench.charts.claim import BarClaim, Claim, ClaimBar, TimeClaim, TimeRow
from workbench.charts.figure import Bars, Figure, Look

ON = Switches()
BARS = BarClaim(
    (
        ClaimBar("MCS", Look("MCS"), 100.0, "100"),
        ClaimBar("512 MB", Look("MCSIO"), None, "—"),
        ClaimBar("4 GB", Look("MCSIO", 1.0), 7.0, "7.0"),
    ),
    2,
    0,
)
TIMES = TimeClaim(
    (
        TimeRow("512 MB", Look("MCSIO"), 600.0, 3600.0, True, "10:00 min"),
        TimeRow("1 GB", Look("MCSIO"), None, 3600.0, False, "not known"),
        TimeRow("4 GB", Look("MCSIO", 1.0), 3600.0, 3600.0, False, "no overflow in 60 min"),
    ),
    2,
    (),
    3600.0,
    ("0", "", "60 min"),
)


def bars_of(figure: Figure | None, panel: int = 0) -> list[Bars]:
    assert figure is not None
    return [mark for mark in figure.panels[panel].marks if isinstance(mark, Bars)]


def test_that_each_configuration_has_a_bar_and_unmeasured_ones_have_none() -> None:
    bars = bars_of(claim_figure([(finding("a"), BARS)], ON))
    assert [bar.values[place] for place, bar in enumerate(bars)] == pytest.approx([100.0, math.nan, 7.0], nan_ok=True)
    assert [bar.emphasis for bar in bars] == ["baseline", "others", "all"]


def test_that_each_phase_has_a_panel_with_the_unit() -> None:
    claims: list[tuple[object, Claim]] = [(finding("a", figure="read_latency_ms"), BARS)]
    claims.append((finding("b", figure="read_latency_ms", phase="boot"), BARS))
    figure = claim_figure(claims, ON)  # type: ignore[arg-type]
    assert figure is not None
    assert [(panel.title, panel.y.label, panel.y.unit) for panel in figure.panels] == [
        ("Steady state", "Read latency", "ms"),
        ("Boot", "Read latency", "ms"),
    ]


def test_that_stacked_parts_are_named_below_the_title() -> None:
    piled = replace(BARS, bars=(BARS.bars[0], replace(BARS.bars[2], above=30.0)), claimed=1, outlined="cache disk")
    figure = claim_figure([(finding("a", figure="shared_iops"), piled)], ON)
    assert figure is not None
    assert "(outlined: cache disk)" in figure.caption
    assert bars_of(figure)[-1].values == pytest.approx([math.nan, 30.0], nan_ok=True)


def test_that_times_to_overflow_are_in_minutes_and_a_missing_overflow_is_labelled(snapshot: SnapshotAssertion) -> None:
    figure = claim_figure([(finding("a", figure="overflow"), TIMES)], ON)
    assert figure is not None
    assert figure.panels[0].x.categories == snapshot
    assert figure.panels[0].y.label == "Time to overflow"
    assert "Time to overflow" in figure.caption
    values = [bar.values[place] for place, bar in enumerate(bars_of(figure))]
    assert values == pytest.approx([10.0, math.nan, 60.0], nan_ok=True)


def test_that_the_page_marks_unmeasured_values_and_unknown_units() -> None:
    unknown = replace(TIMES, rows=tuple(replace(row, held_s=None) for row in TIMES.rows))
    nothing = replace(BARS, bars=tuple(replace(bar, value=None) for bar in BARS.bars))
    assert claim_figure([], ON) is None
    assert claim_figure([(finding("a"), unknown)], ON) is None
    assert claim_figure([(finding("a"), nothing)], ON) is None
    assert claim_figure([(finding("a", figure="logon mean"), BARS)], ON) is None
