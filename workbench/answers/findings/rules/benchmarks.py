"""Findings of storage benchmarks: the knee of each sweep, and the tests compared with the raw disk."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from workbench.answers.benchmarks.compute import BenchmarkGroup, Family
from workbench.answers.benchmarks.figures import side_by_side
from workbench.answers.benchmarks.names import family_key, family_name, shortened
from workbench.answers.benchmarks.raw_disk import Raw, counterpart, ratio_to_raw, raw_disk
from workbench.answers.benchmarks.sources import explain_group
from workbench.answers.benchmarks.sweep_figure import held_words, knee_place, sweep_name, sweep_names
from workbench.answers.benchmarks.sweeps import DepthSweep, Varies, sweeps
from workbench.answers.common.change_words import n_words
from workbench.answers.findings.compute import Finding, effect_size, strength_of, strength_of_runs
from workbench.answers.findings.words import Asked
from workbench.charts.figure import Moment
from workbench.measures.significance.verdicts import judged_alone
from workbench.measures.statistics import Change
from workbench.words.numbers import bracketed, number, percent, plural

# Maximum number of families of tests that become findings; the page shows all of them.
_FAMILIES = 4


def benchmark_findings(asked: Asked) -> Iterator[Finding]:
    """The knee of every sweep, in one finding for all machines with the knee at the same step. Also, in every family,
    the tests with the highest and the lowest ratio to the raw disk."""
    found = sweeps(asked.benchmarks)
    keys = (sweep_names(found, by_host=by_host, kind=family_key) for by_host in (True, False))
    alike: dict[tuple[str, int, Varies, int, bool], list[tuple[str, str, DepthSweep]]] = defaultdict(list)
    for place, (full, name, sweep) in enumerate(zip(*keys, found, strict=True)):
        # A sweep whose name does not contain the machine has a separate sentence.
        own = place if full == name else -1
        alike[name, own, sweep.varies, sweep.at[sweep.knee], sweep.open_ended].append((full, name, sweep))
    totals = Counter(name for name, *_ in alike)
    for (name, *_), members in alike.items():
        yield _knee(asked, members, alone=totals[name] == 1)
    every = side_by_side(asked.benchmarks)
    for family, shown in list(every.items())[:_FAMILIES]:
        raw = raw_disk(shown, asked.raw_disk) if asked.seeks_raw_disk else None
        if raw is not None:
            yield from _against_raw(asked, family, len(every[family]), shown, raw)


def _knee(asked: Asked, members: Sequence[tuple[str, str, DepthSweep]], *, alone: bool) -> Finding:
    """The knee of sweeps that differ in their machine only; `alone`: no machine has the knee at another step."""
    full, name, sweep = members[0]
    at, step = sweep.at[sweep.knee], sweep.steps[sweep.knee]
    family = step.group.family
    axis = f"queue depth {at}" if sweep.varies == "queue_depth" else plural(at, "thread")
    single = step.iops.n == 1
    values = [each.steps[each.knee].iops.mean for *_, each in members]
    iops = f"{number(values[0])} IOPS"
    if len(members) > 1:
        ends = [number(min(values)), number(max(values))]
        iops = f"{' to '.join(dict.fromkeys(ends))} IOPS on each of {len(members)} machines"
    name = name if len(members) > 1 and alone else full
    runs = "one run per step" if single else f"n = {step.iops.n}"
    does = "levels off at" if sweep.knee else "hardly rises above"
    short = f"IOPS still rise at {axis}" if sweep.open_ended else f"Throughput {does} {axis}"
    caveats = ("A longer sweep may show a higher maximum. Add steps.",) * sweep.open_ended
    job = name.removeprefix(sweep_name(sweep, family_key)).removeprefix(", ")
    tested = (f"test '{sweep.name}'", family_name(family), held_words(sweep), runs, f"job '{job}'" if job else "")
    key = "/".join(("benchmarks", "knee", sweep.varies, name))
    return Finding(
        key,
        f"{short} ({iops}; {', '.join(filter(None, tested))})",
        "benchmarks",
        strength_of_runs(step.iops.n),
        "benchmarks",
        "sweeps",
        figure="knee",
        caveats=caveats,
        size=0.6,
        weight=0.7,
        inputs=(("benchmarks.sweep", full),),
        source=_source(asked, step.group),
        explanations=tuple(explain_group(step.group, each.op, "iops") for *_, each in members for step in each.steps),
        about=asked.about(key, ()),
        # A card has room for few words. The kind of I/O distinguishes the sweeps of one study.
        short=f"{short} ({iops}, {family_name(family)}, test '{sweep.name}')",
        number=iops,
        moment=None if sweep.open_ended else Moment("benchmarks-sweep", knee_place(sweep), f"knee: {axis}, {iops}"),
    )


def _against_raw(
    asked: Asked, family: Family, count: int, shown: tuple[BenchmarkGroup, ...], raw: Raw
) -> Iterator[Finding]:
    # Other tests of the raw disk are not compared with it.
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
        times, of = _multiple(change.ratio), "of " * (change.ratio < 1)
        head, disk = f"'{shortened(group.name)}'", f"'{shortened(raw.name)}'"
        runs = "one run each" if change.basis == "single" else n_words(change)
        rest, kind = "the raw disk IOPS", family_name(family)
        guessed = "The raw disk test was guessed from its name. Check this choice on the Benchmarks page."
        caveats = (guessed,) if raw.guessed else ()
        key = "/".join(("benchmarks", "raw", family_key(family), group.name, group.subject.path, raw.name))
        yield Finding(
            key,
            f"{head} reaches {times}{_interval(change)} {of}{rest} ({disk}, {kind}, {runs})",
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
            inputs=(("benchmarks.family", f"{family_key(family)} ({count})"),),
            source=_source(asked, group),
            explanations=tuple(explain_group(one, group.main_op, "iops") for one in (group, counterpart(raw, group))),
            about=asked.about(key, ()),
            short=f"{head} reaches {times} {of}{rest} ({disk}, {kind})",
            number=times,
        )


def _source(asked: Asked, group: BenchmarkGroup) -> str:
    """`fio · storage-benchmarks`: the tool, and the folder of its results."""
    return " · ".join(part for part in (group.subject.tool, PurePath(asked.study).name) if part)


def _multiple(ratio: float) -> str:
    """Text like `4.20 times` or `45 %`."""
    return percent(100 * ratio) if ratio < 1 else f"{number(ratio)} times"


def _interval(found: Change) -> str:
    if found.low is None or found.high is None:
        return ""
    low, high = (percent(100 * end) if found.ratio < 1 else number(end) for end in (found.low, found.high))
    return f" {bracketed(low, high)}" if found.basis == "interval" else f" (range {low} to {high})"
