"""The runs of the test: their number, their order, and each with its folder and its run.toml."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.answers.compare.plan import beyond_words, plan_words
from workbench.csv_files import csv_text
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.significance.run_plan import LEAST_RUNS, MOST_ROUNDS, RunPlan, interleaved, run_plan
from workbench.model.run import BaselineEvidence, Configuration, Provisioning, SessionType
from workbench.study.discovery.infer import infer
from workbench.study.discovery.manifest import Manifest
from workbench.words.numbers import plural

_UNNAMED = ("Configuration A", "Configuration B")
_UNFIT = re.compile(r"[^\w.+-]+")
MOST_RUNS = MOST_ROUNDS
PLANNED = "planned-runs"


@dataclass(frozen=True, slots=True)
class Tested:
    """A configuration to test. Its `name` is unique here; `vms` and `session_type` if they are known."""

    name: str
    configuration: Configuration
    vms: int | None = None
    session_type: SessionType | None = None

    @property
    def provisioning(self) -> Provisioning:
        """The provisioning of its desktops."""
        return self.configuration.provisioning


@dataclass(frozen=True, eq=False)
class PlannedRuns:
    """The configurations in their order, the runs of each, the reason for that number, the baseline's name with its
    evidence, and the order of all runs. `base` is the baseline's group if there is a study, `plan` is its plan (None:
    there is no data for a plan)."""

    configurations: tuple[Tested, ...]
    runs: int
    reason: str
    baseline: str
    baseline_by: BaselineEvidence
    order: tuple[Tested, ...]
    base: Group | None = None
    plan: RunPlan | None = None


def planned_runs(
    groups: Sequence[Group], names: Sequence[str], runs: int | None, detect: float, margin: float
) -> PlannedRuns:
    """The runs to make. `names` are the configurations to test (none: those of the groups). A name of a group, ignoring
    case, gets that group's setup; another name's own words give its setup. `runs` are those of each configuration
    (None: the number from `vdiwb plan` for these configurations, including those without runs)."""
    known = {group.label: group for group in groups if group.runs}
    by_fold = {label.casefold(): label for label in known}
    labels = tuple(dict.fromkeys(by_fold.get(name.casefold(), name) for name in names)) or tuple(known) or _UNNAMED
    base = _base(known, labels)
    plan = None if base is None else _plan(base, known, labels, detect, margin)
    configurations = tuple(_tested(label, known.get(label)) for label in labels)
    count, reason = _count(plan, runs)
    by_name = {configuration.name: configuration for configuration in configurations}
    order = tuple(by_name[name] for name in interleaved(tuple(by_name), count))
    baseline = base.label if base is not None and base.label in by_name else configurations[0].name
    evidence = BaselineEvidence.OPTION if names else BaselineEvidence.GUESSED
    if base is not None and base.baseline_by and base.label == baseline:
        evidence = base.baseline_by
    return PlannedRuns(configurations, count, reason, baseline, evidence, order, base, plan)


def _base(known: Mapping[str, Group], labels: Sequence[str]) -> Group | None:
    """The study's baseline. If it is not tested: the first configuration to test if it has runs, otherwise still the
    baseline. None without a study."""
    base = baseline_of(known.values())
    return base if base is None or base.label in labels else known.get(labels[0], base)


def _plan(base: Group, known: Mapping[str, Group], labels: Sequence[str], detect: float, margin: float) -> RunPlan:
    """The plan of only the configurations that are to be tested."""
    others = [group for label, group in known.items() if label in labels and group is not base]
    return run_plan(base, others, detect, margin, [label for label in labels if label not in known])


def _count(plan: RunPlan | None, stated: int | None) -> tuple[int, str]:
    if stated is not None:
        return stated, "You set this number of runs."
    if plan is None or not plan.needs:
        return LEAST_RUNS, "Three runs per configuration are assumed. After these runs, plan again (vdiwb plan)."
    words = plan_words(plan)
    if plan.runs is None:
        more = any(need.scatter is not None for need in plan.needs)
        return LEAST_RUNS, f"{words} The order contains {LEAST_RUNS} runs of each configuration." if more else words
    if plan.runs > MOST_RUNS:
        return MOST_RUNS, f"{words} The order contains only {MOST_RUNS} runs of each configuration."
    beyond = beyond_words(plan)
    return max(plan.runs, LEAST_RUNS), f"{words} The {plan.runs_there} existing runs are not included." + (
        f" {beyond[0].upper()}{beyond[1:]}." if beyond else ""
    )


def _tested(label: str, group: Group | None) -> Tested:
    if group is not None:
        return Tested(label, group.configuration, group.vms, group.session_type)
    return Tested(label, infer(label, "", Manifest({"configuration": label}), (), ()).configuration)


def run_folder(planned: PlannedRuns, index: int) -> str:
    """The folder of the run at this index; its name sorts in the order of the runs: `planned-runs/03-MCSIO-512-MB`. The
    tester moves it to the results after the run: a run without logs there would count as a run without measurements."""
    name = _UNFIT.sub("-", planned.order[index].name).strip("-. ")[:60] or "run"
    return f"{PLANNED}/{index + 1:02d}-{name}"


def plan_rows(planned: PlannedRuns) -> str:
    """The runs as CSV: run, round, configuration, folder."""
    size = len(planned.configurations)
    rows = (
        (index + 1, index // size + 1, configuration.name, run_folder(planned, index))
        for index, configuration in enumerate(planned.order)
    )
    return csv_text([("run", "round", "configuration", "folder"), *rows])


def amount_words(planned: PlannedRuns) -> str:
    """The number of runs, and of configurations."""
    count = len(planned.configurations)
    runs = plural(planned.runs, "run")
    return f"The plan has {plural(count, 'configuration')} with {runs}{' each' * (count != 1)}"


def plan_text(planned: PlannedRuns) -> str:
    """The number of runs and the reason, then the order."""
    lines = [
        f"{amount_words(planned)}. {planned.reason}",
        f"Baseline: {planned.baseline}.",
        "Do the runs in this order. Each round runs every configuration once, so drift affects all equally.",
        "",
    ]
    lines += [f"{index + 1:3d}  {configuration.name}" for index, configuration in enumerate(planned.order)]
    return "\n".join(lines) + "\n"


def manifest_text(tested: Tested, baseline: bool) -> str:
    """The run.toml of a run; unknown values are comments to fill in."""
    configuration, session_type = tested.configuration, tested.session_type
    cached = configuration.provisioning in (Provisioning.MCSIO, Provisioning.PVS)
    size, write_cache = configuration.ram_cache_mb, configuration.write_cache
    lines = [
        "# Known facts of this run. Fill in a line and remove its #. docs/formats.md explains each key.",
        f"configuration = {_text(configuration.name)}",
        f"provisioning = {_text(configuration.provisioning)}"
        if configuration.provisioning is not Provisioning.OTHER
        else '# provisioning = "MCS"          # MCS | MCSIO | PVS | other',
    ]
    if cached:
        lines.append(f"ram_cache_mb = {size}" if size is not None else "# ram_cache_mb = 512")
    if configuration.provisioning is Provisioning.PVS:
        lines.append(f"write_cache = {_text(write_cache)}" if write_cache else '# write_cache = "device-ram-overflow"')
    lines += [
        *(["baseline = true"] if baseline else []),
        "# vms = 5" if tested.vms is None else f"vms = {tested.vms}",
        "# users = 5",
        f"session_type = {_text(session_type)}"
        if session_type
        else '# session_type = "vdi"           # vdi: one session per VM | rds: many',
        '# hypervisor = "Hyper-V 2022"',
        '# guest_os = "Windows 11 x64"',
        '# workload = "Knowledge worker"',
        '# leave_out = ["PVS01"]          # machines with logs here that are not desktops, such as PVS servers',
    ]
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    """A basic string of TOML: like JSON, except for one control character."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
