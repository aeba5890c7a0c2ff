"""Units that benchmark files write as text, and which figure of a row a value with such a unit is.

Only what is I/Os per second, bytes per second or a duration of one operation becomes a figure. `MB` is 10^6 and
`MiB` 2^20 bytes, `Mb` would be bits and is no byte; requests, items and percent are not I/Os.
"""

from __future__ import annotations

import re

_SECONDS = {"s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9}
_BYTES = {
    "B": 1.0,
    "bytes": 1.0,
    "kB": 1e3,
    "KB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "KiB": 2.0**10,
    "MiB": 2.0**20,
    "GiB": 2.0**30,
}
_PER_SECOND = frozenset(("iops", "ios/s", "ios/sec", "io/s", "op/s", "ops/s", "ops/sec"))
_KILO_IOPS = frozenset(("kiops",))
_OPERATION = frozenset(("iter", "op", "io", "ios", "iteration", "operation"))
# "p99", "p99 latency", "99th percentile"; p90, p99.9, minimum and maximum are none that a row has.
_LISTED = re.compile(r"(?<![a-z0-9.])p[-_ ]?(50|95|99)(?![0-9.])|(?<![0-9.])(50|95|99)th(?![a-z])", re.IGNORECASE)
_MEDIAN = re.compile(r"(?<![a-z])median(?![a-z])", re.IGNORECASE)
_OTHER = re.compile(
    r"(?<![a-z0-9])p[-_ ]?\d{1,3}(?:\.\d+)?(?![a-z])|(?<![0-9])\d{1,3}(?:\.\d+)?th(?![a-z])"
    r"|(?<![a-z])(?:min|minimum|max|maximum|stdev|stddev|deviation|cv|jitter|variance)(?![a-z])",
    re.IGNORECASE,
)


def as_figure(value: float, unit: str) -> tuple[str, float] | None:
    """(`iops`, I/Os per second), (`mb_per_s`, 10^6 bytes/s) or (`latency`, ms); None for any other unit."""
    text = unit.strip().removesuffix(".")
    if text.lower() in _PER_SECOND:
        return "iops", value
    if text.lower() in _KILO_IOPS:
        return "iops", value * 1e3
    above, _, below = text.partition("/")
    below = below.strip()
    if above in _SECONDS and (not below or below.lower() in _OPERATION):
        return "latency", value * _SECONDS[above] * 1e3
    if above in _BYTES and below in ("s", "sec"):
        return "mb_per_s", value * _BYTES[above] / 1e6
    if above.lower() in ("op", "ops") and below in _SECONDS:
        return "iops", value / _SECONDS[below]
    return None


def latency_figure(name: str) -> str | None:
    """The latency figure that a name speaks of: the mean, or the p50, p95, p99 it names; None for others."""
    match = _LISTED.search(name)
    if match is not None:
        return f"latency_p{match[1] or match[2]}_ms"
    if _OTHER.search(name):
        return None
    return "latency_p50_ms" if _MEDIAN.search(name) else "latency_mean_ms"
