"""How much load does the storage take before it slows down? Response time over IOPS, with the knee."""

from __future__ import annotations

import numpy as np

from workbench.answers.benchmarks.figure_sources import group_source, led
from workbench.answers.benchmarks.load.curves import LoadCurve, Point
from workbench.answers.benchmarks.names import family_name
from workbench.answers.benchmarks.tables import figures
from workbench.charts.figure import Axis, Figure, Line, Look, Panel, Region
from workbench.charts.tables import Cell, Column, TableData
from workbench.words.captions import captioned, few, short_lines
from workbench.words.numbers import THIN, fixed, number

QUESTION = "How much load does the storage take before it slows down?"
EMPTY = "No load curve: none of the benchmarks was run at three or more shares of its full rate (vdbench iorate=curve)."
RULE = "Knee: the point with the most IOPS per ms of response time (power, after Kleinrock 1979); the tool names none."
_LINE = Look("other", marker="circle")


def load_name(point: Point) -> str:
    """`75 %` of the full rate, or `full speed`."""
    if point.percent is None:
        return "full speed"
    return f"{fixed(point.percent, 0 if point.percent.is_integer() else 1)}{THIN}%"


def load_words(curve: LoadCurve) -> str:
    """The answer in a sentence."""
    knee, last = curve.points[curve.knee], curve.points[-1]
    at = f"{number(knee.iops.mean)} IOPS with {number(knee.latency_ms.mean)} ms"
    if curve.open_ended:
        return f"No knee up to {load_name(last)}, {at}: the storage may take more load.{_disturbed(curve)}"
    return (
        f"Knee at {load_name(knee)}, {at}; {load_name(last)} gives {number(last.iops.mean)} IOPS "
        f"with {number(last.latency_ms.mean)} ms.{_disturbed(curve)}"
    )


def _disturbed(curve: LoadCurve) -> str:
    """A sentence on points that were slow at less load than the knee; empty where there is none."""
    named = [f"{load_name(point)} ({number(point.latency_ms.mean)} ms)" for point in curve.slow_below]
    return f" Slower than twice the knee at less load: {', '.join(named)}; look at the intervals." if named else ""


def load_figure(curve: LoadCurve) -> Figure:
    """One panel: mean response time (ms) over IOPS, what lies beyond the knee shaded."""
    points = sorted(curve.points, key=lambda point: point.iops.mean)
    at = np.array([point.iops.mean for point in points])
    latency = np.array([point.latency_ms.mean for point in points])
    knee = curve.points[curve.knee]
    words = f"beyond the knee at {load_name(knee)}"
    beyond = () if curve.open_ended else (Region(words, knee.iops.mean, float(at[-1])),)
    panel = Panel(
        "",
        Axis("I/O per second", "IOPS", limits=(0.0, 1.05 * float(at[-1]))),
        Axis("Mean response time", "ms", limits=(0.0, 1.3 * float(latency.max()))),
        (Line("mean", at, latency, _LINE),),
        subtitle=family_name(knee.group.family),
        regions=beyond,
    )
    subject = knee.group.subject
    slow = [load_name(point) for point in curve.slow_below]
    caption, method = captioned(
        (f"Slow at less load: {few(slow)}" if slow else "", f"{len(points)} points by the load asked for"),
        (
            f"{subject.tool}, {curve.name}",
            *short_lines(_disturbed(curve).strip()),
            "Knee: most IOPS per ms of response time",
            "Power, after Kleinrock 1979; the tool names none",
        ),
    )
    summary = load_words(curve)
    return Figure("benchmarks-load", QUESTION, caption, (panel,), share_y=False, summary=summary, method=method)


def load_table(curve: LoadCurve) -> TableData:
    """The points of a curve, and which is the knee."""
    columns = (
        Column("Load", numeric=False, tip="share of the rate at full speed that was asked for"),
        Column("IOPS"),
        Column("Mean", "ms"),
        Column("IOPS", "per ms", tip="IOPS ÷ mean response time; the knee is where it is highest"),
        Column("", numeric=False),
    )
    points = curve.points
    marks = ["knee" if place == curve.knee and not curve.open_ended else "" for place in range(len(points))]
    cells = (
        [Cell(load_name(point), point.percent) for point in points],
        led(
            figures([point.iops.mean for point in points]),
            [group_source(point.group, point.group.main_op, "iops") for point in points],
        ),
        led(
            figures([point.latency_ms.mean for point in points], 3),
            [group_source(point.group, point.group.main_op, "latency_mean_ms") for point in points],
        ),
        figures([point.power for point in points]),
        [Cell(mark, mark or None) for mark in marks],
    )
    return TableData(columns, tuple(zip(*cells, strict=True)), "IOPS per ms: IOPS ÷ mean response time")
