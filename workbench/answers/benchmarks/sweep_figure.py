"""The chart of a sweep: IOPS over queue depth or threads, and the latency below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.benchmarks.compute import Family, Measured, Quantity
from workbench.answers.benchmarks.names import family_name, latency_name
from workbench.answers.benchmarks.sweeps import GAIN, DepthSweep, SweepStep, doubling_gains
from workbench.charts.figure import Axis, Figure, FloatArray, Line, Look, Panel, Region
from workbench.model.benchmark import LatencyKind, Op
from workbench.words.captions import captioned
from workbench.words.numbers import THIN, number, percent, plural

QUESTION = "At which load do IOPS stop rising?"
EMPTY = "No sweep was found. A sweep needs three or more tests that differ only in queue depth or thread count."
AXES = {"queue_depth": "Queue depth", "threads": "Threads"}
_HELD = {"threads": "thread", "queue_depth": "queue depth", "outstanding": "outstanding I/Os in total"}
_LINE = Look("other", marker="circle")
_HIGH = Look("other", tint=0.7, dash="dash", marker="square")
_DERIVED = Look("quiet", dash="dot", marker="diamond")
_GAIN = f"{100 * GAIN:.0f}{THIN}%"
# Up to this many steps are evenly spaced with their names; more are drawn to scale.
_NAMED_STEPS = 16


def sweep_name(sweep: DepthSweep, kind: Callable[[Family], str] = family_name) -> str:
    """`QD 1–64: disk-a, 8 KiB random, reads, 2 threads`: a distinct name of a sweep, or only its start if there is
    little room."""
    ends = f"{sweep.at[0]}–{sweep.at[-1]}"
    what = f"QD {ends}" if sweep.varies == "queue_depth" else f"{ends} threads"
    held = held_words(sweep)
    return f"{what}: {sweep.name}, {kind(sweep.steps[0].group.family)}" + (f", {held}" if held else "")


def sweep_names(
    found: Sequence[DepthSweep], *, by_host: bool = True, kind: Callable[[Family], str] = family_name
) -> list[str]:
    """The names of sweeps. Equal names are extended by the job and (`by_host`) the machine, if these differ. With
    `family_key` as `kind` they are those that workspaces store."""
    names = [sweep_name(sweep, kind) for sweep in found]
    ways: list[Callable[[DepthSweep], str]] = [lambda sweep: sweep.subject.job or ""]
    ways += [lambda sweep: sweep.subject.host or ""] if by_host else []
    for way in ways:
        parts: dict[str, set[str]] = defaultdict(set)
        for name, sweep in zip(names, found, strict=True):
            parts[name].add(way(sweep))
        names = [
            f"{name}, {part}" if (part := way(sweep)) and len(parts[name]) > 1 else name
            for name, sweep in zip(names, found, strict=True)
        ]
    return names


def asked_words(sweep: DepthSweep) -> str:
    """`8 KiB random, reads`: the kind of I/O at each step."""
    return family_name(sweep.steps[0].group.family)


def held_words(sweep: DepthSweep) -> str:
    """The number that was constant while the other varied; empty if the file does not state it."""
    if sweep.held is None:
        return ""
    if sweep.holds == "queue_depth":
        return f"queue depth {sweep.held}"
    return f"{sweep.held} {_HELD[sweep.holds]}{'s' * (sweep.holds == 'threads' and sweep.held != 1)}"


def sweep_figure(sweep: DepthSweep) -> Figure:
    """Two panels over one axis: IOPS with the knee marked and the area beyond it shaded, and latency (ms)."""
    steps, at = sweep.steps, _places(sweep)
    axis = _axis(sweep)
    iops = [_line("IOPS", at, [step.iops for step in steps], _LINE)]
    knee = sweep.knee
    words = f"beyond the knee ({_load_words(sweep)})"
    beyond = () if sweep.open_ended else (Region(words, float(at[knee]), float(at[-1])),)
    # Room above the line for the words.
    most = 1.3 * steps[sweep.best].iops.mean
    across = Axis("I/O per second", "IOPS", limits=(0.0, most) if most else None)
    panels = [Panel("", axis, across, tuple(iops), subtitle=asked_words(sweep), regions=beyond)]
    if latencies := _latency_lines(sweep, at):
        panels.append(Panel("", axis, Axis("Latency", "ms"), latencies))
    caption, method = _captions(sweep)
    summary = knee_words(sweep)
    return Figure("benchmarks-sweep", QUESTION, caption, tuple(panels), share_y=False, summary=summary, method=method)


def knee_words(sweep: DepthSweep) -> str:
    """The answer as a sentence."""
    step, best, depth = sweep.steps[sweep.knee], sweep.steps[sweep.best], _load_words(sweep)
    share = f"{percent(100 * step.iops.mean / best.iops.mean)} of the maximum" if best.iops.mean else "no I/O"
    at = f"{number(step.iops.mean)} IOPS, {share}"
    if sweep.open_ended:
        return f"IOPS still rise at the last step, {depth} ({at}). A longer sweep may show a higher maximum."
    if sweep.knee == 0:
        return f"The first step is enough: {depth} ({at}). No doubling of the load raises IOPS by {_GAIN} or more."
    bought = doubling_gains(sweep)[sweep.knee]
    return f"The knee is at {depth} ({at}). Doubling this load raises IOPS by {percent(bought)}."


def _load_words(sweep: DepthSweep) -> str:
    """The load at the knee, `queue depth 16` or `4 threads`."""
    at = sweep.at[sweep.knee]
    return f"queue depth {at}" if sweep.varies == "queue_depth" else plural(at, "thread")


def knee_place(sweep: DepthSweep) -> float:
    """The position of the knee on the axis of the figure."""
    return float(_places(sweep)[sweep.knee])


def _places(sweep: DepthSweep) -> FloatArray:
    count = len(sweep.steps)
    return np.arange(count, dtype=np.float64) if count <= _NAMED_STEPS else np.array(sweep.at, dtype=float)


def _axis(sweep: DepthSweep) -> Axis:
    named = tuple(map(_step_name, sweep.steps, [sweep.varies] * len(sweep.steps), [sweep.holds] * len(sweep.steps)))
    label = AXES[sweep.varies]
    if len(sweep.steps) > _NAMED_STEPS:
        return Axis(label, limits=(0.0, sweep.at[-1] + 0.02 * (sweep.at[-1] - sweep.at[0])))
    return Axis(label, categories=named)


def _step_name(step: SweepStep, varies: str, holds: str) -> str:
    if holds == "outstanding":
        return f"{step.threads} × QD{step.queue_depth}"
    return f"QD{step.queue_depth}" if varies == "queue_depth" else f"{step.threads} threads"


def _line(name: str, at: FloatArray, measured_values: Sequence[Measured | None], look: Look) -> Line:
    values = np.array([np.nan if measured is None else measured.mean for measured in measured_values])
    # On a line of many steps a few markers would look like a selection.
    return Line(name, at, values, look if len(measured_values) <= _NAMED_STEPS else replace(look, marker="none"))


def _latency_lines(sweep: DepthSweep, at: FloatArray) -> tuple[Line, ...]:
    steps = sweep.steps
    lines = []
    if any(step.latency_ms for step in steps):
        cut = " (rounded down to ms)" if in_whole_ms(sweep) else ""
        lines.append(_line(f"mean{_of(sweep, 'latency_mean_ms')}{cut}", at, [step.latency_ms for step in steps], _LINE))
    if any(step.p99_ms for step in steps):
        lines.append(_line(f"p99{_of(sweep, 'latency_p99_ms')}", at, [step.p99_ms for step in steps], _HIGH))
    derived = [queue_over_iops_ms(step) for step in steps]
    if in_whole_ms(sweep) and any(value is not None for value in derived):
        values = np.array([np.nan if value is None else value for value in derived])
        lines.append(Line("outstanding I/Os ÷ IOPS", at, values, _DERIVED))
    return tuple(lines)


def _of(sweep: DepthSweep, quantity: Quantity) -> str:
    """A note if latencies are completion latencies."""
    kinds = {kind for step in sweep.steps for kind in step.group.latency_kinds([sweep.op], quantity)}
    return f" {latency_name('latency', kinds)}" if LatencyKind.COMPLETION in kinds else ""


def in_whole_ms(sweep: DepthSweep) -> bool:
    """True if the tool cut its latencies to whole milliseconds, as SQLIO does."""
    return sweep.subject.tool == "sqlio" and any(step.latency_ms for step in sweep.steps)


def queue_over_iops_ms(step: SweepStep) -> float | None:
    """Mean latency in ms by Little's law: I/Os outstanding ÷ IOPS. None if either is unknown."""
    return 1000 * step.outstanding / step.iops.mean if step.outstanding and step.iops.mean else None


def _captions(sweep: DepthSweep) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    held = held_words(sweep)
    subject = " · ".join(dict.fromkeys(part for part in (sweep.subject.host, sweep.name) if part))
    op = "" if sweep.op is Op.TOTAL else f" ({sweep.op.value}s)"
    repeats = max(step.iops.n for step in sweep.steps)
    whole, known = in_whole_ms(sweep), any(step.outstanding for step in sweep.steps)
    return captioned(
        (
            f"0{THIN}ms means less than 1{THIN}ms" if whole else "",
            f"The chart shows {len(sweep.steps)} load levels{op}" + (f", all with {held}" if held else ""),
        ),
        (
            f"Test: {subject} ({sweep.subject.tool})",
            f"The knee is the first load whose doubling adds under {_GAIN} IOPS",
            f"Mean of up to {repeats} repeated tests per step" if repeats > 1 else "",
            "SQLIO rounds latency down to whole milliseconds" if whole else "",
            "Dotted lines show latency by Little's law (outstanding I/Os ÷ IOPS)" if whole and known else "",
        ),
    )
