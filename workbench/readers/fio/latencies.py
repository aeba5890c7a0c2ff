"""fio's latencies of one direction: the total (`lat`, submission and completion) or the completion alone (`clat`).

fio lists percentiles of the completion unless it is asked for others (`lat_percentiles=1`), and means of both. A row
states one kind: the one that fio lists percentiles of, else the total where it was measured. Buffered I/O of an
asynchronous engine waits in the submission (`slat`), so that its completion says little: the import report says so.
Source: fio HOWTO, `lat_percentiles`, `clat_percentiles`, "Interpreting the output"; units by key, see `rows`.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.benchmark import LatencyKind
from workbench.readers.common import latency_buckets
from workbench.readers.fio.documents import SAMPLED, JsonObject
from workbench.readers.text.json import number

PER_MS = {"lat_ns": 1e6, "clat_ns": 1e6, "lat": 1e3, "clat": 1e3}
_PERCENTS = (50.0, 95.0, 99.0)
# No I/O takes longer than its run. Ramp time does not count as run time, so only what is far beyond it is impossible.
_RUN_TIMES, _SLACK_MS = 2.0, 60_000.0
# A submission beyond this share of the total is worth a word.
_MUCH = 0.1


@dataclass(frozen=True, slots=True)
class Latencies:
    """Milliseconds; None: not measured, or not listed. `percentiles` are p50, p95 and p99."""

    kind: LatencyKind | None = None
    mean: float | None = None
    percentiles: tuple[float | None, ...] = (None, None, None)


def latencies(section: JsonObject) -> Latencies:
    """Mean and percentiles of one kind. Percentiles as fio lists them, never interpolated."""
    measured = measured_latencies(section)
    if not measured:
        return Latencies()
    key, stats = next(((key, stats) for key, stats in measured if _listed(stats)), measured[0])
    kind = LatencyKind.TOTAL if key.startswith("lat") else LatencyKind.COMPLETION
    percentiles = tuple(_in_ms(_percentile(stats, percent), key) for percent in _PERCENTS)
    return Latencies(kind, _in_ms(number(stats.get("mean")), key), percentiles)


def beyond_run(section: JsonObject) -> float | None:
    """The mean latency in ms where it is far longer than the run, which cannot be: the clock behind it went wrong (seen
    in reports of fio 2.1.11); else None."""
    mean, runtime = latencies(section).mean, number(section.get("runtime"))
    return mean if mean is not None and runtime and mean > _RUN_TIMES * runtime + _SLACK_MS else None


def submission(section: JsonObject, latency: Latencies) -> float | None:
    """Mean of the submission in ms, where a row of completion leaves out much of the total with it."""
    tables = [(section.get(f"s{key}"), key) for key in ("lat_ns", "lat")]
    means = [_in_ms(number(stats.get("mean")), key) for stats, key in tables if isinstance(stats, dict)]
    if latency.kind is not LatencyKind.COMPLETION or latency.mean is None or not means or means[0] is None:
        return None
    return means[0] if means[0] > _MUCH * (means[0] + latency.mean) else None


def bins(section: JsonObject) -> latency_buckets.Histogram:
    """The json+ bins of a direction. Before 2.99 their names are indices or µs, which the key does not tell."""
    for key, stats in measured_latencies(section):
        if key.endswith("_ns") and (histogram := latency_buckets.fio_bins(stats, PER_MS[key])):
            return histogram
    return ()


def highest(section: JsonObject) -> list[float]:
    """The highest latency of each kind that was measured, in ms."""
    every = ((number(stats.get("max")), PER_MS[key]) for key, stats in measured_latencies(section))
    return [value / per_ms for value, per_ms in every if value is not None]


def measured_latencies(section: JsonObject) -> list[tuple[str, JsonObject]]:
    """The tables of latencies that have samples, the total first."""
    tables = [(key, section[key]) for key in PER_MS if isinstance(section.get(key), dict)]
    return [(key, stats) for key, stats in tables if _has_samples(stats)]


def _has_samples(stats: JsonObject) -> bool:
    """gtod_reduce and disable_lat leave zeros: `N` is 0, and before `N` was listed so is the maximum."""
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
