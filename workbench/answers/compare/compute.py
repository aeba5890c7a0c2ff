"""Compare: every configuration with a baseline, phase by phase and metric by metric.

There is one figure per run and phase (a field of `PhaseFigures`, or the phase's duration). The figures of the runs are
compared by the rules of `measures.significance`, which judges the study as a whole: hidden configurations and other
phases still count in the correction for multiple tests. Next to each relative difference is the absolute one in the
metric's unit, because a percentage of a small base misleads. Fewer I/Os, less latency, CPU, cache disk and time are
better. The share of reads and the RAM of a cache have no better direction and are called higher or lower.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import get_args

from workbench.answers.common.baselines import lost_words
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.measures.comparability import Reason, why_apart
from workbench.measures.comparable import (
    copy_problems,
    missing_vm_problems,
    name_problems,
    primary_problems,
    set_up_problems,
    split_problems,
    twin_problems,
)
from workbench.measures.configurations import Group, baseline_of, lost_baselines
from workbench.measures.significance.differences import Difference, differences, primary_measures, stated_primary
from workbench.measures.significance.run_order import (
    Drift,
    Order,
    drift_problems,
    drifts,
    order_of,
    order_problem,
    outlying_problems,
)
from workbench.measures.statistics import MARGIN
from workbench.model.problem import Problem, Severity
from workbench.words.captions import few, named


@dataclass(frozen=True, slots=True)
class Excluded:
    """A run that was excluded from every figure, and the reason."""

    configuration: str
    run: str
    reason: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """The comparison of every configuration with `baseline` (None: no run counts).

    It also contains the reasons against a comparison and the excluded runs. `margin` is a share: 0.05 for 5 %.
    `primary` are the keys of the primary measures by phase, and `primary_by` says who named them. `orders` are the
    orders of the runs of each configuration and those of the baseline. `apart` are the reasons why configurations
    cannot be compared with the baseline: their differences have no verdict.
    """

    baseline: Group | None
    margin: float
    differences: tuple[Difference, ...]
    problems: tuple[Problem, ...]
    excluded: tuple[Excluded, ...]
    primary: tuple[tuple[str, tuple[str, ...]], ...] = ()
    drifts: tuple[Drift, ...] = ()
    primary_by: tuple[tuple[str, str], ...] = ()
    orders: tuple[tuple[str, Order], ...] = ()
    apart: tuple[Reason, ...] = ()

    @cached_property
    def phases(self) -> frozenset[str]:
        """The phases that are compared."""
        return frozenset(difference.phase for difference in self.differences)

    def problems_of(self, configuration: str) -> tuple[Problem, ...]:
        """The problems that make one configuration hard to compare."""
        return self._by_configuration.get(configuration, ())

    @cached_property
    def _by_configuration(self) -> dict[str, tuple[Problem, ...]]:
        # Once for all configurations, because searching the problems for each of them takes quadratic time.
        found: dict[str, list[Problem]] = {}
        for problem in self.problems:
            found.setdefault(problem.file, []).append(problem)
        return {configuration: tuple(problems) for configuration, problems in found.items()}

    def drift_of(self, difference: Difference) -> Drift | None:
        """The drift over the order of the runs that could explain half of a change, or None.

        A drift of another measure or phase counts too, because it affects the same runs.
        """
        base, change = self.baseline, difference.change
        if base is None or change is None:
            return None
        key, between = (
            (difference.phase, difference.judged_as or difference.measure.key),
            (difference.configuration, base.label, change.ratio),
        )
        explaining = (d for d in self.drifts if d.explains(*between, of_it=(d.phase, d.key) == key))
        return next(explaining, None)

    def order_of(self, configuration: str) -> Order | None:
        """The order of the runs of a configuration and those of the baseline; None if it is not compared."""
        return dict(self.orders).get(configuration)

    def order_of_all(self, configurations: Iterable[str]) -> Order | None:
        """The worst order of all configurations: unknown, then blocked, then interleaved."""
        orders = {self.order_of(configuration) for configuration in configurations}
        return next((order for order in get_args(Order)[::-1] if order in orders), None)

    def confounded(self, difference: Difference) -> bool:
        """True if the order of the runs could explain the change. The change is then indicative at most."""
        return self.order_of(difference.configuration) != "interleaved" or self.drift_of(difference) is not None

    def of(self, configuration: str, phase: str, figure: str) -> Difference | None:
        """The difference of one figure, or None if it was not compared."""
        return self._by_figure.get((configuration, phase, figure))

    @cached_property
    def _by_figure(self) -> dict[tuple[str, str, str], Difference]:
        """The differences by configuration, phase and figure, because tables look them up hundreds of times."""
        # The first of two equal ones counts.
        return {(row.configuration, row.phase, row.measure.key): row for row in reversed(self.differences)}


def compare(
    groups: Sequence[Group], margin: float = MARGIN, phases: Sequence[str] = (), hidden: Sequence[Group] = ()
) -> Comparison:
    """Compare every group with the baseline of its study, in the named phases (none: all).

    Groups in `hidden` are part of the statistics but not of the result.
    """
    excluded = tuple(
        Excluded(group.label, run.run.name, run.run.excluded or "excluded by you")
        for group in groups
        for run in group.excluded
    )
    base = baseline_of(groups)
    if base is None:
        return Comparison(None, margin, (), (), excluded)
    others = [group for group in groups if group.runs and group is not base]
    unseen = [group for group in hidden if group.runs and group.label not in {base.label, *(g.label for g in others)}]
    labels = {group.label for group in others}
    apart = tuple(reason for group in others if (reason := why_apart(base, group)) is not None)
    why = {reason.configuration: reason.text for reason in apart}
    shown = tuple(
        difference.without_change(why[difference.configuration]) if difference.configuration in why else difference
        for difference in differences(base, (*others, *unseen), margin)
        if difference.configuration in labels and (not phases or difference.phase in phases)
    )
    problems = [problem for group in others for problem in set_up_problems(base, group)]
    problems = [*copy_problems(base), *missing_vm_problems(base), *problems] if others else problems
    primary, every = primary_measures(base), [base, *others, *unseen]
    drifting = drifts(every, primary) if others else ()
    problems += [*drift_problems(drifting, base), *(outlying_problems(every, primary) if others else ())]
    in_order = (order_problem(base, group) for group in others)
    problems = [*(problem for problem in in_order if problem is not None), *problems]
    problems = [*primary_problems(base), *twin_problems([base, *others]), *problems]
    problems = [*map(_apart_problem, apart), *problems]
    problems = [*name_problems(groups), *split_problems(groups), *problems]
    problems = [*_running_problems([base, *others]), *problems]
    problems = [*_lost_baseline([*groups, *hidden], base), *problems]
    named_by = tuple((phase, source) for phase, (_, source) in stated_primary(base).items())
    orders = tuple((group.label, order_of(base, group)[0]) for group in others)
    return Comparison(
        base, margin, shown, tuple(problems), excluded, tuple(primary.items()), drifting, named_by, orders, apart
    )


def _apart_problem(reason: Reason) -> Problem:
    action = f"no change or verdict shown. {reason.next_step}"
    text = reason.text.replace(f"'{reason.configuration}' has no phases.", "This configuration has no phases.")
    return Problem(Severity.WARNING, reason.configuration, "not-comparable", text, action)


def _lost_baseline(groups: Sequence[Group], base: Group) -> list[Problem]:
    """The warning that the chosen or stated baseline cannot be used because all of its runs are excluded."""
    action = f"compared with {named(base.label)} instead; include a run, or choose another baseline"
    return [
        Problem(Severity.WARNING, base.label, "compare-baseline", message, action)
        for message in lost_words(lost_baselines(groups))
    ]


def _running_problems(groups: Sequence[Group]) -> list[Problem]:
    """A warning for each configuration with a run whose test has not ended."""
    problems = []
    for group in groups:
        names = [run.run.name for run in group.runs if run.run.running]
        if names:
            message = f"{few(names)} {'are' if len(names) > 1 else 'is'} still running: values are not final."
            action = "no verdict shown; open the study again after the test"
            problems.append(Problem(Severity.WARNING, group.label, "compare-running", message, action))
    return problems


def margin_of(choices: Choices) -> float:
    """The chosen margin as a share."""
    return choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100


def comparisons(library: Library, choices: Choices) -> dict[str, Comparison]:
    """The comparison of each study with the chosen baseline and margin, by folder."""
    by_folder = {
        study.folder: compare(library.groups(replace(choices, study=study.folder)), margin_of(choices))
        for study in library.with_runs
    }
    return {folder: comparison for folder, comparison in by_folder.items() if comparison.baseline is not None}
