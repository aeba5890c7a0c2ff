"""`vdiwb sizing` and `vdiwb what-if`: the capacity plan and the boot what-if on the command line."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from workbench.answers.common.options import phase_called
from workbench.answers.common.reply import Block, Reply, nothing_counts, with_sources
from workbench.answers.common.spec import UsageError
from workbench.answers.sizing import document
from workbench.answers.sizing.boot_what_if import WhatIf, checked_time, checked_window, what_ifs
from workbench.answers.sizing.compute import Plan, plans, problems_of, remarks_of
from workbench.answers.sizing.constants import Own, SizingError, checked, constants, own_file, own_words
from workbench.answers.sizing.figures import planned_words
from workbench.answers.sizing.sources import explain_plan, explain_what_ifs
from workbench.answers.sizing.tables import configurations_table, inputs_table, steps_table, what_if_table
from workbench.charts.tables import without_columns
from workbench.measures.configurations import Group, baseline_of, group_runs, phase_names
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import reports_of
from workbench.model.run import Study
from workbench.words.captions import named
from workbench.words.numbers import THIN

_T = TypeVar("_T")


def plan(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The capacity plan; raises UsageError for an unknown configuration or phase."""
    groups = _groups(studies)
    own, used = _own(options), _chosen(options.configuration, groups)
    phase = phase_called(options.phase, phase_names(groups)) if used else options.phase
    planned = _told(lambda: tuple(plan for members in _by_study(studies, used) for plan in plans(members, own, phase)))
    hint = options.configuration is None
    reply = Reply(
        lambda: [_plan_text(planned, used, hint) if used else [nothing_counts(groups)]],
        lambda: document.sizing_table(planned, groups),
        lambda: document.sizing_rows(planned),
    )
    if not options.explain:
        return reply
    reports = reports_of(studies)
    ways = [
        way
        for capacity_plan in planned
        for way in explain_plan(capacity_plan, _labelled(used, capacity_plan.configuration), reports)
    ]
    return with_sources(reply, ways, below=False)


def what_if(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The boot or logon what-if; raises UsageError for an unknown configuration."""
    groups = _groups(studies)
    used = _chosen(options.configuration, groups)
    window = options.window if options.window is not None else _window(options.phase)
    answers = _told(lambda: what_ifs(used, options.phase, _desktops(options), 60 * options.minutes, 60 * window))
    reply = Reply(
        lambda: [_what_if_text(answers, options, window, used) if used else [nothing_counts(groups)]],
        lambda: document.what_if_table(answers, groups),
        lambda: document.what_if_rows(answers),
    )
    if not options.explain:
        return reply
    reports = reports_of(studies)
    ways = [
        way
        for answer in answers
        if (group := _labelled(used, answer.configuration)) is not None
        for way in explain_what_ifs(answer, group, reports)
    ]
    return with_sources(reply, ways, below=False)


def _what_if_text(
    answers: Sequence[WhatIf], options: argparse.Namespace, window: float, groups: Sequence[Group]
) -> list[Block]:
    origin = "yours" if options.window is not None else "assumed"
    return [
        what_if_table(answers, {}),
        "IOPS = total I/O ÷ acceptable time. Assumed: total I/O does not depend on the duration of boots and logons. "
        f"The starts of {_desktops(options):,} {planned_words(groups)} are spread evenly over {window:g}{THIN}min "
        f"({origin}).",
    ]


def _labelled(groups: Sequence[Group], label: str | None) -> Group | None:
    return next((group for group in groups if group.label == label), None)


def _plan_text(planned: Sequence[Plan], groups: Sequence[Group], hint: bool) -> list[Block]:
    base = baseline_of(groups)
    shown = next((plan for plan in planned if base is not None and plan.configuration == base.label), planned[0])
    problems = problems_of(planned)
    blocks: list[Block] = [*problems, *([configurations_table(planned, {})] if len(planned) > 1 else [])]
    steps = without_columns(steps_table(shown), ("Formula", "Part"))
    if shown.configuration:
        steps = replace(steps, name=f"Calculation steps for {named(shown.configuration)}")
    blocks += [steps, inputs_table(shown, names=True)]
    blocks += [text for text in remarks_of(planned) if text not in problems]
    blocks.append("--set NAME=VALUE changes an input. VMs, disks, hosts and ports are rounded to whole numbers.")
    if hint and len(planned) > 1:
        blocks.append("--configuration NAME shows the steps of another configuration.")
    return blocks


def _groups(studies: Sequence[Study]) -> tuple[Group, ...]:
    """The configurations of every study; runs of different studies are not combined. If several studies have a label,
    the study's name is added."""
    pairs = [(study, g) for study in studies for g in group_runs(run_figures(run) for run in study.runs)]
    counts = Counter(group.label for _, group in pairs)
    return tuple(
        replace(group, label=f"{study.name}: {group.label}") if counts[group.label] > 1 else group
        for study, group in pairs
    )


def _by_study(studies: Sequence[Study], groups: Sequence[Group]) -> list[list[Group]]:
    """The groups of each study, because each study has its own baseline."""
    folders = [{run.folder for run in study.runs} for study in studies]
    by_study: list[list[Group]] = [[] for _ in folders]
    for group in groups:
        by_study[next(at for at, runs in enumerate(folders) if group.runs[0].run.folder in runs)].append(group)
    return by_study


def _chosen(name: str | None, groups: Sequence[Group]) -> tuple[Group, ...]:
    used = tuple(group for group in groups if group.runs)
    if name is None:
        return used
    folded = name.casefold()
    labels = [(group, group.label.casefold()) for group in used]
    matching = tuple(group for group, label in labels if label == folded or label.endswith(f": {folded}"))
    if not matching:
        known = ", ".join(f"'{group.label}'" for group in used) or "none"
        raise UsageError(f"No configuration is called '{name}'. Valid names: {known}.")
    return matching


def _window(phase: str) -> float:
    value = constants()[f"{phase}_window_min"].value
    assert isinstance(value, float)
    return value


def _own(options: argparse.Namespace) -> dict[str, Own]:
    """The user's values: the file of constants, then --set, then --desktops."""
    owns = _told(lambda: own_file(options.constants)) if options.constants else {}
    owns |= (stated := _told(lambda: dict(own_words(words) for words in options.set)))
    if "desktops" in stated:
        raise UsageError("--desktops sets the number of desktops. Remove 'desktops' from --set.")
    return owns | {"desktops": Own(float(_desktops(options)), "set with --desktops")}


def _desktops(options: argparse.Namespace) -> int:
    return int(_told(lambda: checked("desktops", options.desktops, "--")))


def _told(compute: Callable[[], _T]) -> _T:
    try:
        return compute()
    except SizingError as error:
        raise UsageError(str(error)) from error


def check_plan(options: argparse.Namespace) -> None:
    """Raises UsageError for an impossible input."""
    _own(options)


def check_what_if(options: argparse.Namespace) -> None:
    """Raises UsageError for an impossible number of desktops, time or window."""
    _desktops(options)
    _told(lambda: checked_time(60 * options.minutes))
    _told(lambda: checked_window(60 * (options.window or 0.0)))
