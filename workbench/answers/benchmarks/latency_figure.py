"""The chart of latencies: percentiles of the tests side by side, and their latency histograms.

Histograms are converted to common buckets and to the share of I/Os within a time. A histogram is (upper edge in ms,
share in percent) of each bucket. Tools round shares to whole percents or hundredths and list at least a hundredth for
any I/O, so shares are divided by their sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from workbench.answers.benchmarks.compute import BenchmarkGroup, Quantity
from workbench.answers.benchmarks.names import family_name, labels, latency_name
from workbench.charts.figure import Axis, Bars, Figure, Look, Panel
from workbench.model.benchmark import Op
from workbench.words.captions import captioned
from workbench.words.numbers import THIN, marked, number

QUESTION = "How long does an I/O take?"
EMPTY = "No percentiles or histograms were imported. Add results with them, for example from fio."
MAX_PERCENTILES = 8
MAX_HISTOGRAMS = 4
KEY = "benchmarks-latency"
_HARDLY = 0.1  # percent of the I/Os
_PERCENTILES: tuple[tuple[str, Quantity, Look], ...] = (
    ("p50", "latency_p50_ms", Look("other")),
    ("p95", "latency_p95_ms", Look("other", tint=0.9, dash="dash")),
    ("p99", "latency_p99_ms", Look("quiet")),
)
_TESTS = (
    Look("other"),
    Look("quiet", dash="dash"),
    Look("other", tint=0.9, dash="dot"),
    Look("accent", dash="dash-dot"),
)


def latency_figure(shown: Sequence[BenchmarkGroup]) -> Figure:
    """Percentiles (ms) of each test and direction that has any, and next to them latency histograms.

    The histograms show the shares of I/Os (%) in the buckets that all tests with a histogram share.
    """
    panels = [panel for panel in (_percentiles(shown), _histograms(shown)) if panel is not None]
    panels = [replace(panel, column=index) for index, panel in enumerate(panels)]
    if not panels:
        return Figure(KEY, QUESTION, "", (), share_y=False, empty=EMPTY)
    listed, kept = with_percentiles(shown), with_histogram(shown)
    without = len(shown) - len({id(group) for group, _ in (*listed, *kept)})
    caption, method = captioned(
        (
            f"The first {MAX_PERCENTILES} of {len(listed)} tests with percentiles are shown"
            if len(listed) > MAX_PERCENTILES
            else "",
            f"The first {MAX_HISTOGRAMS} of {len(kept)} tests with histograms are shown"
            if len(kept) > MAX_HISTOGRAMS
            else "",
            f"{without} of {len(shown)} tests have no latencies" if without else "",
            "The benchmark tool calculated the percentiles" if listed else "Share of the I/Os by latency",
        ),
        (
            "fio reports percentiles of completion latency only" if listed else "",
            "Histograms show the share of I/Os per bucket (same buckets for all tests)" if kept else "",
        ),
    )
    return Figure(KEY, QUESTION, caption, tuple(panels), share_y=False, summary=_summary(shown), method=method)


def has_latencies(shown: Sequence[BenchmarkGroup]) -> bool:
    """True if any of the tests has percentiles or a histogram."""
    return bool(with_percentiles(shown) or with_histogram(shown))


def with_percentiles(shown: Sequence[BenchmarkGroup]) -> list[tuple[BenchmarkGroup, Op]]:
    """The tests and directions for which a tool lists percentiles."""
    return [
        (group, op)
        for group in shown
        for op in group.ops
        if any(group.measured(op, quantity) for _, quantity, _ in _PERCENTILES)
    ]


def with_histogram(shown: Sequence[BenchmarkGroup]) -> list[tuple[BenchmarkGroup, Histogram]]:
    """The tests that have a latency histogram; the histogram of the whole test comes first."""
    pairs = [(group, histogram_of(group)) for group in shown]
    return [(group, histogram) for group, histogram in pairs if histogram]


def _percentiles(shown: Sequence[BenchmarkGroup]) -> Panel | None:
    tests = with_percentiles(shown)[:MAX_PERCENTILES]
    if not tests:
        return None
    # The tests' names, with the direction if a test has several.
    distinct = list({id(group): group for group, _ in tests}.values())
    named = dict(zip(map(id, distinct), labels(distinct), strict=True))
    several = {id(group) for group, _ in tests if sum(other is group for other, _ in tests) > 1}
    names = tuple(
        f"{named[id(group)]} {op.value}s" if id(group) in several else named[id(group)] for group, op in tests
    )
    bars = []
    for percentile, quantity, look in _PERCENTILES:
        means = [group.measured(op, quantity) for group, op in tests]
        values = np.array([np.nan if mean is None else mean.mean for mean in means])
        counts = tuple("" if mean is None else str(mean.n) for mean in means)
        bars.append(Bars(percentile, values, look, counts=counts, counted="repeats"))
    family = family_name(tests[0][0].family)
    kinds = (kind for group, op in tests for kind in group.latency_kinds([op], "latency_p99_ms"))
    name = latency_name("Latency", kinds)
    return Panel("", Axis("", categories=names), Axis(name, "ms"), tuple(bars), subtitle=family)


def _histograms(shown: Sequence[BenchmarkGroup]) -> Panel | None:
    histograms = with_histogram(shown)[:MAX_HISTOGRAMS]
    edges = _worth_showing([histogram for _, histogram in histograms])
    if len(edges) < 2:
        return None
    names = labels([group for group, _ in histograms])
    bars = tuple(
        Bars(name, np.array(regrouped(histogram, edges)), look)
        for name, (_, histogram), look in zip(names, histograms, _TESTS, strict=False)
    )
    axis = Axis("Latency up to", "ms", categories=tuple(map(_ms, edges)))
    return Panel("", axis, Axis("Share of I/Os", "%"), bars, subtitle=family_name(histograms[0][0].family))


def _worth_showing(histograms: Sequence[Histogram]) -> tuple[float, ...]:
    """The common edges without outer buckets that are almost empty for all tests."""
    edges = common_edges(histograms)
    within = [[share_within(histogram, edge) or 0.0 for histogram in histograms] for edge in edges]
    first = next((index for index, shares in enumerate(within) if max(shares) >= _HARDLY), 0)
    last = next((index for index, shares in enumerate(within) if min(shares) >= 100 - _HARDLY), len(edges) - 1)
    return edges[first : last + 1]


def bucket_names(edges: Sequence[float]) -> tuple[str, ...]:
    """The names of the buckets by their edges: `< 1`, `1–2`, `2–4` ms."""
    words = [_ms(edge) for edge in edges]
    return (f"<{THIN}{words[0]}", *(f"{low}–{high}" for low, high in pairwise(words))) if words else ()


def _ms(edge: float) -> str:
    return marked(f"{edge:.3g}" if edge < 100 else f"{edge:.0f}")


def _summary(shown: Sequence[BenchmarkGroup]) -> str:
    means = [
        (figure.mean, group.name)
        for group, op in with_percentiles(shown)
        if (figure := group.measured(op, "latency_p99_ms")) is not None
    ]
    if not means:
        return f"{len(with_histogram(shown))} tests with a latency histogram."
    (low, best), (high, worst) = min(means), max(means)
    return f"p99 of latency: {number(low)} ms ({best}) to {number(high)} ms ({worst})."


Histogram = tuple[tuple[float, float], ...]
_SAME = 1e-6  # an edge computed from µs is the edge written in ms


def histogram_of(group: BenchmarkGroup) -> Histogram:
    """The histogram of the whole test, otherwise of its first direction; () without one.

    Repeats and clones are pooled: each bucket's share is the mean of their shares, weighted by their IOPS if all have
    IOPS.
    """
    for op in (group.main_op, *group.ops):
        rows = [row for row in group.rows if row.op is op and row.histogram and row.error is None]
        if rows:
            weights = [row.iops or 0.0 for row in rows]
            return _pooled([row.histogram for row in rows], weights if all(weights) else [1.0] * len(rows))
    return ()


def share_within(histogram: Histogram, ms: float) -> float | None:
    """Percent of the I/Os that took less than `ms`; None if `ms` is inside a bucket."""
    if not histogram:
        return None
    total = sum(share for _, share in histogram)
    if ms >= histogram[-1][0] * (1 - _SAME):
        return 100.0
    if not any(_is_same(edge, ms) for edge, _ in histogram) and not _before_first(histogram, ms):
        return None
    return 100 * sum(share for edge, share in histogram if edge <= ms * (1 + _SAME)) / total


def common_edges(histograms: Sequence[Histogram]) -> tuple[float, ...]:
    """The upper edges, rising, at which all histograms have a known share; () without histograms."""
    edges = sorted({edge for histogram in histograms for edge, _ in histogram})
    distinct = [edge for index, edge in enumerate(edges) if not index or not _is_same(edges[index - 1], edge)]
    return tuple(
        edge for edge in distinct if all(share_within(histogram, edge) is not None for histogram in histograms)
    )


def regrouped(histogram: Histogram, edges: Sequence[float]) -> tuple[float, ...]:
    """The share in percent below the first edge and between each two edges of `common_edges`."""
    within = [share_within(histogram, edge) or 0.0 for edge in edges]
    return tuple(high - low for low, high in zip([0.0, *within], within, strict=False))


def _before_first(histogram: Histogram, ms: float) -> bool:
    """True if all I/Os took longer: the first bucket is then empty."""
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
