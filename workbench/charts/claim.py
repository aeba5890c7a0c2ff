"""Claim: the chart of one finding as a plain value: what it speaks of, what that is held against, the rest dimmed."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.charts.figure import Look


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
    up, `left_out` says how many bars are not drawn."""

    bars: tuple[ClaimBar, ...]
    claimed: int
    baseline: int
    change: str = ""
    ends: str = ""
    low: float | None = None
    high: float | None = None
    hatched: str = ""
    left_out: str = ""


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
class Lead:
    """What a page says first: its strongest findings, what holds for all of them (`banner`), the subtitle. `links` are
    words that lead to a table of the page, with its name."""

    findings: tuple[FindingCard, ...]
    caption: str
    banner: str = ""
    links: tuple[tuple[str, str], ...] = ()


def claim_words(claim: Claim) -> str:
    """The chart in words, for those who cannot see it."""
    if isinstance(claim, TimeClaim):
        return "; ".join(f"{row.label}: {row.words}" for row in claim.rows)
    bars = "; ".join(f"{bar.label} {bar.words}" for bar in claim.bars)
    return ". ".join(filter(None, (bars, f"{claim.change} {claim.ends}".strip(), claim.left_out)))
