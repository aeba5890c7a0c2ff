"""Latency histograms brought to common buckets, and the share of I/Os within a time.

A histogram is (upper edge in ms, share in percent) of each bucket. Tools round their shares to whole percents or
hundredths and list at least a hundredth for any I/O, so the shares are taken relative to their sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.benchmarks.compute import Group

Histogram = tuple[tuple[float, float], ...]
_SAME = 1e-6  # an edge computed from µs is the edge written in ms


def histogram_of(group: Group) -> Histogram:
    """The histogram of a test: of its whole where it has one, else of its first direction; () without.

    Repeats and clones are pooled: each bucket's share is the mean of theirs, weighted by their IOPS where all
    have them.
    """
    for op in (group.main_op, *group.ops):
        rows = [row for row in group.rows if row.op is op and row.histogram and row.error is None]
        if rows:
            weights = [row.iops or 0.0 for row in rows]
            return _pooled([row.histogram for row in rows], weights if all(weights) else [1.0] * len(rows))
    return ()


def share_within(histogram: Histogram, ms: float) -> float | None:
    """Percent of the I/Os that took less than `ms`; None where that lies inside a bucket."""
    if not histogram:
        return None
    total = sum(share for _, share in histogram)
    if ms >= histogram[-1][0] * (1 - _SAME):
        return 100.0
    if not any(_is_same(edge, ms) for edge, _ in histogram) and not _before_first(histogram, ms):
        return None
    return 100 * sum(share for edge, share in histogram if edge <= ms * (1 + _SAME)) / total


def common_edges(histograms: Sequence[Histogram]) -> tuple[float, ...]:
    """The upper edges at which each of the histograms knows its share, rising; () without histograms."""
    edges = sorted({edge for histogram in histograms for edge, _ in histogram})
    distinct = [edge for index, edge in enumerate(edges) if not index or not _is_same(edges[index - 1], edge)]
    return tuple(
        edge for edge in distinct if all(share_within(histogram, edge) is not None for histogram in histograms)
    )


def regrouped(histogram: Histogram, edges: Sequence[float]) -> tuple[float, ...]:
    """The share in percent below the first edge and between each two; the edges are of `common_edges`."""
    within = [share_within(histogram, edge) or 0.0 for edge in edges]
    return tuple(high - low for low, high in zip([0.0, *within], within, strict=False))


def _before_first(histogram: Histogram, ms: float) -> bool:
    """Whether all I/Os took longer: the first bucket is then an empty one."""
    return histogram[0][1] == 0 and ms < histogram[0][0]


def _is_same(value: float, other: float) -> bool:
    return abs(value - other) <= _SAME * max(value, other)


def _pooled(histograms: Sequence[Histogram], weights: Sequence[float]) -> Histogram:
    if len(histograms) == 1:
        return histograms[0]
    edges = common_edges(histograms)
    shares = [regrouped(histogram, edges) for histogram in histograms]
    total = sum(weights)
    pooled = [
        sum(share * weight for share, weight in zip(column, weights, strict=True)) / total
        for column in zip(*shares, strict=True)
    ]
    return tuple(zip(edges, pooled, strict=True))
