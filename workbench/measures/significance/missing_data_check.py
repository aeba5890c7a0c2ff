"""Checks if a verdict survives the missing data.

For amounts, rates and shares of reads, the verdict must also hold if all missing data opposes it most. For a fall, the
gaps of the baseline are empty and the gaps of the configuration as full as possible; for a rise the other way round;
for *same* both ways (`coverage.bounds`). Test, family and margin are unchanged. Latencies, percentiles, peaks, gauges
and means over time have no such bounds: they have no verdict if less than `LEAST_MEASURED` of a run's phase was
measured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.measures.configurations import Group
from workbench.measures.coverage.bounds import Bounds, Lack, bounds_of, complete, has_bounds, lacks
from workbench.measures.measure import Measure
from workbench.measures.phase_problems import GAP_SHARE
from workbench.measures.significance.p_values import permutation_p
from workbench.measures.significance.verdicts import Adjusted, Judgement, relative
from workbench.measures.statistics import SIGNIFICANT, Change, Scale, Verdict, change, same_p
from workbench.model.phase import STEADY
from workbench.model.problem import few_named
from workbench.words.metrics import phase_words
from workbench.words.numbers import THIN, marked, plural

# Share of a run's phase, counting VMs without samples.
LEAST_MEASURED = 0.95
# Short text next to a change if there is no room for more.
IN_PART = "not fully measured"
# Maximum number of runs, and of VMs with gaps, that are named.
_RUNS, _VMS = 3, 2
# Smaller shares of missing samples are shown as this.
_LEAST_PERCENT = 0.01
Sides = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True, eq=False, slots=True)
class Opposed:
    """The bounds of the values of both sides; None if there are no bounds. `words` describes the missing data."""

    base: Bounds | None
    ours: Bounds | None
    words: str

    def sides(self, *, lower: bool) -> Sides | None:
        """The values of the baseline and of the configuration that oppose a fall (`lower`) or a rise most."""
        if self.base is None or self.ours is None:
            return None
        return (self.base.low, self.ours.high) if lower else (self.base.high, self.ours.low)


@dataclass(frozen=True, eq=False, slots=True)
class Opposition:
    """A change under the least favourable missing data.

    It has p-values (1 if the change has the other sign), the p-value of the permutation test, and `beyond`: the change
    is still beyond the margin on the same side. `reason` is the reason why there is no verdict if the change does not
    survive.
    """

    p: float
    same: float
    beyond: bool
    permutation: float | None
    reason: str

    def survived_by(self, judgement: Judgement, adjusted: Adjusted) -> bool:
        """True if the verdict also holds with these adjusted p-values. With too few runs for a verdict, True if the
        change stays beyond the margin."""
        if judgement.verdict is Verdict.SAME:
            return adjusted.same is not None and adjusted.same < SIGNIFICANT
        if judgement.verdict is Verdict.INCONCLUSIVE:
            return adjusted.p is not None or self.beyond
        confirmed = self.permutation is None or self.permutation < SIGNIFICANT
        return self.beyond and confirmed and adjusted.p is not None and adjusted.p < SIGNIFICANT


def opposed_by(base: Group, group: Group, phase: str, measure: Measure) -> Opposed | None:
    """The bounds of both sides. None if nothing is missing, or if the metric has no bounds."""
    if not has_bounds(measure) or not (lacking := _lacks((base, group), phase, measure)):
        return None
    return Opposed(bounds_of(base, phase, measure), bounds_of(group, phase, measure), _listed(lacking))


def opposition(opposed: Opposed, found: Change, scale: Scale, margin: float) -> Opposition:
    """A change under the missing data that opposes it most."""
    reason = f"missing samples: {opposed.words}"
    lower = relative(found) < 0
    sides = opposed.sides(lower=lower)
    worst = None if sides is None else change(*sides, scale)
    same = max(_same_p(opposed.sides(lower=side), margin, scale) for side in (True, False))
    if sides is None or worst is None or (relative(worst) < 0) != lower:
        return Opposition(1.0, same, False, None, reason)
    p = 1.0 if worst.p is None else worst.p
    return Opposition(p, same, abs(relative(worst)) > margin, permutation_p(*sides, scale), reason)


def too_little(base: Group, group: Group, phase: str, measure: Measure) -> str | None:
    """The reason against a verdict on a metric without bounds if a run has too few samples; otherwise None."""
    if has_bounds(measure):
        return None
    short = [lack for lack in _lacks((base, group), phase, measure) if lack.share < LEAST_MEASURED]
    if not short:
        return None
    what = phase_words(phase) if phase == STEADY else f"the {phase_words(phase)} phase"
    return f"less than {100 * LEAST_MEASURED:g}{THIN}% of {what} was measured: {_listed(short)}"


def unmeasured(sides: Sequence[Group], phase: str, measure: Measure) -> str:
    """Text like `VM-3 lacks 22 % of its samples in run 'a'; VM-5 has no samples in run 'b'`. Empty if no VM
    lacks more than the share from which a phase counts as partly measured."""
    least = {lack: GAP_SHARE * lack.length_s for lack in _lacks(sides, phase, measure)}
    return _listed(
        [lack for lack, gap_s in least.items() if lack.unseen or any(seconds > gap_s for _, seconds in lack.gaps)]
    )


def lack_words(lack: Lack) -> str:
    """Text like `VM-3 lacks 22 % of its samples`."""
    parts = []
    if lack.unseen:
        names = few_named(lack.names) if lack.names else f"{lack.unseen} of {lack.expected} VMs"
        parts.append(f"{names} {'has' if lack.unseen == 1 else 'have'} no samples")
    if lack.gaps:
        gaps = sorted(lack.gaps, key=lambda gap: (-gap[1], gap[0]))
        percent = 100 * gaps[0][1] / lack.length_s
        most = f"{percent:.0f}" if percent >= 1 else marked(f"{max(percent, _LEAST_PERCENT):.1g}")
        many = len(gaps) > 1
        names = few_named([vm for vm, _ in gaps]) if len(gaps) <= _VMS else plural(len(gaps), "VM")
        samples = f"lack up to {most}{THIN}% of their" if many else f"lacks {most}{THIN}% of its"
        parts.append(f"{names} {samples} samples")
    return " and ".join(parts)


def _same_p(sides: Sides | None, margin: float, scale: Scale) -> float:
    p = None if sides is None else same_p(*sides, margin, scale)
    return 1.0 if p is None else p


def _lacks(sides: Sequence[Group], phase: str, measure: Measure) -> list[Lack]:
    return [lack for side in dict.fromkeys(sides) if not complete(side, phase) for lack in lacks(side, phase, measure)]


def _listed(lacking: Sequence[Lack]) -> str:
    return by_run([(lack.run, lack_words(lack)) for lack in sorted(lacking, key=lambda lack: lack.share)])


def by_run(lacking: Sequence[tuple[str, str]]) -> str:
    """The first kind of missing data with its runs, and the number of further runs with missing data; empty if nothing
    is missing."""
    runs: dict[str, list[str]] = {}
    for run, words in lacking:
        runs.setdefault(words, []).append(f"'{run}'")
    if not runs:
        return ""
    words, names = next(iter(runs.items()))
    more = len(lacking) - len(names)
    others = f"; {plural(more, 'other run')} also lack{'s' * (more == 1)} samples" if more else ""
    return f"{words} in {_runs_words(names)}{others}"


def several_runs(lacking: str) -> bool:
    """True if the missing data in a text of `by_run` concern several runs."""
    return re.search(r" runs\b|; ", lacking) is not None


def _runs_words(names: Sequence[str]) -> str:
    if len(names) > _RUNS:
        return plural(len(names), "run")
    return f"run{'s' * (len(names) > 1)} {few_named(names)}"
