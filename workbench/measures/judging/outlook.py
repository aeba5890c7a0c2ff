"""What the runs of an open comparison could have shown, and how many runs it would take to show that both are the
same, in figures and in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.measures.judging.power import MOST_RUNS, detectable, runs_for_same, scatter_of
from workbench.measures.measure import Measure
from workbench.measures.statistics import Change
from workbench.words.numbers import THIN, fixed, marked

# A ratio of e^100 is no change that runs could show; beyond e^709 it has no room in a number.
_MOST_LOG = 100.0


@dataclass(frozen=True, slots=True)
class Outlook:
    """What four of five studies with so many runs would show, judged at `level`: a change of `low` or less, of `high`
    or more, as shares of the baseline. `same_runs` on each side would show that what is the same is; None: more than
    1,000."""

    level: float
    low: float
    high: float
    same_runs: int | None
    baseline_value: float | None

    def sentences(self, measure: Measure, margin: float) -> tuple[str, ...]:
        """What could have been shown, and what *same* would take."""
        low, high = (self._amount(end, measure) for end in (self.low, self.high))
        change = f"a difference of {high} or more" if low == high else f"a cut of {low} or a rise of {high}, or more"
        runs = f"more than {MOST_RUNS:,}" if self.same_runs is None else f"{self.same_runs}"
        could = f"These runs could have shown {change}."
        if not 0 < margin < 1:
            return (could,)
        return could, f"The same within ±{marked(format(100 * margin, 'g'))} % would take {runs} runs on each side."

    def _amount(self, end: float, measure: Measure) -> str:
        size = abs(end) * (100.0 if measure.change == "ratio" else self.baseline_value or 0.0)
        return f"{fixed(size, 1 if size < 10 else 0)}{THIN}{measure.change_unit}"


def outlook_of(
    baseline: Sequence[float], values: Sequence[float], found: Change, level: float, margin: float
) -> Outlook | None:
    """The outlook of runs like these; None where a side does not scatter."""
    unit = found.baseline_value or 1.0
    base, ours = (scatter_of(side, found.scale, unit) for side in (baseline, values))
    base, ours = base or ours, ours or base
    if base is None or ours is None:
        return None
    size = detectable(base, ours, level, margin)
    if size > _MOST_LOG:
        return None
    low, high = (-size, size) if found.scale == "plain" else (math.expm1(-size), math.expm1(size))
    return Outlook(level, low, high, runs_for_same(base.limit, ours.limit, margin, level), found.baseline_value)
