"""Findings of storage benchmarks: where more I/O outstanding stops to pay, and how tests stand to the raw disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from workbench.answers.benchmarks.compute import Family, Group
from workbench.answers.benchmarks.figures import side_by_side
from workbench.answers.benchmarks.names import family_name, shortened
from workbench.answers.benchmarks.raw_disk import Raw, counterpart, ratio_to_raw, raw_disk
from workbench.answers.benchmarks.sources import explain_group
from workbench.answers.benchmarks.sweep_figure import knee_place, sweep_name
from workbench.answers.benchmarks.sweeps import GAIN, Sweep, sweeps
from workbench.answers.findings.compute import Finding, effect_size, strength_of, strength_of_runs
from workbench.answers.findings.words import Asked, n_words
from workbench.charts.figure import Moment
from workbench.measures.judging.alone import judged_alone
from workbench.measures.statistics import Change
from workbench.words.numbers import THIN, number

# So many families of tests become findings; the page has them all.
_FAMILIES = 4


def benchmark_findings(asked: Asked) -> Iterator[Finding]:
    """The knee of every sweep; in every family the test that stands highest and lowest against the raw disk."""
    for sweep in sweeps(asked.benchmarks):
        yield _knee(asked, sweep)
    every = side_by_side(asked.benchmarks)
    for family, shown in list(every.items())[:_FAMILIES]:
        raw = raw_disk(shown, asked.raw_disk) if asked.seeks_raw_disk else None
        if raw is not None:
            yield from _against_raw(asked, family, len(every[family]), shown, raw)


def _knee(asked: Asked, sweep: Sweep) -> Finding:
    at, step = sweep.at[sweep.knee], sweep.steps[sweep.knee]
    axis = f"queue depth {at}" if sweep.varies == "queue_depth" else f"{at} thread{'s' * (at != 1)}"
    single = step.iops.n == 1
    name = sweep_name(sweep)
    iops = f"{number(step.iops.mean)} IOPS"
    runs = "each step in a single run" if single else f"n = {step.iops.n}"
    head = f"Doubling {axis} ({iops}) buys less than {100 * GAIN:.0f}{THIN}% more"
    if sweep.open_ended:
        head = f"IOPS still rise at the last step, {axis} ({iops}), a longer sweep may find more"
    key = "/".join(("benchmarks", "knee", sweep.varies, name))
    return Finding(
        key,
        f"{head}, {runs}: {name}",
        "benchmarks",
        strength_of_runs(step.iops.n),
        "benchmarks",
        "sweeps",
        figure="knee",
        size=0.6,
        weight=0.7,
        inputs=(("benchmarks.sweep", name),),
        source=_source(asked, step.group),
        explanations=tuple(explain_group(step.group, sweep.op, "iops") for step in sweep.steps),
        about=asked.about(key, ()),
        short=f"{head}: {name}",
        number=iops,
        moment=None if sweep.open_ended else Moment("benchmarks-sweep", knee_place(sweep), f"knee: {axis}, {iops}"),
    )


def _against_raw(asked: Asked, family: Family, count: int, shown: tuple[Group, ...], raw: Raw) -> Iterator[Finding]:
    # Another test of the raw disk itself is no test against it.
    tests = [group for group in shown if not (raw.guessed and raw_disk([group]))]
    found = [(ratio, group) for group in tests if (ratio := ratio_to_raw(raw, group, group.main_op)) is not None]
    if not found:
        return
    ordered = sorted(found, key=lambda one: (one[0].ratio, one[1].name, one[1].subject.path))
    judged = judged_alone([change for change, _ in ordered], asked.margin, "higher")
    verdicts = dict(zip((group for _, group in ordered), judged, strict=True))
    for change, group in dict.fromkeys((ordered[-1], ordered[0])):
        judgement = verdicts[group]
        strength = strength_of(change, None if judgement is None else judgement.verdict, asked.margin)
        times = f"{number(change.ratio)} times"
        disk = f"the raw disk ({shortened(raw.name)})"
        test, rest = shortened(group.name), f"the IOPS of {disk}, {family_name(family)}"
        text = f"{test} has {times}{_interval(change)} {rest}"
        if change.basis == "single":
            text = f"In a single run each, {text} (n = 1, no uncertainty available)"
        else:
            text += f", {n_words(change)}"
        caveats = ("The raw disk was taken for one by its name.",) if raw.guessed else ()
        key = "/".join(("benchmarks", "raw", family_name(family), group.name, group.subject.path, raw.name))
        yield Finding(
            key,
            text,
            "benchmarks",
            strength,
            "benchmarks",
            "side-by-side",
            caveats=caveats,
            configuration=group.name,
            baseline=raw.name,
            figure="ratio to raw",
            change=change,
            size=effect_size(change.ratio),
            weight=0.75,
            inputs=(("benchmarks.family", f"{family_name(family)} ({count})"),),
            source=_source(asked, group),
            explanations=tuple(explain_group(one, group.main_op, "iops") for one in (group, counterpart(raw, group))),
            about=asked.about(key, ()),
            short=f"{test} has {times} {rest}",
            number=times,
        )


def _source(asked: Asked, group: Group) -> str:
    """`fio · storage-benchmarks`: the tool, and the folder of its results."""
    return " · ".join(part for part in (group.subject.tool, PurePath(asked.study).name) if part)


def _interval(found: Change) -> str:
    if found.low is None or found.high is None:
        return ""
    ends = f"{number(found.low)}, {number(found.high)}"
    return f" [{ends}]" if found.basis == "interval" else f" (range {ends.replace(', ', ' to ')})"
