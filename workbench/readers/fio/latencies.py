"""fio's latencies of one direction: the total (`lat`, submission and completion) or only the completion (`clat`).

fio lists percentiles of the completion unless asked for others (`lat_percentiles=1`), and means of both. The mean of a
row is the total if fio measured it, otherwise the completion. The percentiles are of the kind that fio lists. Buffered
I/O of an asynchronous engine waits in the submission (`slat`), so its completion is misleading: the import report says
so. Source: fio HOWTO, `lat_percentiles`, `clat_percentiles`, "Interpreting the output"; units by key, see `rows`.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.benchmark import LatencyKind
from workbench.readers.common import latency_buckets
from workbench.readers.fio.documents import SAMPLED, JsonObject
from workbench.readers.text.json import number

PER_MS = {"lat_ns": 1e6, "clat_ns": 1e6, "lat": 1e3, "clat": 1e3}
_PERCENTS = (50.0, 95.0, 99.0)
# An I/O cannot take longer than its run. Ramp time is not part of the run time, so only a much longer latency is
# impossible.
_RUN_TIMES, _SLACK_MS = 2.0, 60_000.0
# Above this share of the total, the submission is reported.
_MUCH = 0.1
# fio rounds its printed means.
_ROUNDING = 1.01
# fio may count I/Os without measuring their latency, but at most this share.
_UNMEASURED = 0.001


@dataclass(frozen=True, slots=True)
class Latencies:
    """Latencies in milliseconds; None: not measured, or not listed. `kind` is the kind of the mean, `percentile_kind`
    the kind of `percentiles` (p50, p95 and p99)."""

    kind: LatencyKind | None = None
    mean: float | None = None
    percentile_kind: LatencyKind | None = None
    percentiles: tuple[float | None, ...] = (None, None, None)


def latencies(section: JsonObject) -> Latencies:
    """Returns mean and percentiles. Percentiles are those that fio lists, never interpolated."""
    measured = measured_latencies(section)
    if not measured:
        return Latencies()
    key, stats = measured[0]
    mean = _in_ms(number(stats.get("mean")), key)
    lists = next(((key, stats) for key, stats in measured if _listed(stats)), None)
    if lists is None:
        return Latencies(_kind(key), mean)
    percentiles = tuple(_in_ms(_percentile(lists[1], percent), lists[0]) for percent in _PERCENTS)
    return Latencies(_kind(key), mean, _kind(lists[0]), percentiles)


def _kind(key: str) -> LatencyKind:
    return LatencyKind.TOTAL if key.startswith("lat") else LatencyKind.COMPLETION


def beyond_run(section: JsonObject) -> float | None:
    """Returns the mean latency in ms if it is far longer than the run, which is impossible; otherwise None. The cause
    is a faulty clock (seen in reports of fio 2.1.11)."""
    mean, runtime = latencies(section).mean, number(section.get("runtime"))
    return mean if mean is not None and runtime and mean > _RUN_TIMES * runtime + _SLACK_MS else None


def contradiction(section: JsonObject) -> str:
    """Returns two latencies of a direction that contradict each other, such as a mean above the maximum; empty if all
    agree."""
    means: dict[str, float] = {}
    for key, stats in measured_latencies(section):
        least, mean, most = (_in_ms(number(stats.get(name)), key) for name in ("min", "mean", "max"))
        if mean is None:
            continue
        kind = "total" if key.startswith("lat") else "completion"
        means.setdefault(kind, mean)
        if most is not None and mean > most * _ROUNDING:
            return f"the mean {kind} latency is {mean:g} ms, but its maximum is {most:g} ms"
        if least is not None and mean * _ROUNDING < least:
            return f"the mean {kind} latency is {mean:g} ms, but its minimum is {least:g} ms"
    if means.keys() == {"total", "completion"} and means["completion"] > means["total"] * _ROUNDING:
        completion, total = means["completion"], means["total"]
        return f"the mean completion latency is {completion:g} ms, but the mean total latency is only {total:g} ms"
    return ""


def submission(section: JsonObject) -> tuple[float, float] | None:
    """Returns the mean of the submission and of the completion in ms if the submission is a large part of the total and
    a value of the row excludes it; otherwise None."""
    stated = latencies(section)
    if LatencyKind.COMPLETION not in (stated.kind, stated.percentile_kind):
        return None
    submitted, completed = _mean(section, "slat_ns", "slat"), _mean(section, "clat_ns", "clat")
    if submitted is None or completed is None:
        return None
    return (submitted, completed) if submitted > _MUCH * (submitted + completed) else None


def _mean(section: JsonObject, *keys: str) -> float | None:
    """Returns the mean in ms of the first table that exists."""
    tables = [(section[key], key.removeprefix("s").removeprefix("c")) for key in keys if key in section]
    means = [_in_ms(number(stats.get("mean")), key) for stats, key in tables if isinstance(stats, dict)]
    return means[0] if means else None


def bins(section: JsonObject) -> latency_buckets.Histogram:
    """Returns the json+ bins of a direction; () if there are none, or one of them is damaged. Before 2.99 their names
    are indices or µs, and the key does not show which."""
    if damaged_bins(section):
        return ()
    histograms = (latency_buckets.fio_bins(stats, PER_MS[key]) for key, stats in _binned(section))
    return next(filter(None, histograms), ())


def damaged_bins(section: JsonObject) -> list[str]:
    """Returns the bins that are not a latency and a count of I/Os, for example `clat_ns.bins.378`. Returns
    `clat_ns.bins` with both numbers if the bins count fewer or more I/Os than were measured."""
    names: list[str] = []
    for key, stats in _binned(section):
        wrong = latency_buckets.fio_damaged_bins(stats)
        counted, measured = sum(stats["bins"].values()) if not wrong else 0, _measured_ios(section, stats)
        if counted and measured is not None and abs(counted - measured) > _UNMEASURED * measured:
            wrong = [f"bins (their sum is {counted:,} I/Os, not {measured:,.0f})"]
        names += [f"{key}.{name}" for name in wrong]
    return names


def _measured_ios(section: JsonObject, stats: JsonObject) -> float | None:
    return number(stats["N"]) if "N" in stats else number(section.get("total_ios"))


def _binned(section: JsonObject) -> list[tuple[str, JsonObject]]:
    return [(key, stats) for key, stats in measured_latencies(section) if key.endswith("_ns") and "bins" in stats]


def highest(section: JsonObject) -> list[float]:
    """Returns the highest latency of each measured kind, in ms."""
    every = ((number(stats.get("max")), PER_MS[key]) for key, stats in measured_latencies(section))
    return [value / per_ms for value, per_ms in every if value is not None]


def measured_latencies(section: JsonObject) -> list[tuple[str, JsonObject]]:
    """Returns the latency tables that have samples, the total first."""
    tables = [(key, section[key]) for key in PER_MS if isinstance(section.get(key), dict)]
    return [(key, stats) for key, stats in tables if _has_samples(stats)]


def _has_samples(stats: JsonObject) -> bool:
    """True if a table has samples. gtod_reduce and disable_lat leave zeros: `N` is 0, or the maximum in versions that
    do not list `N`."""
    if SAMPLED in stats:
        return True
    if "N" in stats:
        return bool(number(stats["N"]))
    return any(number(stats.get(key)) for key in ("max", "mean"))


def _listed(stats: JsonObject) -> JsonObject:
    listed = stats.get("percentile")
    return listed if isinstance(listed, dict) else {}


def _percentile(stats: JsonObject, percent: float) -> float | None:
    values = [number(value) for label, value in _listed(stats).items() if _is_percent(label, percent)]
    return values[0] if values else None


def _is_percent(label: str, percent: float) -> bool:
    try:
        return float(label) == percent
    except ValueError:
        return False


def _in_ms(value: float | None, key: str) -> float | None:
    return None if value is None else value / PER_MS[key]
