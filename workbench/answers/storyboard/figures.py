"""The chart of a slide: a panel for each phase, with the bar of the finding highlighted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.answers.common.storyboard import Switches
from workbench.answers.findings.compute import Finding, Strength, few_runs
from workbench.charts.claim import BarClaim, Claim, TimeClaim, TimeRow, claim_words
from workbench.charts.figure import Axis, Bars, Emphasis, Figure, FloatArray, Look, Panel
from workbench.measures.catalogue import MEASURES
from workbench.words.captions import captioned, ended
from workbench.words.metrics import phase_words

# The prefix of the key of such a figure.
STORY = "story-"
# Axis titles of figures that are not measures of the phase table.
_OTHERS = {"shared_iops": ("IOPS on shared storage", "IOPS")}
_DISK = Look("quiet")


def claim_figure(claims: Sequence[tuple[Finding, Claim]], switches: Switches) -> Figure | None:
    """The figure of the claims of one slide; None if the evidence page shows it better.

    None if there is no claim, if there are no measured values, or if the name or the unit of the figure is unknown
    here.
    """
    if not any(_measured(claim) for _, claim in claims):
        return None
    lead, first = claims[0]
    if isinstance(first, TimeClaim):
        return _figure(lead, (_time_panel(first, switches),), claims)
    if lead.figure not in MEASURES and lead.figure not in _OTHERS:
        return None
    panels = tuple(
        _bar_panel(finding, claim, column, switches)
        for column, (finding, claim) in enumerate(claims)
        if isinstance(claim, BarClaim)
    )
    return _figure(lead, panels, claims)


def _measured(claim: Claim) -> bool:
    if isinstance(claim, TimeClaim):
        return any(row.held_s is not None for row in claim.rows)
    return any(bar.value is not None for bar in claim.bars)


def _figure(lead: Finding, panels: tuple[Panel, ...], claims: Sequence[tuple[Finding, Claim]]) -> Figure:
    single = lead.strength is Strength.SINGLE
    how = few_runs(lead).replace("single run", "one run each") if single else "mean of the runs"
    words = ". ".join(_words(panels[0].y, finding, claim) for finding, claim in claims)
    left_out = dict.fromkeys(claim.left_out for _, claim in claims if isinstance(claim, BarClaim) and claim.left_out)
    piled = dict.fromkeys(f" (outlined: {c.outlined})" for _, c in claims if isinstance(c, BarClaim) and c.outlined)
    caption, method = captioned((f"{panels[0].y.label}, {how}{''.join(piled)}", *left_out))
    return Figure(
        f"{STORY}{lead.figure}", lead.text, ended(caption), panels, share_y=False, summary=words, method=method
    )


def _words(axis: Axis, finding: Finding, claim: Claim) -> str:
    """A chart in words: the metric with its phase and its unit, if the values have none, and the values."""
    if isinstance(claim, TimeClaim):
        return f"{axis.label}. {claim_words(claim)}"
    unit = "" if axis.unit in ("%", "s", "", *axis.label.split()) else f" ({axis.unit})"
    phase = f", {phase_words(finding.phase)}" if finding.phase else ""
    return f"{axis.label}{unit}{phase}. {claim_words(claim)}"


def _bar_panel(finding: Finding, claim: BarClaim, column: int, switches: Switches) -> Panel:
    names = tuple(bar.label for bar in claim.bars)
    full = tuple(bar.name or bar.label for bar in claim.bars)
    bars: list[Bars] = []
    for place, bar in enumerate(claim.bars):
        emphasis = _emphasis(place, claim, switches)
        bars.append(_bar(full[place], bar.look, place, len(names), bar.value, emphasis))
    if any(bar.above for bar in claim.bars):
        above = np.array([np.nan if bar.above is None else bar.above for bar in claim.bars])
        bars.append(Bars(claim.outlined, above, _DISK, stack="story", outlined=True))
    title = phase_words(finding.phase).capitalize() if finding.phase else ""
    measure = MEASURES.get(finding.figure)
    label, unit = _OTHERS[finding.figure] if measure is None else (measure.name, measure.unit)
    return Panel(title, Axis("", categories=names, full=full), Axis(label, unit), tuple(bars), column, legend=False)


def _emphasis(place: int, claim: BarClaim, switches: Switches) -> Emphasis:
    if not switches.claim or place == claim.claimed:
        return "all"
    return "baseline" if place == claim.baseline and switches.baseline else "others"


def _bar(name: str, look: Look, place: int, count: int, value: float | None, emphasis: Emphasis) -> Bars:
    values: FloatArray = np.full(count, np.nan)
    values[place] = np.nan if value is None else value
    return Bars(name, values, Look(look.hue, look.tint), stack="story", emphasis=emphasis)


def _time_panel(claim: TimeClaim, switches: Switches) -> Panel:
    """A panel with the time that each cache held, in minutes; a cache that never overflowed held to the end, which its
    name states.
    """
    names = tuple(_time_name(row) for row in claim.rows)
    bars = tuple(
        _bar(
            names[place],
            row.look,
            place,
            len(names),
            None if row.held_s is None else row.held_s / 60,
            "all" if not switches.claim or place == claim.claimed else "others",
        )
        for place, row in enumerate(claim.rows)
    )
    return Panel("", Axis("", categories=names), Axis("Time to overflow", "min"), bars, legend=False)


def _time_name(row: TimeRow) -> str:
    if row.ended:
        return row.label
    return f"{row.label} ({'overflow unknown' if row.held_s is None else 'no overflow by the end'})"
