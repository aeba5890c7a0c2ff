"""Load curves: response time over IOPS, with the knee, from tests at shares of the full rate (vdbench `iorate=curve`).

vdbench runs at full speed first, then at percentages of that rate (by default 10, 50, 70, 80, 90 and 100 %; Vdbench
Users Guide 5.04.07, *iorate=curve*). It reports no knee. The knee here is the point with the most IOPS per millisecond
of mean response time: *power*, throughput divided by response time, is highest at the knee (L. Kleinrock, "Power and
deterministic rules of thumb for probabilistic problems in computer communications", ICC 1979; R. Jain, The Art of
Computer Systems Performance Analysis, 1991, section 3.3).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.benchmarks.compute import BenchmarkGroup, Measured, Quantity, groups
from workbench.answers.benchmarks.names import family_name
from workbench.answers.benchmarks.sources import group_source, led
from workbench.answers.benchmarks.tables import figures
from workbench.charts.figure import Axis, Figure, Line, Look, Panel, Region
from workbench.charts.tables import Cell, Column, TableData, table_by_columns
from workbench.model.benchmark import Benchmark
from workbench.words.captions import captioned, few, short_lines
from workbench.words.numbers import THIN, fixed, number

MIN_POINTS = 3
_DISTURBED = 2.0


@dataclass(frozen=True, slots=True)
class Point:
    """One point: the requested share of the full rate (None: full speed), IOPS and mean response time (ms)."""

    percent: float | None
    group: BenchmarkGroup
    iops: Measured
    latency_ms: Measured

    @property
    def power(self) -> float:
        """IOPS per millisecond of response time; 0 if the response time is 0."""
        return self.iops.mean / self.latency_ms.mean if self.latency_ms.mean else 0.0


@dataclass(frozen=True, slots=True)
class LoadCurve:
    """The points by requested load, full speed last."""

    name: str
    points: tuple[Point, ...]

    @property
    def knee(self) -> int:
        """The index of the point with the most IOPS per millisecond."""
        return max(range(len(self.points)), key=lambda place: self.points[place].power)

    @property
    def slow_below(self) -> tuple[Point, ...]:
        """Points with less load than the knee but more than twice its response time: something disturbed them."""
        knee = self.points[self.knee]
        below = (point for point in self.points if point.iops.mean < knee.iops.mean)
        return tuple(point for point in below if point.latency_ms.mean > _DISTURBED * knee.latency_ms.mean)

    @property
    def open_ended(self) -> bool:
        """True if the knee is the last point: the storage may support more load than was requested."""
        return self.knee == len(self.points) - 1


def load_curves(rows: Iterable[Benchmark]) -> tuple[LoadCurve, ...]:
    """Every load curve of three points or more, in the order of the table."""
    members: dict[tuple[object, ...], list[BenchmarkGroup]] = defaultdict(list)
    for group in groups(rows):
        if (curve := group.rows[0].curve) is not None:
            subject, kind = group.subject, group.kind
            settings = (kind.block_bytes, kind.threads, kind.pattern)
            members[subject.path, subject.host, group.rows[0].part, curve, *settings].append(group)
    curves = (LoadCurve(_name(same), _points(same)) for same in members.values())
    return tuple(curve for curve in curves if len(curve.points) >= MIN_POINTS)


def is_point(group: BenchmarkGroup) -> bool:
    """True if the test ran at a share of the full rate: its IOPS are not the maximum of the storage."""
    return group.rows[0].load_percent is not None


def knee_rows(rows: Iterable[Benchmark]) -> dict[int, bool]:
    """True or False for each row of a load curve, by its id: True if the row is at the knee."""
    return {
        id(row): place == curve.knee
        for curve in load_curves(rows)
        for place, point in enumerate(curve.points)
        for row in point.group.rows
    }


def _points(same: Iterable[BenchmarkGroup]) -> tuple[Point, ...]:
    points = []
    for group in same:
        iops, latency = (group.measured(group.main_op, figure) for figure in ("iops", "latency_mean_ms"))
        if iops is not None and latency is not None:
            points.append(Point(group.rows[0].load_percent, group, iops, latency))
    return tuple(sorted(points, key=lambda point: (point.percent is None, point.percent or 0.0)))


def _name(same: list[BenchmarkGroup]) -> str:
    row = same[0].rows[0]
    return " · ".join(dict.fromkeys(part for part in (row.test, row.curve, row.part) if part))


QUESTION = "How much load does the storage support?"
EMPTY = "No load curve was measured. Add a benchmark at three or more load levels, such as vdbench with iorate=curve."
RULE = "Knee: the point with the most IOPS per ms of response time (power, Kleinrock 1979). The tool reports no knee."
_LINE = Look("other", marker="circle")


def load_name(point: Point) -> str:
    """`75 %` of the full rate, or `full speed`."""
    if point.percent is None:
        return "full speed"
    return f"{fixed(point.percent, 0 if point.percent.is_integer() else 1)}{THIN}%"


def load_words(curve: LoadCurve) -> str:
    """The answer as a sentence."""
    knee, last = curve.points[curve.knee], curve.points[-1]
    at = f"{number(knee.iops.mean)} IOPS at {number(knee.latency_ms.mean)} ms"
    if curve.open_ended:
        return f"No knee up to {load_name(last)}, {at}: the storage may support more load.{_disturbed(curve)}"
    return (
        f"Knee at {load_name(knee)}, {at}; {load_name(last)} gives {number(last.iops.mean)} IOPS "
        f"at {number(last.latency_ms.mean)} ms.{_disturbed(curve)}"
    )


def _disturbed(curve: LoadCurve) -> str:
    """A sentence on points that were slow at less load than the knee; empty if there are none."""
    named = [f"{load_name(point)} ({number(point.latency_ms.mean)} ms)" for point in curve.slow_below]
    return (
        f" Lower load, but more than twice the response time of the knee: {', '.join(named)}. Check these intervals."
        if named
        else ""
    )


def load_figure(curve: LoadCurve) -> Figure:
    """One panel: mean response time (ms) over IOPS; the area beyond the knee is shaded."""
    points = sorted(curve.points, key=lambda point: point.iops.mean)
    at = np.array([point.iops.mean for point in points])
    latency = np.array([point.latency_ms.mean for point in points])
    knee = curve.points[curve.knee]
    words = f"beyond the knee ({load_name(knee)})"
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
        (
            f"Slower than the knee despite lower load: {few(slow)}" if slow else "",
            f"{len(points)} points, in order of the requested load",
        ),
        (
            f"Test: {curve.name} ({subject.tool})",
            *short_lines(_disturbed(curve).strip()),
            "Knee: most IOPS per ms of response time",
            "Knee method: power (Kleinrock 1979)",
        ),
    )
    summary = load_words(curve)
    return Figure("benchmarks-load", QUESTION, caption, (panel,), share_y=False, summary=summary, method=method)


def load_table(curve: LoadCurve) -> TableData:
    """The points of a curve, with the knee marked."""
    points = curve.points
    marks = ["knee" if place == curve.knee and not curve.open_ended else "" for place in range(len(points))]

    def measured(values: Sequence[float], figure: Quantity, most: int = 2) -> list[Cell]:
        return led(figures(values, most), [group_source(point.group, point.group.main_op, figure) for point in points])

    power = Column("IOPS", "per ms", tip="IOPS ÷ mean response time. The knee has the highest value")
    asked = Column("Load", numeric=False, tip="Requested share of the full rate")
    return table_by_columns(
        (asked, [Cell(load_name(point), point.percent) for point in points]),
        (Column("IOPS"), measured([point.iops.mean for point in points], "iops")),
        (Column("Mean", "ms"), measured([point.latency_ms.mean for point in points], "latency_mean_ms", 3)),
        (power, figures([point.power for point in points])),
        (Column("Remark", numeric=False), [Cell(mark, mark or None) for mark in marks]),
        legend="IOPS per ms: IOPS ÷ mean response time",
    )
