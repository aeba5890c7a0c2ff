"""Load curves: response time over IOPS, from tests that ran at shares of the full rate (vdbench `iorate=curve`).

vdbench runs at full speed first, then at percentages of that rate (by default 10, 50, 70, 80, 90 and 100 %; Vdbench
Users Guide 5.04.07, *iorate=curve*). It names no knee. The knee here is the point with the most IOPS per millisecond
of mean response time: *power*, throughput divided by response time, is highest at the knee (L. Kleinrock, "Power and
deterministic rules of thumb for probabilistic problems in computer communications", ICC 1979; R. Jain, The Art of
Computer Systems Performance Analysis, 1991, section 3.3).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.answers.benchmarks.compute import Group, Measured, groups
from workbench.model.benchmark import Benchmark

MIN_POINTS = 3
_DISTURBED = 2.0


@dataclass(frozen=True, slots=True)
class Point:
    """One point: the share of the full rate that was asked for (None: full speed), IOPS and mean response time (ms)."""

    percent: float | None
    group: Group
    iops: Measured
    latency_ms: Measured

    @property
    def power(self) -> float:
        """IOPS per millisecond of response time; 0 where the response time is."""
        return self.iops.mean / self.latency_ms.mean if self.latency_ms.mean else 0.0


@dataclass(frozen=True, slots=True)
class LoadCurve:
    """The points by the load asked for, full speed last."""

    name: str
    points: tuple[Point, ...]

    @property
    def knee(self) -> int:
        """The place of the point with the most IOPS per millisecond."""
        return max(range(len(self.points)), key=lambda place: self.points[place].power)

    @property
    def slow_below(self) -> tuple[Point, ...]:
        """Points of less load than the knee with more than twice its response time: something disturbed them."""
        knee = self.points[self.knee]
        below = (point for point in self.points if point.iops.mean < knee.iops.mean)
        return tuple(point for point in below if point.latency_ms.mean > _DISTURBED * knee.latency_ms.mean)

    @property
    def open_ended(self) -> bool:
        """Whether the knee is the last point: the storage may take more load than the curve asked for."""
        return self.knee == len(self.points) - 1


def load_curves(rows: Iterable[Benchmark]) -> tuple[LoadCurve, ...]:
    """Every load curve of three points or more, in the order of the table."""
    members: dict[tuple[object, ...], list[Group]] = defaultdict(list)
    for group in groups(rows):
        if (curve := group.rows[0].curve) is not None:
            subject, kind = group.subject, group.kind
            settings = (kind.block_bytes, kind.threads, kind.pattern)
            members[subject.path, subject.host, group.rows[0].part, curve, *settings].append(group)
    curves = (LoadCurve(_name(same), _points(same)) for same in members.values())
    return tuple(curve for curve in curves if len(curve.points) >= MIN_POINTS)


def is_point(group: Group) -> bool:
    """Whether the test was held to a share of the full rate: what it did is not what the storage can do."""
    return group.rows[0].load_percent is not None


def knee_rows(rows: Iterable[Benchmark]) -> dict[int, bool]:
    """By the row's id whether it is at the knee of its curve; rows of no curve are not in it."""
    return {
        id(row): place == curve.knee
        for curve in load_curves(rows)
        for place, point in enumerate(curve.points)
        for row in point.group.rows
    }


def _points(same: Iterable[Group]) -> tuple[Point, ...]:
    points = []
    for group in same:
        iops, latency = (group.measured(group.main_op, figure) for figure in ("iops", "latency_mean_ms"))
        if iops is not None and latency is not None:
            points.append(Point(group.rows[0].load_percent, group, iops, latency))
    return tuple(sorted(points, key=lambda point: (point.percent is None, point.percent or 0.0)))


def _name(same: list[Group]) -> str:
    row = same[0].rows[0]
    return " · ".join(dict.fromkeys(part for part in (row.test, row.curve, row.part) if part))
