"""Claim: the chart of one finding as a plain value: what it speaks of, what that is held against, the rest dimmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.charts.figure import Bars, Emphasis, Figure, Look, Mark, Moment, Panel


@dataclass(frozen=True, slots=True)
class ClaimBar:
    """One bar from 0 to `value` (None: not measured) with its `words`; `above` is piled on it, hatched."""

    label: str
    look: Look
    value: float | None
    words: str
    above: float | None = None
    above_words: str = ""

    @property
    def top(self) -> float:
        """Where the pile ends, in the unit of the value; 0 where nothing was measured."""
        return (self.value or 0.0) + (self.above or 0.0)


@dataclass(frozen=True, slots=True)
class BarClaim:
    """The claimed bar against the baseline's. `change` and `ends` (of its interval or range) are words; `low` and
    `high` are those ends on the scale of the bars, None where no uncertainty is known. `hatched` names what is piled
    up, `left_out` says how many bars are not drawn. `beside` is the highest top of the claims beside it: those of one
    unit share a scale."""

    bars: tuple[ClaimBar, ...]
    claimed: int
    baseline: int
    change: str = ""
    ends: str = ""
    low: float | None = None
    high: float | None = None
    hatched: str = ""
    left_out: str = ""
    beside: float = 0.0

    @property
    def top(self) -> float:
        """The highest bar, of the claims beside it as well; 0 where nothing was measured."""
        return max(self.beside, *(bar.top for bar in self.bars))


@dataclass(frozen=True, slots=True)
class TimeRow:
    """How long something held: `held_s` seconds of `lasted_s`, None where that is not known; `ended` where it did."""

    label: str
    look: Look
    held_s: float | None
    lasted_s: float
    ended: bool
    words: str


@dataclass(frozen=True, slots=True)
class TimeClaim:
    """Rows of time, the `claimed` ones lit (place of the row), with the moments (word, seconds) that all share.
    `foot` has the words of the axis: its start, what it counts, its end at `until_s`."""

    rows: tuple[TimeRow, ...]
    claimed: int
    moments: tuple[tuple[str, float], ...]
    until_s: float
    foot: tuple[str, str, str]


Claim = BarClaim | TimeClaim


def on_one_scale(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims of one unit that are drawn side by side, with the highest top among them."""
    alone = [replace(claim, beside=0.0) if isinstance(claim, BarClaim) else claim for claim in claims]
    top = max((max(claim.top, claim.high or 0.0) for claim in alone if isinstance(claim, BarClaim)), default=0.0)
    return tuple(replace(claim, beside=top) if isinstance(claim, BarClaim) else claim for claim in alone)


@dataclass(frozen=True, slots=True)
class FindingCard:
    """A finding told large: its `sentence` in few words with the number in it that counts, its chart where it has one,
    what it rests on (`foot`), and the whole sentence with its caveats (`tip`). `key` leads to its evidence."""

    key: str
    sentence: str
    number: str
    foot: str
    tip: str
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """What stands in place of findings where nothing can be compared: a `title`, `why` and the `next_steps` in
    sentences, a `tag`, and (configuration, its look, the day of its first run) of each. `key` leads to its evidence."""

    key: str
    title: str
    why: tuple[str, ...]
    next_steps: tuple[str, ...]
    tag: str
    days: tuple[tuple[str, Look, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Lead:
    """What a page says first: its strongest findings, what holds for all of them (`banner`), the subtitle. `links` are
    words that lead to a table of the page, with its name. A `statement` stands in place of the findings."""

    findings: tuple[FindingCard, ...]
    caption: str
    banner: str = ""
    links: tuple[tuple[str, str], ...] = ()
    statement: Statement | None = None


@dataclass(frozen=True, slots=True)
class Pointed:
    """The bar that a finding speaks of: the `figure` of a configuration in a phase, held against the `baseline`. In a
    chart of curves (see `marked`) those of the configuration, or of a `vm`, with a `moment`; `readout` is its value.
    `also` are other configurations that it speaks of alike."""

    configuration: str
    baseline: str
    phase: str
    figure: str
    vm: str = ""
    moment: Moment | None = None
    readout: str = ""
    also: tuple[str, ...] = ()

    def strength(self, configuration: str) -> Emphasis:
        """How much of its colour what is of a configuration keeps."""
        if configuration in (self.configuration, *self.also):
            return "all"
        return "baseline" if configuration == self.baseline else "others"

    def names(self, bar: Bars, label: str) -> bool:
        """Whether a bar is the pointed figure of the configuration with this label."""
        known = (source for source in bar.sources if source is not None)
        return bar.name == label and any((s.phase, s.figure) == (self.phase, self.figure) for s in known)


def pointed_figure(figure: Figure, pointed: Pointed | None) -> Figure:
    """The figure with all bars dimmed but the pointed one, the baseline's less; as it is where it has no such bar."""
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
    """The chart in words, for those who cannot see it."""
    if isinstance(claim, TimeClaim):
        return "; ".join(f"{row.label}: {row.words}" for row in claim.rows)
    bars = "; ".join(f"{bar.label} {bar.words}" for bar in claim.bars)
    return ". ".join(filter(None, (bars, f"{claim.change} {claim.ends}".strip(), claim.left_out)))
