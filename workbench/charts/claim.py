"""Claim: the chart of one finding as a plain value. The chart highlights the subject, shows the baseline, and dims the
rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.charts.figure import Bars, Emphasis, Figure, Look, Mark, Moment, Panel
from workbench.words.captions import named


@dataclass(frozen=True, slots=True)
class ClaimBar:
    """One bar from 0 to `value` (None: not measured) with its `words`. `above` is stacked on the bar, outlined;
    `stack_words` then state the total. `name` is the full name of its `label`, if that is short."""

    label: str
    look: Look
    value: float | None
    words: str
    above: float | None = None
    stack_words: str = ""
    name: str = ""

    @property
    def top(self) -> float:
        """Top of the stack in the unit of the value; 0 if nothing was measured."""
        return (self.value or 0.0) + (self.above or 0.0)

    @property
    def total_words(self) -> str:
        """The words of the whole bar: of the stack, otherwise of the value."""
        return self.stack_words or self.words


@dataclass(frozen=True, slots=True)
class BarClaim:
    """The bar of a finding next to the bar of the baseline.

    `change` and `ends` (of its interval or range) are words. `low` and `high` are these ends on the scale of the bars;
    None if the uncertainty is unknown. `outlined` names the stacked part. `left_out` is the text on bars that are not
    drawn. `beside` is the highest top among the neighbouring claims of one unit, which share a scale.
    """

    bars: tuple[ClaimBar, ...]
    claimed: int
    baseline: int
    change: str = ""
    ends: str = ""
    low: float | None = None
    high: float | None = None
    outlined: str = ""
    left_out: str = ""
    beside: float = 0.0

    @property
    def top(self) -> float:
        """The highest bar, including neighbouring claims; 0 if nothing was measured."""
        return max(self.beside, *(bar.top for bar in self.bars))


@dataclass(frozen=True, slots=True)
class TimeRow:
    """The time that something held: `held_s` of `lasted_s` seconds, None if unknown. `ended` is True if it ended.
    `name` is the full name of its `label`, if that is short."""

    label: str
    look: Look
    held_s: float | None
    lasted_s: float
    ended: bool
    words: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class TimeClaim:
    """Rows over time. `claimed` is the index of the highlighted row. All rows share the moments (word, seconds).

    `foot` has the axis texts: the start, the counted unit, and the end at `until_s`.
    """

    rows: tuple[TimeRow, ...]
    claimed: int
    moments: tuple[tuple[str, float], ...]
    until_s: float
    foot: tuple[str, str, str]


Claim = BarClaim | TimeClaim


def on_one_scale(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Neighbouring claims of one unit, each with the highest top among them."""
    alone = [replace(claim, beside=0.0) if isinstance(claim, BarClaim) else claim for claim in claims]
    top = max((max(claim.top, claim.high or 0.0) for claim in alone if isinstance(claim, BarClaim)), default=0.0)
    return tuple(replace(claim, beside=top) if isinstance(claim, BarClaim) else claim for claim in alone)


@dataclass(frozen=True, slots=True)
class FindingCard:
    """A finding in large type. `sentence` is short, with the important `number` in it; `claim` is its chart, if any.

    `foot` is its evidence, `tip` the full sentence with its caveats. `key` identifies the evidence.
    """

    key: str
    sentence: str
    number: str
    foot: str
    tip: str
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """Shown instead of findings if nothing can be compared.

    It has a `title`, the sentences `why` and `next_steps`, a `tag`, and per configuration its look and the day of its
    first run. `key` identifies the evidence.
    """

    key: str
    title: str
    why: tuple[str, ...]
    next_steps: tuple[str, ...]
    tag: str
    days: tuple[tuple[str, Look, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Lead:
    """The top of a page: its strongest findings, a `banner` that applies to all of them, and a caption.

    `links` are (words, table name) pairs that link to a table of the page. A `statement` replaces the findings.
    """

    findings: tuple[FindingCard, ...]
    caption: str
    banner: str = ""
    links: tuple[tuple[str, str], ...] = ()
    statement: Statement | None = None


@dataclass(frozen=True, slots=True)
class Pointed:
    """The bar that a finding is about: the `figure` of a configuration in a phase, compared with the `baseline`.

    In a chart of curves (see `marked`) the finding is about the curves of the configuration or of a `vm`, with a
    `moment`; `readout` is the value there. `also` are other configurations with the same finding.
    """

    configuration: str
    baseline: str
    phase: str
    figure: str
    vm: str = ""
    moment: Moment | None = None
    readout: str = ""
    also: tuple[str, ...] = ()

    def strength(self, configuration: str) -> Emphasis:
        """The emphasis of the marks of a configuration."""
        if configuration in (self.configuration, *self.also):
            return "all"
        return "baseline" if configuration == self.baseline else "others"

    def names(self, bar: Bars, label: str) -> bool:
        """True if the bar is the highlighted metric of the configuration with this label."""
        known = (source for source in bar.sources if source is not None)
        return bar.name == label and any((s.phase, s.figure) == (self.phase, self.figure) for s in known)


def pointed_figure(figure: Figure, pointed: Pointed | None) -> Figure:
    """The figure with the bar of the finding highlighted, the baseline dimmed a little and all others more. Unchanged
    if it has no such bar."""
    bars = [mark for panel in figure.panels for mark in panel.marks if isinstance(mark, Bars)]
    if pointed is None or not any(pointed.names(bar, pointed.configuration) for bar in bars):
        return figure
    return replace(figure, panels=tuple(_pointed_panel(panel, pointed) for panel in figure.panels))


def _pointed_panel(panel: Panel, pointed: Pointed) -> Panel:
    return replace(panel, marks=tuple(_pointed_mark(mark, pointed) for mark in panel.marks))


def _pointed_mark(mark: Mark, pointed: Pointed) -> Mark:
    if not isinstance(mark, Bars) or pointed.names(mark, pointed.configuration):
        return mark
    return replace(mark, emphasis="baseline" if pointed.names(mark, pointed.baseline) else "others")


def claim_words(claim: Claim) -> str:
    """The chart in words, for people who cannot see it."""
    if isinstance(claim, TimeClaim):
        return "; ".join(f"{named(row.name or row.label)}: {row.words}" for row in claim.rows)
    names = [named(bar.name or bar.label) for bar in claim.bars]
    bars = "; ".join(f"{name}: {bar.words}" for name, bar in zip(names, claim.bars, strict=True))
    return ". ".join(filter(None, (bars, claimed_words(claim), claim.left_out)))


def claimed_words(claim: BarClaim) -> str:
    """The claimed change in words; empty if the claim has none."""
    bar = claim.bars[claim.claimed]
    ends = f"({claim.ends})" if claim.ends.startswith("range") else claim.ends
    change = f"{claim.change} {ends}".strip()
    return f"Change with {named(bar.name or bar.label)}: {change}" if change else ""
