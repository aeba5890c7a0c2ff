"""`vdiwb sizing` and `vdiwb what-if`: the capacity plan and the boot what-if on the console."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from workbench.answers.common.document import to_csv, to_json
from workbench.answers.common.explain_document import explain_rows
from workbench.answers.sizing import document as rows
from workbench.answers.sizing.boot_what_if import checked_time, checked_window, what_ifs
from workbench.answers.sizing.compute import Plan, plans
from workbench.answers.sizing.constants import Own, SizingError, checked, constants, own_file, own_words
from workbench.answers.sizing.sources import explain_plan, explain_what_ifs
from workbench.answers.sizing.tables import configurations_table, inputs_table, steps_table, what_if_table
from workbench.console.command import Command, UsageError
from workbench.console.explain import explain_key, explain_option, explain_text
from workbench.console.phases import phase_called
from workbench.console.tables import nothing_counts, table_text
from workbench.measures.configurations import Group, baseline_of, group_runs, phase_names
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import reports_of
from workbench.model.phase import BOOT, LOGON, STEADY
from workbench.model.run import Study
from workbench.words.numbers import duration

_T = TypeVar("_T")


def _sizing(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    groups = _groups(studies)
    own, found = _own(options), _chosen(options.configuration, groups)
    phase = phase_called(options.phase, phase_names(groups)) if found else options.phase
    planned = _told(lambda: plans(found, own, phase))
    reports = reports_of(studies)
    ways = [
        way
        for one in (planned if options.explain else ())
        for way in explain_plan(one, _labelled(found, one.configuration), reports)
    ]
    if options.format == "json":
        return to_json(rows.sizing_table(planned, groups) | explain_key(options, ways))
    if options.format == "csv":
        return to_csv(explain_rows(ways) if options.explain else rows.sizing_rows(planned))
    if options.explain:
        return explain_text(ways)
    return _plan_text(planned, found, options.configuration is None) if found else nothing_counts(groups)


def _what_if(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    groups = _groups(studies)
    found = _chosen(options.configuration, groups)
    window = options.window if options.window is not None else _window(options.phase)
    desktops = _desktops(options)
    answers = _told(lambda: what_ifs(found, options.phase, desktops, 60 * options.minutes, 60 * window))
    reports = reports_of(studies)
    ways = [
        way
        for one in (answers if options.explain else ())
        if (group := _labelled(found, one.configuration)) is not None
        for way in explain_what_ifs(one, group, reports)
    ]
    if options.format == "json":
        return to_json(rows.what_if_table(answers, groups) | explain_key(options, ways))
    if options.format == "csv":
        return to_csv(explain_rows(ways) if options.explain else rows.what_if_rows(answers))
    if options.explain:
        return explain_text(ways)
    if not found:
        return nothing_counts(groups)
    origin = "yours" if options.window is not None else "assumed"
    return "\n".join(
        [
            table_text(what_if_table(answers, {})),
            f"Total I/O is what stays; IOPS = total I/O / acceptable time. {desktops:,} desktops, started evenly over "
            f"{duration(60 * window)} ({origin}).",
        ]
    )


def _labelled(groups: Sequence[Group], label: str | None) -> Group | None:
    return next((group for group in groups if group.label == label), None)


def _plan_text(planned: Sequence[Plan], groups: Sequence[Group], hint: bool) -> str:
    base = baseline_of(groups)
    shown = next(one for one in planned if base is not None and one.configuration == base.label)
    parts = [table_text(configurations_table(planned, {}))] if len(planned) > 1 else []
    parts += [table_text(steps_table(shown), ("Formula", "Part")), table_text(inputs_table(shown))]
    parts += dict.fromkeys(remark for one in planned for remark in one.remarks)
    parts.append("--set NAME=VALUE changes an input; VMs, disks, hosts and ports are rounded to whole ones.")
    if hint and len(planned) > 1:
        parts.append("--configuration NAME shows the steps of another configuration.")
    return "\n".join(parts)


def _groups(studies: Sequence[Study]) -> tuple[Group, ...]:
    """The configurations of every study; runs of different studies are no replicates. A label that several
    studies have is told apart by its study's name."""
    found = [(study, g) for study in studies for g in group_runs(run_figures(run) for run in study.runs)]
    counts = Counter(group.label for _, group in found)
    return tuple(
        replace(group, label=f"{study.name}: {group.label}") if counts[group.label] > 1 else group
        for study, group in found
    )


def _chosen(name: str | None, groups: Sequence[Group]) -> tuple[Group, ...]:
    used = tuple(group for group in groups if group.runs)
    if name is None:
        return used
    wanted = name.casefold()
    labels = [(group, group.label.casefold()) for group in used]
    found = tuple(group for group, label in labels if label == wanted or label.endswith(f": {wanted}"))
    if not found:
        known = ", ".join(f"'{group.label}'" for group in used) or "none"
        raise UsageError(f"No configuration is named '{name}'. There are: {known}.")
    return found


def _window(phase: str) -> float:
    value = constants()[f"{phase}_window_min"].value
    assert isinstance(value, float)
    return value


def _own(options: argparse.Namespace) -> dict[str, Own]:
    """The user's values: the file of constants, then --set, then --desktops."""
    found = _told(lambda: own_file(options.constants)) if options.constants else {}
    found |= (said := _told(lambda: dict(own_words(words) for words in options.set)))
    if "desktops" in said:
        raise UsageError("--desktops says how many desktops; leave desktops out of --set.")
    return found | {"desktops": Own(float(_desktops(options)), "--desktops")}


def _desktops(options: argparse.Namespace) -> int:
    return int(_told(lambda: checked("desktops", options.desktops, "--")))


def _told(compute: Callable[[], _T]) -> _T:
    try:
        return compute()
    except SizingError as error:
        raise UsageError(str(error)) from error


def _check_sizing(options: argparse.Namespace) -> None:
    _own(options)


def _check_what_if(options: argparse.Namespace) -> None:
    _desktops(options)
    _told(lambda: checked_time(60 * options.minutes))
    _told(lambda: checked_window(60 * (options.window or 0.0)))


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--desktops", required=True, metavar="N", help="how many desktops (for RDS: users)")
    explain_option(parser)
    parser.add_argument("--configuration", metavar="NAME", help="only this one; default: all")


def _sizing_options(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    parser.add_argument(
        "--phase", default=STEADY, metavar="NAME", help="of desktops at work; default: steady"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an input of yours, for example disk_iops=180; may be repeated",
    )
    parser.add_argument("--constants", type=Path, metavar="FILE.toml", help="lines of NAME = VALUE")


def _what_if_options(parser: argparse.ArgumentParser) -> None:
    _shared(parser)
    parser.add_argument(
        "--minutes", required=True, type=float, metavar="M", help="how long a boot or logon may take"
    )
    parser.add_argument(
        "--phase", default=BOOT, type=str.casefold, choices=(BOOT, LOGON), help="default: boot"
    )
    parser.add_argument("--window", type=float, metavar="M", help="minutes over which the starts are spread")


COMMAND = Command(
    "sizing",
    "the capacity plan from measured figures",
    "vdiwb sizing sample_data --desktops 500 --set disk_iops=180",
    _sizing,
    ("table", "json", "csv"),
    _sizing_options,
    _check_sizing,
)
WHAT_IF = Command(
    "what-if",
    "the IOPS that boots or logons need in an acceptable time",
    "vdiwb what-if sample_data --desktops 500 --minutes 4",
    _what_if,
    ("table", "json", "csv"),
    _what_if_options,
    _check_what_if,
)
