"""Compares every configuration with the baseline, by phase and metric, with verdicts for the study as a whole.

There are two tiers. *Primary* metrics are fixed before the data are seen. The catalogue names them for boot, logon and
steady state; the preferences may name others; a `[primary]` table in a run.toml of the baseline overrides both. Their
p-values are adjusted by Holm over configurations × phases of the study, so at most 5 % of studies show a false
difference. *Other* metrics are adjusted by Benjamini and Hochberg over the rest of the study: at most 5 % of their
verdicts are false. A comparison has two hypotheses, no difference and a difference of the margin or more. At most one
is true, and the number of hypotheses takes this into account. A metric may be proportional to another one in every run
(total I/O if all phases have equal length). It is then not tested again, but takes the verdict of the other metric.
Hiding or showing configurations never changes the families.

An `Outlook` states the change that the runs of an inconclusive comparison could have shown, and the number of runs that
could show that both are the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, figure_values, measures_of, phase_names
from workbench.measures.measure import Measure
from workbench.measures.significance.missing_data_check import Opposed, Opposition, opposed_by, opposition, unmeasured
from workbench.measures.significance.objections import objection
from workbench.measures.significance.p_values import benjamini_hochberg, holm, permutation_p
from workbench.measures.significance.power import MOST_RUNS, detectable, runs_for_same, scatter_of
from workbench.measures.significance.verdicts import Adjusted, Judgement, judge, withheld
from workbench.measures.statistics import SIGNIFICANT, Change, Scale, Verdict, change, same_p
from workbench.model.run_cache import kept_of_few
from workbench.words.numbers import THIN, fixed, marked

Tier = Literal["primary", "other"]
Values = tuple[tuple[str, float], ...]
# Two metrics count as proportional if their ratio varies by at most this share.
_ALIKE = 1e-9


@dataclass(frozen=True, eq=False)
class Difference:
    """One metric of one configuration in one phase, compared with the baseline.

    `values` and `baseline_values` are (run, value) pairs. `value`, `baseline_value` and `difference` are means over
    runs in the unit of the metric. `change` is None if a ratio has no meaning (baseline of 0); all of them are None if
    a side lacks the metric. `p_holm` is the adjusted p-value of a primary metric, `p_bh` of any other; `p_same` is that
    of a change of the margin or more. `judged_as` is the metric whose verdict this one takes. `objection` is the reason
    against any verdict, regardless of the test; for a change without a test, the reason why it may not be real.
    `unmeasured` names the input that the runs lack (empty: none). `opposed` are the values if the missing data opposed
    the change most. `apart` is the reason why the configuration cannot be compared at all; then there is no change and
    no difference.
    """

    configuration: str
    phase: str
    measure: Measure
    values: Values
    baseline_values: Values
    change: Change | None
    tier: Tier = "other"
    p_holm: float | None = None
    p_bh: float | None = None
    p_same: float | None = None
    p_permutation: float | None = None
    judgement: Judgement | None = None
    outlook: Outlook | None = None
    judged_as: str | None = None
    objection: str | None = None
    unmeasured: str = ""
    opposed: Opposed | None = None
    apart: str = ""

    @property
    def value(self) -> float | None:
        """Mean over the runs; None if no run has the metric."""
        return _mean(self.values)

    @property
    def baseline_value(self) -> float | None:
        """Mean over the runs of the baseline."""
        return _mean(self.baseline_values)

    @property
    def difference(self) -> float | None:
        """Mean minus the mean of the baseline."""
        ours, base = self.value, self.baseline_value
        return None if ours is None or base is None or self.apart else ours - base

    def without_change(self, apart: str) -> Difference:
        """Only the values of both sides, because the configuration cannot be compared."""
        figures = (self.values, self.baseline_values)
        return Difference(self.configuration, self.phase, self.measure, *figures, None, self.tier, apart=apart)

    @property
    def value_geometric(self) -> float | None:
        """Geometric mean over the runs; None if no run has the metric or a value is 0."""
        return _geometric_mean(self.values)

    @property
    def baseline_value_geometric(self) -> float | None:
        """Geometric mean over the runs of the baseline."""
        return _geometric_mean(self.baseline_values)

    @property
    def shown_difference(self) -> float | None:
        """The difference of the means; None if its sign differs from the sign of the change."""
        return self.difference if self.change is None else self.change.shown_difference

    @property
    def p_adjusted(self) -> float | None:
        """The adjusted p-value that the verdict uses."""
        return self.p_holm if self.tier == "primary" else self.p_bh

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None if there is nothing to compare."""
        return None if self.judgement is None else self.judgement.verdict

    @property
    def numbers(self) -> tuple[list[float], list[float]]:
        """The values of the baseline, then those of the configuration."""
        return [value for _, value in self.baseline_values], [value for _, value in self.values]

    @property
    def scale(self) -> Scale:
        """The scale of the test. Shares are tested on plain values, because their difference is shown."""
        return "logs" if self.measure.change == "ratio" else "plain"


def primary_measures(base: Group) -> dict[str, tuple[str, ...]]:
    """The keys of the primary metrics by phase; see `stated_primary`."""
    return {phase: keys for phase, (keys, _) in stated_primary(base).items()}


def stated_primary(base: Group) -> dict[str, tuple[tuple[str, ...], str]]:
    """The keys of the primary metrics by phase, and their source: the catalogue, the preferences or run.toml. Later
    sources override earlier ones."""
    phases = dict.fromkeys(phase for measure in MEASURES.values() for phase in measure.primary)
    keys = {phase: tuple(key for key, measure in MEASURES.items() if phase in measure.primary) for phase in phases}
    stated = next((run.run.primary for run in base.runs if run.run.primary), ())
    return {
        phase: (keys, source)
        for source, primary in (("catalogue", keys), ("preferences", dict(base.preferred)), ("run.toml", dict(stated)))
        for phase, keys in primary.items()
    }


# Kept, because Compare, the findings and the cache sweep ask for it; 120 configurations take one or two seconds.
@kept_of_few
def differences(base: Group, others: tuple[Group, ...], margin: float) -> tuple[Difference, ...]:
    """The differences in all phases that a configuration shares with the baseline. Each tier is one family. `margin` is
    a share."""
    primary = primary_measures(base)
    drafts = [draft for group in others for draft in _drafts(base, group, primary)]
    members = [draft for draft in drafts if draft.judged_as is None]
    judged = {id(draft): row for draft, row in zip(members, _judged(members, margin), strict=True)}
    named = {(draft.configuration, draft.phase, draft.measure.key): judged[id(draft)] for draft in members}
    return tuple(
        judged[id(draft)]
        if draft.judged_as is None
        else _following(draft, named[draft.configuration, draft.phase, draft.judged_as], margin)
        for draft in drafts
    )


def _drafts(base: Group, group: Group, primary: Mapping[str, tuple[str, ...]]) -> Iterator[Difference]:
    """The comparisons of all metrics that either side has, by phase, without verdicts. If one side lacks a phase, there
    are none for it; this is reported as a separate problem."""
    for phase in phase_names([base, group]):
        if not base.phase(phase) or not group.phase(phase):
            continue
        drafts = [_draft(base, group, phase, measure, primary.get(phase, ())) for measure in measures_of(group, phase)]
        yield from _marked([draft for draft in drafts if draft.values or draft.baseline_values])


def _draft(base: Group, group: Group, phase: str, measure: Measure, primary: Sequence[str]) -> Difference:
    ours, theirs = (figure_values(side, phase, measure.key) for side in (group, base))
    tier: Tier = "primary" if measure.key in primary else "other"
    lacks = unmeasured((base, group), phase, measure)
    draft = Difference(group.label, phase, measure, ours, theirs, None, tier, unmeasured=lacks)
    found = change(*draft.numbers, draft.scale)
    if found is None:
        return draft
    reason, opposed = objection(base, group, phase, measure), opposed_by(base, group, phase, measure)
    return replace(draft, change=found, objection=reason, opposed=opposed)


def _marked(drafts: Sequence[Difference]) -> Iterator[Difference]:
    """The comparisons of one configuration and phase. Those that are proportional to an earlier one are marked; primary
    metrics come first."""
    leaders: list[Difference] = []
    follows: dict[str, str] = {}
    for draft in sorted(drafts, key=lambda draft: draft.tier != "primary"):
        leader = next((leader for leader in leaders if _alike(draft, leader)), None)
        if leader is None:
            leaders.append(draft)
        else:
            follows[draft.measure.key] = leader.measure.key
    for draft in drafts:
        leader_key = follows.get(draft.measure.key)
        yield draft if leader_key is None else replace(draft, judged_as=leader_key)


def _alike(one: Difference, other: Difference) -> bool:
    """True if the ratio of two metrics is equal in every run, so one test is enough for both."""
    if one.change is None or other.change is None or (one.scale, other.scale) != ("logs", "logs"):
        return False
    if [run for run, _ in (*one.values, *one.baseline_values)] != [
        run for run, _ in (*other.values, *other.baseline_values)
    ]:
        return False
    ours, theirs = (np.array([*draft.numbers[0], *draft.numbers[1]]) for draft in (one, other))
    if ours.min() <= 0 or theirs.min() <= 0 or not np.ptp(ours) or one.change.p is None:
        return False
    ratios = ours / theirs
    return bool(np.ptp(ratios) <= _ALIKE * ratios.max())


def _judged(members: Sequence[Difference], margin: float) -> list[Difference]:
    """The comparisons with their verdicts; each tier is a family."""
    p = [None if draft.change is None else draft.change.p for draft in members]
    same = [None if one is None else same_p(*draft.numbers, margin, draft.scale) for draft, one in _pairs(members, p)]
    adjusted = _adjusted(members, p, same)
    levels = {tier: _level(tier, *adjusted[tier]) for tier in adjusted}
    judged = [
        _with_verdict(draft, adjusted[draft.tier][0][place], adjusted[draft.tier][1][place], levels[draft.tier], margin)
        for place, draft in enumerate(members)
    ]
    return _upheld(judged, p, same, margin)


def _adjusted(
    members: Sequence[Difference], p: Sequence[float | None], same: Sequence[float | None]
) -> dict[Tier, tuple[list[float | None], list[float | None]]]:
    """Both p-values of every comparison, adjusted in the family of each tier."""
    adjusted: dict[Tier, tuple[list[float | None], list[float | None]]] = {}
    for tier in ("primary", "other"):
        kept = [draft.tier == tier for draft in members]
        of_tier = [value if keep else None for value, keep in zip(p, kept, strict=True)]
        same_of_tier = [value if keep else None for value, keep in zip(same, kept, strict=True)]
        adjusted[tier] = (holm(of_tier), holm(same_of_tier)) if tier == "primary" else _bh(of_tier, same_of_tier)
    return adjusted


def _upheld(
    judged: Sequence[Difference], p: Sequence[float | None], same: Sequence[float | None], margin: float
) -> list[Difference]:
    """The comparisons, without verdicts that missing data could overturn.

    The p-values for the least favourable missing data replace the measured ones in the family, all at once. Completely
    measured comparisons keep their verdicts.
    """
    against = [
        None if row.change is None or row.opposed is None else opposition(row.opposed, row.change, row.scale, margin)
        for row in judged
    ]
    if not any(against):
        return list(judged)
    worst = [None if one is None else one.p for one in against], [None if one is None else one.same for one in against]
    harder = _adjusted(judged, _higher(p, worst[0]), _higher(same, worst[1]))
    return [
        row if other is None else _opposed(row, other, *(column[place] for column in harder[row.tier]))
        for place, (row, other) in enumerate(zip(judged, against, strict=True))
    ]


def _higher(p: Sequence[float | None], worst: Sequence[float | None]) -> list[float | None]:
    return [one if one is None or other is None else max(one, other) for one, other in zip(p, worst, strict=True)]


def _opposed(row: Difference, against: Opposition, p: float | None, same: float | None) -> Difference:
    """The comparison, without its verdict if the least favourable missing data overturns it."""
    judgement = row.judgement
    if judgement is None or against.survived_by(judgement, Adjusted(p, same)):
        return row
    return replace(row, judgement=withheld(judgement, against.reason), objection=row.objection or against.reason)


def _pairs(members: Sequence[Difference], p: Sequence[float | None]) -> Iterator[tuple[Difference, float | None]]:
    return zip(members, p, strict=True)


def _bh(p: list[float | None], same: list[float | None]) -> tuple[list[float | None], list[float | None]]:
    """Both p-values of every comparison, adjusted as one family. At most one hypothesis of each pair is true."""
    both = benjamini_hochberg([*p, *same], sum(value is not None for value in p))
    return both[: len(p)], both[len(p) :]


def _level(tier: Tier, p: Sequence[float | None], same: Sequence[float | None]) -> float:
    """The level of the next comparison in the family: a single p-value must be below it."""
    count = sum(value is not None for value in p)
    rejected = sum(value is not None and value < SIGNIFICANT for value in p)
    if tier == "primary":
        return SIGNIFICANT / max(1, count - rejected)
    rejected += sum(value is not None and value < SIGNIFICANT for value in same)
    return SIGNIFICANT * min(1.0, (rejected + 1) / max(1, count))


def _with_verdict(draft: Difference, p: float | None, same: float | None, level: float, margin: float) -> Difference:
    if draft.change is None:
        return draft
    permutation = permutation_p(*draft.numbers, draft.scale)
    judgement = judge(draft.change, Adjusted(p, same, permutation), better=draft.measure.better, margin=margin)
    outlook = None
    if judgement.verdict is Verdict.INCONCLUSIVE and draft.change.p is not None:
        outlook = outlook_of(*draft.numbers, draft.change, level, margin)
        words = () if outlook is None else outlook.sentences(draft.measure, margin)
        judgement = replace(judgement, outlook=words)
    judgement = withheld(judgement, draft.objection)
    primary = draft.tier == "primary"
    return replace(
        draft,
        p_holm=p if primary else None,
        p_bh=None if primary else p,
        p_same=same,
        p_permutation=permutation,
        judgement=judgement,
        outlook=outlook,
    )


def _following(draft: Difference, leader: Difference, margin: float) -> Difference:
    """The comparison with the verdict of its leader, in the good direction of its own metric."""
    assert draft.change is not None
    adjusted = Adjusted(leader.p_adjusted, leader.p_same, leader.p_permutation)
    judgement = judge(draft.change, adjusted, better=draft.measure.better, margin=margin)
    if leader.judgement is not None:
        judgement = replace(judgement, outlook=leader.judgement.outlook)
    reason = draft.objection or leader.objection
    judgement = withheld(judgement, reason)
    return replace(
        draft,
        objection=reason,
        tier=leader.tier,
        p_holm=leader.p_holm,
        p_bh=leader.p_bh,
        p_same=leader.p_same,
        p_permutation=leader.p_permutation,
        judgement=judgement,
        outlook=leader.outlook,
    )


def _mean(values: Values) -> float | None:
    return sum(value for _, value in values) / len(values) if values else None


def _geometric_mean(values: Values) -> float | None:
    if not values or min(value for _, value in values) <= 0:
        return None
    return float(np.exp(np.mean(np.log([value for _, value in values]))))


# No runs could show a ratio of e^100; beyond e^709 it does not fit into a float.
_MOST_LOG = 100.0
# A reduction by this share leaves almost nothing.
_NO_CUT = -0.99


@dataclass(frozen=True, slots=True)
class Outlook:
    """The changes that four of five studies with these numbers of runs would show, judged at `level`.

    They would show a change of `low` or less, or of `high` or more, as shares of the baseline. `same_runs` runs on each
    side would show that equal configurations are the same; None: more than 1,000.
    """

    level: float
    low: float
    high: float
    same_runs: int | None
    baseline_value: float | None

    def sentences(self, measure: Measure, margin: float) -> tuple[str, ...]:
        """The changes that the runs can detect, and the runs needed to show equality."""
        low, high = (self._amount(end, measure) for end in (self.low, self.high))
        change = f"differences under {high}"
        if low != high:
            change = f"decreases under {low} or increases under {high}"
        runs = f"more than {fixed(MOST_RUNS, 0)}" if self.same_runs is None else f"{self.same_runs}"
        could = f"Add runs to detect {change}."
        if measure.change == "ratio" and self.low <= _NO_CUT:
            could = "These runs vary too much to detect even a decrease to 1 %. Add runs."
        if not 0 < margin < 1:
            return (could,)
        of_base = " of the baseline" * (measure.change != "ratio")
        within = f"±{marked(format(100 * margin, 'g'))}{THIN}%{of_base}"
        return (could, f"Equality within {within} needs {runs} runs per configuration.")

    def _amount(self, end: float, measure: Measure) -> str:
        size = abs(end) * (100.0 if measure.change == "ratio" else self.baseline_value or 0.0)
        return f"{fixed(size, 1 if size < 10 else 0)}{THIN}{measure.change_unit}"


def outlook_of(
    baseline: Sequence[float], values: Sequence[float], found: Change, level: float, margin: float
) -> Outlook | None:
    """The outlook of runs like these; None if neither side varies, or if no change of a realistic size could be
    found."""
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
