"""Compare: every configuration against a baseline, phase by phase and metric by metric.

One figure per run and phase (a field of `PhaseFigures`, or the phase's duration); the figures of the runs are
compared after the rules of `statistics`. p-values are adjusted after Holm over the metrics of one configuration in
one phase, for that is the row that is read together. Relative differences are against the baseline; the absolute
difference (mean less mean, in the metric's unit) stands beside every one of them, as a percentage over a small base
misleads. Fewer I/Os, less latency, CPU, cache disk and time are better; the share of reads and the RAM a cache uses
have no better direction and are called higher or lower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.measures.comparable import copy_problems, name_problems, set_up_problems
from workbench.measures.compared import figure_values, measures_of
from workbench.measures.configurations import Group, baseline_of, phase_names
from workbench.measures.measure import Measure
from workbench.measures.statistics import MARGIN, Change, Judgement, Verdict, change, holm, judge, permutation_p
from workbench.model.problem import Problem, Severity


@dataclass(frozen=True, eq=False)
class Difference:
    """One metric of one configuration in one phase against the baseline.

    `values` and `baseline_values` are (run, figure); `value`, `baseline_value` and `difference` are means over
    runs in the measure's unit. `change` is None where a ratio has no meaning (a baseline of 0), and everything
    is where a side lacks the figure; `p_holm` is adjusted over the metrics of this configuration and phase.
    """

    configuration: str
    phase: str
    measure: Measure
    values: tuple[tuple[str, float], ...]
    baseline_values: tuple[tuple[str, float], ...]
    change: Change | None
    p_holm: float | None = None
    p_permutation: float | None = None
    judgement: Judgement | None = None

    @property
    def value(self) -> float | None:
        """Mean over the runs, None when none has the figure."""
        return _mean(self.values)

    @property
    def baseline_value(self) -> float | None:
        """Mean over the baseline's runs."""
        return _mean(self.baseline_values)

    @property
    def difference(self) -> float | None:
        """Mean less the baseline's mean."""
        ours, base = self.value, self.baseline_value
        return None if ours is None or base is None else ours - base

    @property
    def verdict(self) -> Verdict | None:
        """None when there is nothing to compare."""
        return None if self.judgement is None else self.judgement.verdict


@dataclass(frozen=True, slots=True)
class Excluded:
    """A run that was kept out of every figure, and why."""

    configuration: str
    run: str
    reason: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every configuration against `baseline` (None: no run counts), what makes them hard to compare, and which
    runs were left out. `margin` is a share: 0.05 for 5 %."""

    baseline: Group | None
    margin: float
    differences: tuple[Difference, ...]
    problems: tuple[Problem, ...]
    excluded: tuple[Excluded, ...]

    def of(self, configuration: str, phase: str, figure: str) -> Difference | None:
        """The difference of one figure, None when it was not compared."""
        key = configuration, phase, figure
        generator = (d for d in self.differences if (d.configuration, d.phase, d.measure.key) == key)
        return next(generator, None)


class UnknownBaselineError(LookupError):
    """The sentence for the user: no such configuration, and which there are."""


def compare(
    groups: Sequence[Group], baseline: str | None = None, margin: float = MARGIN, phases: Sequence[str] = ()
) -> Comparison:
    """Compares every group with the one called `baseline` (None: the study's own), in the phases named (none: all).

    Raises UnknownBaselineError when no group with runs has that name.
    """
    excluded = tuple(
        Excluded(group.label, run.run.name, run.run.excluded or "excluded by hand")
        for group in groups
        for run in group.excluded
    )
    base = baseline_of(groups) if baseline is None else find_baseline(groups, baseline)
    if base is None:
        return Comparison(None, margin, (), (), excluded)
    others = [group for group in groups if group.runs and group is not base]
    differences: list[Difference] = []
    for group in others:
        for phase in phase_names([base, group]):
            if not phases or phase in phases:
                differences += _phase_differences(base, group, phase, margin)
    problems = [problem for group in others for problem in set_up_problems(base, group)]
    problems = [*copy_problems(base), *problems] if others else problems
    problems = [*name_problems(groups), *problems]
    if baseline is None:
        problems = [*_lost_baseline(groups, base), *problems]
    return Comparison(base, margin, tuple(differences), tuple(problems), excluded)


def _lost_baseline(groups: Sequence[Group], base: Group) -> list[Problem]:
    """The warning that the study's own baseline cannot serve, because every run of it is excluded."""
    lost = [group for group in groups if not group.runs and any(run.run.baseline for run in group.excluded)]
    if base.baseline or not lost:
        return []
    message = f"Every run of the study's baseline is excluded: {_names(lost)}."
    return [Problem(Severity.WARNING, base.label, "compare-baseline", message, f"compared with {base.label} instead")]


def find_baseline(groups: Sequence[Group], name: str) -> Group:
    """The group of that label or configuration name, in any case of letters. Raises UnknownBaselineError."""
    usable = [group for group in groups if group.runs]
    wanted = name.strip().casefold()
    found = [group for group in usable if group.label.casefold() == wanted]
    found = found or [group for group in usable if group.configuration.name.casefold() == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownBaselineError(f"'{name}' is more than one configuration: {_names(found)}. Name one of them.")
    if any(wanted in (group.label.casefold(), group.configuration.name.casefold()) for group in groups):
        raise UnknownBaselineError(f"Every run of '{name}' is excluded. Configurations with runs: {_names(usable)}.")
    raise UnknownBaselineError(f"No configuration is called '{name}'. There are: {_names(usable)}.")


def _phase_differences(base: Group, group: Group, phase: str, margin: float) -> list[Difference]:
    """The metrics that either side has, judged together: Holm counts all that have a p-value. None where one
    side lacks the phase, which is a problem of its own."""
    if not base.phase(phase) or not group.phase(phase):
        return []
    drafts = [_draft(base, group, phase, measure) for measure in measures_of(group, phase)]
    drafts = [draft for draft in drafts if draft.values or draft.baseline_values]
    adjusted = holm([None if draft.change is None else draft.change.p for draft in drafts])
    return [_judged(draft, p, margin) for draft, p in zip(drafts, adjusted, strict=True)]


def _draft(base: Group, group: Group, phase: str, measure: Measure) -> Difference:
    ours, theirs = (figure_values(side, phase, measure.key) for side in (group, base))
    found = change([value for _, value in theirs], [value for _, value in ours])
    return Difference(group.label, phase, measure, ours, theirs, found)


def _judged(draft: Difference, p_holm: float | None, margin: float) -> Difference:
    if draft.change is None:
        return draft
    permutation = permutation_p([value for _, value in draft.baseline_values], [value for _, value in draft.values])
    judgement = judge(draft.change, p_holm, permutation, better=draft.measure.better, margin=margin)
    return Difference(
        draft.configuration,
        draft.phase,
        draft.measure,
        draft.values,
        draft.baseline_values,
        draft.change,
        p_holm,
        permutation,
        judgement,
    )


def _mean(values: Sequence[tuple[str, float]]) -> float | None:
    return sum(value for _, value in values) / len(values) if values else None


def _names(groups: Sequence[Group]) -> str:
    return ", ".join(f"'{group.label}'" for group in groups) or "none with runs that count"
