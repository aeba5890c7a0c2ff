"""The interval of every step between the runs: each run is planned on its own, and the results are one number per run.

From three runs value ± t(0.975, n - 1) x s / sqrt(n) around the value of the plan, of two runs their range, as far off
(see `measures.replicates`). Behind the number of VMs results of a single run are not rounded, so that a hundredth of
a disk is no jump; the ends are rounded as the step is. Where whole things are compared or added up, the ends are those
of what is compared or added. The figures that one run measured stay together: its reads and its IOPS make one plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.answers.sizing.steps import DEMAND, Rule, rounded
from workbench.measures.formulas import evaluate, keys
from workbench.measures.replicates import Mean, mean_of
from workbench.measures.statistics import INTERVAL_RUNS

_WHOLE = frozenset(("disks", "hosts", "ports"))
Numbers = Mapping[str, float | None]


def intervals(rules: Sequence[Rule], plan: Numbers, exact: Numbers, alone: Sequence[Numbers]) -> dict[str, Mean]:
    """The interval of each step by its key. `plan` are the inputs and results of the plan, `exact` the results before
    rounding, `alone` those of each run (`unrounded`); empty with fewer than two runs."""
    if len(alone) < 2:
        return {}
    ends: dict[str, Mean] = {}
    for rule in rules:
        spread = _around(exact[rule.key], [run[rule.key] for run in alone])
        value = plan[rule.key]
        if spread is None or value is None:
            continue
        low, high = spread.low, spread.high
        if rule.unit in _WHOLE and not rule.rounding:
            low, high = (_carried(rule, plan, ends, upper) for upper in (False, True))
        ends[rule.key] = replace(
            spread, value=value, low=rounded(low, rule.rounding), high=rounded(high, rule.rounding)
        )
    return ends


def _around(centre: float | None, values: Sequence[float | None]) -> Mean | None:
    """The interval of the values moved to `centre`, never below 0; None where one of them is not available."""
    known = [value for value in values if value is not None]
    if centre is not None and len(known) == len(values) and len(set(known)) == 1:
        return Mean(centre, centre, centre, "interval" if len(known) >= INTERVAL_RUNS else "range", len(known))
    spread = mean_of(known)
    if centre is None or spread is None or spread.low is None or spread.high is None or len(known) < len(values):
        return None
    low, high = (max(0.0, centre + end - spread.value) for end in (spread.low, spread.high))
    return replace(spread, value=centre, low=low, high=high)


def _carried(rule: Rule, plan: Numbers, ends: Mapping[str, Mean], upper: bool) -> float | None:
    """The formula with the lower or the upper ends of the steps it takes."""
    at_end = {
        name: plan[name] if name not in ends else ends[name].high if upper else ends[name].low
        for name in keys(rule.formula)
    }
    return evaluate(rule.formula, at_end)


def unrounded(rules: Sequence[Rule], inputs: Numbers) -> dict[str, float | None]:
    """The results of each step from the inputs of one run, not rounded behind the number of VMs."""
    values = dict(inputs)
    for rule in rules:
        value = evaluate(rule.formula, values)
        values[rule.key] = rounded(value, rule.rounding) if rule.group == DEMAND else value
    return values
