"""Latency histograms of the tools as `Benchmark.histogram`: (upper edge in ms, share in percent).

fio lists `latency_ns`, `latency_us` and `latency_ms` for a job (stat.c of axboe/fio: bucket `4` of `latency_us` holds
I/Os that took at least 2 µs and less than 4 µs). json+ adds the `bins` of each direction, in nanoseconds since 2.99.
SQLIO lists whole percents of whole milliseconds: `3` holds at least 3 ms and less than 4 ms, and `24+` is open. An open
bucket ends at the highest latency that the tool measured; it is left out if that is unknown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

Histogram = tuple[tuple[float, float], ...]

_STEPS = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
_UNITS = (("latency_ns", 1e-6), ("latency_us", 1e-3), ("latency_ms", 1.0))
# The edges that fio prints, in ms. The finer bins of json+ are merged into these.
_FIO_EDGES = (*(step * scale for _, scale in _UNITS for step in _STEPS), 2000.0)
_OPEN = ">=2000"
# fio rounds each of 32 shares to 0.01 %, and lists smaller shares as 0.01 %.
_SHARES_SLACK = 0.5
# The names that fio gives its buckets.
FIO_LABELS = frozenset((*map(str, _STEPS), "2000", _OPEN))


def trimmed(buckets: Iterable[tuple[float, float]]) -> Histogram:
    """Returns the buckets from the last empty one before the first I/O to the last filled one; () if none is filled."""
    listed = sorted(buckets)
    used = [index for index, (_, share) in enumerate(listed) if share > 0]
    return tuple(listed[max(0, used[0] - 1) : used[-1] + 1]) if used else ()


def fio_job(entry: Mapping[str, Any], highest_ms: float | None) -> Histogram:
    """Returns the buckets of a whole job, all directions together; () if there are none or one of them is damaged."""
    if fio_damaged(entry):
        return ()
    # Tables of two units may have the same edge.
    buckets: dict[float, float] = {}
    for key, scale in _UNITS:
        for label, share in entry.get(key, {}).items():
            edge = highest_ms if label == _OPEN else (int(label) * scale if _is_digits(label) else None)
            if edge is not None and (label != _OPEN or edge > _FIO_EDGES[-1]):
                buckets[edge] = buckets.get(edge, 0.0) + float(share)
    return trimmed(buckets.items())


def fio_damaged(entry: Mapping[str, Any]) -> list[str]:
    """Returns the invalid buckets of a job, for example `latency_us.50`: a name unknown to fio, or a value that is not
    a share in percent. Returns both tables if their shares do not add up to 100 %."""
    names: list[str] = []
    for key, _ in _UNITS:
        listed = entry.get(key, {})
        if not isinstance(listed, dict):
            names.append(key)
            continue
        wrong = (label for label, share in listed.items() if label not in FIO_LABELS or not _is_share(share))
        names += [f"{key}.{label}" for label in wrong]
    total = 0.0 if names else sum(float(share) for key, _ in _UNITS for share in entry.get(key, {}).values())
    if total and abs(total - 100.0) > _SHARES_SLACK:
        names.append(f"latency_us and latency_ms (their shares add up to {total:.1f} %)")
    return names


def fio_filled(entry: Mapping[str, Any], nanoseconds: bool) -> dict[str, dict[str, float]]:
    """Returns the tables of a job as in fio's JSON, made from the shares in fio's text, which leaves empty buckets out.
    `nanoseconds`: this fio counts in nanoseconds (since 2.99)."""
    tables = [key for key, _ in _UNITS if nanoseconds or key != "latency_ns" or key in entry]
    ends = {"latency_ms": {"2000": 0.0, _OPEN: 0.0}}
    return {key: {**{str(step): 0.0 for step in _STEPS}, **ends.get(key, {}), **entry.get(key, {})} for key in tables}


def fio_bins(stats: Mapping[str, Any], per_ms: float) -> Histogram:
    """Returns the `bins` of one direction (json+), merged into the buckets that fio prints for a job; () if there are
    none or one of them is damaged.

    A bin holds latencies within 1.6 % of its name, so an edge is exact to 1.6 %.
    """
    if fio_damaged_bins(stats):
        return ()
    counts: dict[float, float] = dict.fromkeys(_FIO_EDGES, 0.0)
    for label, count in stats.get("bins", {}).items():
        at = int(label) / per_ms
        index = bisect_right(_FIO_EDGES, at)
        edge = _FIO_EDGES[index] if index < len(_FIO_EDGES) else max(at, *counts)
        counts[edge] = counts.get(edge, 0.0) + count
    total = sum(counts.values())
    return trimmed((edge, 100 * count / total) for edge, count in counts.items()) if total else ()


def fio_damaged_bins(stats: Mapping[str, Any]) -> list[str]:
    """Returns the bins of a direction that are not a latency and a count of I/Os, for example `bins.378`."""
    bins = stats.get("bins", {})
    if not isinstance(bins, dict):
        return ["bins"]
    return [f"bins.{label}" for label, count in bins.items() if not (_is_digits(label) and _is_count(count))]


def sqlio(labels: Sequence[str], shares: Sequence[str], highest_ms: float | None) -> Histogram:
    """Returns the buckets from the two lines `ms:` and `%:` of SQLIO, split into cells; () if they do not match or a
    share is above 100."""
    if len(labels) != len(shares) or not labels or not all(map(_is_digits, (*labels[:-1], *shares))):
        return ()
    if any(int(share) > 100 for share in shares):
        return ()
    open_ended = labels[-1].endswith("+")
    starts = [int(label.rstrip("+")) for label in labels if _is_digits(label.rstrip("+"))]
    if len(starts) != len(labels) or any(low >= high for low, high in pairwise(starts)):
        return ()
    buckets = [(start + 1.0, float(share)) for start, share in zip(starts, shares, strict=True)]
    if open_ended:
        # Latencies are cut to whole milliseconds: a highest value of 55 means less than 56.
        end = None if highest_ms is None else highest_ms + 1.0
        last = [] if end is None or end <= starts[-1] else [(end, buckets[-1][1])]
        buckets = [*buckets[:-1], *last]
    return trimmed(buckets)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 15


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 100.0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**18
