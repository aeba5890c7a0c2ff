"""Sizing: what N desktops need in disks, enclosures, hosts, ports and cache, from measured values.

The formulas are in `steps`, the constants in `resources/sizing.toml`. A user's value replaces a measured value, and a
measured value replaces the constant. A constant used instead of a measurement is labelled assumed. If an input is not
available, its steps are not available, never 0.

Every step has an interval between the runs. Each run is planned alone, so each step has one result per run. From three
runs on, it is value ± t(0.975, n - 1) x s / sqrt(n) around the value of the plan; for two runs, their range at an equal
distance (see `measures.configurations`). After the number of VMs, results of a single run are not rounded, so a
hundredth of a disk does not cause a jump; the ends are rounded like the step. If whole items are compared or added, the
ends are those of the compared or added items. Values measured in one run stay together, so the reads and the IOPS of a
run are in one plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.answers.sizing.constants import Constant, Origin, Own, SizingError, Value, constants
from workbench.answers.sizing.measured import MeasuredInput, measured
from workbench.answers.sizing.steps import DEMAND, RULES, Rounding, SizingRule, at_percentile, rounded, value_of
from workbench.measures.catalogue import MEASURES
from workbench.measures.comparability import why_apart
from workbench.measures.configurations import Group, Mean, baseline_of, mean_of
from workbench.measures.formulas import arguments, evaluate, keys, written
from workbench.measures.significance.missing_data_check import several_runs, too_little
from workbench.measures.statistics import INTERVAL_RUNS
from workbench.model.phase import STEADY
from workbench.model.problem import few_named
from workbench.model.run import CACHED, SessionType
from workbench.words.captions import named
from workbench.words.metrics import phase_words

# The input that is excluded from the plan together with its storm.
_MOST_APART = 3
# The most configurations that a remark names.
_MOST_NAMED = 3
_STORMS = {"boot": "boot_io_per_vm", "logon": "logon_io_per_vm"}


@dataclass(frozen=True, slots=True)
class Given:
    """An input of the plan: its value (None: not available), and its origin as text; `shared` is this text without the
    configuration and the number of runs. `figure` is the phase and the value of the phase table whose mean over the
    runs was measured, `between` its interval between the runs."""

    constant: Constant
    value: Value | None
    origin: Origin
    source: str
    shared: str = ""
    figure: tuple[str, str] | None = None
    between: Mean | None = None

    @property
    def number(self) -> float | None:
        """The value if it is a number, otherwise None."""
        return None if isinstance(self.value, str) else self.value

    def at_percentile(self, percentile: float) -> Given:
        """The input with the label for this percentile."""
        label = at_percentile(self.constant.label, percentile)
        return replace(self, constant=replace(self.constant, label=label))

    @property
    def named(self) -> str:
        """The label with the origin, such as `boot window (assumed)`."""
        return f"{self.constant.label} ({'no value' if self.value is None else self.origin})"


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One line of the plan. `value` is not rounded, `rounded` is (None: this step is not rounded).

    `formula` contains `{name}` for inputs and earlier steps; `words` and `numbers` are the readable forms.
    `bottleneck`: of the compared items, this one decides. `assumed` names the inputs behind the step that are neither
    measured nor documented, `missing` those that are not available. `between` is the interval of the result between the
    runs, None for fewer than two; `by_run` is each run's own result, not rounded.
    """

    key: str
    group: str
    label: str
    formula: str
    words: str
    numbers: str
    value: float | None
    rounded: float | None
    rounding: Rounding
    unit: str
    inputs: tuple[str, ...]
    sources: tuple[str, ...]
    bottleneck: bool = False
    bound: str = ""
    note: str = ""
    assumed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    between: Mean | None = None
    by_run: tuple[float, ...] = ()

    @property
    def result(self) -> float | None:
        """The value that later steps use: rounded if the step is rounded."""
        return self.value if self.rounding == "" else self.rounded


@dataclass(frozen=True, eq=False)
class Plan:
    """The capacity plan of one configuration. `problem` is the reason why no plan is possible: the steps contain the
    calculation up to the problem, and no result is valid. `apart`: the configuration cannot be compared with the
    baseline, and the steps have no values."""

    configuration: str | None
    phase: str
    givens: Mapping[str, Given]
    steps: tuple[PlanStep, ...]
    remarks: tuple[str, ...] = ()
    problem: str = ""
    apart: bool = False

    def step(self, key: str) -> PlanStep:
        """The step of that key."""
        return next(step for step in self.steps if step.key == key)

    def result(self, key: str) -> float | None:
        """The result of a step, None if it is not available or no plan is possible."""
        return None if self.problem else self.step(key).result

    def decider(self, key: str) -> PlanStep | None:
        """The step with the deciding value of a `max` step; None if no value is available or no plan is possible."""
        if self.problem:
            return None
        names = arguments(self.step(key).formula)
        return next((step for step in self.steps if step.key in names and step.bottleneck), None)


def plan(group: Group | None, own: Mapping[str, Own], phase: str = STEADY, summed: bool = True) -> Plan:
    """The capacity plan for `own["desktops"]` desktops (otherwise the table's number) of one configuration.

    `group` None: nothing was measured; only constants and the user's values. `summed` False leaves out the load of all
    VMs together, which reads every sample, except if the user plans with it. Raises `SizingError` if the values
    contradict each other.
    """
    givens = given(group, own, phase, summed)
    ram, reserve = givens["host_ram_gib"].number, givens["host_reserve_gib"].number
    if ram is not None and reserve is not None and reserve >= ram:
        raise SizingError(
            f"The host reserve of {reserve:g} GB leaves no RAM for VMs on a host with {ram:g} GB. "
            "Lower host_reserve_gib or raise host_ram_gib."
        )
    steps = _steps(givens, _runs_apart(group, own, phase, givens, summed))
    problem, remarks = _problem(group, givens, steps), _remarks(group, phase, givens)
    return Plan(
        group.label if group else None, phase, givens, steps, (problem, *remarks) if problem else remarks, problem
    )


def plans(
    groups: Sequence[Group], own: Mapping[str, Own], phase: str = STEADY, summed: bool = True
) -> tuple[Plan, ...]:
    """The plan of every configuration of one study with runs. A configuration that cannot be compared with the baseline
    gets no plan."""
    used = [group for group in groups if group.runs]
    base = baseline_of(used)
    # Without a baseline, a configuration is planned alone.
    shown = base if base is not None and base.label in {group.label for group in used} else None
    return tuple(_beside(shown, group, plan(group, own, phase, summed)) for group in used)


def _beside(base: Group | None, group: Group, plan: Plan) -> Plan:
    """The plan; without steps and with the reason if the configuration cannot be compared with the baseline."""
    reason = None if base is None or base.label == group.label else why_apart(base, group)
    if reason is None:
        return plan
    problem = (
        f"{named(group.label)}: the plan is not compared with '{reason.baseline}'. {reason.text} {reason.next_step}"
    )
    blank = tuple(
        replace(step, value=None, rounded=None, numbers="", between=None, by_run=(), bottleneck=False)
        for step in plan.steps
    )
    return replace(plan, steps=blank, remarks=(problem,), problem=problem, apart=True)


def remarks_of(plans: Sequence[Plan]) -> tuple[str, ...]:
    """The problems and remarks of several plans. A remark about several configurations is one text with their
    names.
    """
    users: dict[str, list[str]] = {}
    for plan in plans:
        name = named(plan.configuration or "")
        for one in plan.remarks:
            if one != plan.problem:
                names = users.setdefault(one.removeprefix(name), [])
                names += [name] if one.startswith(name) else []
    return (*problems_of(plans), *(_remark(names, rest) for rest, names in users.items()))


def _remark(names: Sequence[str], rest: str) -> str:
    """A remark about these configurations."""
    several = len(names) > 1 and rest.startswith(" has ")
    return f"{few_named(names, _MOST_NAMED)}{rest.replace(' has ', ' have ', 1) if several else rest}"


def problems_of(plans: Sequence[Plan]) -> tuple[str, ...]:
    """The problems of several plans, each once. Many configurations that cannot be compared have one problem."""
    many = (apart := sum(plan.apart for plan in plans)) > _MOST_APART
    own = dict.fromkeys(plan.problem for plan in plans if plan.problem and not (many and plan.apart))
    words = f"{apart} configurations have no plan, because they cannot be compared with the baseline."
    return (*own, *((f"{words} The Compare page shows the reasons.",) if many else ()))


def drive_equivalents(iops: float, iops_per_drive: float = 180.0) -> float:
    """The number of drives that deliver the IOPS, not rounded. Source of 180: EMC's estimate for 15k rpm SAS drives.

    Raises `SizingError` for a drive without IOPS.
    """
    if iops_per_drive <= 0:
        raise SizingError("The IOPS of one drive must be above 0.")
    return iops / iops_per_drive


def given(group: Group | None, own: Mapping[str, Own], phase: str, summed: bool = True) -> dict[str, Given]:
    """Every input of the plan by name, in the order of the table."""
    table = constants()
    rds = group is not None and group.session_type is SessionType.RDS
    givens = {name: _stated(one.rds if rds and one.rds else one, own.get(name)) for name, one in table.items()}
    figure, share = givens["iops_figure"].value, givens["iops_percentile"].number
    assert isinstance(figure, str)
    assert share is not None
    givens = {name: one.at_percentile(share) for name, one in givens.items()}
    if group is not None:
        seen = measured(group, phase, figure, share, summed)
        givens |= {
            name: _from(givens[name], seen.get(name), group)
            for name, one in table.items()
            if one.measured and name not in own
        }
    for name, constant in table.items():
        if constant.taken_from and name not in own:
            givens[name] = _looked_up(constant, givens[constant.taken_from])
    return _without_storms(givens)


def _stated(constant: Constant, own: Own | None) -> Given:
    if own is not None:
        return Given(constant, own.value, "yours", own.source)
    # A constant used instead of a measurement is an assumption about this study, even if it is documented.
    origin: Origin = "assumed" if constant.measured else constant.origin
    return Given(constant, constant.value, origin, constant.source)


def _from(stated: Given, seen: MeasuredInput | None, group: Group) -> Given:
    constant = stated.constant
    if seen is not None:
        return Given(constant, seen.value, "measured", seen.source, seen.shared, seen.figure, seen.between)
    if constant.name == "desktops_per_vm":
        return Given(constant, None, "assumed", "unknown, so set users and vms in run.toml")
    if constant.name == "cache_ram_mb":
        if _has_ram_cache(group):
            return Given(constant, None, "assumed", "size unknown, because run.toml does not state ram_cache_mb")
        return Given(constant, 0.0, "documented", f"no RAM cache with {named(group.label)}", "no RAM cache")
    return stated if constant.value is not None else replace(stated, source="not measured, so enter a value")


def _has_ram_cache(group: Group) -> bool:
    """True if the configuration has a RAM cache: by its provisioning, or because a counter shows one."""
    rows = (row for run in group.runs for row in run.phases)
    return group.configuration.provisioning in CACHED or any(row.cache_ram_used_mb_peak is not None for row in rows)


def _looked_up(constant: Constant, chosen: Given) -> Given:
    row = next(choice for choice in chosen.constant.choices if choice.name == chosen.value)
    return Given(constant, row.values.get(constant.name), row.origin, f"{row.name}, {row.source}")


def _without_storms(found: dict[str, Given]) -> dict[str, Given]:
    counted = str(found["storms"].value)
    for storm, name in _STORMS.items():
        if storm not in counted:
            excluded = f"the {storm} storm is excluded, as chosen"
            found[name] = replace(found[name], value=None, source=excluded, shared=excluded, between=None)
    return found


def _steps(givens: Mapping[str, Given], runs: Sequence[Numbers]) -> tuple[PlanStep, ...]:
    rules = _rules_of(givens)
    values = {name: one.number for name, one in givens.items()}
    labels = {name: one.constant.label for name, one in givens.items()} | {rule.key: rule.label for rule in rules}
    done: dict[str, PlanStep] = {}
    for rule in rules:
        step = _step(rule, values, labels, givens, done)
        done[rule.key] = step
        values[rule.key] = step.result
        _mark_decider(rule, done)
    alone = [unrounded(rules, inputs) for inputs in runs]
    between = intervals(rules, values, {key: step.value for key, step in done.items()}, alone)
    by_run = {key: tuple(value for run in alone if (value := run[key]) is not None) for key in done}
    return tuple(replace(step, between=between.get(key), by_run=by_run[key]) for key, step in done.items())


def _rules_of(givens: Mapping[str, Given]) -> tuple[SizingRule, ...]:
    """The rules of a plan with these inputs. The user can choose the IOPS of the summed load as IOPS at work."""
    for_users = givens["desktops"].constant == constants()["desktops"].rds
    rules = tuple(rule.for_users() for rule in RULES) if for_users else RULES
    share = givens["iops_percentile"].number
    assert share is not None
    rules = tuple(replace(rule, label=at_percentile(rule.label, share)) for rule in rules)
    if givens["iops_figure"].value != "summed" or givens["iops_per_vm"].origin == "yours":
        return rules
    return tuple(replace(rule, formula="{iops_summed}") if rule.key == "iops_steady" else rule for rule in rules)


def _runs_apart(
    group: Group | None, own: Mapping[str, Own], phase: str, givens: Mapping[str, Given], summed: bool
) -> list[Numbers]:
    """The inputs of each run alone. A run without an input that others measured is left out."""
    if group is None or len(group.runs) < 2:
        return []
    wanted = {name for name, one in givens.items() if one.origin == "measured" and one.value is not None}
    alone = (given(replace(group, runs=(run,)), own, phase, summed) for run in group.runs)
    return [
        {name: seen.number for name, seen in one.items()}
        for one in alone
        if all(one[name].origin == "measured" and one[name].value is not None for name in wanted)
    ]


def _step(
    rule: SizingRule,
    values: Mapping[str, float | None],
    labels: Mapping[str, str],
    givens: Mapping[str, Given],
    done: Mapping[str, PlanStep],
) -> PlanStep:
    names = keys(rule.formula)
    value, known = value_of(rule, values), any(values[name] is not None for name in names)
    stated = [givens[name] for name in names if name in givens]
    return PlanStep(
        rule.key,
        rule.group,
        rule.label,
        rule.formula,
        written(rule.formula, labels),
        written(rule.formula, {name: plain(values[name]) for name in names}) if known else "",
        value,
        rounded(value, rule.rounding) if rule.rounding else None,
        rule.rounding,
        rule.unit,
        names,
        tuple(f"{one.named}: {one.source}" for one in stated),
        bound=rule.bound,
        note=rule.note,
        assumed=_behind(names, done, tuple(one.constant.name for one in stated if one.origin == "assumed"), "assumed"),
        missing=()
        if value is not None
        else _behind(names, done, tuple(one.constant.name for one in stated if one.value is None), "missing"),
    )


def _behind(names: Sequence[str], done: Mapping[str, PlanStep], own: tuple[str, ...], what: str) -> tuple[str, ...]:
    """The inputs behind a step: its own, and those behind the steps it uses. Missing ones add none."""
    used = [done[name] for name in names if name in done]
    if what == "assumed":
        used = [step for step in used if step.result is not None]
    return tuple(dict.fromkeys([*own, *(name for step in used for name in getattr(step, what))]))


def _mark_decider(rule: SizingRule, done: dict[str, PlanStep]) -> None:
    """Marks, for the steps compared by a `max`, the one with the largest unrounded value as the deciding one."""
    known = [(step.value, name) for name in arguments(rule.formula) if (step := done[name]).value is not None]
    if known and done[rule.key].value is not None:
        name = max(known, key=lambda one: one[0] or 0.0)[1]
        done[name] = replace(done[name], bottleneck=True)


def plain(value: float | None) -> str:
    """A number in a formula: up to seven digits, no exponent, or — if not available."""
    if value is None:
        return "—"
    text = f"{value:.7g}"
    return text if "e" not in text else f"{value:.10f}".rstrip("0").rstrip(".")


def _problem(group: Group | None, givens: Mapping[str, Given], steps: Sequence[PlanStep]) -> str:
    """The reason why no VM fits on a host, as text; empty if one fits."""
    number = {name: plain(one.number) for name, one in givens.items()}
    results = {step.key: step.result for step in steps}
    reasons = []
    if results["vms_per_host"] == 0:
        reasons.append(
            f"a VM with its RAM cache needs {plain(results['ram_per_vm'])} GB of RAM, and a host with "
            f"{number['host_ram_gib']} GB reserves {number['host_reserve_gib']} GB. "
            "Raise the RAM per host, or lower the RAM per VM or its RAM cache."
        )
    if results["vms_per_host_by_vcpu"] == 0:
        reasons.append(
            f"a VM has {number['vm_vcpus']} vCPUs, and a host has {number['host_cores']} cores with at most "
            f"{number['vcpus_per_core']} vCPUs each. "
            "Raise the cores per host or the vCPUs per core, or lower the vCPUs per VM."
        )
    who = f"{named(group.label)}: " if group else ""
    return " ".join(f"{who}no plan is possible, because no VM fits on a host: {reason}" for reason in reasons)


def _remarks(group: Group | None, phase: str, givens: Mapping[str, Given]) -> tuple[str, ...]:
    names: list[str] = []
    if group is not None and givens["iops_per_vm"].value is None:
        names.append(
            f"{named(group.label)} has no IOPS data for {phase_words(phase)}. Steps that need IOPS are not available. "
            "Choose another phase, or enter the IOPS per VM."
        )
    if group is not None and group.lower_bound(phase):
        names.append(
            f"{named(group.label)}: part of {phase_words(phase)} has no samples. Mean IOPS and I/O are lower bounds."
        )
    if group is not None and (short := too_little(group, group, phase, MEASURES["p95_iops_per_vm"])):
        lacks = short.partition(": ")[2]
        again = "these runs" if several_runs(lacks) else "this run"
        names.append(
            f"The plan for {named(group.label)} may be too small: {lacks} ({phase_words(phase)}). Repeat {again}."
        )
    if givens["desktops_per_vm"].value is None:
        names.append("The number of users per session host is unknown. Set users and vms in run.toml, or enter it.")
    if group is not None and givens["cache_ram_mb"].value is None:
        names.append(
            f"{named(group.label)}: the RAM cache size is unknown, so the RAM and hosts are unknown. "
            "Set ram_cache_mb in run.toml, or enter the RAM cache per VM."
        )
    return tuple(names)


_WHOLE = frozenset(("disks", "hosts", "ports"))
Numbers = Mapping[str, float | None]


def intervals(rules: Sequence[SizingRule], plan: Numbers, exact: Numbers, alone: Sequence[Numbers]) -> dict[str, Mean]:
    """The interval of each step by its key. `plan` are the inputs and results of the plan, `exact` the results before
    rounding, `alone` those of each run (`unrounded`). Empty for fewer than two runs."""
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
    """The interval of the values moved to `centre`, never below 0; None if one of the values is not available."""
    known = [value for value in values if value is not None]
    if centre is not None and len(known) == len(values) and len(set(known)) == 1:
        return Mean(centre, centre, centre, "interval" if len(known) >= INTERVAL_RUNS else "range", len(known))
    spread = mean_of(known)
    if centre is None or spread is None or spread.low is None or spread.high is None or len(known) < len(values):
        return None
    low, high = (max(0.0, centre + end - spread.value) for end in (spread.low, spread.high))
    return replace(spread, value=centre, low=low, high=high)


def _carried(rule: SizingRule, plan: Numbers, ends: Mapping[str, Mean], upper: bool) -> float | None:
    """The formula, computed with the lower or the upper ends of the steps it uses."""
    at_end = {
        name: plan[name] if name not in ends else ends[name].high if upper else ends[name].low
        for name in keys(rule.formula)
    }
    return evaluate(rule.formula, at_end)


def unrounded(rules: Sequence[SizingRule], inputs: Numbers) -> dict[str, float | None]:
    """The results of each step from the inputs of one run, not rounded after the number of VMs."""
    values = dict(inputs)
    for rule in rules:
        value = value_of(rule, values)
        values[rule.key] = rounded(value, rule.rounding) if rule.group == DEMAND else value
    return values
