"""Whether a verdict survives what was not measured.

A verdict on amounts, rates or shares of reads has to stand as well where everything that was not measured is as it
opposes the verdict most: a fall with nothing in the gaps of the baseline and as much as fits in ours, a rise the other
way round, *same* either way (`partial.bounds`). It takes the same test, the same family and the same margin.
Latencies, percentiles, peaks, gauges and means over time have no such bounds: they have no verdict where less than
`LEAST_MEASURED` of a run's phase was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.measures.configurations import Group
from workbench.measures.coverage.bounds import Bounds, Lack, bounds_of, complete, has_bounds, lacks
from workbench.measures.measure import Measure
from workbench.measures.phase_problems import GAP_SHARE
from workbench.measures.significance.p_values import permutation_p
from workbench.measures.significance.verdicts import Adjusted, Judgement, relative
from workbench.measures.statistics import SIGNIFICANT, Change, Scale, Verdict, change, same_p
from workbench.words.numbers import listed

# Of a run's phase, its VMs without samples counted in.
LEAST_MEASURED = 0.95
# What stands beside a change that has no room for more.
IN_PART = "not measured in full"
# So many runs, and so many VMs of each, are named.
_NAMED = 3
Sides = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True, eq=False, slots=True)
class Opposed:
    """The bounds of both sides' figures, None where nothing bounds them; `words` say what is not measured."""

    base: Bounds | None
    ours: Bounds | None
    words: str

    def sides(self, *, lower: bool) -> Sides | None:
        """The figures of the baseline and ours that oppose a fall (`lower`) or a rise most."""
        if self.base is None or self.ours is None:
            return None
        return (self.base.low, self.ours.high) if lower else (self.base.high, self.ours.low)


@dataclass(frozen=True, eq=False, slots=True)
class Opposition:
    """A change as what was not measured opposes it most: its p-values (1 where it would have the other sign), whether
    it still lies `beyond` the margin on the same side, and the permutation test's own p-value. `reason` is why it
    has no verdict where it does not survive."""

    p: float
    same: float
    beyond: bool
    permutation: float | None
    reason: str

    def survived_by(self, judgement: Judgement, adjusted: Adjusted) -> bool:
        """Whether a verdict stands as well with these p-values, as adjusted for the family. Where runs are too few
        for one, whether the change stays beyond the margin."""
        if judgement.verdict is Verdict.SAME:
            return adjusted.same is not None and adjusted.same < SIGNIFICANT
        if judgement.verdict is Verdict.INCONCLUSIVE:
            return adjusted.p is not None or self.beyond
        confirmed = self.permutation is None or self.permutation < SIGNIFICANT
        return self.beyond and confirmed and adjusted.p is not None and adjusted.p < SIGNIFICANT


def opposed_by(base: Group, group: Group, phase: str, measure: Measure) -> Opposed | None:
    """The bounds of both sides; None where nothing is missing, and for figures that have none."""
    if not has_bounds(measure) or not (lacking := _lacks((base, group), phase, measure)):
        return None
    return Opposed(bounds_of(base, phase, measure), bounds_of(group, phase, measure), _listed(lacking))


def opposition(opposed: Opposed, found: Change, scale: Scale, margin: float) -> Opposition:
    """A change under what opposes it most."""
    reason = f"the unmeasured part could change the verdict: {opposed.words}"
    lower = relative(found) < 0
    sides = opposed.sides(lower=lower)
    worst = None if sides is None else change(*sides, scale)
    same = max(_same_p(opposed.sides(lower=side), margin, scale) for side in (True, False))
    if sides is None or worst is None or (relative(worst) < 0) != lower:
        return Opposition(1.0, same, False, None, reason)
    p = 1.0 if worst.p is None else worst.p
    return Opposition(p, same, abs(relative(worst)) > margin, permutation_p(*sides, scale), reason)


def too_little(base: Group, group: Group, phase: str, measure: Measure) -> str | None:
    """The reason against a verdict on figures without bounds where a run has too few samples of them."""
    if has_bounds(measure):
        return None
    short = [lack for lack in _lacks((base, group), phase, measure) if lack.share < LEAST_MEASURED]
    return f"less than {100 * LEAST_MEASURED:g} % was measured: {_listed(short)}" if short else None


def unmeasured(sides: Sequence[Group], phase: str, measure: Measure) -> str:
    """`run-1: VM-3 lacks 22 % of the phase; run-2: VM-5 has no samples`; empty where no VM lacks more than the share
    from which on a phase is called partly measured."""
    least = {lack: GAP_SHARE * lack.length_s for lack in _lacks(sides, phase, measure)}
    return _listed(
        [lack for lack, gap_s in least.items() if lack.unseen or any(seconds > gap_s for _, seconds in lack.gaps)]
    )


def lack_words(lack: Lack) -> str:
    """`VM-3 lacks 22 % of the phase`."""
    parts = []
    if lack.unseen:
        names = listed(lack.names, _NAMED) if lack.names else f"{lack.unseen} of {lack.expected} VMs"
        parts.append(f"{names} {'has' if lack.unseen == 1 else 'have'} no samples")
    if lack.gaps:
        gaps = sorted(lack.gaps, key=lambda gap: (-gap[1], gap[0]))
        percent = 100 * gaps[0][1] / lack.length_s
        most = "less than 1" if percent < 1 else f"{percent:.0f}"
        many = len(gaps) > 1
        names = listed([vm for vm, _ in gaps], _NAMED)
        parts.append(f"{names} lack{'s' * (not many)} {'up to ' * many}{most} % of the phase")
    return " and ".join(parts)


def _same_p(sides: Sides | None, margin: float, scale: Scale) -> float:
    p = None if sides is None else same_p(*sides, margin, scale)
    return 1.0 if p is None else p


def _lacks(sides: Sequence[Group], phase: str, measure: Measure) -> list[Lack]:
    return [lack for side in dict.fromkeys(sides) if not complete(side, phase) for lack in lacks(side, phase, measure)]


def _listed(lacking: Sequence[Lack]) -> str:
    return by_run([f"{lack.run}: {lack_words(lack)}" for lack in lacking])


def by_run(parts: Sequence[str]) -> str:
    """What each of the first runs lacks, and how many more runs lack something; empty for none."""
    more = len(parts) - _NAMED
    return "; ".join([*parts[:_NAMED], *([f"{more} more run{'s' * (more > 1)}"] if more > 0 else [])])
